"""A random game as `tabletop shot --seed` shows it, so that its findings can be seen."""

from collections.abc import Iterator
from itertools import islice

from tabletop.bots.random_bot import RandomBot
from tabletop.catalogue.catalogue import Kit
from tabletop.engine.model import Move, Value
from tabletop.engine.play import start, submit
from tabletop.laws.random_games import GameTable, PlayedTurn
from tabletop.match.match import Match, Player
from tabletop.match.seat import Seat


def random_match(
    kit: Kit, seats: int, seed: str, options: dict[str, Value], upto: int | None = None
) -> Match:
    """A game played by random bots, to its end or for a number of moves."""
    match = _begin_match(kit, seats, seed, options)
    if upto != 0:
        for _ in random_answers(match, seed):
            if len(match.record) == upto:
                break
    return match


def shown_turns(table: GameTable, kit: Kit, seed: str, most: int) -> Iterator[PlayedTurn]:
    """The turns of such a game, up to a number; errors of the rules are passed on."""
    options = dict(table.options)
    written = start(kit.game, table.seats, seed, kit.backs, options)
    yield PlayedTurn(table.blank, None, None, tuple(written.events), written.state)
    for seat, move in islice(
        random_answers(_begin_match(kit, table.seats, seed, options), seed), most
    ):
        before = written.state
        written = submit(kit.game, before, seat, move, seed)
        yield PlayedTurn(before, seat, move, tuple(written.events), written.state)


def _begin_match(kit: Kit, seats: int, seed: str, options: dict[str, Value]) -> Match:
    players = (Player("", kind="bot", level="random"),) * seats
    return Match(kit.game, kit.backs, players, options, seed)


def random_answers(match: Match, seed: str) -> Iterator[tuple[int, Move]]:
    """Have random bots play a match to its end, or until nobody is asked; each answer, given."""
    seats = [Seat.of(match, number) for number in range(len(match.players))]
    bot = RandomBot(seed)
    asked = True
    while asked and match.state.result is None:
        asked = False
        for seat in seats:
            for ask in [ask for ask in match.asks(seat.number) if not ask.optional]:
                if ask in match.asks(seat.number):  # an answer before it may have closed it
                    move = bot.answer(seat, ask)
                    match.submit(seat.number, move)
                    asked = True
                    yield seat.number, move
