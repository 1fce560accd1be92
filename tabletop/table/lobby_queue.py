"""The lobby queue of a table: guests that knocked and wait for its host, and banned ones."""

from dataclasses import dataclass, field
from typing import NamedTuple

from tabletop.protocol.moderation import WaitingGuest
from tabletop.table.seats import Peer

MOST_KNOCKING = 8
"""Guests that wait at once; a host would not read a longer list."""
MOST_FROM_ONE = 2
"""The guests from one origin that wait at once."""


class _Waiting(NamedTuple):
    peer: Peer
    name: str
    sign: bytes


@dataclass(eq=False)
class LobbyQueue:
    """The queue of one table. A guest with a token of a seat doesn't have to wait."""

    banned: set[str] = field(default_factory=set)
    """Origins of the guests that were sent away."""
    _waiting: dict[int, _Waiting] = field(default_factory=dict)
    _number: int = 0

    def __contains__(self, peer: object) -> bool:
        """Whether this guest waits here."""
        return any(each.peer is peer for each in self._waiting.values())

    def is_crowded(self, peer: Peer) -> bool:
        """Whether there is no room for somebody else from there."""
        near = sum(each.peer.origin == peer.origin for each in self._waiting.values())
        return len(self._waiting) >= MOST_KNOCKING or near >= MOST_FROM_ONE

    def knock(self, peer: Peer, name: str, sign: bytes) -> None:
        """Queue a guest; `sign` proves to them, once they are let in, that the host knows the
        code."""
        self._number += 1
        self._waiting[self._number] = _Waiting(peer, name, sign)

    def take(self, number: int) -> tuple[Peer, bytes] | None:
        """Take the guest of this number out of the queue, with the sign; None if they have gone."""
        taken = self._waiting.pop(number, None)
        return (taken.peer, taken.sign) if taken else None

    def leave(self, peer: Peer) -> bool:
        """Take a guest out who has gone; return whether they waited here."""
        numbers = [number for number, each in self._waiting.items() if each.peer is peer]
        for number in numbers:
            del self._waiting[number]
        return bool(numbers)

    def knocks(self) -> tuple[WaitingGuest, ...]:
        """The waiting guests for everybody to see, the first to come first."""
        return tuple(WaitingGuest(number, each.name) for number, each in self._waiting.items())

    def waiting_guests(self) -> tuple[Peer, ...]:
        """The connections of all waiting guests."""
        return tuple(each.peer for each in self._waiting.values())
