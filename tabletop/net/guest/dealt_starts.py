"""A guest's own count of the deals at a table, as a state machine over what it has seen.

A host knows a deal as soon as it has every seat's share, so a start counts as dealt once this guest
sends its shares or is shown a table. Only one thing settles it: a proof that replays to an end that
was seen here. A cut line, a table shown afresh, another round, another name of the table and a
restart of either program change nothing, or a host could deal until it likes the cards.

    state     event    next state   unfinished deals
    none      deal     dealt        0
    dealt     deal     dealt        one more
    dealt     end      ended
    ended     deal     dealt        one more
    ended     settle   settled
    ended     reject   dealt
    settled   deal     dealt        0

Every other event changes nothing.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Literal, NamedTuple

from msgspec import Struct

DIGITS = 16
"""Hexadecimal digits by which a start is recognised."""

State = Literal["none", "dealt", "ended", "settled"]
"""Nothing was dealt · the deal is known to the host · a proof came, of an end that was seen here ·
that proof is right."""
Event = Literal["deal", "end", "reject", "settle"]
"""Another start is dealt · a proof of a seen end comes · it is wrong · it is right."""


class Transition(NamedTuple):
    """The next state after an event."""

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
    """The start that was dealt last, and how many before it were not seen to their end. It is part
    of the way back to the table, so that a restarted program still has it."""

    state: State = "none"
    start: str = ""
    """The id of that start (`start_id`)."""
    unfinished: int = 0
    """Since the last one that was settled."""

    def with_event(self, event: Event, start: str = "") -> "DealtStarts":
        """The count after an event; `start` names what was dealt. A start that is shown again is
        no other deal."""
        transition = TRANSITIONS.get((self.state, event))
        if transition is None or (event == "deal" and start == self.start):
            return self
        counts = {"same": self.unfinished, "more": self.unfinished + 1, "none": 0}
        return DealtStarts(transition.state, start or self.start, counts[transition.unfinished])


def start_id(host_seal: str, seals: Mapping[int, str]) -> str:
    """The name of a start: all its seals, and so its cards."""
    sealed = "/".join(f"{seat}:{seals[seat]}" for seat in sorted(seals))
    return sha256(f"start/{host_seal}/{sealed}".encode()).hexdigest()[:DIGITS]
