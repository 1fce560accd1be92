"""The whole program through its window: from the shelf to the table and back."""

import re
from pathlib import Path
from zipfile import ZipFile

import pytest
from at_window import (
    Open,
    begin,
    button,
    click,
    hold,
    home,
    opened,
    pass_on,
    play,
    settle,
    sheet,
    sun_box,
    table,
)
from patience import until
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel

from tabletop.engine.model import Move
from tabletop.engine.scratch import Luck
from tabletop.match import Entry, Match
from tabletop.storage import folders, matches, settings
from tabletop.storage.frames import frames
from tabletop.storage.record import Journal, read, replay
from tabletop.storage.trouble import StorageError
from ui.screens.commands import COMMANDS, MENUS

__all__ = ["home", "opened"]

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


def test_no_two_commands_share_a_key() -> None:
    keys = [key for command in COMMANDS.values() for key in command.keys]
    assert len(keys) == len(set(keys))


def test_at_the_shelf_only_what_needs_no_table_can_be_chosen(opened: Open) -> None:
    window = opened()
    for menu in MENUS:
        for entry in menu.entries:
            if entry is not None and not isinstance(entry, str):
                assert window.menus.commands[entry.name].isEnabled() is not entry.play, entry.name


def test_another_key_is_taken_at_once_and_a_taken_one_is_refused(opened: Open) -> None:
    from ui.screens.keys import Keys

    window = opened()
    window.room.change(keys={"new": "Ctrl+Shift+N"})
    assert window.menus.commands["new"].shortcut().toString() == "Ctrl+Shift+N"
    keys = Keys(window.room)
    keys.dress()
    keys.fields["open"].setKeySequence(QKeySequence("Ctrl+Q"))
    keys.fields["open"].editingFinished.emit()
    assert "Quit" in keys.fault.text()
    assert "open" not in window.room.settings.keys
    keys.usual["new"].click()
    assert window.menus.commands["new"].shortcut().toString() == "Ctrl+N"


def test_shortcuts_are_off_while_a_name_is_written(opened: Open) -> None:
    window = opened()
    click(sun_box(window))
    name = sheet(window).places.cards[0].name
    name.setFocus()
    settle()
    first = window.new_game
    QTest.keyClick(name, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    settle()
    assert window.new_game is first
    sheet(window).start.setFocus()
    settle()
    QTest.keyClick(sheet(window).start, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    settle()
    assert window.new_game is not first


# A new game


def test_names_are_plain_short_distinct_and_never_empty(opened: Open) -> None:
    window = opened()
    click(sun_box(window))
    new = sheet(window)
    first, second = (card.name for card in new.places.cards)
    for wrong in ("", "   ", "\u200b"):
        first.setText(wrong)
        assert not new.start.isEnabled()
    first.setText("Hinata")
    second.setText(" ｈinata ")
    assert not new.start.isEnabled()
    assert "same name" in new.fault.text()
    second.setText("K" * 60)
    assert new.start.isEnabled()
    assert len(second.text()) == 24
    second.setText("<b>Kaname</b>\u202e")
    assert new.start.isEnabled()
    click(new.start)
    assert table(window).sitting.players[1].name == "<b>Kaname</b>"


def test_seats_are_reordered_by_buttons_and_by_dragging(opened: Open) -> None:
    window = opened()
    click(sun_box(window))
    places = sheet(window).places
    places.cards[0].name.setText("Hinata")
    places.cards[1].name.setText("Kaname")
    click(places.cards[0].down_button)
    assert [player.name for player in places.players] == ["Kaname", "Hinata"]
    grip = places.cards[0].grip
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
    first, second = sheet(window).places.cards
    assert (first.symbol, second.symbol) == ("sun", "moon")
    first.symbol_wanted.emit("moon")
    assert (first.symbol, second.symbol) == ("moon", "sun")


def test_a_lot_is_drawn_shown_and_kept(opened: Open) -> None:
    window = opened()
    click(sun_box(window))
    new = sheet(window)
    new.lot.click()
    click(new.start)
    assert window.table is None, "the lot is shown before anybody sits down"
    first = new.drawn[0]
    assert f"{first.name} begins" in new.lots.text
    click(new.start)
    assert table(window).sitting.players[0] == first


def test_the_names_are_remembered(opened: Open) -> None:
    window = opened()
    begin(window, names=("ひなた", "かなめ"))
    window.close()
    again = opened()
    click(sun_box(again))
    assert [card.name.text() for card in sheet(again).places.cards] == ["ひなた", "かなめ"]


# A match


@pytest.mark.parametrize("seed", range(3))
def test_a_whole_game_among_persons_ends_with_the_score_sheet(opened: Open, seed: int) -> None:
    window = opened()
    screen = begin(window)
    pass_on(screen, Luck(seed), 60)
    settle()
    assert screen.sitting.over
    assert not screen.curtain.drawn
    assert screen.sitting.looking == -1, "the end belongs to everybody"
    assert screen.sheet.isVisible()
    result = screen.sitting.match.state.result
    assert result is not None
    texts = [label.text() for label in screen.sheet.findChildren(type(screen.sheet.title))]
    for score in result.scores:
        assert str(score) in texts
    for line in result.sheet:
        assert screen.words.line(line) in texts
        assert all(formula in texts for formula in line.formulas)
    for text in ("Rematch", "Swap seats", "Save replay…", "Back to the shelf"):
        assert button(screen.sheet, text)
    file = screen.sitting.file
    assert file is not None
    click(button(screen.sheet, "Back to the shelf"))
    assert window.table is None
    assert not file.exists()
    assert len(matches.finished()) == 1
    assert matches.unfinished() == ()


def test_rematch_and_swap(opened: Open) -> None:
    window = opened()
    screen = begin(window)
    pass_on(screen, Luck(1), 60)
    click(button(screen.sheet, "Rematch"))
    again = table(window)
    assert again is not screen
    assert [player.name for player in again.sitting.players] == ["Hinata", "Kaname"]
    pass_on(again, Luck(2), 60)
    click(button(again.sheet, "Swap seats"))
    assert [player.name for player in table(window).sitting.players] == ["Kaname", "Hinata"]


@pytest.mark.parametrize("bot", [0, 1])
def test_a_whole_game_against_a_bot_has_no_curtain(opened: Open, bot: int) -> None:
    screen = begin(opened(), bot)
    luck = Luck(bot)
    for _ in range(400):
        assert not screen.curtain.drawn
        assert screen.sitting.looking == 1 - bot
        if screen.sitting.over:
            break
        if screen.sitting.link and screen.sitting.link.offers:
            play(screen, luck)
        settle(2)
    assert screen.sitting.over
    assert screen.sheet.isVisible()


def test_with_animation_everybody_waits_until_the_cards_lie_still(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = begin(opened(animation="fast"), 1)
    luck, mine = Luck(3), 0
    moving: list[bool] = []
    submit = Match.submit

    def watched(match: Match, seat: int, move: Move) -> None:
        if seat == 1:
            moving.append(screen.scene.animator.running)
        submit(match, seat, move)

    monkeypatch.setattr(Match, "submit", watched)
    for _ in range(400):
        settle(20)
        link = screen.sitting.link
        assert link is not None
        if link.offers and not screen.scene.animator.running:
            mine += 1
            if mine > 5:
                break
            screen.scene.play(
                next(iter(link.offers.values()))[0].sample(next(iter(link.offers)), luck)
            )
    assert mine > 5
    assert len(moving) >= 3
    assert not any(moving)


def test_the_end_is_not_told_before_it_has_been_seen(opened: Open) -> None:
    window = opened()
    screen = begin(window)
    luck = Luck(1)
    match = screen.sitting.match
    while not (screen.hand_over.due and match.state.values["phase"] == "extermination"):
        pass_on(screen, luck, 1)
    window.room.change(animation="fast")
    pass_on(screen, luck, 1)
    assert screen.sitting.over
    assert screen.scene.animator.running
    assert not screen.prompt.isVisible()
    assert not screen.sheet.isVisible()
    screen.scene.skip()
    settle()
    assert screen.prompt.isVisible()
    assert screen.sheet.isVisible()


def test_bots_alone_are_watched_to_the_end(opened: Open) -> None:
    screen = begin(opened(), 0, 1)
    until(lambda: screen.sitting.over and screen.sheet.isVisible(), "the score sheet")


def test_closing_and_continuing_brings_back_the_very_same_table(opened: Open) -> None:
    window = opened()
    screen = begin(window)
    pass_on(screen, Luck(5), 9)
    state, log = screen.sitting.match.state, screen.sitting.match.log(-1)
    window.close()
    again = opened()
    waiting = again.shelf.cards
    assert len(waiting) == 1
    assert waiting[0].waiting.picture is not None
    assert again.menus.submenus["continue"].isEnabled()
    click(button(waiting[0], "Continue"))
    back = table(again)
    assert back.sitting.match.state == state
    assert back.sitting.match.log(-1) == log
    assert back.curtain.drawn
    hold(back)
    play(back, Luck(5))


def test_after_a_crash_the_shelf_draws_the_table_it_lacks(opened: Open) -> None:
    pass_on(begin(opened()), Luck(5), 3)  # and never left: as if the program had been killed
    again = opened()
    until(lambda: again.shelf.cards and again.shelf.cards[0].waiting.picture, "the picture")
    (card,) = again.shelf.cards
    assert card.waiting.picture.stat().st_mtime >= card.waiting.file.stat().st_mtime
    assert card.go.hasFocus()


def test_a_match_put_away_can_be_brought_back(opened: Open) -> None:
    window = opened()
    pass_on(begin(window), Luck(5), 3)
    window.do("leave")
    click(button(window.shelf.cards[0], "Put away"))
    assert window.shelf.cards == []
    click(button(window.banner, "Bring it back"))
    assert len(window.shelf.cards) == 1


def test_undo_redo_and_the_agreement_to_go_further_back(opened: Open) -> None:
    window = opened()
    screen = begin(window)
    hold(screen)
    before = screen.sitting.match.state
    play(screen, Luck(1))
    after = screen.sitting.match.state
    assert screen.hand_over.due
    QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settle()
    assert screen.sitting.match.state == before
    assert not screen.hand_over.due
    QTest.keyClick(window, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    settle()
    assert screen.sitting.match.state == after
    click(button(screen.prompt, "Hand over"))
    hold(screen)
    assert screen.sitting.looking == 1
    assert not screen.sitting.can_undo
    window.do("undo")
    settle()
    click(button(screen.prompt, "Hinata and Kaname agree"))
    assert screen.sitting.match.state == before
    assert screen.hand_over.due, "Kaname still looks: the curtain comes before Hinata's cards"
    click(button(screen.prompt, "Hand over"))
    hold(screen)
    assert screen.sitting.looking == 0


def test_with_a_bot_an_agreement_goes_back_to_the_persons_own_move(opened: Open) -> None:
    window = opened()
    screen = begin(window, 1)
    before = screen.sitting.match.state
    play(screen, Luck(1))
    until(lambda: screen.sitting.link and screen.sitting.link.offers, "the bot's move")
    assert screen.sitting.match.state.ply > 1
    window.do("undo")
    settle()
    click(button(screen.prompt, "Hinata agree"))
    assert screen.sitting.match.state.zones == before.zones
    assert screen.sitting.match.state.cards == before.cards


def test_the_language_changes_in_the_middle_of_a_match_and_nothing_else(opened: Open) -> None:
    window = opened()
    screen = begin(window)
    pass_on(screen, Luck(3), 5)
    state, looking = screen.sitting.match.state, screen.sitting.looking
    prompt = screen.prompt.text
    screen.dock.card.show_card(0, screen.words)
    window.room.change(language="ja", theme="dark")
    settle()
    assert table(window) is screen
    assert (screen.sitting.match.state, screen.sitting.looking) == (state, looking)
    assert screen.prompt.text != prompt
    assert JAPANESE.search(screen.prompt.text)
    log = [screen.dock.log.shown.item(row).text() for row in range(screen.dock.log.shown.count())]
    assert log
    assert all(JAPANESE.search(line) for line in log)
    assert [screen.dock.tabs.tabText(tab) for tab in range(5)] == [
        "カード",
        "記録",
        "得点",
        "ルール",
        "行動",
    ]
    assert "包囲" in screen.dock.rules.toPlainText()
    told = screen.dock.card.findChildren(QLabel)
    assert all(JAPANESE.search(label.text()) for label in told if label.text())
    window.room.change(language="en", theme="contrast")
    settle()
    assert screen.prompt.text == prompt


def test_the_prompt_has_a_button_for_what_is_no_card(opened: Open) -> None:
    window = opened()
    screen = begin(window)
    luck = Luck(4)
    for _ in range(60):
        if screen.curtain.drawn:
            hold(screen)
        if screen.hand_over.due:
            click(button(screen.prompt, "Hand over"))
            hold(screen)
        link = screen.sitting.link
        assert link is not None
        if any(offer.verb == "acquire" for offers in link.offers.values() for offer in offers):
            break
        play(screen, luck)
    ply = screen.sitting.match.state.ply
    assert button(screen.prompt, "Analyse the shield")
    click(button(screen.prompt, "Acquire the card"))
    assert screen.sitting.match.state.ply == ply + 1


def test_a_legal_action_is_played_from_the_list_with_enter(opened: Open) -> None:
    window = opened()
    screen = begin(window)
    hold(screen)
    QTest.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    settle()
    sentences = screen.dock.actions.sentences
    assert sentences.hasFocus()
    assert sentences.accessibleName() == "Legal actions"
    assert sentences.count() == len(screen.scene.legal())
    assert "Place" in sentences.item(0).text()
    ply = screen.sitting.match.state.ply
    QTest.keyClick(sentences, Qt.Key.Key_Return)
    settle()
    assert screen.sitting.match.state.ply == ply + 1


def test_who_stands_in_the_list_of_actions_stays_there_whatever_is_said_anew(opened: Open) -> None:
    window = opened()
    screen = begin(window)
    hold(screen)
    window.do("actions")
    sentences = screen.dock.actions.sentences
    QTest.keyClick(sentences, Qt.Key.Key_Down)
    QTest.keyClick(sentences, Qt.Key.Key_Down)
    lit: list[object] = []
    screen.dock.actions.lit.connect(lit.append)
    screen.refresh()
    assert sentences.currentRow() == 2
    assert lit == []
    QTest.keyClick(sentences, Qt.Key.Key_Return)
    settle()
    assert sentences.currentRow() == -1, "a second Enter plays nothing"


def test_a_refusal_shows_its_reason_and_leads_to_the_paragraph(opened: Open) -> None:
    window = opened()
    screen = begin(window)
    hold(screen)
    link = screen.sitting.link
    assert link is not None
    state = screen.sitting.match.state
    hand = link.view.cards["hand/0"]
    ask = next(iter(link.offers))
    screen.scene.refused.emit(link.why(ask, hand[0], "grid/1,1"))
    settle()
    assert "The ghost stands in the centre" in screen.prompt.reason
    assert 'href="5.1"' in screen.prompt.reason
    assert screen.sitting.match.state is state
    screen.prompt.asked.emit("5.1")
    settle()
    assert screen.dock.tabs.currentWidget() is screen.dock.rules
    assert screen.dock.rules.textCursor().block().text().startswith("5.1")


# What goes wrong


def test_damaged_settings_are_set_aside_and_told_of(opened: Open, home: Path) -> None:
    home.mkdir(parents=True)
    (home / "settings.json").write_text('{"language": 7', encoding="utf-8")
    from ui.app import Window

    window = Window()
    window.show()
    settle()
    assert "settings.json" in window.banner.text
    assert (home / "settings.json.damaged").exists()
    assert settings.load()[1] is None
    window.close()


@pytest.mark.parametrize(
    "content", [b"", b"\x89PNG\r\n", b'{"tabletop":1', b'{"tabletop":99}\n', b"[" * 5000]
)
def test_a_damaged_file_gets_one_sentence_and_changes_nothing(
    opened: Open, tmp_path: Path, content: bytes
) -> None:
    window = opened()
    screen = begin(window)
    state = screen.sitting.match.state
    file = tmp_path / "broken.tabletop"
    file.write_bytes(content)
    window.open_file(file)
    settle()
    assert "broken.tabletop" in window.banner.text
    assert table(window) is screen
    assert screen.sitting.match.state is state
    assert file.read_bytes() == content


def test_a_save_is_played_on_in_a_copy(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened()
    screen = begin(window)
    pass_on(screen, Luck(6), 4)
    state = screen.sitting.match.state
    target = tmp_path / "evening"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    window.do("save")
    saved = target.with_suffix(".tabletop")
    content = saved.read_bytes()
    assert saved.name in window.banner.text
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(saved), ""))
    window.do("open")
    settle()
    copy = table(window)
    assert copy is not screen
    assert copy.sitting.match.state == state
    pass_on(copy, Luck(6), 1)
    assert saved.read_bytes() == content
    assert copy.sitting.file is not None
    assert copy.sitting.file.parent == folders.matches()


def test_a_full_disk_refuses_the_move_and_shows_a_banner(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened()
    screen = begin(window)
    hold(screen)
    state = screen.sitting.match.state

    def full(journal: Journal, entry: Entry, events: object = ()) -> None:
        raise StorageError('"{file}" cannot be written: the disk is full.', file="x.tabletop")

    monkeypatch.setattr(Journal, "write", full)
    play(screen, Luck(1))
    assert screen.sitting.match.state is state
    assert "the disk is full" in window.banner.text
    assert "the disk is full" in screen.prompt.reason
    monkeypatch.undo()


def test_a_move_is_on_the_disk_before_it_is_shown(opened: Open) -> None:
    window = opened()
    screen = begin(window)
    hold(screen)
    file = screen.sitting.file
    assert file is not None
    seen: list[int] = []
    assert screen.sitting.link is not None
    screen.sitting.link.on_update(lambda _: seen.append(len(read(file).entries)))
    play(screen, Luck(1))
    assert seen == [1]


def test_a_fault_is_a_calm_banner_and_the_match_goes_on(opened: Open) -> None:
    window = opened()
    screen = begin(window)
    hold(screen)
    window.tell_fault()
    settle()
    assert "saved up to the last move" in window.banner.text
    play(screen, Luck(1))


def test_a_report_holds_no_names_no_hidden_cards_and_no_seed(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened()
    screen = begin(window, names=("Hinata-chan", "Kaname-san"))
    pass_on(screen, Luck(6), 4)
    target = tmp_path / "report.zip"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    window.do("report")
    with ZipFile(target) as packed:
        text = "".join(packed.read(name).decode() for name in packed.namelist())
        packed.extract("match.tabletop", tmp_path)
    *_, last = frames(read(tmp_path / "match.tabletop"))
    assert last.state.cards == screen.sitting.view.cards
    assert "Tabletop 0" in text
    assert "Player 1 places" in text
    assert "Hinata-chan" not in text
    assert "Kaname-san" not in text
    assert screen.sitting.match.seed not in text
    hidden = {
        card
        for zone in ("hand/0", "hand/1", "pile", "shield")
        for card in screen.sitting.match.state.cards[zone]
    }
    assert not [card for card in hidden if screen.words.card(card) in text]
    assert str(Path.home()) not in text


def test_a_report_of_a_finished_match_holds_all_of_it(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened()
    screen = begin(window, names=("Hinata-chan", "Kaname-san"))
    hold(screen)
    screen.sitting.concede()
    settle()
    target = tmp_path / "report.zip"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    window.do("report")
    with ZipFile(target) as packed:
        packed.extract("match.tabletop", tmp_path)
    played = replay(read(tmp_path / "match.tabletop"))
    assert screen.sitting.match is not None
    assert played.state == screen.sitting.match.state
    assert [player.name for player in played.players] == ["Player 1", "Player 2"]


# Sizes


@pytest.mark.parametrize("size", [(1024, 600), (1280, 800), (2560, 1440), (3840, 2160)])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_nothing_needed_lies_off_the_screen(
    opened: Open, size: tuple[int, int], language: str
) -> None:
    window = opened(size=size, language=language)
    assert (window.width(), window.height()) == size
    for box in window.shelf.boxes:
        assert box.visibleRegion().boundingRect().size() == box.size()
    click(sun_box(window))
    start = sheet(window).start
    assert start.visibleRegion().boundingRect().size() == start.size()
    click(start)
    screen = table(window)
    hold(screen)
    play(screen, Luck(1))
    assert (window.width(), window.height()) == size
    assert screen.prompt.visibleRegion().boundingRect().size() == screen.prompt.size()
    assert screen.view.rect().contains(screen.prompt.geometry())
    for each in screen.prompt.buttons:
        assert screen.prompt.rect().contains(each.geometry())
    assert QApplication.focusWidget() is not None


def test_the_layout_can_be_put_back(opened: Open) -> None:
    window = opened()
    screen = begin(window)
    hold(screen)
    screen.dock.close()
    window.do("log")
    assert screen.dock.isVisible()
    screen.dock.setFloating(True)
    window.do("reset_layout")
    settle()
    assert not screen.dock.isFloating()
    assert screen.dock.isVisible()
