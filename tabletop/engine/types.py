"""The nouns: what a table is made of, and what may be asked and answered at it.

A table is zones of cards, public values, and open questions. All of it is frozen data: a new table
is made from an old one by folding an event into it (`tabletop.engine.events`), never by hand.
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
"""The viewer without a seat, who sees only open cards."""

Name = Annotated[str, Meta(max_length=80)]
"""A short machine-readable word: of a zone, a verb, a value, a step."""

Value = int | str
"""The type of a public fact, a step's argument or a choice."""

Teams = tuple[tuple[int, ...], ...]
"""The teams of a match: every seat in one, alone where it has no partner."""


NO_CARD = -2
"""No card: an empty spot of an unfinished move, or a place alone in the question why not."""


class Sight(StrEnum):
    """The viewers who see the faces of the cards in a zone.

    `OTHERS` means every seat but the owner's: a hand held the other way round. The audience sees
    its backs, because the owner may be looking at the same screen.

    >>> table.place(Zone("rack", Sight.OTHERS, owner=0), (7,))
    >>> [is_face(mask(table.state, seat).cards["rack"][0]) for seat in (0, 1)]
    [False, True]
    """

    ALL = "all"
    OWNER = "owner"
    OTHERS = "others"
    NONE = "none"


class Zone(Struct, frozen=True, gc=False):
    """A place for cards. The last card is the top one; a loose zone has no order.

    >>> hand = Zone("hand/0", Sight.OWNER, owner=0, loose=True)
    >>> table.place(hand, (7, 4))
    >>> table.state.cards["hand/0"]
    (4, 7)
    """

    name: Name
    """Usually one for each seat, as `hand/0`."""
    sight: Sight = Sight.ALL
    """The viewers who see the faces of its cards."""
    owner: int | None = None
    """The seat it belongs to; None for nobody."""
    loose: bool = False
    """Whether its cards have no order."""


class Ask(Struct, frozen=True, gc=False):
    """An open question to one seat.

    Sealed answers wait until all of them are in, and are then opened together. An optional
    question may stay unanswered.

    >>> number = table.ask(1, "discard", 2, sealed=True)
    >>> ask = table.state.asks[-1]
    >>> ask.seat, ask.what, ask.args
    (1, 'discard', (2,))
    """

    id: int
    """The number by which it is answered."""
    seat: int
    """The seat that is asked."""
    what: Name
    """The kind of question, a word of the rules."""
    args: tuple[Value, ...] = ()
    """Public numbers and words that belong to it."""
    sealed: bool = False
    """Whether the answer waits for all other sealed ones."""
    optional: bool = False
    """Whether it may stay unanswered."""


class Move(Struct, frozen=True, omit_defaults=True, gc=False):
    """One answer to a question: legal if one of the question's offers admits it.

    >>> move = Move(3, "play", (4,), "row")
    >>> one("play", (4, 7), ("row",)).admits(move)
    True
    """

    ask: int
    """The number of the question."""
    verb: Name
    """The verb of the offer."""
    cards: Annotated[tuple[int, ...], Meta(max_length=200)] = ()
    """The chosen cards."""
    target: Name = ""
    """The chosen target; empty where the offer has none."""
    choice: Name = ""
    """The chosen word; empty where the offer has none."""


class Offer(Struct, frozen=True, omit_defaults=True, gc=False):
    """Exactly what a question admits: a verb, `least` to `most` of `cards`, a target, a choice.

    With `spots` the order of the cards counts: the first card is for the first spot. Without
    targets (or choices) the move names none.

    >>> offer = Offer("discard", (4, 7, 9), least=1, most=2)
    >>> len(list(offer.moves(ask=0)))
    6
    """

    verb: Name
    """The action, a word of the rules."""
    cards: tuple[int, ...] = ()
    """The cards to choose from."""
    targets: tuple[Name, ...] = ()
    """The zones, or names of values, to choose from."""
    choices: tuple[Name, ...] = ()
    """The words to choose from."""
    least: int = 0
    """The smallest number of cards."""
    most: int = 0
    """The largest number of cards."""
    spots: tuple[Name, ...] = ()
    """Places for the cards, one for each; then their order counts."""

    def admits(self, move: Move) -> bool:
        """Whether this offer allows the move; the ask's number is the caller's to check."""
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
        """Whether the move lacks cards at some spots (NO_CARD): to be weighed, not to be sent."""
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
        """Every move this offer admits, in a fixed order; a set of cards comes once, as offered."""
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
        """Yield them one by one: there may be more than anybody wants."""
        arrange = permutations if self.spots else combinations
        for count in range(self.least, self.most + 1):
            for cards in arrange(self.cards, count):
                for target in self.targets or ("",):
                    for choice in self.choices or ("",):
                        yield Move(ask, self.verb, cards, target, choice)

    def sample(self, ask: int, chance: Rng) -> Move:
        """One admitted move, drawn at random."""
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
    """A card's place as everybody knows it."""

    zone: Name
    """The zone's name."""
    at: int
    """The position in the zone, from 0 on; -1 in a loose zone."""
    back: int
    """The card's back."""


class Fact(Struct, frozen=True):
    """The answer that hidden cards gave to a question of the rules."""

    question: Name
    """The kind of question, a word of the rules."""
    places: tuple[CardPlace, ...]
    """The places of the cards; they follow the cards."""
    args: tuple[Value, ...]
    """Public numbers and words that belong to the question."""
    answer: Value | None
    """The answer; None where the viewer didn't hear it."""
    seats: tuple[int, ...]
    """The seats that know the answer; AUDIENCE among them: everybody does."""


Facts = tuple[Fact, ...] | UnsetType
"""The known facts about hidden cards; UNSET where there are none, so that tables without facts are
encoded as they were before facts existed."""


class Whisper(Struct, frozen=True):
    """A sentence of the log that only some seats hear."""

    seats: tuple[int, ...]
    """The seats that alone hear it."""
    others: str
    """The sentence that all others hear."""


class StepRecord(Struct, frozen=True, gc=False):
    """A planned step as tables and records hold it. Rules have a `Step` instead."""

    name: Name
    """The name of its kind."""
    args: tuple[Value, ...] = ()
    """The values of its fields, in their order."""


def _step_tag(kind: str) -> str:
    """The name of a kind of step on the table: `own_roll` for `OwnRoll`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kind).lower()


class Step(Struct, frozen=True, gc=False, tag=_step_tag):
    """A planned step: a small Struct with a name for each public number or word that it needs.

    The rules list their kinds of steps as `steps`. On the table a step is called after its class,
    `own_roll` for `OwnRoll`, or by its `tag`.

    >>> class Score(Step, frozen=True):
    ...     seat: int
    ...     points: int = 1
    >>> table.then(Score(seat=1))
    >>> table.state.agenda
    (StepRecord(name='score', args=(1, 1)),)
    """

    @classmethod
    def upcoming(cls, look: "TableReader") -> Self | None:
        """Return the step that runs next, if it is of this kind."""
        agenda = look.agenda
        step = agenda[-1] if agenda else None
        if isinstance(step, StepRecord):
            return cls(*step.args) if step.name == step_name(cls) else None
        return step if isinstance(step, cls) else None


@cache
def step_name(kind: type[Step]) -> str:
    """The name of this kind of step on the table."""
    return str(kind.__struct_config__.tag)


class Reason(Struct, frozen=True, omit_defaults=True):
    """Why a move is refused: an English sentence with gaps, and the rulebook's paragraph.

    The gaps are filled as in `Pen.say`. Programs compare codes, people read sentences: a reason
    that a program acts on, or that a host counts, has a `code`; those of a game's rules need none.

    >>> Reason("You need {n} coins.", {"n": 3}, "3.1").paragraph
    '3.1'
    """

    text: str
    """An English sentence."""
    args: dict[str, Value] = {}
    """The arguments for its gaps."""
    paragraph: str = ""
    """The paragraph of the rulebook; empty for none."""
    code: Name = ""
    """Lower-case words joined by underscores; unique in the program, and never changed."""

    def with_args(self, **args: Value) -> "Reason":
        """Return the same reason with its gaps filled.

        >>> Reason("You need {n} coins.").with_args(n=3).args
        {'n': 3}
        """
        return Reason(self.text, args, self.paragraph, self.code)


class Remark(Struct, frozen=True):
    """A consequence of a move: an English sentence with gaps, and the zones it is about.

    >>> Remark("Worth {n} points.", {"n": 2}, zones=("row",)).zones
    ('row',)
    """

    text: str
    """An English sentence."""
    args: dict[str, Value] = {}
    """The arguments for its gaps."""
    zones: tuple[Name, ...] = ()
    """The names of the zones it is about."""
    paragraph: str = ""
    """The paragraph of the rulebook; empty for none."""


class Preview(Struct, frozen=True):
    """The visible consequences of a move, from the mover's own view: new values, and remarks.

    >>> Preview({"score/0": 5}, (Remark("Worth 2 points."),)).values
    {'score/0': 5}
    """

    values: dict[str, Value] = {}
    """Public values that would change, by name."""
    notes: tuple[Remark, ...] = ()
    """Other consequences."""


class ScoreLine(Struct, frozen=True):
    """One line of the score sheet: a label, and each seat's points and how they came about.

    >>> ScoreLine("Pearls", (4, 2), ("2 × 2", "1 × 2")).points
    (4, 2)
    """

    text: str
    """The label, in English."""
    points: tuple[int, ...]
    """The points of each seat."""
    formulas: tuple[str, ...] = ()
    """How each seat's points came about; empty for none."""
    args: dict[str, Value] = {}
    """The arguments for the gaps of the label."""


class Result(Struct, frozen=True):
    """A game's result: winners (several share a victory), scores, the sheet.

    Without a winner it is a draw. Where all players are one team, or one plays alone, it is a loss.
    The scores are empty if somebody conceded before they were counted.

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
    """The tie-breaker that settled an equal score, as an English sentence; empty where scores
    decide."""
    args: dict[str, Value] = {}
    """The gaps of `decided`, filled as in `Pen.say`."""
    teams: Teams | UnsetType = UNSET
    """The partners, as the table's values say; set by the pen. Absent without partners, so that
    records and messages from before teams stay the same."""


class State(Struct, frozen=True):
    """A whole table, or (with a viewer) the same table with hidden cards.

    `shown` maps single cards to the viewers of their face: seats, and AUDIENCE. A view keeps its
    viewer's entries, and of each whether the card is open to all. `agenda` is the stack
    of steps still to run, the next last.
    `answers` are given but unopened ones; in a view another seat's answer is known only to exist.
    `facts` are the answers that hidden cards gave; a view keeps those that its viewer heard.
    """

    seats: int
    """The number of seats."""
    backs: tuple[int, ...]
    """The back of each card."""
    options: dict[str, Value] = {}
    """The chosen options of the game, by key."""
    viewer: int | None = None
    """The seat whose view this is, or AUDIENCE; None for the whole table."""
    zones: dict[str, Zone] = {}
    """The zones, by name."""
    cards: dict[str, tuple[int, ...]] = {}
    """The cards of each zone, the top one last."""
    shown: dict[int, tuple[int, ...]] = {}
    """The viewers who see the face of a single card, by card."""
    values: dict[str, Value] = {}
    """The public values, by name."""
    asks: tuple[Ask, ...] = ()
    """The open questions."""
    answers: dict[int, Move | None] = {}
    """The answers that are not opened yet, by the number of their question."""
    agenda: tuple[StepRecord, ...] = ()
    """The steps still to run, the next one last."""
    asked: int = 0
    """The number of questions asked so far."""
    ply: int = 0
    """The number of answers given so far."""
    result: Result | None = None
    """None until the game is over."""
    facts: Facts = UNSET
    """The answers that hidden cards gave; UNSET for none."""


class TableReader(Protocol):
    """A table as rules may read it: `table.state` in `play`, `state` in `offers`.

    `cards` are those of each zone, the top one last. In a seat's own view (`viewer`) a hidden card
    is a negative number for its back alone.

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
