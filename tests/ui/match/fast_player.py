"""Opens the program's window and plays random legal actions through its scene, as fast as it can.

    python -m tests.ui.match.fast_player GAME hot-seat|bots|hosting

Run by test_kill.py in a process of its own. Every move is reported on standard output after the
program has taken it; of a table that is hosted, after its host has answered, and before that the
link by which somebody has to come.
"""

import os
import sys

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from tabletop.catalogue import catalogue
from tabletop.engine.scratch import FastRng
from tabletop.match.match import Player
from tabletop.storage import settings
from tabletop.storage.settings import Settings
from ui.app import Window
from ui.match.screen.table_screen import TableScreen
from ui.setup.lineup import MatchSetup

NAMES, SYMBOLS = ("Hinata", "Kaname", "Shizuku"), ("sun", "moon", "leaf")


class FastPlayer:
    """The window, and hands that never rest."""

    def __init__(self, game: str, mode: str) -> None:
        self.kit = catalogue.load(game)
        self.mode = mode
        self.seats = max(2, min(self.kit.box.seats))
        self.window = Window()
        self.luck = FastRng()
        self.known = 0
        """The ply that was reported last."""
        self.opened = self.invited = self.started = self.sat = False
        self.timer = QTimer()
        self.timer.timeout.connect(self.play)

    def begin(self) -> None:
        """Sit down, and play until the program is killed."""
        self.window.show()
        if self.mode != "hosting":
            players = tuple(self.player(seat) for seat in range(self.seats))
            self.window.matches.start_match(MatchSetup(self.kit, players, {}))
        self.timer.start(0)

    def player(self, seat: int) -> Player:
        bot = self.mode == "bots" and seat > 0
        kind, level = ("bot", "easy") if bot else ("person", "")
        return Player(NAMES[seat], SYMBOLS[seat], kind, level)

    def gather(self) -> None:
        """One step towards a table that is hosted here, its last seat for somebody else."""
        hosting, lobby = self.window.online.hosting, self.window.online.lobby_screen
        if lobby is not None:
            if lobby.invitation.link and not self.invited:
                self.invited = True
                tell(lobby.invitation.link)
            if lobby.start_button.isEnabled() and not self.started:
                self.started = True
                lobby.start_button.click()
        elif hosting.host_sheet is None:
            self.window.run_command("host")
        elif not self.opened:
            sheet = hosting.host_sheet
            sheet.boxes[self.kit.id].click()
            sheet.seat_count.setValue(self.seats)
            for row, name in zip(sheet.seats.rows[:-1], NAMES, strict=False):
                row.kind.setCurrentIndex(0)
                row.field.setText(name)
            if sheet.start_button.isEnabled():
                self.opened = True
                sheet.start_button.click()

    def play(self) -> None:
        """One step: gather, open the curtain, hand over, or answer."""
        screen = self.window.table
        if screen is None:
            self.gather()
            return
        if not self.sat:
            self.sat = True
            tell("sat down")
        if screen.curtain.is_drawn:
            screen.curtain.opened.emit()
        elif screen.switch.decision.handover_due:
            screen.switch.hand_over()
        elif screen.seated.is_over:
            self.timer.stop()
        elif screen.switch.decision.bar.asks:
            screen.switch.pass_all()
        else:
            self.answer(screen)
        self.note(screen)

    def answer(self, screen: TableScreen) -> None:
        seat = screen.switch.shown_seat
        if seat is not None and seat.offers:
            number, offers = next(iter(seat.offers.items()))
            screen.scene.choice.play(offers[self.luck.below(len(offers))].sample(number, self.luck))

    def note(self, screen: TableScreen) -> None:
        """Report every move that the program shows as done."""
        seat = screen.switch.shown_seat
        while seat is not None and self.known < seat.view.ply:
            self.known += 1
            tell("moved")


def tell(text: str) -> None:
    os.write(1, f"{text}\n".encode())


if __name__ == "__main__":
    settings.save(Settings(language="en", animation="off", bot_pause=0))
    program = QApplication(sys.argv[:1])
    player = FastPlayer(*sys.argv[1:3])
    player.begin()
    program.exec()
