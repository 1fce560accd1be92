"""The scope of a layout: an arrangement, a view, and the seats for which an entry holds."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec.structs import replace

from tabletop.engine.model import AUDIENCE, State, Value
from tabletop.games.conditions import holds
from tabletop.games.layout import Layout, Rect
from ui.table.layout.placed_table import PlacedTable

ME, OTHER = "{me}", "{other}"
NO_SEAT = -1
"""The viewer's seat at a public table: no zone and no value has it in its name."""
Gaps = dict[str, int]
"""Values of the gaps in names: {me}, {other}, {seat}, {row} ..."""


class LayoutScope(NamedTuple):
    """The scope of a layout: the arrangement, the view of it, and the setting it goes into."""

    layout: Layout
    view: State
    values: Mapping[str, Value]
    """The values of the view, and what else `when` may ask for."""
    turned: bool
    """Whether the table is seen from the other side."""
    raised: Mapping[str, int]
    setting: PlacedTable
    teams: tuple[int | None, ...]
    """The number of each seat's team; None where nobody has a partner."""

    @property
    def watched(self) -> bool:
        """Whether the viewer sits at no seat."""
        return self.view.viewer in (None, AUDIENCE)

    def look_ahead(self, foreseen: Mapping[str, Value]) -> LayoutScope:
        """The same with values as they would become."""
        view = replace(self.view, values={**self.view.values, **foreseen})
        return self._replace(view=view, values={**self.values, **foreseen})

    def holds(self, entry: Any, gaps: Gaps) -> bool:
        """Whether the entry is shown, with the current values."""
        return holds(entry.when, entry.unless, self.values, gaps)

    def repeat_gaps(self, repeat: str, gaps: Gaps) -> list[Gaps]:
        """The gaps of an entry once, or for each seat it is repeated for."""
        return _repeat_gaps(repeat, gaps, self.view.seats)

    def seats(self, repeat: str, me: int) -> list[int]:
        """The seats an entry is repeated for, in turn order from the viewer's left."""
        return _seats(repeat, me, self.view.seats)

    def each_entry(self, entries: tuple[Any, ...], gaps: Gaps) -> list[tuple[int, Any, Gaps]]:
        """Every entry with its number, moved on for each seat it is repeated for."""
        return expand_entries(entries, tuple(gaps.items()), self.view.seats)


def _seats(repeat: str, me: int, seats: int) -> list[int]:
    around = [(max(me, 0) + ahead) % seats for ahead in range(seats)]
    return around[1:] if repeat == "others" else around


def _repeat_gaps(repeat: str, gaps: Gaps, seats: int) -> list[Gaps]:
    if not repeat:
        return [gaps]
    return [gaps | {"seat": seat} for seat in _seats(repeat, gaps["me"], seats)]


@lru_cache(maxsize=1024)
def expand_entries(
    entries: tuple[Any, ...], filled: tuple[tuple[str, int], ...], seats: int
) -> list[tuple[int, Any, Gaps]]:
    gaps = dict(filled)
    return [
        (number, _move_entry(entry, order) if order else entry, own)
        for number, entry in enumerate(entries)
        for order, own in enumerate(_repeat_gaps(entry.repeat, gaps, seats))
    ]


def _move_entry(entry: Any, order: int) -> Any:
    """The entry moved on by this many of its steps."""
    x, y, w, h = entry.at
    return replace(entry, at=Rect(x + order * entry.step[0], y + order * entry.step[1], w, h))
