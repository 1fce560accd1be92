"""The meaning of a game's questions and sentences, for a program that knows no rules: its
`meaning.toml`.

Sentences of the log are named by the tag that the rules give them (`Pen.say`).
"""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Literal

from msgspec import Struct

from tabletop.engine.model import TableReader, Value
from tabletop.text.phrases import GAP, fill_gaps, phrase

Reaction = Literal["any", "own"]


class Tally(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something the statistics count for each player."""

    text: str
    """The name of the figure."""
    tags: tuple[str, ...]
    """The sentences that count for their {seat}."""
    sum: str = ""
    """The argument to add up, instead of counting the log entries."""


class Marks(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The sentences that bear a mark of each kind. Large scores are marked by themselves."""

    capture: tuple[str, ...] = ()
    """Something is taken from a player."""
    magic: tuple[str, ...] = ()
    """A magic is worked."""
    battle: tuple[str, ...] = ()
    """A battle is fought."""
    score: tuple[str, ...] = ()
    """Points are scored."""


class Replay(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A replay's rounds, turns and marks."""

    round: tuple[str, ...] = ()
    """The values whose change starts a round."""
    turn: tuple[str, ...] = ()
    """The values whose change starts a turn; without any, it is another player's move."""
    marks: Marks = Marks()
    """The sentences that a replay marks on its line."""


class Idle(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The reason why a player has nothing to do at the moment, shown to that player."""

    text: str
    """The sentence that the player reads."""
    value: str = ""
    """The value by which it applies, with its {seat}: while it equals `equals`, and `zone` is
    empty."""
    equals: Value = ""
    """The content that the value must have."""
    zone: str = ""
    """The place that must be empty."""
    for_good: bool = False
    """Whether the player will have nothing to do until the end."""

    def holds(self, look: TableReader, seat: int) -> bool:
        """Whether it applies to this seat."""
        value = look.values.get(fill_gaps(self.value, {"seat": seat}))
        cards = look.cards.get(fill_gaps(self.zone, {"seat": seat}))
        return (not self.value or str(value) == str(self.equals)) and not cards


OUT = Idle(text=phrase("You are out: the others play to the end"), for_good=True)


class Win(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The line above the table on how the game is won."""

    text: str
    """The sentence; its gaps are values of the table."""
    alone: str = ""
    """The sentence for a player alone, if that game is won in another way."""


class Count(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The score sheet that the table counts line by line, where the rules have none."""

    zone: str = ""
    """The places that light up with a line: {me} is the viewer, any other gap the line's own
    argument; where that names several, separated by commas, each of them."""

    def zones(self, args: Mapping[str, Value], viewer: int | None) -> Iterator[str]:
        """The places that light up with a line of these arguments; none where it lacks one."""
        gaps = [gap for gap in GAP.findall(self.zone) if gap != "me"]
        parted = [str(args[gap]).split(", ") for gap in gaps if gap in args]
        if self.zone and len(parted) == len(gaps):
            for parts in product(*parted):
                yield fill_gaps(self.zone, {"me": viewer, **dict(zip(gaps, parts, strict=True))})


class GameSemantics(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The questions, values and sentences of a game that the program uses."""

    turn: str = ""
    """The value with the seat whose turn it is."""
    score: str = "score/{seat}"
    """The value of a player's points so far."""
    win: Win | None = None
    """The aim of the game; None where the table doesn't show it."""
    out: str = ""
    """The value of a player's elimination: they are out once it is neither 0 nor ""."""
    reactions: dict[str, Reaction] = {}
    """The questions that are chances to react: to bystanders ("any"), or about the player
    ("own")."""
    suffered: tuple[str, ...] = ()
    """The sentences about what another's act does to their {seat}."""
    idle: tuple[Idle, ...] = ()
    """Reasons why a player has nothing to do; the first that applies is shown."""
    tally: tuple[Tally, ...] = ()
    """The counts for the statistics, of each player."""
    replay: Replay = Replay()
    """How a replay is divided, and what it marks."""
    count: Count | None = None
    """The table's own count of the points at the end; None where the rules count them."""

    def idle_of(self, look: TableReader, seat: int) -> Idle | None:
        """Why this player has nothing to do, where the game says so."""
        reason = next((idle for idle in self.idle if idle.holds(look, seat)), None)
        return OUT if reason is None and self.is_out(look, seat) else reason

    def is_out(self, look: TableReader, seat: int) -> bool:
        """Whether this player takes no part any more (elimination)."""
        return bool(self.out) and look.values.get(fill_gaps(self.out, {"seat": seat}), 0) not in (
            0,
            "",
        )
