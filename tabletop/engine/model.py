"""What rules are written in: the nouns of a table (`nouns`), what is told of them, and the pen that
changes a table.

Whoever needs a noun takes it from here.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from tabletop.engine.chance import Chance
from tabletop.engine.nouns import (
    AUDIENCE,
    NO_CARD,
    Ask,
    CardPlace,
    Fact,
    Facts,
    Look,
    Move,
    Name,
    Note,
    Offer,
    Preview,
    Reason,
    Result,
    ScoreLine,
    Sight,
    State,
    Step,
    Teams,
    Value,
    Whisper,
    Zone,
)

__all__ = [
    "AUDIENCE",
    "NO_CARD",
    "Ask",
    "CardPlace",
    "Chance",
    "Fact",
    "Facts",
    "Look",
    "Move",
    "Name",
    "Note",
    "Offer",
    "Pen",
    "Preview",
    "Reason",
    "Result",
    "ScoreLine",
    "Sight",
    "State",
    "Step",
    "Teams",
    "Value",
    "Whisper",
    "Zone",
    "all_faces",
    "as_number",
    "back_of",
    "each",
    "everyone",
    "faces_of",
    "hole",
    "is_face",
    "one",
]

_FIRST_HOLE: Final = -3
"""Another number than AUDIENCE and NO_CARD; outside the program holes have other numbers
(`hole_codec`)."""


def hole(back: int) -> int:
    """The hole that a hidden card with this back leaves in a view; always negative."""
    return _FIRST_HOLE - back


def back_of(hole: int) -> int:
    """The back of the hidden card that left this hole."""
    return _FIRST_HOLE - hole


def is_face(card: int) -> bool:
    """Whether this is the number of a card: neither a hole nor NO_CARD."""
    return card >= 0


def all_faces(cards: Sequence[int]) -> bool:
    """Whether these are numbers of cards, every one."""
    return is_face(min(cards, default=0))


def as_number(value: Value) -> int:
    """A value that is a number as it is; what is compiled takes `int` of one much longer."""
    assert isinstance(value, int)
    return value


def each(name: str, parts: Iterable[Value]) -> tuple[Name, ...]:
    """The names of zones or values of which each part has one: each("hand", range(2)) is
    ("hand/0", "hand/1")."""
    return tuple([f"{name}/{part}" for part in parts])


def faces_of(
    dice: tuple[int, ...], others: tuple[int, ...], backs: tuple[int, ...]
) -> list[list[int]]:
    """Of each die all its faces, the first one first: the one that is up, and those among the
    `others` with the same back."""
    faces = {backs[die]: [die] for die in dice}
    for card in others:
        if backs[card] in faces:
            faces[backs[card]].append(card)
    return [sorted(faces[backs[die]]) for die in dice]


@cache
def everyone(seats: int) -> tuple[int, ...]:
    """All that a card can be shown to: the audience and every seat."""
    return tuple(range(AUDIENCE, seats))


def one(
    verb: str,
    cards: tuple[int, ...],
    targets: tuple[str, ...] = (),
    choices: tuple[str, ...] = (),
) -> Offer:
    """The commonest offer: exactly one of these cards."""
    return Offer(verb, cards, targets, choices, 1, 1)


class Pen:
    """The only hand that changes a table. Rules cannot tell which of the two pens they hold.

    A base class and no protocol: what is compiled knows it, and calls it directly.
    """

    __slots__ = ()

    @property
    def state(self) -> Look:
        """The table as it is now."""
        raise NotImplementedError

    def place(self, zone: Zone, cards: tuple[int, ...] = ()) -> None:
        """Put a new zone on the table, with these cards from the box in it."""

    def move(self, card: int, source: str, target: str, to: int | None = None) -> None:
        """Move a card; onto the target's top, or in an ordered zone to the place `to`."""

    def draw(self, source: str, target: str, count: int = 1) -> tuple[int, ...]:
        """Move the top cards one by one, as many as there are; gives the cards drawn."""
        raise NotImplementedError

    def shuffle(self, zone: str) -> None:
        """Put an ordered zone's cards in a random order; nobody knows any of them any more."""

    def show(self, zone: str, card: int, seats: tuple[int, ...] | None = None) -> None:
        """Let just these seats (None: everybody) see this card until it moves; () hides it."""

    def announce(
        self,
        question: str,
        cards: tuple[int, ...],
        *args: Value,
        answer: Value,
        seats: tuple[int, ...] | None = None,
    ) -> None:
        """Announce to these seats (None: everybody) what hidden cards answer to a question.

        The rules name their questions, and answer them in `query` from the faces alone. Everybody
        hears which cards were asked what; the answer is known until a card moves where it cannot
        be followed: from among cards of a loose zone that look alike, or in a shuffle.
        """

    def set(self, key: str, value: Value) -> None:
        """Set a public value."""

    def roll(self, what: str, *sides: int) -> tuple[int, ...]:
        """Throw dice with so many sides each, which all see, and which are put away again; gives
        faces from 1 up."""
        raise NotImplementedError

    def throw(self, zone: str, dice: tuple[int, ...], others: str) -> tuple[int, ...]:
        """Throw dice that lie in a zone, where they stay; gives the cards that came up. Their other
        faces lie in `others`, a loose zone that nobody sees into. What was shown of the dice is not
        any more: who sees their zone sees what came up."""
        raise NotImplementedError

    def ask(
        self, seat: int, what: str, *args: Value, sealed: bool = False, optional: bool = False
    ) -> int:
        """Ask a seat a question; gives the ask's number."""
        raise NotImplementedError

    def withdraw(self, *asks: int) -> None:
        """Take questions back, with what was answered and not opened."""

    def then(self, step: str, *args: Value) -> None:
        """Plan a step; the one planned last runs first, once no mandatory question is open."""

    def say(self, text: str, *cards: int, tag: str = "", **args: Value) -> None:
        """Tell the log: an English sentence with gaps for the cards and the arguments.

        {card} is the first of the cards and {cards} are all; an argument's name tells how it is
        read: `seat...` is a player, `zone...` a place, `word...` an English word to translate,
        anything else itself.
        `tag` names what happened for those who count it, whatever the sentence is (meaning.toml).
        Three arguments have no gap: `lit` names zones, parted by spaces, that light up meanwhile;
        with `bright` the cards light up, so many of them, the first, brightly; so many `lines`,
        sentences said right after it, are told together with it.
        """

    def whisper(
        self,
        seats: tuple[int, ...],
        text: str,
        others: str,
        *cards: int,
        tag: str = "",
        **args: Value,
    ) -> None:
        """Log a sentence that these seats alone read, and another one for all others.

        As `say`; the others get the arguments that their own sentence has gaps for.
        """

    def end(self, result: Result) -> None:
        """End the game."""
