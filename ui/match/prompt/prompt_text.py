"""The text and buttons of a table's prompt line. No Qt."""

from collections.abc import Callable
from functools import partial

from msgspec import Struct

from tabletop.engine.model import AUDIENCE, Ask, Move
from tabletop.match.reactions import PASS, is_chance
from ui.match.prompt.waiting_text import QUIET, all_idle_for_good, waiting_text
from ui.match.questions import button_text, buttons, gathering, only_answer
from ui.match.table_status import TableStatus
from ui.widgets.prompt_button import PromptButton

KEYED = ("undo", "pass", "end_turn")
"""The commands that are buttons as well, with their keys in the tool tips."""
BUTTONS = 4
"""Of more actions without a card than this, those with a place are lit on the table only."""


class PromptText(Struct, frozen=True):
    """A text, whether the viewer is to act, and the buttons."""

    text: str
    active: bool
    choices: list[PromptButton]


class TableActions(Struct, frozen=True):
    """The actions of the prompt line's buttons."""

    agree: Callable[[], None]
    forget: Callable[[], None]
    """Let the question be that all are asked."""
    show_sheet: Callable[[], None]
    call: Callable[[int], None]
    """Let this player react."""
    regret: Callable[[int], None]
    """Undo this player's answer."""
    pass_all: Callable[[], None]
    choose_reactions: Callable[[], None]
    hand_over: Callable[[], None]
    undo: Callable[[], None]
    play: Callable[[Move], None]
    commit: Callable[[str], None]
    """Send the cards that are put together, as this verb."""
    hurry: Callable[[bool], None]
    """Let the bots play on at once, or not any more."""


def line(status: TableStatus, actions: TableActions) -> PromptText:
    """Return the prompt of this table now."""
    words = status.words
    if status.taking_back:
        return _agreement(status, actions)
    if status.over:
        show = PromptButton(words("Score sheet"), actions.show_sheet, primary=True)
        choices = [] if status.sheet_over else [show]
        return PromptText(words("The game is over."), False, choices)
    if status.reacting:
        return _anyone(status, actions)
    if status.due:
        return _hand_over(status, actions)
    if status.asks:
        return _task(status, status.asks[0], actions)
    if status.passing:
        text = words("Passing for {name}…", name=status.name(status.looking))
        return PromptText(text, False, [_ways(status, actions)])
    return _waiting(status, actions)


def recap_line(status: TableStatus, stop: Callable[[], None]) -> PromptText:
    """Return the prompt during the playback of the events since the viewer's last turn."""
    words = status.words
    button = PromptButton(words("Stop"), stop, answers=True)
    return PromptText(words("Since your last turn"), False, [button])


def _waiting(status: TableStatus, actions: TableActions) -> PromptText:
    """Others are to play; bots that nobody needs to watch may do so at once."""
    words = status.words
    if status.hurried:
        stop = PromptButton(words("Stop"), partial(actions.hurry, False))
        return PromptText(words("Bots are playing…"), False, [stop])
    choices = []
    if status.bots_wait and (status.waited >= QUIET or all_idle_for_good(status)):
        hint = words("Bots play instantly and think only briefly")
        text = words("Finish quickly") if all_idle_for_good(status) else words("Next question")
        choices = [PromptButton(text, partial(actions.hurry, True), hint=hint)]
    return PromptText(waiting_text(status), False, choices)


def _agreement(status: TableStatus, actions: TableActions) -> PromptText:
    words = status.words
    names = words(" and ").join(status.agreeing)
    if status.shared:
        text = words("Ask the others to undo the last move?")
        agreed = words("Ask")
    else:
        text = words("Does everyone agree to undo the last move?")
        agreed = words("{names} agree", names=names)
    return PromptText(
        text,
        True,
        [
            PromptButton(agreed, actions.agree, primary=True, answers=True),
            PromptButton(words("Cancel"), actions.forget, answers=True),
        ],
    )


def _anyone(status: TableStatus, actions: TableActions) -> PromptText:
    """Everybody here is asked at once, no matter which cards they hold."""
    words, bar = status.words, status.bar
    tasks = {words.prompt(ask, status.view.values) for ask in bar.asks}
    seats = tuple(dict.fromkeys(ask.seat for ask in bar.asks))
    if len(tasks) > 1:
        text = words("Anyone?")
    elif len(seats) > 1 or bar.asks[0].sealed:
        text = words("Anyone? {task}", task=tasks.pop())
    else:
        name = status.name(seats[0])
        text = words("{name}, do you react? {task}", name=name, task=tasks.pop())
    seconds = -(-status.reaction_pause // 1000)
    nobody = words("No one") if bar.stays else words("No one ({n} s)", n=seconds)
    hint = words("Change your answer while others are still choosing")
    back = [
        PromptButton(
            words("{name}: undo", name=status.name(seat)),
            partial(actions.regret, seat),
            hint=hint,
        )
        for seat in status.regretting
    ]
    return PromptText(
        text,
        True,
        [
            *(
                PromptButton(status.name(seat), partial(actions.call, seat), answers=True)
                for seat in seats
            ),
            PromptButton(nobody, actions.pass_all, answers=True),
            *back,
            *([_ways(status, actions)] if status.has_chances else []),
        ],
    )


def _ways(status: TableStatus, actions: TableActions) -> PromptButton:
    """Return the button that opens the ways of being asked for reactions."""
    hint = status.words("How each player is asked for reactions")
    return PromptButton(status.words("Reactions…"), actions.choose_reactions, hint=hint)


def _hand_over(status: TableStatus, actions: TableActions) -> PromptText:
    words, name = status.words, status.name(status.following)
    text = (
        words("{name} is next.", name=name)
        if status.looking == AUDIENCE or status.went_back
        else words("Your move is made. {name} is next.", name=name)
    )
    key = _key(status, "end_turn")
    over = PromptButton(words("Hand over"), actions.hand_over, primary=True, hint=key)
    return PromptText(text, True, [over, *_undo(status, actions)])


def _task(status: TableStatus, ask: Ask, actions: TableActions) -> PromptText:
    words = status.words
    task = words.choosing(status.choosing) or words.prompt(ask, status.view.values)
    must = not ask.optional
    text = words("{name}'s turn: {task}", name=status.name(ask.seat), task=task) if must else task
    chance = is_chance(status.kit.meaning, ask, status.offers[ask.id])
    ways = [_ways(status, actions)] if chance else []
    return PromptText(text, must, [*_moves(status, ask, actions), *_undo(status, actions), *ways])


def _moves(status: TableStatus, ask: Ask, actions: TableActions) -> list[PromptButton]:
    """A button for each action that is no card, and one that sends the arrangement."""
    offers, layout = status.offers[ask.id], status.kit.layout
    only = only_answer(offers, ask.id)
    moves: dict[str, Move] = {}
    for move in buttons(offers, ask.id, BUTTONS, layout.verbs):
        moves.setdefault(_named(status, move), move)  # of equal cards the first
    choices = [
        PromptButton(
            text,
            partial(actions.play, move),
            primary=move == only and not layout.gesture(move.verb).gives_up,
            hint=_key(status, "pass") if move.verb == PASS else status.words.hint(move),
            answers=True,
        )
        for text, move in moves.items()
    ]
    for verb in gathering(offers):
        text = button_text(status.kit, status.words, verb)
        key = _key(status, "end_turn")
        ready = verb in status.arranged
        choices.append(PromptButton(text, partial(actions.commit, verb), True, ready, hint=key))
    return choices


def _named(status: TableStatus, move: Move) -> str:
    """Return an action's name, and its chance to succeed where that is known."""
    name = status.words.move(move, status.looking, status.view)
    odds = status.odds(move)
    return f"{name} · {odds}" if odds else name


def _undo(status: TableStatus, actions: TableActions) -> list[PromptButton]:
    if not status.can_undo:
        return []
    return [PromptButton(status.words("Undo"), actions.undo, hint=_key(status, "undo"))]


def _key(status: TableStatus, command: str) -> str:
    """The tool tip of a button that does what a command does."""
    key = status.keys.get(command, "")
    return status.words("Key: {key}", key=key) if key else ""
