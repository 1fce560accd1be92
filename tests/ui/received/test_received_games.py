"""A game that a table gives: asked about once, fetched, played, named on the shelf, removed."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

import pytest
import shiboken6
from msgspec.structs import replace
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QLabel, QMenu
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.engine.model import Reason
from tabletop.files import folders
from tabletop.games import received_games
from tabletop.games.folder_content import compute_digest, read_game_files
from tabletop.games.received_games import ReceivedNote
from tabletop.net.guest import game_download
from tabletop.protocol.invitation import InviteLink, format_link
from tabletop.protocol.match_notes import NOTE_SENT
from tabletop.storage import playtest_notes
from tabletop.studio.workshop.own_games import own_games
from tests.game_folders import change
from tests.net.playtest.prototypes import at_the_designers, prototype
from tests.ui.received.designer import Designer, come, keep
from tests.ui.window_driver import Open, answering, click, finish_work, settle
from ui.app import Window
from ui.match.note_sheet import NoteSheet
from ui.received.take_game_dialog import GameDownloadDialog
from ui.shell.shelf_order import order_games
from ui.widgets.game_box import GameBox


@pytest.fixture
def designer(
    qtbot: QtBot, home: Path, opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Designer]:
    """A designer hosts Pond Night, and leaves before the windows close."""
    found = Designer(qtbot, prototype(tmp_path / "pond"), tmp_path / "hosted", monkeypatch)
    yield found
    found.close()


def box(window: Window) -> GameBox | None:
    return next((each for each in window.shelf.boxes if each.game.received is not None), None)


def test_a_game_is_taken_played_named_on_the_shelf_and_removed(
    qtbot: QtBot, opened: Open, designer: Designer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    window = opened()
    assert box(window) is None
    dialog = come(qtbot, window, designer)
    assert "Pond Night" in dialog.reason.text()
    assert designer.kit.digest[:12] in dialog.reason.text()
    click(dialog.download_button)
    qtbot.waitUntil(lambda: window.online.lobby_screen is not None)
    remote = window.online.remote
    assert remote.kit.digest == designer.kit.digest
    qtbot.waitUntil(lambda: window.findChild(GameDownloadDialog) is None)
    remote.guest.sit(1, "Bea", "leaf")
    qtbot.waitUntil(lambda: remote.local_seats == (1,))
    remote.guest.set_ready(1)
    designer.remote.guest.set_ready(0)
    info = designer.remote.guest
    qtbot.waitUntil(lambda: all(each.state == "ready" for each in info.info.sitters))
    with at_the_designers(tmp_path / "pond", monkeypatch):
        designer.remote.guest.start()
        qtbot.waitUntil(lambda: window.table is not None)
    keep(window, "taken-game")
    remote.guest.leave()
    window.show_shelf()
    shown = box(window)
    assert shown.status_line == f"today · {shown.game.digest[:6]} · From Ann"
    made_here = {game.folder for game in own_games()}
    assert not any(folders.received() in path.parents for path in made_here), "it is not one's own"
    keep(window, "shelf-with-received")
    menus: list[QMenu] = []
    monkeypatch.setattr(QMenu, "popup", lambda menu, *_: menus.append(menu))
    at = shown.rect().center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, shown.mapToGlobal(at))
    shown.contextMenuEvent(event)
    asked = answering(monkeypatch, "Cancel")
    menus[0].actions()[-1].trigger()
    assert len(asked) == 1
    assert box(window) is shown
    answering(monkeypatch, "Remove")
    click(shown.remove_button)
    assert box(window) is None
    assert list(folders.received().iterdir()) == []


def test_not_now_leaves_nothing(qtbot: QtBot, opened: Open, designer: Designer) -> None:
    window = opened()
    dialog = come(qtbot, window, designer)
    click(dialog.cancel_button)
    qtbot.waitUntil(lambda: window.online.remote is None)
    assert "its game isn't installed" in window.online.join_screen.error_label.text()
    assert not folders.received().exists()


def test_a_download_for_a_table_that_was_left_is_not_told(
    qtbot: QtBot, opened: Open, designer: Designer, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, go_on, begun = opened(), Event(), Event()

    def take_in(*_: object) -> Reason:
        begun.set()
        go_on.wait()
        return Reason("It is broken.")

    monkeypatch.setattr(game_download, "install_game", take_in)
    dialog = come(qtbot, window, designer)
    click(dialog.download_button)
    qtbot.waitUntil(begun.is_set)
    left = window.online.remote
    click(dialog.cancel_button)
    qtbot.waitUntil(lambda: not shiboken6.isValid(left))
    go_on.set()
    finish_work()
    settle()
    assert "It is broken" not in window.online.join_screen.error_label.text()


def test_the_question_of_a_table_goes_when_another_is_visited(
    qtbot: QtBot, opened: Open, designer: Designer
) -> None:
    window = opened()
    come(qtbot, window, designer)
    window.online.join_by_link(format_link(InviteLink("127.0.0.1", 9, "other", "ABCDEF", "")))
    qtbot.waitUntil(lambda: window.findChild(GameDownloadDialog) is None)


def test_ones_own_changed_game_is_told_with_both_digests(
    qtbot: QtBot, opened: Open, designer: Designer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = prototype(folders.games() / "pond")
    change(own / "cards.toml", "Cowrie", "Cockle")
    window = opened()
    dialog = come(qtbot, window, designer)
    for digest in (designer.kit.digest, catalogue.load("pond").digest):
        assert digest[:12] in dialog.reason.text()
    click(dialog.download_button)
    qtbot.waitUntil(lambda: window.online.lobby_screen is not None)
    assert window.online.remote.kit.deck[0]["name"] == "Cowrie"
    assert catalogue.load("pond").deck[0]["name"] == "Cockle"


def test_what_the_host_does_not_give_after_all_is_one_sentence(
    qtbot: QtBot, opened: Open, designer: Designer, tmp_path: Path
) -> None:
    window = opened()
    change(tmp_path / "pond" / "cards.toml", "Cowrie", "Cockle")
    click(come(qtbot, window, designer).download_button)
    qtbot.waitUntil(lambda: window.online.remote is None)
    assert "open the table again" in window.online.join_screen.error_label.text()
    assert not folders.received().exists()


def test_a_guests_note_reaches_the_hosts_record(
    qtbot: QtBot, opened: Open, designer: Designer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    window = opened()
    click(come(qtbot, window, designer).download_button)
    qtbot.waitUntil(lambda: window.online.lobby_screen is not None)
    remote, hosting = window.online.remote, designer.remote
    remote.guest.sit(1, "Bea", "leaf")
    qtbot.waitUntil(lambda: remote.local_seats == (1,))
    for guest, seat in ((remote.guest, 1), (hosting.guest, 0)):
        guest.set_ready(seat)
    qtbot.waitUntil(lambda: all(each.state == "ready" for each in hosting.info.sitters))
    with at_the_designers(tmp_path / "pond", monkeypatch):
        hosting.guest.start()
        qtbot.waitUntil(lambda: window.table is not None)
        window.run_command("note")
        sheet = window.findChild(NoteSheet)
        keep(sheet, "guest-note")
        assert any("Ann gets it" in each.text() for each in sheet.findChildren(QLabel))
        sheet.field.setPlainText("The sixth round drags.")
        reasons: list[object] = []
        remote.notice_posted.connect(reasons.append)
        click(sheet.save_button)
        place = playtest_notes.shared_notes_path(hosting.match_key(1))
        assert [note.seat for note in playtest_notes.notes(place)] == [1]
        qtbot.waitUntil(lambda: NOTE_SENT in reasons)
        place.unlink()  # both windows share one home here: Bea's own files
        hosting.guest.own_seats[0].concede()
        qtbot.waitUntil(lambda: bool(playtest_notes.notes(place)))
    (noted,) = playtest_notes.notes(place)
    assert (noted.name, noted.seat, noted.text) == ("Bea", 1, "The sixth round drags.")


@pytest.mark.parametrize("phase", ["gathering", "playing"])
def test_who_closed_the_window_joins_by_link_at_the_own_seat(
    qtbot: QtBot,
    opened: Open,
    designer: Designer,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    phase: str,
) -> None:
    window = opened()
    click(come(qtbot, window, designer).download_button)
    qtbot.waitUntil(lambda: window.online.lobby_screen is not None)
    remote = window.online.remote
    remote.guest.sit(1, "Bea", "leaf")
    qtbot.waitUntil(lambda: remote.local_seats == (1,))
    qtbot.waitUntil(lambda: bool(window.online.known_hosts.rejoinable_tables))
    if phase == "playing":
        for guest, seat in ((remote.guest, 1), (designer.remote.guest, 0)):
            guest.set_ready(seat)
        info = designer.remote.guest
        qtbot.waitUntil(lambda: all(each.state == "ready" for each in info.info.sitters))
        with at_the_designers(tmp_path / "pond", monkeypatch):
            info.start()
            qtbot.waitUntil(lambda: window.table is not None)
    window.close()
    again = opened()
    link = InviteLink("127.0.0.1", designer.port, code=designer.code)
    again.online.join_by_link(format_link(link))
    qtbot.waitUntil(
        lambda: again.online.remote is not None and again.online.remote.local_seats == (1,)
    )
    qtbot.waitUntil(
        lambda: (again.table if phase == "playing" else again.online.lobby_screen) is not None
    )
    assert len(again.online.known_hosts.rejoinable_tables) == 1
    again.close()
    (card,) = opened().shelf.cards
    assert card.main_button.text() == "Return"


def test_each_version_on_the_shelf_has_its_own_remove(
    opened: Open, home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for number in (1, 2):
        source = prototype(tmp_path / f"pond{number}")
        change(source / "cards.toml", "Cowrie", f"Cockle {number}")
        content = read_game_files(source)
        digest, when = compute_digest(content), datetime(2026, number, 1, tzinfo=UTC)
        folder, check = folders.received(), catalogue.check_received_game
        received_games.store_game(folder, "pond", digest, content, "Ann", check, when)
    window = opened((1024, 600))
    given = [each for each in window.shelf.boxes if each.game.received is not None]
    assert [each.game.received.when.month for each in given] == [2, 1]
    assert len({each.status_line for each in given}) == 2
    assert all(each.remove_button in window.shelf.board.tab_stops for each in given)
    for each in given:
        assert each.rect().contains(each.remove_button.geometry())
        assert not each.remove_button.geometry().intersects(each.play_button.geometry())
    assert all(each.remove_button is None for each in window.shelf.boxes if each not in given)
    answering(monkeypatch, "Remove")
    kept, unwanted = given
    click(unwanted.remove_button)
    assert [each.game.id for each in window.shelf.boxes if each.remove_button] == [kept.game.id]
    assert [path.name for path in folders.received().iterdir()] == [kept.game.id]


def test_of_a_games_versions_the_newest_is_first() -> None:
    kit = catalogue.load("sun")
    kits = [
        replace(
            kit,
            id=f"pond-{n}",
            received=ReceivedNote(str(n), "Ann", datetime(2026, n, 1, tzinfo=UTC)),
        )
        for n in (1, 3, 2)
    ]
    assert [each.id for each in order_games(kits, ())] == ["pond-3", "pond-2", "pond-1"]
