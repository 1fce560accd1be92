"""The state machine that decides when a connection to a host reconnects, and where.

`ReconnectPolicy` has no sockets and no clock. The connection calls a method for
each event and then acts on `state`. Methods for a lost connection or a failed
attempt return the `Lost` event to report.

The states:

`idle`      not started
`dialling`  connecting to the first of the host's addresses that answers
`trying`    connected to a host that may be the wrong one
`settled`   connected to the right host
`leaving`   disconnecting from a wrong host
`waiting`   pausing for `delay_s` before dialling again
`ended`     stopped for good
"""

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from tabletop.engine.model import Reason
from tabletop.lan.discovery import DiscoveredTable, addresses_of_hosts
from tabletop.lan.interfaces import is_loopback
from tabletop.net.guest.dial import UNKNOWN_FINGERPRINT, with_host_name
from tabletop.net.guest.wrong_host import PROOF_UNANSWERED, SILENT, most_useful_reason
from tabletop.protocol.invitation import Address
from tabletop.table.connection_events import Lost

CONNECTION_LOST = Reason("Connection lost. Reconnecting…")
PACKETS_LOST = Reason(
    "Connection lost several times: small messages get through, but large ones are lost. A VPN "
    "often causes that: turn it off, or use another network. Reconnecting…"
)
INVALID_MESSAGE = Reason("The host sent something invalid or far too large.", code="nonsense")
RETRY_DELAYS_S = (0.2, 0.5, 1.0, 2.0, 4.0, 5.0)
"""Seconds before each attempt to reconnect. The last delay repeats."""
RESTART_DELAY_S = RETRY_DELAYS_S[-1]
"""Seconds before reconnecting after an unexpected exception."""
MAX_ATTEMPTS = 3
"""The number of connections to one address that may break before the guest is admitted.

After that the next address is tried.
"""

PolicyState = Literal["idle", "dialling", "trying", "settled", "leaving", "waiting", "ended"]
CONNECTED_STATES: tuple[PolicyState, ...] = ("trying", "settled", "leaving")


class Destination(Struct, frozen=True):
    """The host that a connection leads to."""

    address: Address
    other_addresses: tuple[Address, ...] = ()
    """More addresses at which the host or the table may be found."""
    table: str | None = None
    """The ID of the wanted table.

    None treats every unexpected certificate as a possible impostor
    without asking for the table, as with a server.
    """
    is_pinned: bool = True
    """Whether the fingerprints come from a trusted source, so
    that no other certificates are accepted.

    False if they were only announced on the LAN.
    """
    is_returning: bool = False
    """Whether to keep retrying even if the first attempt finds no host."""


class HostAddresses:
    """The addresses to try, and the one at which the host was found."""

    def __init__(self, destination: Destination) -> None:
        self.current = destination.address
        """The host's current address. The host name that answered first comes first."""
        self.candidates: tuple[Address, ...] = (destination.address, *destination.other_addresses)
        """The addresses to dial. Once the right host is found, only `current`."""
        self._initial = self.candidates

    def add(self, address: Address) -> None:
        self.candidates = tuple(dict.fromkeys((*self.candidates, address)))

    def set_current(self, route: Address, fingerprint: str) -> None:
        """Set `current` to the host that answered at `route` with the certificate `fingerprint`."""
        at = next((each for each in self.candidates if route.hosts[0] in each.hosts), route)
        rest = [host for host in at.hosts if at.port == route.port]
        hosts = tuple(dict.fromkeys((*route.hosts, *rest)))
        self.current = replace(route, hosts=hosts, fingerprint=fingerprint)

    def all_name(self, fingerprint: str) -> bool:
        """Return whether every candidate has this `fingerprint`."""
        return all(each.fingerprint == fingerprint for each in self.candidates)

    def keep_only_current(self) -> None:
        """Drop all candidates but the current address."""
        self.candidates = (self.current,)

    def replace_all(self, address: Address) -> None:
        """Use only `address`, because the table has moved there."""
        self.current, self.candidates, self._initial = address, (address,), (address,)

    def restore_initial(self) -> None:
        """Make all initial addresses candidates again, because the current one was a wrong host."""
        self.candidates = self._initial

    def set_slot(self, slot: int) -> None:
        """Set which of several servers behind one IP address the addresses mean."""
        self.current = replace(self.current, slot=slot)
        self.candidates = tuple(replace(each, slot=slot) for each in self.candidates)
        self._initial = tuple(replace(each, slot=slot) for each in self._initial)

    @property
    def can_be_announced(self) -> bool:
        """Whether LAN announcements can lead to the host.

        They can if its certificate is known and it isn't on this computer.
        """
        return any(
            each.fingerprint not in ("", UNKNOWN_FINGERPRINT)
            and not all(map(is_loopback, each.hosts))
            for each in self.candidates
        )

    def announced_in(self, tables: Iterable[DiscoveredTable]) -> set[Address]:
        """Return the addresses from `tables` whose fingerprint belongs to a candidate."""
        wanted = {each.fingerprint for each in self.candidates} - {"", UNKNOWN_FINGERPRINT}
        slot = self.candidates[0].slot
        return {replace(each, slot=slot) for each in addresses_of_hosts(wanted, tables)}


@dataclass
class RejectedHosts:
    """Hosts that turned out to be wrong since all addresses were last tried."""

    reasons: list[Reason] = field(default_factory=list)
    fingerprints: set[str] = field(default_factory=set)
    break_counts: Counter[Address] = field(default_factory=Counter)
    """The number of connections that broke on each route."""

    def add(self, reason: Reason, fingerprint: str) -> None:
        self.reasons.append(reason)
        self.fingerprints.add(fingerprint)


class ReconnectPolicy:
    """Decides what a connection does after each attempt and each disconnection."""

    def __init__(self, destination: Destination) -> None:
        self.state: PolicyState = "idle"
        self.addresses = HostAddresses(destination)
        self.route = destination.address
        """The route of the current or latest connection."""
        self.delay_s = 0.0
        """The pause in the state `waiting`, in seconds."""
        self._is_returning = destination.is_returning
        self._progress: Literal["unmet", "met", "entered"] = "unmet"
        """How far the guest has come: `met` once a host has
        answered, `entered` once it was admitted.
        """
        self._failure_count = 0
        self._stall_count = 0
        """The number of connections in a row that opened and then fell silent."""
        self._rejected = RejectedHosts()

    @property
    def was_admitted(self) -> bool:
        """Whether the host has admitted the guest."""
        return self._progress == "entered"

    @property
    def is_first_visit(self) -> bool:
        """Whether the guest is new: neither admitted yet nor returning to its seat."""
        return not (self._is_returning or self.was_admitted)

    def is_rejected(self, fingerprint: str) -> bool:
        """Return whether the host with this `fingerprint` was rejected as the wrong one."""
        return fingerprint in self._rejected.fingerprints

    def start_dialling(self) -> None:
        """Start to dial, initially or after a pause."""
        if self.state in ("idle", "waiting"):
            self.state = "dialling"

    def on_connected(self, route: Address, fingerprint: str) -> None:
        """Handle a connection over `route` to a host with the certificate `fingerprint`."""
        if self.state != "dialling":
            return
        self.route = route
        self.addresses.set_current(route, fingerprint)
        if self._progress == "unmet":
            self._progress = "met"
        self.state = "trying"
        if self.addresses.all_name(fingerprint):
            self._settle()

    def on_unreachable(self, reason: Reason) -> Lost | None:
        """Handle the failure of all addresses; `reason`: the most useful error.

        Returns:
            The event to report, or None if the connection isn't dialling.
        """
        if self.state != "dialling":
            return None
        self._stall_count = 0
        rejected, self._rejected = self._rejected, RejectedHosts()
        reason, pause = (
            most_useful_reason([*rejected.reasons, reason]),
            _retry_delay(self._failure_count),
        )
        self._failure_count += 1
        unlikely = self._progress == "unmet" or self._failure_count >= MAX_ATTEMPTS
        if self.is_first_visit and (rejected.reasons or unlikely):
            self.state = "ended"
            return Lost(reason)
        return self._retry_later(reason, pause)

    def on_admitted(self) -> None:
        """Handle admission by the host, which proves that it is the right one."""
        if self.state in ("trying", "settled"):
            self._progress = "entered"
            if self.state == "trying":
                self._settle()

    def on_moved(self, address: Address) -> None:
        """Handle the host's message that the table has moved to `address`.

        Ignored if the host hasn't admitted the guest: an impostor could send it.
        """
        if self.state in ("trying", "settled") and self.was_admitted:
            self.addresses.replace_all(address)

    def reject_host(self, reason: Reason, fingerprint: str) -> None:
        """Mark the host with this `fingerprint` as the wrong one, and disconnect from it if
        connected.

        `reason`: what to show if no other host answers.
        """
        if self.is_rejected(fingerprint):
            return
        self._rejected.add(with_host_name(reason, self.addresses.current), fingerprint)
        if self.addresses.current.fingerprint == fingerprint:
            self.addresses.restore_initial()
            if self.was_admitted:
                self._progress = "met"
            if self.state in ("trying", "settled"):
                self.state = "leaving"

    def on_disconnected(
        self,
        reason: Reason,
        proof_unanswered: bool,
        has_untried_routes: bool,
        stalled: bool = False,
    ) -> Lost | None:
        """Handle a disconnection that calls for a reconnect.

        Args:
            reason: Why the connection ended.
            proof_unanswered: Whether the host left the guest's proof of the join code unanswered.
            has_untried_routes: Whether any route hasn't been tried yet.
            stalled: Whether the connection opened and then fell silent, without large frames.

        Returns:
            The event to report, or None if there is nothing new to show.
        """
        if self.state not in CONNECTED_STATES:
            return None
        address = self.addresses.current
        self._stall_count = self._stall_count + 1 if stalled else 0
        if self.is_rejected(address.fingerprint):
            return self._dial_other_host(has_untried_routes)
        fails = self.is_first_visit or reason is not CONNECTION_LOST
        self._failure_count = self._failure_count + 1 if fails else 0
        if self.state == "trying":
            self._rejected.break_counts[self.route] += 1
            if reason is SILENT or self._rejected.break_counts[self.route] >= MAX_ATTEMPTS:
                silent = PROOF_UNANSWERED if proof_unanswered else SILENT
                reason = with_host_name(reason if reason is INVALID_MESSAGE else silent, address)
                self._rejected.add(reason, address.fingerprint)
                return self._dial_other_host(has_untried_routes)
        if self._stall_count >= MAX_ATTEMPTS:
            reason = PACKETS_LOST
        return self._retry_later(with_host_name(reason, address), _retry_delay(self._failure_count))

    def on_fault(self) -> Lost:
        """Handle an unexpected exception in the connection: reconnect after `RESTART_DELAY_S`."""
        self._failure_count = 0
        return self._retry_later(
            with_host_name(CONNECTION_LOST, self.addresses.current), RESTART_DELAY_S
        )

    def end(self) -> None:
        """Stop reconnecting for good."""
        self.state = "ended"

    def _settle(self) -> None:
        self.state = "settled"
        self.addresses.keep_only_current()

    def _retry_later(self, reason: Reason, delay_s: float) -> Lost:
        self.state, self.delay_s = "waiting", delay_s
        return Lost(reason, delay_s)

    def _dial_other_host(self, has_untried_routes: bool) -> Lost | None:
        self.state = "dialling"
        return Lost(self._rejected.reasons[-1], 0.0) if has_untried_routes else None


def _retry_delay(failures: int) -> float:
    """Return the seconds until the next attempt after `failures` failures in a row.

    The delay is randomised. Otherwise all guests of a restarted host would reconnect at once.
    """
    pause = RETRY_DELAYS_S[min(failures, len(RETRY_DELAYS_S) - 1)]
    return pause * random.uniform(0.8, 1.2)
