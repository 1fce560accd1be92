"""The playthroughs of `golden` happen again, word for word; and so many games are legal."""

from pathlib import Path

import pytest

from tabletop.engine.model import State
from tabletop.engine.play import start, submit
from tabletop.games import catalogue
from tabletop.laws.random_games import open_asks
from tests.games.golden.playthrough import FOLDER, repeated

PLAYTHROUGHS = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("file", PLAYTHROUGHS, ids=lambda file: file.stem)
def test_a_playthrough_happens_again(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert repeated(text).splitlines() == text.splitlines()


@pytest.mark.parametrize("file", PLAYTHROUGHS, ids=lambda file: file.stem)
def test_a_playthrough_is_a_whole_game(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count("\n> set-up\n") == 1
    assert "\n  end: " in text


def positions(name: str, seats: int, depth: int) -> list[int]:
    """How many games of 1, 2, ... answers there are from the set-up of the seed "count"."""
    kit = catalogue.load(name)
    layer: list[State] = [start(kit.game, seats, "count", kit.backs, catalogue.options(kit)).state]
    counts = []
    for _ in range(depth):
        layer = [
            submit(kit.game, state, ask.seat, move, "count").state
            for state in layer
            for ask in open_asks(state)[:1]
            for offer in kit.game.offers(state, ask)
            for move in offer.moves(ask.id)
        ]
        counts.append(len(layer))
    return counts


@pytest.mark.parametrize(
    ("name", "seats", "counts"),
    [
        ("sun", 2, [40, 240, 8640]),
        ("_blank", 3, [3, 9, 27, 90, 189, 324]),
    ],
)
def test_so_many_games_are_legal(name: str, seats: int, counts: list[int]) -> None:
    assert positions(name, seats, len(counts)) == counts
