"""The layout that the program gives a game with rules of its own."""

import tomllib

from tabletop.engine.model import Sight, Zone
from tabletop.engine.play import start
from tabletop.games.default_layout import layout_text
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
