"""The roles of a game's questions, values and log entries for the program,
read from `meaning.toml`.

The program itself knows no rules. It recognizes log entries by the tags that the rules give them
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
    """A statistic that is counted for each player, such as captures."""

    text: str
    """The statistic's label."""
    tags: tuple[str, ...]
    """The tags of the log entries that count for the player in their `seat` argument."""
    sum: str = ""
    """The argument of the log entries that is added up; "" to count the entries."""


class ReplayMarks(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The tags of log entries that are marked in a replay, for each kind of mark.

    High scores are marked automatically.
    """

    capture: tuple[str, ...] = ()
    """The tags of log entries about captures."""
    magic: tuple[str, ...] = ()
    """The tags of log entries about magic."""
    battle: tuple[str, ...] = ()
    """The tags of log entries about battles."""
    score: tuple[str, ...] = ()
    """The tags of log entries about scoring."""


class ReplayStructure(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a replay is divided into rounds and turns, and what is marked in it."""

    round: tuple[str, ...] = ()
    """The names of the public values whose change starts a round."""
    turn: tuple[str, ...] = ()
    """The names of the public values whose change starts a turn. Without any, a turn starts when
    another player moves.
    """
    marks: ReplayMarks = ReplayMarks()
    """The log entries that are marked on the timeline."""


class IdleReason(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A reason why a player has nothing to do for now, shown to that player."""

    text: str
    """The sentence shown to the player."""
    value: str = ""
    """The name of a public value that must equal `equals` for the reason to apply;
    {seat} is the player.
    """
    equals: Value = ""
    """The content that `value` must have."""
    zone: str = ""
    """The name of a zone that must be empty for the reason to apply; {seat} is the player."""
    for_good: bool = False
    """Whether the reason applies until the end of the game."""

    def applies_to(self, look: TableReader, seat: int) -> bool:
        """Return whether the reason applies to the player at `seat`."""
        value = look.values.get(fill_gaps(self.value, {"seat": seat}))
        cards = look.cards.get(fill_gaps(self.zone, {"seat": seat}))
        return (not self.value or str(value) == str(self.equals)) and not cards


ELIMINATED = IdleReason(text=phrase("You are out: the others play to the end"), for_good=True)


class WinText(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The text above the table about how to win."""

    text: str
    """The sentence, with public values as placeholders."""
    alone: str = ""
    """The sentence for a game with one player; "" to use `text`."""


class TableScoring(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A score sheet that the program shows line by line, for rules without one."""

    zone: str = ""
    """The zones to highlight while a line is shown; {me} is the viewer,
    other placeholders are the line's arguments.

    An argument with several names, separated by commas, stands for several zones.
    """

    def highlighted_zones(self, args: Mapping[str, Value], viewer: int | None) -> Iterator[str]:
        """Yield the zones to highlight for a line with these arguments;
        none if an argument is missing.
        """
        placeholders = [gap for gap in GAP.findall(self.zone) if gap != "me"]
        parted = [str(args[gap]).split(", ") for gap in placeholders if gap in args]
        if self.zone and len(parted) == len(placeholders):
            for parts in product(*parted):
                yield fill_gaps(
                    self.zone, {"me": viewer, **dict(zip(placeholders, parts, strict=True))}
                )


class GameSemantics(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The roles of a game's questions, values and log entries for the program."""

    turn: str = ""
    """The name of the public value that contains the number of the active seat."""
    score: str = "score/{seat}"
    """The name of the public value that contains a player's points."""
    win: WinText | None = None
    """The text about how to win; None to show none."""
    out: str = ""
    """The name of the public value that is neither 0 nor "" once a player is eliminated."""
    reactions: dict[str, Reaction] = {}
    """The kinds of questions that are opportunities to react: to any event ("any"), or only to one
    that affects the player ("own").
    """
    suffered: tuple[str, ...] = ()
    """The tags of log entries whose `seat` argument is a player affected
    by another player's action.
    """
    idle: tuple[IdleReason, ...] = ()
    """The reasons why a player may have nothing to do. The first one that applies is shown."""
    tally: tuple[PlayerStatistic, ...] = ()
    """The statistics that are counted for each player."""
    replay: ReplayStructure = ReplayStructure()
    """How a replay is divided, and what is marked in it."""
    count: TableScoring | None = None
    """The score sheet that the program shows; None if the rules have one."""

    def idle_reason(self, look: TableReader, seat: int) -> IdleReason | None:
        """Return the reason why the player at `seat` has nothing to do;
        None if no reason applies.
        """
        reason = next((idle for idle in self.idle if idle.applies_to(look, seat)), None)
        return ELIMINATED if reason is None and self.is_eliminated(look, seat) else reason

    def is_eliminated(self, look: TableReader, seat: int) -> bool:
        """Return whether the player at `seat` is eliminated."""
        return bool(self.out) and look.values.get(fill_gaps(self.out, {"seat": seat}), 0) not in (
            0,
            "",
        )
