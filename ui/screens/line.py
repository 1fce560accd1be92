"""What the prompt line of a table says, and the buttons it has."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct

from tabletop.engine.model import AUDIENCE, Ask, Move
from tabletop.link import Link
from tabletop.reactions import is_chance
from ui.screens.prompt import Choice
from ui.screens.tasks import asks, button_text, buttons, cardless, gathering, others
from ui.table.odds import told

if TYPE_CHECKING:
    from ui.screens.table import TableScreen

BUTTONS = 4
"""Of more actions without a card than this, those with a place are lit on the table only."""


class Line(Struct, frozen=True):
    """A text, whether the viewer is to act, and the buttons."""

    text: str
    active: bool
    choices: list[Choice]


def line(screen: TableScreen) -> Line:
    """What is to be said at this table now."""
    sitting = screen.sitting
    if screen.company is not None and (first := screen.company.line()) is not None:
        return first
    if screen.agreeing:
        return _agreement(screen)
    if sitting.over:
        words = screen.room.words
        show = Choice(words("Score sheet"), screen.show_sheet, primary=True)
        return Line(words("The game is over."), False, [show])
    if sitting.reacting and sitting.looking == (
        AUDIENCE if sitting.bar.stays else sitting.following
    ):
        return _anyone(screen)
    if screen.hand_over.due:
        return _hand_over(screen)
    if open_asks := asks(sitting.link):
        return _task(screen, open_asks[0])
    if sitting.link is not None and sitting.link.passing:
        words = screen.room.words
        return Line(words("Passing for {name}…", name=sitting.name), False, [_ways(screen)])
    return Line(others(screen.room.words, sitting), False, [])


def _agreement(screen: TableScreen) -> Line:
    words = screen.room.words
    names = words(" and ").join(screen.sitting.agreeing)
    if screen.company is not None:
        return Line(
            words("Ask the others whether the last move may be taken back?"),
            True,
            [
                Choice(words("Ask"), screen.agree, primary=True),
                Choice(words("Cancel"), screen.forget),
            ],
        )
    return Line(
        words("Do all agree to take the last move back?"),
        True,
        [
            Choice(words("{names} agree", names=names), screen.agree, primary=True),
            Choice(words("Cancel"), screen.forget),
        ],
    )


def _anyone(screen: TableScreen) -> Line:
    """Everybody here is asked at once, whatever they hold."""
    words, sitting = screen.room.words, screen.sitting
    asked = sitting.bar.asks
    tasks = {screen.words.prompt(ask) for ask in asked}
    seats = tuple(dict.fromkeys(ask.seat for ask in asked))
    if len(tasks) > 1:
        text = words("Anyone?")
    elif len(seats) > 1 or asked[0].sealed:
        text = words("Anyone? {task}", task=tasks.pop())
    else:
        name = sitting.players[seats[0]].name
        text = words("{name}, do you react? {task}", name=name, task=tasks.pop())
    seconds = -(-screen.room.settings.reaction_pause // 1000)
    return Line(
        text,
        True,
        [
            *(Choice(sitting.players[seat].name, partial(screen.call, seat)) for seat in seats),
            Choice(
                words("No one") if sitting.bar.stays else words("No one ({n} s)", n=seconds),
                sitting.pass_all,
            ),
            *(
                Choice(
                    words("{name}: take back", name=sitting.players[seat].name),
                    partial(screen.regret, seat),
                    hint=words("Nothing has come of the answer yet: take it back and choose again"),
                )
                for seat in sitting.regretting
            ),
            *([_ways(screen)] if sitting.has_chances else []),
        ],
    )


def _ways(screen: TableScreen) -> Choice:
    """Where players say how they wish to be asked."""
    hint = screen.room.words("How each player is asked for reactions")
    return Choice(screen.room.words("Reactions…"), screen.choose_reactions, hint=hint)


def _hand_over(screen: TableScreen) -> Line:
    words, sitting = screen.room.words, screen.sitting
    name = sitting.players[sitting.following].name
    watched = sitting.looking == AUDIENCE
    return Line(
        words("{name} is next.", name=name)
        if watched
        else words("Your move is made. {name} is next.", name=name),
        True,
        [
            Choice(words("Hand over"), screen.hand_over.begin, primary=True, hint="Ctrl+Enter"),
            *_undo(screen),
        ],
    )


def _task(screen: TableScreen, ask: Ask) -> Line:
    task = screen.words.prompt(ask)
    name = screen.sitting.players[ask.seat].name
    must = not ask.optional
    text = screen.room.words("{name}'s turn: {task}", name=name, task=task) if must else task
    sitting = screen.sitting
    chance = sitting.link is not None and is_chance(
        sitting.kit.layout, ask, sitting.link.offers[ask.id]
    )
    ways = [_ways(screen)] if chance else []
    return Line(text, must, [*_actions(screen, ask), *_undo(screen), *ways])


def _actions(screen: TableScreen, ask: Ask) -> list[Choice]:
    """A button for each action that is no card, and one that sends what lies arranged."""
    link = screen.sitting.link
    if link is None:
        return []
    offers = link.offers[ask.id]
    only = len(cardless(offers, ask.id)) == 1
    choices = [
        Choice(
            _named(screen, link, move),
            partial(screen.play, move),
            only,
        )
        for move in buttons(offers, ask.id, BUTTONS)
    ]
    for verb in gathering(offers):
        text = button_text(screen.sitting.kit, screen.words, verb)
        choices.append(Choice(text, screen.scene.commit, True, enabled=screen.arranged))
    return choices


def _named(screen: TableScreen, link: Link, move: Move) -> str:
    """What an action is called, and how likely it is to succeed where that can be told."""
    name = screen.words.move(move, link.seat, link.view)
    odds = told(screen.scene.stage.prints, link, [move])
    return f"{name} · {odds}" if odds else name


def _undo(screen: TableScreen) -> list[Choice]:
    may = screen.sitting.can_undo
    return [Choice(screen.room.words("Undo"), screen.undo)] if may else []
