"""Size limits for all parts of a host's messages, so that no message can freeze a window.

For comparison: after 3,000 answers of twelve players a log has 2,800 lines, all shorter than 100
characters, and the message takes 300 KB. No game has a view with more than 200 zones.
"""

import re
from collections.abc import Sized

from tabletop.match.match import Reset, Update
from tabletop.protocol.messages import FromHost, MatchProof, TableInfo, TableNews

MAX_TEXT_BYTES = 4_000
"""The maximum size of one JSON string."""
MAX_COMMAS = 200_000
"""The maximum number of commas in a frame, which limits the items of all
lists and objects together.
"""
MAX_LOG_ENTRIES = 20_000
"""The maximum number of lines in a log, and of entries in a record."""
MAX_ITEMS = 5_000
"""The maximum number of events in one update, and of zones, values,
questions and offers in a table.
"""

SEARCH_CHUNK_BYTES = 64 * 1024
"""The size of the chunks in which a frame is searched. Searching one chunk holds the GIL."""
MAX_SPACES, MAX_DECIMALS = 64, 64
"""How many spaces may precede a number, and how many digits may follow its decimal point."""
MAX_RECHECKED_BYTES = 1024 * 1024
"""The maximum size of a frame in which apparent large numbers are checked
for being inside strings.
"""

_TEXT = re.compile(rb'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_LONG_TEXT = re.compile(rb'"(?:[^"\\]|\\.){%d}' % MAX_TEXT_BYTES, re.DOTALL)
_LARGE_NUMBER = re.compile(
    rb"[\[:,]\s{0,%d}+(?:\s|-?(?:\d{17}|\d{1,16}+(?:\.\d{1,%d}+)?+(?:\d|[eE]\+?\d\d)))"
    % (MAX_SPACES, MAX_DECIMALS)
)
"""Numbers beyond 2**53, which has 16 digits. Programs at a table agree on smaller ones."""


def is_frame_within_limits(frame: bytes) -> bool:
    """Return whether no string, number or list in the JSON `frame` exceeds its limit."""
    return (
        frame.count(b",") <= MAX_COMMAS
        and not _matches(frame, _LONG_TEXT, 2 * MAX_TEXT_BYTES + 1)
        and not (
            _matches(frame, _LARGE_NUMBER, MAX_SPACES + MAX_DECIMALS + 24)
            and not _has_large_numbers_only_in_strings(frame)
        )
    )


def _has_large_numbers_only_in_strings(frame: bytes) -> bool:
    """Return whether all large numbers in `frame` are inside strings, such as chat messages."""
    return len(frame) <= MAX_RECHECKED_BYTES and not _LARGE_NUMBER.search(_TEXT.sub(b'""', frame))


def _matches(frame: bytes, pattern: re.Pattern[bytes], max_match_bytes: int) -> bool:
    """Return whether `pattern` matches in `frame`. A match has at most `max_match_bytes`."""
    ends = (
        (at, at + SEARCH_CHUNK_BYTES + max_match_bytes)
        for at in range(0, len(frame), SEARCH_CHUNK_BYTES)
    )
    return any(pattern.search(frame, start, stop) for start, stop in ends)


def is_message_within_limits(message: FromHost) -> bool:
    """Return whether no part of `message` exceeds its limit."""
    match message:
        case TableNews(what=what):
            return all(map(_is_news_within_limits, what.values()))
        case MatchProof(record=record, players=players, options=options):
            return len(record) <= MAX_LOG_ENTRIES and max(len(players), len(options)) <= MAX_ITEMS
        case TableInfo(sitters=sitters, plan=plan):
            return len(sitters) == len(plan.seats) and len(plan.options) <= MAX_ITEMS
        case _:
            return True


def _is_news_within_limits(news: Update | Reset) -> bool:
    sized: list[Sized] = [news.offers, *news.offers.values()]
    if isinstance(news, Update):
        sized.append(news.events)
    else:
        view = news.view
        sized += [view.zones, view.values, view.asks, view.answers, view.agenda, view.options]
        sized.append(view.facts or ())
        if len(news.log) > MAX_LOG_ENTRIES:
            return False
    return max(map(len, sized)) <= MAX_ITEMS
