"""Illustrations of a rulebook: cards, example positions and symbols.

A game defines them in its illustrations.toml, for all languages:

    [[cards]]                       # a row of cards, below the first lines of a paragraph
    paragraph = "2"
    names = ["10", "7", "1"]        # English names; each takes the first unused card

    [[example]]                     # below the example of a paragraph: part of the table
    paragraph = "5.4"
    show = ["work/0", "slot/0/1"]   # the zones, and drawings, that are shown
    seats = 2                       # the number of players ...
    seat = 0                        # ... and the viewer
    options = {}                    # those that differ from the default
    lies = { "work/0" = ["10"] }    # cards by zone; all others are in the zone `rest`
    rest = "pile/0"
    values = { "need/0" = 7 }       # public values that differ from the start

    [[symbol]]                      # a line on the page of symbols
    text = "red"
    drawing = "sun/symbols.svg"     # its drawing, with these variables
    with = { sign = "red" }
    wide = 1.0                      # width relative to its height
"""

from collections.abc import Iterable, Iterator
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.mask import mask
from tabletop.engine.model import AUDIENCE, State, Value
from tabletop.engine.play import start
from tabletop.games.typed_toml import TomlFile


class CardRow(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of cards below the first lines of a paragraph."""

    paragraph: str
    names: tuple[str, ...]


class Example(Struct, frozen=True, forbid_unknown_fields=True):
    """A position that illustrates an example in the rulebook."""

    paragraph: str
    show: tuple[str, ...]
    seats: int = 2
    seat: int = 0
    options: dict[str, Value] = {}
    lies: dict[str, tuple[str, ...]] = {}
    rest: str = ""
    values: dict[str, Value] = {}


class Symbol(Struct, frozen=True, forbid_unknown_fields=True, rename={"given": "with"}):
    """A symbol and its meaning, on the rulebook's page of symbols."""

    text: str
    drawing: str
    given: dict[str, Value] = {}
    wide: float = 1.0


class Illustrations(Struct, frozen=True, forbid_unknown_fields=True):
    """All illustrations of a rulebook."""

    cards: tuple[CardRow, ...] = ()
    example: tuple[Example, ...] = ()
    symbol: tuple[Symbol, ...] = ()


@cache
def _parse_illustrations(text: str) -> Illustrations:
    return TomlFile("illustrations.toml", text).read(Illustrations)


def read_illustrations(kit: GameKit) -> Illustrations:
    """Return the illustrations of a game's rulebook; empty if the game has no illustrations.toml.

    Raises:
        BrokenFile: the file has an error.
    """
    return _parse_illustrations(kit.read_text("illustrations.toml"))


def find_cards_by_name(kit: GameKit, names: Iterable[str]) -> Iterator[int]:
    """Yield the number of a different card for each of `names`.

    Raises:
        RuntimeError: there aren't enough cards with a name.
    """
    left = list(range(len(kit.deck)))
    for name in names:
        card = next(card for card in left if kit.deck[card]["name"] == name)
        left.remove(card)
        yield card


def example_state(kit: GameKit, example: Example) -> State:
    """Return the complete state of an example; everybody can see the cards that it names."""
    chosen = catalogue.options(kit, example.options)
    opening = start(kit.rules, example.seats, "example", kit.backs, chosen).state
    owner = {
        card: opening.zones[zone].owner for zone, cards in opening.cards.items() for card in cards
    }
    left = sorted(owner)
    placed: dict[str, tuple[int, ...]] = dict.fromkeys(opening.zones, ())
    for zone, names in example.lies.items():
        theirs = opening.zones[zone].owner
        for name in names:
            fitting = [card for card in left if kit.deck[card]["name"] == name]
            fitting.sort(key=lambda card, theirs=theirs: owner[card] != theirs)  # type: ignore[misc]
            left.remove(fitting[0])
            placed[zone] += (fitting[0],)
    if example.rest:
        placed[example.rest] += tuple(left)
    everybody = (AUDIENCE, *range(example.seats))
    named = [card for zone in example.lies for card in placed[zone]]
    return replace(
        opening,
        cards=placed,
        values=opening.values | example.values,
        shown=dict.fromkeys(named, everybody),
        asks=(),
        answers={},
        agenda=(),
    )


def example_view(kit: GameKit, example: Example) -> State:
    """Return the state of an example as its seat sees it."""
    return mask(example_state(kit, example), example.seat)
