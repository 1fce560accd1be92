"""The scope of a layout: an arrangement, a view, and the seats for which an entry holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from tabletop.engine.model import AUDIENCE, State, Value
from tabletop.games.layout import Layout, Rect
from ui.table.layout.setting import Setting

Gaps = dict[str, int]
"""What the gaps of names stand for: {me}, {other}, {seat}, {row} ..."""


class Scope(NamedTuple):
    """The scope of a layout: the arrangement, the view of it, and the setting it goes into."""

    layout: Layout
    view: State
    values: Mapping[str, Value]
    """Those of the view, with what `when` may ask for besides."""
    turned: bool
    """Whether the table lies as seen from the other side."""
    raised: Mapping[str, int]
    setting: Setting

    @property
    def watched(self) -> bool:
        """Whether the viewer sits at no seat."""
        return self.view.viewer in (None, AUDIENCE)

    def ahead(self, foreseen: Mapping[str, Value]) -> Scope:
        """The same with values as they would become."""
        view = replace(self.view, values={**self.view.values, **foreseen})
        return self._replace(view=view, values={**self.values, **foreseen})

    def holds(self, entry: Any, gaps: Gaps) -> bool:
        """Whether the entry is shown, as the values stand."""
        return self._are(entry.when, gaps) and not (entry.unless and self._are(entry.unless, gaps))

    def _are(self, wanted: Mapping[str, Value | tuple[Value, ...]], gaps: Gaps) -> bool:
        return all(
            _is(self.values.get(key.format_map(gaps)), value) for key, value in wanted.items()
        )

    def around(self, repeat: str, gaps: Gaps) -> Iterator[Gaps]:
        """The gaps of an entry once, or for each seat it is repeated for."""
        if not repeat:
            yield gaps
        else:
            yield from (gaps | {"seat": seat} for seat in self.seats(repeat, gaps["me"]))

    def seats(self, repeat: str, me: int) -> list[int]:
        """The seats an entry is repeated for, in turn order from the viewer's left."""
        around = [(me + ahead) % self.view.seats for ahead in range(self.view.seats)]
        return around[1:] if repeat == "others" else around

    def each(self, entries: Sequence[Any], gaps: Gaps) -> Iterator[tuple[int, Any, Gaps]]:
        """Every entry with its number, moved on for each seat it is repeated for."""
        for number, entry in enumerate(entries):
            for order, own in enumerate(self.around(entry.repeat, gaps)):
                yield number, _moved(entry, order) if order else entry, own


def _is(value: Value | None, wanted: Value | tuple[Value, ...]) -> bool:
    return value in wanted if isinstance(wanted, tuple) else value == wanted


def _moved(entry: Any, order: int) -> Any:
    """The entry moved on by so many of its steps."""
    x, y, w, h = entry.at
    return replace(entry, at=Rect(x + order * entry.step[0], y + order * entry.step[1], w, h))
