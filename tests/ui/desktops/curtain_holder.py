"""A player who holds Space on the curtain, as those who see are told to, and hears what is below.

Prints all that was heard: what came while Space was held is between its two keys.
"""

import os
import subprocess
import time
from pathlib import Path

from tabletop.storage import settings
from tabletop.storage.settings import LastSeat, LastTable, Settings
from tests.ui.desktops.blind_player import WORDINGS, BlindPlayer, listening

HELD = 2.0
"""Seconds that the key is held on after the question was heard: for dozens of repeats."""
DOWN, UP, RIGHT = "[Space down]", "[Space up]", "[Right down]"
CURTAIN = "Press Space to open."
REPEATS = 3
MOST = 9
"""So many keys lead to the curtain at most."""


def hold(key: str, down: bool) -> None:
    """Press a key, or let it go."""
    subprocess.run(["xdotool", "keydown" if down else "keyup", key], check=True)


def main() -> None:
    """Sit down with somebody, and hold the key."""
    seats = (LastSeat("Player 1", "sun"), LastSeat("Player 2", "moon"))
    agreed = Settings(language="en", animation="off", tables={"sun": LastTable(seats)})
    settings.save(agreed)
    with listening(Path(os.environ["HOME"])) as ears:
        player = BlindPlayer(ears, "en")
        said = player.press("ctrl+n", sure=True)
        while not any(CURTAIN in line for line in said):
            assert player.keys < MOST, "\n".join(ears.course)
            said = player.press("Return", sure=True)  # the page of a new game, and its table
        ears.course.append(DOWN)
        hold("space", down=True)
        ears.until(WORDINGS["en"].turn.search, "the question")
        ears.hear_out(HELD)
        time.sleep(HELD)
        ears.listen()
        ears.course.append(UP)
        hold("space", down=False)
        ears.course.append(RIGHT)
        hold("Right", down=True)  # which speaks anew each time
        while ears.course[ears.course.index(RIGHT) :].count("-") < REPEATS:
            ears.until(bool, "a card")
        hold("Right", down=False)


if __name__ == "__main__":
    main()
