"""Replays through the program's window: found, opened, walked through and made something of."""

import logging
import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, QSize, Qt, QUrl
from PySide6.QtGui import QDropEvent, QImage, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QInputDialog,
    QStyleOptionViewItem,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.engine.model import AUDIENCE
from tabletop.engine.scratch import FastRng
from tabletop.files import folders
from tabletop.match.match import Player
from tabletop.storage import saved_matches
from tabletop.storage.record import read, save, save_as
from tests.storage.corpus import LATEST
from tests.storage.played_matches import play as play_moves
from tests.ui.replay.listed_replays import rows, show_replays, texts
from tests.ui.window_driver import (
    Open,
    begin,
    button,
    click,
    pass_on,
    play,
    saving_to,
    settle,
    timer,
    until_asked,
)
from ui.app import Window
from ui.replay import export
from ui.replay.replay_screen import ReplayScreen
from ui.setup.play_on_dialog import PlayOnDialog

CTRL = Qt.KeyboardModifier.ControlModifier


def watched(window: Window) -> ReplayScreen:
    screen = window.replays.screen
    assert screen is not None
    return screen


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """A replay file of Children of the Sun."""
    return Path(shutil.copy(LATEST / "sun-2.tabletop", tmp_path / "film.tabletop"))


@pytest.fixture
def screen(opened: Open, film: Path) -> ReplayScreen:
    window = opened()
    window.open_file(film)
    settle()
    return watched(window)


def press(screen: ReplayScreen, key: Qt.Key, held: Qt.KeyboardModifier | None = None) -> None:
    screen.activateWindow()  # playing on before may have left no window active
    settle()
    widget = QApplication.focusWidget() or screen.view
    QTest.keyClick(widget, key, held or Qt.KeyboardModifier.NoModifier)
    settle()


# Keys


def test_the_keyboard_walks_by_event_and_by_turn(screen: ReplayScreen) -> None:
    playback = screen.playback
    assert screen.at == 0
    for expected in (1, 2, 3):
        press(screen, Qt.Key.Key_Right)
        assert screen.at == expected
    press(screen, Qt.Key.Key_Left)
    assert screen.at == 2
    press(screen, Qt.Key.Key_Right, CTRL)
    assert screen.at == playback.next_turn(2)
    press(screen, Qt.Key.Key_Left, CTRL)
    assert screen.at == playback.previous_turn(playback.next_turn(2))
    press(screen, Qt.Key.Key_End)
    assert screen.at == playback.last_beat
    press(screen, Qt.Key.Key_Right)
    assert screen.at == playback.last_beat
    press(screen, Qt.Key.Key_Home)
    assert screen.at == 0


def test_what_is_seen_is_the_table_of_that_moment(screen: ReplayScreen) -> None:
    for at in (5, 6, 30, 29, screen.playback.last_beat, 0):
        screen.go_to_beat(at)
        assert screen.scene.stage.view == screen.playback.view(at, AUDIENCE)


def test_v_goes_through_every_pair_of_eyes(screen: ReplayScreen) -> None:
    screen.go_to_beat(20)
    seen = [screen.seat.viewer]
    for _ in range(3):
        press(screen, Qt.Key.Key_V)
        seen.append(screen.seat.viewer)
        assert screen.at == 20
        assert screen.scene.stage.view == screen.playback.view(20, screen.seat.viewer)
    assert sorted(seen, key=str) == sorted((0, 1, AUDIENCE, None), key=str)
    assert screen.playback_bar.viewer_button.text() in (
        "Player 1",
        "Player 2",
        "Audience",
        "All cards open",
    )
    press(screen, Qt.Key.Key_V)
    assert screen.seat.viewer == seen[0]


def test_with_all_cards_open_no_card_is_hidden(screen: ReplayScreen) -> None:
    screen.set_viewer(None)
    for at in (0, 1, 12, 13, 40):
        screen.go_to_beat(at)
        assert all(item.card >= 0 for item in screen.scene.stage.items)


def test_space_plays_and_pauses_and_it_stops_at_the_end(screen: ReplayScreen, qtbot: QtBot) -> None:
    screen.set_speed("slow")  # its end is far between the two presses
    screen.view.setFocus()
    press(screen, Qt.Key.Key_Space)
    assert screen.playing
    assert screen.playback_bar.buttons["play"].accessibleName() == "Pause"
    press(screen, Qt.Key.Key_Space)
    assert not screen.playing
    screen.set_speed("fast")
    screen.go_to_beat(screen.playback.last_beat - 3)
    screen.set_playing(True)
    qtbot.waitUntil(lambda: not screen.playing)
    assert screen.at == screen.playback.last_beat
    assert screen.playback_bar.buttons["play"].accessibleName() == "Play the replay"
    screen.set_playing(True)
    assert screen.at == 0, "from its end it begins anew"


def test_playing_waits_until_the_cards_lie_still(opened: Open, film: Path) -> None:
    window = opened(animation="normal")
    window.open_file(film)
    screen = watched(window)
    screen.set_playing(True)
    assert screen.scene.animator.is_running
    assert not timer(screen).isActive()
    screen.scene.skip_animations()
    assert timer(screen).isActive()
    screen.set_playing(False)
    assert not timer(screen).isActive()


def test_space_presses_the_button_that_has_the_focus(screen: ReplayScreen) -> None:
    screen.playback_bar.buttons["on"].setFocus()
    press(screen, Qt.Key.Key_Space)
    assert screen.at == 1
    assert not screen.playing


# The pointer


def test_a_press_on_the_timeline_goes_there(screen: ReplayScreen) -> None:
    line = screen.timeline
    middle = QPoint(round(line.x_of_beat(33)), 40)
    assert line.mark_at(middle.x()) is None
    click(line, middle)
    assert abs(screen.at - 33) <= 1
    QTest.mousePress(line, Qt.MouseButton.LeftButton, pos=QPoint(2, 40))
    assert screen.at == 0


def test_a_press_on_a_mark_goes_to_what_it_marks(screen: ReplayScreen) -> None:
    line = screen.timeline
    assert {pin.kind for pin in line.marks} >= {"capture", "magic", "battle", "comment"}
    battle = next(pin for pin in line.marks if pin.kind == "battle")
    assert battle.text.startswith("Attack 1: ")
    click(line, QPoint(round(line.x_of_beat(battle.at)), 40))
    assert screen.at == battle.at
    assert screen.comment_bar.text == battle.text


def test_marks_say_who_plays_for_whom(opened: Open, tmp_path: Path) -> None:
    match = saved_matches.begin(catalogue.load("chains"), (Player("Ann"), Player("Bea")))
    play_moves(match, 3)
    match.set_stand_in(1, "hard")
    play_moves(match, 2)
    match.set_stand_in(1)
    match.journal.close()
    save_as(match, tmp_path / "film.tabletop")
    window = opened()
    window.replays.open(tmp_path / "film.tabletop")
    screen = watched(window)
    pins = [pin for pin in screen.timeline.marks if pin.kind == "stand_in"]
    assert [pin.text for pin in pins] == [
        "A bot plays for Bea from here on.",
        "Bea plays again from here on.",
    ]
    assert [pin.at for pin in pins] == [screen.playback.beat_after_ply(n) for n in (3, 5)]


def test_a_click_on_a_line_of_the_log_steps_there(screen: ReplayScreen) -> None:
    log = screen.dock.log.list_widget
    row = log.count() // 2
    log.scrollToItem(log.item(row))
    settle()
    QTest.mouseClick(
        log.viewport(), Qt.MouseButton.LeftButton, pos=log.visualItemRect(log.item(row)).center()
    )
    settle()
    assert screen.at == screen.playback.log(screen.seat.viewer)[row][0]
    assert log.currentRow() == row
    assert screen.comment_bar.text == log.item(row).text()


def test_the_log_is_whole_and_pale_from_here_on(screen: ReplayScreen) -> None:
    log = screen.dock.log.list_widget
    assert log.count() == len(screen.playback.log(AUDIENCE))
    for at in (0, 30, 10, screen.playback.last_beat):
        screen.go_to_beat(at)
        heard = sum(beat <= at for beat, _ in screen.playback.log(AUDIENCE))
        pale = screen.dock.log.delegate.pale_colour
        colours = []
        for row in range(log.count()):
            option = QStyleOptionViewItem()
            index = log.model().index(row, 0)
            screen.dock.log.delegate.initStyleOption(option, index)
            colours.append(option.palette.color(QPalette.ColorRole.Text))
        assert [colour == pale for colour in colours] == [
            row >= heard for row in range(log.count())
        ]


def test_cards_can_be_looked_at_but_not_moved(screen: ReplayScreen) -> None:
    screen.set_viewer(0)
    card = screen.playback.state(0).cards["hand/0"][0]
    item = screen.scene.stage.item_of(card)
    screen.scene.choice.pick_or_toggle(item)
    assert screen.scene.choice.picked_up is None
    click(screen.view.viewport(), QPoint(5, 5))
    assert screen.at == 0


# Comments


def test_a_comment_is_written_kept_changed_and_taken_away(screen: ReplayScreen, film: Path) -> None:
    screen.go_to_beat(30)
    screen.view.setFocus()
    press(screen, Qt.Key.Key_C)
    assert screen.comment_bar.is_editing
    QTest.keyClicks(screen.comment_bar.field, "What a move v!")
    press(screen, Qt.Key.Key_Left)
    assert screen.at == 30, "keys belong to the text while it is written"
    press(screen, Qt.Key.Key_Return)
    assert not screen.comment_bar.is_editing
    assert screen.comment_bar.comment == "What a move v!"
    move = screen.playback.beats[30].ply
    assert read(film).comments[move] == "What a move v!"
    assert any(pin.text == "What a move v!" for pin in screen.timeline.marks)
    screen.do("comment")
    assert screen.comment_bar.field.text() == "What a move v!"
    press(screen, Qt.Key.Key_Escape)
    assert not screen.comment_bar.is_editing
    assert screen.comment_bar.comment == "What a move v!"
    screen.save_comment("")
    assert move not in read(film).comments
    assert screen.comment_bar.comment == ""


# Finding and leaving


def test_the_replay_list_comes_back_after_watching(opened: Open) -> None:
    folders.replays().mkdir(parents=True)
    for name in ("sun-2", "royale-2"):
        shutil.copy(LATEST / f"{name}.tabletop", folders.replays())
    window = opened()
    click(button(window.shelf, "Replays"))
    settle()
    listed = window.replays.list_screen
    told = texts(listed)
    assert len(told) == 2
    assert any("Children of the Sun" in text and "Player 1 won (10 : 7)" in text for text in told)
    row = next(row for row in rows(listed) if "Children" in row.data())
    listed.shown.setCurrentIndex(row)
    QTest.keyClick(listed.shown, Qt.Key.Key_Return)
    settle()
    assert watched(window).kit.id == "sun"
    click(watched(window).playback_bar.buttons["leave"])
    assert window.replays.screen is None
    QTest.keyClick(window.replays.list_screen.shown, Qt.Key.Key_Escape)
    settle()
    assert window.stack.currentWidget() is window.shelf


def test_a_replay_is_named_deleted_and_brought_back(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders.replays().mkdir(parents=True)
    shutil.copy(LATEST / "sun-2.tabletop", folders.replays())
    window = opened()
    listed = show_replays(window)
    monkeypatch.setattr(QInputDialog, "getText", lambda *_: ("  The  final ", True))
    click(button(listed, "Name…"))
    assert texts(listed)[0].startswith("The final · Children of the Sun\n")
    click(button(listed, "Delete"))
    assert texts(listed) == []
    assert not listed.buttons["watch"].isVisible()
    assert listed.buttons["open_replay"].hasFocus()
    click(button(window.banner, "Undo"))
    assert texts(listed)[0].startswith("The final")


def test_unreadable_replays_are_listed_with_reasons(
    opened: Open, caplog: pytest.LogCaptureFixture
) -> None:
    folders.replays().mkdir(parents=True)
    shutil.copy(LATEST / "sun-2.tabletop", folders.replays())
    (folders.replays() / "odd.tabletop").write_text("isn't a Tabletop save")
    caplog.set_level(logging.WARNING, "tabletop")
    window = opened()
    sentence = '"odd.tabletop" isn\'t a Tabletop save or replay.'
    for _ in range(2):
        listed = show_replays(window)
        sound, odd = texts(listed)
        assert "Children of the Sun" in sound
        assert odd == sentence
        assert listed.shown.currentIndex().row() == 0
        assert listed.buttons["delete"].isEnabled()
        QTest.keyClick(listed.shown, Qt.Key.Key_Right)
        assert listed.shown.currentIndex().row() == 1, "it can be come to and heard"
        assert listed.shown.selectedIndexes() == []
        assert not any(listed.buttons[name].isEnabled() for name in ("watch", "name", "delete"))
        QTest.keyClick(listed.shown, Qt.Key.Key_Return)
        assert window.replays.list_screen is listed, "nothing can be done with it"
        QTest.keyClick(listed.shown, Qt.Key.Key_Left)
    assert caplog.text.count(sentence) == 1, "logged once"
    click(button(listed, "Delete"))
    assert listed.shown.isVisible()
    assert not listed.buttons["watch"].isVisible()


def test_an_unfinished_match_is_named_on_the_shelf(
    opened: Open, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    window = opened()
    pass_on(qtbot, begin(window), FastRng(2), 3)
    window.run_command("leave")
    monkeypatch.setattr(QInputDialog, "getText", lambda *_: ("Friday", True))
    click(button(window.shelf.cards[0], "Name…"))
    called = window.shelf.cards[0].waiting.label(window.context.words)
    assert called == "Friday · Children of the Sun"
    assert saved_matches.unfinished_matches()[0][0].name == "Friday"
    monkeypatch.setattr(QInputDialog, "getText", lambda *_: ("", False))
    click(button(window.shelf.cards[0], "Name…"))
    assert saved_matches.unfinished_matches()[0][0].name == "Friday"


def test_a_replay_is_dropped_on_the_window(opened: Open, film: Path) -> None:
    window = opened()

    def dropped(path: Path) -> QDropEvent:
        dragged = QMimeData()
        dragged.setUrls([QUrl.fromLocalFile(str(path))])
        event = QDropEvent(
            QPointF(40, 40),
            Qt.DropAction.CopyAction,
            dragged,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        event._kept = dragged  # the event does not own it
        return event

    window.dropEvent(dropped(film.with_suffix(".txt")))
    assert window.replays.screen is None
    window.dropEvent(dropped(film))
    assert watched(window).kit.id == "sun"


def test_a_match_of_other_rules_is_watched_and_not_played_on(opened: Open, tmp_path: Path) -> None:
    from msgspec.structs import replace

    record = read(LATEST / "sun-unfinished.tabletop")
    old = tmp_path / "old.tabletop"
    save(replace(record, header=replace(record.header, rules=0)), old)
    window = opened()
    window.open_file(old)
    screen = watched(window)
    assert "version 0 of the rules; this program has" in window.banner.text
    assert "You can watch it, but not continue it." in window.banner.text
    assert screen.playback_bar.buttons["play_on"].toolTip() == window.banner.text
    assert not screen.playback_bar.buttons["play_on"].isEnabled()
    screen.go_to_beat(screen.playback.last_beat)
    assert screen.scene.stage.view == screen.playback.view(screen.at, AUDIENCE)


def test_a_sealed_view_is_for_one_person_and_the_audience(
    opened: Open, tmp_path: Path, qtbot: QtBot
) -> None:
    window = opened()
    table = begin(window, 1)
    pass_on_bot(qtbot, table, 3)
    file = tmp_path / "sealed.tabletop"
    save_as(table.seated.match, file)
    window.replays.open(file)
    screen = watched(window)
    assert screen.viewers == (0, AUDIENCE)
    assert screen.seat.viewer == 0
    press(screen, Qt.Key.Key_V)
    assert screen.seat.viewer == AUDIENCE


def pass_on_bot(qtbot: QtBot, table: QWidget, moves: int) -> None:
    luck = FastRng(4)
    for _ in range(moves):
        assert until_asked(qtbot, table)
        play(table, luck)
    assert until_asked(qtbot, table)


# Exports


def test_playing_on_begins_a_match_at_this_position(opened: Open, film: Path, qtbot: QtBot) -> None:
    window = opened()
    window.replays.open(film, 7)
    screen = watched(window)
    state = screen.playback.plies[7].state
    click(screen.playback_bar.buttons["play_on"])
    dialog = next(w for w in QApplication.topLevelWidgets() if isinstance(w, PlayOnDialog))
    assert [card.kind.person.isChecked() for card in dialog.seats.rows] == [True, False]
    first, second = dialog.seats.rows
    first.field.setText("Hinata")
    second.field.setText("Kaname")
    click(second.kind.person)
    click(dialog.start_button)
    table = window.table
    assert window.replays.screen is None
    match = table.seated.match
    assert match.state == state
    assert [player.name for player in match.players] == ["Hinata", "Kaname"]
    pass_on(qtbot, table, FastRng(3), 2)
    assert len(read(match.journal.file).entries) == 9
    assert len(read(film).entries) == 33, "the replay stays as it is"


def test_the_same_moves_bring_the_same_chance(opened: Open, film: Path) -> None:
    record = read(film)
    match = saved_matches.branch(record, 10, (Player("Ann"), Player("Bea")))
    for entry in record.entries[10:]:
        match.submit(entry.seat, entry.move)
    assert match.state == saved_matches.branch(record, 33, match.players).state


def test_a_replay_is_saved_as_text_and_as_a_picture(
    screen: ReplayScreen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "MAX_FRAMES", 5)
    monkeypatch.setattr(export, "FRAME_SIZE", QSize(240, 160))
    screen.save_comment("The deal.")
    for act, name in (("save", "a.tabletop"), ("text", "a.txt"), ("picture", "a.png")):
        target = tmp_path / name
        saving_to(monkeypatch, target)
        screen.do(act)
        assert target.stat().st_size > 100
    assert read(tmp_path / "a.tabletop").comments[0] == "The deal."
    assert "※ The deal." in (tmp_path / "a.txt").read_text("utf-8")
    assert (tmp_path / "a.png").read_bytes().count(b"fcTL") == 5
    assert not QImage(str(tmp_path / "a.png")).isNull()


@pytest.mark.parametrize("after", [0, 3, 7])
def test_a_picture_is_called_off_while_it_is_drawn_or_pressed(
    screen: ReplayScreen, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    monkeypatch.setattr(export, "MAX_FRAMES", 5)
    monkeypatch.setattr(export, "FRAME_SIZE", QSize(240, 160))
    progress: list[tuple[int, int]] = []

    def go_on(done: int, of: int) -> bool:
        progress.append((done, of))
        return done < after

    context = screen.context
    assert not export.animated_picture(
        screen.playback, None, context.art, screen.words, context.theme, go_on
    )
    assert progress == [(done, 10) for done in range(after + 1) if done != 5]


def test_every_game_is_watched_in_both_languages(opened: Open) -> None:
    window = opened()
    files = {file.stem.partition("-")[0]: file for file in sorted(LATEST.glob("*-[0-9].tabletop"))}
    for file in files.values():
        window.replays.open(file)
        screen = watched(window)
        for viewer in (screen.viewers[0], screen.viewers[-1]):
            screen.set_viewer(viewer)
            screen.go_to_beat(screen.playback.last_beat // 2)
            screen.go_to_beat(screen.at + 1)
        window.context.change_settings(
            language="ja" if window.context.words.language == "en" else "en"
        )
        assert screen.at == screen.playback.last_beat // 2 + 1
        assert "{" not in screen.comment_bar.text
        tabs, words = screen.dock.tabs, window.context.words
        shown = [tabs.tabText(n) for n in range(tabs.count()) if tabs.isTabVisible(n)]
        assert shown == [words(text) for text in ("Now", "Card", "Log", "Rules")]


def test_the_comment_makes_way_for_a_card_that_crosses_it(screen: ReplayScreen) -> None:
    bar, card = screen.comment_bar, next(i for i in screen.scene.stage.items if i.isVisible())
    card.setPos(screen.view.mapToScene(bar.geometry().center() - screen.view.pos()))
    card.set_flight_height(0.5)
    screen.scene.animator._player.stepped.emit()
    assert screen._yielding._target_opacity < 1.0
