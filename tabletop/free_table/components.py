"""Components of a free table and the permissions for them: a game's `free.toml`.

docs/free-table.md describes the grammar.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from tabletop.engine.model import Value
from tabletop.games.toml_lines import TomlPath
from tabletop.games.typed_toml import TomlFile, unknown_word

Permission = Literal["everybody", "turn", "owner", "owner in turn", "nobody"]
"""The players permitted to act: everybody at any time, the one whose turn it is, the owner at
any time, the owner in their own turn, or nobody."""
Kind = Literal["deck", "pile", "row", "hand", "grid"]
Face = Literal["up", "down", "owner", "choose"]
Owner = Literal["table", "seat"]

ALL = "all"
MOST_PLACES = 200
"""Zones of one table, each cell of a grid counted, and each player's own once."""
MOST_DICE = 100
MOST = 1_000_000
"""No number of a table is larger."""
BOX = "box"
"""The zone of the cards that nothing on the table starts with."""
FACES = "faces"
"""The zone of the faces of dice that are not up."""
COLLECTED = "collected"
"""The loose zone through which cards come back to their deck."""
TAKEN = (BOX, FACES, COLLECTED, "score", "turn", "round", "acts", "done")
"""Names that mean something already."""


class ZoneEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A zone, one for the table or one for each seat; of a grid, one for each cell."""

    kind: Kind
    """What it looks like, and the permissions by default."""
    label: str
    """Its name in sentences; with {seat}, and for a grid {row} and {column}."""
    caption: str = ""
    """Its caption on the table; the label by default."""
    owner: Owner | None = None
    """Whether there is one for the table or one for each seat; of a hand by default the seat."""
    face: Face | None = None
    """Which side of its cards is seen, and by whom; by default as its kind has it."""
    rows: int = 1
    """The number of rows of a grid."""
    columns: int = 1
    """The number of columns of a grid."""
    limit: int = 0
    """The most cards in it; 0 for no limit."""
    starts: Literal["all"] | dict[str, Value | tuple[Value, ...]] | None = None
    """The cards that are there first: all that are left, or those with these values; of several
    values the one at a seat's place."""
    dice: int = 0
    """The number of dice from the box that are there first, and are thrown there."""
    throw: Permission | None = None
    """The players allowed to throw its dice."""
    shuffled: bool = True
    """Whether its first cards are shuffled before the game."""
    deal: dict[str, int] = {}
    """The number of its cards dealt to each zone before the game starts."""
    deals: Literal["start", "round"] = "start"
    """When its cards are dealt: before the game, or before each round."""
    collects: bool = False
    """Whether all cards with its backs come back and are shuffled before it deals again."""
    redeal: Permission = "nobody"
    """The players allowed to deal its cards again, by a button."""
    passes: Literal["", "left", "right", "alternate"] = ""
    """The neighbour who gets each player's cards of it after a round; first left, then right."""
    insert: bool = False
    """Whether a card put there goes on top, to the bottom, or is shuffled in, as is chosen."""
    take: Permission | None = None
    """The players allowed to take a card from it."""
    put: Permission | None = None
    """The players allowed to put a card there."""
    flip: Permission = "nobody"
    """The players allowed to turn a card over."""
    look: Permission = "nobody"
    """The players allowed to look at the hidden side of a card."""
    show: Permission | None = None
    """The players allowed to show a card to the others."""
    shuffle: Permission | None = None
    """The players allowed to shuffle it."""
    picture: str | tuple[str, ...] = ""
    """A file of the game's folder, shown under its cards; of several each player gets one."""
    returns: str = ""
    """The zone where all its cards go, shuffled, instead of being shuffled here."""


class DiceEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Dice that are thrown together."""

    label: str
    """Their name in sentences."""
    caption: str = ""
    """Their caption on the table; the label by default."""
    sides: int = 6
    """The number of sides of each."""
    count: int = 1
    """The number of dice."""
    owner: Owner = "table"
    """Whether there are some for the table or some for each seat."""
    picture: str = ""
    """A file of the game's folder, shown under them."""
    roll: Permission | None = None
    """The players allowed to throw them."""
    hold: Permission = "nobody"
    """The players allowed to set a die aside, so that it isn't thrown with the others."""


class CounterEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number that is counted up and down."""

    label: str
    """Its name in sentences."""
    caption: str = ""
    """Its caption on the table; the label by default."""
    owner: Owner = "seat"
    """Whether there is one for the table or one for each seat."""
    start: int = 0
    """The number before the game."""
    least: int = 0
    """The smallest number."""
    most: int = 999
    """The largest number."""
    steps: tuple[int, ...] = (1,)
    """The amounts that it can be changed by."""
    change: Permission | None = None
    """The players allowed to change it."""


class TurnsEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The order of turns."""

    order: Literal["clockwise", "together"] = "clockwise"
    """One player after the other, or all at a time."""
    rounds: int = 12
    """The number of rounds after which the game ends, if it has not ended before."""
    most: int = 0
    """The most actions in one turn; 0 for no limit."""


class EndEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Further ends of the game."""

    empty: str = ""
    """The zone whose last card ends the game; of no zone where empty."""
    agree: Literal["all", "one"] = "all"
    """How many players must agree to end it."""


class ScoreEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of the score sheet: each seat's counter, or the cards in its zone."""

    text: str
    """Its label."""
    counter: str = ""
    """The counter whose number counts."""
    zone: str = ""
    """The zone whose cards count."""
    column: str = ""
    """The column to add up; by default the cards are counted."""
    times: int = 1
    """The points for each."""


class TableEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The surface that everything is on."""

    picture: str = ""
    """A file of the game's folder, shown over the whole table."""


class FreeTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of a free.toml, as written."""

    table: TableEntry = TableEntry()
    """What everything is on."""
    turns: TurnsEntry = TurnsEntry()
    """The order of turns."""
    zone: dict[str, ZoneEntry]
    """The zones, by name."""
    dice: dict[str, DiceEntry] = {}
    """The dice, by name."""
    counter: dict[str, CounterEntry] = {}
    """The counters, by name."""
    end: EndEntry = EndEntry()
    """Further ends of the game."""
    score: tuple[ScoreEntry, ...] = ()
    """The lines of the score sheet."""


_KINDS: Mapping[Kind, Mapping[str, Any]] = {
    "deck": {"face": "down", "take": "turn", "put": "nobody", "shuffle": "turn"},
    "pile": {"face": "up", "take": "turn", "put": "turn", "shuffle": "nobody"},
    "row": {"face": "up", "take": "turn", "put": "turn", "shuffle": "nobody"},
    "hand": {"face": "owner", "take": "turn", "put": "turn", "shuffle": "nobody"},
    "grid": {"face": "up", "take": "turn", "put": "turn", "shuffle": "nobody"},
}
"""The permissions by default."""


def read(
    file: TomlFile,
    columns: Collection[str],
    dice: int = 0,
    seats: int = 1,
    pictures: Collection[str] | None = None,
) -> FreeTable:
    """A free.toml with its defaults filled in.

    `columns` are the fields of the cards, `dice` those in the box, `seats` the numbers of players;
    `pictures` are the names of those in the game's folder, None where they are unknown.

    Raises:
        BrokenFile: an entry is misspelt or missing, or names something that doesn't exist.
    """
    written = file.read(FreeTable)
    for section in ("zone", "dice", "counter"):
        for name in getattr(written, section):
            if not name.isidentifier() or name in TAKEN:
                raise file.entry_error(
                    (section, name), f'"{name}" cannot be a name here: take another'
                )
            others = [s for s in ("zone", "dice", "counter") if s != section]
            if any(name in getattr(written, other) for other in others):
                raise file.entry_error((section, name), f'"{name}" names two things')
    table = replace(
        written,
        zone={name: _filled_area(area) for name, area in written.zone.items()},
        dice={name: _filled_dice(dice) for name, dice in written.dice.items()},
        counter={name: _filled_counter(each) for name, each in written.counter.items()},
    )
    _check(file, table, columns)
    _check_dice(file, table, dice, seats)
    _check_pictures(file, table, pictures)
    return table


def _filled_area(area: ZoneEntry) -> ZoneEntry:
    usual = dict(_KINDS[area.kind])
    owner = area.owner or ("seat" if area.kind == "hand" else "table")
    if owner == "seat":
        usual |= {"take": "owner in turn", "put": "owner in turn"}
    usual["throw"] = usual["put"] if area.dice else "nobody"
    if area.dice:
        usual |= {"take": "nobody", "put": "nobody"}
    usual["show"] = (
        "owner" if owner == "seat" and (area.face or usual["face"]) == "owner" else "nobody"
    )
    given = {key: value for key in usual if (value := getattr(area, key)) is not None}
    return replace(area, owner=owner, caption=area.caption or area.label, **usual | given)


def _filled_dice(dice: DiceEntry) -> DiceEntry:
    roll = dice.roll or ("turn" if dice.owner == "table" else "owner in turn")
    return replace(dice, caption=dice.caption or dice.label, roll=roll)


def _filled_counter(counter: CounterEntry) -> CounterEntry:
    change = counter.change or ("everybody" if counter.owner == "table" else "owner")
    return replace(counter, caption=counter.caption or counter.label, change=change)


VERBS = {
    "zone": ("take", "put", "flip", "look", "show", "shuffle", "throw", "redeal"),
    "dice": ("roll", "hold"),
    "counter": ("change",),
}
"""The actions for each kind of component."""


def _check(file: TomlFile, table: FreeTable, columns: Collection[str]) -> None:
    """Check the file's names and numbers."""
    for section, verbs in VERBS.items():
        for name, thing in getattr(table, section).items():
            for verb in verbs:
                if getattr(thing, verb).startswith("owner") and thing.owner == "table":
                    problem = f'"{name}" belongs to nobody, so "{verb}" cannot be "owner"'
                    raise file.entry_error((section, name, verb), problem)
    for name, area in table.zone.items():
        _check_zone(file, table, name, area, columns)
    places = sum(max(area.rows, 1) * max(area.columns, 1) for area in table.zone.values())
    if places > MOST_PLACES:
        raise file.entry_error(("zone",), f"there are more than {MOST_PLACES} places for cards")
    for name, dice in table.dice.items():
        for key, least, most in (("sides", 2, 1_000), ("count", 1, MOST_DICE)):
            if not least <= getattr(dice, key) <= most:
                problem = f'"{key}" must be a number from {least} to {most}'
                raise file.entry_error(("dice", name, key), problem)
    for name, counter in table.counter.items():
        if not counter.least <= counter.start <= counter.most:
            raise file.entry_error(
                ("counter", name), '"start" must be a number from "least" to "most"'
            )
        if max(abs(counter.least), abs(counter.most), *counter.steps, 0) > MOST:
            raise file.entry_error(
                ("counter", name), f"no number of a counter is larger than {MOST}"
            )
        if not counter.steps or min(counter.steps) < 1 or len(counter.steps) > 20:
            raise file.entry_error(("counter", name, "steps"), '"steps" must be numbers from 1 up')
    if not 1 <= table.turns.rounds <= MOST:
        raise file.entry_error(("turns", "rounds"), '"rounds" must be 1 or more: a game has to end')
    if table.turns.most < 0:
        raise file.entry_error(("turns", "most"), '"most" must be 0 or more')
    if table.end.empty and table.end.empty not in table.zone:
        raise file.entry_error(("end", "empty"), unknown_word(table.end.empty, table.zone))
    for number, line in enumerate(table.score):
        _check_score(file, table, number, line, columns)


def _check_dice(file: TomlFile, table: FreeTable, dice: int, seats: int) -> None:
    """Check that the box holds the dice of all zones at a full table."""
    for name, area in table.zone.items():
        dice -= area.dice * (seats if area.owner == "seat" else 1)
        if area.dice and dice < 0:
            problem = f"the box has {-dice} dice too few: say [[dice]] in cards.toml"
            raise file.entry_error(("zone", name, "dice"), problem)


def _check_pictures(file: TomlFile, table: FreeTable, pictures: Collection[str] | None) -> None:
    """Check that the game has the named pictures."""
    named: list[tuple[TomlPath, str]] = [(("table",), table.table.picture)]
    for name, area in table.zone.items():
        each = area.picture
        if not isinstance(each, str) and area.owner == "table":
            problem = f'"{name}" belongs to nobody, so it has one picture'
            raise file.entry_error(("zone", name, "picture"), problem)
        of_seats = (each,) if isinstance(each, str) else each
        named += [(("zone", name), picture) for picture in of_seats]
    named += [(("dice", name), dice.picture) for name, dice in table.dice.items()]
    for path, picture in named:
        if picture and pictures is not None and picture not in pictures:
            problem = unknown_word(picture, pictures).replace(
                "is not known", "isn't a picture in the folder"
            )
            raise file.entry_error((*path, "picture"), problem)


def _check_zone(
    file: TomlFile, table: FreeTable, name: str, area: ZoneEntry, columns: Collection[str]
) -> None:
    at = ("zone", name)
    if area.face == "owner" and area.owner == "table":
        raise file.entry_error((*at, "face"), f'"{name}" belongs to nobody who could see its faces')
    if (area.rows, area.columns) != (1, 1) and area.kind != "grid":
        raise file.entry_error((*at, "kind"), 'only a "grid" has rows and columns')
    if area.dice and area.kind != "row":
        raise file.entry_error((*at, "dice"), 'only a "row" has dice')
    if min(area.rows, area.columns) < 1 or area.limit < 0:
        raise file.entry_error(at, '"rows" and "columns" want 1 or more, "limit" 0 or more')
    for target, count in area.deal.items():
        if target not in table.zone:
            raise file.entry_error((*at, "deal", target), unknown_word(target, table.zone))
        if count < 0:
            raise file.entry_error((*at, "deal", target), '"deal" must be numbers from 0 up')
    for key, used in (("redeal", area.redeal != "nobody"), ("deals", area.deals != "start")):
        if used and not area.deal:
            raise file.entry_error(
                (*at, key), f'"{key}" needs "deal": it says how many cards go where'
            )
    if area.collects:
        _check_collecting(file, table, name, area)
    if area.passes and area.owner == "table":
        raise file.entry_error((*at, "passes"), f'"{name}" belongs to nobody, who has no neighbour')
    if area.insert and area.kind not in ("deck", "pile"):
        raise file.entry_error((*at, "insert"), 'cards are inserted only into a "deck" or a "pile"')
    if area.returns and area.returns not in table.zone:
        raise file.entry_error((*at, "returns"), unknown_word(area.returns, table.zone))
    if area.returns and table.zone[area.returns].owner == "seat":
        raise file.entry_error(
            (*at, "returns"), f'"{area.returns}" is not one zone, but one for each'
        )
    if area.returns and table.zone[area.returns].kind == "grid":
        raise file.entry_error((*at, "returns"), f'"{area.returns}" is a grid, no pile')
    if isinstance(area.starts, dict):
        for field in area.starts:
            if field not in columns:
                raise file.entry_error((*at, "starts", field), _no_column(field, columns))


def _no_column(name: str, columns: Collection[str]) -> str:
    problem = unknown_word(name, columns)
    there = f": no card has it; there are: {', '.join(sorted(columns))}"
    return problem if "; " in problem else problem + there


def _check_collecting(file: TomlFile, table: FreeTable, name: str, area: ZoneEntry) -> None:
    at = ("zone", name, "collects")
    if area.deals == "start" and area.redeal == "nobody":
        problem = '"collects" needs deals = "round" or "redeal": when the cards come back'
        raise file.entry_error(at, problem)
    if area.kind not in ("deck", "pile") or area.owner == "seat":
        raise file.entry_error(at, 'cards come back only to a "deck" or a "pile" of the table')
    if not any(each.starts == ALL for each in table.zone.values()):
        problem = '"collects" needs a zone with starts = "all": no card may stay in the box'
        raise file.entry_error(at, problem)


def _check_score(
    file: TomlFile, table: FreeTable, number: int, line: ScoreEntry, columns: Collection[str]
) -> None:
    at = ("score", number)
    if bool(line.counter) == bool(line.zone):
        raise file.entry_error(at, 'a score needs a "counter" or a "zone"')
    things: Mapping[str, ZoneEntry | CounterEntry] = table.counter if line.counter else table.zone
    name, key = line.counter or line.zone, "counter" if line.counter else "zone"
    if name not in things:
        raise file.entry_error((*at, key), unknown_word(name, things))
    if things[name].owner == "table":
        raise file.entry_error((*at, key), f'"{name}" belongs to nobody, so it is nobody\'s score')
    if line.column and line.column not in columns:
        raise file.entry_error((*at, "column"), _no_column(line.column, columns))
