"""Matches that bots have played some moves of, to be saved, stripped and damaged."""

from pathlib import Path

from tabletop.bots.random_bot import RandomBot
from tabletop.catalogue import catalogue
from tabletop.match.match import Match, Player
from tabletop.match.seat import Seat
from tabletop.storage.record import public_record, record_of, to_bytes

MOVES = 40


def begun(game: str, moves: int = MOVES) -> Match:
    """A match of two persons and bots, so many moves old; the last was taken back."""
    kit = catalogue.load(game)
    seats = max(min(kit.box.seats), 2)
    players = [Player(f"P{n}", kind="person" if n < 2 else "bot") for n in range(seats)]
    match = Match(kit, players, catalogue.options(kit), f"seed of {game}")
    bot = RandomBot("stripped")
    sitting = [Seat.at_table(match, number) for number in range(seats)]
    while len(match.record) < moves and match.state.result is None:
        for seat in sitting:
            for ask in match.asks(seat.number):
                if ask in match.asks(seat.number):
                    seat.send(bot.answer(seat, ask))
    match.undo(None)
    return match


def play(match: Match, moves: int = 10_000) -> None:
    """Play so many moves more, or to the end."""
    seats, bot = [Seat.at_table(match, 0), Seat.at_table(match, 1)], RandomBot("matches")
    for _ in range(moves):
        seat = next((seat for seat in seats if match.asks(seat.number)), None)
        if seat is None:
            return
        seat.send(bot.answer(seat, match.asks(seat.number)[0]))


def bare(game: str = "chains") -> str:
    """A stripped record, as the content of its file."""
    match = begun(game, 6)
    return to_bytes(public_record(record_of(match, Path("odd.tabletop")), match)).decode()
