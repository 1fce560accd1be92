"""Cycles of dead Qt objects are collected by the window's thread, while others allocate."""

import gc
import threading

from PySide6.QtCore import QAbstractEventDispatcher, QObject
from pytestqt.qtbot import QtBot

from tests.ui.window_driver import Open
from ui.shell.garbage_collection import freeze_objects as really_freeze
from ui.shell.garbage_collection import unfreeze_objects as really_take_back

ended: list[int] = []
"""In which thread each ring was destroyed."""


class Ring(QObject):
    """Dead only once the collector has found it; notes in which thread that was."""

    def __init__(self) -> None:
        super().__init__()
        self.itself = self

    def __del__(self) -> None:
        ended.append(threading.get_ident())


def allocate(kept: list[list[int]]) -> None:
    """So much that Python would collect several times by itself."""
    for number in range(20_000):
        kept.append([number])


def test_another_thread_collects_nothing_while_a_window_is_open(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    assert not gc.isenabled()
    ended.clear()
    for _ in range(50):
        Ring()
    kept: list[list[int]] = []
    other = threading.Thread(target=allocate, args=(kept,))
    other.start()
    other.join()
    assert ended == []
    qtbot.waitUntil(lambda: len(ended) == 50)
    assert set(ended) == {threading.get_ident()}
    window.close()
    assert not gc.isenabled(), "a thread that ends after the window would collect"


def test_what_was_set_aside_is_collected_once_it_is_taken_back(uncollected: None) -> None:
    ended.clear()
    ring = Ring()
    really_freeze()
    del ring
    gc.collect()
    assert ended == []
    really_take_back()
    gc.collect()
    gc.freeze()  # the next tests need not look at all that was there
    assert len(ended) == 1


def test_a_still_window_is_never_woken(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    dispatcher = QAbstractEventDispatcher.instance()
    qtbot.waitUntil(lambda: not woken_by(dispatcher, window))


def woken_by(dispatcher: QAbstractEventDispatcher, window: QObject) -> list[str]:
    """The running timers of the window and all that belongs to it."""
    alive = [window, *window.findChildren(QObject)]
    return [repr(each) for each in alive if dispatcher.registeredTimers(each)]
