"""A host that is gone: what its guests are told and can do, and who hosts its table on."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tabletop.files import folders
from tabletop.net.guest.join_attempt import Ticket
from tabletop.protocol.invitation import Address, parse_link
from tests.ui.online.session_driver import come, host, lobby, remote, start
from tests.ui.window_driver import Open, answering, button, click, saving_to
from ui.app import Window


class ByItsButton(QCloseEvent):
    """The window is closed by the button of its frame."""

    def spontaneous(self) -> bool:
        return True


def press_close(window: Window) -> bool:
    """Close the window by its own button; whether it closes."""
    event = ByItsButton()
    window.closeEvent(event)
    return event.isAccepted()


@pytest.fixture
def two(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> Iterator[tuple[Window, Window]]:
    """A window that hosts, and another one in whose second seat somebody sits. One process is both
    computers: whichever home it has just now, a match is sealed and opened with the same key."""
    window = opened()
    host(qtbot, window, "chains")
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "other"))
    other = opened()
    row = come(qtbot, window, other)
    click(row.buttons["sit"])
    click(row.buttons["sit"])
    qtbot.waitUntil(row.buttons["ready"].isVisible)
    click(row.buttons["ready"])
    with folders.use_key_folder(tmp_path):
        yield window, other


@pytest.mark.usefixtures("nobody_near")
def test_a_guest_keeps_the_seat_and_is_told_of_the_return(
    two: tuple[Window, Window],
    opened: Open,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> None:
    window, other = two
    start(qtbot, window)
    qtbot.waitUntil(lambda: other.table is not None)
    screen = other.table
    window.close()
    bar = screen.other_players.notice_bar
    qtbot.waitUntil(lambda: "Only the host's computer can bring the table back." in bar.text)
    assert bar.text.startswith("The host has stopped.")
    saving_to(monkeypatch, tmp_path / "seen.png")
    click(button(bar, "Save a picture…"))
    assert (tmp_path / "seen.png").read_bytes().startswith(b"\x89PNG")
    click(button(bar, "Tell me when it's back"))
    assert other.stack.currentWidget() is other.shelf
    (card,) = other.shelf.cards
    assert card.third.text() == "Your seat is kept · you are told when the host is there again"
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    again = opened()
    click(again.shelf.cards[0].main_button)
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "other"))
    qtbot.waitUntil(lambda: other.banner.text.endswith("is there again."))
    (card,) = other.shelf.cards
    assert "last seen" in card.third.text()
    click(button(other.banner, "Return"))
    qtbot.waitUntil(lambda: other.table is not None)


def test_the_way_back_leads_to_where_the_host_was_found(opened: Open, nobody_near: None) -> None:
    """Its old port may be somebody else's by then."""
    online = opened().online
    before = Address(("127.0.0.1",), 1, "its key")
    ticket = Ticket("a table", seats={1: "a token"}, fingerprint="its key")
    online.known_hosts.add_rejoinable(before, ticket, "Hinata's table", "sun")
    online.known_hosts.set_awaited("a table", True)
    now = replace(before, port=2)
    online.network.host_returned.emit("a table", now)
    assert online.known_hosts.addresses_of("its key") == (now,)
    (back,) = online.known_hosts.rejoinable_tables
    assert not back.awaited


def test_a_host_that_closes_hands_the_table_over(
    two: tuple[Window, Window], monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    window, other = two
    start(qtbot, window)
    qtbot.waitUntil(lambda: other.table is not None)
    asked = answering(monkeypatch, "Cancel")
    assert not press_close(window)
    assert "One of the other players can take over as host." in asked[0]
    answering(monkeypatch, "Hand the table over")
    assert not press_close(window)
    screen = other.table
    qtbot.waitUntil(lambda: "asks you to host this table" in screen.prompt.text)
    click(button(screen.prompt, "No"))
    qtbot.waitUntil(lambda: "does not want to host the table" in window.banner.text)
    assert window.isVisible()
    assert not press_close(window)
    qtbot.waitUntil(lambda: "asks you to host this table" in screen.prompt.text)
    click(button(screen.prompt, "Host it here"))
    qtbot.waitUntil(lambda: not window.isVisible())
    qtbot.waitUntil(lambda: remote(other).is_host and remote(other).lost_reason is None)
    (back,) = window.online.known_hosts.rejoinable_tables
    assert not back.ticket.owner, "the seat is kept at the new host"


def test_a_host_that_leaves_hands_the_table_over_in_the_lobby(
    two: tuple[Window, Window], monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    window, other = two
    qtbot.waitUntil(lambda: bool(window.online.hosting.possible_hosts))
    answering(monkeypatch, "Hand the table over")
    window.run_command("leave")
    assert window.online.remote is not None
    bar = lobby(other).notice_bar
    qtbot.waitUntil(lambda: "asks you to host this table" in bar.text)
    click(button(bar, "Host it here"))
    qtbot.waitUntil(lambda: window.online.remote is None)
    assert not window.online.known_hosts.rejoinable_tables
    qtbot.waitUntil(lambda: remote(other).is_host and remote(other).lost_reason is None)
    qtbot.waitUntil(lambda: remote(other).info.sitters[0].state == "free")
    link = parse_link(lobby(other).invitation.link)
    assert link.fingerprint == remote(other).guest.host_fingerprint


def test_a_host_alone_closes_without_a_question(
    opened: Open, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    window = opened()
    host(qtbot, window)
    asked = answering(monkeypatch, "Cancel")
    assert press_close(window)
    assert asked == []
    assert QApplication.activeModalWidget() is None
