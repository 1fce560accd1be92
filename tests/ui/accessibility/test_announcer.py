"""Announcements, by the way that the screen reader hears."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QObject
from PySide6.QtDBus import QDBusConnection
from PySide6.QtGui import QAccessible, QAccessibleEvent, QAccessibleInterface
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.ui.accessibility.reader import Role, children, described, name
from tests.ui.window_driver import settle
from ui.shell import announcement_listeners
from ui.shell.announcement_listeners import detect_announcement_listeners
from ui.widgets import announcer, notifications
from ui.widgets.announcer import ScreenReaderAnnouncer
from ui.widgets.utterance import Utterance


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
    monkeypatch.setattr(
        announcement_listeners, "call_async", lambda *words: words[5](Answer(listened))
    )
    detect_announcement_listeners(QObject(), told.append)
    assert told == [bool(heard)]


def test_elsewhere_announcements_are_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "win32")
    told: list[bool] = []
    detect_announcement_listeners(QObject(), told.append)
    assert told == [True]


Told = list[tuple[QAccessible.Event, str]]


@pytest.fixture
def speaker(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> ScreenReaderAnnouncer:
    monkeypatch.setattr(ScreenReaderAnnouncer, "screen_reader_active", True)
    widget = QWidget()
    qtbot.addWidget(widget)
    return ScreenReaderAnnouncer(widget)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Told:
    """What comes up, or is announced, with the name that it has then."""
    kinds = (QAccessible.Event.Announcement, QAccessible.Event.ObjectShow)
    events: Told = []

    def note(event: QAccessibleEvent) -> None:
        if event.type() in kinds:
            thing = event.accessibleInterface()
            events.append((event.type(), name(thing) if thing.role() is Role.Notification else ""))

    monkeypatch.setattr(QAccessible, "updateAccessibility", note)
    return events


@pytest.mark.parametrize("heard", [True, False])
def test_each_is_told_by_one_way(
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    speaker: ScreenReaderAnnouncer,
    told: Told,
    heard: bool,
) -> None:
    monkeypatch.setattr(announcer, "detect_announcement_listeners", lambda _, tell: tell(heard))
    speaker.say("Mugi wins")
    qtbot.waitUntil(lambda: bool(told))
    kind = QAccessible.Event.Announcement if heard else QAccessible.Event.ObjectShow
    assert [each for each, _ in told] == [kind]
    bars = [
        each
        for each in children(QAccessible.queryAccessibleInterface(speaker.parent()))
        if each.role() is Role.StatusBar
    ]
    assert len(bars) == (0 if heard else 1)


def held(speaker: ScreenReaderAnnouncer) -> list[QAccessibleInterface]:
    """The notifications that a reader can read."""
    (bar,) = (
        each
        for each in children(QAccessible.queryAccessibleInterface(speaker.parent()))
        if each.role() is Role.StatusBar
    )
    return list(children(bar))


def read_out(speaker: ScreenReaderAnnouncer) -> str:
    """Read the latest notification as Orca does, and what it says."""
    latest = held(speaker)[-1]
    said = name(latest)
    described(latest)
    described(latest)  # for a braille display
    return said


def test_nothing_overtakes_what_is_not_read_yet(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, speaker: ScreenReaderAnnouncer, told: Told
) -> None:
    monkeypatch.setattr(announcer, "detect_announcement_listeners", lambda _, tell: tell(False))
    texts = [f"Mugi plays {number}" for number in range(3)]
    for text in texts:
        speaker.say(text)
    for number, text in enumerate(texts, 1):
        qtbot.waitUntil(lambda number=number: len(told) == number)
        settle()
        assert [each for _, each in told] == texts[:number]
        assert read_out(speaker) == text
    settle()
    assert len(told) == len(texts), "what was read is not told again"


def test_what_nobody_reads_is_told_again(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, speaker: ScreenReaderAnnouncer, told: Told
) -> None:
    monkeypatch.setattr(announcer, "detect_announcement_listeners", lambda _, tell: tell(False))
    monkeypatch.setattr(notifications, "ATTEMPT_INTERVALS", (1, 1000))
    speaker.say("Mugi wins")
    speaker.say("Hotaru is second")
    qtbot.waitUntil(lambda: len(told) > 1)
    settle()
    assert [text for _, text in told] == ["Mugi wins", "Mugi wins"]
    assert len(held(speaker)) == 1, "the first can't be read any more"
    read_out(speaker)
    qtbot.waitUntil(lambda: len(told) > 2)
    assert told[-1][1] == "Hotaru is second"


def test_where_nobody_reads_nothing_waits(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, speaker: ScreenReaderAnnouncer, told: Told
) -> None:
    monkeypatch.setattr(announcer, "detect_announcement_listeners", lambda _, tell: tell(False))
    monkeypatch.setattr(notifications, "ATTEMPT_INTERVALS", (1,))
    texts = [f"Mugi plays {number}" for number in range(notifications.MAX_KEPT + 1)]
    for text in texts:
        speaker.say(text)
    qtbot.waitUntil(lambda: len(told) == len(texts))
    settle()
    assert [text for _, text in told] == texts
    assert [name(each) for each in held(speaker)] == texts[1:], "a slow reader reads them only now"
    read_out(speaker)
    monkeypatch.setattr(notifications, "ATTEMPT_INTERVALS", (1000,))
    speaker.say("Mugi wins")
    speaker.say("Hotaru is second")
    qtbot.waitUntil(lambda: len(told) > len(texts))
    settle()
    assert told[-1][1] == "Mugi wins", "somebody reads again"


def test_what_is_done_then_waits_until_all_was_read(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, speaker: ScreenReaderAnnouncer, told: Told
) -> None:
    monkeypatch.setattr(announcer, "detect_announcement_listeners", lambda _, tell: tell(False))
    speaker._bound.setInterval(3_600_000)
    done: list[str] = []
    speaker.run_when_read(lambda: done.append("nothing was said"))
    assert done == ["nothing was said"]
    speaker.say("Mugi wins")
    speaker.run_when_read(lambda: done.append("read"))
    qtbot.waitUntil(lambda: bool(told))
    settle()
    assert "read" not in done
    read_out(speaker)
    qtbot.waitUntil(lambda: "read" in done)
    speaker._bound.setInterval(0)
    speaker.say("Hotaru is second")
    speaker.run_when_read(lambda: done.append("late"))
    qtbot.waitUntil(lambda: "late" in done)


def test_nothing_is_told_while_the_program_is_busy(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, speaker: ScreenReaderAnnouncer, told: Told
) -> None:
    monkeypatch.setattr(announcer, "detect_announcement_listeners", lambda _, tell: tell(False))
    late = iter([True, True, False])
    tried: list[int] = []

    def elapsed(_: object) -> int:
        tried.append(len(told))
        return announcer.IDLE_DELAY_MS + announcer.BUSY_AFTER_MS + next(late)

    monkeypatch.setattr(announcer.QElapsedTimer, "elapsed", elapsed)
    speaker.say("Mugi wins")
    assert told == []
    qtbot.waitUntil(lambda: bool(told))
    assert tried == [0, 0, 0]


def test_what_is_urgent_is_told_alone(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, speaker: ScreenReaderAnnouncer, told: Told
) -> None:
    monkeypatch.setattr(announcer, "detect_announcement_listeners", lambda _, tell: tell(False))
    speaker.say("Player 1 draws Violet still")
    speaker.say("Curtain for Player 2", urgent=True)
    qtbot.waitUntil(lambda: bool(told))
    assert [text for _, text in told] == ["Curtain for Player 2"]


def test_what_is_urgent_overtakes_what_waits_for_an_answer(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, speaker: ScreenReaderAnnouncer, told: Told
) -> None:
    waiting: list[Callable[[bool], object]] = []
    monkeypatch.setattr(
        announcer, "detect_announcement_listeners", lambda _, tell: waiting.append(tell)
    )
    speaker.say("Your hand: the fox")
    qtbot.waitUntil(lambda: len(waiting) == 1)
    speaker.say("Closed, for Mugi", urgent=True)
    qtbot.waitUntil(lambda: len(waiting) == 2)
    assert told == [], "no answer has come yet, and nobody has waited"
    for tell in waiting:
        tell(False)
    assert [text for _, text in told] == ["Closed, for Mugi"]


@pytest.mark.parametrize("heard", [True, False])
def test_what_is_no_longer_true_is_not_told(
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    speaker: ScreenReaderAnnouncer,
    told: Told,
    heard: bool,
) -> None:
    monkeypatch.setattr(announcer, "detect_announcement_listeners", lambda _, tell: tell(heard))
    read: list[str] = []
    stale = Utterance("Choose a weapon", is_current=lambda: False, on_read=lambda: read.append("?"))
    speaker.send(stale)
    speaker.send(Utterance("Mugi wins", on_read=lambda: read.append("!")))
    qtbot.waitUntil(lambda: bool(told))
    if not heard:
        assert [text for _, text in told] == ["Mugi wins"]
        assert read == []
        read_out(speaker)
    qtbot.waitUntil(lambda: read == ["!"])
    assert len(told) == 1


def test_what_was_answered_while_it_waited_is_not_told_again(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, speaker: ScreenReaderAnnouncer, told: Told
) -> None:
    monkeypatch.setattr(announcer, "detect_announcement_listeners", lambda _, tell: tell(False))
    monkeypatch.setattr(notifications, "ATTEMPT_INTERVALS", (1, 1000))
    is_open = [True]
    speaker.send(Utterance("Choose a weapon", is_current=lambda: is_open[0]))
    speaker.say("Mugi attacks")
    qtbot.waitUntil(lambda: bool(told))
    is_open[0] = False
    qtbot.waitUntil(lambda: len(told) > 1)
    assert [text for _, text in told] == ["Choose a weapon", "Mugi attacks"]


@pytest.mark.parametrize("heard", [True, False])
def test_long_work_waits_until_a_reader_has_asked_all(
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    speaker: ScreenReaderAnnouncer,
    told: Told,
    heard: bool,
) -> None:
    monkeypatch.setattr(announcer, "detect_announcement_listeners", lambda _, tell: tell(heard))
    speaker._bound.setInterval(0)
    done: list[str] = []
    speaker.say("Mugi wins")
    speaker.run_when_heard(lambda: done.append("search"))
    qtbot.waitUntil(lambda: bool(told))
    settle()
    assert done == []
    if not heard:
        read_out(speaker)
    qtbot.waitUntil(lambda: done == ["search"])
