"""Opens the program's window and plays random legal actions through its scene, as fast as it can.

Run by test_app_kill.py in a process of its own. Every move is told of on the standard output after
the program has taken it.
"""

import os
import sys

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from tabletop.engine.scratch import Luck
from tabletop.games import catalogue
from tabletop.match import Player
from tabletop.storage import settings
from tabletop.storage.settings import Settings
from ui.app import Window
from ui.screens.new_game import Agreed

settings.save(Settings(language="en", animation="off", bot_pause=0))
program = QApplication(sys.argv[:1])
window = Window()
window.show()
window.playing.begin(
    Agreed(catalogue.load("sun"), (Player("Hinata", "sun"), Player("Kaname", "moon")), {})
)
luck = Luck()


def tell(text: str) -> None:
    os.write(1, f"{text}\n".encode())


def play() -> None:
    """One step: open the curtain, hand over, or answer."""
    screen = window.table
    assert screen is not None
    if screen.curtain.drawn:
        screen.curtain.opened.emit()
    elif screen.hand_over.due:
        screen.hand_over.begin()
    elif screen.sitting.over:
        timer.stop()
    elif screen.sitting.link is not None and screen.sitting.link.offers:
        number, offers = next(iter(screen.sitting.link.offers.items()))
        before = len(screen.sitting.match.record)
        screen.scene.play(offers[luck.below(len(offers))].sample(number, luck))
        if len(screen.sitting.match.record) > before:
            tell("moved")


timer = QTimer()
timer.timeout.connect(play)
timer.start(0)
tell("sat down")
program.exec()
