"""Figures of each player from the log."""

from tabletop.engine.events import Said
from tabletop.engine.model import ScoreLine
from tabletop.games.game_semantics import GameSemantics, PlayerStatistic
from tabletop.storage.tally import count_tallies

MEANING = GameSemantics(
    tally=(
        PlayerStatistic(text="Attacks", tags=("attack", "snipe")),
        PlayerStatistic(text="Stamina lost", tags=("lose",), sum="n"),
    )
)


def said(tag: str, **args: int) -> Said:
    return Said("Whatever is said.", (), dict(args), tag)


def test_sentences_are_counted_and_numbers_added_up() -> None:
    log = [
        said("attack", seat=0, seat_other=1),
        said("lose", seat=1, n=2),
        said("snipe", seat=0),
        said("lose", seat=1, n=3),
        said("", seat=1),
        said("attack"),
    ]
    assert count_tallies(MEANING, log, 2) == (
        ScoreLine("Attacks", (2, 0)),
        ScoreLine("Stamina lost", (0, 5)),
    )


def test_a_game_that_counts_nothing_has_no_lines() -> None:
    assert count_tallies(GameSemantics(), [said("", seat=0)], 1) == ()
