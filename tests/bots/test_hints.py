"""Every hint can be carried out to its end; `python -m tests.bots.hints` tries more of them."""

import pytest

from tabletop.bots.worker import make_agent
from tabletop.catalogue import catalogue
from tabletop.engine.model import Move
from tests.bots import hints
from tests.ui.table.royale_driver import asks

GAMES = ("awss", "chains", "royale", "sisters", "sun")


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_can_be_carried_out(game: str) -> None:
    assert hints.report(game, 30) == {}


def test_a_move_that_is_not_offered_is_noticed() -> None:
    match = asks("walk", seats=2)
    ask = next(ask for ask in match.state.asks if ask.what == "walk")
    assert hints.follow(match, ask.seat, Move(ask.id, "walk", target="area/9,9"))


def test_nobody_unarmed_is_advised_to_attack() -> None:
    """Of all positions of many games: the heuristic has no such move, however it is asked."""
    heuristic = make_agent(catalogue.load_bot_parts, "royale").heuristic
    seen = 0
    for match, seat, _ in hints.hints("royale", 300):
        for ask in match.asks(seat):
            moves = heuristic.moves(match.view(seat), ask, hints.FastRng("unarmed"))
            wrong = [move for move in moves if hints.disarmed(match.state, seat, move)]
            offered = [m for o in match.offers(seat)[ask.id] for m in o.moves(ask.id)]
            seen += sum(hints.disarmed(match.state, seat, move) for move in offered)
            assert not wrong
        match.submit(*hints.some_answer(match, hints.FastRng(match.state.ply)))
    assert seen > 3, "such moves are legal, and were there"
