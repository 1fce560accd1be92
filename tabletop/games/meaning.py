"""What the program makes of a game without knowing its rules: its `meaning.toml`.

Sentences of the log are named by the tag that the rules give them (`Pen.say`).
"""

from typing import Literal

from msgspec import Struct

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
    """What a replay calls a round, a turn, and worth a mark."""

    round: tuple[str, ...] = ()
    """The values whose change begins a round."""
    turn: tuple[str, ...] = ()
    """The values whose change begins a turn; without any, it is another player's move."""
    marks: Marks = Marks()


class Meaning(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which of a game's questions, values and sentences play a part that the program knows."""

    turn: str = ""
    """The value that says whose turn it is."""
    score: str = "score/{seat}"
    """The value that tells a player's points so far."""
    reactions: dict[str, Reaction] = {}
    """The questions that are chances to react: put to bystanders ("any"), or about who is asked."""
    tally: tuple[Tally, ...] = ()
    replay: Replay = Replay()
