"""Prompt, buttons and menu of a page, built from the texts of `language.prompt`."""

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
from tabletop.web.page_parts import PageButton, PagePrompt, TapMessage

TAP_MESSAGES: dict[ChoiceKind, TapMessage] = {
    "undo": TapMessage("undo"),
    "redo": TapMessage("redo"),
    "ask_to_undo": TapMessage("undo"),
    "consent": TapMessage("consent", agree=True),
    "dissent": TapMessage("consent"),
    "away": TapMessage("away"),
    "end_by_consent": TapMessage("consent", agree=True, what="end"),
    "play_on": TapMessage("consent", what="end"),
    "come_back": TapMessage("back"),
    "wait_on": TapMessage("decide", what="wait"),
    "let_bot_play": TapMessage("decide", what="bot"),
    "end_match": TapMessage("decide", what="end"),
    "another": TapMessage("again"),
    "hint": TapMessage("hint"),
    "concede": TapMessage("concede"),
    "leave": TapMessage("leave"),
    "policy": TapMessage("way"),
    "language": TapMessage("language"),
}
"""The message that a browser sends back, by kind of choice.

Other choices have no button on a page: the browser shows moves as cards with steps, and a phone has
neither a shelf nor several players.
"""


def page_status(seat: Seat, context: PageContext, words: Words) -> TableStatus:
    """Return the table's status for the page of `seat`."""
    own = (seat.number,) if seat.number != AUDIENCE else ()
    people = people_at(
        context.info,
        own,
        line=HostLine(connected=context.connected, cut_off=context.cut_off),
        features=context.features,
        wished=context.wants_rematch,
    )
    screen = ScreenState(personal=True, advised=context.gives_hints, policy=context.policy)
    return status_at(
        words, context.kit, people, seat, offers=open_offers(seat, context), screen=screen
    )


def first_prompt(status: TableStatus) -> tuple[PagePrompt, tuple[PageButton, ...]]:
    """Return the most urgent prompt, and its buttons that aren't moves."""
    prompt = next(prompts(status))
    shown = PagePrompt(
        prompt.text,
        prompt.paragraph,
        active=prompt.active,
        reaction=prompt.chance,
        tone=prompt.tone,
        seconds=prompt.seconds,
    )
    return shown, choice_buttons(prompt.choices)


def menu_buttons(status: TableStatus) -> tuple[PageButton, ...]:
    """Return the menu of rare actions."""
    return choice_buttons(
        (*rare_actions.rare_action_choices(status), *rare_actions.language_choices(status.words))
    )


def choice_buttons(choices: Iterable[PromptChoice]) -> tuple[PageButton, ...]:
    """Return buttons for the choices that a browser supports."""
    return tuple(_draw_buttons(choices))


def _draw_buttons(choices: Iterable[PromptChoice]) -> Iterator[PageButton]:
    for choice in choices:
        if (tap := TAP_MESSAGES.get(choice.kind)) is not None:
            if choice.kind == "policy":
                tap = replace(tap, way=choice.name)
            elif choice.kind == "language":
                tap = replace(tap, language=choice.name)
            yield PageButton(choice.text, tap, choice.primary, choice.sure, choice.on, choice.group)
