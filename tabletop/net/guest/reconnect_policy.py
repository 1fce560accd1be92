"""The reconnect policy: the state machine of a connection to a host, without sockets or clock.

Its events are methods. Those that end a connection, or an attempt at one, return the `Lost` that
tells about it. A state says what the connection does:

`idle`      nothing yet
`dialling`  it connects to the first place at which the host may be
`trying`    it is connected to a host that may be another one than the right one
`settled`   it is connected to the right host
`leaving`   it hangs up on a host that isn't the right one
`waiting`   it pauses (`pause_s`), then it dials again
`ended`     nothing more
"""

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from tabletop.engine.model import Reason
from tabletop.lan.discovery import DiscoveredTable, places_of_hosts
from tabletop.lan.interfaces import is_loopback
from tabletop.net.guest.dial import UNMET, with_place
from tabletop.net.guest.wrong_host import SILENT, UNANSWERED, best_reason
from tabletop.protocol.invitation import Address
from tabletop.table.connection_events import Lost

BROKEN = Reason("Connection lost. Reconnecting…")
NONSENSE = Reason("The host sent something invalid or far too large.", code="nonsense")
RETRY_PAUSES_S = (0.2, 0.5, 1.0, 2.0, 4.0, 5.0)
"""Seconds between attempts to come back; the last one forever."""
AFTER_FAULT = RETRY_PAUSES_S[-1]
"""Seconds until the connection is made again after a fault of the program."""
MAX_ATTEMPTS = 3
"""Connections that may break at an address before a new guest was let in; then the next one."""

LineState = Literal["idle", "dialling", "trying", "settled", "leaving", "waiting", "ended"]
CONNECTED: tuple[LineState, ...] = ("trying", "settled", "leaving")


class Destination(Struct, frozen=True):
    """The host that a connection leads to."""

    place: Address
    others: tuple[Address, ...] = ()
    """More places where the host, or the table, may be."""
    table: str | None = None
    """The wanted table; None if another certificate alone is an alarm, as at a server."""
    sure: bool = True
    """Whether the certificates of the places are known, not only announced: then no other will
    do."""
    returning: bool = False
    """Whether to keep trying even if the host can't be reached at first."""


class HostPlaces:
    """The places where the host may be, and the one where it was found."""

    def __init__(self, destination: Destination) -> None:
        self.present = destination.place
        """The host's present place, the address that answered first."""
        self.all: tuple[Address, ...] = (destination.place, *destination.others)
        """The places to dial; of a host that let the guest in, its place alone."""
        self._wanted = self.all

    def add(self, place: Address) -> None:
        self.all = tuple(dict.fromkeys((*self.all, place)))

    def note_present(self, route: Address, shown: str) -> None:
        """Note that a host at this address shows the certificate `shown`."""
        at = next((each for each in self.all if route.hosts[0] in each.hosts), route)
        rest = [host for host in at.hosts if at.port == route.port]
        hosts = tuple(dict.fromkeys((*route.hosts, *rest)))
        self.present = replace(route, hosts=hosts, fingerprint=shown)

    def are_all_of(self, shown: str) -> bool:
        """Return whether every place names this certificate."""
        return all(place.fingerprint == shown for place in self.all)

    def settle(self) -> None:
        """Dial only the present place from now on."""
        self.all = (self.present,)

    def move(self, place: Address) -> None:
        """Dial only this place, to which the table has moved."""
        self.present, self.all, self._wanted = place, (place,), (place,)

    def restore(self) -> None:
        """Dial all places again, because the host at the present one isn't the right one."""
        self.all = self._wanted

    def name_slot(self, slot: int) -> None:
        """Note which of several servers at one address is meant."""
        self.present = replace(self.present, slot=slot)
        self.all = tuple(replace(place, slot=slot) for place in self.all)
        self._wanted = tuple(replace(place, slot=slot) for place in self._wanted)

    @property
    def can_be_announced(self) -> bool:
        """Whether announcements can lead to the host: its certificate is known, and it isn't on
        this computer."""
        return any(
            place.fingerprint not in ("", UNMET) and not all(map(is_loopback, place.hosts))
            for place in self.all
        )

    def announced(self, tables: Iterable[DiscoveredTable]) -> set[Address]:
        """Return the places where the host announces one of these tables."""
        wanted = {place.fingerprint for place in self.all} - {"", UNMET}
        slot = self.all[0].slot
        return {replace(place, slot=slot) for place in places_of_hosts(wanted, tables)}


@dataclass
class Rejections:
    """The hosts that answered, but aren't the right one, since all places were dialled last."""

    reasons: list[Reason] = field(default_factory=list)
    certificates: set[str] = field(default_factory=set)
    breaks: Counter[Address] = field(default_factory=Counter)
    """The broken connections at each address."""

    def add(self, reason: Reason, shown: str) -> None:
        self.reasons.append(reason)
        self.certificates.add(shown)


class ReconnectPolicy:
    """Decides what a connection does after each attempt and each break."""

    def __init__(self, destination: Destination) -> None:
        self.state: LineState = "idle"
        self.places = HostPlaces(destination)
        self.route = destination.place
        """The address of the present connection, or of the last one."""
        self.pause_s = 0.0
        """The seconds to wait in `waiting`."""
        self._returning = destination.returning
        self._progress: Literal["unmet", "met", "entered"] = "unmet"
        """How far the guest has come: no host has answered, one has, the right one let it in."""
        self._failures = 0
        self._rejections = Rejections()

    @property
    def entered(self) -> bool:
        """Whether the host has let the guest in."""
        return self._progress == "entered"

    @property
    def is_first_visit(self) -> bool:
        """Whether the guest is on its way to a table for the first time."""
        return not (self._returning or self.entered)

    def is_rejected(self, shown: str) -> bool:
        """Return whether the host of this certificate isn't the right one."""
        return shown in self._rejections.certificates

    def dial(self) -> None:
        """Dial, for the first time or after a pause."""
        if self.state in ("idle", "waiting"):
            self.state = "dialling"

    def connect(self, route: Address, shown: str) -> None:
        """Note that a host which shows the certificate `shown` has answered at this address."""
        if self.state != "dialling":
            return
        self.route = route
        self.places.note_present(route, shown)
        if self._progress == "unmet":
            self._progress = "met"
        self.state = "trying"
        if self.places.are_all_of(shown):
            self._settle()

    def miss(self, why: Reason) -> Lost | None:
        """Note that no place leads to the host; `why`: the reason of the best attempt."""
        if self.state != "dialling":
            return None
        rejected, self._rejections = self._rejections, Rejections()
        reason, pause = best_reason([*rejected.reasons, why]), _pause_after(self._failures)
        self._failures += 1
        unlikely = self._progress == "unmet" or self._failures >= MAX_ATTEMPTS
        if self.is_first_visit and (rejected.reasons or unlikely):
            self.state = "ended"
            return Lost(reason)
        return self._wait(reason, pause)

    def enter(self) -> None:
        """Note that the host has let the guest in."""
        if self.state in ("trying", "settled"):
            self._progress = "entered"
            if self.state == "trying":
                self._settle()

    def move(self, place: Address) -> None:
        """Note that the table has moved to this place; a host that hasn't let the guest in can't
        say so."""
        if self.state in ("trying", "settled") and self.entered:
            self.places.move(place)

    def give_up(self, reason: Reason, shown: str) -> None:
        """Note that the host of the certificate `shown` isn't the right one."""
        if self.is_rejected(shown):
            return
        self._rejections.add(with_place(reason, self.places.present), shown)
        if self.places.present.fingerprint == shown:
            self.places.restore()
            if self.entered:
                self._progress = "met"
            if self.state in ("trying", "settled"):
                self.state = "leaving"

    def break_off(self, why: Reason, proved: bool, others: bool) -> Lost | None:
        """Note that the connection has ended and is to be made again.

        `proved`: the host was given a proof of the code, and gave none in return. `others`: there
        are addresses that haven't been tried.
        """
        if self.state not in CONNECTED:
            return None
        place = self.places.present
        if self.is_rejected(place.fingerprint):
            return self._dial_elsewhere(others)
        fails = self.is_first_visit or why is not BROKEN
        self._failures = self._failures + 1 if fails else 0
        if self.state == "trying":
            self._rejections.breaks[self.route] += 1
            if why is SILENT or self._rejections.breaks[self.route] >= MAX_ATTEMPTS:
                silent = UNANSWERED if proved else SILENT
                reason = with_place(why if why is NONSENSE else silent, place)
                self._rejections.add(reason, place.fingerprint)
                return self._dial_elsewhere(others)
        return self._wait(with_place(why, place), _pause_after(self._failures))

    def fail(self) -> Lost:
        """Note a fault of the program: the connection is made again, as after any break."""
        self._failures = 0
        return self._wait(with_place(BROKEN, self.places.present), AFTER_FAULT)

    def end(self) -> None:
        """End for good."""
        self.state = "ended"

    def _settle(self) -> None:
        self.state = "settled"
        self.places.settle()

    def _wait(self, reason: Reason, pause: float) -> Lost:
        self.state, self.pause_s = "waiting", pause
        return Lost(reason, pause)

    def _dial_elsewhere(self, others: bool) -> Lost | None:
        self.state = "dialling"
        return Lost(self._rejections.reasons[-1], 0.0) if others else None


def _pause_after(failures: int) -> float:
    """Return the seconds until the next attempt. They differ, or all guests of a host that is back
    would come at once."""
    pause = RETRY_PAUSES_S[min(failures, len(RETRY_PAUSES_S) - 1)]
    return pause * random.uniform(0.8, 1.2)
