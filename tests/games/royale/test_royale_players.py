"""The people of the figures play by the rules, and as they are said to."""

import pytest

from tabletop.engine.play import answer, start
from tabletop.engine.scratch import FastRng, SimulationTable
from tests.games.royale.players import Person, at_random, greedy, peaceful
from tests.games.royale.tables import GAME, KIT


def verbs(*people: Person, seed: str = "people") -> list[set[str]]:
    """The verbs of each player in a whole game; every answer is one that was offered."""
    luck = FastRng(seed)
    table = SimulationTable(start(GAME, len(people), seed, KIT.backs, {"length": 21}).state, luck)
    done: list[set[str]] = [set() for _ in people]
    while table.result is None:
        (ask,) = table.asks
        offers = GAME.offers(table, ask)
        move = people[ask.seat](table, ask, offers, luck)
        assert any(offer.admits(move) for offer in offers), (ask, move)
        done[ask.seat].add(move.verb)
        answer(GAME, table, ask, move)
    return done


@pytest.mark.parametrize("seats", [2, 5, 12])
def test_the_greedy_play_to_the_end(seats: int) -> None:
    did = set.union(*verbs(*[greedy] * seats))
    assert {"attack", "snipe", "strike", "search", "pass"} <= did


def test_the_peaceful_never_attack() -> None:
    first, second, third = verbs(peaceful, greedy, at_random)
    assert not first & {"attack", "snipe"}
    assert second & {"attack", "snipe"}
    assert third
