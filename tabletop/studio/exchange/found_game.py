"""The decks and pictures found in a file of another program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from tabletop.engine.model import Reason
from tabletop.files.errors import BadFile
from tabletop.games.card_sheet import MAX_CARD_ROWS
from tabletop.games.game_info import MAX_CARDS
from tabletop.text.normalisation import MAX_MARKS, TooManyMarks, check_marks, normalise
from tabletop.text.plain_text import plain_line, plain_lines

MAX_DECKS = 40
MAX_NAME_CHARS, MAX_TEXT_CHARS, MAX_HEADING_CHARS, MAX_VALUE_CHARS = 60, 1_000, 40, 200
"""The maximum lengths in characters."""
MAX_FIELDS = 100
"""The maximum number of fields of a card besides name and text."""


class FoundCard(Struct, frozen=True):
    """A card of another program. `face` and `back` are picture names, or "" if there is no
    picture."""

    name: str
    face: str = ""
    back: str = ""
    text: str = ""
    fields: dict[str, str] = {}
    """All other data of the card, by column heading."""
    copies: int = 1


class FoundDeck(Struct, frozen=True):
    """A deck of another program."""

    name: str
    cards: tuple[FoundCard, ...]
    is_open: bool = False
    """Whether the cards are tokens and pawns, which lie face up and aren't shuffled."""

    @property
    def count(self) -> int:
        """The number of cards, including copies."""
        return sum(card.copies for card in self.cards)

    @property
    def backs(self) -> tuple[str, ...]:
        """The names of the deck's back pictures, without duplicates."""
        return tuple(dict.fromkeys(card.back for card in self.cards))


class FoundPicture(Struct, frozen=True):
    """A picture that a card can show."""

    content: bytes
    suffix: str
    """The file suffix, ".png" or ".jpg"."""
    size: tuple[int, int]
    """Width and height in pixels."""


class FoundDice(Struct, frozen=True):
    """Equal dice of another program."""

    name: str
    sides: int
    count: int = 1


class FoundCounter(Struct, frozen=True):
    """A counter of another program."""

    name: str
    start: int = 0
    of_seats: bool = False
    """Whether each player has one."""


class FoundGame(Struct, frozen=True, tag=True):
    """The decks and components in a file, and those of their pictures that exist."""

    tool: str
    """The name of the program that wrote the file."""
    title: str
    decks: tuple[FoundDeck, ...]
    pictures: dict[str, FoundPicture]
    missing: int = 0
    """How many pictures are referred to but don't exist or can't be read."""
    whole_faces: bool = True
    """Whether a card's picture is its whole face, rather than an illustration beside its texts."""
    board: str = ""
    """The name of the picture that covers the table, or ""."""
    dice: tuple[FoundDice, ...] = ()
    counters: tuple[FoundCounter, ...] = ()
    file: str = ""
    """The name of the file or folder."""
    left_out: tuple[Reason, ...] = ()
    """One sentence for each thing in the file that isn't in this game."""

    @property
    def count(self) -> int:
        """The number of cards in all decks, including copies."""
        return sum(deck.count for deck in self.decks)


class DeckCollector:
    """Collects the decks of a file and enforces the limits on decks and cards."""

    def __init__(self, file: str) -> None:
        """`file`: the file name for error messages."""
        self._file = file
        self._opened = 0
        self._decks: list[OpenDeck] = []
        self._rows = self._count = 0

    def open_deck(self, name: str, is_open: bool = False) -> OpenDeck:
        """Return a new deck, to which cards can be added until `finish` is called. An empty `name`
        is replaced with "Deck" and a number. `is_open`: see `FoundDeck`.
        """
        self._opened += 1
        return OpenDeck(self, name, f"Deck {self._opened}", is_open)

    def add_deck(self, name: str, cards: Iterable[FoundCard], is_open: bool = False) -> None:
        """Add a deck with these `cards`. `is_open`: see `FoundDeck`.

        Raises:
            BadFile: See `OpenDeck.add`.
        """
        deck = self.open_deck(name, is_open)
        for card in cards:
            deck.add(card)

    def finish(self) -> tuple[FoundDeck, ...]:
        """Return the decks that have cards, with unique names.

        Raises:
            BadFile: No deck has cards.
        """
        named: dict[str, FoundDeck] = {}
        for deck in self._decks:
            name, n = deck.name, 2
            while name in named:
                name, n = f"{deck.name} {n}", n + 1
            named[name] = FoundDeck(name, deck.cards(), deck.is_open)
        if not named:
            raise BadFile('"{file}" holds no cards.', file=self._file)
        return tuple(named.values())

    def count_deck(self, deck: OpenDeck) -> None:
        """Add `deck` to the result. Called when its first card is added.

        Raises:
            BadFile: There are too many decks.
        """
        self._decks.append(deck)
        if len(self._decks) > MAX_DECKS:
            raise BadFile('"{file}" holds more than {n} decks.', file=self._file, n=MAX_DECKS)

    def count_card(self, copies: int, is_new: bool) -> None:
        """Add `copies` to the number of cards, and count a distinct card if `is_new`.

        Raises:
            BadFile: There are too many cards or too many distinct cards.
        """
        self._rows += is_new
        self._count += copies
        if self._rows > MAX_CARD_ROWS:
            raise BadFile(
                '"{file}" holds more than {n} different cards.', file=self._file, n=MAX_CARD_ROWS
            )
        if self._count > MAX_CARDS:
            raise BadFile('"{file}" holds more than {n} cards.', file=self._file, n=MAX_CARDS)

    def sanitise(
        self, text: str, max_chars: int, shown: Callable[[str, int], str] = plain_line
    ) -> str:
        """Return `text` as normalised, displayable text of at most `max_chars` characters, using
        `shown` to remove control characters.

        Raises:
            BadFile: A character has more combining marks than any language uses.
        """
        try:
            # macOS decomposes accents and kana marks in file names
            plain = shown(normalise("NFC", text, 8 * max_chars), max_chars)
            check_marks(plain)
            return plain
        except TooManyMarks as error:
            raise BadFile(
                '"{file}" holds a text in which a character has more than {n} accents.',
                file=self._file,
                n=MAX_MARKS,
            ) from error


class OpenDeck:
    """A deck that cards are being added to. Equal cards are merged, and all texts are sanitised."""

    def __init__(
        self, decks: DeckCollector, name: str, otherwise: str, is_open: bool = False
    ) -> None:
        self.is_open = is_open
        self.name = decks.sanitise(name, MAX_NAME_CHARS) or otherwise
        self._decks = decks
        self._known: dict[tuple[object, ...], FoundCard] = {}
        self._copies: Counter[tuple[object, ...]] = Counter()
        self._added = 0

    def add(self, card: FoundCard) -> None:
        """Add `card`, or increase the copies of an equal card.

        Raises:
            BadFile: The file exceeds the limits on cards or decks, or a text can't be displayed.
        """
        if not self._added:
            self._decks.count_deck(self)
        self._added += 1
        sanitise = self._decks.sanitise
        called = sanitise(card.name, MAX_NAME_CHARS) or f"{self.name} {self._added}"
        text = sanitise(card.text, MAX_TEXT_CHARS, plain_lines)
        fields = self._plain_fields(card.fields)
        own_name = called if card.name or not card.face else ""
        key = (own_name, card.face, card.back, text, *fields.items())
        self._decks.count_card(card.copies, key not in self._known)
        if key not in self._known:
            self._known[key] = FoundCard(called, card.face, card.back, text, fields)
        self._copies[key] += card.copies

    def _plain_fields(self, fields: dict[str, str]) -> dict[str, str]:
        """Return the fields with sanitised headings and values, without duplicate headings and
        empty values.
        """
        plain: dict[str, str] = {}
        for heading, value in islice(fields.items(), MAX_FIELDS):
            called = self._decks.sanitise(heading, MAX_HEADING_CHARS)
            said = self._decks.sanitise(value, MAX_VALUE_CHARS)
            if called and said:
                plain.setdefault(called, said)
        return plain

    def cards(self) -> tuple[FoundCard, ...]:
        """Return the distinct cards in the order of their first addition,
        with the number of copies.
        """
        return tuple(replace(c, copies=self._copies[k]) for k, c in self._known.items())
