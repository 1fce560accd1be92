"""Sanitising of texts that a host passes on: no host is trusted."""

from typing import TypeVar

from msgspec.structs import replace

from tabletop.engine.events import Event, Said
from tabletop.engine.model import Reason, Value
from tabletop.match.match import Reset, Update
from tabletop.protocol.archive import FinishedMatches
from tabletop.protocol.listing import Tables
from tabletop.protocol.messages import (
    LONGEST_LINE,
    ChatLine,
    Farewell,
    FromHost,
    Notice,
    Proof,
    Refused,
    TableInfo,
    Welcome,
)
from tabletop.protocol.quick_words import known
from tabletop.text.plain_text import plain

E = TypeVar("E", bound=Event)
NO_BREAK = "\u00a0"


def sanitised(message: FromHost) -> FromHost:
    """The message with names, chat and reasons that are each one line of plain text, not too long.

    Facts about the match itself stay as they are, to be checked against the proof: see `legible`.
    """
    match message:
        case ChatLine(text=text, quick=quick):
            return replace(message, text=plain(text, LONGEST_LINE), quick=known(quick))
        case Welcome(program=program):
            return replace(message, program=plain(program))
        case TableInfo(plan=plan, sitters=sitters, ended=ended, knocking=knocking):
            return replace(
                message,
                plan=replace(plan, name=plain(plan.name)),
                sitters=tuple(replace(sitter, name=plain(sitter.name)) for sitter in sitters),
                ended=ended and _one_line(ended),
                knocking=tuple(replace(knock, name=plain(knock.name)) for knock in knocking),
            )
        case Notice(reason=reason) | Refused(reason=reason) | Farewell(reason=reason):
            return replace(message, reason=_one_line(reason))
        case Tables(tables=tables):
            named = (replace(each, name=plain(each.name), game=plain(each.game)) for each in tables)
            return replace(message, tables=tuple(named))
        case FinishedMatches(matches=matches):
            listed = (
                replace(
                    each,
                    name=plain(each.name),
                    game=plain(each.game),
                    players=tuple(map(plain, each.players)),
                )
                for each in matches
            )
            return replace(message, matches=tuple(listed))
        case Proof(players=players):
            called = tuple(replace(player, name=plain(player.name)) for player in players)
            return replace(message, players=called)
        case _:
            return message


def legible(news: Update | Reset) -> Update | Reset:
    """Return news of a match with each line of its log as one line of plain text."""
    match news:
        case Update(events=events):
            return replace(news, events=tuple(map(_plainly, events)))
        case Reset(log=log):
            return replace(news, log=tuple(map(_plainly, log)))


def _plainly(event: E) -> E:
    if not isinstance(event, Said):
        return event
    return replace(event, text=_line(event.text), args=_tidied(event.args))


def _one_line(reason: Reason) -> Reason:
    return replace(reason, text=_line(reason.text), args=_tidied(reason.args))


def _tidied(args: dict[str, Value]) -> dict[str, Value]:
    """The arguments of a sentence, each as one plain line."""
    return {
        plain(name): _line(value) if isinstance(value, str) else value
        for name, value in args.items()
    }


def _line(text: str) -> str:
    """The text as one plain line that keeps no-break spaces."""
    parts = text[: LONGEST_LINE * 8].split(NO_BREAK)
    return NO_BREAK.join(plain(part, LONGEST_LINE) for part in parts)[:LONGEST_LINE]
