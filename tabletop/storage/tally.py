"""What the log of a match tells of each player, as people who play that game like to know it.

A game's `layout.toml` says under `[[tally]]` what is counted: `text`, what it is called, and
`said`, the sentences of the log that count for their {seat}. With `sum = "n"` it is not how often
they were said, but their argument {n} added up.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from tabletop.engine.events import Said
from tabletop.engine.model import Line


class Tally(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that is counted."""

    text: str
    said: tuple[str, ...]
    sum: str = ""

    def of(self, said: Said, seat: int) -> int:
        """What a line of the log counts for a seat."""
        if said.text not in self.said or said.args.get("seat") != seat:
            return 0
        return int(said.args[self.sum]) if self.sum else 1


def tallies(layout: Mapping[str, Any], log: Iterable[Said], seats: int) -> tuple[Line, ...]:
    """A line for each thing that this game counts, with what every seat has of it."""
    counted = msgspec.convert(layout.get("tally", []), tuple[Tally, ...])
    heard = tuple(log)
    return tuple(
        Line(
            tally.text,
            tuple(sum(tally.of(said, seat) for said in heard) for seat in range(seats)),
        )
        for tally in counted
    )
