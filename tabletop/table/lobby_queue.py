"""The guests that wait until a table's owner admits them, and the banned origins."""

from dataclasses import dataclass, field
from typing import NamedTuple

from tabletop.protocol.moderation import WaitingGuest
from tabletop.table.seats import Peer

MAX_WAITING = 8
"""The maximum number of guests that wait at the same time. An owner wouldn't read a longer list."""
MAX_WAITING_PER_ORIGIN = 2
"""The maximum number of guests from one origin that wait at the same time."""


class _Waiting(NamedTuple):
    peer: Peer
    name: str
    sign: bytes


@dataclass(eq=False)
class LobbyQueue:
    """The queue of guests at one table. Guests with a token for a seat needn't wait."""

    banned: set[str] = field(default_factory=set)
    """The origins of banned guests."""
    _waiting: dict[int, _Waiting] = field(default_factory=dict)
    _number: int = 0

    def __contains__(self, peer: object) -> bool:
        """Return whether the guest is waiting."""
        return any(each.peer is peer for each in self._waiting.values())

    def is_full_for(self, peer: Peer) -> bool:
        """Return whether no further guest from the origin of `peer` may wait."""
        near = sum(each.peer.origin == peer.origin for each in self._waiting.values())
        return len(self._waiting) >= MAX_WAITING or near >= MAX_WAITING_PER_ORIGIN

    def add(self, peer: Peer, name: str, sign: bytes) -> None:
        """Queue a guest; `sign`: the host's own proof that it knows
        the code, sent when the guest is admitted.
        """
        self._number += 1
        self._waiting[self._number] = _Waiting(peer, name, sign)

    def pop(self, number: int) -> tuple[Peer, bytes] | None:
        """Remove the guest with this `number` from the queue.

        Return it with its `sign`, or None if it has left.
        """
        taken = self._waiting.pop(number, None)
        return (taken.peer, taken.sign) if taken else None

    def remove(self, peer: Peer) -> bool:
        """Remove a guest that has left. Return whether it was in the queue."""
        numbers = [number for number, each in self._waiting.items() if each.peer is peer]
        for number in numbers:
            del self._waiting[number]
        return bool(numbers)

    def knocks(self) -> tuple[WaitingGuest, ...]:
        """Return the waiting guests for display, the longest waiting first."""
        return tuple(WaitingGuest(number, each.name) for number, each in self._waiting.items())

    def waiting_guests(self) -> tuple[Peer, ...]:
        """Return the connections of all waiting guests."""
        return tuple(each.peer for each in self._waiting.values())
