"""An exported home is read in a worker process: what goes wrong there is one sentence, and changes
nothing here."""

import os
import signal
from pathlib import Path

import pytest
from msgspec.structs import replace

from tabletop.background import worker_process
from tabletop.background.worker_process import WorkerTask, limits_for
from tabletop.catalogue import receiving
from tabletop.commands.command_line import main
from tabletop.commands.home import MAX_REMARKS
from tabletop.files import folders, packed_files
from tabletop.files.errors import BadFile, StorageError
from tabletop.files.packed_files import MAX_FILES_OF_SMALL_PACK, FileToPack, pack
from tabletop.games import guarded_workbook, received_games
from tabletop.games.folder_content import read_game_files
from tabletop.home import guarded_unpacking, hosted_tables, merge
from tabletop.home.home_file import HOME_FORMAT, NOTE_FILE, export_home
from tabletop.home.merge import MAX_TRASH_DAYS
from tabletop.storage import playtest_notes
from tabletop.storage.match_import import ImportOutcome, relock_content
from tabletop.storage.record import MAX_RECORD_LINES
from tests.home.crafted_exports import imported
from tests.home.kept_things import added_game, begun, received_game
from tests.studio.workshop.workbooks import xlsx

Ending = guarded_unpacking.UnpackedHome | guarded_unpacking._Refusal
TIME = 1_700_000_000.0


def crash(_: guarded_unpacking._UnpackArguments) -> Ending:
    os.abort()


def loop(_: guarded_unpacking._UnpackArguments) -> Ending:
    while True:
        pass


def fill_memory(_: guarded_unpacking._UnpackArguments) -> Ending:
    held = []
    while True:
        held.append(bytes(10**7))


def fail(_: guarded_unpacking._UnpackArguments) -> Ending:
    raise KeyError


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    pack(tmp_path / "home.gz", HOME_FORMAT, [FileToPack("matches/a.tabletop", b"x", TIME)])
    return tmp_path / "home.gz"


@pytest.mark.parametrize(
    ("task", "sentence"),
    [
        (crash, '"home.gz" can\'t be read: it is damaged.'),
        (fail, '"home.gz" can\'t be read: it is damaged.'),
        (loop, '"home.gz" takes longer to read than any home.'),
        (fill_memory, '"home.gz" holds more than any home.'),
    ],
)
def test_a_reader_that_ends_changes_nothing(
    task: object, sentence: str, file: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = replace(limits_for(0), cpu=0.5)
    monkeypatch.setattr(guarded_unpacking, "_limits_for", lambda size: limits)
    monkeypatch.setattr(guarded_unpacking, "_UNPACK_TASK", WorkerTask(task))  # type: ignore[arg-type]
    with pytest.raises(BadFile) as refused:
        merge.merge_home(file)
    assert str(refused.value) == sentence
    assert list(home.iterdir()) == []
    assert not worker_process._running_calls


def test_all_games_are_read_in_one_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    received = received_game()
    files = {
        f"received/{received.name}/{name}": each for name, each in read_game_files(received).items()
    }
    files[f"received/{received.name}/{NOTE_FILE}"] = (
        received / received_games.NOTE_FILE
    ).read_bytes()
    files |= {f"games/pond/{name}": each for name, each in read_game_files(added_game()).items()}
    files["games/pond/cards.xlsx"] = xlsx({"Cards": [["name"], ["Shell"]]})
    file = tmp_path / "home.gz"
    pack(file, HOME_FORMAT, (FileToPack(name, content, TIME) for name, content in files.items()))
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "new"))
    for module in (receiving, guarded_workbook):
        monkeypatch.delattr(module, "WorkerCall")
    merged = merge.merge_home(file)
    assert (merged.games, merged.remarks) == (2, [])


def test_a_small_file_of_many_files_is_refused_unwritten(tmp_path: Path, home: Path) -> None:
    names = [f"matches/{number}.tabletop" for number in range(MAX_FILES_OF_SMALL_PACK + 1_000)]
    with pytest.raises(BadFile, match="holds more files than one of its size can"):
        imported(tmp_path, *((name, b"") for name in names))
    assert list(home.iterdir()) == []
    file = tmp_path / "own.gz"
    with pytest.raises(StorageError, match="holds more files than one of its size can"):
        pack(file, HOME_FORMAT, (FileToPack(name, b"", TIME) for name in names))
    assert not file.exists()


def test_the_matches_of_some_years_are_taken_in(tmp_path: Path) -> None:
    count = 3_000
    file = tmp_path / "home.gz"
    pack(
        file,
        HOME_FORMAT,
        (
            FileToPack(f"replays/{number}.tabletop", os.urandom(600), TIME)
            for number in range(count)
        ),
    )
    assert merge.merge_home(file).matches == {ImportOutcome.NEW: count}


def test_a_long_name_in_a_header_is_read_in_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = 3 * 2**20
    file = tmp_path / "home.gz"
    file.write_bytes(b"\x1f\x8b\x08\x08" + bytes(6) + b"x" * size)
    pieces: list[int] = []
    opened = packed_files.open_regular

    class Counted:
        def __init__(self, path: Path) -> None:
            self._file = opened(path)

        def __enter__(self) -> "Counted":
            return self

        def __exit__(self, *_: object) -> None:
            self._file.close()

        def read(self, most: int) -> bytes:
            pieces.append(most)
            return self._file.read(most) or b""

    monkeypatch.setattr(packed_files, "open_regular", Counted)
    with pytest.raises(BadFile, match="no whole file"):
        packed_files.unpack(file, HOME_FORMAT, tmp_path)
    assert 0 < len(pieces) < 100


def test_more_days_of_trash_than_there_can_be_are_left(tmp_path: Path) -> None:
    file = tmp_path / "home.gz"
    days = range(MAX_TRASH_DAYS + 1)
    pack(file, HOME_FORMAT, (FileToPack(f"trash/{day}/a.tabletop", b"x", TIME) for day in days))
    assert merge.merge_home(file).remarks == [
        f"The trash of the other computer has more than {MAX_TRASH_DAYS} days: its matches are "
        "missing."
    ]
    assert not folders.trash().exists()


def test_more_tables_than_anybody_hosts_are_left(tmp_path: Path) -> None:
    file = tmp_path / "home.gz"
    tables = range(hosted_tables.MAX_TABLES + 1)
    pack(file, HOME_FORMAT, (FileToPack(f"hosted/{name}.table", b"{}", TIME) for name in tables))
    (remark,) = merge.merge_home(file).remarks
    assert f"more than {hosted_tables.MAX_TABLES} tables" in remark


def test_a_record_of_more_lines_than_any_is_not_split() -> None:
    content = b"\n" * (MAX_RECORD_LINES + 1)
    assert relock_content(content, "a.tabletop", bytes(32)) is content


def test_notes_that_are_here_are_not_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = begun("one", 3)
    first, second = (playtest_notes.make_note(text, 3, 0) for text in ("slow", "fast"))
    playtest_notes.add(playtest_notes.notes_path(path), first)
    file = tmp_path / "home.gz"
    export_home(file)
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "new"))
    merge.merge_home(file)
    notes = playtest_notes.notes_path(folders.matches() / path.name)
    assert playtest_notes.notes(notes) == (first,)
    before = notes.stat().st_ino
    assert merge.merge_home(file).remarks == []
    assert notes.stat().st_ino == before
    notes.unlink()
    playtest_notes.add(notes, second)
    merge.merge_home(file)
    assert {note.text for note in playtest_notes.notes(notes)} == {"slow", "fast"}


def test_an_interrupt_waits_until_the_files_are_merged(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored
    interrupted = merge.seal.import_key

    def interrupt(path: Path) -> bytes | None:
        signal.raise_signal(signal.SIGINT)
        return interrupted(path)

    monkeypatch.setattr(merge.seal, "import_key", interrupt)
    assert merge.merge_home(file).matches == {ImportOutcome.NEW: 1}
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    signal.signal(signal.SIGINT, before)


def test_a_stranger_prints_no_thousands_of_remarks(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "home.gz"
    tables = range(MAX_REMARKS + 7)
    pack(file, HOME_FORMAT, (FileToPack(f"hosted/{name}.table", b"{}", TIME) for name in tables))
    assert main(["home", "import", str(file)]) == 1
    lines = capfd.readouterr().err.splitlines()
    assert len(lines) == MAX_REMARKS + 1
    assert lines[-1] == "7 more files were left out."
