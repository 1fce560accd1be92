"""Counts events in a match's log for each player's statistics.

The game's `meaning.toml` defines what is counted, based on the tags of log sentences.
"""

from collections.abc import Iterable

from tabletop.engine.events import Said
from tabletop.engine.model import ScoreLine
from tabletop.games.game_semantics import GameSemantics, PlayerStatistic


def count_tallies(meaning: GameSemantics, log: Iterable[Said], seats: int) -> tuple[ScoreLine, ...]:
    """Return a score line with each seat's count for every tally that the game defines."""
    sentences = tuple(log)
    return tuple(
        ScoreLine(
            tally.text,
            tuple(sum(_count_in(tally, said, seat) for said in sentences) for seat in range(seats)),
        )
        for tally in meaning.tally
    )


def _count_in(tally: PlayerStatistic, sentence: Said, seat: int) -> int:
    if sentence.tag not in tally.tags or sentence.args.get("seat") != seat:
        return 0
    return int(sentence.args[tally.sum]) if tally.sum else 1
