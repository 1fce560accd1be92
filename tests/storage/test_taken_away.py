"""The file of an open match is taken away: it is written again, or nothing more is acknowledged."""

import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic_ns, sleep

import pytest

from tabletop.catalogue import catalogue
from tabletop.engine.model import Reason
from tabletop.files import folders
from tabletop.files.errors import StorageError
from tabletop.match.match import Match, Player
from tabletop.storage import saved_matches
from tabletop.storage.journal import JournalFile
from tabletop.storage.record import read, replay
from tests.storage.begun_matches import ROOT, begun
from tests.storage.played_matches import play
from tests.storage.processes import writing

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="no open file is deleted, moved or replaced there"
)
Taking = Callable[[Path], None]
FOREIGN = b"something else\n"


def delete(path: Path) -> None:
    path.unlink()


def move(path: Path) -> None:
    path.rename(path.with_suffix(".elsewhere"))


def replace(path: Path) -> None:
    other = path.with_suffix(".other")
    other.write_bytes(FOREIGN)
    other.replace(path)


def put_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def move_folder(path: Path) -> None:
    path.parent.rename(path.parent.with_name("elsewhere"))


def delete_folder(path: Path) -> None:
    move_folder(path)
    shutil.rmtree(path.parent.with_name("elsewhere"))


def move_home(path: Path) -> None:
    home = folders.data()
    home.rename(home.with_name("elsewhere"))


WAYS = (delete, move, replace, put_folder, move_folder, delete_folder, move_home)
KILLS = 200 if os.environ.get("TABLETOP_LONG") else len(WAYS)


def played(path: Path, seed: str, chance: random.Random, take: Taking) -> int:
    """Play in another process, take its file away meanwhile, kill it after a later move; return how
    many entries it had acknowledged."""
    child = subprocess.Popen(
        [sys.executable, "-m", writing.__name__, str(path), seed], stdout=subprocess.PIPE, cwd=ROOT
    )
    assert child.stdout.readline() == b"ready\n"
    lines = [child.stdout.readline() for _ in range(chance.randrange(1, 30))]
    take(path)
    taken = monotonic_ns()
    while int(lines[-1].split()[1]) <= taken:
        lines.append(child.stdout.readline())
    lines += [child.stdout.readline() for _ in range(chance.randrange(8))]
    sleep(chance.random() * 0.004)
    child.send_signal(signal.SIGKILL)
    lines += child.communicate()[0].splitlines()
    assert child.returncode == -signal.SIGKILL
    return max(int(line.split()[0]) for line in lines)


@pytest.mark.parametrize("trial", range(KILLS))
def test_every_move_that_was_shown_is_on_the_disk(trial: int) -> None:
    chance, seed = random.Random(trial), f"taken/{trial}"
    take = WAYS[trial % len(WAYS)]
    match = begun(trial, seed)
    path = match.journal.path
    match.journal.close()
    acknowledged = played(path, seed, chance, take)
    record = read(path)
    assert acknowledged <= len(record.entries) <= acknowledged + 1
    assert replay(record).record == list(record.entries)


def test_where_it_cannot_be_written_again_no_move_is_shown(tmp_path: Path) -> None:
    def take(path: Path) -> None:
        move_folder(path)
        path.parent.write_text("no folder")

    match = begun(0, "refused")
    path = match.journal.path
    match.journal.close()
    acknowledged = played(path, "refused", random.Random("refused"), take)
    kept = read(path.parent.with_name("elsewhere") / path.name)
    assert len(kept.entries) == acknowledged


def table() -> tuple[Match, JournalFile]:
    """A match of two persons, three moves old."""
    players = (Player("Ann"), Player("Bea"))
    match = saved_matches.begin(catalogue.load("sun"), players, seed="taken away")
    play(match, 3)
    assert isinstance(match.journal, JournalFile)
    return match, match.journal


@pytest.mark.parametrize("take", WAYS)
def test_a_replacement_is_reported_at_once_and_once(take: Taking, told: list[Reason]) -> None:
    match, journal = table()
    take(journal.path)
    play(match, 1)
    assert [reason.text.partition(".")[0] for reason in told] == [
        '"{file}" was deleted, moved or replaced while its match was open'
    ]
    play(match, 2)
    assert len(told) == 1
    assert read(journal.path).entries == tuple(match.record)


def test_a_file_in_its_place_is_set_aside_unharmed(told: list[Reason]) -> None:
    match, journal = table()
    replace(journal.path)
    play(match, 1)
    (aside,) = journal.path.parent.glob("*.broken-*")
    assert aside.read_bytes() == FOREIGN


def test_a_match_that_is_left_after_it_was_deleted(told: list[Reason]) -> None:
    match, journal = table()
    journal.path.unlink()
    journal.write_closing_mark()
    journal.close()
    assert len(told) == 1
    assert saved_matches.resume(journal.path).state == match.state


def test_a_match_in_its_place_that_another_window_plays(told: list[Reason]) -> None:
    match, journal = table()
    copy = journal.path.with_suffix(".copy")
    shutil.copy(journal.path, copy)
    copy.replace(journal.path)
    other = saved_matches.resume(journal.path)
    state = match.state
    with pytest.raises(StorageError, match="is open in another window"):
        play(match, 1)
    assert match.state is state
    play(other, 1)
    assert len(read(journal.path).entries) == 4


def test_the_refusing_file_is_named_in_one_sentence(told: list[Reason]) -> None:
    match, journal = table()
    move_folder(journal.path)
    journal.path.parent.write_text("no folder")
    state = match.state
    with pytest.raises(StorageError, match="and can't be written again: ") as refused:
        play(match, 1)
    assert str(refused.value).count(journal.path.name) == 1
    assert match.state is state
    journal.path.parent.unlink()
    play(match, 1)
    assert read(journal.path).entries == tuple(match.record)
