"""The meaning of a game's questions and sentences, for a program that knows no rules: its
`meaning.toml`.

Sentences of the log are named by the tag that the rules give them (`Pen.say`).
"""

from collections.abc import Iterator, Mapping
from itertools import product
from string import Formatter
from typing import Literal

from msgspec import Struct

from tabletop.engine.model import Look, Value
from tabletop.text.phrases import phrase

Reaction = Literal["any", "own"]


class Tally(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something the statistics count for each player."""

    text: str
    """What it is called."""
    tags: tuple[str, ...]
    """The sentences that count for their {seat}."""
    sum: str = ""
    """The argument that is added up, instead of how often they were said."""


class Marks(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The sentences that bear a mark of each kind. Large scores are marked by themselves."""

    capture: tuple[str, ...] = ()
    magic: tuple[str, ...] = ()
    battle: tuple[str, ...] = ()
    score: tuple[str, ...] = ()


class Replay(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A replay's rounds, turns and marks."""

    round: tuple[str, ...] = ()
    """The values whose change begins a round."""
    turn: tuple[str, ...] = ()
    """The values whose change begins a turn; without any, it is another player's move."""
    marks: Marks = Marks()


class Idle(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Why a player of whom nothing is asked has nothing to do, told to that player."""

    text: str
    value: str = ""
    """It holds while this value, with its {seat}, equals `equals` ..."""
    equals: Value = ""
    zone: str = ""
    """... and while this place is empty."""
    for_good: bool = False
    """Whether nothing will be asked of the player any more."""

    def holds(self, look: Look, seat: int) -> bool:
        """Whether it is so with this seat."""
        value = look.values.get(self.value.format(seat=seat))
        cards = look.cards.get(self.zone.format(seat=seat))
        return (not self.value or str(value) == str(self.equals)) and not cards


OUT = Idle(text=phrase("You are out: the others play to the end"), for_good=True)


class Win(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the table says all the time of how the game is won, beside everybody's `score`."""

    text: str
    """Its gaps are values of the table."""
    alone: str = ""
    """The same where one player plays alone, if that is won otherwise."""


class Count(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table tells the score sheet line by line, because the rules say nothing of it."""

    zone: str = ""
    """The places that light up with a line: {me} is who looks, any other gap what the line has for
    it; where that names several, parted by commas, each of them."""

    def zones(self, args: Mapping[str, Value], viewer: int | None) -> Iterator[str]:
        """The places that light up with a line of these arguments; none where it lacks one."""
        gaps = [gap for _, gap, _, _ in Formatter().parse(self.zone) if gap and gap != "me"]
        parted = [str(args[gap]).split(", ") for gap in gaps if gap in args]
        if self.zone and len(parted) == len(gaps):
            for parts in product(*parted):
                yield self.zone.format(me=viewer, **dict(zip(gaps, parts, strict=True)))


class Meaning(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The questions, values and sentences of a game that the program has a use for."""

    turn: str = ""
    """The value that says whose turn it is."""
    score: str = "score/{seat}"
    """The value that tells a player's points so far."""
    win: Win | None = None
    """What the game is won by; None where the table does not say it."""
    out: str = ""
    """The value that tells that a player is out, and takes no part any more: once it is neither 0
    nor ""."""
    reactions: dict[str, Reaction] = {}
    """The questions that are chances to react: put to bystanders ("any"), or about who is asked."""
    idle: tuple[Idle, ...] = ()
    """Why a player has nothing to do; the first that holds is told."""
    tally: tuple[Tally, ...] = ()
    replay: Replay = Replay()
    count: Count | None = None
    """How the table tells the points at the end; None where the rules tell them."""

    def idle_of(self, look: Look, seat: int) -> Idle | None:
        """Why this player has nothing to do, where the game says so."""
        said = next((idle for idle in self.idle if idle.holds(look, seat)), None)
        return OUT if said is None and self.is_out(look, seat) else said

    def is_out(self, look: Look, seat: int) -> bool:
        """Whether this player takes no part any more (elimination)."""
        return bool(self.out) and look.values.get(self.out.format(seat=seat), 0) not in (0, "")
