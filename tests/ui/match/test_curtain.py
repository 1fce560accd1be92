"""Between two players of one screen no frame ever shows a card that the one who looks may not see.

Every card in a hand is printed in a colour of its owner alone; then
every frame the window draws is looked at, pixel by pixel.
"""

from itertools import pairwise

import pytest
from PySide6.QtCore import (
    QAbstractAnimation,
    QEvent,
    QObject,
    QPoint,
    Qt,
    QTimer,
    QVariantAnimation,
)
from PySide6.QtGui import QColor, QImage, QKeyEvent, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from tabletop.engine.scratch import FastRng
from tabletop.games.colours import contrast_ratio
from tabletop.games.layout import CARD_HEIGHT
from tabletop.match.match import SYMBOLS, Player
from tabletop.match.viewer_switch import ViewerSwitch
from tests.ui.window_driver import Open, begin, button, click, hold, play, settle, until_open
from ui.app import Window
from ui.match.curtain import Curtain, PublicLine
from ui.match.screen.table_screen import TableScreen
from ui.style.art import CARD_MARGIN_PX
from ui.style.theme import THEMES
from ui.table.items.card_pixmaps import CardPixmaps
from ui.widgets.hold_ring import HOLD_MS

MARKS = (QColor(255, 0, 255), QColor(0, 255, 1))
"""Inks of the cards of seat 0 and of seat 1."""
PLAIN = QColor(128, 128, 128)


class Frames(QObject):
    """Looks at every frame of a window just as it is about to be drawn."""

    def __init__(self, window: Window) -> None:
        super().__init__()
        self.window = window
        self.count = 0
        self.covered = 0
        self.allowed: int | None = None
        self.seen: list[set[int]] = []
        self.faults: list[str] = []
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.UpdateRequest:
            self.look()
        return False

    def hide_when_clicked(self, hand_over: QPushButton) -> None:
        """From this click on no hand may be seen."""

        def hide() -> None:
            self.allowed = None

        hand_over.clicked.connect(hide)

    def look(self) -> set[int]:
        """The owners of the hands in this very frame; anything not allowed is noted."""
        shown = marks(self.window.grab().toImage())
        self.count += 1
        self.covered += not shown
        self.seen.append(shown)
        if shown - {self.allowed}:
            self.faults.append(f"frame {self.count}: hand of {shown}, allowed {self.allowed}")
        return shown


def marks(image: QImage) -> set[int]:
    """The seats whose colour is anywhere in the picture, on a grid finer than any card."""
    pixels = image.convertToFormat(QImage.Format.Format_RGB32)
    wanted = {mark.rgb(): seat for seat, mark in enumerate(MARKS)}
    return {
        wanted[colour]
        for y in range(0, pixels.height(), 5)
        for x in range(0, pixels.width(), 5)
        if (colour := pixels.pixel(x, y)) in wanted
    }


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> list[TableScreen]:
    """Prints the cards in hands in their owners' colours, on the table screen put into the list."""
    screens: list[TableScreen] = []

    def face(prints: CardPixmaps, card: int, width: float, *_: object, **__: object) -> QPixmap:
        colour = PLAIN
        for seat, mark in enumerate(MARKS):
            if screens and card in screens[-1].seated.match.state.cards[f"hand/{seat}"]:
                colour = mark
        picture = QPixmap(
            round(width + 2 * CARD_MARGIN_PX), round(width * CARD_HEIGHT + 2 * CARD_MARGIN_PX)
        )
        picture.fill(colour)
        return picture

    monkeypatch.setattr(CardPixmaps, "face_pixmap", face)
    return screens


def sit(qtbot: QtBot, window: Window, screens: list[TableScreen]) -> tuple[TableScreen, Frames]:
    """A match of two persons, with every frame looked at."""
    frames = Frames(window)
    screen = begin(window)
    screens.append(screen)
    assert screen.curtain.is_drawn
    assert not frames.look()
    frames.allowed = 0
    hold(qtbot, screen)
    assert frames.look() == {0}
    return screen, frames


def to_hand_over(screen: TableScreen, luck: FastRng) -> None:
    """Play until the other one must look."""
    while not screen.switch.decision.handover_due:
        play(screen, luck)


def watch(qtbot: QtBot, screen: TableScreen, frames: Frames, rounds: int) -> None:
    """Hand over so many times with the whole screen drawn again at every step."""
    luck, looking = FastRng(11), 0
    for _ in range(rounds):
        to_hand_over(screen, luck)
        hand_over = button(screen.prompt, "Hand over")
        QTest.mouseMove(screen.view.viewport(), QPoint(600, 600))
        frames.hide_when_clicked(hand_over)
        click(hand_over)
        for _ in range(8):
            frames.window.update()
            settle(10)
        if screen.curtain.is_drawn:
            assert not frames.look()
        looking = 1 - looking
        frames.allowed = looking
        if not screen.curtain.is_drawn:
            return
        hold(qtbot, screen)
        settle(20)
        assert frames.look() == {looking}
        assert screen.switch.active_viewer == looking


def test_no_frame_shows_a_hand_to_the_wrong_eyes(
    opened: Open, marked: list[TableScreen], qtbot: QtBot
) -> None:
    screen, frames = sit(qtbot, opened(), marked)
    watch(qtbot, screen, frames, 6)
    assert not frames.faults
    assert frames.count > 60
    assert frames.covered > 20


def test_the_check_sees_a_curtain_that_falls_too_late(
    opened: Open, marked: list[TableScreen], monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    right = ViewerSwitch._cover

    def late(switch: ViewerSwitch, seat: int) -> None:
        if switch.shown_seat is None:
            right(switch, seat)
            return
        switch._show_viewer(seat)
        QTimer.singleShot(30, switch._screen, lambda: right(switch, seat))

    monkeypatch.setattr(ViewerSwitch, "_cover", late)
    screen, frames = sit(qtbot, opened(), marked)
    watch(qtbot, screen, frames, 1)
    assert any("hand of {1}" in fault for fault in frames.faults)


def test_a_curtain_lifted_too_early_is_caught(
    opened: Open, marked: list[TableScreen], monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    """The last view left under the curtain: it shows for a frame when the curtain goes."""
    right = ViewerSwitch._show_viewer

    def cover(switch: ViewerSwitch, seat: int) -> None:
        switch._following, switch.state = seat, "covered"
        screen.curtain.show_for(screen.seated.players[seat], tuple)

    def build(switch: ViewerSwitch, viewer: int) -> None:
        screen.curtain.hide()
        QTimer.singleShot(30, screen.hot_seat, lambda: right(switch, viewer))

    screen, frames = sit(qtbot, opened(), marked)
    monkeypatch.setattr(ViewerSwitch, "_cover", cover)
    monkeypatch.setattr(ViewerSwitch, "_show_viewer", build)
    to_hand_over(screen, FastRng(11))
    hand_over = button(screen.prompt, "Hand over")
    frames.hide_when_clicked(hand_over)
    click(hand_over)
    frames.allowed = 1
    hold(qtbot, screen)
    qtbot.waitUntil(lambda: any("hand of {0}" in fault for fault in frames.faults))
    qtbot.waitUntil(lambda: screen.switch.active_viewer == 1)


def test_nothing_of_the_last_player_is_left_under_the_curtain(
    opened: Open, marked: list[TableScreen], qtbot: QtBot
) -> None:
    window = opened()
    screen, _ = sit(qtbot, window, marked)
    to_hand_over(screen, FastRng(2))
    hand = screen.seated.match.view(0).cards["hand/0"]
    screen.scene.selection_view.viewed_card_changed.emit(hand[0])
    settle()
    click(button(screen.prompt, "Hand over"))
    assert screen.curtain.is_drawn
    assert screen.switch.shown_seat is None
    assert screen.scene.seat is None
    assert not screen.scene.choice.legal_moves()
    assert screen.dock.moves.action_list.count() == 0
    assert screen.dock.log.list_widget.count() == 0
    assert not QToolTip.isVisible()
    names = [screen.words.card(card) for card in hand]
    assert not [name for name in names if name in all_texts(window)]
    for command in ("undo", "redo", "copy_log", "card", "log", "actions", "end_turn"):
        assert not window.menus.commands[command].isEnabled(), command


def all_texts(window: Window) -> str:
    """Everything a screen reader could read in the window."""
    texts = []
    for widget in window.findChildren(QObject):
        for name in ("text", "toolTip", "accessibleName", "accessibleDescription"):
            read = getattr(widget, name, None)
            if callable(read):
                texts.append(str(read()))
    return "\n".join(texts)


def test_the_curtain_tells_what_everybody_heard_in_names(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window)
    hold(qtbot, screen)
    to_hand_over(screen, FastRng(2))
    click(button(screen.prompt, "Hand over"))
    text = screen.curtain.accessibleDescription()
    assert "Hinata places" in text
    assert "draws" not in text or "draws a card" in text
    assert "you" not in text.lower().replace("your", "")


def test_only_a_fresh_press_held_long_enough_opens(opened: Open, qtbot: QtBot) -> None:
    screen = begin(opened())
    curtain = screen.curtain
    filling = curtain.findChild(QVariantAnimation)
    filling.setDuration(60_000)  # a busy computer may be late with the release
    assert stays(curtain), "no timer opens it"
    click(curtain)
    assert stays(curtain), "a click is too short"
    QTest.mouseDClick(curtain, Qt.MouseButton.LeftButton)
    assert stays(curtain), "a double click is none"
    QTest.keyPress(curtain, Qt.Key.Key_Return)
    assert stays(curtain), "Enter may still be down from the hand-over"
    QTest.keyRelease(curtain, Qt.Key.Key_Return)
    repeated(curtain)
    assert stays(curtain), "a key held since before repeats, it is not pressed"
    QTest.keyPress(curtain, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: filling.currentValue() > 0)
    assert not stays(curtain)
    QTest.keyRelease(curtain, Qt.Key.Key_Space)
    assert stays(curtain), "let go too early"
    filling.setDuration(HOLD_MS)
    QTest.keyPress(curtain, Qt.Key.Key_Space)
    until_open(qtbot, screen)
    QTest.keyRelease(curtain, Qt.Key.Key_Space)


def stays(curtain: Curtain) -> bool:
    """Whether it is drawn, and nothing is on its way that would open it."""
    settle()
    moving = [each.state() for each in curtain.findChildren(QAbstractAnimation)]
    waiting = [each for each in curtain.findChildren(QTimer) if each.isActive()]
    return curtain.is_drawn and set(moving) == {QAbstractAnimation.State.Stopped} and not waiting


def repeated(curtain: QObject) -> None:
    """Space as it comes from a keyboard on which it was pressed before the curtain fell."""
    for _ in range(3):
        QApplication.sendEvent(
            curtain,
            QKeyEvent(
                QEvent.Type.KeyPress,
                Qt.Key.Key_Space,
                Qt.KeyboardModifier.NoModifier,
                " ",
                True,
            ),
        )


def test_the_curtain_covers_the_whole_window_at_every_size(opened: Open) -> None:
    window = opened()
    curtain = begin(window).curtain
    for size in ((1024, 600), (1600, 900), (2560, 1440)):
        window.resize(*size)
        settle()
        assert curtain.mapTo(window, QPoint(0, 0)) == QPoint(0, 0)
        assert curtain.size() == window.size()
        menus = window.menus.geometry().center()
        under = window.childAt(menus)
        assert under is curtain or curtain.isAncestorOf(under), "the menu bar too"
        assert not [
            each for each in rows(curtain) if each.height() < each.minimumSizeHint().height()
        ]


def rows(curtain: Curtain) -> list[QWidget]:
    return [each for each in curtain._shown_rows if each.isVisible()]


def test_the_curtain_goes_with_its_table(opened: Open) -> None:
    window = opened()
    screen = begin(window)
    curtain = screen.curtain
    assert curtain.parent() is window
    window.show_shelf()
    settle()
    assert not curtain.isVisible()
    assert not [each for each in window.children() if isinstance(each, Curtain)]


def test_the_sign_fits_the_window_that_is_laid_out_later(opened: Open) -> None:
    curtain = begin(opened()).curtain
    assert curtain.is_drawn
    for height, side in ((500, 120), (1000, 220)):
        curtain.resize(1000, height)
        badge = curtain._ring.picture
        assert round(badge.height() / badge.devicePixelRatio()) == side


@pytest.mark.parametrize("theme", THEMES)
def test_its_words_are_read_on_every_seats_colour(opened: Open, theme: str) -> None:
    window = opened(theme=theme)
    curtain = begin(window).curtain
    for symbol in SYMBOLS:
        curtain.show_for(Player("Hinata", symbol), lambda: [PublicLine("Kaname waits.", "moon")])
        assert curtain.colour == window.context.seat_colour(symbol)
        assert contrast_ratio(curtain.ink, curtain.colour) >= 4.5
        picture = curtain.grab().toImage()
        for corner in (QPoint(1, 1), QPoint(curtain.width() // 2, 3)):
            near = picture.pixelColor(corner * picture.devicePixelRatio())
            assert all(
                abs(one - other) < 30
                for one, other in zip(near.getRgb(), QColor(curtain.colour).getRgb(), strict=True)
            ), "the seat's colour to the edges"
        middle = picture.pixelColor(QPoint(picture.width() // 2, 3))
        assert middle == QColor(curtain.colour), "bare behind the words"


def test_each_line_has_the_badge_of_whom_it_is_about(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window)
    hold(qtbot, screen)
    to_hand_over(screen, FastRng(2))
    click(button(screen.prompt, "Hand over"))
    names = {"Hinata": "sun", "Kaname": "moon"}
    lines = screen.curtain._lines()
    assert lines
    for line in lines:
        first = next((symbol for name, symbol in names.items() if line.text.startswith(name)), "")
        assert line.symbol == first or not first
    shown = [row.findChildren(QLabel) for row in rows(screen.curtain)]
    assert shown
    for badge, text in shown:
        about = next(line for line in lines if line.text == text.text())
        assert badge.pixmap().isNull() == (not about.symbol)
        assert badge.x() < text.x()


@pytest.mark.parametrize("size", [(1024, 600), (1280, 800)])
def test_no_badge_of_a_line_is_cut(opened: Open, qtbot: QtBot, size: tuple[int, int]) -> None:
    window = opened(size)
    screen = begin(window)
    hold(qtbot, screen)
    to_hand_over(screen, FastRng(2))
    click(button(screen.prompt, "Hand over"))
    curtain = screen.curtain
    line = PublicLine("Hinata lays a card.", "sun")
    curtain._lines = lambda: [line] * 6
    curtain.refresh_appearance()
    settle()
    shown = sorted(rows(curtain), key=QWidget.y)
    assert shown
    for row in shown:
        badge, _ = row.findChildren(QLabel)
        assert badge.geometry().bottom() < row.height()
    tops = [row.y() for row in shown]
    assert all(b - a >= shown[0].height() for a, b in pairwise(tops))
    end = shown[-1].mapTo(curtain, QPoint(0, shown[-1].height())).y()
    assert end <= curtain._how.mapTo(curtain, QPoint(0, 0)).y()
