"""The characterisation of matches: what each client of a match is sent, on every path.

A path is a way to sit at a table: several people at one window (`hot seat`), a window that hosts
and is a guest of itself (`own host`), guests elsewhere (`guests`), phones at the gateway
(`phones`). One script plays the same seeded matches on each path. `digests.jsonl` holds a digest of
each transcript. A change that isn't meant to change what people are sent leaves all of them equal.

    python3 -m tests.characterisation compare
        play all matches (minutes), print the transcripts whose digests differ
    python3 -m tests.characterisation compare sun-2 guests
        play only the matches and paths with these words in their names
    python3 -m tests.characterisation record
        rewrite the digests; words as above
    python3 -m tests.characterisation record --full DIR sun-2
        write readable transcripts instead; compare them (`diff -r`) with those that the same
        command writes in a worktree of another revision
    python3 -m tests.characterisation paths
        print which transcripts differ between the paths, by the recorded digests
"""
