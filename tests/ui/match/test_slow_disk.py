"""A disk that takes its time: the window goes on, the move waits on its place and counts once."""

from collections.abc import Iterator
from threading import Event

import pytest
from PySide6.QtCore import QEvent, QObject
from pytestqt.qtbot import QtBot

from tabletop.engine.model import AUDIENCE, Move
from tabletop.engine.scratch import FastRng
from tabletop.files.disk_pool import DiskPool
from tabletop.match.match import Match
from tabletop.storage.journal import JournalFile
from tabletop.storage.record import read
from tests.ui.window_driver import Open, begin, hold, play, settle
from ui.app import Window
from ui.match.screen.table_screen import TableScreen
from ui.table.items.card_item import DIMMED_OPACITY


class Painted(QObject):
    """Counts what is painted."""

    def __init__(self) -> None:
        super().__init__()
        self.times = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.times += event.type() == QEvent.Type.Paint
        return False


class SlowDisk:
    """Makes nothing safe before it is let."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.let = Event()
        self.begun = Event()
        synced = JournalFile.sync

        def sync(journal: JournalFile) -> None:
            self.begun.set()
            self.let.wait()
            synced(journal)

        monkeypatch.setattr(JournalFile, "sync", sync)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowDisk]:
    slow = SlowDisk(monkeypatch)
    yield slow
    slow.let.set()


def sat(opened: Open, qtbot: QtBot, *bots: int) -> tuple[Window, TableScreen, Match]:
    """A table of Sun at which somebody looks, and whose journal real threads write."""
    window = opened()
    window.context.disk_pool = DiskPool()
    screen = begin(window, *bots)
    if screen.curtain.is_drawn:
        hold(qtbot, screen)
    match = screen.seated.match
    assert match is not None
    return window, screen, match


def a_placing(screen: TableScreen) -> Move:
    seat = screen.switch.shown_seat
    assert seat is not None
    number, offers = next(iter(seat.offers.items()))
    return next(
        m for offer in offers for m in offer.moves(number) if len(m.cards) == 1 and m.target
    )


def test_the_window_goes_on_and_the_move_counts_once(
    opened: Open, qtbot: QtBot, disk: SlowDisk
) -> None:
    _, screen, match = sat(opened, qtbot)
    move, view, file = (
        a_placing(screen),
        screen.seated.view,
        screen.seated.record.file,
    )
    screen.scene.choice.play(move)
    assert disk.begun.wait(60), "it is being written"
    seat = screen.switch.shown_seat
    assert seat.pending == move
    assert seat.offers == {}
    item = screen.scene.stage.item_of(move.cards[0])
    qtbot.waitUntil(lambda: item.opacity() == DIMMED_OPACITY)
    assert item.zone == move.target, "it waits where it goes"
    painted = Painted()
    screen.view.viewport().installEventFilter(painted)
    for _ in range(3):
        before = painted.times
        screen.view.viewport().update()
        qtbot.waitUntil(lambda before=before: painted.times > before)
    screen.scene.choice.play(move)
    assert screen.seated.view is view, "nobody is shown what is not safe on the disk"
    assert seat.view.ply == view.ply
    disk.let.set()
    qtbot.waitUntil(lambda: not screen.switch.is_animating and screen.seated.view is not view)
    assert [entry.move for entry in match.record] == [move]
    assert [entry.move for entry in read(file).entries] == [move]
    qtbot.waitUntil(lambda: item.opacity() == 1.0)


def test_what_is_shown_is_on_the_disk(opened: Open, qtbot: QtBot) -> None:
    _, screen, _ = sat(opened, qtbot)
    file = screen.seated.record.file
    kept: list[tuple[int, int]] = []
    for seat in map(screen.seated.seat, (AUDIENCE, *screen.seated.people)):
        seat.on_update(lambda _, seat=seat: kept.append((seat.at, len(read(file).entries))))
    luck = FastRng(3)
    for count in range(1, 5):
        qtbot.waitUntil(lambda: bool(screen.switch.shown_seat and screen.switch.shown_seat.offers))
        play(screen, luck)
        qtbot.waitUntil(lambda count=count: screen.seated.seat(AUDIENCE).at == count)
        qtbot.waitUntil(lambda: not screen.switch.is_animating)
        if screen.switch.decision.handover_due:
            screen.switch.hand_over()
            hold(qtbot, screen)
    assert kept
    assert all(made <= written for made, written in kept)


def test_undo_and_redo_wait_for_the_disk_as_moves_do(opened: Open, qtbot: QtBot) -> None:
    _, screen, match = sat(opened, qtbot)
    seated, switch = screen.seated, screen.switch
    play(screen, FastRng(1))
    qtbot.waitUntil(lambda: len(match.record) == 1 and not switch.is_animating)
    before = match.state
    qtbot.waitUntil(lambda: screen.status.can_undo or screen.status.can_agree)
    seated.agree_to_undo(switch.active_viewer)
    qtbot.waitUntil(lambda: len(match.record) == 2)
    assert match.state.ply == before.ply - 1


def test_who_leaves_while_the_disk_is_slow_loses_no_move(
    opened: Open, qtbot: QtBot, disk: SlowDisk
) -> None:
    window, screen, match = sat(opened, qtbot)
    file = screen.seated.record.file
    play(screen, FastRng(2))
    assert disk.begun.wait(60)
    assert screen.seated.view.ply == 0
    disk.let.set()
    window.matches.close_table()
    assert len(match.record) == 1
    assert len(read(file).entries) == 1


def test_bots_play_on_over_a_real_disk(opened: Open, qtbot: QtBot) -> None:
    _, screen, match = sat(opened, qtbot, 1)
    luck = FastRng(4)
    while len(match.record) < 6:
        qtbot.waitUntil(
            lambda: bool(
                screen.switch.shown_seat
                and screen.switch.shown_seat.offers
                and not screen.switch.is_animating
            )
        )
        play(screen, luck)
        settle()
    assert {entry.seat for entry in match.record} == {0, 1}
