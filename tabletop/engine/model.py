"""What rules are written in: the nouns of a table (`nouns`), and the pen that changes one.

Whoever needs a noun takes it from here.
"""

from tabletop.engine.nouns import (
    AUDIENCE,
    NO_CARD,
    Ask,
    Chance,
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
    Zone,
    all_faces,
    back_of,
    each,
    faces_of,
    hole,
    is_face,
    one,
)

__all__ = [
    "AUDIENCE",
    "NO_CARD",
    "Ask",
    "Chance",
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
    "Zone",
    "all_faces",
    "back_of",
    "each",
    "faces_of",
    "hole",
    "is_face",
    "one",
]


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

    def end(self, result: Result) -> None:
        """End the game."""
