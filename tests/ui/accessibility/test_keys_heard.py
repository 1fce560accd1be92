"""What the keys do, as a screen reader tells it."""

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.engine.scratch import FastRng
from tabletop.language.prompt import CLOCK, Prompt
from tabletop.language.spoken_text import to_spoken_text
from tabletop.protocol.messages import ChatLine
from tests.storage.corpus import LATEST
from tests.ui.accessibility.reader import name
from tests.ui.window_driver import (
    Open,
    begin,
    hold,
    key,
    page,
    play,
    settle,
    tab_to,
    until_asked,
)
from ui.match.actions_panel import MOVE_ROLE
from ui.match.key_repeat_filter import KeyRepeatFilter
from ui.online.chat import ChatPanel
from ui.online.remote_table import RemoteTable
from ui.rulebook.book import RulebookBrowser
from ui.shell.commands import COMMANDS
from ui.widgets import fields
from ui.widgets.announcer import ScreenReaderAnnouncer
from ui.widgets.form import ChoiceBox
from ui.widgets.notice_bar import NoticeBar

pytestmark = pytest.mark.usefixtures("listening")


@pytest.fixture
def focused(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of what the focus is told to be on, besides what Qt tells itself."""
    told: list[str] = []

    def note(event: QAccessibleEvent) -> None:
        if event.type() is QAccessible.Event.Focus:
            told.append(name(event.accessibleInterface()))

    monkeypatch.setattr(QAccessible, "updateAccessibility", note)
    return told


def heard_of(announcer: ScreenReaderAnnouncer) -> list[str]:
    heard: list[str] = []
    announcer.spoken.connect(heard.append)
    return heard


def focus() -> object:
    return QApplication.focusWidget()


def test_a_list_tells_its_line_as_the_keys_come_to_it(
    opened: Open, qtbot: QtBot, focused: list[str]
) -> None:
    window = opened()
    screen = begin(window, 1)
    assert until_asked(qtbot, screen)
    window.menus.commands["actions"].trigger()
    lines = screen.dock.moves.action_list
    settle()
    role = Qt.ItemDataRole.AccessibleTextRole
    assert lines.item(0).data(role) in focused
    assert lines.item(0).isSelected()
    key(Qt.Key.Key_Down)
    screen.view.setFocus()
    focused.clear()
    tab_to(lambda widget: widget is lines)
    settle()
    assert lines.item(1).data(role) in focused


def test_the_list_of_moves_is_said_again_and_takes_digits(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window, 1)
    assert until_asked(qtbot, screen)
    window.menus.commands["actions"].trigger()
    moves = screen.dock.moves
    settle()
    heard = heard_of(moves._announcer)
    window.menus.commands["actions"].trigger()
    assert heard == [moves.action_list.item(0).data(Qt.ItemDataRole.AccessibleTextRole)]
    digits: list[int] = []
    moves.action_list.digit_pressed.connect(digits.append)
    key(Qt.Key.Key_2)
    assert digits == [1]


def test_a_closed_drop_down_tells_what_was_chosen(
    qtbot: QtBot, focused: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fields, "ANNOUNCES_CHOICES", True)
    box = ChoiceBox(("slow", "fast"))
    box.set_texts(("Slow", "Fast"))
    qtbot.addWidget(box)
    box.show()
    box.setCurrentIndex(1)
    settle()
    assert focused == [], "nobody is at it"
    box.setFocus()
    box.activateWindow()
    qtbot.waitUntil(box.hasFocus)
    QTest.keyClick(box, Qt.Key.Key_Up)
    qtbot.waitUntil(lambda: focused == ["Slow"])


def test_f10_opens_the_menus_also_from_a_field(opened: Open) -> None:
    window = opened()
    window.run_command("join")
    assert window.online.join_screen.code.hasFocus()
    key(Qt.Key.Key_F10)
    assert window.menus.activeAction() is window.menus.actions()[0]
    opened_menu = QApplication.activePopupWidget()
    assert opened_menu is window.menus.actions()[0].menu()
    opened_menu.close()


def test_one_press_of_space_opens_a_curtain(opened: Open, qtbot: QtBot) -> None:
    screen = begin(opened())
    curtain = screen.curtain
    assert curtain.is_drawn
    assert "Press Space to open." in curtain.description
    key(Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not curtain.is_drawn)


class Noted(QObject):
    """What a screen reader is told of keys, as Qt tells it before the window has them."""

    def __init__(self) -> None:
        super().__init__()
        self.presses: list[bool] = []
        """Whether each repeated the one before."""
        QApplication.instance().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.KeyPress:
            self.presses.append(event.isAutoRepeat())
        return False


def test_a_key_held_on_the_curtain_stops_a_reader_once(opened: Open, qtbot: QtBot) -> None:
    screen, noted = begin(opened()), Noted()
    space = Qt.Key.Key_Space
    QTest.keyPress(screen.curtain, space)
    QTest.keyRelease(screen.curtain, space)  # some desktops repeat a key like this
    QTest.keyPress(screen.curtain, space)
    qtbot.waitUntil(lambda: not screen.curtain.is_drawn)
    again = QKeyEvent(QEvent.Type.KeyPress, space, Qt.KeyboardModifier.NoModifier, " ", True)
    QApplication.sendEvent(screen.view, again)
    assert noted.presses == [False]
    QTest.keyRelease(screen.view, space)
    qtbot.waitUntil(lambda: not QApplication.instance().findChildren(KeyRepeatFilter))
    QTest.keyPress(screen.view, space)
    assert len(noted.presses) > 1, "only what was held on the curtain"


def test_the_score_is_said(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window, 1)
    assert until_asked(qtbot, screen)
    heard = heard_of(screen.spoken.announcer)
    window.menus.commands["score"].trigger()
    assert len(heard) == 1
    assert all(row.text() in heard[0] for row in screen.dock.race.rows)
    assert len(screen.dock.race.rows) == 2


def test_every_command_that_shows_something_says_it(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window, 1)
    assert until_asked(qtbot, screen)
    heard = heard_of(screen.spoken.announcer)
    play(screen, FastRng("now"))
    assert until_asked(qtbot, screen)
    screen.dock.card.show_card(screen.seated.view.cards["hand/0"][0])
    acts = screen.dock.now.story.shown.acts
    assert acts
    for _ in range(3):  # also while the tab is open
        heard.clear()
        window.menus.commands["now"].trigger()
        assert len(heard) == 1
        assert heard[0].startswith("Since your last turn. ")
        assert all(
            to_spoken_text(screen.dock.now.story.text_of(act), screen.words) in heard[0]
            for act in acts
        )
    last = screen.words.log_line(screen.switch.shown_seat.log[-1], 0)
    expected = {
        "card": screen.dock.card.spoken_text,
        "log": to_spoken_text(last, screen.words),
        "zoom_in": "120%",
        "zoom_usual": "100%",
        "copy_log": "Copied",
    }
    for command, text in expected.items():
        heard.clear()
        window.menus.commands[command].trigger()
        assert len(heard) == 1, command
        assert text in heard[0]


def test_a_list_that_stays_the_same_is_not_touched(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window, 1)
    assert until_asked(qtbot, screen)
    window.menus.commands["actions"].trigger()
    first = screen.dock.moves.action_list.item(0)
    screen.refresh()
    assert screen.dock.moves.action_list.item(0) is first
    play(screen, FastRng("list"))
    assert until_asked(qtbot, screen)
    shown = [item.data(MOVE_ROLE) for item in screen.dock.moves.action_list.all_items()]
    assert [move for move in shown if move is not None][:1] == screen.scene.choice.legal_moves()[:1]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_what_orca_leaves_out_of_a_page_is_its_name(opened: Open, language: str) -> None:
    window = opened(language=language)
    told = name(QAccessible.queryAccessibleInterface(page(window, "shortcuts")._roll))
    for command in COMMANDS.values():
        assert window.context.words(command.text) in told or not command.keys
    credits = name(QAccessible.queryAccessibleInterface(page(window, "about")._roll))
    chains = catalogue.load("chains")
    assert window.context.game_words(chains)(chains.box.title) in credits
    published = "The rules belong to their authors"
    assert published not in credits, "it is read with the screen"


@pytest.mark.parametrize("table", [True, False])
def test_the_rules_are_read_by_the_arrows(opened: Open, qtbot: QtBot, table: bool) -> None:
    window = opened()
    if table:
        hold(qtbot, begin(window))
    window.run_command("rules")
    qtbot.waitUntil(lambda: isinstance(focus(), RulebookBrowser))
    book = focus()
    before = book.textCursor().position()
    key(Qt.Key.Key_Down)
    assert book.textCursor().position() > before


def test_a_replay_says_each_step(opened: Open, tmp_path: Path) -> None:
    window = opened()
    window.open_file(Path(shutil.copy(LATEST / "sun-2.tabletop", tmp_path / "film.tabletop")))
    settle()
    screen = window.replays.screen
    heard = heard_of(screen.spoken.announcer)
    for step in range(1, 9):
        key(Qt.Key.Key_Right)
        assert len(heard) == step
        assert heard[-1].endswith(screen.comment_bar.comment)
        assert to_spoken_text(screen.comment_bar.text, screen.words) in heard[-1]
    assert len(set(heard)) > 6
    key(Qt.Key.Key_V)
    assert heard[-1] == screen._eyes(screen.seat.viewer)
    window.menus.commands["tell"].trigger()
    assert screen.spoken.report is not None
    assert heard[-1] == screen.words.sentences(screen.spoken.report.plain_text.splitlines())
    screen.spoken.report.close()


def test_a_chat_says_what_others_say(opened: Open) -> None:
    remote = RemoteTable()
    panel = ChatPanel(opened().context, remote)
    heard = heard_of(panel.announcer)
    remote.guest.receive(ChatLine(-1, "Well played"))
    assert heard == ["A spectator: Well played"]
    panel.deleteLater()
    remote.close()


def test_a_notice_is_said_once_however_its_clock_runs(opened: Open) -> None:
    window = opened()
    bar = NoticeBar(window.context, window)
    heard = heard_of(bar.announcer)
    lost = "The line is lost: {} left."
    for seconds in (12, 11, 10):
        bar.show_prompt(Prompt(lost.format(CLOCK), notice=True, seconds=seconds))
    assert heard == [lost.format("12 seconds")]
    bar.show_prompt(None)
    bar.show_prompt(Prompt(lost.format(CLOCK), notice=True, seconds=30))
    assert len(heard) == 2
