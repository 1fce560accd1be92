"""Opens the program's window, hosts a table or joins one through the screens, and plays with the
mouse to the end.

Run by test_far_windows.py, once as the host and once as a guest, each in a process of its own.
What is reached is told of on the standard output; the process ends when its input does.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from at_window import button, click, drag, settle
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tabletop.engine.scratch import Luck
from tabletop.storage import settings
from tabletop.storage.settings import Settings
from ui.app import Window
from ui.screens.found_row import FoundRow
from ui.screens.lobby import Lobby
from ui.screens.table import TableScreen

PATIENCE = 60_000
"""Milliseconds after which something that is waited for will not come any more."""

role, *rest = sys.argv[1:]
names = {"host": "Hinata", "guest": "Kaname"}
pictures = os.environ.get("TABLETOP_PICTURES", "")
language = "en" if role == "host" else "ja"
settings.save(Settings(language=language, animation="off", bot_pause=0, players=(names[role],)))
program = QApplication(sys.argv[:1])
window = Window()
window.resize(1280, 800)
window.show()


def tell(text: str) -> None:
    os.write(1, f"{text}\n".encode())


def until(holds: Callable[[], object], what: str) -> None:
    """Let the window live until something holds."""
    for _ in range(PATIENCE // 10):
        settle()
        if holds():
            return
        QTest.qWait(10)
    raise AssertionError(f"{role}: waited in vain for {what}")


def keep(name: str) -> None:
    """A picture of the window, where they are wanted."""
    if pictures:
        settle()
        window.grab().save(str(Path(pictures) / f"{name}.png"))


def lobby() -> Lobby:
    found = window.outing.lobby
    assert found is not None
    return found


def host() -> None:
    """Host Planetary Sisters for two from the shelf, and start once the other is ready."""
    click(button(window.shelf, "Host"))
    sheet = window.outing.hosting.sheet
    assert sheet is not None
    click(sheet.boxes["sisters"])
    click(sheet.open)
    until(lambda: window.outing.lobby and lobby().invitation.link, "the invitation")
    visit = window.outing.visit
    assert visit is not None
    assert visit.guest.invitation is not None
    tell(f"{lobby().invitation.code.text()} {visit.guest.invitation.port}")
    until(lobby().start.isEnabled, "the other to be ready")
    say(lobby(), "Welcome!")
    until(lambda: "よろしく" in lobby().chat.text, "an answer in the chat")
    keep("far-lobby")
    click(lobby().start)


def join() -> None:
    """Join by code and address, sit down, and say ready."""
    code, port = rest
    click(button(window.shelf, "参加"))
    screen = window.outing.join
    assert screen is not None
    QTest.keyClicks(screen.code, code.lower())
    QTest.keyClicks(screen.way, f"127.0.0.1:{port}")
    assert not any(row.isChecked() for row in screen.findChildren(FoundRow))
    click(screen.join)
    until(lambda: window.outing.lobby and lobby().rows, "the lobby")
    row = lobby().rows[1]
    until(row.sit.isVisible, "a free seat")
    click(row.sit)
    assert row.field.text() == "Kaname"
    click(row.sit)
    until(row.ready.isVisible, "the seat")
    click(row.ready)
    until(lambda: "Welcome!" in lobby().chat.text, "the host's greeting")
    say(lobby(), "よろしくお願いします")


def say(screen: Lobby, text: str) -> None:
    screen.chat.field.setText(text)
    click(screen.chat.send)


def play(screen: TableScreen) -> None:
    """One answer after the other, each a card dragged to a place, until the game is over."""
    luck, moves = Luck(role), 0
    while not screen.sitting.over:
        until(lambda: screen.sitting.over or may_move(screen), "one's turn")
        if screen.sitting.over:
            break
        link = screen.sitting.link
        assert link is not None
        offer = next(iter(link.offers.values()))[0]
        before = screen.sitting.view.ply
        drag(
            screen,
            offer.cards[luck.below(len(offer.cards))],
            offer.targets[luck.below(len(offer.targets))],
        )
        moves += 1
        until(lambda before=before: screen.sitting.view.ply > before, "the host's answer")
        if moves == 3:
            window.do("chat")
            keep(f"far-table-{role}")
    tell(f"played {moves}")


def may_move(screen: TableScreen) -> bool:
    link = screen.sitting.link
    return link is not None and bool(link.offers) and not screen.scene.waits


host() if role == "host" else join()
until(lambda: window.table is not None, "the table")
table = window.table
assert table is not None
play(table)
until(table.sheet.isVisible, "the score sheet")
until(lambda: table.sheet.verdict.accessibleName(), "the check of the match")
result = table.sitting.view.result
assert result is not None
tell(f"{result.scores} {table.sheet.verdict.accessibleName()}")
tell(table.company.chat.text.replace("\n", " / ") if table.company else "")
sys.stdin.read()
window.close()
tell(f"ended {window.outing.network.running}")
