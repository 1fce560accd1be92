"""The prompt of a page and its menu, drawn from what is said of the table (`language.prompt`)."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from tabletop.engine.model import AUDIENCE
from tabletop.language import rare_actions
from tabletop.language.prompt import ChoiceKind, PromptChoice, prompts
from tabletop.language.table_status import TableStatus
from tabletop.language.words import Words
from tabletop.match.open_asks import awaited_seats
from tabletop.match.reactions import has_chances
from tabletop.match.seat import Seat
from tabletop.protocol.table_people import may_ask_to_undo, shared_table
from tabletop.web.answer_steps import open_offers
from tabletop.web.page_context import PageContext
from tabletop.web.page_parts import PageButton, PagePrompt, Tap

TAPS: dict[ChoiceKind, Tap] = {
    "undo": Tap("undo"),
    "ask_to_undo": Tap("undo"),
    "consent": Tap("consent", agree=True),
    "dissent": Tap("consent"),
    "away": Tap("away"),
    "end_by_consent": Tap("consent", agree=True, what="end"),
    "play_on": Tap("consent", what="end"),
    "come_back": Tap("back"),
    "wait_on": Tap("decide", what="wait"),
    "let_bot_play": Tap("decide", what="bot"),
    "end_match": Tap("decide", what="end"),
    "another": Tap("again"),
    "hint": Tap("hint"),
    "concede": Tap("concede"),
    "leave": Tap("leave"),
    "policy": Tap("way"),
    "language": Tap("language"),
}
"""The message that a browser sends back for a choice. It draws no others: its cards and their steps
are the moves, and a phone has neither a shelf nor several people."""


def status_of(seat: Seat, context: PageContext, words: Words) -> TableStatus:
    """The table's status for the seat of a page."""
    info, view, number = context.info, seat.view, seat.number
    own = (number,) if number != AUDIENCE else ()
    shared = None
    if info is not None or not context.connected:
        shared = shared_table(info, own, plays_on=context.plays_on)
    if shared is not None:
        shared = replace(shared, connected=context.connected, cut_off=context.cut_off)
    return TableStatus(
        words=words,
        kit=context.kit,
        people=own,
        view=view,
        offers=open_offers(seat, context),
        shared=shared,
        personal=True,
        looking=number,
        following=number,
        waiting=awaited_seats(view) if view.result is None else (),
        pending=seat.pending is not None,
        passing=seat.passing,
        local=False,
        over=view.result is not None,
        can_undo=seat.undoable,
        can_agree=may_ask_to_undo(info, view),
        advised=context.advises,
        wants_another=context.again if own else None,
        has_chances=has_chances(context.kit.meaning),
        policy=context.way,
    )


def most_pressing(status: TableStatus) -> tuple[PagePrompt, tuple[PageButton, ...]]:
    """The most pressing prompt, and the buttons that aren't moves."""
    prompt = next(prompts(status))
    shown = PagePrompt(
        prompt.text,
        prompt.paragraph,
        active=prompt.active,
        reaction=prompt.chance,
        tone=prompt.tone,
        seconds=prompt.seconds,
    )
    return shown, buttons(prompt.choices)


def menu(status: TableStatus) -> tuple[PageButton, ...]:
    """The menu of rare actions."""
    return buttons((*rare_actions.menu(status), *rare_actions.language_choices(status.words)))


def buttons(choices: Iterable[PromptChoice]) -> tuple[PageButton, ...]:
    """The choices that a browser can make."""
    return tuple(_draw_buttons(choices))


def _draw_buttons(choices: Iterable[PromptChoice]) -> Iterator[PageButton]:
    for choice in choices:
        if (tap := TAPS.get(choice.kind)) is not None:
            if choice.kind == "policy":
                tap = replace(tap, way=choice.name)
            elif choice.kind == "language":
                tap = replace(tap, language=choice.name)
            yield PageButton(choice.text, tap, choice.primary, choice.sure, choice.on, choice.group)
