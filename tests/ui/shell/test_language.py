"""Dates and times on the screens, in the viewer's language and clock."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import QLocale, QTime, QTimer
from PySide6.QtWidgets import QFileDialog, QLabel, QSpinBox, QToolButton

from tabletop.language.languages import LANGUAGES
from tabletop.language.words import Words
from tests.ui.window_driver import Open
from ui.shell.language import local_time, when_text
from ui.widgets import file_dialogs


@pytest.fixture
def tokyo(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the clock's zone is the system's alone")
@pytest.mark.usefixtures("tokyo")
def test_a_moment_is_told_by_the_clock_of_who_looks() -> None:
    assert local_time(datetime(2026, 1, 1, 12, 30, tzinfo=UTC)).time() == QTime(21, 30)
    assert when_text(Words("ja"), datetime(2025, 12, 31, 20, 0, tzinfo=UTC)) == "2026年1月1日木曜日"


def test_days_are_told_as_people_say_them() -> None:
    now = datetime.now(UTC)
    long_ago = now - timedelta(days=400)
    assert when_text(Words("en"), now).startswith("today ")
    assert when_text(Words("en"), long_ago).endswith(str(long_ago.astimezone().year))


def test_the_file_dialog_has_its_icons_and_its_words(opened: Open) -> None:
    window = opened(language="ja")
    latin: list[str] = []
    bare: list[str] = []

    def look() -> None:
        dialog = window.findChild(QFileDialog)
        latin.extend(each.text() for each in dialog.findChildren(QLabel) if each.text().isascii())
        bare.extend(each.toolTip() for each in dialog.findChildren(QToolButton) if no_icon(each))
        looked.append(len(dialog.findChildren(QToolButton)))
        dialog.reject()

    looked: list[int] = []
    QTimer.singleShot(0, window, look)
    file_dialogs.ask_where_to_save(window, window.context.words, "保存", "a.tabletop", "*.tabletop")
    (buttons,) = looked
    assert buttons > 3
    assert not [text for text in latin if text], "Qt has these in Japanese"
    assert bare == []


def no_icon(button: QToolButton) -> bool:
    """Whether a button has no room for its icon, or shows none."""
    side = button.iconSize().width()
    picture = button.grab().toImage()
    middle = range(picture.width() // 2 - side // 2, picture.width() // 2 + side // 2)
    inks = {picture.pixel(x, picture.height() // 2) for x in middle}
    return (
        min(button.contentsRect().width(), button.contentsRect().height()) < side or len(inks) < 2
    )


@pytest.fixture
def egypt() -> Iterator[None]:
    """A desktop that writes numbers with other digits."""
    before = QLocale()
    QLocale.setDefault(QLocale("ar_EG"))
    assert QLocale().toString(700) == "٧٠٠"
    yield
    QLocale.setDefault(before)


@pytest.mark.usefixtures("egypt")
@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_are_written_in_the_programs_language(opened: Open, language: str) -> None:
    window = opened(language=language)
    made = QSpinBox(window)
    made.setMaximum(1000)
    made.setValue(700)
    assert made.text() == "700"
    window.context.change_settings(language="en" if language == "ja" else "ja")
    assert window.locale().name()[:2] == window.context.words.language
    assert made.text() == "700"
