"""What the log tells of each player: the games name sentences that they really say."""

import msgspec
import pytest
from babel.messages.pofile import read_po

from tabletop.engine.events import Said
from tabletop.engine.model import Line
from tabletop.games import catalogue
from tabletop.storage.tally import Tally, tallies

LAYOUT = {
    "tally": [
        {"text": "Attacks", "said": ["{seat} attacks {seat_other}.", "{seat} snipes."]},
        {"text": "Stamina lost", "said": ["{seat} loses {n} stamina."], "sum": "n"},
    ]
}


def said(text: str, **args: int) -> Said:
    return Said(text, (), dict(args))


def test_sentences_are_counted_and_numbers_added_up() -> None:
    log = [
        said("{seat} attacks {seat_other}.", seat=0, seat_other=1),
        said("{seat} loses {n} stamina.", seat=1, n=2),
        said("{seat} snipes.", seat=0),
        said("{seat} loses {n} stamina.", seat=1, n=3),
        said("{seat} stays.", seat=1),
        said("The festival is over."),
    ]
    assert tallies(LAYOUT, log, 2) == (
        Line("Attacks", (2, 0)),
        Line("Stamina lost", (0, 5)),
    )


def test_a_game_that_counts_nothing_has_no_lines() -> None:
    assert tallies({}, [said("{seat} stays.", seat=0)], 1) == ()


@pytest.mark.parametrize("kit", catalogue.shelf(), ids=lambda kit: kit.id)
def test_what_a_game_counts_is_what_it_says(kit: catalogue.Kit) -> None:
    counted = msgspec.convert(kit.layout["tally"], tuple[Tally, ...])
    with (kit.folder / "ja.po").open("rb") as file:
        texts = {message.id for message in read_po(file)}
    for tally in counted:
        assert texts.issuperset(tally.said)
        assert all("{seat}" in text or text.endswith("{count}.") for text in tally.said)
        assert not tally.sum or all(f"{{{tally.sum}}}" in text for text in tally.said)
