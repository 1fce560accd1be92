"""What a file of another program holds: decks of cards, and their pictures."""

import unicodedata
from collections import Counter
from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from tabletop.files.errors import BadFile
from tabletop.games.box import MOST_CARDS
from tabletop.games.card_sheet import MOST
from tabletop.text.plain_text import plain_line, plain_lines

MOST_DECKS = 40
LONGEST_NAME, LONGEST_TEXT, LONGEST_HEADING, LONGEST_VALUE = 60, 1_000, 40, 200
"""Characters."""


class FoundCard(Struct, frozen=True):
    """A card; `face` and `back` are names of pictures, empty where there is none."""

    name: str
    face: str = ""
    back: str = ""
    text: str = ""
    fields: dict[str, str] = {}
    """Everything else known of it, by headings."""
    copies: int = 1


class FoundDeck(Struct, frozen=True):
    """Cards that lie together."""

    name: str
    cards: tuple[FoundCard, ...]

    @property
    def count(self) -> int:
        """The number of its cards, copies included."""
        return sum(card.copies for card in self.cards)

    @property
    def backs(self) -> tuple[str, ...]:
        """The pictures on its backs."""
        return tuple(dict.fromkeys(card.back for card in self.cards))


class FoundPicture(Struct, frozen=True):
    """A picture that is fit for a card."""

    content: bytes
    suffix: str
    """The suffix of its file: ".png" or ".jpg"."""
    size: tuple[int, int]
    """Width and height, in pixels."""


class FoundGame(Struct, frozen=True, tag=True):
    """The decks of a file, and the pictures that are there."""

    tool: str
    """The program that the file is of."""
    title: str
    decks: tuple[FoundDeck, ...]
    pictures: dict[str, FoundPicture]
    missing: int = 0
    """The number of pictures that it names and that aren't there."""
    whole_faces: bool = True
    """Whether the picture of a card shows all of it, or is a part of it as its texts are."""

    @property
    def count(self) -> int:
        """The number of all cards."""
        return sum(deck.count for deck in self.decks)


def gathered(deck: str, cards: Iterable[FoundCard], number: int = 1) -> FoundDeck:
    """A deck of these cards, equal ones together, each with a name, all texts made harmless.
    `number` is that of a deck without a name of its own."""
    name = plain_line(deck, LONGEST_NAME) or f"Deck {number}"
    counts: Counter[str] = Counter()
    known: dict[str, FoundCard] = {}
    for at, card in enumerate(cards, 1):
        # macOS decomposes accents and kana marks in file names
        composed = unicodedata.normalize("NFC", card.name)
        called = plain_line(composed, LONGEST_NAME) or f"{name} {at}"
        text = plain_lines(card.text, LONGEST_TEXT)
        whole = replace(card, name=called, text=text, fields=_plain_fields(card.fields), copies=1)
        key = repr(replace(whole, name=card.name and called) if card.face else whole)
        known.setdefault(key, whole)
        counts[key] += card.copies
    return FoundDeck(name, tuple(replace(c, copies=counts[k]) for k, c in known.items()))


def _plain_fields(fields: dict[str, str]) -> dict[str, str]:
    """What is known of a card, by headings that can be read; nothing is there twice or empty."""
    plain: dict[str, str] = {}
    for heading, value in fields.items():
        called, said = plain_line(heading, LONGEST_HEADING), plain_line(value, LONGEST_VALUE)
        if called and said:
            plain.setdefault(called, said)
    return plain


def checked(file: str, decks: Iterable[FoundDeck]) -> tuple[FoundDeck, ...]:
    """The decks that have cards, each with a name of its own.

    Raises:
        BadFile: there are none, or more than any game has.
    """
    named: list[FoundDeck] = []
    for deck in decks:
        if not deck.cards:
            continue
        taken = {each.name for each in named}
        name, n = deck.name, 2
        while name in taken:
            name, n = f"{deck.name} {n}", n + 1
        named.append(replace(deck, name=name))
    if not named:
        raise BadFile('"{file}" holds no cards.', file=file)
    if len(named) > MOST_DECKS:
        raise BadFile('"{file}" holds more than {n} decks.', file=file, n=MOST_DECKS)
    count, rows = sum(deck.count for deck in named), sum(len(deck.cards) for deck in named)
    if rows > MOST:
        raise BadFile('"{file}" holds more than {n} different cards.', file=file, n=MOST)
    if count > MOST_CARDS:
        raise BadFile('"{file}" holds more than {n} cards.', file=file, n=MOST_CARDS)
    return tuple(named)
