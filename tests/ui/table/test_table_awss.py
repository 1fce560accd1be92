"""The table of AWSSterra: its places and its texts."""

import random
from collections.abc import Callable

import pytest
from PySide6.QtCore import QPointF, Qt
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.engine.model import Move, Offer, State
from tabletop.games.awss.board import CELLS, UPSIDE_DOWN
from tabletop.games.layout import Rect
from tabletop.match.match import Match, Player
from tabletop.match.offer_matching import next_choice_steps
from tests.ui.table.layout_fields import SIZES, assert_apart, fields
from tests.ui.table_driver import (
    Table,
    asked,
    assert_settled,
    play_on,
    play_one,
    some_move,
    spot_of,
)
from ui.style.art import TINY_BELOW_PX
from ui.table.animation.animator import SPEED_FACTORS
from ui.table.items.card_item import DIMMED_OPACITY, CardSide
from ui.table.items.plaque_item import PlaqueItem
from ui.table.items.slip_item import SlipItem
from ui.table.layout.geometry import FOLDED_HEIGHT, lay_out_table
from ui.table.layout.placed_table import PlacedTable

pytestmark = pytest.mark.usefixtures("qapp")

KIT = catalogue.load("awss")
LAYOUTS = KIT.layouts
PLAYERS = [Player("Mio", "moon"), Player("Haru", "sun"), Player("Sora", "leaf"), Player("Yui")]
SEATS = [3, 4]


def new_game(seats: int, seed: str = "table") -> Match:
    return Match(KIT, PLAYERS[:seats], seed=seed)


def waiting(match: Match) -> list[int]:
    return [seat for seat in range(match.state.seats) if match.asks(seat)]


def asks(what: str) -> Callable[[Match], bool]:
    return lambda match: any(ask.what == what for ask in match.asks(asked(match)))


def in_phase(phase: str) -> Callable[[Match], bool]:
    return lambda match: match.state.values["phase"] == phase


def moments(seats: int) -> list[tuple[str, State]]:
    """Views of a game in each of its phases, and at its end."""
    match, positions = new_game(seats), {}
    luck = random.Random(7)
    while match.state.result is None:
        seat = asked(match)
        positions[f"{match.state.values['phase']}"] = match.view(seat)
        match.submit(seat, some_move(match, seat, luck))
    return [*positions.items(), ("end", match.view(0))]


VIEWS = [(seats, name, view) for seats in SEATS for name, view in moments(seats)]
NAMES = [f"{seats}-{name}" for seats, name, _ in VIEWS]


def is_under(name: str, setting: PlacedTable) -> bool:
    """Whether a drawing belongs to a place of its own region: the ground and the marks of boards,
    the signs where claims are laid."""
    picture = next(picture for picture in setting.drawings if picture.name == name)
    return picture.level == "over" or picture.drawing in ("awss/mat.svg", "awss/claim.svg")


# Places


@pytest.mark.parametrize(("seats", "name", "view"), VIEWS, ids=NAMES)
def test_nothing_overlaps_and_every_card_lies_in_its_place(
    seats: int, name: str, view: State
) -> None:
    for size in SIZES:
        setting = lay_out_table(LAYOUTS, view, size)
        assert_apart(setting, items(setting))
        for spread in setting.zones.values():
            for slot in spread.slots:
                assert spread.rect.contains(slot.bounds, 0.02), spread.zone


def items(setting: PlacedTable) -> list[tuple[str, Rect]]:
    """The parts of a table that must not overlap."""
    pictures = {picture.name for picture in setting.drawings}
    apart = [
        (field, rect)
        for field, rect in fields(setting)
        if field not in pictures or not is_under(field, setting)
    ]
    boards = [
        (zone, spread.rect)
        for zone, spread in setting.zones.items()
        if zone.startswith(("board/", "claim/"))
    ]
    return apart + boards


@pytest.mark.parametrize(("seats", "name", "view"), VIEWS, ids=NAMES)
def test_no_card_in_sight_is_without_a_place(seats: int, name: str, view: State) -> None:
    setting = lay_out_table(LAYOUTS, view, (1280, 800))
    for zone, cards in view.cards.items():
        if any(card >= 0 for card in cards) and not zone.startswith(("tilt/", "needles/")):
            assert zone in setting.zones, zone


@pytest.mark.parametrize("seats", SEATS)
def test_numbers_of_the_small_boards_can_be_read(seats: int) -> None:
    view = new_game(seats).view(0)
    for size in ((1024, 600), (964, 766), (1280, 800), (2560, 1440)):
        setting = lay_out_table(LAYOUTS, view, size)
        for seat in range(seats):
            width = setting.zones[f"board/{seat}/4"].place.card * setting.unit
            letters = 88 if width < TINY_BELOW_PX else 54  # of 240, on the tiny and the simple face
            assert width * letters / 240 >= 10.9


@pytest.mark.parametrize("seats", SEATS)
def test_the_left_neighbour_sits_on_the_left(seats: int) -> None:
    for me in range(seats):
        setting = lay_out_table(LAYOUTS, new_game(seats).view(me), (1280, 800))
        rects: dict[int, Rect] = {sign.seat: sign.rect for sign in setting.plaques}
        assert rects[(me + 1) % seats].x < setting.zones[f"board/{me}/0"].rect.x
        assert rects[me].y == max(rect.y for rect in rects.values())


# Texts


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> str:
    """A speed at which films are long enough to be seen, and no longer."""
    monkeypatch.setitem(SPEED_FACTORS, "quick", 0.06)
    return "quick"


@pytest.fixture
def ordering() -> Table:
    match = play_on(new_game(4), asks("order"), seed=2)
    return Table(match, asked(match), kit=KIT, size=(964, 766))


def strengths(table: Table) -> list[object]:
    setting = table.scene.stage.placed
    (picture,) = [one for one in setting.drawings if one.drawing == "awss/strength.svg"]
    return [picture.variables[season] for season in ("autumn", "winter", "spring", "summer")]


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("size", [(1024, 600), (1280, 800), (2560, 1440), (1080, 1400)])
def test_places_without_cards_are_their_captions(seats: int, size: tuple[int, int]) -> None:
    kit = catalogue.load("awss")
    names = [Player(f"P{seat}") for seat in range(seats)]
    view = Match(kit, names, catalogue.options(kit), "folds").view(0)
    placed = lay_out_table(kit.layouts, view, size)
    empty = [mat for mat in placed.mats if {"discard", "picks/0", "older/0"} & set(mat.zones)]
    assert len(empty) == 3
    assert all(mat.rect.h <= placed.caption_height * FOLDED_HEIGHT for mat in empty)


def test_the_order_tells_what_the_seasons_would_bring(ordering: Table) -> None:
    choice = ordering.scene.choice
    seat = ordering.seat.number
    assert choice.multi_selection.draft is not None
    empty = strengths(ordering)
    assert "" not in empty
    first, *_ = choice.multi_selection.draft.spot_zones()
    lone = ordering.scene.stage.item_of(ordering.seat.view.cards[f"older/{seat}"][0])
    assert lone is not None
    ordering.carry(lone, ordering.middle(first))
    assert strengths(ordering) != empty
    ordering.carry(lone, QPointF(480, 690))
    assert strengths(ordering) == empty
    for card in ordering.seat.view.cards[f"older/{seat}"][:6]:
        item = ordering.scene.stage.item_of(card)
        assert item is not None
        ordering.double_click(ordering.grip(item))
    (move,) = choice.multi_selection.draft.moves()
    preview = ordering.seat.preview(move)
    assert strengths(ordering) == list(preview.values.values())
    whole = strengths(ordering)
    ordering.scene.choice.send_selection()
    assert ordering.acted == [move]
    assert strengths(ordering) == whole  # while the others are still at it


def test_nothing_of_the_order_is_final_before_it_is_sent(ordering: Table) -> None:
    choice, stage = ordering.scene.choice, ordering.scene.stage
    first, second, *_ = choice.multi_selection.draft.spot_zones()
    seat = ordering.seat.number
    one, other = ordering.seat.view.cards[f"older/{seat}"][:2]
    for card, zone in ((one, first), (other, second), (one, second)):
        item = stage.item_of(card)
        assert item is not None
        ordering.carry(item, ordering.middle(zone))
    spots = [choice.multi_selection.draft.zone_holding(card) for card in (one, other)]
    assert spots == [second, first]
    item = stage.item_of(one)
    ordering.carry(item, QPointF(480, 690))
    assert choice.multi_selection.draft.zone_holding(one) is None
    assert item.zone == f"older/{seat}"
    assert not ordering.acted


def test_bridges_turn_with_their_card(ordering: Table) -> None:
    choice, stage = ordering.scene.choice, ordering.scene.stage
    zone = choice.multi_selection.draft.spot_zones()[0]
    cell = int(zone.rsplit("/", 1)[1])
    card = ordering.seat.view.cards[f"older/{ordering.seat.number}"][0]
    item = stage.item_of(card)
    ordering.carry(item, ordering.middle(zone))
    (bridges,) = [one for one in stage.placed.drawings if one.drawing == "awss/bridges.svg"]
    assert bridges.level == "over"
    assert bridges.cards[cell].top_card == card
    assert not stage.turned.get(card)
    ordering.move(item.pos())
    ordering.key(Qt.Key.Key_R)
    assert stage.turned[card] == 180
    assert stage.pixmaps.card_variables(card, stage.turned[card])["turned"]


def test_a_card_of_others_lies_as_it_was_turned() -> None:
    match = play_on(new_game(4, "turned"), in_phase("winter"), seed=2)
    table = Table(match, 0, kit=KIT)
    stage, state = table.scene.stage, match.state
    seen = set()
    for seat in range(4):
        for cell in CELLS:
            (item,) = stage.zones[f"board/{seat}/{cell}"]
            down = bool(state.values.get(f"down/{seat}/{cell}"))
            assert (item.side is CardSide.BACK) == down
            low, high = state.cards[f"tilt/{seat}/{cell}"]
            if state.shown.get(low):
                assert item.slot.angle == (180 if low > high else 0)
                seen.add((down, item.slot.angle))
    assert {angle for _, angle in seen} == {0, 180}


def test_who_is_ready_is_ticked() -> None:
    match = new_game(4)
    table = Table(match, 3, kit=KIT)
    ticked = []
    for _ in range(4):
        ticked.append(
            sum(one.is_ready for one in table.scene.items() if isinstance(one, PlaqueItem))
        )
        play_one(match, 1)
    assert ticked == [0, 1, 2, 3]


def test_what_lights_up_is_told_beside_it(quick: str, qtbot: QtBot) -> None:
    match = play_on(new_game(3), asks("appeal"), seed=2)
    while len(waiting(match)) > 1:
        play_one(match, 1)
    table = Table(match, 0, kit=KIT, speed=quick)
    play_one(match, 1)
    sentences: list[str] = []

    def beside() -> bool:
        sentences.extend(one.sentence for one in table.scene.items() if isinstance(one, SlipItem))
        return bool(sentences)

    qtbot.waitUntil(beside)
    assert "Mio" in sentences[0] or "Haru" in sentences[0] or "Sora" in sentences[0]
    table.scene.skip_animations()
    assert not any(isinstance(one, SlipItem) for one in table.scene.items())


def seen_while(qtbot: QtBot, table: Table, ends: Callable[[], bool]) -> set[tuple[str, object]]:
    """The drawings aloft, and what they are about, until the film is over."""
    seen: set[tuple[str, object]] = set()

    def over() -> bool:
        setting = table.scene.stage.placed
        for one in setting.drawings:
            if one.level == "aloft":
                about = one.variables.get("call") or one.variables.get("rolls")
                seen.add((one.drawing, about))
        return ends() or not table.scene.animator.is_running

    qtbot.waitUntil(over)
    return seen


def test_hands_are_called_out_and_contests_rolled_in_sight(quick: str, qtbot: QtBot) -> None:
    match = new_game(3)
    table = Table(match, 0, kit=KIT, speed=quick)
    for seat in range(3):
        (ask,) = match.asks(seat)
        card = match.view(seat).cards[f"hand/{seat}"][0]
        match.submit(seat, Move(ask.id, "claim", (card,), "public/1"))
    seen = seen_while(qtbot, table, lambda: False)
    assert ("awss/call.svg", "draft") in seen
    rolls = [about for drawing, about in seen if drawing == "awss/contest.svg" and about]
    assert [len(str(row).split(",")) for row in rolls] == [3]
    setting = table.scene.stage.placed
    assert not any(one.level == "aloft" for one in setting.drawings)


def test_all_appeal_cards_turn_over_at_once(quick: str, qtbot: QtBot) -> None:
    match = play_on(new_game(3), asks("appeal"), seed=2)
    while len(waiting(match)) > 1:
        play_one(match, 1)
    table = Table(match, 0, kit=KIT, speed=quick)
    stage = table.scene.stage
    play_one(match, 1)
    others = [f"board/{seat}/{cell}" for seat in (1, 2) for cell in CELLS]

    def looks() -> list[CardSide]:
        return [item.side for zone in others for item in stage.zones[zone]]

    counts = []

    def over() -> bool:
        counts.append((len(looks()), looks().count(CardSide.FACE)))
        return counts[-1] == (2, 2)

    assert ("awss/call.svg", "appeal") in seen_while(qtbot, table, over)
    assert counts[-1] == (2, 2)
    table.scene.skip_animations()


def test_what_a_card_scores_is_told_source_by_source(quick: str, qtbot: QtBot) -> None:
    match = play_on(new_game(4), in_phase("winter"), seed=2)
    while any(ask.what == "before" for ask in match.state.asks):
        if len(waiting(match)) == 1:
            break
        play_one(match, 1)
    table = Table(match, 0, kit=KIT, speed=quick)
    sentences: set[str] = set()
    awards: set[object] = set()
    play_one(match, 1)

    def awarded() -> bool:
        nonlocal sentences, awards
        sentences |= {one.sentence for one in table.scene.items() if isinstance(one, SlipItem)}
        setting = table.scene.stage.placed
        awards |= {one.layers[0][0] for one in setting.markers}
        return bool(awards) or not table.scene.animator.is_running

    qtbot.waitUntil(awarded)
    assert any("\n" in sentence and "arrow of" in sentence for sentence in sentences)
    assert awards == {"awss/award.svg"}
    table.scene.skip_animations()
    assert_settled(table.scene)


def test_the_card_lies_as_the_way_being_chosen() -> None:
    match = play_on(new_game(3), asks("appeal"), seed=2)
    table = Table(match, asked(match), kit=KIT)
    scene, stage = table.scene, table.scene.stage
    seat = table.seat.number
    item = stage.zones[f"picks/{seat}"][0]
    table.carry(item, table.middle(f"board/{seat}/4"))
    assert scene.selection_view.chooser is not None
    zone = stage.zone_rect(f"board/{seat}/4")
    assert zone is not None
    assert not scene.selection_view.chooser.list_rect.intersects(zone)
    assert item.rotation() == 0
    table.key(Qt.Key.Key_R)
    assert item.rotation() == 180
    table.key(Qt.Key.Key_Up)
    assert item.rotation() == 0
    table.key(Qt.Key.Key_R)
    table.key(Qt.Key.Key_Space)
    assert table.acted[-1].choice == UPSIDE_DOWN
    assert item.zone == f"board/{seat}/4"
    assert item.rotation() == 180  # and so it waits for the others
    table.sit(seat)
    (again,) = stage.zones[f"board/{seat}/4"]
    assert again.rotation() == 180


def test_an_open_wish_is_changed_by_laying_the_card_elsewhere() -> None:
    options = catalogue.options(KIT, {"wishes": "open"})
    match = Match(KIT, PLAYERS[:3], options, seed="table")
    table = Table(match, 0, kit=KIT)
    others = Table(match, 1, kit=KIT)
    item = table.hand[1]
    table.carry(item, table.middle("public/2"))
    assert item.zone == "claim/2/0"
    assert [one.side for one in others.scene.stage.zones["claim/2/0"]] == [CardSide.BACK]
    table.carry(item, table.middle("public/1"))
    assert item.zone == "claim/1/0"
    assert not others.scene.stage.zones["claim/2/0"]
    table.scene.choice.play(
        next(move for move in table.scene.choice.legal_moves() if move.verb == "lock")
    )
    plaques = [one for one in others.scene.items() if isinstance(one, PlaqueItem)]
    assert sum(one.is_ready for one in plaques) == 1
    other = table.hand[0]
    table.carry(other, table.middle("picks/0"))
    assert other.zone == "laid/0"
    assert item.zone == "hand/0"
    assert not any(one.is_ready for one in others.scene.items() if isinstance(one, PlaqueItem))
    assert_settled(table.scene)
    assert not table.refused


def choose(table: Table, choice: str) -> None:
    """Click one thing after the other, as far as there is a list."""
    for _ in range(4):
        chooser = table.scene.selection_view.chooser
        if chooser is None:
            return
        fits = [
            one.choice
            for one in table.scene.choice.options.moves
            if f"{choice},".startswith(f"{one.choice},")
        ]
        number = [one.choice for one in table.scene.choice.options.moves].index(max(fits, key=len))
        table.click(spot_of(table.scene, number))


def combining(match: Match) -> tuple[int, Offer] | None:
    """A seat that may use several ◆ cards, and how it may begin."""
    for seat in range(match.state.seats):
        for offers in match.offers(seat).values():
            for offer in offers:
                if offer.verb == "combine":
                    return seat, offer
    return None


def test_several_marks_are_chosen_one_after_the_other() -> None:
    match = play_on(new_game(4, "p3"), lambda match: combining(match) is not None, seed=3)
    combination = combining(match)
    assert combination is not None
    seat, offer = combination
    table = Table(match, seat, kit=KIT)
    item = table.scene.stage.item_of(offer.cards[0])
    home = item.zone
    table.carry(item, table.middle(offer.targets[0]))
    assert item.zone == home  # it is only named
    chooser = table.scene.selection_view.chooser
    assert [move.choice for move in table.scene.choice.options.moves] == list(offer.choices)
    assert all(option.outcome or option.effect for option in chooser.options)
    choose(table, offer.choices[-1])
    assert table.acted[-1].choice == offer.choices[-1]
    assert table.acted[-1].verb == "combine"


def test_a_longer_choice_is_made_step_by_step() -> None:
    choices = ("alone", "1>2", "1>3", "1>2,3!", "1>2,3>4")
    moves = [Move(0, "combine", (1,), "board/0/4", choice) for choice in choices]
    assert [move.choice for move in next_choice_steps(moves, "")] == ["alone", "1>2", "1>3"]
    assert [move.choice for move in next_choice_steps(moves, "1>2")] == ["1>2", "1>2,3!", "1>2,3>4"]
    assert [move.choice for move in next_choice_steps(moves, "1>3")] == ["1>3"]
    assert not next_choice_steps(moves, "2>1")


def test_a_choice_waits_on_its_target_until_all_have_chosen() -> None:
    match = new_game(3)
    table = Table(match, 0, kit=KIT)
    item = table.hand[1]
    table.carry(item, table.middle("public/2"))
    assert item.zone == "claim/2/0"
    assert item.opacity() == DIMMED_OPACITY
    assert len(table.hand) == 3
    play_one(match, 1)
    assert item.zone == "claim/2/0"
    play_one(match, 1)
    assert item.opacity() == 1.0
    assert_settled(table.scene)
