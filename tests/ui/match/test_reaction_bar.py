"""A chance to react, on one computer: everybody is asked at once, in public."""

from itertools import combinations, count

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.engine.model import AUDIENCE
from tabletop.engine.scratch import FastRng
from tabletop.language.prompt import Prompt, PromptChoice
from tabletop.match.match import Match, Player, Reset, Update
from tabletop.storage import record, settings
from tabletop.storage.record import read, replay
from tests.ui.window_driver import (
    Open,
    button,
    click,
    hold,
    look,
    play,
    settle,
    table,
    until_asked,
)
from ui.app import Window
from ui.match.screen.table_screen import TableScreen
from ui.setup.lineup import MatchSetup

PLAYERS = (Player("Hinata", "sun"), Player("Kaname", "moon"), Player("Botan", "bell"))


def sit(qtbot: QtBot, window: Window, *bots: int) -> TableScreen:
    """Three play Goldfish Night, up to the first turn of who begins."""
    players = tuple(
        Player(p.name, p.symbol, "bot", "random") if seat in bots else p
        for seat, p in enumerate(PLAYERS)
    )
    window.matches.start_match(MatchSetup(catalogue.load("_blank"), players, {}))
    screen = table(window)
    settle()
    for _ in range(20):
        if screen.curtain.is_drawn:
            hold(qtbot, screen)
        elif screen.switch.decision.handover_due:
            click(button(screen.prompt, "Hand over"))
        elif screen.seated.match.state.asks[0].what == "turn":
            return screen
        else:
            first(screen, "gift")
    raise AssertionError("nobody's turn comes")


def first(screen: TableScreen, verb: str) -> None:
    """The first answer of this verb that the viewer may give."""
    seat = screen.switch.shown_seat
    number = next(iter(seat.offers))
    offer = next(offer for offer in seat.offers[number] if offer.verb == verb)
    screen.scene.choice.play(next(offer.moves(number)))
    settle()


def lower_net(qtbot: QtBot, screen: TableScreen) -> int:
    """Let who is at turn scoop, or the first one who can; gives the seat."""
    for _ in range(12):
        look(qtbot, screen)
        seat = screen.switch.shown_seat
        number = screen.switch.active_viewer
        verbs = {offer.verb for offers in seat.offers.values() for offer in offers}
        first(screen, "scoop" if "scoop" in verbs else "leave")
        if "scoop" in verbs:
            return number
    raise AssertionError("nobody has a net")


def texts(screen: TableScreen) -> list[str]:
    return [each.text() for each in screen.prompt.findChildren(QPushButton) if each.isVisible()]


def test_all_are_asked_at_once_and_nobody_looks_at_a_hand(opened: Open, qtbot: QtBot) -> None:
    screen = sit(qtbot, opened())
    scooper = lower_net(qtbot, screen)
    names = [player.name for number, player in enumerate(PLAYERS) if number != scooper]
    assert screen.switch.active_viewer == AUDIENCE
    assert not screen.curtain.is_drawn
    assert screen.prompt.text.startswith("Anyone?")
    assert texts(screen) == [*names, "No one", "Reactions…"]
    seat = screen.switch.shown_seat
    hands = [cards for zone, cards in seat.view.cards.items() if zone.startswith("hand/")]
    assert all(card < 0 for cards in hands for card in cards), "everybody looks at this"


def test_no_one_passes_for_all_and_the_game_goes_on(opened: Open, qtbot: QtBot) -> None:
    screen = sit(qtbot, opened())
    scooper = lower_net(qtbot, screen)
    click(button(screen.prompt, "No one"))
    assert screen.switch.decision.bar.asks == ()
    assert screen.seated.match.state.values["splashed"] == 0
    assert screen.curtain.is_drawn, "the open table needs no further click"
    assert PLAYERS[(scooper + 1) % 3].name in screen.curtain.accessibleName()
    passed = [e.seat for e in screen.seated.match.record[-2:] if e.move and e.move.verb == "pass"]
    assert passed == [seat for seat in range(3) if seat != scooper]
    file = screen.seated.record.file
    assert file is not None
    assert replay(read(file)).state == screen.seated.match.state


def test_a_name_brings_that_players_curtain(opened: Open, qtbot: QtBot) -> None:
    screen = sit(qtbot, opened())
    scooper = lower_net(qtbot, screen)
    one, other = (seat for seat in range(3) if seat != scooper)
    click(button(screen.prompt, PLAYERS[one].name))
    assert screen.curtain.is_drawn
    assert PLAYERS[one].name in screen.curtain.accessibleName()
    hold(qtbot, screen)
    assert screen.switch.active_viewer == one
    first(screen, "pass")
    assert screen.switch.active_viewer == AUDIENCE
    back = f"{PLAYERS[one].name}: undo"
    assert texts(screen) == [PLAYERS[other].name, "No one", back, "Reactions…"]
    click(button(screen.prompt, "No one"))
    assert screen.switch.decision.bar.asks == ()


def test_a_pass_is_taken_back_while_others_still_choose(opened: Open, qtbot: QtBot) -> None:
    screen = sit(qtbot, opened())
    scooper = lower_net(qtbot, screen)
    one, other = (seat for seat in range(3) if seat != scooper)
    click(button(screen.prompt, PLAYERS[one].name))
    hold(qtbot, screen)
    first(screen, "pass")
    click(button(screen.prompt, f"{PLAYERS[one].name}: undo"))
    assert screen.curtain.is_drawn
    assert PLAYERS[one].name in screen.curtain.accessibleName()
    hold(qtbot, screen)
    first(screen, "pass")
    assert [ask.seat for ask in screen.switch.decision.bar.asks] == [other]
    file = screen.seated.record.file
    assert file is not None
    assert replay(read(file)).state == screen.seated.match.state


def wish(screen: TableScreen, **ways: str) -> None:
    """These players choose how they are asked."""
    screen.context.change_settings(reactions=screen.context.settings.reactions | ways)
    settle()


def test_passing_until_ones_turn_leaves_the_bar(opened: Open, qtbot: QtBot) -> None:
    screen = sit(qtbot, opened())
    wish(screen, Hinata="pass", Kaname="pass", Botan="pass")
    scooper = lower_net(qtbot, screen)
    settle()
    passed = [e.seat for e in screen.seated.match.record if e.move and e.move.verb == "pass"]
    assert sorted(passed) == [seat for seat in range(3) if seat != scooper]
    assert screen.switch.active_viewer == scooper, "nobody else looked"


def test_a_short_bar_goes_by_itself_whatever_anybody_holds(opened: Open, qtbot: QtBot) -> None:
    screen = sit(qtbot, opened())
    screen.context.change_settings(reaction="able", reaction_pause=5000)
    scooper = lower_net(qtbot, screen)
    assert screen.switch.active_viewer == scooper, "the bar stands over the table of who looks"
    asked = [PLAYERS[seat].name for seat in range(3) if seat != scooper]
    assert texts(screen) == [*asked, "No one (5 s)", "Reactions…"]
    assert len(screen.switch.decision.bar.asks) == 2
    screen.context.change_settings(reaction_pause=500)
    qtbot.waitUntil(lambda: screen.switch.decision.bar.asks == ())


def test_somebody_can_still_react_on_a_short_bar(opened: Open, qtbot: QtBot) -> None:
    screen = sit(qtbot, opened())
    screen.context.change_settings(reaction="able", reaction_pause=5000)
    scooper = lower_net(qtbot, screen)
    one = next(seat for seat in range(3) if seat != scooper)
    click(button(screen.prompt, PLAYERS[one].name))
    assert screen.curtain.is_drawn
    screen.context.change_settings(reaction_pause=100)
    settle()
    assert one in [ask.seat for ask in screen.seated.match.state.asks], "she has all her time"


def test_the_menu_by_keyboard_changes_one_player_at_once(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = sit(qtbot, window)
    scooper = lower_net(qtbot, screen)
    one = next(seat for seat in range(3) if seat != scooper)
    screen.open_reactions_menu()
    menu = next(each for each in screen.findChildren(QMenu) if each.isVisible())
    for key in [Qt.Key.Key_Down] * one + [Qt.Key.Key_Right, *[Qt.Key.Key_Down] * 3]:
        QTest.keyClick(QApplication.activePopupWidget() or menu, key)
    QTest.keyClick(QApplication.activePopupWidget() or menu, Qt.Key.Key_Return)
    settle()
    assert window.context.settings.reactions == {PLAYERS[one].name: "pass"}
    assert PLAYERS[one].name not in texts(screen)
    assert settings.load()[0].reactions == window.context.settings.reactions, "remembered"


def test_who_was_called_once_is_not_called_in_the_next_window(opened: Open, qtbot: QtBot) -> None:
    screen = sit(qtbot, opened())
    scooper = lower_net(qtbot, screen)
    called = next(seat for seat in range(3) if seat != scooper)
    click(button(screen.prompt, PLAYERS[called].name))
    hold(qtbot, screen)
    first(screen, "pass")
    click(button(screen.prompt, "No one"))
    lower_net(qtbot, screen)
    assert screen.switch.active_viewer == AUDIENCE
    assert screen.prompt.text.startswith("Anyone?")


def dealing_nets() -> str:
    """A seed that deals each seat two nets: one is left to lower, no matter which card is given
    away."""
    kit = catalogue.load("_blank")
    nets = {card for card, face in enumerate(kit.deck) if face.get("strength")}

    def deals(seed: str) -> bool:
        cards = Match(kit, PLAYERS, seed=seed).state.cards
        return all(len(nets.intersection(cards[f"hand/{seat}"])) >= 2 for seat in range(3))

    return next(seed for seed in map(str, count()) if deals(seed))


def test_one_person_among_bots_is_asked_as_always(
    opened: Open, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    # the same bots every time, so that a failure can be repeated
    monkeypatch.setattr("tabletop.table.table_bots.new_seed", lambda ply: "luck")
    seed = dealing_nets()
    monkeypatch.setattr(record, "new_seed", lambda: seed)
    screen = sit(qtbot, opened(), 1, 2)

    def asked() -> bool:
        if any(ask.what == "splash" and ask.seat == 0 for ask in screen.seated.match.state.asks):
            return True
        if screen.switch.shown_seat and screen.switch.shown_seat.offers:
            first(screen, "leave")
        return False

    qtbot.waitUntil(asked)
    assert screen.switch.active_viewer == 0
    assert not screen.prompt.text.startswith("Anyone?")


def test_a_listener_that_fails_at_every_ply_freezes_no_bot(
    opened: Open, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    screen = sit(qtbot, opened(reaction_pause=500), 1, 2)
    match, faults = screen.seated.match, []
    monkeypatch.setattr(
        "tabletop.background.faults.report", lambda fault, work: faults.append(work)
    )

    def broken(message: Update | Reset) -> None:
        raise RuntimeError("broken")

    for viewer in match.viewers:
        match.add_listener(viewer, broken)

    before = len(match.plies)
    while until_asked(qtbot, screen):
        play(screen, FastRng(match.state.ply))
    assert screen.seated.view == match.view(AUDIENCE)
    assert len(faults) == len(match.viewers) * (len(match.plies) - before)


def test_however_many_may_react_every_button_is_on_the_screen(opened: Open, qtbot: QtBot) -> None:
    window = opened(size=(1024, 600))
    names = [f"Somebody number {n} of twelve" for n in range(12)]
    screen = sit(qtbot, window)
    choices = tuple(PromptChoice("call", name) for name in names)
    screen.prompt.show_prompt(Prompt("Anyone? Splash, or let it happen", choices, active=True))
    settle()
    whole = screen.view.rect()
    places = [each.geometry().translated(screen.prompt.pos()) for each in screen.prompt.buttons]
    assert len(places) == 12
    assert all(whole.contains(place) for place in places)
    assert not any(a.intersects(b) for a, b in combinations(places, 2))
