"""A gateway's cache of its server's tables and finished matches.

The gateway requests them when a browser needs them and reuses them, so that many browsers cost the
server no more than one guest.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from functools import partial
from time import monotonic
from typing import Any, TypeVar

from tabletop.background.tasks import run_in_thread
from tabletop.caches.lru_cache import LruCache
from tabletop.engine.model import Reason
from tabletop.net.guest.archive_query import fetch_record, list_finished, playback_of, record_bytes
from tabletop.net.guest.dial import CERTIFICATE_CHANGED, WrongCertificate, with_host_name
from tabletop.net.guest.server_query import list_tables
from tabletop.net.limits import LeakyBuckets
from tabletop.protocol.archive import FinishedMatch, MatchId
from tabletop.protocol.invitation import Address
from tabletop.protocol.listing import ListedTable
from tabletop.server.public_archive.replay_page import WatchedMatch
from tabletop.web.loopback_address import loopback_address

log = logging.getLogger("tabletop.web")

LIST_MAX_AGE_S = 3.0
"""How long a list is reused, in seconds."""
MAX_CACHED_BEATS = 6_000
"""The maximum number of beats of all cached matches; one beat takes about 12 kB."""
MAX_CACHED_MATCHES = 16
"""The maximum number of cached matches, however short they are."""
OPENINGS_PER_S, OPENING_BURST = 0.2, 12
"""The rate limit for opening matches from one address. Each match is downloaded and replayed."""
TOO_MANY = Reason(
    "Too many matches were opened from your address just now. One moment, please.",
    code="too_many_matches",
)

Answer = TypeVar("Answer")
Lists = tuple[tuple[ListedTable, ...], tuple[FinishedMatch, ...]]
"""The listed tables, and the public finished matches."""


class ServerArchive:
    """The cache of one server, shared by all browsers of a gateway."""

    def __init__(self, place: Callable[[], Address], trusts: Callable[[str], bool]) -> None:
        self._place = place
        self._trusts = trusts
        self._lists: Lists | Reason = ((), ())
        self._until = -1.0
        self._asking = asyncio.Lock()
        self._opening = asyncio.Lock()
        self._opened: LruCache[MatchId, WatchedMatch] = LruCache(MAX_CACHED_BEATS)
        self._buckets = LeakyBuckets(OPENINGS_PER_S, OPENING_BURST)

    async def lists(self) -> Lists | Reason:
        """Return the server's lists, at most `LIST_MAX_AGE_S` old, or the reason for a refusal."""
        async with self._asking:
            if monotonic() > self._until:
                self._lists = await self._ask()
                self._until = monotonic() + LIST_MAX_AGE_S
        return self._lists

    async def match(self, match: MatchId, address: str) -> WatchedMatch | Reason:
        """Return a finished match for a browser at `address`, or the reason for a refusal."""
        if (opened := self._opened.get(match)) is not None:
            return opened
        if not self._buckets.try_fill(address):
            return TOO_MANY
        async with self._opening:  # one at a time, because phones are playing
            if (opened := self._opened.get(match)) is not None:
                return opened
            fetched = await self._fetch(match, address)
            if not isinstance(fetched, Reason):
                beats = max(fetched.playback.last_beat, MAX_CACHED_BEATS // MAX_CACHED_MATCHES)
                self._opened.put(match, fetched, min(beats, MAX_CACHED_BEATS))
        return fetched

    async def _query(
        self, ask: Callable[[Address], Coroutine[Any, Any, Answer]]
    ) -> Answer | Reason:
        """Return the answer of the server, or the reason why it is missing.

        If the server shows another certificate that the gateway trusts, ask once more.
        """
        place = self._place()
        try:
            return await ask(place)
        except WrongCertificate as error:
            if not self._trusts(error.fingerprint):
                log.warning("not asked why=certificate fingerprint=%s", error.fingerprint)
                return with_host_name(CERTIFICATE_CHANGED, place)
        try:
            return await ask(self._place())
        except WrongCertificate:
            return with_host_name(CERTIFICATE_CHANGED, place)

    async def _ask(self) -> Lists | Reason:
        running = await self._query(list_tables)
        if isinstance(running, Reason):
            return running
        finished = await self._query(list_finished)
        # older servers have no list of finished matches
        return running.tables, () if isinstance(finished, Reason) else finished.matches

    async def _fetch(self, match: MatchId, address: str) -> WatchedMatch | Reason:
        # a separate address for each browser, so that only those who guess IDs are slowed down
        source_ip = loopback_address(address)
        record = await self._query(lambda place: fetch_record(place, match, (), source_ip))
        if isinstance(record, Reason):
            return record
        playback = await run_in_thread(partial(playback_of, record))
        if isinstance(playback, Reason):
            log.warning("cannot be watched match=%s why=%s", match, playback.text)
            return playback
        lists = await self.lists()
        finished = () if isinstance(lists, Reason) else lists[1]
        listed = next((each for each in finished if each.match == match), None)
        return WatchedMatch(match, playback, record_bytes(record), listed)
