"""The characterisation of matches: what each client of a match is sent today, on every path.

A path is a way to sit at a table: several people at one window (`hot seat`), a window that hosts and is a guest
of itself (`own host`), guests elsewhere (`guests`), and phones at the gateway (`phones`). The same seeded matches
are played on each, by the same script; `digests.jsonl` holds a digest of each transcript. A change of the program
that isn't meant to change what people are sent leaves all digests as they are.

    python3 -m tests.characterisation compare                  play all matches, name the digests that differ
    python3 -m tests.characterisation compare sun-2 guests     only matches and paths with such a name
    python3 -m tests.characterisation record                   rewrite the digests
    python3 -m tests.characterisation record --full DIR sun-2  write readable transcripts, to be compared with those
                                                               of another revision
    python3 -m tests.characterisation paths                    list what differs between the paths

`known_differences.py` names what differs between the paths.
"""
