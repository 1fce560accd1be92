"""Announcements, by the way that the screen reader hears."""

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.ui.accessibility.reader import Role, children, name
from ui.shell import announcement_listeners
from ui.shell.announcement_listeners import hears_announcements
from ui.widgets import announcer
from ui.widgets.announcer import ScreenReaderAnnouncer


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
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr(announcement_listeners, "_registered_events", lambda: listened)
    assert hears_announcements() is bool(heard)


def test_elsewhere_announcements_are_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "win32")
    assert hears_announcements()


@pytest.mark.parametrize("heard", [True, False])
def test_each_is_told_by_one_way(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, heard: bool
) -> None:
    events: list[QAccessible.Event] = []
    monkeypatch.setattr(
        announcer.QAccessible, "updateAccessibility", lambda event: events.append(event.type())
    )
    monkeypatch.setattr(announcer, "hears_announcements", lambda: heard)
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
