"""A guest's own count of the deals at a table.

It detects a host that deals until it likes the cards.

A host knows the cards as soon as it has every seat's share. A start therefore counts as dealt once
this guest has sent its shares or is shown the table. A start is settled only by a proof that
replays to an end seen by this guest. Lost connections, renamed tables, new rounds and restarts of
either program change nothing, because a host could use them to deal again unnoticed.

    state     event    next state   unfinished deals
    none      deal     dealt        0
    dealt     deal     dealt        one more
    dealt     end      ended
    ended     deal     dealt        one more
    ended     settle   settled
    ended     reject   dealt
    settled   deal     dealt        0

All other events change nothing.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Literal, NamedTuple

from msgspec import Struct

DIGITS = 16
"""The number of hexadecimal digits in a start's ID."""

State = Literal["none", "dealt", "ended", "settled"]
"""The state of the latest start.

`none`: nothing was dealt. `dealt`: the host may know the cards. `ended`: the proof of a match whose
end this guest saw has arrived. `settled`: that proof was right.
"""
Event = Literal["deal", "end", "reject", "settle"]
"""An event that changes the state.

`deal`: another start is dealt. `end`: the proof of a match whose end this guest saw arrives.
`reject`: the proof is wrong. `settle`: the proof is right.
"""


class Transition(NamedTuple):
    """The next state, and how the number of unfinished deals changes."""

    state: State
    unfinished: Literal["same", "more", "none"] = "same"


TRANSITIONS: Mapping[tuple[State, Event], Transition] = {
    ("none", "deal"): Transition("dealt", "none"),
    ("dealt", "deal"): Transition("dealt", "more"),
    ("dealt", "end"): Transition("ended"),
    ("ended", "deal"): Transition("dealt", "more"),
    ("ended", "reject"): Transition("dealt"),
    ("ended", "settle"): Transition("settled"),
    ("settled", "deal"): Transition("dealt", "none"),
}


class DealtStarts(Struct, frozen=True):
    """The state of the latest deal, and how many deals before it the guest didn't see to their end.

    It is saved in the ticket, so the count survives a restart.
    """

    state: State = "none"
    start: str = ""
    """The ID of the latest start (`start_id`)."""
    unfinished: int = 0
    """The number of unfinished deals since the last settled one."""

    def with_event(self, event: Event, start: str = "") -> "DealtStarts":
        """Return the count after `event`; `start`: the ID of the start that was dealt.

        Another `deal` of the same start changes nothing.
        """
        transition = TRANSITIONS.get((self.state, event))
        if transition is None or (event == "deal" and start == self.start):
            return self
        counts = {"same": self.unfinished, "more": self.unfinished + 1, "none": 0}
        return DealtStarts(transition.state, start or self.start, counts[transition.unfinished])


def start_id(host_seal: str, seals: Mapping[int, str]) -> str:
    """Return the ID of a start: a hash of all its commitments, which determine the cards."""
    sealed = "/".join(f"{seat}:{seals[seat]}" for seat in sorted(seals))
    return sha256(f"start/{host_seal}/{sealed}".encode()).hexdigest()[:DIGITS]
