"""What a file of another program holds: decks of cards, and their pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from tabletop.files.errors import BadFile
from tabletop.games.card_sheet import MAX_CARD_ROWS
from tabletop.games.game_info import MAX_CARDS
from tabletop.text.normalisation import MAX_MARKS, TooManyMarks, check_marks, normalise
from tabletop.text.plain_text import plain_line, plain_lines

MOST_DECKS = 40
LONGEST_NAME, LONGEST_TEXT, LONGEST_HEADING, LONGEST_VALUE = 60, 1_000, 40, 200
"""Characters."""
MAX_FIELDS = 100
"""Fields of a card besides its name and its text."""


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


class DeckCollector:
    """The decks of a file, counted while its cards come in."""

    def __init__(self, file: str) -> None:
        """`file`: the name for sentences."""
        self._file = file
        self._opened = 0
        self._decks: list[OpenDeck] = []
        self._rows = self._count = 0

    def open_deck(self, name: str) -> OpenDeck:
        """Begin a deck of this name, or of its number where it has none. It takes cards until
        `finish` is called."""
        self._opened += 1
        return OpenDeck(self, name, f"Deck {self._opened}")

    def add_deck(self, name: str, cards: Iterable[FoundCard]) -> None:
        """Add a deck with these cards.

        Raises:
            BadFile: as `OpenDeck.add`.
        """
        deck = self.open_deck(name)
        for card in cards:
            deck.add(card)

    def finish(self) -> tuple[FoundDeck, ...]:
        """Return the decks that have cards, each with a name of its own.

        Raises:
            BadFile: there are none.
        """
        named: dict[str, FoundDeck] = {}
        for deck in self._decks:
            name, n = deck.name, 2
            while name in named:
                name, n = f"{deck.name} {n}", n + 1
            named[name] = FoundDeck(name, deck.cards())
        if not named:
            raise BadFile('"{file}" holds no cards.', file=self._file)
        return tuple(named.values())

    def count_deck(self, deck: OpenDeck) -> None:
        """Count a deck that has its first card. Raises as `OpenDeck.add`."""
        self._decks.append(deck)
        if len(self._decks) > MOST_DECKS:
            raise BadFile('"{file}" holds more than {n} decks.', file=self._file, n=MOST_DECKS)

    def count_card(self, copies: int, is_new: bool) -> None:
        """Count copies of a card. Raises as `OpenDeck.add`."""
        self._rows += is_new
        self._count += copies
        if self._rows > MAX_CARD_ROWS:
            raise BadFile(
                '"{file}" holds more than {n} different cards.', file=self._file, n=MAX_CARD_ROWS
            )
        if self._count > MAX_CARDS:
            raise BadFile('"{file}" holds more than {n} cards.', file=self._file, n=MAX_CARDS)

    def plain(self, text: str, longest: int, shown: Callable[[str, int], str] = plain_line) -> str:
        """Return a text of the file as it can be shown.

        Raises:
            BadFile: a character carries more accents than any language writes.
        """
        try:
            # macOS decomposes accents and kana marks in file names
            plain = shown(normalise("NFC", text, 8 * longest), longest)
            check_marks(plain)
            return plain
        except TooManyMarks as error:
            raise BadFile(
                '"{file}" holds a text in which a character has more than {n} accents.',
                file=self._file,
                n=MAX_MARKS,
            ) from error


class OpenDeck:
    """A deck that takes cards. Equal ones lie together, and all texts are made harmless."""

    def __init__(self, decks: DeckCollector, name: str, otherwise: str) -> None:
        self.name = decks.plain(name, LONGEST_NAME) or otherwise
        self._decks = decks
        self._known: dict[tuple[object, ...], FoundCard] = {}
        self._copies: Counter[tuple[object, ...]] = Counter()
        self._added = 0

    def add(self, card: FoundCard) -> None:
        """Add a card.

        Raises:
            BadFile: there are more cards or decks than any game has, or one can't be shown.
        """
        if not self._added:
            self._decks.count_deck(self)
        self._added += 1
        plain = self._decks.plain
        called = plain(card.name, LONGEST_NAME) or f"{self.name} {self._added}"
        text = plain(card.text, LONGEST_TEXT, plain_lines)
        fields = self._plain_fields(card.fields)
        own_name = called if card.name or not card.face else ""
        key = (own_name, card.face, card.back, text, *fields.items())
        self._decks.count_card(card.copies, key not in self._known)
        if key not in self._known:
            self._known[key] = FoundCard(called, card.face, card.back, text, fields)
        self._copies[key] += card.copies

    def _plain_fields(self, fields: dict[str, str]) -> dict[str, str]:
        """Return what is known of a card, by headings that can be read; no entry is there twice or
        is empty."""
        plain: dict[str, str] = {}
        for heading, value in islice(fields.items(), MAX_FIELDS):
            called = self._decks.plain(heading, LONGEST_HEADING)
            said = self._decks.plain(value, LONGEST_VALUE)
            if called and said:
                plain.setdefault(called, said)
        return plain

    def cards(self) -> tuple[FoundCard, ...]:
        """Return the cards in the order in which they came, each with the number of its copies."""
        return tuple(replace(c, copies=self._copies[k]) for k, c in self._known.items())
