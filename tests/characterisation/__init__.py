"""The characterisation of matches: what each client of a match is sent, on every path.

A path is a way to sit at a table: several people at one window (`hot seat`), a window that hosts
and is a guest of itself (`own host`), guests elsewhere (`guests`), phones at the gateway
(`phones`), people who pass one screen on (`one screen`: who looks, and what the curtain hides). One
script plays the same seeded matches on each path. `digests.jsonl` holds a digest of
each transcript. A change that isn't meant to change what people are sent leaves all of them equal.

    python3 -m tests.characterisation compare
        play all matches (minutes), print the transcripts whose digests differ
    python3 -m tests.characterisation compare sun-2 guests
        play only the matches and paths with these words in their names; `sample`: a few
    python3 -m tests.characterisation record
        rewrite the digests; words as above
    python3 -m tests.characterisation record --full DIR sun-2
        write readable transcripts instead; compare them (`diff -r`) with those that the same
        command writes in a worktree of another revision
    python3 -m tests.characterisation paths
        print which transcripts differ between the paths, by the recorded digests

People who do the same are sent the same on every path. Where the paths differ today:

- After the end a hot seat still takes moves back, and refuses the rest as `game_over`. Hosts refuse
  everything as `not_now`, though an update says that the seat may undo.
- The people of a window (hot seat, own host) agree to an undo together, and it goes back to the
  last move of any of them. Guests and phones are asked one by one, and it goes back to the last
  move of the seat that asked; the others are told of the wish, and who didn't agree.
- A phone's page has no button that plays an undone move again.
- Somebody who concedes among several others is replaced by a bot at once at a host, and the others
  are asked then. At a hot seat all are asked first, and nothing is told of it.
- The record of a host is sealed even if no bot plays, has the shares of the seed, and gets its end
  at once; that of a hot seat gets it when the match is put among the replays.
- A phone's bad move is refused by the gateway (`phone N`), so its seat isn't told (`seat N`).
- Only a host tells everybody (`table`) who is away, who asks for an undo, and who concedes. The
  host of `own host` plays, so its own refused requests are there as well.

Changed on purpose since the digests were first recorded, when a hot-seat match had an authority of
its own and a window was a guest of its host by TLS:

- An update or reset says which own move can be played again (`redo`), and leaves out an empty
  `offers` and a false `undoable`.
- Undone moves can be played again at a host, too (guests, own host).
- The people of a window that hosts agree to an undo together, as at a hot seat. They were asked
  seat by seat, and only the last move of the seat that asked was undone.
- A bot that stands in at a host has the level of the other bots. It was always "normal".
- Bots at a host aren't asked about the positions that an undo of several moves only passes.
- An undo of several moves is one step for one screen: its viewer is called once, not for each move.
"""
