"""The prompt of a page and its menu, drawn from what is said of the table (`language.prompt`)."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from tabletop.engine.model import AUDIENCE
from tabletop.language import rare_actions
from tabletop.language.prompt import ChoiceKind, PromptChoice, prompts
from tabletop.language.table_status import (
    HostLine,
    ScreenState,
    TableStatus,
    people_at,
    status_at,
)
from tabletop.language.words import Words
from tabletop.match.seat import Seat
from tabletop.web.answer_steps import open_offers
from tabletop.web.page_context import PageContext
from tabletop.web.page_parts import PageButton, PagePrompt, Tap

TAPS: dict[ChoiceKind, Tap] = {
    "undo": Tap("undo"),
    "redo": Tap("redo"),
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


def status_on_page(seat: Seat, context: PageContext, words: Words) -> TableStatus:
    """Return the table's status for the seat of a page."""
    own = (seat.number,) if seat.number != AUDIENCE else ()
    people = people_at(
        context.info,
        own,
        line=HostLine(connected=context.connected, cut_off=context.cut_off),
        features=context.features,
        wished=context.again,
    )
    screen = ScreenState(personal=True, advised=context.advises, policy=context.way)
    return status_at(
        words, context.kit, people, seat, offers=open_offers(seat, context), screen=screen
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
    return buttons(
        (*rare_actions.rare_action_choices(status), *rare_actions.language_choices(status.words))
    )


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
