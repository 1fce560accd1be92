"""Golden playthroughs replay word for word; counts of legal positions to a fixed depth."""

from pathlib import Path

import pytest

from tabletop.catalogue import catalogue
from tabletop.engine.model import State
from tabletop.engine.play import start, submit
from tabletop.studio.laws.random_games import open_asks
from tests.games.golden.playthrough import FOLDER, Playthrough, replayed

PLAYTHROUGHS = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("file", PLAYTHROUGHS, ids=lambda file: file.stem)
def test_a_whole_game_replays_word_for_word(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    play = replayed(text)
    assert play.like(text).splitlines() == text.splitlines()
    assert play.state.result is not None


def test_one_changed_event_changes_the_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (FOLDER / "awss-4.txt").read_text(encoding="utf-8")
    monkeypatch.setattr(Playthrough, "_card", lambda self, card: "a card")
    other = replayed(text).like(text)
    assert other.splitlines()[-1] == text.splitlines()[-1]
    assert other != text


def positions(name: str, seats: int, depth: int) -> list[int]:
    """The number of games of 1, 2, ... answers from the set-up of the seed "count"."""
    kit = catalogue.load(name)
    layer: list[State] = [start(kit.rules, seats, "count", kit.backs, catalogue.options(kit)).state]
    counts = []
    for _ in range(depth):
        layer = [
            submit(kit.rules, state, ask.seat, move, "count").state
            for state in layer
            for ask in open_asks(state)[:1]
            for offer in kit.rules.offers(state, ask)
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
