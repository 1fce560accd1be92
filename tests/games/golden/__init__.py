"""Playthroughs written down: what was answered, and what each viewer heard of it.

A playthrough is one text file. Its head names the game, the seats, the seed and the options; then
every answer is a line ">", followed by what it brought. A sentence that all hear stands once; what
only some hear, or hear with other cards, stands once for each way of hearing it, marked with who
hears it. Seats are counted from 0, the audience is "~". A hidden card is its back: [child].

    python -m tests.games.golden            writes all playthroughs anew
    python -m tests.games.golden sun-2 ...  writes these anew

Read the difference before you commit it: a changed playthrough is a changed game.
"""
