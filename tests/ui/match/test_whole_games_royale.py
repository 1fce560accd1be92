"""Whole games of Sister Royale through the window: by mouse, and twelve at a table.

By default the last turns of the shortest variant, opened as a save; `TABLETOP_LONG=1` plays the
full game from its deal.
"""

import os
from pathlib import Path

from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.engine.model import AUDIENCE, Move
from tabletop.engine.scratch import Luck
from tabletop.match.match import Match, Player
from tabletop.match.reactions import PASS
from tabletop.storage.record import read, replay, save_as
from tests.games.royale.players import greedy
from tests.ui.window_driver import (
    NAMES,
    Open,
    button,
    click,
    hold,
    middle,
    point_on,
    press_choice,
    settle,
    table,
)
from ui.app import Window
from ui.match.questions import button_text
from ui.match.screen.table_screen import TableScreen
from ui.setup.lineup import Agreed

LONG = bool(os.environ.get("TABLETOP_LONG"))
LENGTH = "21" if LONG else "4"
LAST = 4
"""The turn from which a short game is played."""
SYMBOLS = (
    *("sun", "moon", "leaf", "flower", "wave", "bell"),
    *("crane", "gem", "fan", "key", "star", "cloud"),
)


def begin(window: Window, folder: Path, persons: int, bots: int = 0) -> TableScreen:
    """A new game; or, where it is to be short, one of which only the last turns are left."""
    names = [*NAMES, *(f"Player {n}" for n in range(12))]
    kit = catalogue.load("royale")
    players = tuple(
        Player(names[seat], SYMBOLS[seat], *(("person",) if seat < persons else ("bot", "random")))
        for seat in range(persons + bots)
    )
    if LONG:
        window.matches.begin(Agreed(kit, players, {"length": LENGTH}))
    else:
        match = Match(kit.game, kit.backs, players, {"length": LENGTH}, "festival")
        while match.state.values["turn"] < LAST:
            (ask,) = match.state.asks
            luck = Luck(match.state.ply)
            match.submit(ask.seat, greedy(match.state, ask, match.offers(ask.seat)[ask.id], luck))
        save_as(match, folder / "begun.tabletop")
        window.open_file(folder / "begun.tabletop")
    settle()
    return table(window)


def wanted(screen: TableScreen) -> Move:
    """Return the answer of a greedy player."""
    link = screen.seats_here.link
    assert link is not None
    ask = next(ask for ask in link.view.asks if ask.id in link.offers)
    return greedy(link.view, ask, link.offers[ask.id], Luck(f"{link.view.ply}/{ask.id}"))


def visible(screen: TableScreen, text: str) -> QPushButton | None:
    """The button that says this; it may tell a chance as well."""
    shown = [b for b in screen.prompt.buttons if b.isVisible()]
    return next((b for b in shown if b.text().split(" · ")[0] == text), None)


def by_mouse(screen: TableScreen, move: Move) -> None:
    """A button of the prompt line; a place; a card and then its place; several cards, and send."""
    link = screen.seats_here.link
    assert link is not None
    view, scene = screen.view.viewport(), screen.scene
    text = screen.words.move(move, link.seat, link.view)
    if not move.cards and (found := visible(screen, text)):
        click(found)
        return
    several = any(o.verb == move.verb and o.most > 1 for o in link.offers[move.ask])
    for card in move.cards:
        click(view, point_on(screen, card))
    if several:
        click(button(screen.prompt, button_text(screen.seats_here.kit, screen.words, move.verb)))
        return
    if move.target:
        click(view, middle(screen, move.target))
    elif move.cards and scene.chooser is None:
        click(view, point_on(screen, move.cards[0]))
    if scene.chooser is not None:
        press_choice(screen, [option.move for option in scene.chooser.options].index(move))


def react(screen: TableScreen) -> None:
    """The public bar: who wants to react is called, otherwise nobody."""
    seats_here = screen.seats_here
    for asked in seats_here.reactions.bar.asks:
        ask = next((a for a in seats_here.match.state.asks if a.seat == asked.seat), None)
        if ask is None:
            continue
        view, offers = seats_here.match.view(ask.seat), seats_here.match.offers(ask.seat)[ask.id]
        if greedy(view, ask, offers, Luck(f"{view.ply}/{ask.id}")).verb != PASS:
            click(button(screen.prompt, seats_here.players[ask.seat].name))
            return
    click(next(each for each in screen.prompt.buttons if each.text().startswith("No one")))


def play(qtbot: QtBot, screen: TableScreen) -> int:
    """A whole game; gives how often the curtain fell."""
    seats_here, curtains = screen.seats_here, 0

    def stands() -> tuple[int, int, bool]:
        return len(seats_here.match.record), seats_here.looking, screen.curtain.drawn

    def due() -> bool:
        return (
            screen.curtain.drawn
            or (bool(seats_here.reactions.bar.asks) and seats_here.looking == AUDIENCE)
            or screen.hand_over.due
            or (seats_here.link is not None and bool(seats_here.link.offers))
            or seats_here.over
        )

    while not seats_here.over:
        settle()  # the prompt line shows it once everybody has received it
        before = stands()
        if screen.curtain.drawn:
            curtains += 1
            hold(qtbot, screen)
        elif seats_here.reactions.bar.asks and seats_here.looking == AUDIENCE:
            react(screen)
        elif screen.hand_over.due:
            click(button(screen.prompt, "Hand over"))
        elif seats_here.link is not None and seats_here.link.offers:
            move = wanted(screen)
            by_mouse(screen, move)
            # a question that could not be passed waits for the pause
            qtbot.waitUntil(lambda at=before[0]: len(seats_here.match.record) > at)
            continue
        else:
            qtbot.waitUntil(due)
            continue
        qtbot.waitUntil(lambda before=before: stands() != before)
    settle()
    return curtains


def test_a_whole_game(opened: Open, tmp_path: Path, qtbot: QtBot) -> None:
    window = opened()
    window.context.change(reactions={NAMES[2]: "pass"}, reaction_pause=500)
    screen = begin(window, tmp_path, 3)
    curtains = play(qtbot, screen)
    assert curtains > 10, "hands are secret"
    assert screen.sheet.isVisible()
    file = screen.seats_here.file
    assert file is not None
    assert replay(read(file)).state == screen.seats_here.match.state


def test_twelve_at_the_table_one_person_and_eleven_bots(
    opened: Open, tmp_path: Path, qtbot: QtBot
) -> None:
    window = opened((1280, 800))
    screen = begin(window, tmp_path, 1, 11)
    assert play(qtbot, screen) == 0
    assert screen.sheet.isVisible()
    result = screen.seats_here.match.state.result
    assert result is not None
    assert len(result.scores) == 12
