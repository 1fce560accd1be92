"""What is said of a seat whose state changes, as a table."""

import pytest

from tabletop.language.seat_news import seat_news
from tabletop.language.words import Words
from tabletop.protocol.messages import SeatConfig, SeatInfo, TableInfo, TablePlan

FREE, BOT = SeatInfo("open", "free"), SeatInfo("bot", "bot", level="easy")
HERE, READY, AWAY, STAND_IN = (
    SeatInfo("person", state, "Kaname") for state in ("here", "ready", "away", "bot")
)
VACANT = SeatInfo("person", "away", "Kaname", vacant=True)
OTHER = SeatInfo("person", "ready", "Shizuku")


def table(seat: SeatInfo) -> TableInfo:
    sitters = (SeatInfo("person", "ready", "Hinata"), seat)
    return TableInfo("t", TablePlan("sun", (SeatConfig("open"),) * 2), sitters)


@pytest.mark.parametrize(
    ("before", "after", "heard"),
    [
        (FREE, FREE, []),
        (FREE, HERE, ["Kaname sits down at seat 2."]),
        (FREE, READY, ["Kaname sits down at seat 2.", "Kaname is ready."]),
        (HERE, READY, ["Kaname is ready."]),
        (READY, HERE, ["Kaname isn't ready any more."]),
        (READY, AWAY, ["Kaname is away."]),
        (AWAY, HERE, ["Kaname is back."]),
        (AWAY, READY, ["Kaname is ready."]),
        (HERE, FREE, ["Kaname leaves seat 2."]),
        (HERE, BOT, ["Kaname leaves seat 2.", "A bot takes seat 2."]),
        (
            HERE,
            OTHER,
            ["Kaname leaves seat 2.", "Shizuku sits down at seat 2.", "Shizuku is ready."],
        ),
        (FREE, BOT, ["A bot takes seat 2."]),
        (BOT, FREE, ["Seat 2 is free."]),
        (HERE, STAND_IN, ["A bot plays for Kaname."]),
        (STAND_IN, HERE, ["Kaname plays again."]),
        (AWAY, VACANT, ["Kaname's seat is free."]),
        (VACANT, OTHER, ["Shizuku sits down at seat 2.", "Shizuku is ready."]),
    ],
)
def test_each_change_is_a_sentence(before: SeatInfo, after: SeatInfo, heard: list[str]) -> None:
    assert seat_news(table(before), table(after), Words("en")) == heard
