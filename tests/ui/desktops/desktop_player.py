"""The real program on a real desktop, played by the desktop's own pointer and keys (xdotool).

    python -m tests.ui.desktops.desktop_player menu|drag|name

The window fills the display, so that its points are the display's. The last line on standard output
says that all went well; an error ends it.
"""

import subprocess
import sys
import time
from collections.abc import Callable

from PySide6.QtCore import QPoint
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication, QMenuBar, QWidget

from tabletop.catalogue import catalogue
from tabletop.engine.model import Move
from tests.ui.window_driver import middle, point_on, sheet
from ui.app import Window
from ui.match.screen.table_screen import TableScreen
from ui.shell.application import create_application
from ui.shell.input_method import reach_fcitx
from ui.widgets.text_fields import TextField

WELL = "all went well"
PATIENCE = 120
"""Seconds after which what is waited for does not come."""
AGAIN = 4
"""Seconds after which an act without effect is done once more."""
STEPS = 12
KEYS, KANA, NAME = "hana", "はな", "花"
"""What is typed for a name, what it is first, and what it becomes."""


def do(*words: object) -> None:
    """Let the desktop do this."""
    subprocess.run(["xdotool", *map(str, words)], check=True)
    for _ in range(5):
        QApplication.processEvents()
        time.sleep(0.01)  # the events come through another process


def until(true: Callable[[], object], what: str, act: Callable[[], object] | None = None) -> None:
    """Wait for it. Where an act leads to it, do that first, and again each few seconds: a place may
    move as it is pressed, and a desktop that has just begun loses events."""
    begun = time.monotonic()
    acted = 0
    while not true():
        passed = time.monotonic() - begun
        if passed > PATIENCE:
            raise AssertionError(f"this never came: {what}; {where_we_are()}")
        if act is not None and passed >= acted * AGAIN:
            act()
            acted += 1
        QApplication.processEvents()
        time.sleep(0.01)


def where_we_are() -> str:
    """What has the keys and what the pointer, for an error."""
    window, focus = QApplication.activeWindow(), QApplication.focusWidget()
    under = QApplication.widgetAt(QCursor.pos())
    return f"active {window}, {window and window.geometry()}; keys {focus}; pointer {under}"


def at(widget: QWidget, point: QPoint) -> tuple[int, int]:
    """A point of a widget as one of the display."""
    place = widget.mapTo(widget.window(), point)
    return place.x(), place.y()


def click(widget: QWidget) -> None:
    """Click on the middle of a widget."""
    do("mousemove", *at(widget, widget.rect().center()))
    do("click", 1)


def opened() -> Window:
    reach_fcitx()
    create_application(["tabletop"])
    window = Window()
    window.showFullScreen()
    until(window.isActiveWindow, "the window is active")
    display = window.screen().size()
    until(lambda: window.size() == display, "the window fills the display")
    # weston may count the pointer's moves from a place of its own; in a corner both meet
    do("mousemove", display.width() - 1, display.height() - 1)
    do("mousemove", 0, 0)
    do("mousemove", 640, 600)
    until(lambda: window.menuBar().is_auto_hidden, "the menu bar leaves the whole window")
    return window


def open_a_menu() -> None:
    """A game is begun, and a menu opened and closed."""
    window = opened()
    window.matches.start_bot_match(catalogue.load("sun"))
    screen = window.table
    assert screen is not None
    until(lambda: screen.switch.shown_seat.offers, "the player is asked")
    bar = window.menuBar()
    until(
        lambda: not bar.is_auto_hidden,
        "the upper edge brings the menu bar",
        lambda: do("mousemove", 640, 300, "mousemove", 640, 0),
    )
    until(QApplication.activePopupWidget, "a menu opens", lambda: click_first_menu(bar))
    until(
        lambda: QApplication.activePopupWidget() is None,
        "the menu closes",
        lambda: do("key", "Escape"),
    )
    window.close()


def click_first_menu(bar: QMenuBar) -> None:
    do("mousemove", *at(bar, bar.actionGeometry(bar.actions()[0]).center()))
    do("click", 1)


def drag_a_card() -> None:
    """A game is begun, and a card dragged to its place."""
    window = opened()
    window.context.change_settings(animation="off")
    window.matches.start_bot_match(catalogue.load("sun"))
    screen = window.table
    assert screen is not None
    seat = screen.switch.shown_seat
    until(lambda: seat.offers and not screen.switch.is_animating, "the player is asked")
    move = next(move for move in screen.scene.choice.legal_moves() if move.cards and move.target)
    played = len(screen.seated.match.record)
    until(lambda: lifted(window, screen, move), "the card is in the hand")
    do("mouseup", 1)
    until(lambda: len(screen.seated.match.record) > played, "the move counts")
    window.close()


def lifted(window: Window, screen: TableScreen, move: Move) -> bool:
    """Drag the card of a move over its place; whether it came along. The table may be laid out anew
    meanwhile, as the menu bar comes and goes."""
    until(lambda: window.menuBar().is_auto_hidden, "the table has the whole window")
    start, end = point_on(screen, move.cards[0]), middle(screen, move.target)
    port = screen.view.viewport()
    do("mousemove", *at(port, start))
    do("mousedown", 1)
    for step in range(1, STEPS + 1):
        do("mousemove", *at(port, start + (end - start) * step / STEPS))
    late = time.monotonic() + 5
    while screen.scene.gesture.carried_card is None and time.monotonic() < late:
        QApplication.processEvents()
        time.sleep(0.01)
    if screen.scene.gesture.carried_card is None:
        do("mouseup", 1)
        do("key", "Escape")
        return False
    return True


def type_a_name() -> None:
    """A Japanese name is typed by an input method, and counts while it is composed."""
    window = opened()
    window.show_new_game(catalogue.load("sun"))
    setup = sheet(window)
    card = setup.seats.rows[0]
    card.kind.person.click()
    card.field.clear()
    until(card.field.hasFocus, "the field has the keys", lambda: click(card.field))
    assert not setup.start_button.isEnabled(), "a name is missing"
    subprocess.run(["fcitx5-remote", "-o"], check=False)
    until(lambda: typed(card.field), "the name is composed")
    assert setup.start_button.isEnabled(), "what is composed counts"
    do("key", "space")
    do("key", "Return")
    until(lambda: not card.field.preedit_text, "the name is committed")
    assert card.field.text() == NAME
    window.close()


def typed(field: TextField) -> bool:
    """Type the name's kana; whether the input method takes them. One that has just begun lets the
    first keys pass."""
    field.clear()
    do("type", "--delay", 80, KEYS)
    end = time.monotonic() + 2
    while field.text() != KANA and time.monotonic() < end:
        QApplication.processEvents()
        time.sleep(0.01)
    if field.text() != KANA and field.preedit_text:
        do("key", "Escape", "Escape")
    return field.text() == KANA


if __name__ == "__main__":
    {"menu": open_a_menu, "drag": drag_a_card, "name": type_a_name}[sys.argv[1]]()
    print(WELL, flush=True)
