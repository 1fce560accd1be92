"""A process of its own that plays on in a journal and reports every move once it is
acknowledged."""

import os
import sys
from pathlib import Path

from tabletop.bots.random_bot import RandomBot
from tabletop.match.match import Match
from tabletop.match.seat import Seat
from tabletop.storage.saved_matches import resume


def links_of(match: Match) -> list[Seat]:
    return [Seat.at_table(match, seat) for seat in range(len(match.players))]


def play(match: Match, bot: RandomBot, seats: list[Seat]) -> bool:
    """Play one answer; whether there was one to play."""
    for seat in seats:
        for ask in match.asks(seat.number):
            seat.send(bot.answer(seat, ask))
            return True
    return False


def main(path: Path, seed: str) -> None:
    match = resume(path)
    seats, bot = links_of(match), RandomBot(seed)
    os.write(1, b"ready\n")
    while play(match, bot, seats):
        os.write(1, b"%d\n" % match.state.ply)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
