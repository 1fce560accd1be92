"""Public values with their types: declared once by a game, and read and written through that.

On a table, in records and on the wire a value is a whole number or a word under its name. A name
has gaps for seats and whatever else there are several of: `SCORE = Number("score/{seat}")` is
`score/0` for seat 0. It has two gaps at most.
"""

import re
from collections.abc import Sequence
from typing import Final

from tabletop.engine.pen import Pen
from tabletop.engine.types import TableReader, Value

_GAP: Final = re.compile(r"\{\w+\}")
At = Value | tuple[Value, Value] | None
"""The values for the gaps of a name; None where it has none."""
Values = dict[str, Value]
"""The values of a table. All tables hold a dictionary, and compiled code reads one the quickest."""


class PublicValue:
    """The common part of declared values: `SCORE[seat]` or `COUNTERS[seat, cell]` is the name of
    one, `name` that of a value without gaps."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._names: dict[Value, str] = {}
        """Each name with one gap, made once: values are read and written very often."""
        self._pairs: dict[Value, dict[Value, str]] = {}
        """The names with two gaps: looking up twice is quicker than making a tuple of the two."""
        self._alone = "" if _GAP.search(name) else name
        """The name of a value without gaps, which is found the quickest."""
        self._by_seat: list[str] = []
        self._rows: dict[Value, tuple[Sequence[Value], list[str]]] = {}

    def __getitem__(self, at: At) -> str:
        first, second = at if isinstance(at, tuple) else (at, None)
        return self._name(first, second)

    def _name(self, at: Value | None, and_at: Value | None = None) -> str:
        """The name with its gaps filled."""
        if at is None:
            return self._alone or self._made([])
        names = self._names if and_at is None else self._pairs.setdefault(at, {})
        key = at if and_at is None else and_at
        if key not in names:
            names[key] = self._made([at] if and_at is None else [at, and_at])
        return names[key]

    def _made(self, parts: list[Value]) -> str:
        """The name with these parts in its gaps."""
        gaps = len(_GAP.findall(self.name))
        if gaps != len(parts):
            raise TypeError(f'"{self.name}" has {gaps} gaps, and not one for each of {parts}')
        return _GAP.sub(lambda _: str(parts.pop(0)), self.name)

    def _of_seats(self, seats: int) -> list[str]:
        """The names of a value of each seat, for this many seats."""
        names = self._by_seat = [self[seat] for seat in range(seats)]
        return names

    def _row(self, at: Value, parts: Sequence[Value]) -> list[str]:
        """The names of the values that a seat has for each of these parts."""
        row = self._rows.get(at)
        if row is None or row[0] != parts:  # rules usually pass the same constant
            row = self._rows[at] = (parts, [self[at, part] for part in parts])
        return row[1]

    def set(
        self, table: Pen, first: Value, second: Value | None = None, third: Value | None = None
    ) -> None:
        """Set the value, which comes last: `SCORE.set(table, seat, 3)`."""
        if second is None:
            table.set(self._alone or self._name(None), first)
            return
        try:
            name = self._names[first] if third is None else self._pairs[first][second]
        except KeyError:
            name = self._name(first, None if third is None else second)
        table.set(name, second if third is None else third)


class Number(PublicValue):
    """A public value that is a whole number; 0 until it is set.

    >>> SCORE = Number("score/{seat}")
    >>> SCORE.set(table, 1, 3)
    >>> SCORE.add(table, 1, 2)
    >>> SCORE.of(table.state, 1), SCORE.all(table.state), SCORE[1]
    (5, [0, 5], 'score/1')
    """

    def of(self, look: TableReader, at: Value | None = None, and_at: Value | None = None) -> int:
        """The number at this table: of a seat, and of whatever else the name has gaps for."""
        values: Values = look.values  # type: ignore[assignment]
        if at is None:
            return values.get(self._alone or self._name(None), 0)  # type: ignore[return-value]
        try:
            name = self._names[at] if and_at is None else self._pairs[at][and_at]
        except KeyError:
            name = self._name(at, and_at)
        return values.get(name, 0)  # type: ignore[return-value]

    def all(self, look: TableReader) -> list[int]:
        """The number of each seat."""
        values: Values = look.values  # type: ignore[assignment]
        names = self._by_seat
        if len(names) != look.seats:
            names = self._of_seats(look.seats)
        return [values.get(name, 0) for name in names]  # type: ignore[misc]

    def row(self, look: TableReader, at: Value, parts: Sequence[Value]) -> list[int]:
        """The numbers of a seat for each of these parts, a range or a tuple: cells, for example."""
        values: Values = look.values  # type: ignore[assignment]
        return [values.get(name, 0) for name in self._row(at, parts)]  # type: ignore[misc]

    def add(
        self, table: Pen, first: Value, second: Value | None = None, third: int | None = None
    ) -> None:
        """Add to the number; how much comes last: `SCORE.add(table, seat, 3)`."""
        more: Value | None
        try:
            if second is None:
                name, more = self._alone or self._name(None), first
            elif third is None:
                name, more = self._names[first], second
            else:
                name, more = self._pairs[first][second], third
        except KeyError:
            name = self._name(first, None if third is None else second)
            more = second if third is None else third
        values: Values = table.state.values  # type: ignore[assignment]
        table.set(name, values.get(name, 0) + more)  # type: ignore[operator]


class Flag(PublicValue):
    """A public value that holds or doesn't; it doesn't until it is set. On the table: 1 or 0.

    >>> OUT = Flag("out/{seat}")
    >>> OUT.set(table, 1, True)
    >>> OUT.of(table.state, 0), OUT.of(table.state, 1), OUT.all(table.state)
    (False, True, [False, True])
    """

    def of(self, look: TableReader, at: Value | None = None, and_at: Value | None = None) -> bool:
        """Whether it holds."""
        values: Values = look.values  # type: ignore[assignment]
        if at is None:
            return bool(values.get(self._alone or self._name(None)))
        try:
            name = self._names[at] if and_at is None else self._pairs[at][and_at]
        except KeyError:
            name = self._name(at, and_at)
        return bool(values.get(name))

    def all(self, look: TableReader) -> list[bool]:
        """Whether it holds, for each seat."""
        values: Values = look.values  # type: ignore[assignment]
        names = self._by_seat
        if len(names) != look.seats:
            names = self._of_seats(look.seats)
        return [bool(values.get(name)) for name in names]

    def row(self, look: TableReader, at: Value, parts: Sequence[Value]) -> list[bool]:
        """Whether it holds, for each of these parts of a seat."""
        values: Values = look.values  # type: ignore[assignment]
        return [bool(values.get(name)) for name in self._row(at, parts)]

    def set(
        self, table: Pen, first: Value, second: Value | None = None, third: Value | None = None
    ) -> None:
        """Set whether it holds, which comes last: `OUT.set(table, seat, True)`."""
        if second is None:
            table.set(self._alone or self._name(None), 1 if first else 0)
            return
        try:
            name = self._names[first] if third is None else self._pairs[first][second]
        except KeyError:
            name = self._name(first, None if third is None else second)
        table.set(name, 1 if (second if third is None else third) else 0)


class Word(PublicValue):
    """A public value that is a word, or the name of a place; "" until it is set.

    >>> PHASE = Word("phase")
    >>> PHASE.set(table, "draft")
    >>> PHASE.of(table.state)
    'draft'
    """

    def of(self, look: TableReader, at: Value | None = None, and_at: Value | None = None) -> str:
        """The word at this table."""
        values: Values = look.values  # type: ignore[assignment]
        try:
            if at is None:
                return values[self._alone]  # type: ignore[return-value]
            if and_at is None:
                return values[self._names[at]]  # type: ignore[return-value]
            return values[self._pairs[at][and_at]]  # type: ignore[return-value]
        except KeyError:
            return values.get(self._name(at, and_at), "")  # type: ignore[return-value]

    def all(self, look: TableReader) -> list[str]:
        """The word of each seat."""
        values: Values = look.values  # type: ignore[assignment]
        names = self._by_seat
        if len(names) != look.seats:
            names = self._of_seats(look.seats)
        return [values.get(name, "") for name in names]  # type: ignore[misc]


class Numbers(PublicValue):
    """A public list of whole numbers; empty until it is set. On the table: a word, "9 7 10".

    >>> CLAIMS = Numbers("claims")
    >>> CLAIMS.put(table, (1,))
    >>> CLAIMS.append(table, 0)
    >>> CLAIMS.of(table.state), table.state.values["claims"]
    ((1, 0), '1 0')
    """

    def __init__(self, name: str, between: str = " ") -> None:
        super().__init__(name)
        self._between = between

    def of(self, look: TableReader, at: Value | None = None) -> tuple[int, ...]:
        """The numbers at this table."""
        written = look.values.get(self[at], "")
        return tuple(map(int, str(written).split(self._between))) if written != "" else ()

    def put(self, table: Pen, numbers: Sequence[int], at: Value | None = None) -> None:
        """Set the numbers, those of a seat with its number after them."""
        table.set(self[at], self._between.join(map(str, numbers)))

    def append(self, table: Pen, number: int, at: Value | None = None) -> None:
        """Add a number at the end."""
        name = self[at]
        written = table.state.values.get(name, "")
        table.set(name, f"{written}{self._between}{number}" if written != "" else str(number))
