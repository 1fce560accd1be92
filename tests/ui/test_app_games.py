"""Whole games of the other boxes through the window, from the shelf to the score sheet."""

import pytest
from at_window import (
    Open,
    button,
    click,
    drag,
    home,
    opened,
    play_whole,
    settle,
    sheet,
    table,
    until_open,
)
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tabletop.engine.model import Offer
from tabletop.engine.scratch import Luck
from ui.app import Window
from ui.screens.box import Box
from ui.screens.table import TableScreen

__all__ = ["home", "opened"]

NAMES = ("Hinata", "Kaname", "Shizuku", "Tsubasa")


def seat(window: Window, game: str, seats: int) -> TableScreen:
    """From the shelf to a table of so many, with the mouse."""
    click(next(box for box in window.shelf.boxes if box.kit.id == game))
    while len(sheet(window).places.cards) < seats:
        click(button(sheet(window), "Add a seat"))
    while len(sheet(window).places.cards) > seats:
        click(sheet(window).places.cards[-1].away_button)
    for name, card in zip(NAMES, sheet(window).places.cards, strict=False):
        card.name.setText(name)
    assert len(sheet(window).places.cards) == seats
    click(sheet(window).start)
    return table(window)


def offers_now(screen: TableScreen) -> tuple[Offer, ...]:
    link = screen.sitting.link
    assert link is not None
    return next(iter(link.offers.values()))


def middle(screen: TableScreen, zone: str) -> QPoint:
    rect = screen.scene.stage.rect(zone)
    assert rect is not None, f"{zone} is nowhere on the table"
    return screen.view.mapFromScene(rect.center())


def move_by_mouse(screen: TableScreen, luck: Luck) -> None:
    """One answer with the mouse: a card dragged, or a click on a place that needs no card."""
    offers = offers_now(screen)
    offer = offers[luck.below(len(offers))]
    before = screen.sitting.match.state.ply
    zone = offer.targets[luck.below(len(offer.targets))]
    if offer.cards:
        drag(screen, offer.cards[luck.below(len(offer.cards))], zone)
    else:
        click(screen.view.viewport(), middle(screen, zone))
    assert screen.sitting.match.state.ply == before + 1, (offer, zone, screen.prompt.reason)


def told(screen: TableScreen) -> str:
    """What the log says, a line for each."""
    log = screen.dock.log.shown
    return "\n".join(log.item(row).text() for row in range(log.count()))


@pytest.mark.parametrize("seats", [2, 4])
def test_planetary_sisters_with_the_mouse(opened: Open, seats: int) -> None:
    window = opened()
    screen = seat(window, "sisters", seats)
    curtains = play_whole(screen, move_by_mouse, Luck(seats))
    assert curtains > 20, "hands are secret"
    assert screen.sheet.isVisible()
    assert "House, food lovers: Hinata" in told(screen)
    result = screen.sitting.match.state.result
    assert result is not None
    assert len(result.sheet) == 12
    click(button(screen.sheet, "Back to the shelf"))
    assert window.table is None


@pytest.mark.parametrize("seats", [1, 3])
def test_chains_with_the_mouse(opened: Open, seats: int) -> None:
    window = opened()
    screen = seat(window, "chains", seats)
    curtains = play_whole(screen, move_by_mouse, Luck(seats))
    assert curtains == 0, "nothing is hidden from anybody"
    assert screen.sheet.isVisible()
    assert "links 10" in told(screen)
    click(button(screen.sheet, "Back to the shelf"))
    assert window.table is None


# The keyboard


def key(code: Qt.Key, *, ctrl: bool = False) -> None:
    """A key to whatever has the focus."""
    focus = QApplication.focusWidget()
    assert focus is not None, "the keyboard acts nowhere"
    modifier = Qt.KeyboardModifier.ControlModifier if ctrl else Qt.KeyboardModifier.NoModifier
    QTest.keyClick(focus, code, modifier)
    settle()


def seat_by_keys(window: Window, game: str) -> TableScreen:
    """From the shelf to a table of as few as can play."""
    window.activateWindow()
    for _ in range(12):
        focus = QApplication.focusWidget()
        if isinstance(focus, Box) and focus.kit.id == game:
            break
        key(Qt.Key.Key_Tab)
    key(Qt.Key.Key_Return)
    for _ in range(30):
        if QApplication.focusWidget() is sheet(window).start:
            break
        key(Qt.Key.Key_Tab)
    key(Qt.Key.Key_Return)
    return table(window)


def open_by_space(screen: TableScreen) -> None:
    assert QApplication.focusWidget() is screen.curtain
    QTest.keyPress(screen.curtain, Qt.Key.Key_Space)
    until_open(screen)
    QTest.keyRelease(screen.curtain, Qt.Key.Key_Space)
    settle()


def lay_by_keys(screen: TableScreen, luck: Luck) -> None:
    """The n-th card, arrows to a place of the field, Enter."""
    before = screen.sitting.match.state.ply
    hand = len(offers_now(screen)[0].cards)
    key(Qt.Key(Qt.Key.Key_1.value + luck.below(min(hand, 9))))
    for _ in range(luck.below(4)):
        key(Qt.Key.Key_Right)
    key(Qt.Key.Key_Return)
    assert screen.sitting.match.state.ply == before + 1


def act_by_list(screen: TableScreen, luck: Luck) -> None:
    """One of the legal actions, which are sentences in a list."""
    before = screen.sitting.match.state.ply
    key(Qt.Key.Key_L, ctrl=True)
    for _ in range(luck.below(3)):
        key(Qt.Key.Key_Down)
    key(Qt.Key.Key_Return)
    assert screen.sitting.match.state.ply == before + 1


@pytest.mark.parametrize(("game", "act"), [("sisters", lay_by_keys), ("chains", act_by_list)])
def test_a_whole_game_with_the_keyboard_alone(opened: Open, game: str, act: object) -> None:
    window = opened()
    screen = seat_by_keys(window, game)
    luck = Luck(game)
    assert callable(act)
    while not screen.sitting.over:
        if screen.hand_over.due:
            key(Qt.Key.Key_Return, ctrl=True)
        if screen.curtain.drawn:
            open_by_space(screen)
        act(screen, luck)
    settle()
    assert screen.sheet.isVisible()
    for _ in range(8):
        focus = QApplication.focusWidget()
        if focus is not None and getattr(focus, "text", str)() == "Back to the shelf":
            break
        key(Qt.Key.Key_Tab)
    key(Qt.Key.Key_Return)
    assert window.table is None
