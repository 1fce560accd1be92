"""Of whom a game says that nothing will be asked of her any more, nothing is."""

import pytest

from tabletop.catalogue import catalogue
from tabletop.studio.laws.random_games import tables_of_game, turns

IDLE = [kit for kit in catalogue.load_all().games if kit.meaning.idle]
GAMES = 12


@pytest.mark.parametrize("kit", IDLE, ids=lambda kit: kit.id)
def test_who_is_idle_for_good_is_not_asked_any_more(kit: catalogue.GameKit) -> None:
    told: set[str] = set()
    for setting in tables_of_game(kit.id)[:3]:
        for number in range(GAMES):
            done: set[int] = set()
            for turn in turns(setting, f"idle {number}", []):
                state = turn.after
                if state.result is not None:
                    break
                asked = {ask.seat for ask in state.asks}
                for seat in range(state.seats):
                    idle = kit.meaning.idle_reason(state, seat)
                    if idle is not None:
                        told.add(idle.text)
                        done |= {seat} if idle.for_good else set()
                assert not asked & done
    assert told, "none of these games came so far"


def test_the_games_that_players_leave_before_the_end_say_why() -> None:
    assert {kit.id for kit in IDLE} == {"chains", "royale"}
