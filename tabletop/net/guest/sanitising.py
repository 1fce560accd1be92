"""Sanitising text from a host, which may be malicious."""

from typing import TypeVar

from msgspec.structs import replace

from tabletop.engine.events import Event, Said
from tabletop.engine.model import Reason, Value
from tabletop.match.match import Reset, Update
from tabletop.protocol.archive import FinishedMatches
from tabletop.protocol.listing import TableList
from tabletop.protocol.messages import (
    MAX_CHAT_CHARACTERS,
    ChatLine,
    Farewell,
    FromHost,
    MatchProof,
    Notice,
    Refused,
    TableInfo,
    Welcome,
)
from tabletop.protocol.quick_words import known_quick_word
from tabletop.text.plain_text import plain_line

E = TypeVar("E", bound=Event)
NO_BREAK = "\u00a0"


def sanitise(message: FromHost) -> FromHost:
    """Return `message` with every name, chat text and reason
    reduced to one short line of plain text.

    The match itself is left unchanged, because it is checked
    against the proof. See `sanitise_news`.
    """
    match message:
        case ChatLine(text=text, quick=quick):
            return replace(
                message, text=plain_line(text, MAX_CHAT_CHARACTERS), quick=known_quick_word(quick)
            )
        case Welcome(program=program):
            return replace(message, program=plain_line(program))
        case TableInfo(plan=plan, sitters=sitters, ended=ended, knocking=knocking):
            return replace(
                message,
                plan=replace(plan, name=plain_line(plan.name)),
                sitters=tuple(replace(sitter, name=plain_line(sitter.name)) for sitter in sitters),
                ended=ended and _one_line(ended),
                knocking=tuple(replace(knock, name=plain_line(knock.name)) for knock in knocking),
            )
        case Notice(reason=reason) | Refused(reason=reason) | Farewell(reason=reason):
            return replace(message, reason=_one_line(reason))
        case TableList(tables=tables):
            named = (
                replace(each, name=plain_line(each.name), game=plain_line(each.game))
                for each in tables
            )
            return replace(message, tables=tuple(named))
        case FinishedMatches(matches=matches):
            listed = (
                replace(
                    each,
                    name=plain_line(each.name),
                    game=plain_line(each.game),
                    players=tuple(map(plain_line, each.players)),
                )
                for each in matches
            )
            return replace(message, matches=tuple(listed))
        case MatchProof(players=players):
            called = tuple(replace(player, name=plain_line(player.name)) for player in players)
            return replace(message, players=called)
        case _:
            return message


def sanitise_news(news: Update | Reset) -> Update | Reset:
    """Return `news` with each line of the match's log reduced to one line of plain text."""
    match news:
        case Update(events=events):
            return replace(news, events=tuple(map(_sanitise_event, events)))
        case Reset(log=log):
            return replace(news, log=tuple(map(_sanitise_event, log)))


def _sanitise_event(event: E) -> E:
    if not isinstance(event, Said):
        return event
    return replace(event, text=_plain_line(event.text), args=_sanitise_arguments(event.args))


def _one_line(reason: Reason) -> Reason:
    return replace(reason, text=_plain_line(reason.text), args=_sanitise_arguments(reason.args))


def _sanitise_arguments(args: dict[str, Value]) -> dict[str, Value]:
    return {
        plain_line(name): _plain_line(value) if isinstance(value, str) else value
        for name, value in args.items()
    }


def _plain_line(text: str) -> str:
    """Return `text` as one line of plain text. No-break spaces are kept."""
    parts = text[: MAX_CHAT_CHARACTERS * 8].split(NO_BREAK)
    return NO_BREAK.join(plain_line(part, MAX_CHAT_CHARACTERS) for part in parts)[
        :MAX_CHAT_CHARACTERS
    ]
