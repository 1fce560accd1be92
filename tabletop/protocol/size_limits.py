"""Size limits of all parts of a host's messages, so that a window never stops at one.

After 3,000 answers of twelve players a log has 2,800 lines, none of 100 characters, and the table
with it takes 300 KB. No game has a view of more than 200 zones.
"""

import re
from collections.abc import Sized

from tabletop.match.match import Reset, Update
from tabletop.protocol.messages import FromHost, MatchProof, TableInfo, TableNews

MAX_TEXT_BYTES = 4_000
"""Bytes of one text as it is sent."""
MAX_COMMAS = 200_000
"""Parts of all lists and tables of one message together."""
MAX_LOG_ENTRIES = 20_000
"""Lines of a log, and entries of a record."""
MAX_ITEMS = 5_000
"""Events of one answer; zones, values, questions and offers of a table."""

SEARCH_CHUNK_BYTES = 64 * 1024
"""Bytes that are searched in a row: other threads of the window wait no longer than that takes."""
MAX_SPACES, MAX_DECIMALS = 64, 64
"""Spaces before a number, or digits after its point: more than any host sends."""
MAX_RECHECKED_BYTES = 1024 * 1024
"""Bytes of a frame whose texts are left out where one of them may hold what looks like a number."""

_TEXT = re.compile(rb'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_LONG_TEXT = re.compile(rb'"(?:[^"\\]|\\.){%d}' % MAX_TEXT_BYTES, re.DOTALL)
_LARGE_NUMBER = re.compile(
    rb"[\[:,]\s{0,%d}+(?:\s|-?(?:\d{17}|\d{1,16}+(?:\.\d{1,%d}+)?+(?:\d|[eE]\+?\d\d)))"
    % (MAX_SPACES, MAX_DECIMALS)
)
"""All programs at a table count alike up to 2**53, which has 16 digits."""


def is_frame_within_limits(frame: bytes) -> bool:
    """Whether a message's bytes hold no text, number or list larger than any host needs."""
    return (
        frame.count(b",") <= MAX_COMMAS
        and not _holds(frame, _LONG_TEXT, 2 * MAX_TEXT_BYTES + 1)
        and not (
            _holds(frame, _LARGE_NUMBER, MAX_SPACES + MAX_DECIMALS + 24) and not _in_a_text(frame)
        )
    )


def _in_a_text(frame: bytes) -> bool:
    """Whether large numbers are only in texts: a line of chat, a name."""
    return len(frame) <= MAX_RECHECKED_BYTES and not _LARGE_NUMBER.search(_TEXT.sub(b'""', frame))


def _holds(frame: bytes, pattern: re.Pattern[bytes], longest: int) -> bool:
    """Whether a frame holds what the pattern finds, which is this many bytes long at most."""
    ends = (
        (at, at + SEARCH_CHUNK_BYTES + longest) for at in range(0, len(frame), SEARCH_CHUNK_BYTES)
    )
    return any(pattern.search(frame, start, stop) for start, stop in ends)


def is_message_within_limits(message: FromHost) -> bool:
    """Whether a message has no more of anything than any host needs."""
    match message:
        case TableNews(what=what):
            return all(map(_modest_news, what.values()))
        case MatchProof(record=record, players=players, options=options):
            return len(record) <= MAX_LOG_ENTRIES and max(len(players), len(options)) <= MAX_ITEMS
        case TableInfo(sitters=sitters, plan=plan):
            return len(sitters) == len(plan.seats) and len(plan.options) <= MAX_ITEMS
        case _:
            return True


def _modest_news(news: Update | Reset) -> bool:
    many: list[Sized] = [news.offers, *news.offers.values()]
    if isinstance(news, Update):
        many.append(news.events)
    else:
        view = news.view
        many += [view.zones, view.values, view.asks, view.answers, view.agenda, view.options]
        many.append(view.facts or ())
        if len(news.log) > MAX_LOG_ENTRIES:
            return False
    return max(map(len, many)) <= MAX_ITEMS
