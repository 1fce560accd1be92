"""The zones of a free table as they are played with: each area of the file, seat by seat, cell by
cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from tabletop.engine.model import Name, Sight, Value, Zone
from tabletop.free_table.components import (
    ALL,
    BOX,
    FACES,
    CounterEntry,
    DiceEntry,
    FreeTable,
    ZoneEntry,
)


class FreeZone(Struct, frozen=True):
    """One zone: its name, its owner (None: the table), and its entry in the file."""

    name: Name
    owner: int | None
    home: str
    area: ZoneEntry

    @property
    def flips(self) -> bool:
        """Whether each of its cards is either face up or face down."""
        return self.area.face == "choose" or (self.area.face == "up" and self.area.flip != "nobody")

    @property
    def hidden(self) -> bool:
        """Whether some players don't see its cards."""
        return self.area.face != "up" or self.flips

    @property
    def zone(self) -> Zone:
        """As it comes onto the table."""
        match self.area.face:
            case "owner":
                return Zone(self.name, Sight.OWNER, self.owner, loose=self.area.kind == "hand")
            case "up" if not self.flips:
                return Zone(self.name, Sight.ALL, self.owner)
            case _:
                return Zone(self.name, Sight.NONE, self.owner)


class FreeThing(Struct, frozen=True):
    """Dice or a counter: the zone without cards that represents it, and its owner."""

    name: Name
    owner: int | None
    made: DiceEntry | CounterEntry

    @property
    def zone(self) -> Zone:
        """As it comes onto the table."""
        return Zone(self.name, Sight.ALL, self.owner)


def zones_of(table: FreeTable, seats: int) -> tuple[FreeZone, ...]:
    """The zones of a table for this many players, in the order of the file."""
    return tuple(
        FreeZone(cell, owner, name, area)
        for name, area in table.zone.items()
        for whole, owner in _each(name, area.owner == "seat", seats)
        for cell in _cells(whole, area)
    )


def dice_of(table: FreeTable, seats: int) -> tuple[FreeThing, ...]:
    """The dice of a table for this many players."""
    return _things(table.dice, seats)


def counters_of(table: FreeTable, seats: int) -> tuple[FreeThing, ...]:
    """The counters of a table for this many players."""
    return _things(table.counter, seats)


def _things(
    made: Mapping[str, DiceEntry] | Mapping[str, CounterEntry], seats: int
) -> tuple[FreeThing, ...]:
    return tuple(
        FreeThing(each, owner, thing)
        for name, thing in made.items()
        for each, owner in _each(name, thing.owner == "seat", seats)
    )


def _each(name: str, owned: bool, seats: int) -> list[tuple[str, int | None]]:
    return [(f"{name}/{seat}", seat) for seat in range(seats)] if owned else [(name, None)]


def _cells(whole: str, area: ZoneEntry) -> list[str]:
    if area.kind != "grid":
        return [whole]
    return [f"{whole}/{row}/{column}" for row in range(area.rows) for column in range(area.columns)]


def first_cards(
    spots: Sequence[FreeZone], deck: Sequence[Mapping[str, Any]], first_face: int
) -> dict[str, tuple[int, ...]]:
    """Return the first cards of each zone, by the zone's name; the rest is in the box. Every cell
    of a grid gets one, from the first on; the first face of a die is up. From the number
    `first_face` on the deck is faces of dice."""
    faces = range(first_face, len(deck))
    left = list(range(first_face))
    dice = dice_in(deck, first_face)
    filled: dict[str, tuple[int, ...]] = {}
    whole: dict[tuple[str, int | None], list[FreeZone]] = {}
    for spot in spots:
        whole.setdefault((spot.home, spot.owner), []).append(spot)
    late = [key for key, cells in whole.items() if cells[0].area.starts == ALL]
    for key in [*(key for key in whole if key not in late), *late]:
        cells, area = whole[key], whole[key][0].area
        if area.dice:
            filled[cells[0].name] = tuple(dice[: area.dice])
            dice = dice[area.dice :]
        if area.starts is None:
            continue
        wanted = {} if isinstance(area.starts, str) else area.starts
        cards = [card for card in left if _has_values(deck[card], wanted, key[1])]
        if area.kind == "grid":
            cards = cards[: len(cells)]
            filled |= {cell.name: (card,) for cell, card in zip(cells, cards, strict=False)}
        else:
            filled[cells[0].name] = (*filled.get(cells[0].name, ()), *cards)
        left = [card for card in left if card not in cards]
    up = {card for cards in filled.values() for card in cards}
    others = tuple(card for card in faces if card not in up)
    if len(others) == len(faces):
        return filled | {BOX: (*left, *faces)}
    return filled | {BOX: tuple(left), FACES: others}


def dice_in(deck: Sequence[Mapping[str, Any]], first_face: int) -> list[int]:
    """The dice of a deck, each by the number of its first face."""
    return [card for card in range(first_face, len(deck)) if deck[card]["value"] == 1]


def _has_values(
    face: Mapping[str, Any], wanted: Mapping[str, Value | tuple[Value, ...]], owner: int | None
) -> bool:
    """Whether a card's entry has these values; of several, the one at the owner's place, or in a
    zone of the table any."""
    for field, value in wanted.items():
        values = value if isinstance(value, tuple) else (value,)
        if owner is not None:
            values = (values[owner % len(values)],)
        if face.get(field) not in values:
            return False
    return True
