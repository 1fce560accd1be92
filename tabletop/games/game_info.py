"""Reader for `cards.toml`: general information about a game, and its deck.

The deck also contains the cards of the card sheet.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tabletop.engine.model import Value
from tabletop.games import card_sheet
from tabletop.games.card_sheet import CardSheet
from tabletop.games.typed_toml import BrokenFile, TomlFile, unknown_word
from tabletop.text.language_code import LANGUAGE_CODE

CARDS_TOML = "cards.toml"
DIE_SIDES = range(2, 101)
"""The numbers of sides that a die may have."""
DIE = "die"
"""The name of the drawing that shows any side of a die, and also a hidden die."""
RESERVED_BACK_FAULT = f'"{DIE}" is the back of dice: call this one otherwise'
MAX_CARDS = 5_000
"""The maximum number of cards in a game, including copies."""
MAX_SEATS = 16


class Choice(Struct, frozen=True, forbid_unknown_fields=True):
    """One choice of an option."""

    value: Value
    """The value that the rules read."""
    label: str
    """The text shown for the choice, in the game's language; `ja.po` and others translate it."""


class Option(Struct, frozen=True, forbid_unknown_fields=True):
    """A setting of a game that its players agree on before they start."""

    key: str
    """The name by which the rules read the option."""
    label: str
    """The text shown for the option, in the game's language; `ja.po` and others translate it."""
    choices: tuple[Choice, ...]
    """The possible choices. The first one is the default."""
    apart: Value | None = None
    """The default if each player uses a computer of their own; None if it is the usual one."""
    only: dict[str, Value] = {}
    """The values that other options must have for this one to be available, by option key."""

    def default(self, apart: bool = False) -> Value:
        """Return the default value. `apart` is true if each player uses a computer of their own."""
        own = self.apart if apart else None
        return self.choices[0].value if own is None else own

    def applies(self, chosen: dict[str, Value]) -> bool:
        """Return whether the option is available if the options have the values `chosen`."""
        return all(chosen.get(key) == value for key, value in self.only.items())


class GameInfo(Struct, frozen=True, forbid_unknown_fields=True):
    """General information about a game, which can be read without loading the game.

    All of a game's texts are in its `language` and translated by its `ja.po`, `en.po` and so on.
    """

    title: str
    """The title in the game's language."""
    seats: tuple[int, ...]
    """The supported numbers of players."""
    minutes: int
    """The usual length of a match, in minutes."""
    feel: str
    """A sentence about what playing the game feels like."""
    credit: str
    """The authors and the licence."""
    rules: int
    """The version of the rules. A match can only be resumed with the version it started with."""
    hidden: bool = False
    """Whether the game is left out of the shelf, the list of games to choose from."""
    language: str = "en"
    """The language code of the game's texts."""
    id: str = ""
    """The game's ID; "" if it is derived from the folder's name."""
    options: tuple[Option, ...] = ()
    """The settings that players agree on before they start."""
    proposed: int = 0
    """The number of seats suggested for a first match; 0 for the default."""
    first_seat_starts: bool | dict[str, Value] = True
    """Whether seat 0 has the first move.

    A dictionary gives the option values with which it does.
    """
    start_here: bool = False
    """Whether the game is recommended to beginners."""

    def first_seat_begins(self, chosen: dict[str, Value]) -> bool:
        """Return whether seat 0 has the first move if the options have the values `chosen`."""
        starts = self.first_seat_starts
        if isinstance(starts, bool):
            return starts
        return all(chosen.get(key) == value for key, value in starts.items())

    def default_options(self, apart: bool = False) -> dict[str, Value]:
        """Return each option's default value by key. `apart` is as in `Option.default`."""
        return {option.key: option.default(apart) for option in self.options}


class DiceSet(Struct, frozen=True, forbid_unknown_fields=True):
    """A set of identical dice.

    Each die consists of one card per side, and these cards have a back of their own. A player who
    can't see a die therefore knows which die it is, but not the side it shows.
    """

    copies: int = 1
    """The number of dice."""
    sides: int = 6
    """The number of sides of each die."""

    def faces(self) -> tuple[dict[str, Any], ...]:
        """Return the card fields for each side of a die, in ascending order."""
        numbers = range(1, self.sides + 1)
        return tuple({"name": str(n), "value": n, "sides": self.sides} for n in numbers)


class Cards(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of `cards.toml`, completed by the card sheet.

    The deck contains the cards with their copies, followed by a card for each side of each die. If
    `set_per_back` is true, the cards are repeated for each back.
    """

    box: GameInfo
    """General information about the game."""
    card: tuple[dict[str, Any], ...] = ()
    """The `[[card]]` entries: a name and any other fields."""
    back: tuple[str, ...] = ()
    """The names of the card backs. Each is the name of a drawing in the game's folder."""
    set_per_back: bool = False
    """Whether the deck contains all cards once for each back."""
    dice: tuple[DiceSet, ...] = ()
    """The sets of dice."""
    translations: dict[str, dict[str, str]] = {}
    """Translations from the card sheet, by language code and original text."""

    def deck(self) -> tuple[dict[str, Any], ...]:
        """Return the fields of every card in the deck, followed by those of each die's sides."""
        return (*self._cards(), *(face for dice in self._each_die() for face in dice.faces()))

    @property
    def first_die_face(self) -> int:
        """The index in the deck of the first side of the first die;
        the deck's length without dice.
        """
        return len(self._cards())

    @property
    def back_names(self) -> tuple[str, ...]:
        """The names of all backs: first those of the cards, then one for each die."""
        return (*self.back, *(DIE for _ in self._each_die()))

    def backs(self) -> tuple[int, ...]:
        """Return the back of each card in the deck, as an index in `back_names`."""
        of_cards = (self.back.index(card.get("back", self.back[0])) for card in self._cards())
        each_die = enumerate(self._each_die(), len(self.back))
        return (*of_cards, *(back for back, dice in each_die for _ in range(dice.sides)))

    def _cards(self) -> tuple[dict[str, Any], ...]:
        cards = tuple(card for card in self.card for _ in range(card.get("copies", 1)))
        if not self.set_per_back:
            return cards
        return tuple(card | {"back": back} for back in self.back for card in cards)

    def _each_die(self) -> tuple[DiceSet, ...]:
        return tuple(dice for dice in self.dice for _ in range(dice.copies))


def read_game_cards(called: str, written: str, sheet: CardSheet | None) -> Cards:
    """Read the general information and the cards from `written`, a `cards.toml`,
    and from a card sheet.

    If `written` is empty, the game gets the title `called`.

    Raises:
        BrokenFile: an entry or row is invalid. The message gives its line or row.
    """
    file = TomlFile(CARDS_TOML, written)
    bare = Cards(default_game_info(called))
    cards = bare if sheet and not written else file.read(Cards)
    _check_cards(file, cards, sheet is not None)
    if sheet is None:
        return cards
    rows = card_sheet.read_cards(sheet)
    backs = cards.back or tuple(dict.fromkeys(str(row.card.get("back", "back")) for row in rows))
    for row in rows:
        if (back := str(row.card.get("back", backs[0]))) not in backs:
            problem = f"the back {unknown_word(back, backs)}"
            problem += "" if "; " in problem else f'; "back" in {CARDS_TOML} lists them all'
            raise BrokenFile(f"{sheet.file} row {row.number}: {problem}")
        if back == DIE:
            raise BrokenFile(f"{sheet.file} row {row.number}: {RESERVED_BACK_FAULT}")
    whole = replace(
        cards,
        card=(*cards.card, *(row.card for row in rows)),
        back=backs,
        translations=card_sheet.collect_translations(rows),
    )
    _check_deck_size(file, whole)
    return whole


def default_game_info(title: str) -> GameInfo:
    """Return general information for a game without a `cards.toml`."""
    return GameInfo(title, (2, 3, 4), 20, "", "", 1)


def read_language(written: str) -> str:
    """Return the language code of a game from `written`, the text of its `cards.toml`.

    Raises:
        BrokenFile: an entry is invalid. The message gives its line.
    """
    return read_game_info(written).language if written else "en"


def read_game_info(written: str) -> GameInfo:
    """Return the general information from `written`, the text of a `cards.toml`.

    The cards below it usually aren't parsed, because that takes longer.

    Raises:
        BrokenFile: an entry is invalid. The message gives its line.
    """
    head, _, _ = written.partition("\n[[card]]")
    return TomlFile(CARDS_TOML, head if "[box]" in head else written).read(Cards).box


def _check_cards(file: TomlFile, cards: Cards, sheet: bool) -> None:
    """Check the entries of a `cards.toml`. `sheet` is true if the game also has a card sheet.

    Raises:
        BrokenFile: a name is unknown, or a number is out of range.
    """
    seats = cards.box.seats
    if not seats or min(seats) < 1 or max(seats) > MAX_SEATS or len(seats) > MAX_SEATS:
        raise file.entry_error(
            ("box", "seats"), '"seats" must be numbers of players, as in [2, 3, 4]'
        )
    if not LANGUAGE_CODE.fullmatch(cards.box.language):
        raise file.entry_error(("box", "language"), '"language" is a code like "ja" or "en"')
    if cards.box.proposed and cards.box.proposed not in seats:
        raise file.entry_error(
            ("box", "proposed"), '"proposed" must be one of the numbers in "seats"'
        )
    if not (cards.back or sheet or (cards.dice and not cards.card)):
        raise file.entry_error(("back",), '"back" needs at least one kind of back')
    if not cards.card and not cards.dice and not sheet:
        raise file.entry_error(
            (), 'there is no "card", no "dice" and no cards.csv, cards.xlsx or cards.ods'
        )
    for number, card in enumerate(cards.card):
        if cards.back and (back := card.get("back", cards.back[0])) not in cards.back:
            raise file.entry_error(("card", number, "back"), unknown_word(str(back), cards.back))
        copies = card.get("copies", 1)
        if type(copies) is not int or not 0 <= copies <= MAX_CARDS:
            problem = f'"copies" must be a whole number from 0 to {MAX_CARDS}'
            raise file.entry_error(("card", number, "copies"), problem)
    if DIE in cards.back:
        raise file.entry_error(("back",), RESERVED_BACK_FAULT)
    for number, dice in enumerate(cards.dice):
        if dice.copies < 1:
            raise file.entry_error(
                ("dice", number, "copies"), '"copies" must be a whole number from 1 up'
            )
        if dice.sides not in DIE_SIDES:
            raise file.entry_error(
                ("dice", number, "sides"), f'"sides" must be from {DIE_SIDES[0]} to {DIE_SIDES[-1]}'
            )
    _check_deck_size(file, cards)


def _check_deck_size(file: TomlFile, cards: Cards) -> None:
    """Check that the deck, including all sides of dice, has at most `MAX_CARDS` cards.

    Raises:
        BrokenFile: the deck is larger.
    """
    sets = len(cards.back) if cards.set_per_back else 1
    faces = sum(dice.copies * dice.sides for dice in cards.dice)
    if faces + sets * sum(card.get("copies", 1) for card in cards.card) > MAX_CARDS:
        raise file.entry_error((), f"there are more than {MAX_CARDS} cards, copies counted")
