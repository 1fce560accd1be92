"""What is played back to a player: all since their own last turn, and nothing of that turn."""

import pytest

from tabletop.catalogue import catalogue
from tabletop.engine.scratch import Luck
from tabletop.match.seat import Seat
from tests.review.matches import dealt, open_ask
from ui.match.recap import Recap


@pytest.mark.parametrize("game", ["royale", "sisters"])
def test_a_recap_begins_after_the_players_own_turn(game: str) -> None:
    kit, match, luck = catalogue.load(game), dealt(game, 2, "recap"), Luck("recap")
    recap = Recap(kit, Seat.of(match, 0))
    turn = kit.meaning.turn
    begun = grown = 0
    while match.state.result is None and len(match.record) < 80:
        ask = open_ask(match)
        offers = match.offers(ask.seat)[ask.id]
        own_turn = not turn or match.state.values.get(turn) == 0
        before = len(recap.updates)
        move = offers[luck.below(len(offers))].sample(ask.id, luck)
        match.submit(ask.seat, move)
        if ask.seat == 0 and own_turn and move.verb != "pass":
            begun += 1
            assert recap.updates == []
        else:
            grown += 1
            assert len(recap.updates) > before
    assert begun
    assert grown
