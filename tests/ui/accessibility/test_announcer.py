"""Announcements, by the way that the screen reader hears."""

import pytest
from PySide6.QtCore import QObject
from PySide6.QtDBus import QDBusConnection
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.ui.accessibility.reader import Role, children, name
from ui.shell import announcement_listeners
from ui.shell.announcement_listeners import tell_whether_heard
from ui.widgets import announcer
from ui.widgets.announcer import ScreenReaderAnnouncer


class Answer:
    """An answer of the accessibility bus."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


@pytest.mark.parametrize(
    ("listened", "heard"),
    [
        ('[Argument: (ss) ":1.0", "Object:StateChanged:Showing"], [":1.0", "Window:Activate:"]', 0),
        ('[Argument: (ss) ":1.0", "Focus::"], [Argument: (ss) ":1.0", "Object:Announcement:"]', 1),
        ('[Argument: (ss) ":1.0", "Object::"]', 1),
        ("", 0),
    ],
)
def test_only_listeners_hear_announcements(
    monkeypatch: pytest.MonkeyPatch, listened: str, heard: bool
) -> None:
    told: list[bool] = []
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr(QDBusConnection, "isConnected", lambda _: True)
    monkeypatch.setattr(announcement_listeners, "ask", lambda *words: words[5](Answer(listened)))
    tell_whether_heard(QObject(), told.append)
    assert told == [bool(heard)]


def test_elsewhere_announcements_are_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "win32")
    told: list[bool] = []
    tell_whether_heard(QObject(), told.append)
    assert told == [True]


@pytest.mark.parametrize("heard", [True, False])
def test_each_is_told_by_one_way(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, heard: bool
) -> None:
    events: list[QAccessible.Event] = []
    monkeypatch.setattr(
        announcer.QAccessible, "updateAccessibility", lambda event: events.append(event.type())
    )
    monkeypatch.setattr(announcer, "tell_whether_heard", lambda _, tell: tell(heard))
    monkeypatch.setattr(ScreenReaderAnnouncer, "heard", True)
    widget = QWidget()
    qtbot.addWidget(widget)
    speaker = ScreenReaderAnnouncer(widget)
    for _ in range(2):
        speaker.say("Mugi wins")
    kind = QAccessible.Event.Announcement if heard else QAccessible.Event.ObjectShow
    assert [each for each in events if each is kind] == [kind, kind]
    interface = QAccessible.queryAccessibleInterface(widget)
    bars = [each for each in children(interface) if each.role() is Role.StatusBar]
    assert len(bars) == (0 if heard else 1)
    for bar in bars:
        assert [(each.role(), name(each)) for each in children(bar)] == [
            (Role.Notification, "Mugi wins")
        ]


def test_what_is_urgent_overtakes_what_waits(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = []
    monkeypatch.setattr(announcer, "tell_whether_heard", lambda _, tell: waiting.append(tell))
    monkeypatch.setattr(ScreenReaderAnnouncer, "heard", True)
    widget = QWidget()
    qtbot.addWidget(widget)
    speaker, said = ScreenReaderAnnouncer(widget), list[str]()
    speaker.spoken.connect(said.append)
    speaker.say("Your hand: the fox")
    speaker.say("Closed, for Mugi", urgent=True)
    assert said == [], "no answer has come yet, and nobody has waited"
    for tell in waiting:
        tell(True)
    assert said == ["Closed, for Mugi"]
