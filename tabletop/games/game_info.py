"""A game's box: its `cards.toml`, and the cards of a spreadsheet beside it."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tabletop.engine.model import Value
from tabletop.games import card_sheet
from tabletop.games.card_sheet import CardSheet
from tabletop.games.typed_toml import BrokenFile, TomlFile, unknown
from tabletop.text.language_code import LANGUAGE_CODE

FILE = "cards.toml"
SIDES = range(2, 101)
"""The possible numbers of a die's faces."""
DIE = "die"
"""The drawings of a die, for an upper face and for a hidden one."""
BACK_OF_DICE = f'"{DIE}" is the back of dice: call this one otherwise'
MOST_CARDS = 5_000
"""The most cards of a box, including copies."""
MOST_SEATS = 16


class Choice(Struct, frozen=True, forbid_unknown_fields=True):
    """One setting of an option: what the rules read, and its English label."""

    value: Value
    """The value that the rules read."""
    label: str
    """Its label in the game's language; translated by its ja.po."""


class Option(Struct, frozen=True, forbid_unknown_fields=True):
    """An agreement of the players before the game; the first choice is the default."""

    key: str
    """The name by which the rules know it."""
    label: str
    """Its label in the game's language; translated by its ja.po."""
    choices: tuple[Choice, ...]
    """The first is the default."""
    apart: Value | None = None
    """Another default where every player has a computer of their own."""
    only: dict[str, Value] = {}
    """The other options on which it depends."""

    def default(self, apart: bool = False) -> Value:
        """Return the choice that holds until another is made."""
        own = self.apart if apart else None
        return self.choices[0].value if own is None else own

    def applies(self, chosen: dict[str, Value]) -> bool:
        """Whether it can be chosen beside these options."""
        return all(chosen.get(key) == value for key, value in self.only.items())


class GameInfo(Struct, frozen=True, forbid_unknown_fields=True):
    """The outside of a game's box. Its texts, like all of the game, are in its `language`, and
    translated by the game's ja.po, en.po …"""

    title: str
    """The title in its language."""
    seats: tuple[int, ...]
    """The possible numbers of players."""
    minutes: int
    """The length of a usual match."""
    feel: str
    """A sentence on what the game feels like."""
    credit: str
    """Its authors, and what they permit."""
    rules: int
    """Version of the rules: a replay of another version is not played on."""
    hidden: bool = False
    """Whether the shelf leaves it out."""
    language: str = "en"
    """The code of the language in which its texts are written."""
    id: str = ""
    """The id of a folder outside the package, whatever the folder is called."""
    options: tuple[Option, ...] = ()
    """Agreements of the players before the game."""
    proposed: int = 0
    """The number of seats proposed for a first match; 0: the fewest of several."""
    first_seat_starts: bool | dict[str, Value] = True
    """Whether the first seat starts; or the options with which it does."""
    start_here: bool = False
    """Whether it is the game for beginners to start with."""

    def starts_at_first(self, chosen: dict[str, Value]) -> bool:
        """Whether the first seat starts with these options."""
        starts = self.first_seat_starts
        if isinstance(starts, bool):
            return starts
        return all(chosen.get(key) == value for key, value in starts.items())

    def usual_options(self, apart: bool = False) -> dict[str, Value]:
        """The defaults of all options; `apart` as in Option."""
        return {option.key: option.default(apart) for option in self.options}


class BoxDice(Struct, frozen=True, forbid_unknown_fields=True):
    """Dice on the table, all alike. Each is a card for every face, with a back of its own: a player
    who doesn't see a die knows which one it is, not its face."""

    copies: int = 1
    """The number of such dice."""
    sides: int = 6
    """The number of faces of each."""

    def faces(self) -> tuple[dict[str, Any], ...]:
        """The faces of one die, from 1 up."""
        numbers = range(1, self.sides + 1)
        return tuple({"name": str(n), "value": n, "sides": self.sides} for n in numbers)


class Cards(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of cards.toml. The box holds `copies` of a card, and with `set_per_back` the
    whole set once for every back: each player has a deck of their own. After the cards come the
    faces of each die."""

    box: GameInfo
    """The outside."""
    card: tuple[dict[str, Any], ...] = ()
    """The tables [[card]]: any fields, beside a name."""
    back: tuple[str, ...] = ()
    """The backs, each a drawing of the game's folder."""
    set_per_back: bool = False
    """Whether every back has the whole set."""
    dice: tuple[BoxDice, ...] = ()
    """The dice in the box."""
    translations: dict[str, dict[str, str]] = {}
    """By the code of a language what the columns of the spreadsheet say in it, by the English."""

    def deck(self) -> tuple[dict[str, Any], ...]:
        """Every single card, set by set; then the faces of every die, die by die."""
        return (*self._cards(), *(face for dice in self._each_die() for face in dice.faces()))

    @property
    def first_face(self) -> int:
        """The number of the first face of a die in the deck; where there are none, that of all."""
        return len(self._cards())

    @property
    def back_names(self) -> tuple[str, ...]:
        """The name of every back: those of the cards, then one for each die."""
        return (*self.back, *(DIE for _ in self._each_die()))

    def backs(self) -> tuple[int, ...]:
        """The number of the back of every single card."""
        of_cards = (self.back.index(card.get("back", self.back[0])) for card in self._cards())
        each_die = enumerate(self._each_die(), len(self.back))
        return (*of_cards, *(back for back, dice in each_die for _ in range(dice.sides)))

    def _cards(self) -> tuple[dict[str, Any], ...]:
        cards = tuple(card for card in self.card for _ in range(card.get("copies", 1)))
        if not self.set_per_back:
            return cards
        return tuple(card | {"back": back} for back in self.back for card in cards)

    def _each_die(self) -> tuple[BoxDice, ...]:
        return tuple(dice for dice in self.dice for _ in range(dice.copies))


def read(called: str, written: str, sheet: CardSheet | None) -> Cards:
    """The box and its cards, of the text of cards.toml and a sheet; a box of which only the sheet
    is there is `called` so.

    Raises:
        BrokenFile: something in them is wrong, with its line or row.
    """
    file = TomlFile(FILE, written)
    bare = Cards(default_box(called))
    cards = bare if sheet and not written else file.read(Cards)
    _check(file, cards, sheet is not None)
    if sheet is None:
        return cards
    rows = card_sheet.read(sheet)
    backs = cards.back or tuple(dict.fromkeys(str(row.card.get("back", "back")) for row in rows))
    for row in rows:
        if (back := str(row.card.get("back", backs[0]))) not in backs:
            problem = f"the back {unknown(back, backs)}"
            problem += "" if "; " in problem else f'; "back" in {FILE} lists them all'
            raise BrokenFile(f"{sheet.file} row {row.number}: {problem}")
        if back == DIE:
            raise BrokenFile(f"{sheet.file} row {row.number}: {BACK_OF_DICE}")
    whole = replace(
        cards,
        card=(*cards.card, *(row.card for row in rows)),
        back=backs,
        translations=card_sheet.catalogues(rows),
    )
    _check_number(file, whole)
    return whole


def default_box(title: str) -> GameInfo:
    """The box of a game of which nobody has written one."""
    return GameInfo(title, (2, 3, 4), 20, "", "", 1)


def language_of(written: str) -> str:
    """The language of a game whose cards.toml has this text. Raises as `read_outside`."""
    return read_outside(written).language if written else "en"


def read_outside(written: str) -> GameInfo:
    """Return the box from the text of cards.toml, usually its head alone, before the cards.

    Raises:
        BrokenFile: an entry is wrong, with its line.
    """
    head, _, _ = written.partition("\n[[card]]")
    return TomlFile(FILE, head if "[box]" in head else written).read(Cards).box


def _check(file: TomlFile, cards: Cards, sheet: bool) -> None:
    """Check the names in the cards, and count the cards.

    Raises:
        BrokenFile: there is nothing of that name, or no such number.
    """
    seats = cards.box.seats
    if not seats or min(seats) < 1 or max(seats) > MOST_SEATS or len(seats) > MOST_SEATS:
        raise file.broken(("box", "seats"), '"seats" must be numbers of players, as in [2, 3, 4]')
    if not LANGUAGE_CODE.fullmatch(cards.box.language):
        raise file.broken(("box", "language"), '"language" is a code like "ja" or "en"')
    if cards.box.proposed and cards.box.proposed not in seats:
        raise file.broken(("box", "proposed"), '"proposed" must be one of the numbers in "seats"')
    if not (cards.back or sheet or (cards.dice and not cards.card)):
        raise file.broken(("back",), '"back" needs at least one kind of back')
    if not cards.card and not cards.dice and not sheet:
        raise file.broken(
            (), 'there is no "card", no "dice" and no cards.csv, cards.xlsx or cards.ods'
        )
    for number, card in enumerate(cards.card):
        if cards.back and (back := card.get("back", cards.back[0])) not in cards.back:
            raise file.broken(("card", number, "back"), unknown(str(back), cards.back))
        copies = card.get("copies", 1)
        if type(copies) is not int or not 0 <= copies <= MOST_CARDS:
            problem = f'"copies" must be a whole number from 0 to {MOST_CARDS}'
            raise file.broken(("card", number, "copies"), problem)
    if DIE in cards.back:
        raise file.broken(("back",), BACK_OF_DICE)
    for number, dice in enumerate(cards.dice):
        if dice.copies < 1:
            raise file.broken(
                ("dice", number, "copies"), '"copies" must be a whole number from 1 up'
            )
        if dice.sides not in SIDES:
            raise file.broken(
                ("dice", number, "sides"), f'"sides" must be from {SIDES[0]} to {SIDES[-1]}'
            )
    _check_number(file, cards)


def _check_number(file: TomlFile, cards: Cards) -> None:
    """Check that there are no more cards, faces of dice included, than a table can hold."""
    sets = len(cards.back) if cards.set_per_back else 1
    faces = sum(dice.copies * dice.sides for dice in cards.dice)
    if faces + sets * sum(card.get("copies", 1) for card in cards.card) > MOST_CARDS:
        raise file.broken((), f"there are more than {MOST_CARDS} cards, copies counted")
