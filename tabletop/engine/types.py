"""The data types of a table: zones, questions, offers, moves, results and the whole state.

All types are frozen. A new state is made only by applying an event to an old one
(`tabletop.engine.events`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from itertools import combinations, permutations
from typing import Annotated, Protocol, Self

from msgspec import UNSET, Meta, Struct, UnsetType

from tabletop.engine.chance import Rng

AUDIENCE = -1
"""The viewer without a seat, who sees only face-up cards."""

Name = Annotated[str, Meta(max_length=80)]
"""A short identifier, such as the name of a zone, verb, public value or step."""

Value = int | str
"""The type of a public value, a step's argument or a choice."""

Teams = tuple[tuple[int, ...], ...]
"""The teams of a match. Each seat is in exactly one; a player without partners is a team of one."""


NO_CARD = -2
"""Placeholder for no card: an unfinished move's empty spot, or a question about a zone."""


class Sight(StrEnum):
    """The viewers who see the faces of the cards in a zone.

    `OTHERS` means every seat except the owner's, like a hand held the other way round. The audience
    sees backs there, because the owner may be looking at the same screen.

    >>> table.place(Zone("rack", Sight.OTHERS, owner=0), (7,))
    >>> [is_face(mask(table.state, seat).cards["rack"][0]) for seat in (0, 1)]
    [False, True]
    """

    ALL = "all"
    OWNER = "owner"
    OTHERS = "others"
    NONE = "none"


class Zone(Struct, frozen=True, gc=False):
    """A named place for cards. The last card is the top one; a loose zone has no order.

    >>> hand = Zone("hand/0", Sight.OWNER, owner=0, loose=True)
    >>> table.place(hand, (7, 4))
    >>> table.state.cards["hand/0"]
    (4, 7)
    """

    name: Name
    """The zone's name; usually one zone for each seat, such as `hand/0`."""
    sight: Sight = Sight.ALL
    """The viewers who see the faces of the zone's cards."""
    owner: int | None = None
    """The seat that owns the zone, if any."""
    loose: bool = False
    """Whether the order of the zone's cards has no meaning."""


class Ask(Struct, frozen=True, gc=False):
    """An open question to one seat.

    Sealed answers are kept secret until all of them are in, and are then revealed together. An
    optional question may stay unanswered.

    >>> number = table.ask(1, "discard", 2, sealed=True)
    >>> ask = table.state.asks[-1]
    >>> ask.seat, ask.what, ask.args
    (1, 'discard', (2,))
    """

    id: int
    """The ID that an answer refers to."""
    seat: int
    """The seat that must answer."""
    what: Name
    """The kind of question, as named by the rules."""
    args: tuple[Value, ...] = ()
    """Public arguments of the question."""
    sealed: bool = False
    """Whether the answer stays secret until all sealed answers are in."""
    optional: bool = False
    """Whether the question may stay unanswered."""


class Move(Struct, frozen=True, omit_defaults=True, gc=False):
    """An answer to a question. It is legal if one of the question's offers admits it.

    >>> move = Move(3, "play", (4,), "row")
    >>> one("play", (4, 7), ("row",)).admits(move)
    True
    """

    ask: int
    """The ID of the question."""
    verb: Name
    """The verb of the offer."""
    cards: Annotated[tuple[int, ...], Meta(max_length=200)] = ()
    """The chosen cards."""
    target: Name = ""
    """The chosen zone or public value; empty if the offer has no targets."""
    choice: Name = ""
    """The chosen word; empty if the offer has no choices."""


class Offer(Struct, frozen=True, omit_defaults=True, gc=False):
    """Moves that a question admits: a verb, `least` to `most` of `cards`, a target and a choice.

    With `spots` the order of the cards matters: the first card goes to the first spot. If the offer
    has no targets (or choices), the move has none.

    >>> offer = Offer("discard", (4, 7, 9), least=1, most=2)
    >>> len(list(offer.moves(ask=0)))
    6
    """

    verb: Name
    """The action, as named by the rules."""
    cards: tuple[int, ...] = ()
    """The cards to choose from."""
    targets: tuple[Name, ...] = ()
    """The zones or public values to choose from."""
    choices: tuple[Name, ...] = ()
    """The words to choose from."""
    least: int = 0
    """The minimum number of cards."""
    most: int = 0
    """The maximum number of cards."""
    spots: tuple[Name, ...] = ()
    """The zone of each spot for a card, in the order of the move's cards."""

    def admits(self, move: Move) -> bool:
        """Return whether the offer admits `move`.

        The caller checks that the move answers the right question.
        """
        cards, offered = move.cards, self.cards
        return (
            move.verb == self.verb
            and self.least <= len(cards) <= self.most
            and (
                cards[0] in offered
                if len(cards) == 1  # by far the most common case
                else len(set(cards)) == len(cards) and set(cards).issubset(offered)
            )
            and (move.target in self.targets if self.targets else not move.target)
            and (move.choice in self.choices if self.choices else not move.choice)
        )

    def begins(self, move: Move) -> bool:
        """Return whether the offer would admit `move` once its empty spots (`NO_CARD`) are filled.

        Such a move can be previewed but not sent.
        """
        cards = [card for card in move.cards if card != NO_CARD]
        return (
            move.verb == self.verb
            and len(cards) < len(move.cards) == len(self.spots)
            and len(set(cards)) == len(cards)
            and all(card in self.cards for card in cards)
            and not move.target
            and (move.choice in self.choices if self.choices else not move.choice)
        )

    def moves(self, ask: int) -> Iterator[Move]:
        """Return every move that the offer admits, in a fixed order.

        Without spots, each combination of cards occurs once.
        """
        if self.most == 1 == self.least:  # the most common case, and quick to check
            return iter(
                [
                    Move(ask, self.verb, (card,), target, choice)
                    for card in self.cards
                    for target in self.targets or ("",)
                    for choice in self.choices or ("",)
                ]
            )
        return self._arrange(ask)

    def _arrange(self, ask: int) -> Iterator[Move]:
        """Yield every admitted move lazily, because there may be millions."""
        arrange = permutations if self.spots else combinations
        for count in range(self.least, self.most + 1):
            for cards in arrange(self.cards, count):
                for target in self.targets or ("",):
                    for choice in self.choices or ("",):
                        yield Move(ask, self.verb, cards, target, choice)

    def sample(self, ask: int, chance: Rng) -> Move:
        """Return a random move that the offer admits."""
        cards = self.cards
        if cards:
            count = self.least
            if self.most > count:
                count += chance.below(self.most - count + 1)
            if count == 1:
                if len(cards) > 1:
                    cards = (cards[chance.below(len(cards))],)
            else:
                cards = chance.shuffled(cards)[:count]
                cards = cards if self.spots else tuple(sorted(cards))
        targets, choices = self.targets, self.choices
        return Move(
            ask,
            self.verb,
            cards,
            targets[chance.below(len(targets)) if len(targets) > 1 else 0] if targets else "",
            choices[chance.below(len(choices)) if len(choices) > 1 else 0] if choices else "",
        )


class CardPlace(Struct, frozen=True, gc=False):
    """The public position of a card."""

    zone: Name
    """The zone's name."""
    at: int
    """The card's index in the zone, or -1 in a loose zone."""
    back: int
    """The card's back."""


class Fact(Struct, frozen=True):
    """An announced answer about hidden cards."""

    question: Name
    """The kind of question, as named by the rules."""
    places: tuple[CardPlace, ...]
    """The positions of the cards; updated when the cards move."""
    args: tuple[Value, ...]
    """Public arguments of the question."""
    answer: Value | None
    """The answer; None if the viewer wasn't told."""
    seats: tuple[int, ...]
    """The seats that know the answer; with AUDIENCE among them, everyone does."""


Facts = tuple[Fact, ...] | UnsetType
"""The known facts about hidden cards.

UNSET means no facts. Then the encoded table is the same as in versions without facts.
"""


class Whisper(Struct, frozen=True):
    """A log line that only some seats receive."""

    seats: tuple[int, ...]
    """The seats that receive the line."""
    others: str
    """The line that all other viewers receive instead."""


class StepRecord(Struct, frozen=True, gc=False):
    """A planned step as stored in states and records. Rules use `Step` instead."""

    name: Name
    """The name of the step's class on the table."""
    args: tuple[Value, ...] = ()
    """The values of the step's fields, in order."""


def _step_tag(kind: str) -> str:
    """Return the snake-case name of a step class: `own_roll` for `OwnRoll`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kind).lower()


class Step(Struct, frozen=True, gc=False, tag=_step_tag):
    """A planned step: a small Struct with a field for each public argument that it needs.

    The rules list their step classes as `steps`. On the table a step is named after its class,
    `own_roll` for `OwnRoll`, or by its `tag`.

    >>> class Score(Step, frozen=True):
    ...     seat: int
    ...     points: int = 1
    >>> table.then(Score(seat=1))
    >>> table.state.agenda
    (StepRecord(name='score', args=(1, 1)),)
    """

    @classmethod
    def upcoming(cls, table: "TableReader") -> Self | None:
        """Return the step that runs next if it is of this class, else None."""
        agenda = table.agenda
        step = agenda[-1] if agenda else None
        if isinstance(step, StepRecord):
            return cls(*step.args) if step.name == step_name(cls) else None
        return step if isinstance(step, cls) else None


@cache
def step_name(kind: type[Step]) -> str:
    """Return the name that a step class has on the table."""
    return str(kind.__struct_config__.tag)


class Reason(Struct, frozen=True, omit_defaults=True):
    """Why a move is refused: an English sentence with placeholders, and the rulebook's paragraph.

    The placeholders are filled as in `Pen.say`. A reason that code reacts to, or that a host
    counts, has a `code`. The reasons of a game's rules need none.

    >>> Reason("You need {n} coins.", {"n": 3}, "3.1").paragraph
    '3.1'
    """

    text: str
    """An English sentence with placeholders."""
    args: dict[str, Value] = {}
    """The values of the placeholders."""
    paragraph: str = ""
    """The paragraph of the rulebook; empty for none."""
    code: Name = ""
    """A unique identifier that never changes, such as `not_asked`."""

    def with_args(self, **args: Value) -> "Reason":
        """Return the same reason with values for its placeholders.

        >>> Reason("You need {n} coins.").with_args(n=3).args
        {'n': 3}
        """
        return Reason(self.text, args, self.paragraph, self.code)


class Remark(Struct, frozen=True):
    """A consequence of a move: an English sentence with placeholders, and zones it concerns.

    >>> Remark("Worth {n} points.", {"n": 2}, zones=("row",)).zones
    ('row',)
    """

    text: str
    """An English sentence with placeholders."""
    args: dict[str, Value] = {}
    """The values of the placeholders."""
    zones: tuple[Name, ...] = ()
    """The zones that the sentence concerns."""
    paragraph: str = ""
    """The paragraph of the rulebook; empty for none."""


class Preview(Struct, frozen=True):
    """The visible consequences of a move, as far as the player's own view shows them.

    >>> Preview({"score/0": 5}, (Remark("Worth 2 points."),)).values
    {'score/0': 5}
    """

    values: dict[str, Value] = {}
    """The public values that would change, by name."""
    notes: tuple[Remark, ...] = ()
    """Sentences about other consequences."""


class ScoreLine(Struct, frozen=True):
    """A line of the score sheet: a label with each seat's points and how they were calculated.

    >>> ScoreLine("Pearls", (4, 2), ("2 × 2", "1 × 2")).points
    (4, 2)
    """

    text: str
    """The label, in English."""
    points: tuple[int, ...]
    """The points of each seat."""
    formulas: tuple[str, ...] = ()
    """The calculation of each seat's points as text; empty if there isn't any."""
    args: dict[str, Value] = {}
    """The values of the label's placeholders."""


class Result(Struct, frozen=True):
    """The result of a game: winners, scores and score sheet.

    Several winners share the victory. Without a winner the game is a draw; if all players are on
    one team, or one plays alone, it is a loss. The scores are empty if a player conceded before
    they were counted.

    >>> table.end(Result(winners=(1,), scores=(3, 5)))
    >>> table.state.result.winners
    (1,)
    """

    winners: tuple[int, ...]
    """The seats that won."""
    scores: tuple[int, ...]
    """The score of each seat."""
    sheet: tuple[ScoreLine, ...] = ()
    """The lines of the score sheet."""
    decided: str = ""
    """The tie-breaker as an English sentence; empty if the scores alone decided."""
    args: dict[str, Value] = {}
    """The values of the placeholders in `decided`, as in `Pen.say`."""
    teams: Teams | UnsetType = UNSET
    """The teams, set by the pen from the table's public values.

    UNSET if there are no partners, so that records and messages stay the same as before teams
    existed.
    """


class State(Struct, frozen=True):
    """A whole table, or if `viewer` is set, that viewer's view of it, which contains hidden cards.

    A view's `shown` keeps only its viewer's entries, and AUDIENCE if a card is shown to everyone.
    In a view, the `answers` of other seats are None, and `facts` are those that the viewer knows.
    """

    seats: int
    """The number of seats."""
    backs: tuple[int, ...]
    """The number of each card's back; the index is the card."""
    options: dict[str, Value] = {}
    """The game's options, by key."""
    viewer: int | None = None
    """The seat whose view this is, or AUDIENCE; None for the whole table."""
    zones: dict[str, Zone] = {}
    """The zones, by name."""
    cards: dict[str, tuple[int, ...]] = {}
    """The cards of each zone, with the top one last."""
    shown: dict[int, tuple[int, ...]] = {}
    """For each card that was shown individually, its viewers: seats and AUDIENCE."""
    values: dict[str, Value] = {}
    """The public values, by name."""
    asks: tuple[Ask, ...] = ()
    """The open questions."""
    answers: dict[int, Move | None] = {}
    """The answers that aren't revealed yet, by ask ID."""
    agenda: tuple[StepRecord, ...] = ()
    """The steps still to run, with the next one last."""
    asked: int = 0
    """The number of questions asked so far."""
    ply: int = 0
    """The number of answers given so far."""
    result: Result | None = None
    """The result; None until the game is over."""
    facts: Facts = UNSET
    """The facts about hidden cards; UNSET for none."""


class TableReader(Protocol):
    """Read access to a table: `table.state` in `play`, `state` in `offers`.

    `cards` holds the cards of each zone, with the top one last. In a seat's own view (`viewer`) a
    hidden card is a negative number that encodes only its back.

    >>> table.place(Zone("row"), (4, 7))
    >>> table.state.cards["row"][-1], table.state.seats
    (7, 2)
    """

    @property
    def seats(self) -> int: ...
    @property
    def backs(self) -> tuple[int, ...]: ...
    @property
    def options(self) -> Mapping[str, Value]: ...
    @property
    def viewer(self) -> int | None: ...
    @property
    def zones(self) -> Mapping[str, Zone]: ...
    @property
    def cards(self) -> Mapping[str, tuple[int, ...]]: ...
    @property
    def shown(self) -> Mapping[int, tuple[int, ...]]: ...
    @property
    def values(self) -> Mapping[str, Value]: ...
    @property
    def asks(self) -> Sequence[Ask]: ...
    @property
    def answers(self) -> Mapping[int, Move | None]: ...
    @property
    def agenda(self) -> "Sequence[Step | StepRecord]": ...
    @property
    def ply(self) -> int: ...
    @property
    def result(self) -> Result | None: ...
