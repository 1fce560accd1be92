"""Rings of dead Qt objects are collected by the window's thread, whoever allocates meanwhile."""

import gc
import threading

from at_window import Open, home, opened, settle
from PySide6.QtCore import QObject

__all__ = ["home", "opened"]


ended: list[int] = []
"""In which thread each ring was destroyed."""


class Ring(QObject):
    """Dead only once the collector has found it; tells in which thread that was."""

    def __init__(self) -> None:
        super().__init__()
        self.itself = self

    def __del__(self) -> None:
        ended.append(threading.get_ident())


def allocate() -> None:
    """So much that Python would collect several times by itself."""
    kept = []
    for number in range(20_000):
        kept.append([number, [number]])


def test_another_thread_collects_nothing_while_a_window_is_open(opened: Open) -> None:
    window = opened()
    assert not gc.isenabled()
    ended.clear()
    for _ in range(50):
        Ring()
    other = threading.Thread(target=allocate)
    other.start()
    other.join()
    assert ended == []
    settle(400)
    assert set(ended) == {threading.get_ident()}
    window.close()
    assert gc.isenabled()
