"""Free tables between rounds: hands that are passed on, cards dealt again and put into decks."""

from pathlib import Path

import pytest

from tabletop.catalogue import catalogue, game_folders
from tabletop.catalogue.catalogue import BrokenGame, GameKit
from tabletop.engine.mask import mask
from tabletop.engine.model import Move, State
from tabletop.engine.play import start, submit
from tabletop.studio.workshop.file_check import find_overdrawn_zones
from tabletop.studio.workshop.law_check import find_broken_laws
from tests.game_folders import change
from ui.studio.game_check import cut_window_texts
from ui.table.layout.geometry import lay_out_table

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
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")
    made = tmp_path / "draft"
    made.mkdir()
    (made / "free.toml").write_text(FREE, "utf-8")
    (made / "cards.csv").write_text(CARDS, "utf-8")
    return made


def loaded(folder: Path) -> GameKit:
    (known,) = game_folders.add(folder)
    return catalogue.load(known.id)


def do(kit: GameKit, state: State, seat: int, verb: str, *rest: object) -> State:
    ask = next(ask for ask in state.asks if ask.seat == seat)
    return submit(kit.rules, state, seat, Move(ask.id, verb, *rest), "1").state


def test_hands_are_passed_on_and_dealt_again(folder: Path) -> None:
    kit = loaded(folder)
    state = start(kit.rules, 3, "1", kit.backs).state
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
    state = first = start(kit.rules, 3, "1", kit.backs).state
    for _ in range(2):
        for seat in range(3):
            state = do(kit, state, seat, "done")
    for seat in range(3):
        assert set(state.cards[f"hand/{seat}"]) == set(first.cards[f"hand/{seat}"])


@pytest.mark.parametrize(("way", "place"), [("top", -1), ("bottom", 0), ("mixed", None)])
def test_a_card_is_put_into_a_deck(folder: Path, way: str, place: int | None) -> None:
    kit = loaded(folder)
    state = start(kit.rules, 2, "1", kit.backs).state
    card = state.cards["hand/0"][0]
    state = do(kit, state, 0, "insert", (card,), "deck", way)
    assert card in state.cards["deck"]
    if place is not None:
        assert state.cards["deck"][place] == card


def test_such_a_table_keeps_the_laws(folder: Path) -> None:
    assert list(find_broken_laws(loaded(folder))) == []


COLLECTED = """
[turns]
rounds = 3

[zone.roles]
kind = "hand"
label = "{seat}'s role"
starts = { kind = ["role"] }

[zone.deck]
kind = "deck"
label = "the deck"
starts = "all"
deal = { hand = 4 }
deals = "round"
redeal = "turn"
collects = true

[zone.hand]
kind = "hand"
label = "{seat}'s hand"

[zone.trick]
kind = "row"
label = "the trick"

[zone.secret]
kind = "row"
owner = "seat"
face = "owner"
label = "{seat}'s secret"

[[score]]
text = "Secrets"
zone = "secret"
"""
TRICKS = (
    "name,kind,copies,back\n"
    "Carp,fish,8,back\nCrane,bird,8,back\nRook,bird,8,dark\nKing,role,4,role\n"
)

BOX = """
back = ["back", "dark", "role"]

[box]
id = "draft"
title = "Draft"
seats = [2, 3, 4]
minutes = 15
feel = "Tricks."
credit = "A game for tests"
rules = 1
"""


@pytest.fixture
def collecting(folder: Path) -> Path:
    (folder / "free.toml").write_text(COLLECTED, "utf-8")
    (folder / "cards.csv").write_text(TRICKS, "utf-8")
    (folder / "cards.toml").write_text(BOX, "utf-8")
    return folder


def test_all_cards_come_back_before_they_are_dealt_again(collecting: Path) -> None:
    kit = loaded(collecting)
    state = first = start(kit.rules, 3, "1", kit.backs).state
    for seat in range(3):
        hand = state.cards[f"hand/{seat}"]
        state = do(kit, state, seat, "move", (hand[0],), "trick")
        state = do(kit, state, seat, "move", (hand[1],), f"secret/{seat}")
        state = do(kit, state, seat, "done")
    assert not state.cards["trick"]
    assert not any(state.cards[f"secret/{seat}"] for seat in range(3))
    assert [state.values[f"score/{seat}"] for seat in range(3)] == [0, 0, 0]
    assert [len(state.cards[f"hand/{seat}"]) for seat in range(3)] == [4, 4, 4]
    assert len(state.cards["deck"]) == 24 - 12
    assert state.cards["hand/0"] != first.cards["hand/0"], "shuffled"
    assert [state.cards[f"roles/{seat}"] for seat in range(3)] == [
        first.cards[f"roles/{seat}"] for seat in range(3)
    ], "another back"
    again = do(kit, state, 0, "deal", (), "deck")
    assert [len(again.cards[f"hand/{seat}"]) for seat in range(3)] == [4, 4, 4]


def test_a_table_that_collects_its_cards_keeps_the_laws(collecting: Path) -> None:
    assert list(find_broken_laws(loaded(collecting))) == []


def test_dealing_more_than_there_is_is_said(folder: Path) -> None:
    change(folder / "free.toml", "hand = 3", "hand = 7")
    kit = loaded(folder)
    (finding,) = find_overdrawn_zones(kit)
    assert finding.fault == ('free.toml line 6: "deck" deals 28 cards to 4 players, and has 24')
    assert "There are {n} cards too few to deal: {zone}." in [
        event.text for event in start(kit.rules, 4, "1", kit.backs).events if hasattr(event, "text")
    ]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("deal = { hand = 3 }\n", "", '"redeal" needs "deal"'),
        ('label = "the deck"', 'label = "the deck"\npasses = "left"', "who has no neighbour"),
        ('passes = "left"', "insert = true", 'only into a "deck" or a "pile"'),
        ('passes = "left"', 'passes = "lft"', '"lft"'),
        ("redeal =", "collects = true\nredeal =", "no card may stay in the box"),
        ('label = "{seat}\'s hand"', 'label = "{seat}\'s hand"\ncollects = true', "come back"),
    ],
)
def test_what_makes_no_sense_is_refused(folder: Path, old: str, new: str, told: str) -> None:
    change(folder / "free.toml", old, new)
    with pytest.raises(BrokenGame, match=told):
        loaded(folder)


def test_others_fill_their_room_at_a_table_for_six(folder: Path) -> None:
    kit = loaded(folder)
    five, six = (
        lay_out_table(
            (kit.layouts[0],), mask(start(kit.rules, seats, "1", kit.backs).state, 0), (1280, 800)
        )
        for seats in (5, 6)
    )
    scales = [setting.zones["hand/1"].scale for setting in (five, six)]
    assert scales[1] >= 0.9 * scales[0]
    assert scales[1] > 0.9, "without areas of their own it was 0.73"


def test_large_numbers_of_others_have_room(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cut_window_texts, "MOVES", 1)
    monkeypatch.setattr(cut_window_texts, "LANGUAGES", ("en",))
    coins = (
        '\n[counter.yen]\nlabel = "{seat}\'s yen"\ncaption = "Yen"\nstart = 15000\nmost = 99999\n'
    )
    (folder / "free.toml").write_text(FREE + coins, "utf-8")
    assert not [
        each for each in cut_window_texts.find_cut_window_texts(loaded(folder)) if "15" in each
    ]
