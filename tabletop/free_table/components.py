"""The components of a free table, with the permissions for them, read from `free.toml`.

docs/free-table.md describes the format.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from tabletop.engine.model import Value
from tabletop.games.toml_lines import TomlPath
from tabletop.games.typed_toml import TomlFile, unknown_word

SeatName = Literal[
    "seat 1", "seat 2", "seat 3", "seat 4",
    "seat 5", "seat 6", "seat 7", "seat 8",
    "seat 9", "seat 10", "seat 11", "seat 12",
    "seat 13", "seat 14", "seat 15", "seat 16",
]  # fmt: skip
"""A single player, counted from 1."""
Permission = Literal["everybody", "turn", "owner", "owner in turn", "nobody"] | SeatName
"""Who may do something: all players at any time, the active player, the owner at any time, the
owner in their own turn, nobody, or a single player at any time.
"""
ZoneKind = Literal["deck", "pile", "row", "hand", "grid"]
FaceVisibility = Literal["up", "down", "owner", "choose"]
Owner = Literal["table", "seat"]
ZoneOwner = Owner | SeatName

ALL = "all"
MAX_ZONES = 200
"""The maximum number of zones.

Each cell of a grid counts, but a zone that every player has counts once.
"""
MAX_DICE = 100
MIN_SCALE, MAX_SCALE = 0.3, 2.0
"""The limits for the size of a zone's cards, as a multiple of their usual size."""
MAX_NUMBER = 1_000_000
"""The maximum absolute value of a number in the file."""
BOX = "box"
"""The name of the zone for cards that aren't on the table at the start."""
FACES = "faces"
"""The name of the zone for the hidden sides of dice."""
COLLECTED = "collected"
"""The name of the unordered zone through which cards return to their deck."""
MIXED = "box/mixed"
"""The name of the hidden zone in which a hand is shuffled before a random card is taken."""
TAPPED = "tapped/card"
"""The prefix of the public values with the angles of cards that are turned sideways."""
RESERVED_NAMES = (BOX, FACES, COLLECTED, "score", "turn", "round", "acts", "done")
"""Names that components can't have."""


class ZoneEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A single zone, a zone that each player has, or a grid of zones."""

    kind: ZoneKind
    """The kind of zone, which determines its look and the default permissions."""
    label: str
    """The name for use in sentences, with {seat} and, for a grid, {row} and {column}."""
    caption: str = ""
    """The caption on the table; "" to use `label`."""
    owner: ZoneOwner | None = None
    """Whether the table has the zone, each player has one, or a single player has it; by default
    the table, but for a hand each player.
    """
    face: FaceVisibility | None = None
    """Which side of the cards is visible, and to whom; None for the default of `kind`."""
    rows: int = 1
    """The number of rows in a grid of zones."""
    columns: int = 1
    """The number of columns in a grid of zones."""
    limit: int = 0
    """The maximum number of cards; 0 for no limit."""
    starts: Literal["all"] | dict[str, Value | tuple[Value, ...]] | None = None
    """The cards that are in the zone at the start: all remaining ones,
    or those with these field values.

    If a field has several values, each player gets the cards with the value at the index of their
    seat.
    """
    dice: int = 0
    """The number of dice that are in the zone at the start and thrown there."""
    throw: Permission | None = None
    """Who may throw the dice."""
    shuffled: bool = True
    """Whether the cards are shuffled before the game."""
    deal: dict[str, int | Literal["all"]] = {}
    """The number of cards to deal to other zones, by zone; "all" for as many rounds as there are
    enough cards for.
    """
    deals: Literal["start", "round"] = "start"
    """When cards are dealt: before the game ("start"),
    or also before each further round ("round").
    """
    collects: bool = False
    """Whether all cards with the backs of this zone's cards return here and are shuffled before
    cards are dealt again.
    """
    redeal: Permission = "nobody"
    """Who may deal the cards again, with a button."""
    passes: Literal["", "left", "right", "alternate"] = ""
    """The neighbour to whom each player's cards pass after a round. "alternate" starts with the
    left one; "" for none.
    """
    insert: bool = False
    """Whether players choose if a card is put on top, at the bottom, or shuffled in."""
    take: Permission | None = None
    """Who may take cards out; None for the default of `kind`."""
    put: Permission | None = None
    """Who may put cards in; None for the default of `kind`."""
    flip: Permission = "nobody"
    """Who may turn a card over."""
    look: Permission = "nobody"
    """Who may look at the hidden side of a card."""
    show: Permission | None = None
    """Who may show a card to others; None for the default of `kind`."""
    shuffle: Permission | None = None
    """Who may shuffle the cards; None for the default of `kind`."""
    picture: str | tuple[str, ...] = ""
    """The file name of the picture below the cards; a tuple contains one for each seat."""
    draws: dict[str, int] = {}
    """The number of cards that players can draw to other zones in one move, by zone."""
    take_all: Permission = "nobody"
    """Who may move all of its cards to another zone in one move."""
    gather: Permission = "nobody"
    """Who may collect all cards with the backs of this zone's cards here and shuffle them."""
    random: Permission = "nobody"
    """Who may take a random card out."""
    looks: int = 1
    """The number of cards from the top that a player with the permission `look` sees."""
    refill: str = ""
    """The zone from whose top this one is refilled after each action, up to its limit; "" for none.
    """
    together: bool = False
    """Whether all players' cards here are turned up once each player has one here."""
    tap: Permission = "nobody"
    """Who may turn face-up cards sideways and back."""
    scale: float = 1.0
    """The size of the cards in the automatic layout, as a multiple of their usual size."""
    hexes: bool = False
    """Whether every second row of a grid is shifted by half a cell in the automatic layout."""
    returns: str = ""
    """The zone into which all of this zone's cards are shuffled by "shuffle";
    "" to shuffle them here.
    """


class DiceEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A set of dice that are thrown together."""

    label: str
    """The name for use in sentences."""
    caption: str = ""
    """The caption on the table; "" to use `label`."""
    sides: int = 6
    """The number of sides of each die."""
    count: int = 1
    """The number of dice."""
    owner: Owner = "table"
    """Whether the table has the dice or each player has such dice."""
    picture: str = ""
    """The file name of the picture below the dice."""
    roll: Permission | None = None
    """Who may throw the dice."""
    hold: Permission = "nobody"
    """Who may set a die aside, so that it isn't thrown with the others."""


class CounterEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number that players can raise and lower."""

    label: str
    """The name for use in sentences."""
    caption: str = ""
    """The caption on the table; "" to use `label`."""
    owner: Owner = "seat"
    """Whether the table has the counter or each player has one."""
    start: int = 0
    """The initial value."""
    least: int = 0
    """The minimum value."""
    most: int = 999
    """The maximum value."""
    steps: tuple[int, ...] = (1,)
    """The amounts by which players can change the value."""
    change: Permission | None = None
    """Who may change the value."""


class TurnsEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The order of turns, and limits on rounds and actions."""

    order: Literal["clockwise", "together"] = "clockwise"
    """Whether players take turns "clockwise" or act "together"."""
    rounds: int = 12
    """The maximum number of rounds, after which the game ends."""
    most: int = 0
    """The maximum number of actions in a turn; 0 for no limit."""


class EndEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Further ways to end the game."""

    empty: str = ""
    """The zone whose emptiness ends the game; "" for none."""
    agree: Literal["all", "one"] = "all"
    """Whether ending the game early takes the agreement of "all" players or of "one"."""


class ScoreEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of the score sheet: points for a counter, or for the cards in a zone."""

    text: str
    """The label."""
    counter: str = ""
    """The counter whose value gives points."""
    zone: str = ""
    """The zone whose cards give points."""
    column: str = ""
    """The card field that is added up; "" to count the cards."""
    times: int = 1
    """The number of points for each unit."""


class TableEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The surface of the table."""

    picture: str = ""
    """The file name of the picture that covers the table."""


class FreeTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of a `free.toml`."""

    table: TableEntry = TableEntry()
    """The surface of the table."""
    turns: TurnsEntry = TurnsEntry()
    """The order of turns, and limits on rounds and actions."""
    zone: dict[str, ZoneEntry]
    """The zones, by name."""
    dice: dict[str, DiceEntry] = {}
    """The dice, by name."""
    counter: dict[str, CounterEntry] = {}
    """The counters, by name."""
    end: EndEntry = EndEntry()
    """Further ways to end the game."""
    score: tuple[ScoreEntry, ...] = ()
    """The lines of the score sheet."""


_KIND_DEFAULTS: Mapping[ZoneKind, Mapping[str, Any]] = {
    "deck": {"face": "down", "take": "turn", "put": "nobody", "shuffle": "turn"},
    "pile": {"face": "up", "take": "turn", "put": "turn", "shuffle": "nobody"},
    "row": {"face": "up", "take": "turn", "put": "turn", "shuffle": "nobody"},
    "hand": {"face": "owner", "take": "turn", "put": "turn", "shuffle": "nobody"},
    "grid": {"face": "up", "take": "turn", "put": "turn", "shuffle": "nobody"},
}
"""The default face and permissions for each kind of zone."""


def read_free_table(
    file: TomlFile,
    columns: Collection[str],
    dice: int = 0,
    seats: int = 1,
    pictures: Collection[str] | None = None,
) -> FreeTable:
    """Return the content of a `free.toml`, with all defaults filled in.

    Args:
        file: the `free.toml`.
        columns: the names of the card fields.
        dice: the number of dice in the box.
        seats: the maximum number of players.
        pictures: the names of the pictures in the game's folder; None to skip checking them.

    Raises:
        BrokenFile: an entry is unknown, missing or invalid, or names something that doesn't exist.
    """
    written = file.read(FreeTable)
    for section in ("zone", "dice", "counter"):
        for name in getattr(written, section):
            if not name.isidentifier() or name in RESERVED_NAMES:
                raise file.entry_error(
                    (section, name), f'"{name}" cannot be a name here: take another'
                )
            others = [s for s in ("zone", "dice", "counter") if s != section]
            if any(name in getattr(written, other) for other in others):
                raise file.entry_error((section, name), f'"{name}" names two things')
    table = replace(
        written,
        zone={name: _complete_zone(area) for name, area in written.zone.items()},
        dice={name: _complete_dice(dice) for name, dice in written.dice.items()},
        counter={name: _complete_counter(each) for name, each in written.counter.items()},
    )
    _check_table(file, table, columns, seats)
    _check_dice(file, table, dice, seats)
    _check_pictures(file, table, pictures)
    return table


def _complete_zone(area: ZoneEntry) -> ZoneEntry:
    usual = dict(_KIND_DEFAULTS[area.kind])
    owner = area.owner or ("seat" if area.kind == "hand" else "table")
    if owner != "table":
        usual |= {"take": "owner in turn", "put": "owner in turn"}
    usual["throw"] = usual["put"] if area.dice else "nobody"
    if area.dice:
        usual |= {"take": "nobody", "put": "nobody"}
    usual["show"] = (
        "owner" if owner != "table" and (area.face or usual["face"]) == "owner" else "nobody"
    )
    given = {key: value for key in usual if (value := getattr(area, key)) is not None}
    return replace(area, owner=owner, caption=area.caption or area.label, **usual | given)


def _complete_dice(dice: DiceEntry) -> DiceEntry:
    roll = dice.roll or ("turn" if dice.owner == "table" else "owner in turn")
    return replace(dice, caption=dice.caption or dice.label, roll=roll)


def _complete_counter(counter: CounterEntry) -> CounterEntry:
    change = counter.change or ("everybody" if counter.owner == "table" else "owner")
    return replace(counter, caption=counter.caption or counter.label, change=change)


PERMISSIONS = {
    "zone": (
        *("take", "put", "flip", "look", "show", "shuffle", "throw", "redeal"),
        *("take_all", "gather", "random", "tap"),
    ),
    "dice": ("roll", "hold"),
    "counter": ("change",),
}
"""The fields that contain a permission, for each kind of component."""


def _check_table(file: TomlFile, table: FreeTable, columns: Collection[str], seats: int) -> None:
    """Check the names and numbers in the file.

    Raises:
        BrokenFile: a name is unknown, or a number is out of range.
    """
    for section, verbs in PERMISSIONS.items():
        for name, thing in getattr(table, section).items():
            for verb in verbs:
                if (number_of_seat(getattr(thing, verb)) or 0) >= seats:
                    problem = f"there are at most {seats} players"
                    raise file.entry_error((section, name, verb), problem)
                if getattr(thing, verb).startswith("owner") and thing.owner == "table":
                    problem = f'"{name}" belongs to nobody, so "{verb}" cannot be "owner"'
                    raise file.entry_error((section, name, verb), problem)
    for name, area in table.zone.items():
        if (number_of_seat(area.owner) or 0) >= seats:
            problem = f"there are at most {seats} players"
            raise file.entry_error(("zone", name, "owner"), problem)
        _check_zone(file, table, name, area, columns)
    places = sum(max(area.rows, 1) * max(area.columns, 1) for area in table.zone.values())
    if places > MAX_ZONES:
        raise file.entry_error(("zone",), f"there are more than {MAX_ZONES} places for cards")
    for name, dice in table.dice.items():
        for key, least, most in (("sides", 2, 1_000), ("count", 1, MAX_DICE)):
            if not least <= getattr(dice, key) <= most:
                problem = f'"{key}" must be a number from {least} to {most}'
                raise file.entry_error(("dice", name, key), problem)
    for name, counter in table.counter.items():
        if not counter.least <= counter.start <= counter.most:
            raise file.entry_error(
                ("counter", name), '"start" must be a number from "least" to "most"'
            )
        if max(abs(counter.least), abs(counter.most), *counter.steps, 0) > MAX_NUMBER:
            raise file.entry_error(
                ("counter", name), f"no number of a counter is larger than {MAX_NUMBER}"
            )
        if not counter.steps or min(counter.steps) < 1 or len(counter.steps) > 20:
            raise file.entry_error(("counter", name, "steps"), '"steps" must be numbers from 1 up')
    if not 1 <= table.turns.rounds <= MAX_NUMBER:
        raise file.entry_error(("turns", "rounds"), '"rounds" must be 1 or more: a game has to end')
    if table.turns.most < 0:
        raise file.entry_error(("turns", "most"), '"most" must be 0 or more')
    if table.end.empty and table.end.empty not in table.zone:
        raise file.entry_error(("end", "empty"), unknown_word(table.end.empty, table.zone))
    for number, line in enumerate(table.score):
        _check_score(file, table, number, line, columns)


def _check_dice(file: TomlFile, table: FreeTable, dice: int, seats: int) -> None:
    """Check that the box has enough dice for all zones at the maximum number of players.

    Raises:
        BrokenFile: there are too few dice.
    """
    for name, area in table.zone.items():
        dice -= area.dice * (seats if area.owner == "seat" else 1)
        if area.dice and dice < 0:
            problem = f"the box has {-dice} dice too few: say [[dice]] in cards.toml"
            raise file.entry_error(("zone", name, "dice"), problem)


def _check_pictures(file: TomlFile, table: FreeTable, pictures: Collection[str] | None) -> None:
    """Check that the named pictures exist.

    Raises:
        BrokenFile: a picture doesn't exist, or a zone of the table has several.
    """
    named: list[tuple[TomlPath, str]] = [(("table",), table.table.picture)]
    for name, area in table.zone.items():
        each = area.picture
        if not isinstance(each, str) and area.owner != "seat":
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
        if isinstance(count, int) and count < 0:
            raise file.entry_error((*at, "deal", target), '"deal" must be numbers from 0 up')
    _check_several(file, table, name, area)
    for key, used in (("redeal", area.redeal != "nobody"), ("deals", area.deals != "start")):
        if used and not area.deal:
            raise file.entry_error(
                (*at, key), f'"{key}" needs "deal": it says how many cards go where'
            )
    if area.collects:
        _check_collecting(file, table, name, area)
    if area.passes and area.owner != "seat":
        raise file.entry_error((*at, "passes"), f'"{name}" belongs to nobody, who has no neighbour')
    if area.insert and area.kind not in ("deck", "pile"):
        raise file.entry_error((*at, "insert"), 'cards are inserted only into a "deck" or a "pile"')
    if area.returns and area.returns not in table.zone:
        raise file.entry_error((*at, "returns"), unknown_word(area.returns, table.zone))
    if area.returns and table.zone[area.returns].owner != "table":
        raise file.entry_error(
            (*at, "returns"), f'"{area.returns}" is not one zone, but one for each'
        )
    if area.returns and table.zone[area.returns].kind == "grid":
        raise file.entry_error((*at, "returns"), f'"{area.returns}" is a grid, no pile')
    if isinstance(area.starts, dict):
        for field in area.starts:
            if field not in columns:
                raise file.entry_error((*at, "starts", field), _unknown_column(field, columns))


def number_of_seat(name: str | None) -> int | None:
    """Return the index of the seat that `name`, such as "seat 2", stands for, if it is one."""
    word, _, number = (name or "").partition(" ")
    return int(number) - 1 if word == "seat" and number else None


def _check_several(file: TomlFile, table: FreeTable, name: str, area: ZoneEntry) -> None:
    """Check the entries about several cards in one move, and those that depend on the kind of zone.

    Raises:
        BrokenFile: an entry is invalid for this zone.
    """
    at = ("zone", name)
    for target, count in area.draws.items():
        if target not in table.zone:
            raise file.entry_error((*at, "draws", target), unknown_word(target, table.zone))
        if count < 2:
            raise file.entry_error((*at, "draws", target), '"draws" must be numbers from 2 up')
    if area.gather != "nobody" and (area.kind not in ("deck", "pile") or area.owner != "table"):
        problem = 'cards are gathered only in a "deck" or a "pile" of the table'
        raise file.entry_error((*at, "gather"), problem)
    if area.gather != "nobody" and area.starts is None:
        problem = '"gather" needs "starts": it says which cards belong here'
        raise file.entry_error((*at, "gather"), problem)
    if area.looks < 1:
        raise file.entry_error((*at, "looks"), '"looks" must be 1 or more')
    if area.refill:
        source = table.zone.get(area.refill)
        if source is None:
            raise file.entry_error((*at, "refill"), unknown_word(area.refill, table.zone))
        if source.owner != "table" or source.kind == "grid" or area.refill == name:
            problem = "a place is refilled from another place of the table that isn't a grid"
            raise file.entry_error((*at, "refill"), problem)
        if not area.limit and area.kind != "grid":
            problem = '"refill" needs "limit": up to how many cards it is refilled'
            raise file.entry_error((*at, "refill"), problem)
    if area.together and (area.owner != "seat" or area.face == "up"):
        problem = '"together" needs owner = "seat" and a "face" that isn\'t "up"'
        raise file.entry_error((*at, "together"), problem)
    if not MIN_SCALE <= area.scale <= MAX_SCALE:
        problem = f'"scale" must be from {MIN_SCALE} to {MAX_SCALE}'
        raise file.entry_error((*at, "scale"), problem)
    if area.hexes and area.kind != "grid":
        raise file.entry_error((*at, "hexes"), 'only a "grid" has hexes')


def _unknown_column(name: str, columns: Collection[str]) -> str:
    problem = unknown_word(name, columns)
    there = f": no card has it; there are: {', '.join(sorted(columns))}"
    return problem if "; " in problem else problem + there


def _check_collecting(file: TomlFile, table: FreeTable, name: str, area: ZoneEntry) -> None:
    at = ("zone", name, "collects")
    if area.deals == "start" and area.redeal == "nobody":
        problem = '"collects" needs deals = "round" or "redeal": when the cards come back'
        raise file.entry_error(at, problem)
    if area.kind not in ("deck", "pile") or area.owner != "table":
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
    if things[name].owner != "seat":
        raise file.entry_error((*at, key), f'"{name}" belongs to nobody, so it is nobody\'s score')
    if line.column and line.column not in columns:
        raise file.entry_error((*at, "column"), _unknown_column(line.column, columns))
