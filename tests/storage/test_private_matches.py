"""Matches of a home are for its person alone, whatever the system's habits are."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop.files import background_writes
from tabletop.storage import record, saved_matches, statistics
from tests.private_files import is_private
from tests.storage.begun_matches import begun
from tests.storage.corpus import LATEST
from tests.storage.played_matches import play


@pytest.fixture
def open_habits() -> Iterator[None]:
    """Let new files be readable by everybody, unless they are made otherwise."""
    before = os.umask(0)
    yield
    os.umask(before)


def shown(home: Path) -> list[str]:
    """The files of a home that others can read."""
    background_writes.finish()
    files = [each for each in home.rglob("*") if each.is_file()]
    assert files
    return [each.name for each in files if not is_private(each)]


@pytest.mark.usefixtures("open_habits")
def test_whatever_a_match_writes_is_private(home: Path) -> None:
    match = begun(0, "private")
    play(match)
    path = match.journal.path
    match.journal.close()
    with statistics.open_statistics():
        pass
    saved_matches.resume(path)
    record.save(record.read(path), home / "matches" / "copy.tabletop")
    assert shown(home) == []


@pytest.mark.skipif(os.name != "posix", reason="modes do nothing")
def test_a_match_of_an_older_program_is_closed_to_others(home: Path) -> None:
    path = begun(0, "older").journal.path
    path.chmod(0o644)
    saved_matches.resume(path)
    assert is_private(path)


@pytest.mark.usefixtures("open_habits")
def test_a_replay_that_is_copied_stays_as_it_is(tmp_path: Path) -> None:
    given = Path(shutil.copyfile(LATEST / "sun-2.tabletop", tmp_path / "given.tabletop"))
    record.read(given)
    assert not is_private(given) or os.name != "posix"
