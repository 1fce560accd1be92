"""The guests that wait for the table's owner to admit them, and the banned ones."""

from dataclasses import dataclass, field
from typing import NamedTuple

from tabletop.protocol.moderation import WaitingGuest
from tabletop.table.seats import Peer

MAX_WAITING = 8
"""The number of guests that may wait at the same time. An owner wouldn't read a longer list."""
MAX_WAITING_PER_ORIGIN = 2
"""The number of guests from one origin that may wait at the same time."""


class _Waiting(NamedTuple):
    peer: Peer
    name: str
    sign: bytes


@dataclass(eq=False)
class LobbyQueue:
    """The queue of one table. Guests with a token for a seat don't have to wait."""

    banned: set[str] = field(default_factory=set)
    """The origins of banned guests."""
    _waiting: dict[int, _Waiting] = field(default_factory=dict)
    _number: int = 0

    def __contains__(self, peer: object) -> bool:
        """Return whether the guest is waiting."""
        return any(each.peer is peer for each in self._waiting.values())

    def is_full_for(self, peer: Peer) -> bool:
        """Return whether there is no room for another guest from the origin of `peer`."""
        near = sum(each.peer.origin == peer.origin for each in self._waiting.values())
        return len(self._waiting) >= MAX_WAITING or near >= MAX_WAITING_PER_ORIGIN

    def add(self, peer: Peer, name: str, sign: bytes) -> None:
        """Queue a guest; `sign`: the proof for the guest that the host knows the code."""
        self._number += 1
        self._waiting[self._number] = _Waiting(peer, name, sign)

    def pop(self, number: int) -> tuple[Peer, bytes] | None:
        """Remove a guest from the queue. Return it with its `sign`; None if it has left."""
        taken = self._waiting.pop(number, None)
        return (taken.peer, taken.sign) if taken else None

    def remove(self, peer: Peer) -> bool:
        """Remove a guest that has left. Return whether it was waiting."""
        numbers = [number for number, each in self._waiting.items() if each.peer is peer]
        for number in numbers:
            del self._waiting[number]
        return bool(numbers)

    def knocks(self) -> tuple[WaitingGuest, ...]:
        """Return the waiting guests for display, first come first."""
        return tuple(WaitingGuest(number, each.name) for number, each in self._waiting.items())

    def waiting_guests(self) -> tuple[Peer, ...]:
        """Return the connections of all waiting guests."""
        return tuple(each.peer for each in self._waiting.values())
