"""Golden playthroughs: what was answered in one game, and what each viewer heard of it.

A playthrough is one text file, `<game>-<seats>.txt`. Its head names the game, the seats, the seed
and the options; every answer is a line ">", followed by its events. An event that all viewers see
alike is one line; otherwise there is a line for each way of seeing it, marked with its viewers.
Seats count from 0, the audience is "~". A hidden card is its back: [child].

One game of each kind of seat count is written in full. The others are brief: the answers, and a
digest of the full text.

    python -m tests.games.golden                    rewrites all playthroughs
    python -m tests.games.golden sun-2 ...          rewrites these
    python -m tests.games.golden --full royale-4    prints a brief one in full

Read the difference before you commit it: a changed playthrough is a changed game.
"""
