"""What the screens say of moments, in the language and by the clock of who looks."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import QTime

from tabletop.language.words import Words
from ui.shell.language import local_time, when_text


@pytest.fixture
def tokyo(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("tokyo")
def test_a_moment_is_told_by_the_clock_of_who_looks() -> None:
    assert local_time(datetime(2026, 1, 1, 12, 30, tzinfo=UTC)).time() == QTime(21, 30)
    assert when_text(Words("ja"), datetime(2025, 12, 31, 20, 0, tzinfo=UTC)) == "2026年1月1日木曜日"


def test_days_are_told_as_people_say_them() -> None:
    now = datetime.now(UTC)
    long_ago = now - timedelta(days=400)
    assert when_text(Words("en"), now).startswith("today ")
    assert when_text(Words("en"), long_ago).endswith(str(long_ago.astimezone().year))
