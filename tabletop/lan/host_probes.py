"""Checks whether the hosts that announced themselves still accept connections.

A host that was killed withdraws no announcement, and other computers remember it for minutes.
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import monotonic
from typing import Literal

from tabletop.background.tasks import create_child_task
from tabletop.protocol.invitation import Address

PROBE_INTERVAL_S = 4.0
"""Seconds between two probes of a host."""
PROBE_TIMEOUT_S = 3.0
MAX_FAILURES = 2
"""The number of failed probes in a row after which a host counts as unreachable. With the interval
and the timeout, that takes less than 15 seconds.
"""
DROP_AFTER_S = 45.0
"""Seconds after a host's first failed probe until its tables are no longer listed. With a round
before and after, that takes less than a minute.
"""

HostState = Literal["reachable", "unreachable", "gone"]


@dataclass
class _Failures:
    """Failed probes in a row."""

    since: float
    count: int = 0

    @property
    def state(self) -> HostState:
        if self.count < MAX_FAILURES:
            return "reachable"
        return "gone" if monotonic() - self.since >= DROP_AFTER_S else "unreachable"


class HostProbes:
    """The reachability of hosts, by repeated TCP connections that are closed at once."""

    def __init__(
        self, list_hosts: Callable[[], Iterable[Address]], on_round: Callable[[], None]
    ) -> None:
        """`list_hosts`: returns the hosts to probe. `on_round`: called in the event loop after each
        round of probes.
        """
        self._list_hosts = list_hosts
        self._on_round = on_round
        self._failing: dict[Address, _Failures] = {}

    def state(self, host: Address) -> HostState:
        """Return the state of `host`. "gone": unreachable for so long that its tables aren't listed
        until it answers again.
        """
        failures = self._failing.get(host)
        return "reachable" if failures is None else failures.state

    async def run(self) -> None:
        """Probe all hosts, round by round, until cancelled."""
        while True:
            await asyncio.sleep(PROBE_INTERVAL_S)
            hosts = tuple(dict.fromkeys(self._list_hosts()))
            answered = await asyncio.gather(*map(_accepts_connections, hosts))
            failing = [host for host, answer in zip(hosts, answered, strict=True) if not answer]
            now = monotonic()
            self._failing = {host: self._failing.get(host, _Failures(now)) for host in failing}
            for failures in self._failing.values():
                failures.count += 1
            self._on_round()


async def _accepts_connections(host: Address) -> bool:
    """Return whether any of the host's addresses accepts a connection."""
    attempts = [create_child_task(_connect(each, host.port)) for each in host.hosts]
    try:
        async with asyncio.timeout(PROBE_TIMEOUT_S):
            for attempt in asyncio.as_completed(attempts):
                if await attempt:
                    return True
    except TimeoutError:
        pass
    finally:
        for attempt in attempts:
            attempt.cancel()
        await asyncio.gather(*attempts, return_exceptions=True)
    return False


async def _connect(host: str, port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection(host, port)
    except (OSError, UnicodeError):
        return False
    writer.transport.abort()
    return True
