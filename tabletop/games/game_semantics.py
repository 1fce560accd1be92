"""The meaning of a game's questions, values and log entries, read from `meaning.toml`.

The program itself knows no rules. It identifies log entries by the tags that rules give them
(`Pen.say`).
"""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Literal

from msgspec import Struct

from tabletop.engine.model import TableReader, Value
from tabletop.text.phrases import GAP, fill_gaps, phrase

Reaction = Literal["any", "own"]


class PlayerStatistic(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A statistic that is counted for each player."""

    text: str
    """The label."""
    tags: tuple[str, ...]
    """The tags of the log entries that count for their {seat}."""
    sum: str = ""
    """The argument of the log entries to add up; "" to count entries."""


class ReplayMarks(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The log entries that get a mark in a replay, by kind of mark. High scores are marked
    automatically.
    """

    capture: tuple[str, ...] = ()
    """Tags of captures."""
    magic: tuple[str, ...] = ()
    """Tags of magic."""
    battle: tuple[str, ...] = ()
    """Tags of battles."""
    score: tuple[str, ...] = ()
    """Tags of scoring."""


class ReplayStructure(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The division of a replay into rounds and turns, and its marks."""

    round: tuple[str, ...] = ()
    """The public values whose change starts a round."""
    turn: tuple[str, ...] = ()
    """The public values whose change starts a turn; without any, a turn starts when another player
    moves.
    """
    marks: ReplayMarks = ReplayMarks()
    """The log entries to mark on the timeline."""


class IdleReason(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A reason why a player currently has nothing to do, which is shown to that player."""

    text: str
    """The sentence."""
    value: str = ""
    """A public value that must equal `equals` for the reason to apply; {seat} is the player."""
    equals: Value = ""
    """The required content of `value`."""
    zone: str = ""
    """A zone that must be empty for the reason to apply; {seat} is the player."""
    for_good: bool = False
    """Whether the reason applies until the end of the game."""

    def applies_to(self, look: TableReader, seat: int) -> bool:
        """Return whether the reason applies to the player at `seat`."""
        value = look.values.get(fill_gaps(self.value, {"seat": seat}))
        cards = look.cards.get(fill_gaps(self.zone, {"seat": seat}))
        return (not self.value or str(value) == str(self.equals)) and not cards


ELIMINATED = IdleReason(text=phrase("You are out: the others play to the end"), for_good=True)


class WinText(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The texts about how to win the game, shown above the table."""

    text: str
    """The sentence, with public values as placeholders."""
    alone: str = ""
    """The sentence for a solo game, if that is won in another way."""


class TableScoring(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The score sheet that the program fills in line by line if the rules have none."""

    zone: str = ""
    """The zones to highlight with a line: {me} is the viewer, other placeholders are the line's
    arguments.

    An argument that contains several names, separated by commas, gives several zones.
    """

    def highlighted_zones(self, args: Mapping[str, Value], viewer: int | None) -> Iterator[str]:
        """Yield the zones to highlight with a line of these arguments; none if an argument is
        missing.
        """
        placeholders = [gap for gap in GAP.findall(self.zone) if gap != "me"]
        parted = [str(args[gap]).split(", ") for gap in placeholders if gap in args]
        if self.zone and len(parted) == len(placeholders):
            for parts in product(*parted):
                yield fill_gaps(
                    self.zone, {"me": viewer, **dict(zip(placeholders, parts, strict=True))}
                )


class GameSemantics(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The roles of a game's questions, values and log entries in the program."""

    turn: str = ""
    """The public value with the number of the active seat."""
    score: str = "score/{seat}"
    """The public value with a player's points."""
    win: WinText | None = None
    """The texts about how to win; None to show none."""
    out: str = ""
    """The public value that marks a player as eliminated: neither 0 nor ""."""
    reactions: dict[str, Reaction] = {}
    """The questions that are opportunities to react: to any event ("any"), or only to one that
    affects the player ("own").
    """
    suffered: tuple[str, ...] = ()
    """Tags of log entries about another player's action that affects {seat}."""
    idle: tuple[IdleReason, ...] = ()
    """Reasons why a player has nothing to do. The first one that applies is shown."""
    tally: tuple[PlayerStatistic, ...] = ()
    """The statistics of each player."""
    replay: ReplayStructure = ReplayStructure()
    """The division of a replay and its marks."""
    count: TableScoring | None = None
    """The score sheet that the program fills in; None if the rules provide one."""

    def idle_reason(self, look: TableReader, seat: int) -> IdleReason | None:
        """Return why the player at `seat` has nothing to do; None if the game gives no reason."""
        reason = next((idle for idle in self.idle if idle.applies_to(look, seat)), None)
        return ELIMINATED if reason is None and self.is_eliminated(look, seat) else reason

    def is_eliminated(self, look: TableReader, seat: int) -> bool:
        """Return whether the player at `seat` is eliminated."""
        return bool(self.out) and look.values.get(fill_gaps(self.out, {"seat": seat}), 0) not in (
            0,
            "",
        )
