"""Whole games of the other boxes through the window, from the shelf to the score sheet."""

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.engine.scratch import Luck
from tests.ui.window_driver import (
    NAMES,
    Open,
    button,
    click,
    drag,
    key,
    leave_by_keys,
    middle,
    offers_now,
    play_whole,
    seat_by_keys,
    settle,
    sheet,
    table,
)
from ui.app import Window
from ui.match.screen.table_screen import TableScreen


def seat(window: Window, game: str, seats: int) -> TableScreen:
    """From the shelf to a table of so many, with the mouse."""
    click(next(box for box in window.shelf.boxes if box.kit.id == game))
    if len(catalogue.load(game).box.seats) > 1:
        click(button(sheet(window), str(seats)))
    for name, card in zip(NAMES, sheet(window).places.cards, strict=False):
        click(card.person)
        card.name.setText(name)
    assert len(sheet(window).places.cards) == seats
    click(sheet(window).start)
    return table(window)


def move_by_mouse(screen: TableScreen, luck: Luck) -> None:
    """One answer with the mouse: a card dragged, or a click on a place that needs no card."""
    offers = offers_now(screen)
    offer = offers[luck.below(len(offers))]
    before = screen.seats_here.match.state.ply
    zone = offer.targets[luck.below(len(offer.targets))]
    if offer.cards:
        drag(screen, offer.cards[luck.below(len(offer.cards))], zone)
    else:
        click(screen.view.viewport(), middle(screen, zone))
    assert screen.seats_here.match.state.ply == before + 1, (offer, zone, screen.prompt.reason)


def told(screen: TableScreen) -> str:
    """Return the text of the log, a line for each entry."""
    screen.dock.log.show_early()
    log = screen.dock.log.shown
    return "\n".join(log.item(row).text() for row in range(log.count()))


def test_planetary_sisters_with_the_mouse(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = seat(window, "sisters", 4)
    curtains = play_whole(qtbot, screen, move_by_mouse, Luck(4))
    assert curtains > 20, "hands are secret"
    assert screen.sheet.isVisible()
    assert "House, food lovers: Hinata" in told(screen)
    result = screen.seats_here.match.state.result
    assert result is not None
    assert len(result.sheet) == 12
    click(button(screen.sheet, "Back to the shelf"))
    assert window.table is None


# The keyboard


def lay_by_keys(screen: TableScreen, luck: Luck) -> None:
    """The n-th card, arrows to a place of the field, Enter."""
    before = screen.seats_here.match.state.ply
    hand = len(offers_now(screen)[0].cards)
    key(Qt.Key(Qt.Key.Key_1.value + luck.below(min(hand, 9))))
    for _ in range(luck.below(4)):
        key(Qt.Key.Key_Right)
    key(Qt.Key.Key_Return)
    assert screen.seats_here.match.state.ply == before + 1


def test_a_whole_game_with_the_keyboard_alone(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = seat_by_keys(window, "sisters")
    play_whole(qtbot, screen, lay_by_keys, Luck("sisters"), keys=True)
    settle()
    assert screen.sheet.isVisible()
    leave_by_keys(window)
