"""The layout that the program gives a game with rules of its own."""

import tomllib
from typing import Any

import pytest

from tabletop.engine.model import Sight, Zone
from tabletop.engine.play import start
from tabletop.engine.values import Flag, Number
from tabletop.games.default_layout import layout_text, seat_numbers
from tabletop.games.wording import Wording


class Board:
    """A board of eight rows, and a deck; nobody has anything of their own."""

    def setup(self, table) -> None:
        table.place(Zone("deck", Sight.NONE), (0,))
        for place in range(64):
            table.place(Zone(f"board/{place // 8}/{place % 8}"))
        table.ask(0, "turn")


def test_a_board_gets_the_room_that_is_left() -> None:
    state = start(Board(), 2, "1", (0,)).state
    words = Wording(zones={"deck": "the deck", "board/{row}/{column}": "row {row}, {column}"})
    layout = tomllib.loads(layout_text(words, state))
    board = next(each for each in layout["place"] if each["zone"].startswith("board"))
    assert board["at"][3] > 6
    assert "caption" not in board
    areas = [(each["at"][1], each["at"][3]) for each in layout["place"]]
    prompt = layout["table"]["prompt"]
    assert all(top + high <= prompt[1] for top, high in areas)
    assert prompt[1] + prompt[3] <= layout["plaque"][0]["at"][1]


COINS, OUT, TEAM = Number("coins/{seat}"), Flag("out/{seat}"), Number("team/{seat}")


class Market:
    """Numbers of each player, and zones of all kinds of names."""

    def setup(self, table) -> None:
        for number in range(1, 6):
            table.place(Zone(f"slot/{number}"))
        for number in range(12):
            table.place(Zone(f"board/{number}"))
        for colour in ("red", "blue"):
            table.place(Zone(f"pile/{colour}"))
            for column in range(3):
                table.place(Zone(f"track/{colour}/{column}"))
        for seat in range(table.state.seats):
            table.set(f"gems/{seat}", 1)
            OUT.set(table, seat, False)
            TEAM.set(table, seat, seat)
            for number in range(3):
                table.place(Zone(f"shelf/{seat}/{number}"))
        table.ask(0, "turn")


WORDS = Wording(
    zones={
        "slot/{n}": "slot {n}",
        "board/{cell}": "square {cell}",
        "pile/{colour}": "the {colour} pile",
        "track/{colour}/{column}": "{colour} {column}",
        "shelf/{seat}/{n}": "{seat}'s shelf {n}",
    },
    captions={"gems/{seat}": "gems: {n}"},
    values={"colour": {"red": "Red", "blue": "Blue"}},
)


def market_layout(seats: int) -> dict[str, Any]:
    state = start(Market(), seats, "1", ()).state
    return tomllib.loads(layout_text(WORDS, state, seat_numbers(Market(), state)))


@pytest.mark.parametrize("seats", [1, 2, 4])
def test_numbers_of_a_seat_are_on_its_plaque(seats: int) -> None:
    layout = market_layout(seats)
    for plaque in (layout["plaque"][0], layout["panel"][0]["plaque"][0]):
        assert plaque["figures"] == [
            {"text": "coins {n}", "value": "coins/{seat}"},
            {"text": "gems: {n}", "value": "gems/{seat}"},
        ]


def test_zones_with_any_placeholder_have_places() -> None:
    layout = market_layout(2)
    places = {each["zone"]: each for each in layout["place"]}
    grids = {
        name: (each["rows"], each["columns"], each.get("first", 0))
        for name, each in places.items()
        if "rows" in each
    }
    assert grids == {
        "slot/{cell}": (1, 5, 1),
        "board/{cell}": (3, 4, 0),
        "track/red/{cell}": (1, 3, 0),
        "track/blue/{cell}": (1, 3, 0),
        "shelf/{me}/{cell}": (1, 3, 0),
    }
    assert [places[f"pile/{colour}"]["caption"] for colour in ("red", "blue")] == ["Red", "Blue"]
    assert layout["panel"][0]["place"][0]["zone"] == "shelf/{seat}/{cell}"
