"""Whole games as people play them: one with the mouse alone, one with the keyboard alone."""

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tabletop.engine.model import Offer
from tabletop.engine.scratch import FastRng
from tests.ui.window_driver import (
    Open,
    begin,
    button,
    click,
    drag,
    hold,
    key,
    leave_by_keys,
    offers_now,
    play_whole,
    point_on,
    press_choice,
    seat_by_keys,
    settle,
)
from ui.match.screen.table_screen import TableScreen


def move_by_mouse(screen: TableScreen, luck: FastRng) -> None:
    """One answer with the mouse: by dragging a card, or by a button of the prompt line."""
    offers = offers_now(screen)
    offer = offers[luck.below(len(offers))]
    before = screen.seated.match.state.ply
    match offer.verb:
        case "place":
            zone = offer.targets[luck.below(len(offer.targets))]
            drag(screen, offer.cards[0], zone)
            if len(offer.choices) > 1:
                assert screen.seated.match.state.ply == before, "the choice is still open"
                press_choice(screen, luck.below(len(offer.choices)))
        case "squads":
            for card, spot in zip(offer.cards, offer.spots, strict=False):
                drag(screen, card, spot)
            click(button(screen.prompt, "Send out the squads"))
        case _:
            text = {"acquire": "Acquire the card", "analyse": "Analyse the shield"}[offer.verb]
            click(button(screen.prompt, text))
    assert screen.seated.match.state.ply == before + 1, (offer, screen.prompt.reason)


def test_a_whole_game_between_two_people_with_the_mouse_alone(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window)
    assert play_whole(qtbot, screen, move_by_mouse, FastRng(21)) > 20
    assert screen.ending.sheet.isVisible()
    click(button(screen.ending.sheet, "Back to the shelf"))
    assert window.table is None


def test_a_wrong_drop_glides_home_says_why_and_changes_nothing(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window)
    hold(qtbot, screen)
    state, entries = screen.seated.match.state, len(screen.seated.match.record)
    card = offers_now(screen)[0].cards[0]
    home_spot = point_on(screen, card)
    drag(screen, card, "grid/1,1")
    assert "The ghost is in the centre" in screen.prompt.reason
    assert 'href="5.1"' in screen.prompt.reason
    assert screen.seated.match.state is state
    assert len(screen.seated.match.record) == entries
    assert point_on(screen, card) == home_spot
    screen.prompt.rule_requested.emit("5.1")
    settle()
    assert screen.dock.rules.reader.browser.textCursor().block().text().startswith("5.1")


# The keyboard


def move_by_keys(screen: TableScreen, luck: FastRng) -> None:
    """One answer with the keyboard alone."""
    offers = offers_now(screen)
    before = screen.seated.match.state.ply
    if offers[0].verb == "place":
        for number in range(6):
            key(Qt.Key(Qt.Key.Key_1.value + number))
            for _ in range(4):
                if screen.seated.match.state.ply > before:
                    return
                key(Qt.Key.Key_Return)
            if screen.seated.match.state.ply > before:
                return
            key(Qt.Key.Key_Escape)
    elif offers[0].verb == "squads" and luck.below(3):
        squads_by_keys(screen, offers)
    else:
        key(Qt.Key.Key_L, ctrl=True)
        if luck.below(2):
            key(Qt.Key.Key_Down)
        key(Qt.Key.Key_Return)
    assert screen.seated.match.state.ply == before + 1, offers


def squads_by_keys(screen: TableScreen, offers: tuple[Offer, ...]) -> None:
    """Lay the first card of what is left in the hand out, until the squads are whole."""
    whole = max(offer.most for offer in offers)
    for laid in range(1, whole + 1):
        key(Qt.Key.Key_1)
        arrangement = screen.scene.choice.multi_selection.draft
        assert len(arrangement.cards) == laid, "no card that lies there is picked up again"
    key(Qt.Key.Key_Return, ctrl=True)


def test_a_whole_game_with_the_keyboard_alone_from_the_shelf(
    opened: Open,
    qtbot: QtBot,
) -> None:
    window = opened()
    screen = seat_by_keys(window, "sun")
    luck = FastRng(5)
    play_whole(qtbot, screen, move_by_keys, luck, keys=True)
    settle()
    assert screen.ending.sheet.isVisible()
    leave_by_keys(window)
