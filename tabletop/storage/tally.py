"""Counts from a match's log for each player, as players of that game like to know them.

The game's `meaning.toml` says what is counted, by the tags of the sentences.
"""

from collections.abc import Iterable

from tabletop.engine.events import Said
from tabletop.engine.model import ScoreLine
from tabletop.games.game_semantics import GameSemantics, Tally


def count_tallies(meaning: GameSemantics, log: Iterable[Said], seats: int) -> tuple[ScoreLine, ...]:
    """A line for each thing that this game counts, with what every seat has of it."""
    sentences = tuple(log)
    return tuple(
        ScoreLine(
            tally.text,
            tuple(sum(_count_in(tally, said, seat) for said in sentences) for seat in range(seats)),
        )
        for tally in meaning.tally
    )


def _count_in(tally: Tally, sentence: Said, seat: int) -> int:
    if sentence.tag not in tally.tags or sentence.args.get("seat") != seat:
        return 0
    return int(sentence.args[tally.sum]) if tally.sum else 1
