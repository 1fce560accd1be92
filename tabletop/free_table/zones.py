"""The zones of a free table during a game: one for each player and for each cell of a grid."""

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
    ZoneOwner,
    number_of_seat,
)


class FreeZone(Struct, frozen=True):
    """A zone during a game: its name, its owner (None for the table),
    and its name and entry in the file.
    """

    name: Name
    owner: int | None
    home: str
    area: ZoneEntry

    @property
    def flips(self) -> bool:
        """Whether cards in the zone can be turned face up or face down."""
        return self.area.face == "choose" or (self.area.face == "up" and self.area.flip != "nobody")

    @property
    def hidden(self) -> bool:
        """Whether the cards are hidden from some players."""
        return self.area.face != "up" or self.flips

    @property
    def zone(self) -> Zone:
        """The zone for the engine."""
        match self.area.face:
            case "owner":
                return Zone(self.name, Sight.OWNER, self.owner, loose=self.area.kind == "hand")
            case "up" if not self.flips:
                return Zone(self.name, Sight.ALL, self.owner)
            case _:
                return Zone(self.name, Sight.NONE, self.owner)


class FreeComponent(Struct, frozen=True):
    """A set of dice or a counter during a game: its name, its owner (None for the table),
    and its entry.

    For the engine, it is an empty zone.
    """

    name: Name
    owner: int | None
    made: DiceEntry | CounterEntry

    @property
    def zone(self) -> Zone:
        """The empty zone for the engine."""
        return Zone(self.name, Sight.ALL, self.owner)


def make_zones(table: FreeTable, seats: int) -> tuple[FreeZone, ...]:
    """Return the zones for this number of players, in the order of the file."""
    return tuple(
        FreeZone(cell, owner, name, area)
        for name, area in table.zone.items()
        for whole, owner in _names_with_owners(name, area.owner, seats)
        for cell in _cell_names(whole, area)
    )


def make_dice(table: FreeTable, seats: int) -> tuple[FreeComponent, ...]:
    """Return the dice for this number of players."""
    return _make_components(table.dice, seats)


def make_counters(table: FreeTable, seats: int) -> tuple[FreeComponent, ...]:
    """Return the counters for this number of players."""
    return _make_components(table.counter, seats)


def _make_components(
    made: Mapping[str, DiceEntry] | Mapping[str, CounterEntry], seats: int
) -> tuple[FreeComponent, ...]:
    return tuple(
        FreeComponent(each, owner, thing)
        for name, thing in made.items()
        for each, owner in _names_with_owners(name, thing.owner, seats)
    )


def _names_with_owners(
    name: str, owner: ZoneOwner | None, seats: int
) -> list[tuple[str, int | None]]:
    """Return the name and owner of each zone or component called `name`. A single player's doesn't
    exist at a table without that player.
    """
    if owner == "seat":
        return [(f"{name}/{seat}", seat) for seat in range(seats)]
    only = number_of_seat(owner)
    return [(name, only)] if only is None or only < seats else []


def _cell_names(whole: str, area: ZoneEntry) -> list[str]:
    if area.kind != "grid":
        return [whole]
    return [f"{whole}/{row}/{column}" for row in range(area.rows) for column in range(area.columns)]


def initial_cards(
    spots: Sequence[FreeZone], deck: Sequence[Mapping[str, Any]], first_face: int
) -> dict[str, tuple[int, ...]]:
    """Return the cards that each zone contains at the start, with the remaining ones in the box.

    Each cell of a grid gets one card, in order. Each die shows its first side. Cards from
    `first_face` on are sides of dice.
    """
    faces = range(first_face, len(deck))
    left = list(range(first_face))
    dice = dice_in_deck(deck, first_face)
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
        cards = [card for card in left if _matches_values(deck[card], wanted, key[1])]
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


def dice_in_deck(deck: Sequence[Mapping[str, Any]], first_face: int) -> list[int]:
    """Return the card number of each die's first side."""
    return [card for card in range(first_face, len(deck)) if deck[card]["value"] == 1]


def _matches_values(
    face: Mapping[str, Any], wanted: Mapping[str, Value | tuple[Value, ...]], owner: int | None
) -> bool:
    """Return whether a card's fields have the `wanted` values.

    If the zone has an owner, only the value at the index of the owner's seat counts.
    """
    for field, value in wanted.items():
        values = value if isinstance(value, tuple) else (value,)
        if owner is not None:
            values = (values[owner % len(values)],)
        if face.get(field) not in values:
            return False
    return True
