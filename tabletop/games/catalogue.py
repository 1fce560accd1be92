"""Finds the game folders and loads what lies in them. No list of games exists anywhere else."""

from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from typing import Any

from msgspec import Struct

from tabletop.engine.instinct import Instinct
from tabletop.engine.model import Value
from tabletop.engine.play import Game
from tabletop.games import layout, references
from tabletop.games.layout import Layout
from tabletop.games.meaning import Meaning
from tabletop.games.typed_toml import BrokenFile, TomlFile, unknown
from tabletop.games.wording import Wording

PARTS = ("rules.py", "cards.toml", "words.toml", "table.toml")
"""The files without which a folder is no game."""


class Choice(Struct, frozen=True, forbid_unknown_fields=True):
    """One setting of an option: what the rules read, and its English label."""

    value: Value
    label: str


class Option(Struct, frozen=True, forbid_unknown_fields=True):
    """Something the players agree on before they begin; the first choice is the default."""

    key: str
    label: str
    choices: tuple[Choice, ...]
    apart: Value | None = None
    """The default instead where everybody sits at a computer of their own."""
    only: dict[str, Value] = {}
    """It means something only where these other options are chosen so."""

    def default(self, apart: bool = False) -> Value:
        """What is chosen until somebody chooses otherwise."""
        own = self.apart if apart else None
        return self.choices[0].value if own is None else own

    def applies(self, chosen: dict[str, Value]) -> bool:
        """Whether it is a choice at all beside these options."""
        return all(chosen.get(key) == value for key, value in self.only.items())


class Box(Struct, frozen=True, forbid_unknown_fields=True):
    """What the outside of a game's box tells: texts are English, translated by the game's ja.po."""

    title: str
    seats: tuple[int, ...]
    minutes: int
    feel: str
    credit: str
    rules: int
    """Version of the rules: a replay of another version is not played on."""
    hidden: bool = False
    options: tuple[Option, ...] = ()


class _Cards(Struct, frozen=True, forbid_unknown_fields=True):
    """What cards.toml says. A card lies in the box `copies` times, and with `set_per_back` the
    whole set of cards lies there once for every back: each player has a deck of their own."""

    box: Box
    card: tuple[dict[str, Any], ...]
    back: tuple[str, ...]
    set_per_back: bool = False

    def deck(self) -> tuple[dict[str, Any], ...]:
        """Every single card, set by set."""
        cards = tuple(card for card in self.card for _ in range(card.get("copies", 1)))
        if not self.set_per_back:
            return cards
        return tuple(card | {"back": back} for back in self.back for card in cards)


class Kit(Struct, frozen=True):
    """A game ready to be played: its box, cards, words and rules, and how its table is laid out."""

    id: str
    box: Box
    deck: tuple[dict[str, Any], ...]
    """The face of each card, as written in cards.toml; a card's number is its index."""
    back_names: tuple[str, ...]
    backs: tuple[int, ...]
    """Of each card, the index of its back in `back_names`."""
    words: Wording
    meaning: Meaning
    layouts: tuple[Layout, ...]
    """The arrangements of its table, the ordinary one first."""
    game: Game
    folder: Traversable

    @property
    def layout(self) -> Layout:
        """The ordinary arrangement: what is not geometry is the same in all of them."""
        return self.layouts[0]

    @property
    def draft(self) -> bool:
        """Whether it stands on the shelf unfinished: without a first game, or without Japanese."""
        return not all((self.folder / part).is_file() for part in ("first.toml", "ja.po"))

    def text(self, name: str) -> str:
        """The text of a file of the game's folder; empty where there is none."""
        return _text(self.folder, name)


class UnknownGame(LookupError):
    """No game of that name, or one that does not seat so many."""


class BrokenGame(LookupError):
    """A game whose folder is there but cannot be used: `name` is its id, the cause says why."""

    def __init__(self, name: str, cause: Exception) -> None:
        kind = "" if isinstance(cause, BrokenFile) else f"{type(cause).__name__}: "
        super().__init__(f'The game "{name}" cannot be read: {kind}{cause}')
        self.name = name


@cache
def names() -> tuple[str, ...]:
    """The ids of all games, hidden ones included, alphabetically."""
    home = files("tabletop.games")
    return tuple(sorted(f.name for f in home.iterdir() if not _lacking(f)))


def _lacking(folder: Traversable) -> tuple[str, ...]:
    """The files without which a folder is no game, and that it has not."""
    return tuple(part for part in PARTS if not (folder / part).is_file())


@cache
def load(name: str) -> Kit:
    """The game of this id.

    Raises:
        UnknownGame: there is none.
        BrokenGame: what lies in its folder is no game.
    """
    if name not in names():
        raise _no_game(name)
    try:
        return _read(name, files("tabletop.games") / name)
    except Exception as error:  # rules are code: whatever they raise must stop this game alone
        raise BrokenGame(name, error) from error


def _no_game(name: str) -> UnknownGame | BrokenGame:
    """There is none of this name, or only a folder that lacks something."""
    lacking = _lacking(files("tabletop.games") / name) if name.isidentifier() else PARTS
    if len(lacking) < len(PARTS):
        return BrokenGame(name, BrokenFile(f"its folder has no {' and no '.join(lacking)}"))
    shown = [each for each in names() if not each.startswith("_")]
    near = get_close_matches(name, shown, 1)
    meant = f'; did you mean "{near[0]}"?' if near else "."
    return UnknownGame(
        f'There is no game called "{name}"{meant} The games are: {", ".join(shown)}.'
    )


def _read(name: str, folder: Traversable) -> Kit:
    file = TomlFile("cards.toml", _text(folder, "cards.toml"))
    cards = file.read(_Cards)
    _check(file, cards)
    most = max(cards.box.seats)
    wording, meaning, table = (
        TomlFile(part, _text(folder, part), most)
        for part in ("words.toml", "meaning.toml", "table.toml")
    )
    words = wording.read(Wording)
    made = Kit(
        id=name,
        box=cards.box,
        deck=(deck := cards.deck()),
        back_names=cards.back,
        backs=tuple(cards.back.index(card.get("back", cards.back[0])) for card in deck),
        words=words,
        meaning=meaning.read(Meaning),
        layouts=layout.read(table),
        game=import_module(f"tabletop.games.{name}.rules").Rules(deck),
        folder=folder,
    )
    references.check_names(wording)
    for each in (meaning, table):
        references.check(each, words)
    return made


def _check(file: TomlFile, cards: _Cards) -> None:
    """Look up what the cards name, and count them.

    Raises:
        BrokenFile: there is nothing of that name, or no such number.
    """
    if not cards.box.seats or min(cards.box.seats) < 1:
        raise file.broken(("box", "seats"), '"seats" wants the numbers of players, as in [2, 3, 4]')
    if not cards.back:
        raise file.broken(("back",), '"back" wants a kind of back at least')
    for number, card in enumerate(cards.card):
        if (back := card.get("back", cards.back[0])) not in cards.back:
            raise file.broken(("card", number, "back"), unknown(str(back), cards.back))
        copies = card.get("copies", 1)
        if type(copies) is not int or copies < 0:
            raise file.broken(("card", number, "copies"), '"copies" wants a whole number from 0 up')


def _text(folder: Traversable, name: str) -> str:
    file = folder / name
    return file.read_text(encoding="utf-8") if file.is_file() else ""


@cache
def bring(name: str) -> tuple[Game, Instinct | None]:
    """What bots need of the game of this id: its rules, and its instinct where it has one.

    Raises:
        UnknownGame, BrokenGame: as `load`.
    """
    game = load(name).game
    module = f"tabletop.games.{name}.bot"
    if find_spec(module) is None:
        return game, None
    try:
        instinct: Instinct = import_module(module).Instinct(game)
    except Exception as error:
        raise BrokenGame(name, error) from error
    return game, instinct


def whole() -> tuple[Kit, ...]:
    """All games that can be used, hidden ones included, alphabetically by id."""
    return tuple(kit for kit in map(_tried, names()) if isinstance(kit, Kit))


def broken() -> tuple[BrokenGame, ...]:
    """What is wrong with each game that cannot be used."""
    return tuple(error for error in map(_tried, names()) if isinstance(error, BrokenGame))


def shelf() -> tuple[Kit, ...]:
    """The games that stand on the shelf, alphabetically by id."""
    return tuple(kit for kit in whole() if not kit.box.hidden)


@cache
def _tried(name: str) -> Kit | BrokenGame:
    try:
        return load(name)
    except BrokenGame as error:
        return error


def options(
    kit: Kit, chosen: dict[str, Value] | None = None, apart: bool = False
) -> dict[str, Value]:
    """All options of a match: the chosen ones, and the default where nothing was chosen.

    `apart`: the players sit at computers of their own.

    Raises:
        UnknownGame: the game has no such option, or the option no such choice.
    """
    agreed = {option.key: option.default(apart) for option in kit.box.options}
    for key, value in (chosen or {}).items():
        option = next((o for o in kit.box.options if o.key == key), None)
        if option is None:
            raise UnknownGame(f'"{kit.box.title}" has no option "{key}".')
        if all(choice.value != value for choice in option.choices):
            raise UnknownGame(f'The option "{key}" cannot be "{value}".')
        agreed[key] = value
    return agreed
