"""News of other threads arrives in the window's, and no thread keeps a Qt object alive."""

import gc
import weakref
from threading import Event, Thread, current_thread

import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.window_driver import settle
from ui.shell.window_thread import Deliver, call_in_gui_thread


class Receiver(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.heard: list[tuple[object, Thread]] = []

    def hear(self, news: object) -> None:
        self.heard.append((news, current_thread()))


def told_from_a_thread(deliver: Deliver, *news: object) -> None:
    def tell() -> None:
        for each in news:
            deliver(each)

    thread = Thread(target=tell)
    thread.start()
    thread.join()


def test_it_arrives_in_the_windows_thread_and_in_its_order(
    qapp: QApplication, qtbot: QtBot
) -> None:
    receiver = Receiver()
    told_from_a_thread(call_in_gui_thread(receiver.hear), *range(100))
    qtbot.waitUntil(lambda: len(receiver.heard) == 100)
    assert [news for news, _ in receiver.heard] == list(range(100))
    assert {thread for _, thread in receiver.heard} == {current_thread()}


def test_a_thread_holds_no_receiver(qapp: QApplication) -> None:
    receiver = Receiver()
    gone = weakref.ref(receiver)
    deliver, go = call_in_gui_thread(receiver.hear), Event()

    def tell() -> None:
        go.wait()
        deliver("too late")

    thread = Thread(target=tell)
    thread.start()
    del receiver
    gc.collect()
    assert gone() is None
    go.set()
    thread.join()
    settle()


def test_a_receiver_that_qt_has_destroyed_hears_nothing(qapp: QApplication) -> None:
    parent, receiver = QObject(), Receiver()
    receiver.setParent(parent)
    told_from_a_thread(call_in_gui_thread(receiver.hear), "news")
    shiboken6.delete(parent)
    settle()
    assert receiver.heard == []


class Helper:
    """Belongs to a Qt object, and is none."""

    def __init__(self) -> None:
        self.heard: list[object] = []

    def hear(self, news: object) -> None:
        self.heard.append(news)


def test_a_helper_hears_nothing_once_its_owner_is_destroyed(qapp: QApplication) -> None:
    owner, helper = QObject(), Helper()
    deliver = call_in_gui_thread(helper.hear, owner)
    told_from_a_thread(deliver, "news")
    settle()
    told_from_a_thread(deliver, "too late")
    shiboken6.delete(owner)
    settle()
    assert helper.heard == ["news"]
