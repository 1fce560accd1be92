"""Free tables between rounds: hands that are passed on, cards dealt again and put into decks."""

from pathlib import Path

import pytest

from tabletop.catalogue import catalogue, game_folders
from tabletop.catalogue.catalogue import BrokenGame, Kit
from tabletop.engine.model import Move, State
from tabletop.engine.play import start, submit
from tabletop.workshop.file_check import dealt_too_much
from tabletop.workshop.law_check import broken_laws
from tests.game_folders import change

FREE = """
[turns]
order = "together"
rounds = 3

[zone.deck]
kind = "deck"
label = "the deck"
starts = { kind = ["fish", "bird"] }
deal = { hand = 3 }
deals = "round"
redeal = "turn"
put = "turn"
insert = true
shuffled = false

[zone.hand]
kind = "hand"
label = "{seat}'s hand"
passes = "left"

[zone.kept]
kind = "row"
owner = "seat"
label = "{seat}'s row"

[[score]]
text = "Kept"
zone = "kept"
"""
CARDS = "name,kind,copies\nCarp,fish,12\nCrane,bird,12\nStone,stone,3\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(game_folders.VARIABLE, "")
    made = tmp_path / "draft"
    made.mkdir()
    (made / "free.toml").write_text(FREE, "utf-8")
    (made / "cards.csv").write_text(CARDS, "utf-8")
    return made


def loaded(folder: Path) -> Kit:
    (known,) = game_folders.add(folder)
    return catalogue.load(known.id)


def do(kit: Kit, state: State, seat: int, verb: str, *rest: object) -> State:
    ask = next(ask for ask in state.asks if ask.seat == seat)
    return submit(kit.game, state, seat, Move(ask.id, verb, *rest), "1").state


def test_hands_are_passed_on_and_dealt_again(folder: Path) -> None:
    kit = loaded(folder)
    state = start(kit.game, 3, "1", kit.backs).state
    assert len(state.cards["deck"]) == 24 - 9, "all values of the list, but no stone"
    hands = [set(state.cards[f"hand/{seat}"]) for seat in range(3)]
    for seat in range(3):
        state = do(kit, state, seat, "done")
    for seat in range(3):
        assert hands[seat] < set(state.cards[f"hand/{(seat + 1) % 3}"])
        assert len(state.cards[f"hand/{seat}"]) == 6
    state = do(kit, state, 0, "deal", (), "deck")
    assert len(state.cards["deck"]) == 0
    assert sum(len(state.cards[f"hand/{seat}"]) for seat in range(3)) == 24


def test_hands_may_go_to_and_fro(folder: Path) -> None:
    change(folder / "free.toml", '"left"', '"alternate"')
    change(folder / "free.toml", 'deals = "round"\n', "")
    kit = loaded(folder)
    state = first = start(kit.game, 3, "1", kit.backs).state
    for _ in range(2):
        for seat in range(3):
            state = do(kit, state, seat, "done")
    for seat in range(3):
        assert set(state.cards[f"hand/{seat}"]) == set(first.cards[f"hand/{seat}"])


@pytest.mark.parametrize(("way", "place"), [("top", -1), ("bottom", 0), ("mixed", None)])
def test_a_card_is_put_into_a_deck(folder: Path, way: str, place: int | None) -> None:
    kit = loaded(folder)
    state = start(kit.game, 2, "1", kit.backs).state
    card = state.cards["hand/0"][0]
    state = do(kit, state, 0, "insert", (card,), "deck", way)
    assert card in state.cards["deck"]
    if place is not None:
        assert state.cards["deck"][place] == card


def test_such_a_table_keeps_the_laws(folder: Path) -> None:
    assert list(broken_laws(loaded(folder))) == []


def test_dealing_more_than_there_is_is_said(folder: Path) -> None:
    change(folder / "free.toml", "hand = 3", "hand = 7")
    kit = loaded(folder)
    (finding,) = dealt_too_much(kit)
    assert finding.fault == ('free.toml line 6: "deck" deals 28 cards to 4 players, and has 24')
    assert "There are {n} cards too few to deal: {zone}." in [
        event.text for event in start(kit.game, 4, "1", kit.backs).events if hasattr(event, "text")
    ]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("deal = { hand = 3 }\n", "", '"redeal" needs "deal"'),
        ('label = "the deck"', 'label = "the deck"\npasses = "left"', "who has no neighbour"),
        ('passes = "left"', "insert = true", 'only into a "deck" or a "pile"'),
        ('passes = "left"', 'passes = "lft"', '"lft"'),
    ],
)
def test_what_makes_no_sense_is_refused(folder: Path, old: str, new: str, told: str) -> None:
    change(folder / "free.toml", old, new)
    with pytest.raises(BrokenGame, match=told):
        loaded(folder)
