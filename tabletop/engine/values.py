"""Typed public values: declared once by a game, then read and written through the declaration.

On a table, in records and on the wire, a value is an integer or a word stored under a name. A name
may have placeholders, for example for seats: `SCORE = Number("score/{seat}")` is `score/0` for seat
0. A name has at most two placeholders.
"""

import re
from collections.abc import Sequence
from typing import Final

from tabletop.engine.pen import Pen
from tabletop.engine.types import TableReader, Value

_GAP: Final = re.compile(r"\{\w+\}")
At = Value | tuple[Value, Value] | None
"""The values that replace a name's placeholders; None if the name has none."""
Values = dict[str, Value]
"""A table's public values by name.

Every table holds a `dict`, which compiled code reads fastest.
"""


class PublicValue:
    """Base class of declared values.

    `SCORE[seat]` or `COUNTERS[seat, cell]` returns the value's name with the placeholders filled.

    A declaration without placeholders has the name `name`.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._names: dict[Value, str] = {}
        """The names with one placeholder, cached because values are accessed very often."""
        self._pairs: dict[Value, dict[Value, str]] = {}
        """The names with two placeholders, cached.

        Two lookups are faster than building a tuple key.
        """
        self._alone = "" if _GAP.search(name) else name
        """The name of a value without placeholders, for the fastest access."""
        self._by_seat: list[str] = []
        self._rows: dict[Value, tuple[Sequence[Value], list[str]]] = {}

    def __getitem__(self, at: At) -> str:
        first, second = at if isinstance(at, tuple) else (at, None)
        return self._name(first, second)

    def _name(self, at: Value | None, and_at: Value | None = None) -> str:
        """Return the name with its placeholders filled, from the cache."""
        if at is None:
            return self._alone or self._made([])
        names = self._names if and_at is None else self._pairs.setdefault(at, {})
        key = at if and_at is None else and_at
        if key not in names:
            names[key] = self._made([at] if and_at is None else [at, and_at])
        return names[key]

    def _made(self, parts: list[Value]) -> str:
        """Return the name with its placeholders replaced by `parts`.

        Raises:
            TypeError: the number of `parts` isn't the number of placeholders.
        """
        gaps = len(_GAP.findall(self.name))
        if gaps != len(parts):
            raise TypeError(
                f'"{self.name}" has {gaps} placeholders and gets {len(parts)} values: '
                "pass one for each, such as a seat"
            )
        return _GAP.sub(lambda _: str(parts.pop(0)), self.name)

    def _of_seats(self, seats: int) -> list[str]:
        """Return and cache the names for each of `seats` seats."""
        names = self._by_seat = [self[seat] for seat in range(seats)]
        return names

    def _row(self, at: Value, parts: Sequence[Value]) -> list[str]:
        """Return and cache the names for `at`, such as a seat, combined with each of `parts`."""
        row = self._rows.get(at)
        if row is None or row[0] != parts:  # rules usually pass the same constant
            row = self._rows[at] = (parts, [self[at, part] for part in parts])
        return row[1]

    def set(
        self, table: Pen, first: Value, second: Value | None = None, third: Value | None = None
    ) -> None:
        """Set the value to the last argument: `SCORE.set(table, seat, 3)`."""
        if second is None:
            table.set(self._alone or self._name(None), first)
            return
        try:
            name = self._names[first] if third is None else self._pairs[first][second]
        except KeyError:
            name = self._name(first, None if third is None else second)
        table.set(name, second if third is None else third)


class Number(PublicValue):
    """A public integer, which is 0 until it is set.

    >>> SCORE = Number("score/{seat}")
    >>> SCORE.set(table, 1, 3)
    >>> SCORE.add(table, 1, 2)
    >>> SCORE.of(table.state, 1), SCORE.all(table.state), SCORE[1]
    (5, [0, 5], 'score/1')
    """

    def of(self, table: TableReader, at: Value | None = None, and_at: Value | None = None) -> int:
        """Return the number on `table`; `at` and `and_at` fill the placeholders."""
        values: Values = table.values  # type: ignore[assignment]
        if at is None:
            return values.get(self._alone or self._name(None), 0)  # type: ignore[return-value]
        try:
            name = self._names[at] if and_at is None else self._pairs[at][and_at]
        except KeyError:
            name = self._name(at, and_at)
        return values.get(name, 0)  # type: ignore[return-value]

    def all(self, table: TableReader) -> list[int]:
        """Return the number of each seat."""
        values: Values = table.values  # type: ignore[assignment]
        names = self._by_seat
        if len(names) != table.seats:
            names = self._of_seats(table.seats)
        return [values.get(name, 0) for name in names]  # type: ignore[misc]

    def row(self, table: TableReader, at: Value, parts: Sequence[Value]) -> list[int]:
        """Return the numbers for `at`, such as a seat, and each of `parts`, such as cells."""
        values: Values = table.values  # type: ignore[assignment]
        return [values.get(name, 0) for name in self._row(at, parts)]  # type: ignore[misc]

    def add(
        self, table: Pen, first: Value, second: Value | None = None, third: int | None = None
    ) -> None:
        """Add the last argument to the number: `SCORE.add(table, seat, 3)`."""
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
    """A public boolean, which is False until it is set. On the table it is 1 or 0.

    >>> OUT = Flag("out/{seat}")
    >>> OUT.set(table, 1, True)
    >>> OUT.of(table.state, 0), OUT.of(table.state, 1), OUT.all(table.state)
    (False, True, [False, True])
    """

    def of(self, table: TableReader, at: Value | None = None, and_at: Value | None = None) -> bool:
        """Return the flag on `table`, with `at` and `and_at` as the values of the placeholders."""
        values: Values = table.values  # type: ignore[assignment]
        if at is None:
            return bool(values.get(self._alone or self._name(None)))
        try:
            name = self._names[at] if and_at is None else self._pairs[at][and_at]
        except KeyError:
            name = self._name(at, and_at)
        return bool(values.get(name))

    def all(self, table: TableReader) -> list[bool]:
        """Return the flag of each seat."""
        values: Values = table.values  # type: ignore[assignment]
        names = self._by_seat
        if len(names) != table.seats:
            names = self._of_seats(table.seats)
        return [bool(values.get(name)) for name in names]

    def row(self, table: TableReader, at: Value, parts: Sequence[Value]) -> list[bool]:
        """Return the flags for `at`, such as a seat, with each of `parts`."""
        values: Values = table.values  # type: ignore[assignment]
        return [bool(values.get(name)) for name in self._row(at, parts)]

    def set(
        self, table: Pen, first: Value, second: Value | None = None, third: Value | None = None
    ) -> None:
        """Set the flag to the last argument: `OUT.set(table, seat, True)`."""
        if second is None:
            table.set(self._alone or self._name(None), 1 if first else 0)
            return
        try:
            name = self._names[first] if third is None else self._pairs[first][second]
        except KeyError:
            name = self._name(first, None if third is None else second)
        table.set(name, 1 if (second if third is None else third) else 0)


class Word(PublicValue):
    """A public word or the name of a zone, which is "" until it is set.

    >>> PHASE = Word("phase")
    >>> PHASE.set(table, "draft")
    >>> PHASE.of(table.state)
    'draft'
    """

    def of(self, table: TableReader, at: Value | None = None, and_at: Value | None = None) -> str:
        """Return the word on `table`, with `at` and `and_at` as the values of the placeholders."""
        values: Values = table.values  # type: ignore[assignment]
        try:
            if at is None:
                return values[self._alone]  # type: ignore[return-value]
            if and_at is None:
                return values[self._names[at]]  # type: ignore[return-value]
            return values[self._pairs[at][and_at]]  # type: ignore[return-value]
        except KeyError:
            return values.get(self._name(at, and_at), "")  # type: ignore[return-value]

    def all(self, table: TableReader) -> list[str]:
        """Return the word of each seat."""
        values: Values = table.values  # type: ignore[assignment]
        names = self._by_seat
        if len(names) != table.seats:
            names = self._of_seats(table.seats)
        return [values.get(name, "") for name in names]  # type: ignore[misc]


class Numbers(PublicValue):
    """A public list of integers, which is empty until it is set.

    On the table it is stored as a word such as "9 7 10".

    >>> CLAIMS = Numbers("claims")
    >>> CLAIMS.put(table, (1,))
    >>> CLAIMS.append(table, 0)
    >>> CLAIMS.of(table.state), table.state.values["claims"]
    ((1, 0), '1 0')
    """

    def __init__(self, name: str, between: str = " ") -> None:
        super().__init__(name)
        self._between = between

    def of(self, table: TableReader, at: Value | None = None) -> tuple[int, ...]:
        """Return the numbers on `table`."""
        written = table.values.get(self[at], "")
        return tuple(map(int, str(written).split(self._between))) if written != "" else ()

    def put(self, table: Pen, numbers: Sequence[int], at: Value | None = None) -> None:
        """Set the list to `numbers`. If each seat has a list, `at` is the seat."""
        table.set(self[at], self._between.join(map(str, numbers)))

    def append(self, table: Pen, number: int, at: Value | None = None) -> None:
        """Append `number` to the list."""
        name = self[at]
        written = table.state.values.get(name, "")
        table.set(name, f"{written}{self._between}{number}" if written != "" else str(number))
