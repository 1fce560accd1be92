"""A window without a screen that opens a table on a server, waits for somebody at the other seat
and plays to the end: what `check-server` sends to a server from another network.

    python3 window.py ADDRESS PICTURE HURRY

It plays slowly until there is a file HURRY, and reports its progress on standard output.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from tabletop.engine.scratch import FastRng
from tabletop.storage import settings
from tabletop.storage.settings import Settings
from ui.app import Window

PATIENCE = 240.0
"""Seconds after which what is waited for does not come, on a slow machine either."""
SLOWLY = 1.0
"""Seconds between two moves, until it hurries."""


def wait(app: QApplication, until: Callable[[], object], what: str) -> None:
    """Let the window work until this holds."""
    started = monotonic()
    while not until():
        if monotonic() - started > PATIENCE:
            raise SystemExit(f"waited in vain for {what}")
        app.processEvents()
        sleep(0.005)


def main(address: str, picture: str, hurry: str) -> int:
    settings.save(Settings(language="en", animation="off"))
    app = QApplication([])
    asked: list[str] = []

    def agree() -> None:
        """Trust the server, as soon as that is asked."""
        box = app.activeModalWidget()
        if isinstance(box, QMessageBox):
            asked.append(box.text())
            accepts = QMessageBox.ButtonRole.AcceptRole
            next(each for each in box.buttons() if box.buttonRole(each) == accepts).click()

    looking = QTimer()
    looking.timeout.connect(agree)
    looking.start(50)
    window = Window()
    window.resize(1280, 800)
    window.show()
    window.run_command("host")
    sheet = window.online.hosting.host_sheet
    assert sheet is not None
    sheet.boxes["sun"].click()
    sheet.server.where.choose("server")
    sheet.server.address.setText(address)
    sheet.start_button.click()
    wait(app, lambda: window.online.lobby_screen, "a table there")
    lobby, remote = window.online.lobby_screen, window.online.remote
    assert lobby is not None
    assert remote is not None
    assert len(asked) == 1
    wait(app, lambda: remote.local_seats and lobby.invitation.link, "a seat")
    print("opened", lobby.invitation.link, flush=True)
    wait(app, lambda: remote.is_host and lobby.start_button.isEnabled(), "everybody to be ready")
    lobby.start_button.click()
    wait(app, lambda: window.table is not None, "the table")
    guest, luck, moves, away, inside = remote.guest, FastRng("check"), 0, 0, True
    last = monotonic()
    while not guest.proof:
        if monotonic() - last > PATIENCE:
            raise SystemExit("nothing happens any more")
        app.processEvents()
        now = guest.connection_state == "inside"
        away += inside and not now
        inside = now
        for seat in guest.own_seats.values():
            if inside and seat.offers and seat.pending is None:
                number, offers = next(iter(seat.offers.items()))
                seat.send(offers[luck.below(len(offers))].sample(number, luck))
                moves += 1
                print("move", moves, flush=True)
                last = monotonic()
                while monotonic() - last < SLOWLY and not Path(hurry).exists():
                    app.processEvents()
                    sleep(0.005)
        sleep(0.005)
    verdict = guest.check_proof(guest.proof)
    assert verdict is not None
    window.grab().save(picture)
    print(f"over after {moves} moves, away {away} times, fair: {verdict.fair}", flush=True)
    window.close()
    return 0 if verdict.fair else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
