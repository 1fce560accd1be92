"""The scope in which layout entries are evaluated: a layout, a view, and placeholder values."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec.structs import replace

from tabletop.engine.model import AUDIENCE, State, Value
from tabletop.games.conditions import conditions_hold
from tabletop.games.layout import Layout, Rect
from ui.table.layout.placed_table import PlacedTable

ME, OTHER = "{me}", "{other}"
NO_SEAT = -1
"""The viewer's seat at a public table; no name of a zone or value contains it."""
Gaps = dict[str, int]
"""Values of the placeholders in names: {me}, {other}, {seat}, {row} and so on."""


class LayoutScope(NamedTuple):
    """The layout and view being laid out, and the `placed` table to which the result is added."""

    layout: Layout
    view: State
    values: Mapping[str, Value]
    """The values of the view, and additional ones for `when` conditions."""
    is_opposite: bool
    """Whether the viewer sits on the opposite side and sees the board rotated."""
    raised: Mapping[str, int]
    placed: PlacedTable
    teams: tuple[int | None, ...]
    """The team number of each seat; None if nobody has a partner."""

    @property
    def is_audience(self) -> bool:
        """Whether the viewer has no seat."""
        return self.view.viewer in (None, AUDIENCE)

    def with_values(self, foreseen: Mapping[str, Value]) -> LayoutScope:
        """Return the scope with the values `foreseen` replacing the current ones."""
        view = replace(self.view, values={**self.view.values, **foreseen})
        return self._replace(view=view, values={**self.values, **foreseen})

    def is_shown(self, entry: Any, gaps: Gaps) -> bool:
        """Return whether the conditions of `entry` hold for the current values."""
        return conditions_hold(entry.when, entry.unless, self.values, gaps)

    def repeat_gaps(self, repeat: str, gaps: Gaps) -> list[Gaps]:
        """Return the placeholder values for each
        repetition of an entry, one repetition per seat.
        """
        return _repeat_gaps(repeat, gaps, self.view.seats)

    def seats(self, repeat: str, me: int) -> list[int]:
        """Return the seats for which an entry is repeated, in turn order from the viewer's left."""
        return _seats(repeat, me, self.view.seats)

    def expand(self, entries: tuple[Any, ...], gaps: Gaps) -> list[tuple[int, Any, Gaps]]:
        """Return (index, entry, placeholder values) for each repetition of each entry, with the
        entry shifted by its step.
        """
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
    """Return `entry` shifted by `order` times its step."""
    x, y, w, h = entry.at
    return replace(entry, at=Rect(x + order * entry.step[0], y + order * entry.step[1], w, h))
