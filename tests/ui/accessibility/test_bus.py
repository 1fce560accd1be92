"""A whole game over the accessibility bus: the window in one process, a screen reader's side of it
in another, and Debian's own registry between them."""

from itertools import pairwise
from pathlib import Path

import pytest

from tests.net.loopback import LONG
from tests.ui.accessibility.bus_session import in_session, needs_bus

pytest.importorskip("jeepney")
pytestmark = needs_bus


@pytest.mark.parametrize("game", ["chains", "sun"] if LONG else ["chains"])
def test_a_whole_game_over_the_bus(game: str, tmp_path: Path) -> None:
    out, err, ended = in_session("tests.ui.accessibility.bus_reader", game, home=tmp_path)
    assert ended == 0, err
    lines = out.splitlines()
    assert lines[-1].endswith("the window ended with 0"), out + err
    announced = [line for line in lines if line.startswith("announced: ")]
    assert len(announced) > 5
    # a bot may do the same with two copies of a card, one after the other
    said_twice = [one for one, other in pairwise(lines) if one == other and not pressed(one)]
    assert len(said_twice) < len(announced) / 5, "nothing was pressed in between"
    assert any("turn: " in line for line in announced)
    assert any(line.startswith("shown: ") for line in lines), "the sheet has the focus, and tells"


def pressed(line: str) -> bool:
    """Whether the reader did something; what is asked then may have the words of the last."""
    return line.startswith("pressed: ")
