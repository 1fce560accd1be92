"""What the bots found about a match is kept, and the buttons of its result stay where they are."""

from concurrent.futures import Future
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.engine.model import Move
from tabletop.engine.scratch import FastRng
from tabletop.match.history import Entry
from tabletop.match.match import Player
from tabletop.storage import review_file
from tabletop.storage.review_file import MoveFinding, SeatFindings
from tests.ui.late_matches import near_its_end
from tests.ui.window_driver import Open, QuickMinds, button, click, pass_on, settle, table
from ui.app import Window
from ui.match.screen.table_screen import TableScreen

MOVE = Move(3, "place", (1,), "grid/0,0", "+1")
ENTRIES = (Entry(0, MOVE), Entry(1, MOVE))


class Counted(QuickMinds):
    """Counts what it is asked for a review."""

    def __init__(self) -> None:
        super().__init__(catalogue.load_bot_parts)
        self.pondered = 0

    def submit(self, question):
        self.pondered += 1
        return super().submit(question)


class Hesitant(QuickMinds):
    """Never comes to an end of a review."""

    def submit(self, question):
        return Future()


def places(screen: TableScreen) -> dict[str, QPoint]:
    """Where the buttons of the result are in the window."""
    buttons = [each for each in screen.ending.sheet.findChildren(QPushButton) if each.isVisible()]
    feat = screen.ending.sheet.feat.show_button
    return {each.text(): each.mapToGlobal(QPoint()) for each in buttons if each is not feat}


@pytest.mark.parametrize(
    ("game", "size"), [("sun", (1024, 600)), ("awss", (1280, 800)), ("sun", (2560, 1440))]
)
def test_the_buttons_stay_where_they_are_while_it_thinks(
    opened: Open, qtbot: QtBot, size: tuple[int, int], game: str
) -> None:
    window = opened(size)
    window.context.bot_pool = Hesitant(catalogue.load_bot_parts)
    seats = catalogue.load(game).box.seats[0]
    screen = near_its_end(window, game) if seats == 2 else _alone(window, game)
    pass_on(qtbot, screen, FastRng(0), 200)
    qtbot.waitUntil(lambda: screen.ending.is_shown)
    settle()
    thinking = places(screen)
    assert screen.ending.sheet.feat.isVisible()
    assert len(thinking) >= 6
    screen.ending._on_search_failed()
    settle()
    assert places(screen) == thinking
    screen.ending.sheet.show_feat(None, screen.words)
    settle()
    assert places(screen) == thinking


def _alone(window: Window, game: str) -> TableScreen:
    players = (Player("A", "sun"), Player("B", "moon"), Player("C", "leaf"))
    return near_its_end(window, game, players)


def test_going_back_from_a_review_searches_no_more(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    pool = window.context.bot_pool = Counted()
    screen = near_its_end(window)
    pass_on(qtbot, screen, FastRng(0), 60)
    qtbot.waitUntil(lambda: screen.ending.highlight is not None)
    said = screen.ending.sheet.feat.text
    click(button(screen.ending.sheet, "Review"))
    replay = window.replays.screen
    assert replay is not None
    if not replay.reviewer.chances:
        replay.reviewer.review_seat(0)
    qtbot.waitUntil(lambda: bool(replay.reviewer.chances))
    findings, chances = replay.reviewer.findings, replay.reviewer.chances
    before = pool.pondered
    window.replays.do("leave")
    settle()
    again = table(window)
    qtbot.waitUntil(lambda: again.ending.highlight is not None)
    assert again.ending.sheet.feat.text == said
    click(button(again.ending.sheet, "Review"))
    replay = window.replays.screen
    assert replay is not None
    if not replay.reviewer.chances:
        replay.reviewer.review_seat(0)
    assert replay.reviewer.findings == findings
    assert replay.reviewer.chances == chances
    assert pool.pondered == before


def test_findings_go_where_their_record_goes(tmp_path: Path) -> None:
    record = tmp_path / "m.tabletop"
    record.write_text("a record")
    best = MoveFinding(2, MOVE, 0.25)
    review_file.save_best_move(record, ENTRIES, best)
    seat = SeatFindings((MoveFinding(1, MOVE, 0.1, MOVE),), ())
    review_file.save_seat_findings(record, ENTRIES, 1, seat)
    assert review_file.read_findings(record, ENTRIES).best == (best,)
    assert review_file.read_findings(record, ENTRIES).seats == {1: seat}
    moved = tmp_path / "n.tabletop"
    record.rename(moved)
    review_file.move_findings(record, moved)
    assert review_file.read_findings(moved, ENTRIES).best == (best,)
    assert review_file.read_findings(moved, ENTRIES[:1]).best is None  # it went on otherwise


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\x00", b'{"entries": 3}'])
def test_damaged_findings_are_none(tmp_path: Path, content: bytes) -> None:
    record = tmp_path / "m.tabletop"
    record.write_text("a record")
    review_file.findings_path(record).write_bytes(content)
    assert review_file.read_findings(record, ENTRIES).best is None
    review_file.save_best_move(record, ENTRIES, None)
    assert review_file.read_findings(record, ENTRIES).best == ()


def test_findings_without_a_record_are_swept(tmp_path: Path) -> None:
    kept, gone = tmp_path / "m.tabletop", tmp_path / "n.tabletop"
    for record in (kept, gone):
        record.write_text("a record")
        review_file.save_best_move(record, ENTRIES, None)
    gone.unlink()
    review_file.delete_orphans(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "m.tabletop",
        "m.tabletop.review.json",
    ]
    review_file.save_best_move(gone, ENTRIES, None)
    assert not review_file.findings_path(gone).exists()
