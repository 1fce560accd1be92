"""Writes that the window doesn't wait for."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from tabletop.files import background_writes
from tabletop.files.errors import StorageError
from tabletop.storage import settings
from tabletop.storage.settings import DeferredSettingsWriter, Settings

LONGEST = 60.0
"""Seconds after which a test that waits has failed."""
ROOT = Path(__file__).parents[2]


@pytest.fixture
def woken() -> Iterator[threading.Semaphore]:
    """Own the writes of this process; released each time that something was written."""
    before, semaphore = background_writes._wake, threading.Semaphore(0)
    assert background_writes.finish(LONGEST)
    background_writes.take_errors()
    background_writes.set_owner(semaphore.release)
    yield semaphore
    background_writes.finish(LONGEST)
    background_writes.set_owner(before)


def refuse() -> None:
    raise StorageError('Can\'t write "{file}": the disk is full.', file="a")


def test_a_refusal_is_told_to_the_owner_and_the_rest_is_written(
    woken: threading.Semaphore,
) -> None:
    written: list[int] = []
    background_writes.add(refuse)
    background_writes.add(lambda: written.append(threading.get_ident()))
    assert background_writes.finish(LONGEST)
    assert woken.acquire(timeout=LONGEST)
    assert [str(error) for error in background_writes.take_errors()] == [
        'Can\'t write "a": the disk is full.'
    ]
    assert background_writes.take_errors() == []
    assert written
    assert threading.get_ident() not in written


def test_a_write_may_read_what_it_changes(woken: threading.Semaphore) -> None:
    """Reading waits for all writes but the one that reads."""
    read: list[Settings] = []
    settings.save(Settings(volume=3))
    background_writes.add(lambda: read.append(settings.load()[0]))
    assert background_writes.finish(LONGEST)
    assert [each.volume for each in read] == [3]


def test_what_waits_is_written_together_and_the_newest_wins(
    woken: threading.Semaphore, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved: list[tuple[Settings, Settings | None]] = []
    let_go = threading.Event()
    background_writes.add(lambda: let_go.wait(LONGEST))
    monkeypatch.setattr(settings, "save", lambda values, base: saved.append((values, base)))
    writer, before = DeferredSettingsWriter(), Settings()
    for volume in range(5):
        now = replace(before, volume=volume)
        writer.save(now, before)
        before = now
    newest = replace(before, sounds=False)
    writer.save(newest, before)
    let_go.set()
    assert background_writes.finish(LONGEST)
    assert saved == [(newest, Settings())]


def test_refused_settings_are_written_with_the_next_change(
    woken: threading.Semaphore, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved: list[tuple[Settings, Settings | None]] = []

    def save(values: Settings, base: Settings | None) -> None:
        saved.append((values, base))
        if len(saved) == 1:
            refuse()

    monkeypatch.setattr(settings, "save", save)
    writer = DeferredSettingsWriter()
    first, second = Settings(volume=1), Settings(volume=1, sounds=False)
    writer.save(first, Settings())
    assert background_writes.finish(LONGEST)
    assert not writer.has_no_error
    assert len(background_writes.take_errors()) == 1
    writer.save(second, first)
    assert background_writes.finish(LONGEST)
    assert writer.has_no_error
    assert saved == [(first, Settings()), (second, Settings())]
    assert background_writes.take_errors() == []


ENDING = """
import sys, time
from pathlib import Path
from tabletop.files import background_writes

background_writes.add(lambda: time.sleep(0.2))
background_writes.add(lambda: Path(sys.argv[1]).write_text("written"))
"""


def test_a_process_that_ends_finishes_its_writes(tmp_path: Path) -> None:
    file = tmp_path / "file"
    subprocess.run([sys.executable, "-c", ENDING, str(file)], cwd=ROOT, check=True, timeout=LONGEST)
    assert file.read_text() == "written"


STARTING = """
import sys, threading
from tabletop.storage import settings

settings.load()
assert threading.active_count() == 1
assert not {"tabletop.files.disk_pool", "tabletop.files.ordered_writer"} & set(sys.modules)
"""


def test_the_start_needs_no_writer() -> None:
    subprocess.run([sys.executable, "-c", STARTING], cwd=ROOT, check=True, timeout=LONGEST)


def test_without_a_window_refusals_are_logged(
    woken: threading.Semaphore, caplog: pytest.LogCaptureFixture
) -> None:
    told = threading.Event()

    def log_errors() -> None:
        background_writes._log_errors()
        told.set()

    background_writes.set_owner(log_errors)
    background_writes.add(refuse)
    assert told.wait(LONGEST)
    assert "the disk is full" in caplog.text


def test_closing_waits_for_the_call_that_wakes_the_owner(
    woken: threading.Semaphore,
) -> None:
    """The owner may be gone afterwards; writes that come later are done all the same."""
    waking, let_go, calls = threading.Event(), threading.Event(), []

    def wake() -> None:
        waking.set()
        assert let_go.wait(LONGEST)
        calls.append("woken")

    background_writes.set_owner(wake)
    background_writes.add(lambda: None)
    assert waking.wait(LONGEST)
    threading.Timer(0.05, let_go.set).start()
    background_writes.close()
    assert calls == ["woken"]
    background_writes.set_owner(woken.release)
    written: list[int] = []
    background_writes.add(lambda: written.append(1))
    assert background_writes.finish(LONGEST)
    assert written == [1]
