"""An error is planted in each piece of background work of the window: the person reads that
something went wrong and can report it, and the work goes on."""

import shutil
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from queue import SimpleQueue

import msgspec
import pytest
from PySide6.QtCore import QObject, Signal
from pytestqt.qtbot import QtBot

from tabletop.background.faults import WENT_WRONG
from tabletop.bots.decision import Decision
from tabletop.engine.model import Reason
from tabletop.engine.scratch import FastRng
from tabletop.files import folders, small_file
from tabletop.lan.discovery import Finder
from tabletop.net.guest.connection import Connection
from tabletop.net.guest.reconnect_policy import Destination
from tabletop.net.guest.server_query import list_tables
from tabletop.net.host.host import Host
from tabletop.protocol.fairness import UNVERIFIABLE
from tabletop.protocol.invitation import Address
from tabletop.protocol.messages import MatchProof
from tabletop.review.highlights import HighlightSearch
from tabletop.review.review import Review
from tabletop.storage import save_summaries
from tests.background.planted import FailsOnce, fail, fail_later, heard
from tests.storage.corpus import LATEST
from tests.ui.late_matches import near_its_end
from tests.ui.replay.listed_replays import rows, show_replays
from tests.ui.window_driver import Open, QuickMinds, begin, click, hold, pass_on, settle
from ui.app import Window
from ui.online import phones_help
from ui.online.network_thread import NetworkThread, QtConnection
from ui.online.phone_gateway import PhoneGateway
from ui.online.remote_table import RemoteTable, _GuiThread
from ui.replay.replay_model import FILE_ROLE
from ui.shelf.thumbnails import Thumbnails
from ui.shell.search_thread import SearchThread
from ui.shell.sound import Sounds
from ui.style.picture_store import PictureStore

PLACE = Address(("127.0.0.1",), 1, "ab" * 32)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_request_that_failed_leaves_the_report_there(opened: Open, language: str) -> None:
    window = opened(language=language)
    window.show_fault()
    told = window.banner.text
    window.context.show_error(WENT_WRONG)
    assert window.banner.text == told
    assert window.banner._act.text() == window.context.words("Report a bug…")
    window.banner.hide()
    window.context.show_error(WENT_WRONG)
    assert window.banner.text != told


def test_a_fault_told_in_another_language_is_still_the_same(opened: Open) -> None:
    window = opened()
    window.show_fault()
    told = window.banner.text
    window.context.change_settings(language="ja")
    window.context.show_error(WENT_WRONG)
    assert window.banner.text == told
    window.context.show_error(Reason("Something went wrong. Please try again."))
    assert window.banner.text != told, "another reason, whatever its words"


def reads_of_it(window: Window, qtbot: QtBot) -> None:
    """The person reads that something went wrong, and may report it."""
    banner = window.banner
    qtbot.waitUntil(
        lambda: banner.text.startswith("Something went wrong.") and bool(banner._act.text())
    )
    assert banner._act.text() == "Report a bug…"
    assert window.banner.isVisibleTo(window)
    window.banner.hide()


class Told(QObject):
    """Whoever hears the answers of the network."""

    news: list[tuple[object, ...]]

    def take(self, *news: object) -> None:
        self.news.append(news)


TOLD = Told()


@pytest.mark.parametrize(
    ("request_", "owner", "name", "signal"),
    [
        (
            lambda net: net.query_server(PLACE, fail_later, TOLD.take),
            NetworkThread,
            "move_table",
            "asked",
        ),
        (lambda net: net.start_hosting(), Host, "start", "hosting_failed"),
        (lambda net: net.expect_table(), Host, "start", "hosting_failed"),
        (lambda net: net.start_discovery(), Finder, "start", "discovery_error_changed"),
        (lambda net: net.check_reachability("t"), NetworkThread, "_check_reachability", ""),
        (lambda net: net.close_table("t"), NetworkThread, "_close_table", ""),
        (
            lambda net: (net.start_discovery(), net.stop_discovery()),
            NetworkThread,
            "_stop_discovery",
            "",
        ),
        (lambda net: QtConnection(net, Destination(PLACE)).close(), Connection, "close", ""),
        (lambda net: net.call_soon(fail), Connection, "close", ""),
    ],
    ids=[
        *("query", "host", "expect", "look", "reach", "close"),
        *("look away", "line", "callback"),
    ],
)
def test_a_request_of_the_network(
    request_: object,
    owner: object,
    name: str,
    signal: str,
    opened: Open,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    expected_faults: list[str],
) -> None:
    assert callable(request_)
    window = opened()
    net = window.online.network
    TOLD.news = told = []
    for each in (net.hosting_failed, net.discovery_error_changed):
        each.connect(TOLD.take)
    if name != "_close_table":
        monkeypatch.setattr(Finder, "_start_browser", lambda _: None)
    monkeypatch.setattr(owner, name, fail_later)
    request_(net)
    reads_of_it(window, qtbot)
    assert heard(expected_faults)
    if signal:
        qtbot.waitUntil(lambda: bool(told))
        assert told[-1][-1] == WENT_WRONG
    monkeypatch.undo()
    told.clear()
    net.query_server(PLACE, partial(list_tables, PLACE, ""), TOLD.take)
    qtbot.waitUntil(lambda: bool(told), timeout=60_000)


class Search:
    """A search that fails."""

    run = staticmethod(fail)

    def cancel(self) -> None: ...


def test_a_search(opened: Open, qtbot: QtBot, expected_faults: list[str]) -> None:
    window, thinker = opened(), SearchThread(Search())
    with qtbot.waitSignal(thinker.failed, timeout=60_000):
        thinker.start()
    reads_of_it(window, qtbot)
    assert heard(expected_faults)


def test_a_review(
    opened: Open,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    expected_faults: list[str],
) -> None:
    window = opened()
    window.open_file(Path(shutil.copy(LATEST / "sun-2.tabletop", tmp_path / "film.tabletop")))
    settle()
    screen = window.replays.screen
    assert screen is not None
    screen.set_viewer(1)
    FailsOnce(monkeypatch, Review, "run")
    click(screen.playback_bar.buttons["review"])
    reads_of_it(window, qtbot)
    panel = screen.reviewer.panel
    assert panel is not None
    assert panel.text.text() == WENT_WRONG.text
    assert heard(expected_faults)
    assert not panel.bar.isVisibleTo(panel)


def test_the_best_move_of_a_game(
    opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, expected_faults: list[str]
) -> None:
    window = opened()
    screen = near_its_end(window)
    monkeypatch.setattr(HighlightSearch, "run", fail)
    pass_on(qtbot, screen, FastRng(0), 60)
    reads_of_it(window, qtbot)
    assert heard(expected_faults)
    assert not screen.ending.sheet.feat.isVisibleTo(screen.ending.sheet)


def test_a_sound(monkeypatch: pytest.MonkeyPatch, expected_faults: list[str]) -> None:
    sounds = Sounds()
    sounds.set_volume(50)
    played: SimpleQueue[object] = SimpleQueue()
    monkeypatch.setattr(sounds, "_play", played.put)
    FailsOnce(monkeypatch, sounds, "_play")
    sounds.play("lay")
    assert sounds._thread is not None
    sounds._thread.join()
    assert heard(expected_faults)
    sounds.play("dice")
    assert played.get()
    sounds.close()


@pytest.mark.parametrize("where", ["read", "draw"])
def test_a_thumbnail(
    where: str,
    opened: Open,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    expected_faults: list[str],
) -> None:
    folders.replays().mkdir(parents=True)
    for name in ("sun-2", "chains-1"):
        shutil.copy(LATEST / f"{name}.tabletop", folders.replays())
    window = opened()
    if where == "read":
        FailsOnce(monkeypatch, save_summaries, "read_summary")
    else:
        FailsOnce(monkeypatch, Thumbnails, "_save")
    listed = show_replays(window)
    qtbot.waitUntil(lambda: heard(expected_faults))
    qtbot.waitUntil(lambda: not listed.thumbnails.is_busy)
    reads_of_it(window, qtbot)
    files = [row.data(FILE_ROLE) for row in rows(listed)]
    assert [listed.thumbnails.thumbnail_of(file).isNull() for file in files].count(False) == 1


def test_a_knock_at_the_page_of_phones(
    opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, expected_faults: list[str]
) -> None:
    window = opened()
    monkeypatch.setattr(phones_help, "_try_connect", fail)
    gateway = PhoneGateway()
    gateway.addresses = ("http://127.0.0.1:1/",)
    page = phones_help.PhonesHelp(window.context, gateway)
    page._test_addresses()
    reads_of_it(window, qtbot)
    assert heard(expected_faults)
    page.close()


def test_a_verdict(
    opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, expected_faults: list[str]
) -> None:
    window, remote = opened(), RemoteTable()
    proof = MatchProof(1, "sun", (), {}, "", {}, "", ())
    remote.guest.proof = proof
    monkeypatch.setattr(remote.guest, "check_proof", fail)
    with qtbot.waitSignal(remote.proof_checked, timeout=60_000):
        remote.proof_check.start(proof)
    assert remote.proof_check.verdict == UNVERIFIABLE
    reads_of_it(window, qtbot)
    assert heard(expected_faults)


class Taker(QObject):
    """Somebody who has a game taken."""

    ended = Signal(object)

    def taken(self, game: object) -> None:
        pytest.fail("it was not taken")

    def not_taken(self, error: Exception) -> None:
        self.ended.emit(error)


def test_a_game_from_a_host(opened: Open, qtbot: QtBot, expected_faults: list[str]) -> None:
    window, taker = opened(), Taker()
    with qtbot.waitSignal(taker.ended, timeout=60_000):
        _GuiThread(taker).run_in_background(fail, taker.taken, taker.not_taken)
    reads_of_it(window, qtbot)
    assert heard(expected_faults)


def test_pictures_that_are_kept(
    opened: Open,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    expected_faults: list[str],
) -> None:
    window, store = opened(), PictureStore(tmp_path / "pictures", "stamp")
    monkeypatch.setattr(small_file, "write_cache", fail)
    store.get_picture(b"one")
    store.write(lambda key: None)
    reads_of_it(window, qtbot)
    assert heard(expected_faults)


def test_a_bot_at_a_local_table(
    opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, expected_faults: list[str]
) -> None:
    window = opened()
    ends_with_an_error_once(monkeypatch)
    screen = begin(window, 0, 1)
    qtbot.waitUntil(lambda: screen.seated.view.ply > 2)
    assert not expected_faults, "the pool has reported it"


def test_a_hint(opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    window = opened()
    screen = begin(window)
    hold(qtbot, screen)
    ends_with_an_error_once(monkeypatch)
    with qtbot.waitSignal(screen.adviser.failed, timeout=60_000):
        window.run_command("hint")
    assert not screen.adviser.is_searching
    window.run_command("hint")
    qtbot.waitUntil(lambda: screen.scene.choice.advice is not None, timeout=60_000)


def ends_with_an_error_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pool's first answer is an error, as after a fault in it."""
    think, asked = QuickMinds.think, 0

    def instead(*args: object, **more: object) -> "Future[Decision]":
        nonlocal asked
        asked += 1
        if asked > 1:
            return think(*args, **more)  # type: ignore[arg-type]
        future: Future[Decision] = Future()
        future.set_exception(RuntimeError("a fault of the pool"))
        return future

    monkeypatch.setattr(QuickMinds, "think", instead)


class Lines(QObject):
    """The output of a gateway."""

    def __init__(self, *lines: str) -> None:
        super().__init__()
        self._lines = [*lines]

    def canReadLine(self) -> bool:
        return bool(self._lines)

    def readLine(self) -> "Lines":
        return self

    def data(self) -> bytes:
        return f"{self._lines.pop(0)}\n".encode()


@pytest.mark.parametrize("whole", [True, False])
def test_the_gateway_of_phones(
    whole: bool, opened: Open, qtbot: QtBot, expected_faults: list[str]
) -> None:
    window, gateway = opened(), PhoneGateway()
    trace = msgspec.json.encode("Traceback:\n PlantedError").decode()
    gateway._process = Lines(f"fault {trace if whole else trace[:-1]}")  # type: ignore[assignment]
    gateway._read_output()
    gateway._process = None
    reads_of_it(window, qtbot)
    assert heard(expected_faults)
