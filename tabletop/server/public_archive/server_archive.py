"""A gateway's copy of its server's tables and finished matches: requested when a browser looks, and
kept for a while, so that many browsers are one guest to the server."""

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from time import monotonic

from tabletop.background.tasks import run_in_thread
from tabletop.caches.lru_cache import LruCache
from tabletop.engine.model import Reason
from tabletop.net.guest.archive_query import as_file, finished_at, laid_out, record_at
from tabletop.net.guest.dial import CHANGED, WrongCertificate, with_place
from tabletop.net.guest.server_query import tables_at
from tabletop.net.limits import LeakyBuckets
from tabletop.protocol.archive import FinishedMatch, MatchId
from tabletop.protocol.invitation import Address
from tabletop.protocol.listing import Listed
from tabletop.server.public_archive.replay_page import WatchedMatch
from tabletop.web.loopback_address import loopback_address

log = logging.getLogger("tabletop.web")

FRESH = 3.0
"""Seconds that a list is reused without another request."""
MOST_BEATS = 6_000
"""The most beats of all kept matches together: one takes some 12 kB."""
MOST_KEPT = 16
"""The most matches that are kept, however short."""
OPENED_A_SECOND, OPENED_AT_ONCE = 0.2, 12
"""Matches that are opened for one address: each is fetched and played through."""
TOO_MANY = Reason(
    "Too many matches were opened from your address just now. One moment, please.",
    code="too_many_matches",
)

Lists = tuple[tuple[Listed, ...], tuple[FinishedMatch, ...]]
"""The tables that one can come to, and the matches that can be watched again."""


class ServerArchive:
    """The copy of one server, for all browsers of a gateway."""

    def __init__(self, place: Callable[[], Address]) -> None:
        self._place = place
        self._lists: Lists | Reason = ((), ())
        self._until = -1.0
        self._asking = asyncio.Lock()
        self._opening = asyncio.Lock()
        self._opened: LruCache[MatchId, WatchedMatch] = LruCache(MOST_BEATS)
        self._buckets = LeakyBuckets(OPENED_A_SECOND, OPENED_AT_ONCE)

    async def lists(self) -> Lists | Reason:
        """Return the server's public lists, a moment old at most; else why there are none."""
        async with self._asking:
            if monotonic() > self._until:
                self._lists = await self._ask()
                self._until = monotonic() + FRESH
        return self._lists

    async def match(self, match: MatchId, address: str) -> WatchedMatch | Reason:
        """Return a finished match for a browser at this address; else why not."""
        if (opened := self._opened.get(match)) is not None:
            return opened
        if not self._buckets.take(address):
            return TOO_MANY
        async with self._opening:  # one at a time: phones play meanwhile
            if (opened := self._opened.get(match)) is not None:
                return opened
            fetched = await self._fetch(match, address)
            if not isinstance(fetched, Reason):
                beats = max(fetched.playback.last, MOST_BEATS // MOST_KEPT)
                self._opened.put(match, fetched, min(beats, MOST_BEATS))
        return fetched

    async def _ask(self) -> Lists | Reason:
        place = self._place()
        try:
            running = await tables_at(place)
            if isinstance(running, Reason):
                return running
            finished = await finished_at(place)
        except WrongCertificate:
            return with_place(CHANGED, place)
        # a server of an older version lists no finished ones
        return running.tables, () if isinstance(finished, Reason) else finished.matches

    async def _fetch(self, match: MatchId, address: str) -> WatchedMatch | Reason:
        place = self._place()
        try:
            # each browser has an address of its own there, so that who guesses names waits alone
            record = await record_at(place, match, (), loopback_address(address))
        except WrongCertificate:
            return with_place(CHANGED, place)
        if isinstance(record, Reason):
            return record
        playback = await run_in_thread(partial(laid_out, record))
        if isinstance(playback, Reason):
            log.warning("cannot be watched match=%s why=%s", match, playback.text)
            return playback
        lists = await self.lists()
        finished = () if isinstance(lists, Reason) else lists[1]
        listed = next((each for each in finished if each.match == match), None)
        return WatchedMatch(match, playback, as_file(record), listed)
