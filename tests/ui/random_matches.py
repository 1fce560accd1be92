"""A match of any game, and random answers to what it asks."""

from collections.abc import Callable, Iterator

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Ask, Move, Offer
from tabletop.engine.scratch import FastRng
from tabletop.match.match import Match, Player
from tabletop.studio.laws.random_games import GameTable


def table(name: str, setting: GameTable, seed: str) -> Match:
    kit = catalogue.load(name)
    players = [Player(f"Player {n}") for n in range(1, setting.seats + 1)]
    return Match(kit, players, dict(setting.options), seed)


def asked(match: Match) -> Iterator[tuple[int, Ask, tuple[Offer, ...]]]:
    """Each open question: the seat, the question, and what it admits."""
    for seat in range(match.state.seats):
        offers = match.offers(seat)
        for ask in match.asks(seat):
            yield seat, ask, offers[ask.id]


def some_answer(match: Match, luck: FastRng) -> tuple[int, Move]:
    questions = list(asked(match))
    seat, ask, offers = questions[luck.below(len(questions))]
    return seat, offers[luck.below(len(offers))].sample(ask.id, luck)


def match_until(game: str, until: Callable[[Match], bool], seats: int = 2) -> Match:
    """A random match of one person and bots, at the first position for which this holds."""
    kit = catalogue.load(game)
    players = [Player(f"P{n}", "sun", "bot" if n else "person", "easy") for n in range(seats)]
    for number in range(60):
        luck = FastRng(f"found {number}")
        match = Match(kit, players, catalogue.options(kit), f"found {number}")
        while match.state.result is None:
            if until(match):
                return match
            match.submit(*some_answer(match, luck))
    raise AssertionError("no game has come there")


def begun(kit: GameKit, plies: int = 60) -> Match:
    """A match of this game in which so many moves were played at random."""
    players = [Player(name) for name in ("Ann", "Bea", "Cid")]
    least = max(2, min(kit.box.seats))
    match = Match(kit, players[:least], {}, "told")
    luck = FastRng("told")
    while match.state.result is None and match.state.ply < plies:
        match.submit(*some_answer(match, luck))
    return match
