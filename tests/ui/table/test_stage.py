"""The stage of a battle, dice and their sum, chances on the cards, and what rests on the table."""

from collections.abc import Iterator
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.engine.events import Closed, Planned, Rolled, Said, ValueSet, apply
from tabletop.engine.model import State, Value
from tabletop.language import odds
from tabletop.match.match import Match, Player
from tests.ui.table.royale_driver import KIT, LAYOUTS, asks, at_table, gathered, new_match
from tests.ui.table.sisters_driver import at_the_last_turn
from tests.ui.table_driver import Table, asked, play_on, play_one
from tests.ui.window_driver import timer
from ui.table.animation.animator import Animator
from ui.table.animation.track_player import Track, TrackPlayer, hold_still
from ui.table.input.odds import TagItem
from ui.table.input.preview_item import PreviewItem
from ui.table.items.dice_item import DieItem
from ui.table.items.light_items import CardGlintItem, SoftGlowItem, ZoneFlashItem
from ui.table.items.piece_item import SMALL_BELOW_PX, PictureItem
from ui.table.items.slip_item import SlipItem
from ui.table.items.stage import PIECE_Z
from ui.table.layout.geometry import lay_out_table

pytestmark = pytest.mark.usefixtures("qapp")

SIZES = [(700, 480), (1024, 600), (964, 766), (1280, 800), (3840, 2160)]
DUEL: dict[str, Value] = {
    "battle": "battle",
    "attacker": 1,
    "target": 0,
    "range": "near",
    "round": 1,
    "declared/1": "attack",
}
HIT: dict[str, Value] = {
    "throw": "hit",
    "thrower": 1,
    "own": 4,
    "modifier": -2,
    "need": 14,
    "dice/1": 3,
    "dice/2": 4,
    "outcome": "hit",
    "damage": 1,
}


def with_values(view: State, **values: Value) -> State:
    for key, value in values.items():
        view = apply(view, ValueSet(key, value))
    return view


def offered(verb: str, seats: int) -> Match:
    """A game played on until somebody may do this, and its chance is known."""

    def until(match: Match) -> bool:
        seat = asked(match)
        for ask, offers in match.offers(seat).items():
            for offer in offers:
                if offer.verb == verb:
                    preview = match.preview(seat, next(iter(offer.moves(ask))))
                    return preview is not None and "percent" in str(preview.notes)
        return False

    return play_on(new_match(seats), until, seed=seats)


def aloft(table: Table) -> dict[str, PictureItem]:
    """Return the pictures over everything, by their drawings."""
    setting = table.scene.stage.placed
    drawings = {picture.name: picture.drawing for picture in setting.drawings}
    pictures = [
        one for one in table.scene.items() if isinstance(one, PictureItem) and one.is_overlay
    ]
    return {f"{drawings[one.name]} {one.name}": one for one in pictures if one.name in drawings}


def printed(table: Table, drawing: str, of_class: str = "") -> list[str]:
    """The words of a drawing on the table, one picture after the other."""
    stage = table.scene.stage
    words = []
    for picture in stage.placed.drawings:
        if picture.drawing != drawing:
            continue
        held = [
            [stage.pixmaps.known_card_variables(*card) for card in zone] for zone in picture.held
        ]
        cards = [
            stage.pixmaps.card_variables(*card) if card.top_card is not None else None
            for card in picture.cards
        ]
        named = {word: stage.pixmaps.known_card_variables(card) for word, card in picture.named}
        given = {**stage.pixmaps.common_variables, **picture.variables, **named}
        svg = stage.pixmaps.art.render_svg(drawing, **given, held=held, cards=cards)
        root = ElementTree.fromstring(svg)
        parts = [part for part in root.iter() if not of_class or part.get("class") == of_class]
        for part in parts:
            words += ["".join(t.itertext()) for t in part.iter() if t.tag.endswith("text")]
    return words


# The stage


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seats", [2, 12])
def test_a_battle_stage_covers_only_the_map(size: tuple[int, int], seats: int) -> None:
    view = with_values(new_match(seats).view(0), **DUEL)
    setting = lay_out_table(LAYOUTS, view, size)
    frame = next(p for p in setting.drawings if p.drawing == "royale/clash.svg")
    fighters = [p for p in setting.drawings if p.drawing == "royale/fighter.svg"]
    assert [p.variables["seat"] for p in fighters] == [1, 0]
    assert all(p.level == "aloft" and frame.rect.contains(p.rect) for p in fighters)
    assert fighters[0].rect.overlap_area(fighters[1].rect) == 0
    assert setting.surface_rect.contains(frame.rect)
    own = [f"{zone}/{seat}" for seat in range(seats) for zone in ("items", "hand", "character")]
    for zone in own:
        assert setting.zones[zone].rect.overlap_area(frame.rect) < 1e-6, zone
    assert setting.surface.prompt.overlap_area(frame.rect) < 1e-6
    dice = setting.surface.dice
    assert dice is not None
    assert frame.rect.contains(dice)


def test_the_battle_stage_works_without_animation() -> None:
    match = asks("declare")
    table = at_table(match)
    pictures = aloft(table)
    assert sum("fighter" in name for name in pictures) == 2
    assert all(item.zValue() > PIECE_Z and item.opacity() == 1.0 for item in pictures.values())
    play_on(match, lambda now: not now.state.values["battle"], seed=3)
    assert not any("clash" in name or "fighter" in name for name in aloft(table))


def test_the_stage_comes_and_goes_softly() -> None:
    match = asks("action")
    table = Table(match, 0, speed="slow", kit=KIT)
    stage = table.scene.stage
    assert stage.view is not None
    stage.view = with_values(stage.view, **DUEL)
    stage.lay_out()
    assert len(stage.appearing) == 6
    stage.fade_drawings(0.25)
    assert {item.opacity() for item in stage.appearing} == {0.25}
    stage.fade_drawings(1.0)
    assert not stage.appearing
    stage.view = with_values(stage.view, battle="")
    stage.lay_out()
    assert len(stage.disappearing) == 6
    stage.fade_drawings(1.0)
    assert not stage.disappearing
    assert not any("clash" in name for name in aloft(table))


def test_what_lies_under_the_stage_cannot_be_touched() -> None:
    table = at_table(asks("declare"))
    middle = table.middle("area/3,3")
    assert table.scene.gesture.card_at(middle) is None
    table.move(middle)
    assert table.scene.selection_view.hovered_card is None


def test_a_means_may_be_dragged_onto_the_stage() -> None:
    match = offered("strike", 6)
    table = at_table(match)
    (ask,) = table.seat.offers
    cards = [card for offer in table.seat.offers[ask] for card in offer.cards]
    item = table.scene.stage.item_of(cards[0])
    assert item is not None
    table.carry(item, table.middle("area/3,3"))
    assert [(move.verb, move.cards) for move in table.acted] == [("strike", (cards[0],))]


def test_a_fighter_shows_its_declaration_and_options() -> None:
    table = at_table(new_match(3))
    stage = table.scene.stage
    fan = next(n for n, card in enumerate(KIT.deck) if card["name"] == "Paper Fan")
    assert stage.view is not None
    for reach, shown in (("near", "+5"), ("far", "N")):
        view = with_values(stage.view, **DUEL | {"range": reach})
        view = apply(view, ValueSet("declared/0", "defend"))
        cards = dict(view.cards) | {"items/0": (fan,)}
        stage.show_view(
            type(view)(**{n: getattr(view, n) for n in view.__struct_fields__} | {"cards": cards})
        )
        words = printed(table, "royale/fighter.svg")
        assert {"attack", "defend"} <= set(words)
        assert shown in printed(table, "royale/fighter.svg", "tile")


# Dice and their sum


@pytest.mark.parametrize(
    ("values", "verdict", "total"),
    [
        ({}, "Hit", "4−2+3×4=14≥14"),
        ({"need": 15, "outcome": "miss"}, "Miss", "4−2+3×4=14<15"),
        ({"dice/1": 6, "dice/2": 6, "damage": 2}, "Double six!", "4−2+6×6=38≥14"),
        ({"dice/1": 1, "dice/2": 1, "outcome": "fumble"}, "Fumble!", "1×1"),
        ({"outcome": "dodged"}, "Dodged", "4−2+3×4=14≥14"),
        ({"outcome": "retired"}, "Retires", "4−2+3×4=14≥14"),
    ],
)
def test_the_sum_stands_beside_the_dice(values: dict[str, Value], verdict: str, total: str) -> None:
    table = at_table(new_match(2))
    stage = table.scene.stage
    assert stage.view is not None
    for drawing, more in (("clash", DUEL), ("tally", {"attacker": 1, "target": 0})):
        stage.show_view(with_values(stage.view, **HIT | values | more))
        assert "".join(printed(table, f"royale/{drawing}.svg", "sum")) == total
        assert verdict in printed(table, f"royale/{drawing}.svg", "verdict")
        stage.show_view(with_values(stage.view, battle=""))


@pytest.mark.parametrize("size", SIZES)
def test_what_was_thrown_rests_until_the_next_action(size: tuple[int, int]) -> None:
    view = with_values(new_match(4).view(0), **HIT)
    drawn = {p.drawing for p in lay_out_table(LAYOUTS, view, size).drawings}
    assert "royale/tally.svg" in drawn
    view = with_values(view, throw="", outcome="")
    assert "royale/tally.svg" not in {
        p.drawing for p in lay_out_table(LAYOUTS, view, size).drawings
    }


def test_dice_are_thrown_where_they_lie_on_the_stage() -> None:
    table = Table(asks("declare"), 0, speed="slow", kit=KIT)
    animator: Animator = table.scene.animator
    animator.play([Rolled("hit", (6, 6), (2, 5))])
    dice = [one for one in table.scene.items() if isinstance(one, DieItem)]
    setting = table.scene.stage.placed
    assert len(dice) == 2
    assert setting.surface.dice is not None
    place = table.scene.stage.to_pixels(setting.surface.dice)
    assert all(place.adjusted(-1, -1, 1, 1).contains(die.pos()) for die in dice)
    table.scene.skip_animations()


def test_an_outcome_is_given_time_to_be_read() -> None:
    table = Table(asks("declare"), 0, speed="slow", kit=KIT)
    animator: Animator = table.scene.animator
    animator.play([ValueSet("outcome", "hit")])
    assert animator.is_running
    table.scene.skip_animations()
    animator.play([ValueSet("need", 3)])
    assert not animator.is_running


# Odds before the choice


def percents(table: Table) -> Iterator[int]:
    for move in table.scene.choice.legal_moves():
        preview = table.seat.preview(move)
        for note in preview.notes if preview else ():
            if "percent" in note.args:
                yield int(note.args["percent"])


@pytest.mark.parametrize("verb", ["strike", "attack", "snipe", "search", "negotiate", "reroll"])
def test_the_chance_stands_on_what_may_be_chosen(verb: str) -> None:
    match = offered(verb, 6)
    table = at_table(match)
    tags = [each.text for each in table.scene.items() if isinstance(each, TagItem)]
    known = set(percents(table))
    assert tags
    assert table.match.state.result is None
    assert all(any(f"{percent}%" in tag for percent in known) for tag in tags)
    play_one(match, 1)
    table.sit(asked(match))
    table.scene.clear_seat()
    assert not any(isinstance(each, TagItem) for each in table.scene.items())


def test_a_button_for_a_range_tells_its_chance() -> None:
    match = asks("range", 6)
    table = at_table(match)
    prints = table.scene.stage.pixmaps
    moves = {move.choice: move for move in table.scene.choice.legal_moves()}
    for move in moves.values():
        preview = table.seat.preview(move)
        numbers = [note.args["percent"] for note in preview.notes if "percent" in note.args]
        text = f"hit {max(numbers)}%" if numbers else ""
        assert odds.odds_text(prints.words, prints.kit, table.seat, [move]) == text


def test_the_way_is_drawn_from_area_to_area() -> None:
    table = at_table(asks("walk", 12))
    scene = table.scene
    lengths = {}
    for zone in scene.selection_view.target_lights.lit_zones:
        (move,) = scene.choice.moves_to(zone)
        preview = table.seat.preview(move)
        lengths[zone] = len(preview.notes[0].zones)
    far = max(lengths, key=lambda zone: lengths[zone])
    assert lengths[far] > 1
    table.move(table.middle(far))
    (lookahead,) = [one for one in scene.items() if isinstance(one, PreviewItem)]
    paths = [child.path() for child in lookahead.childItems() if hasattr(child, "path")]
    # a line through as many points as there are areas on the way, the piece's own one among them
    assert any(path.elementCount() == lengths[far] + 1 for path in paths)


def test_pieces_that_crowd_together_show_their_seats_large() -> None:
    table = at_table(new_match(12), (964, 766))
    stage = table.scene.stage
    assert stage.view is not None
    stage.show_view(gathered(stage.view, "area/3,3", 12))
    unit = stage.placed.unit
    assert all(stand.size * unit < SMALL_BELOW_PX for stand in stage.placed.pieces)
    given = stage.pixmaps.common_variables
    art = stage.pixmaps.art
    small = art.render_svg("royale/piece.svg", **given, character=3, seat=2, small=True)
    assert small != art.render_svg("royale/piece.svg", **given, character=4, seat=3, small=True)
    assert small == art.render_svg("royale/piece.svg", **given, character=4, seat=2, small=True)


# Lights that rest on the table


def test_without_animation_a_magic_line_stays_until_an_action() -> None:
    kit = catalogue.load("sun")
    match = Match(kit, [Player("Mio"), Player("Sora")], catalogue.options(kit), "r")
    table = Table(match, 0)
    marks = table.scene.animator.marks
    play_on(match, lambda _: bool(marks.items), seed=3)
    slips = [one for one in marks.items if isinstance(one, SlipItem)]
    assert len(slips) == 1
    last = [said for said in table.seat.log if "word_colour" in said.args][-1]
    assert table.scene.stage.pixmaps.words.log_line(last, 0) in slips[0].sentence
    table.click(QPointF(4, 4))
    assert not marks.items


def test_a_press_turns_one_page_of_a_scoring() -> None:
    match = at_the_last_turn(2)
    table = Table(match, 0, kit=catalogue.load("sisters"), speed="slow")
    play_one(match, 1)
    pages = []
    told_pages = [said for said in table.seat.log if "bright" in said.args]
    while True:
        table.click(QPointF(4, 4))
        slips = [one for one in table.scene.items() if isinstance(one, SlipItem)]
        if not slips:
            break
        pages.append(slips[0].sentence)
    words = table.scene.stage.pixmaps.words
    lit = [words.log_line(said, 0) for said in told_pages if words.log_line(said, 0) in pages]
    assert pages == lit
    assert len(pages) > 4
    assert not table.scene.animator.is_running


def test_the_press_that_turns_a_page_ends_a_pan() -> None:
    match = at_the_last_turn(2)
    table = Table(match, 0, kit=catalogue.load("sisters"), speed="slow")
    table.press(QPointF(4, 4), Qt.MouseButton.MiddleButton)
    play_one(match, 1)
    assert table.scene.gesture.phase is not None, "news leave a pan as it is"
    table.press(QPointF(4, 4))
    assert table.scene.animator.is_running
    assert table.scene.gesture.phase is None


def test_escape_ends_a_scoring_at_once() -> None:
    match = at_the_last_turn(2)
    table = Table(match, 0, kit=catalogue.load("sisters"), speed="slow")
    play_one(match, 1)
    for _ in range(3):
        table.key(Qt.Key.Key_Space)
        assert table.scene.animator.is_running
    table.key(Qt.Key.Key_Escape)
    assert not table.scene.animator.is_running


def test_a_line_of_the_log_lights_its_cards() -> None:
    table = at_table(asks("walk"))
    scene = table.scene
    line = next(line for line in table.seat.log if line.text == "{seat} starts at {card}.")
    assert scene.highlight_log_line(line)
    (glint,) = [one for one in scene.items() if isinstance(one, CardGlintItem)]
    item = scene.stage.item_of(line.cards[0])
    assert glint.childrenBoundingRect().contains(item.pos())
    assert not scene.highlight_log_line(Said("Nothing."))
    assert not [one for one in scene.items() if isinstance(one, CardGlintItem)]


def test_a_line_that_names_no_card_lights_its_players() -> None:
    table = at_table(asks("walk"))
    assert table.scene.highlight_log_line(Said("{seat} stays.", (), {"seat": 2}))
    (flash,) = [one for one in table.scene.items() if isinstance(one, ZoneFlashItem)]
    setting = table.scene.stage.placed
    sign = next(sign for sign in setting.plaques if sign.seat == 2)
    assert flash.childrenBoundingRect().contains(table.scene.stage.to_pixels(sign.rect).center())
    colours = {line.pen().color().name().upper() for line in flash.childItems()}
    prints = table.scene.stage.pixmaps
    assert prints.seat_style(2).colour.upper() in colours, "news have the player's colour"
    assert not {prints.theme.accent_2.upper(), prints.theme.table_accent_2.upper()} & colours


def test_soft_lights_end_without_taking_what_came_after(qtbot: QtBot) -> None:
    match = asks("walk")
    table = at_table(match)
    play_one(match, 2)
    table.scene.set_speed("slow")
    table.scene.animator.play([Rolled("hit", (6, 6), (2, 5))])
    qtbot.waitUntil(lambda: not timer(table.scene.animator).isActive())
    dice = [one for one in table.scene.items() if isinstance(one, DieItem)]
    assert len(dice) == 2
    table.scene.skip_animations()


def test_soft_lights_go_when_the_table_is_laid_out_anew() -> None:
    table = Table(new_match(2), 0, kit=KIT)
    stage = table.scene.stage
    zone = next(zone for zone in stage.zones if stage.zone_rect(zone))
    table.scene.animator.play([Said("Here it is.", args={"lit": zone})])

    def soft() -> list[SoftGlowItem]:
        return [item for item in table.scene.items() if isinstance(item, SoftGlowItem)]

    assert soft()
    table.view.resize(1000, 640)
    QApplication.processEvents()
    table.view.sharpen()
    assert not soft()


def test_what_moves_nothing_is_laid_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    match = new_match(12)
    table = Table(match, asked(match), kit=KIT, speed="slow")
    laid, stage = [], table.scene.stage
    lay_out = stage.lay_out
    monkeypatch.setattr(
        stage, "lay_out", lambda *blank: (laid.append(stage.view), lay_out(*blank))[1]
    )
    words = [Said(f"Word {number}.") for number in range(20)]
    table.scene.animator.play([ValueSet("note", 1), *words, Closed(()), Planned(())])
    assert not table.scene.animator.is_running
    assert [view.values["note"] for view in laid[:-1]] == [1, 1], "with the value, and last"


def test_time_to_read_is_cut_short_and_what_moves_is_not(qtbot: QtBot) -> None:
    film, hour = TrackPlayer(), 3_600_000.0
    film.run([Track(0, hour, hold_still)], 1.0)
    film.skip_rest(0)
    assert not film.running
    shares: list[float] = []
    film.run([Track(0, 30, shares.append), Track(0, hour, hold_still)], 1.0)
    with qtbot.waitSignal(film.finished, timeout=60_000):
        film.skip_rest(0)
    assert shares[-1] == 1.0
