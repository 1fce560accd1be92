"""Opens the program's window, hosts a table or joins one through the screens, and plays with the
mouse to the end.

Run by test_two_windows.py, once as the host and once as a guest, each in a process of its own.
Progress is reported on standard output; the process ends when its input does.
"""

import os
import sys
from pathlib import Path

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qt_compat import qt_api

from tabletop.engine.scratch import FastRng
from tabletop.storage import settings
from tabletop.storage.settings import Settings
from tests.ui.window_driver import PatientBot, button, click, drag, settle
from ui.app import Window
from ui.match.screen.table_screen import TableScreen
from ui.online.lobby_screen import LobbyScreen
from ui.online.table_rows import FoundTableRow

role, *rest = sys.argv[1:]
names = {"host": "Hinata", "guest": "Kaname"}
pictures = os.environ.get("TABLETOP_PICTURES", "")
language = "en" if role == "host" else "ja"
settings.save(Settings(language=language, animation="off", bot_pause=0, players=(names[role],)))
program = QApplication(sys.argv[:1])
qt_api.set_qt_api("pyside6")  # no test runs in this process: pytest-qt has yet to hear of it
qtbot = PatientBot(None)
window = Window()
window.resize(1280, 800)
window.show()


def tell(text: str) -> None:
    os.write(1, f"{text}\n".encode())


def keep(name: str) -> None:
    """A picture of the window, where they are wanted."""
    if pictures:
        settle()
        window.grab().save(str(Path(pictures) / f"{name}.png"))


def lobby() -> LobbyScreen:
    screen = window.online.lobby_screen
    assert screen is not None
    return screen


def host() -> None:
    """Host Planetary Sisters for two from the shelf, and start once the other is ready."""
    click(button(window.shelf, "Host"))
    sheet = window.online.hosting.host_sheet
    click(sheet.boxes["sisters"])
    click(sheet.start_button)
    qtbot.waitUntil(lambda: bool(window.online.lobby_screen and lobby().invitation.link))
    remote = window.online.remote
    tell(f"{lobby().invitation.code.text()} {remote.guest.invitation.port}")
    qtbot.waitUntil(lobby().start_button.isEnabled)
    say(lobby(), "Welcome!")
    qtbot.waitUntil(lambda: "よろしく" in lobby().chat.text)
    keep("far-lobby")
    click(lobby().start_button)


def join() -> None:
    """Join by code and address, sit down, and say ready."""
    code, port = rest
    click(button(window.shelf, "参加"))
    screen = window.online.join_screen
    QTest.keyClicks(screen.code, code.lower())
    QTest.keyClicks(screen.address, f"127.0.0.1:{port}")
    assert not any(row.isChecked() for row in screen.findChildren(FoundTableRow))
    click(screen.join_button)
    qtbot.waitUntil(lambda: bool(window.online.lobby_screen and lobby().rows))
    row = lobby().rows[1]
    qtbot.waitUntil(row.buttons["sit"].isVisible)
    click(row.buttons["sit"])
    assert row.field.text() == "Kaname"
    click(row.buttons["sit"])
    qtbot.waitUntil(row.buttons["ready"].isVisible)
    click(row.buttons["ready"])
    qtbot.waitUntil(lambda: "Welcome!" in lobby().chat.text)
    say(lobby(), "よろしくお願いします")


def say(screen: LobbyScreen, text: str) -> None:
    screen.chat.field.setText(text)
    click(screen.chat.send_button)


def play(screen: TableScreen) -> None:
    """One answer after the other, each a card dragged to a place, until the game is over."""
    luck, moves = FastRng(role), 0
    while not screen.seated.is_over:
        qtbot.waitUntil(lambda: screen.seated.is_over or may_move(screen))
        if screen.seated.is_over:
            break
        seat = screen.switch.shown_seat
        offer = next(iter(seat.offers.values()))[0]
        before = screen.seated.view.ply
        drag(
            screen,
            offer.cards[luck.below(len(offer.cards))],
            offer.targets[luck.below(len(offer.targets))],
        )
        moves += 1
        qtbot.waitUntil(lambda before=before: screen.seated.view.ply > before)
        if moves == 3:
            window.run_command("chat")
            keep(f"far-table-{role}")
    tell(f"played {moves}")


def may_move(screen: TableScreen) -> bool:
    seat = screen.switch.shown_seat
    return seat is not None and bool(seat.offers)


host() if role == "host" else join()
qtbot.waitUntil(lambda: window.table is not None)
table = window.table
assert table is not None
play(table)
qtbot.waitUntil(table.ending.sheet.isVisible)
qtbot.waitUntil(lambda: bool(table.ending.sheet.verdict.accessibleName()))
result = table.seated.view.result
assert result is not None
tell(f"{result.scores} {table.ending.sheet.verdict.accessibleName()}")
tell(table.other_players.chat.text.replace("\n", " / ") if table.other_players else "")
sys.stdin.read()
window.close()
tell(f"ended {window.online.network.is_running}")
