"""The sidebar's first tab: what the others did, and a card or a board looked at closely."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QAccessible, QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.commands.match_source import play_random_match
from tabletop.engine.events import Said
from tabletop.engine.model import is_face
from tabletop.engine.scratch import FastRng
from tabletop.match.match import SYMBOLS, Match, Player
from tabletop.match.story import PlayerAct
from tests.net.loopback import LONG
from tests.ui.random_matches import match_until, some_answer
from tests.ui.window_driver import (
    Open,
    begin,
    button,
    click,
    hold,
    key,
    play,
    settle,
    tab_to,
    table,
    timer,
    until_asked,
)
from ui.app import Window
from ui.match.board_view import board_rect
from ui.match.now.place_picture import place_groups
from ui.match.now.story_list import ACT_ROLE, StoryList
from ui.match.screen.table_screen import TableScreen
from ui.pictures.window_shot import seat_one_person
from ui.table.items.light_items import CardGlintItem, ZoneFlashItem

GAMES = [kit.id for kit in catalogue.shelf() if not kit.is_draft]
SOME = GAMES if LONG else ["awss", "sun"]
"""For what a mouse does in each alike; what is shown then is looked at in all."""
BOARDS = [("sun", 2, 0.97), ("sisters", 3, 0.5), ("chains", 4, 0.6), ("awss", 3, 0.3),
          ("awss", 4, 0.9), ("royale", 12, 0.5)]  # fmt: skip
"""A game, its players, and how far it is."""


def sit(window: Window, game: str, seats: int, answers: int = 14) -> TableScreen:
    """A person and bots, some answers later, when the person is asked."""
    kit = catalogue.load(game)
    count = max(kit.box.seats[0], min(seats, kit.box.seats[-1]))
    names = [
        Player(f"Shizuku {n}", SYMBOLS[n], "bot" if n else "person", "easy") for n in range(count)
    ]
    match, luck = Match(kit, names, catalogue.options(kit), "now"), FastRng("now")
    done = 0
    while match.state.result is None and (done < answers or not match.asks(0)):
        match.submit(*some_answer(match, luck))
        done += 1
    window.matches.show_match(match)
    settle()
    return table(window)


def entries(screen: TableScreen) -> list[str]:
    story = screen.dock.now.story
    return [story.item(row).text() for row in range(story.count())]


def middle(story: StoryList, row: int) -> QPoint:
    return story.visualItemRect(story.item(row)).center()


def pointed(screen: TableScreen) -> list[object]:
    """The lights on the table."""
    return [
        item for item in screen.scene.items() if isinstance(item, ZoneFlashItem | CardGlintItem)
    ]


def play_out(screen: TableScreen, luck: FastRng) -> None:
    """Answer until the next person is to look."""
    while screen.switch.shown_seat.offers and not screen.switch.decision.handover_due:
        play(screen, luck)
        settle()


# The story


def test_it_is_the_first_tab_and_what_reset_brings_back(opened: Open) -> None:
    window = opened()
    screen = begin(window, 1)
    assert screen.dock.current_tab == "now"
    screen.dock.show_tab("rules")
    window.run_command("reset_layout")
    assert screen.dock.current_tab == "now"
    assert entries(screen) == []


def test_every_player_is_told_of(opened: Open) -> None:
    """Of ten players of Chains nine have moved since."""
    screen = sit(opened(bot_pause=60_000), "chains", 10, 40)
    players = screen.seated.players
    seats = [act.seat for act in screen.dock.now.story.shown.acts]
    assert sorted(seats) == list(range(1, 10))
    for row, seat in enumerate(seats):
        assert entries(screen)[row].startswith(players[seat].name)


@pytest.mark.parametrize("game", GAMES)
def test_an_entry_lights_its_cards_and_places(opened: Open, game: str) -> None:
    screen = sit(opened(bot_pause=60_000), game, 3)
    story = screen.dock.now.story
    assert story.count()
    lit = 0
    for row in range(story.count()):
        story.scrollToItem(story.item(row))
        QTest.mouseMove(story.viewport(), middle(story, row))
        settle()
        act = story.item(row).data(ACT_ROLE)
        assert story.pointed_act is act
        lit += bool(pointed(screen))
        seen = [item for item in screen.scene.stage.items if item.card in act.cards]
        if any(item.isVisible() for item in seen):
            assert pointed(screen)
    assert lit
    QTest.mouseMove(screen.view.viewport(), QPoint(5, 5))
    QApplication.sendEvent(story, QEvent(QEvent.Type.Leave))
    assert story.pointed_act is None
    assert not pointed(screen)


def test_the_focus_lights_an_entry_and_enter_plays_it(opened: Open, qtbot: QtBot) -> None:
    screen = sit(opened(bot_pause=60_000), "chains", 4)
    story = screen.dock.now.story
    timer(screen.recap).setInterval(60_000)
    screen.view.setFocus()
    tab_to(lambda focus: focus is story)
    assert story.pointed_act is story.shown.acts[story.currentRow()]
    assert pointed(screen)
    key(Qt.Key.Key_Down)
    assert story.pointed_act is story.shown.acts[1]
    key(Qt.Key.Key_Return)
    assert screen.recap.is_playing
    timer(screen.recap).setInterval(1)
    screen.recap._play_next()
    qtbot.waitUntil(lambda: not screen.recap.is_playing)
    assert screen.scene.seat is screen.switch.shown_seat


def test_a_click_plays_one_act_and_the_button_all(opened: Open, qtbot: QtBot) -> None:
    screen = sit(opened(bot_pause=60_000), "chains", 4, 20)
    switch, story = screen.switch, screen.dock.now.story
    told = screen.seated.story(switch.active_viewer)
    assert story.count() == 3
    timer(screen.recap).setInterval(60_000)
    act = story.shown.acts[1]
    click(story.viewport(), middle(story, 1))
    assert screen.recap.is_playing
    assert screen.scene.stage.view == told.table_before(act.first_update)
    assert screen.prompt.text == "Since your last turn"
    click(button(screen.prompt, "Stop"))
    assert not screen.recap.is_playing
    assert screen.scene.seat is switch.shown_seat
    click(screen.dock.now.replay_button)
    assert screen.scene.stage.view == told.start_view
    timer(screen.recap).setInterval(1)
    screen.recap._play_next()
    qtbot.waitUntil(lambda: not screen.recap.is_playing)
    assert screen.scene.stage.view is switch.shown_seat.view
    assert screen.scene.animator.marks.items, "what was done last is lit"


def test_a_move_ends_what_is_played_back(opened: Open) -> None:
    screen = sit(opened(bot_pause=60_000), "chains", 4)
    timer(screen.recap).setInterval(60_000)
    click(screen.dock.now.replay_button)
    assert screen.recap.is_playing
    before = len(screen.seated.match.record)
    ask, each = next(iter(screen.switch.shown_seat.offers.items()))
    screen.play(each[0].sample(ask, FastRng(1)))
    assert not screen.recap.is_playing
    assert len(screen.seated.match.record) > before


def test_it_empties_when_the_next_turn_ends(opened: Open) -> None:
    screen = sit(opened(bot_pause=60_000), "sisters", 3)
    story = screen.dock.now.story
    before = {id(line) for act in story.shown.acts for line in act.lines}
    assert before
    play(screen, FastRng(1))
    assert not before & {id(line) for act in story.shown.acts for line in act.lines}
    assert screen.dock.now.replay_button.isHidden() == (not story.count())


def test_what_was_done_to_you_is_marked_and_said(opened: Open) -> None:
    screen = sit(opened((1024, 600), bot_pause=60_000), "royale", 3)
    now, seat = screen.dock.now, screen.switch.shown_seat
    plain = screen.side_sheet._actions["now"].icon().cacheKey()
    theft = Said("{seat} takes an item from {seat_other}.", (), {"seat": 1, "seat_other": 0})
    quiet = Said("{seat} stays.", (), {"seat": 2})
    acts = (PlayerAct(1, (theft,), 0, 0, concerns_viewer=True), PlayerAct(2, (quiet,), 1, 1))
    now.show_story(acts, seat.number, screen.seated.players, screen.words)
    screen._update_now_mark()
    screen.run_command("now")
    story = now.story
    spoken = [story.item(row).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(2)]
    assert spoken[0] == f"About you: {story.item(0).text()}"
    assert spoken[1] == story.item(1).text()
    assert screen.side_sheet._actions["now"].icon().cacheKey() != plain, "the closed sheet says so"
    accent = QColor(screen.context.theme.accent)
    shot = story.viewport().grab().toImage()
    frame = story.visualItemRect(story.item(0))
    edge = [shot.pixelColor(x, frame.center().y()) for x in range(4, 10)]
    assert any(abs(each.hue() - accent.hue()) < 8 and each.alpha() > 30 for each in edge)


def test_a_screen_reader_meets_a_list(opened: Open) -> None:
    screen = sit(opened(bot_pause=60_000), "chains", 4, 20)
    story = screen.dock.now.story
    found = QAccessible.queryAccessibleInterface(story)
    assert found.role() is QAccessible.Role.List
    assert found.text(QAccessible.Text.Name) == "Since your last turn"
    names = [found.child(n).text(QAccessible.Text.Name) for n in range(found.childCount())]
    assert [name for name in names if name] == entries(screen)


def test_each_player_of_one_computer_has_a_story(opened: Open, qtbot: QtBot) -> None:
    """Nothing is told while another is to look next, nor behind the curtain."""
    screen = begin(opened())
    hold(qtbot, screen)
    luck = FastRng(2)
    first = screen.seated.players[screen.switch.active_viewer].name
    play_out(screen, luck)
    assert screen.switch.decision.handover_due
    assert entries(screen) == []
    click(button(screen.prompt, "Hand over"))
    assert entries(screen) == []
    hold(qtbot, screen)
    assert entries(screen)
    assert all(text.startswith(first) for text in entries(screen))
    play_out(screen, luck)
    assert entries(screen) == []


def test_the_story_is_told_in_the_language_that_is_chosen(opened: Open) -> None:
    window = opened(bot_pause=60_000)
    screen = sit(window, "sun", 2)
    before = entries(screen)
    window.context.change_settings(language="ja")
    settle()
    assert len(entries(screen)) == len(before)
    assert entries(screen) != before
    assert screen.dock.tabs.tabText(0) == "いま"


def test_a_watcher_and_a_replay_see_the_present_turn(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window, 1)
    luck = FastRng(3)
    for _ in range(3):
        assert until_asked(qtbot, screen)
        play(screen, luck)
    file = screen.seated.record.file
    window.run_command("leave")
    window.replays.open(file)
    settle()
    replay = window.replays.screen
    replay.do("end")
    now = replay.dock.now
    assert now.story.count()
    assert now.story.accessibleName() == "This turn"
    replay.set_speed("fast")
    at = replay.at
    replay.dock.show_tab("now")
    click(now.story.viewport(), middle(now.story, 0))
    qtbot.waitUntil(lambda: not replay.playing)
    assert replay.at <= at


@pytest.mark.parametrize("game", GAMES)
def test_places_have_a_picture(opened: Open, game: str) -> None:
    """A place is drawn among those around it."""
    screen = sit(opened(bot_pause=60_000), game, 3, 40)
    setting = screen.scene.stage.placed
    acts = screen.dock.now.story.shown.acts
    for act in acts:
        for family in place_groups(setting, act.zones):
            assert set(family) & set(act.zones)
            assert len(family) > 2


# A card looked at


@pytest.mark.parametrize("game", SOME)
def test_a_card_is_large_in_the_sidebar_and_not_twice(
    opened: Open, qtbot: QtBot, game: str
) -> None:
    screen = sit(opened(bot_pause=60_000), game, 3)
    scene, dock, view = screen.scene, screen.dock, screen.view
    item = next(each for each in scene.stage.items if each.isVisible() and each.is_known)
    pixels = map(view.mapFromScene, points(item.sceneBoundingRect()))
    pixel = next(p for p in pixels if scene.gesture.card_at(view.mapToScene(p)) is item)
    QTest.mouseMove(view.viewport(), pixel)
    qtbot.waitUntil(lambda: dock.zoom_overlay.card == item.card)
    assert scene.magnifier.enlarged_item is None
    lower = dock.zoom_overlay.geometry()
    assert lower.center().y() > dock.widget().rect().center().y()
    assert dock.widget().rect().contains(lower)
    dock.show_tab("card")
    scene.gesture.hover(None)
    qtbot.waitUntil(lambda: dock.zoom_overlay.card is None)
    scene.gesture.hover(item)
    scene.magnifier.show_card()
    assert scene.magnifier.enlarged_item is None
    assert dock.zoom_overlay.card is None, "the Card tab shows it"
    assert dock.card._card == item.card


@pytest.mark.parametrize("size", [(1080, 1920), (800, 1280), (960, 1020)])
def test_a_card_below_a_table_covers_no_race(opened: Open, size: tuple[int, int]) -> None:
    screen = sit(opened(size, bot_pause=60_000), "sun", 2)
    dock = screen.dock
    assert dock.zoom_card(screen.scene.stage.zones["hand/0"][0].card)
    settle()
    large, race = dock.zoom_overlay, dock.race
    assert large.isVisible()
    dock.card.show_card(large.card)
    for picture in (large._picture, dock.card._picture):
        assert picture.pixmap().devicePixelRatio() == dock.devicePixelRatioF(), "none is cut"
    assert large.x() > race.mapTo(dock.widget(), race.rect().bottomRight()).x()
    assert dock.widget().rect().contains(large.geometry())


def points(rect: QRectF) -> Iterator[QPointF]:
    for y in range(1, 10):
        for x in range(1, 10):
            yield QPointF(rect.x() + rect.width() * x / 10, rect.y() + rect.height() * y / 10)


def test_a_lesson_stays_while_a_card_is_looked_at(opened: Open) -> None:
    window = opened()
    window.show_new_game(catalogue.load("sun"))
    click(window.new_game.tutorial_button)
    screen = table(window)
    item = screen.scene.stage.zones["hand/0"][0]
    screen.scene.gesture.hover(item)
    screen.scene.magnifier.show_card()
    assert screen.dock.zoom_overlay.isVisible()
    assert not screen.dock.zoom_overlay.geometry().intersects(screen.dock.lesson_slip.geometry())


@pytest.mark.parametrize("language", ["en", "ja"] if LONG else ["en"])
@pytest.mark.parametrize("game", GAMES)
def test_the_floating_card_covers_no_name_or_score(opened: Open, game: str, language: str) -> None:
    """Where the sidebar is closed, at every card that is seen."""
    screen = sit(opened((1024, 600), language=language, bot_pause=60_000), game, 4)
    scene, stage = screen.scene, screen.scene.stage
    plaques = [stage.to_pixels(sign.rect) for sign in stage.placed.plaques]
    seen = 0
    for item in [each for each in stage.items if each.isVisible() and each.is_known]:
        scene.gesture.hover(None)
        scene.gesture.hover(item)
        scene.magnifier.show_card()
        if scene.magnifier.enlarged_item is None:
            continue
        seen += 1
        beside = item.sceneBoundingRect()
        for plaque in plaques:
            if not plaque.intersects(beside):
                assert not scene.magnifier.enlarged_item.rect.intersects(plaque), item.card
    assert seen


# A board looked at


@pytest.mark.parametrize("game", SOME)
def test_a_click_on_a_plaque_enlarges_the_board(opened: Open, game: str) -> None:
    screen = sit(opened(bot_pause=60_000), game, 3)
    view, stage, board = screen.view, screen.scene.stage, screen.board_view
    before = len(screen.seated.match.record)
    sign = next(sign for sign in stage.placed.plaques if sign.seat == 1)
    rect = stage.to_pixels(sign.rect)
    spot = view.mapFromScene(rect.center())
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert board.isVisible()
    assert board.seat == 1
    assert screen.table_area.rect().contains(board.picture_rect.toAlignedRect())
    assert board.picture.deviceIndependentSize().width() > rect.width()
    assert screen.words.seat(1) in board.accessibleName()
    click(board)
    assert not board.isVisible()
    assert QApplication.focusWidget() is view
    assert len(screen.seated.match.record) == before


@pytest.mark.parametrize(("game", "seats", "at"), BOARDS)
def test_an_enlarged_board_is_the_players_alone(
    opened: Open, game: str, seats: int, at: float
) -> None:
    """A place beside a public card, among those of others, made AWSSterra's board no larger."""
    kit = catalogue.load(game)
    moves = len(play_random_match(kit, seats, "board").record)
    match = play_random_match(kit, seats, "board", round(moves * at))
    window = opened((1024, 600), bot_pause=60_000)
    seat_one_person(match, 0, window.context.words)
    window.matches.show_match(match)
    settle()
    stage = table(window).scene.stage
    for seat in range(1, seats):
        region = board_rect(stage, seat).adjusted(1, 1, -1, -1)
        for name, spread in stage.placed.zones.items():
            rect = stage.to_pixels(spread.rect)
            if stage.view.zones[name].owner != seat:
                assert not rect.intersects(region), name
            elif name.startswith("board/"):
                assert region.contains(rect.center()), name
        assert region.height() * 2 < stage.size[1], "there is room to enlarge it"


def test_keys_enlarge_boards_one_after_the_other(opened: Open) -> None:
    screen = sit(opened(bot_pause=60_000), "awss", 4)
    board = screen.board_view
    screen.view.setFocus()
    seats = []
    key(Qt.Key.Key_B)
    for _ in range(4):
        seats.append(board.seat)
        assert QApplication.focusWidget() is board
        key(Qt.Key.Key_Right)
    assert seats == [1, 2, 3, 0]
    key(Qt.Key.Key_Left)
    assert board.seat == 0
    key(Qt.Key.Key_Escape)
    assert not board.isVisible()
    assert screen.isVisible(), "Esc closed the board alone"


def test_an_enlarged_board_says_what_lies_open(opened: Open) -> None:
    def open_there(match: Match) -> bool:
        cards = match.view(0).cards.get("board/1/6", ())
        return len(cards) == 1 and is_face(cards[0]) and bool(match.asks(0))

    match = match_until("awss", open_there, seats=3)
    window = opened(bot_pause=60_000)
    window.matches.show_match(match)
    settle()
    screen = table(window)
    screen.scene.player_board_requested.emit(1)
    (card,) = match.view(0).cards["board/1/6"]
    assert screen.words.card(card) in screen.board_view.accessibleDescription()


def test_an_enlarged_board_goes_with_the_curtain(opened: Open, qtbot: QtBot) -> None:
    screen = begin(opened())
    hold(qtbot, screen)
    screen.run_command("boards")
    assert screen.board_view.isVisible()
    screen.board_view.close_board()
    play_out(screen, FastRng(1))
    screen.run_command("boards")
    screen.switch.hand_over()
    assert screen.curtain.is_drawn
    assert not screen.board_view.isVisible()
    assert screen.board_view.picture.isNull()


@pytest.mark.parametrize("game", GAMES)
def test_an_upright_dock_has_the_log_beside_the_story(opened: Open, game: str) -> None:
    for seats, size in ((1, (1080, 1920)), (12, (1080, 1920)), (1, (1280, 1440))):
        dock = sit(opened(size, bot_pause=60_000), game, seats).dock
        now, log, race = dock.now, dock.log, dock.race
        assert dock.current_tab == "now"
        assert log.isVisible()
        assert log.mapTo(dock, QPoint()).x() > race.mapTo(dock, race.rect().topRight()).x()
        assert log.mapTo(now, log.rect().bottomLeft()).y() > now.height() * 0.9, "all its height"
        bar = log.list_widget.verticalScrollBar()
        assert bar.value() == bar.maximum(), "what was said last is in sight"
        assert race.verticalScrollBar().maximum() == 0, "the race is whole"


def test_the_log_is_in_its_tab_or_beside_the_story(opened: Open) -> None:
    window = opened((1080, 1920), bot_pause=60_000)
    screen = sit(window, "sun", 2)
    dock = screen.dock
    assert {row.form for row in dock.race.rows} == {"large"}
    window.run_command("log")
    assert dock.current_tab == "log"
    assert dock.log.isVisible()
    assert not dock.now.isVisible()
    dock.show_tab("now")
    settle()
    assert dock.log.isVisible()
    window.resize(1280, 800)
    settle()
    assert not dock.log.isVisible()
    assert {row.form for row in dock.race.rows} == {"usual"}
    window.run_command("log")
    assert dock.log.isVisible()


def test_the_last_line_stays_in_sight_in_another_size(opened: Open) -> None:
    window = opened((1080, 1920), bot_pause=60_000)
    log = sit(window, "chains", 4, 60).dock.log
    bar = log.list_widget.verticalScrollBar()
    for size in ((820, 1280), (1080, 1920)):
        window.resize(*size)
        settle()
        assert bar.maximum() > 0
        assert bar.value() == bar.maximum()
    bar.setValue(bar.maximum() // 2)
    window.resize(900, 1300)
    settle()
    assert bar.value() < bar.maximum(), "who reads further up is left there"
