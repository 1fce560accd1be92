"""The whole program through its window: from the shelf to the table and back."""

import errno
import re
from pathlib import Path
from zipfile import ZipFile

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.engine.model import AUDIENCE, Reason
from tabletop.engine.scratch import FastRng
from tabletop.files import background_writes, folders
from tabletop.files.errors import StorageError, write_error
from tabletop.match.history import Entry
from tabletop.match.match import Match, Player, PreparedEntry
from tabletop.storage import saved_matches, settings
from tabletop.storage.journal import JournalFile
from tabletop.storage.plies import plies
from tabletop.storage.record import read, replay
from tabletop.storage.saved_matches import picture_path
from tests.ui.late_matches import near_its_end
from tests.ui.window_driver import (
    Open,
    begin,
    button,
    click,
    hold,
    key,
    middle,
    pass_on,
    play,
    saving_to,
    settle,
    sheet,
    sun_box,
    table,
    until_asked,
)
from ui.match.actions_panel import MOVE_ROLE
from ui.shell.commands import MENUS
from ui.style.line_breaks import WORD_JOINER

SHORTCUTS = {
    "new": ["Ctrl+N"],
    "open": ["Ctrl+O"],
    "save": ["Ctrl+S"],
    "quit": ["Ctrl+Q"],
    "undo": ["Ctrl+Z"],
    "redo": ["Ctrl+Shift+Z", "Ctrl+Y"],
    "rules": ["F1"],
    "full_screen": ["F11"],
    "zoom_in": ["Ctrl++", "Ctrl+="],
    "zoom_out": ["Ctrl+-"],
    "zoom_usual": ["Ctrl+0"],
    "settings": ["Ctrl+,"],
    "end_turn": ["Ctrl+Return"],
}
"""As ux.md has them."""

JAPANESE = re.compile("[぀-ヿ一-鿿]")


# Menus


def test_every_command_has_its_usual_keys_and_a_japanese_name(opened: Open) -> None:
    window = opened(language="ja")
    titles = [action.text() for action in window.menus.actions()]
    assert titles == ["ゲーム", "編集", "プレイ", "表示", "設定", "ヘルプ"]
    for name, action in window.menus.commands.items():
        keys = [
            key.toString(QKeySequence.SequenceFormat.PortableText) for key in action.shortcuts()
        ]
        assert keys[: len(SHORTCUTS.get(name, []))] == SHORTCUTS.get(name, [])
        assert JAPANESE.search(action.text()), name
    assert len({key for keys in SHORTCUTS.values() for key in keys}) == 15


def test_at_the_shelf_only_what_needs_no_table_can_be_chosen(opened: Open) -> None:
    window = opened()
    for menu in MENUS:
        for entry in menu.entries:
            if entry is not None and not isinstance(entry, str):
                assert window.menus.commands[entry.name].isEnabled() is not entry.play, entry.name


def test_another_key_is_taken_at_once_and_a_taken_one_is_refused(opened: Open) -> None:
    from ui.settings.shortcuts import ShortcutsEditor

    window = opened()
    window.context.change_settings(keys={"new": "Ctrl+Shift+N"})
    assert window.menus.commands["new"].shortcut().toString() == "Ctrl+Shift+N"
    keys = ShortcutsEditor(window.context)
    keys.refresh_appearance()
    keys.fields["open"].setKeySequence(QKeySequence("Ctrl+Q"))
    keys.fields["open"].editingFinished.emit()
    assert "Quit" in keys.fault.text()
    assert "open" not in window.context.settings.keys
    keys.usual["new"].click()
    assert window.menus.commands["new"].shortcut().toString() == "Ctrl+N"


def test_shortcuts_are_off_while_a_name_is_written(opened: Open) -> None:
    window = opened()
    click(sun_box(window))
    name = sheet(window).seats.rows[0].field
    name.setFocus()
    settle()
    first = window.new_game
    QTest.keyClick(name, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    settle()
    assert window.new_game is first
    sheet(window).start_button.setFocus()
    settle()
    QTest.keyClick(sheet(window).start_button, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    settle()
    assert window.new_game is not first


def test_the_match_on_the_table_is_not_opened_a_second_time(opened: Open) -> None:
    """Its file is held by this window: to continue it, or to drop its file, leaves it as it is."""
    window = opened()
    screen = begin(window)
    file = screen.seated.record.file
    assert file is not None
    window.continue_match(file)
    window.open_file(file)
    assert window.table is screen
    assert not window.banner.isVisible()


def test_a_match_of_another_window_is_told_and_not_opened(opened: Open) -> None:
    players = (Player("Hinata", symbol="bell"), Player("Kaname", symbol="cloud"))
    match = saved_matches.begin(catalogue.load("sun"), players)
    file = match.journal.path
    window = opened()
    window.continue_match(file)
    assert window.table is None
    assert window.banner.isVisible()
    assert window.banner.text == (
        "Children of the Sun (Hinata and Kaname) is open in another window."
    )
    match.journal.close()
    window.continue_match(file)
    assert table(window).seated.record.file == file


# A new game


def test_names_are_plain_short_distinct_and_never_empty(opened: Open) -> None:
    window = opened()
    click(sun_box(window))
    new = sheet(window)
    first, second = (card.field for card in new.seats.rows)
    for wrong in ("", "   ", "\u200b"):
        first.setText(wrong)
        assert not new.start_button.isEnabled()
    first.setText("Hinata")
    second.setText(" ｈinata ")
    assert not new.start_button.isEnabled()
    assert "same name" in new.error_label.text()
    second.setText("K" * 60)
    assert new.start_button.isEnabled()
    assert len(second.text()) == 24
    second.setText("<b>Kaname</b>\u202e")
    assert new.start_button.isEnabled()
    click(new.start_button)
    assert table(window).seated.players[1].name == "<b>Kaname</b>"


def test_seats_are_reordered_by_buttons_and_by_dragging(opened: Open) -> None:
    window = opened()
    click(sun_box(window))
    places = sheet(window).seats
    places.rows[0].field.setText("Hinata")
    places.rows[1].field.setText("Kaname")
    click(places.rows[0].buttons["down"])
    assert [player.name for player in places.players] == ["Kaname", "Hinata"]
    grip = places.rows[0].grip
    QTest.mousePress(grip, Qt.MouseButton.LeftButton, pos=QPoint(10, 20))
    for y in range(20, 120, 20):
        QTest.mouseMove(grip, QPoint(10, y))
        settle()
    QTest.mouseRelease(grip, Qt.MouseButton.LeftButton, pos=QPoint(10, 100))
    settle()
    assert [player.name for player in places.players] == ["Hinata", "Kaname"]


def test_a_symbol_that_somebody_has_is_exchanged(opened: Open) -> None:
    window = opened()
    click(sun_box(window))
    first, second = sheet(window).seats.rows
    assert (first.symbol, second.symbol) == ("sun", "moon")
    first.symbol_chosen.emit("moon")
    assert (first.symbol, second.symbol) == ("moon", "sun")


def test_a_lot_is_drawn_shown_and_kept(opened: Open) -> None:
    window = opened()
    click(sun_box(window))
    new = sheet(window)
    new.draw_lots.click()
    click(new.start_button)
    assert window.table is None, "the lot is shown before anybody sits down"
    first = new.drawn_order[0]
    assert f"{first.name} starts" in new.draw_result.text
    click(new.start_button)
    assert table(window).seated.players[0] == first


# A match


def test_a_game_among_persons_ends_with_the_score_sheet(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = near_its_end(window)
    pass_on(qtbot, screen, FastRng(0), 60)
    settle()
    assert screen.seated.is_over
    assert not screen.curtain.is_drawn
    assert screen.switch.active_viewer == AUDIENCE, "the end belongs to everybody"
    assert screen.ending.sheet.isVisible()
    result = screen.seated.match.state.result
    texts = [
        label.text()
        for label in screen.ending.sheet.findChildren(type(screen.ending.sheet.winner_band.title))
    ]
    for score in result.scores:
        assert str(score) in texts
    for line in result.sheet:
        assert screen.words.line(line) in texts
        assert all(formula in texts for formula in line.formulas)
    for text in ("Play again", "Swap seats", "Save replay…", "Back to the shelf"):
        assert button(screen.ending.sheet, text)
    file = screen.seated.record.file
    click(button(screen.ending.sheet, "Back to the shelf"))
    assert window.table is None
    assert not file.exists()
    assert len(saved_matches.finished_matches()[0]) == 1
    assert saved_matches.unfinished_matches()[0] == ()


def test_rematch_and_swap(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = near_its_end(window)
    pass_on(qtbot, screen, FastRng(1), 60)
    click(button(screen.ending.sheet, "Play again"))
    again = table(window)
    assert again is not screen
    assert [player.name for player in again.seated.players] == ["Hinata", "Kaname"]
    hold(qtbot, again)
    again.seated.record.match.concede(0)
    settle()
    click(button(again.ending.sheet, "Swap seats"))
    assert [player.name for player in table(window).seated.players] == ["Kaname", "Hinata"]


def test_back_from_a_review_leads_to_the_result(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    pass_on(qtbot, near_its_end(window), FastRng(1), 60)
    scores = table(window).seated.view.result
    for way in ("Review", "Watch replay"):
        click(button(table(window).ending.sheet, way))
        assert window.table is None
        window.replays.do("leave")
        settle()
        screen = table(window)
        assert screen.seated.view.result == scores
        assert button(screen.ending.sheet, "Share as picture").isVisible()
    click(button(screen.ending.sheet, "Play again"))
    assert not table(window).seated.is_over
    window.run_command("leave")
    assert [kept.header.game for kept in saved_matches.finished_matches()[0]] == ["sun"], (
        "it is kept once"
    )


def test_esc_in_a_name_ends_the_typing_first(opened: Open) -> None:
    window = opened()
    click(sun_box(window))
    field = sheet(window).seats.rows[0].field
    click(field)
    QTest.keyClicks(field, "Mio")
    key(Qt.Key.Key_Escape)
    assert window.new_game is not None
    assert "Mio" in field.text()
    assert not field.hasFocus()
    key(Qt.Key.Key_Escape)
    assert window.new_game is None


def test_a_press_of_the_mouse_hides_the_focus_ring(opened: Open, qtbot: QtBot) -> None:
    screen = begin(opened(), 1)
    assert until_asked(qtbot, screen)
    key(Qt.Key.Key_Right)
    assert not screen.scene.selection_view.focus.is_empty
    click(screen.view.viewport(), middle(screen, "hand/0"))
    assert screen.scene.selection_view.focus.is_empty
    key(Qt.Key.Key_Right)
    assert not screen.scene.selection_view.focus.is_empty


def test_bots_are_called_as_the_window_speaks(opened: Open, qtbot: QtBot) -> None:
    window = opened(language="ja")
    click(sun_box(window))
    click(sheet(window).start_button)
    screen = table(window)
    assert screen.words.seat(1) == screen.seated.players[1].name == "むぎ"
    window.context.change_settings(language="en")
    settle()
    assert screen.words.seat(1) == screen.seated.players[1].name == "Mugi"
    assert screen.scene.stage.pixmaps.seat_style(1).name == "Mugi"
    assert "むぎ" not in screen.prompt.text
    assert until_asked(qtbot, screen)


def test_animation_settles_before_anyone_acts(
    opened: Open, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    screen = begin(opened(animation="fast"), 1)
    luck = FastRng(3)
    moving: list[bool] = []
    change = Match.prepare

    def watched(match: Match, entry: Entry) -> PreparedEntry:
        if entry.seat == 1:
            moving.append(screen.scene.animator.is_running)
        return change(match, entry)

    monkeypatch.setattr(Match, "prepare", watched)
    seat = screen.switch.shown_seat

    def my_turn() -> bool:
        return bool(seat.offers) and not screen.scene.animator.is_running

    for _ in range(5):
        qtbot.waitUntil(my_turn)
        screen.scene.choice.play(
            next(iter(seat.offers.values()))[0].sample(next(iter(seat.offers)), luck)
        )
    qtbot.waitUntil(my_turn)
    assert len(moving) >= 3
    assert not any(moving)


def test_the_end_is_not_told_before_it_has_been_seen(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = near_its_end(window)
    luck = FastRng(1)
    match = screen.seated.match
    while not (
        screen.switch.decision.handover_due and match.state.values["phase"] == "extermination"
    ):
        pass_on(qtbot, screen, luck, 1)
    window.context.change_settings(animation="fast")
    pass_on(qtbot, screen, luck, 1)
    assert screen.seated.is_over
    assert screen.scene.animator.is_running
    assert not screen.prompt.isVisible()
    assert not screen.ending.sheet.isVisible()
    screen.scene.skip_animations()
    settle()
    assert screen.prompt.isVisible()
    click(screen.ending.victory)
    assert screen.ending.sheet.isVisible()


def test_closing_and_continuing_brings_back_the_very_same_table(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window)
    pass_on(qtbot, screen, FastRng(5), 9)
    state, log = screen.seated.match.state, screen.seated.match.log(AUDIENCE)
    window.close()
    again = opened()
    waiting = again.shelf.cards
    assert len(waiting) == 1
    assert picture_path(waiting[0].waiting.file).is_file()
    assert again.menus.submenus["continue"].isEnabled()
    click(button(waiting[0], "Continue"))
    back = table(again)
    assert back.seated.match.state == state
    assert back.seated.match.log(AUDIENCE) == log
    assert back.curtain.is_drawn
    hold(qtbot, back)
    play(back, FastRng(5))


def test_undo_redo_and_the_agreement_to_go_further_back(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window)
    hold(qtbot, screen)
    before = screen.seated.match.state
    play(screen, FastRng(1))
    after = screen.seated.match.state
    assert screen.switch.decision.handover_due
    QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settle()
    assert screen.seated.match.state == before
    assert not screen.switch.decision.handover_due
    QTest.keyClick(window, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    settle()
    assert screen.seated.match.state == after
    click(button(screen.prompt, "Hand over"))
    hold(qtbot, screen)
    assert screen.switch.active_viewer == 1
    assert not screen.switch.shown_seat.undoable
    window.run_command("undo")
    settle()
    click(button(screen.prompt, "Hinata and Kaname agree"))
    assert screen.seated.match.state == before
    assert screen.switch.decision.handover_due, (
        "Kaname still looks: the curtain comes before Hinata's cards"
    )
    click(button(screen.prompt, "Hand over"))
    hold(qtbot, screen)
    assert screen.switch.active_viewer == 0


def test_with_a_bot_undo_returns_to_ones_own_move(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window, 1)
    before = screen.seated.match.state
    play(screen, FastRng(1))
    qtbot.waitUntil(lambda: bool(screen.switch.shown_seat and screen.switch.shown_seat.offers))
    assert screen.seated.match.state.ply > 1
    window.run_command("undo")
    settle()
    assert not screen.consent.question, "alone there is no vote"
    assert screen.seated.match.state.zones == before.zones
    assert screen.seated.match.state.cards == before.cards


def test_changing_the_language_changes_nothing_else(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window)
    pass_on(qtbot, screen, FastRng(3), 5)
    state, looking = screen.seated.match.state, screen.switch.active_viewer
    prompt = screen.prompt.text
    screen.dock.card.show_card(0)
    window.context.change_settings(language="ja", theme="dark")
    settle()
    assert table(window) is screen
    assert (screen.seated.match.state, screen.switch.active_viewer) == (state, looking)
    assert screen.prompt.text != prompt
    assert JAPANESE.search(screen.prompt.text)
    log = [
        screen.dock.log.list_widget.item(row).text()
        for row in range(screen.dock.log.list_widget.count())
    ]
    assert log
    assert all(JAPANESE.search(line) for line in log)
    assert [screen.dock.tabs.tabText(tab) for tab in range(5)] == [
        "いま",
        "カード",
        "記録",
        "ルール",
        "行動",
    ]
    rules = screen.dock.rules.reader.browser.book.toPlainText().replace(WORD_JOINER, "")
    assert "包囲" in rules
    labels = screen.dock.card.findChildren(QLabel)
    assert all(JAPANESE.search(label.text()) for label in labels if label.text())
    window.context.change_settings(language="en", theme="contrast")
    settle()
    assert screen.prompt.text == prompt


def test_a_legal_action_is_played_from_the_list_with_enter(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window)
    hold(qtbot, screen)
    QTest.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    settle()
    sentences = screen.dock.moves.action_list
    assert sentences.hasFocus()
    assert sentences.accessibleName() == "Legal actions"
    assert "Place" in sentences.item(0).text()
    for heading in list(sentences.all_items()):
        sentences.item_activated.emit(heading)
    moves = [
        item.data(MOVE_ROLE) for item in sentences.all_items() if item.data(MOVE_ROLE) is not None
    ]
    assert sorted(moves, key=repr) == sorted(screen.scene.choice.legal_moves(), key=repr)
    sentences.setCurrentRow(0)
    QTest.keyClick(sentences, Qt.Key.Key_Return)  # the heading closes
    assert sentences.item(1).data(MOVE_ROLE) is None
    ply = screen.seated.match.state.ply
    QTest.keyClick(sentences, Qt.Key.Key_Return)  # the heading opens
    QTest.keyClick(sentences, Qt.Key.Key_Down)
    QTest.keyClick(sentences, Qt.Key.Key_Return)
    settle()
    assert screen.seated.match.state.ply == ply + 1


def test_focus_in_the_action_list_survives_updates(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window)
    hold(qtbot, screen)
    window.run_command("actions")
    sentences = screen.dock.moves.action_list
    QTest.keyClick(sentences, Qt.Key.Key_Right)
    QTest.keyClick(sentences, Qt.Key.Key_Down)
    QTest.keyClick(sentences, Qt.Key.Key_Down)
    lit: list[object] = []
    screen.dock.moves.move_focused.connect(lit.append)
    screen.refresh()
    assert sentences.currentRow() == 2
    assert lit == []
    QTest.keyClick(sentences, Qt.Key.Key_Return)
    settle()
    assert sentences.currentRow() == -1, "a second Enter plays nothing"


# Errors


@pytest.mark.parametrize(
    "content", [b"", b"\x89PNG\r\n", b'{"tabletop":1', b'{"tabletop":99}\n', b"[" * 5000]
)
def test_a_damaged_file_gets_one_sentence_and_changes_nothing(
    opened: Open, tmp_path: Path, content: bytes
) -> None:
    window = opened()
    screen = begin(window)
    state = screen.seated.match.state
    file = tmp_path / "broken.tabletop"
    file.write_bytes(content)
    window.open_file(file)
    settle()
    assert "broken.tabletop" in window.banner.text
    assert table(window) is screen
    assert screen.seated.match.state is state
    assert file.read_bytes() == content


def test_a_save_is_played_on_in_a_copy(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    window = opened()
    screen = begin(window)
    pass_on(qtbot, screen, FastRng(6), 4)
    state = screen.seated.match.state
    target = tmp_path / "evening"
    saving_to(monkeypatch, target)
    window.run_command("save")
    saved = target.with_suffix(".tabletop")
    content = saved.read_bytes()
    assert saved.name in window.banner.text
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(saved), ""))
    window.run_command("open")
    settle()
    copy = table(window)
    assert copy is not screen
    assert copy.seated.match.state == state
    pass_on(qtbot, copy, FastRng(6), 1)
    assert saved.read_bytes() == content
    assert copy.seated.record.file.parent == folders.matches()


def test_a_full_disk_refuses_the_move_and_shows_a_banner(
    opened: Open, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    window = opened()
    screen = begin(window)
    hold(qtbot, screen)
    state = screen.seated.match.state

    def full(journal: JournalFile, entry: Entry, events: object = ()) -> None:
        raise StorageError('Can\'t write "{file}": the disk is full.', file="x.tabletop")

    monkeypatch.setattr(JournalFile, "write_unsynced", full)
    reasons: list[Reason] = []
    screen.seated.record.write_failed.connect(reasons.append)
    play(screen, FastRng(1))
    qtbot.waitUntil(lambda: "the disk is full" in window.banner.text)
    assert screen.seated.match.state == state
    qtbot.waitUntil(lambda: "the disk is full" in screen.prompt.reason)
    screen.switch.shown_seat.concede()
    qtbot.waitUntil(lambda: len(reasons) == 2)
    assert screen.seated.match.state == state
    monkeypatch.undo()
    play(screen, FastRng(1))
    qtbot.waitUntil(lambda: screen.seated.match.state != state)


def no_room(*_: object, **__: object) -> None:
    raise write_error(OSError(errno.ENOSPC, "No space left on device"), "x")


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "The match can't start: the disk is full. Free up some space, then try again."),
        ("ja", "ディスクに空きがないため、対戦を始められません。"),
    ],
)
def test_a_full_disk_refuses_the_start_and_the_window_says_so(
    language: str, told: str, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The settings, which aren't kept either, hid why no match began."""
    window = opened(language=language)
    monkeypatch.setattr(saved_matches, "begin", no_room)
    monkeypatch.setattr(settings, "save", no_room)
    click(sun_box(window))
    click(sheet(window).start_button)
    window.context.store_settings(players=("Mio",))
    background_writes.finish()
    settle()
    assert window.table is None
    assert window.banner.text.startswith(told)


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "A move wasn't saved: the disk is full. Free up some space, then play it"),
        ("ja", "ディスクに空きがないため、手を保存できず、取り消しました。"),
    ],
)
def test_a_move_that_a_full_disk_refuses_names_no_file(
    language: str, told: str, opened: Open, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    window = opened(language=language)
    screen = begin(window)
    hold(qtbot, screen)
    state = screen.seated.match.state
    monkeypatch.setattr(JournalFile, "write_unsynced", no_room)
    play(screen, FastRng(1))
    qtbot.waitUntil(lambda: window.banner.text.startswith(told))
    assert screen.seated.match.state == state


def test_a_fault_is_a_calm_banner_and_the_match_goes_on(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window)
    hold(qtbot, screen)
    window.show_fault()
    settle()
    assert "saved up to the last move" in window.banner.text
    play(screen, FastRng(1))


def test_a_report_holds_no_names_no_hidden_cards_and_no_seed(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    window = opened()
    screen = begin(window, names=("Hinata-chan", "Kaname-san"))
    pass_on(qtbot, screen, FastRng(6), 4)
    target = tmp_path / "report.zip"
    saving_to(monkeypatch, target)
    window.run_command("report")
    with ZipFile(target) as packed:
        text = "".join(packed.read(name).decode() for name in packed.namelist())
        packed.extract("match.tabletop", tmp_path)
    *_, last = plies(read(tmp_path / "match.tabletop"))
    assert last.state.cards == screen.seated.view.cards
    assert "Tabletop 0" in text
    assert "Player 1 places" in text
    assert "Hinata-chan" not in text
    assert "Kaname-san" not in text
    assert screen.seated.match.seed not in text
    hidden = {
        card
        for zone in ("hand/0", "hand/1", "pile", "shield")
        for card in screen.seated.match.state.cards[zone]
    }
    assert not [card for card in hidden if screen.words.card(card) in text]
    assert str(Path.home()) not in text


def test_a_report_holds_the_last_crash(
    opened: Open, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders.crashes().mkdir(parents=True)
    stack = folders.crashes() / "window-1.crash"
    stack.write_text(f'File "{Path.home()}/x.py", line 3 in drawn')
    window, target = opened(), tmp_path / "report.zip"
    saving_to(monkeypatch, target)
    window.run_command("report")
    with ZipFile(target) as packed:
        assert packed.read("crash.txt") == b'File "~/x.py", line 3 in drawn'
    stack.write_text("")
    window.run_command("report")
    with ZipFile(target) as packed:
        assert "crash.txt" not in packed.namelist()


def test_a_report_of_a_finished_match_holds_all_of_it(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    window = opened()
    screen = begin(window, names=("Hinata-chan", "Kaname-san"))
    hold(qtbot, screen)
    screen.switch.shown_seat.concede()
    settle()
    target = tmp_path / "report.zip"
    saving_to(monkeypatch, target)
    window.run_command("report")
    with ZipFile(target) as packed:
        packed.extract("match.tabletop", tmp_path)
    played = replay(read(tmp_path / "match.tabletop"))
    assert played.state == screen.seated.match.state
    assert [player.name for player in played.players] == ["Player 1", "Player 2"]


# Sizes


@pytest.mark.parametrize("size", [(1024, 600), (1280, 800), (2560, 1440), (3840, 2160)])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_nothing_needed_lies_off_the_screen(
    opened: Open, size: tuple[int, int], language: str, qtbot: QtBot
) -> None:
    window = opened(size=size, language=language)
    assert (window.width(), window.height()) == size
    window.shelf.take_focus()
    for each in window.shelf.board.tab_stops:
        assert each.visibleRegion().boundingRect().size() == each.size()
        key(Qt.Key.Key_Tab)
    click(sun_box(window))
    for card in sheet(window).seats.rows:
        click(card.kind.person)
    start = sheet(window).start_button
    assert start.visibleRegion().boundingRect().size() == start.size()
    click(start)
    screen = table(window)
    hold(qtbot, screen)
    play(screen, FastRng(1))
    assert (window.width(), window.height()) == size
    assert screen.prompt.visibleRegion().boundingRect().size() == screen.prompt.size()
    assert screen.view.rect().contains(screen.prompt.geometry())
    for each in screen.prompt.buttons:
        assert screen.prompt.rect().contains(each.geometry())
    assert QApplication.focusWidget() is not None


def test_the_layout_can_be_put_back(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window)
    hold(qtbot, screen)
    screen.dock.close()
    window.run_command("log")
    assert screen.dock.isVisible()
    screen.dock.close()
    window.run_command("reset_layout")
    settle()
    assert screen.dock.isVisible()


def test_windows_that_are_open_together_have_titles_of_their_own(opened: Open) -> None:
    one, two = opened(), opened()
    assert (one.windowTitle(), two.windowTitle()) == ("Tabletop 卓", "Tabletop 卓 (window 2)")
    begin(two)
    assert two.windowTitle() == "Children of the Sun – Tabletop 卓 (window 2)"
    two.context.change_settings(language="ja")
    assert two.windowTitle().endswith(" – Tabletop 卓（ウィンドウ2）")
    two.run_command("new")
    assert two.windowTitle() == "Tabletop 卓（ウィンドウ2）"
    one.close()
    assert opened().windowTitle() == "Tabletop 卓"


def test_a_window_that_can_lock_nothing_has_no_number(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError

    monkeypatch.setattr("tabletop.files.window_number.WindowNumber._take", refuse)
    assert opened().windowTitle() == "Tabletop 卓"


def test_the_menu_bar_is_in_the_colours_of_the_page_below(opened: Open) -> None:
    window = opened()
    plain = window.menus.styleSheet()
    window.run_command("join")
    assert window.menus.styleSheet() == plain, "the page lies on the program's own table"
    window.show_shelf()
    for open_page in (lambda: window.run_command("host"), lambda: click(sun_box(window))):
        open_page()
        assert window.menus.styleSheet() != plain, "it lies on the game's table"
        window.show_shelf()
    window.show_shelf()
    assert window.menus.styleSheet() == plain
