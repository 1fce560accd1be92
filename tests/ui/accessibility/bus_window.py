"""Opens the program's window at a table, in a process of its own, for who meets it on the bus.

    python -m tests.ui.accessibility.bus_window GAME

Run by bus_reader.py; ends when the table has been left.
"""

import sys

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from tabletop.catalogue import catalogue
from tabletop.match.match import Player
from tabletop.storage import settings
from tabletop.storage.settings import Settings
from ui.app import Window
from ui.setup.lineup import MatchSetup

LOOK = 20
"""Milliseconds between two looks whether the table has been left."""


def main(game: str) -> int:
    settings.save(Settings(language="en", animation="off", bot_pause=0, sounds=False))
    program = QApplication(sys.argv[:1])
    window = Window()
    window.show()
    kit = catalogue.load(game)
    seats = (Player("Hinata", "sun"), Player("Mugi", "moon", "bot", "easy"))
    window.matches.start_match(MatchSetup(kit, seats[: kit.box.seats[0]], {}))

    def end_when_left() -> None:
        if window.table is None:
            window.close()
            program.quit()

    looking = QTimer()
    looking.timeout.connect(end_when_left)
    looking.start(LOOK)
    return program.exec()


if __name__ == "__main__":  # a bot's process begins by importing this module
    sys.exit(main(sys.argv[1]))
