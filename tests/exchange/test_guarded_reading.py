"""Files of strangers, looked into in a worker process: one sentence each, and no harm here."""

import ast
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from tabletop.background.worker_process import Cause, WorkerCall, WorkerCancelled, WorkerFailed
from tabletop.exchange import guarded_reading, reading
from tabletop.exchange.found_game import FoundCard, FoundDeck, FoundGame, FoundPicture
from tabletop.exchange.game_file import GameFile
from tabletop.exchange.guarded_reading import SENTENCES, GuardedReading
from tabletop.exchange.zip_archive import packed
from tabletop.files.errors import BadFile
from tabletop.games.folder_content import files_of
from tests.exchange.other_programs import picture, simulator, udonarium
from tests.net.playtest.prototypes import prototype
from tests.workshop.workbooks import xlsx

HOME = Path(__file__).parents[2]
ENTRIES = {"reading.look", "game_file.read", "game_file.read_archive"}
"""Functions that decode a stranger's file in the process that calls them."""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))


def game_file_at(folder: Path) -> Path:
    file = folder / "pond.tabletop-game"
    file.write_bytes(packed(files_of(prototype(folder / "pond"))))
    return file


def test_a_worker_finds_what_the_reader_finds(tmp_path: Path) -> None:
    room = tmp_path / "池.zip"
    room.write_bytes(udonarium())
    for path in (room, simulator(tmp_path / "tts"), game_file_at(tmp_path)):
        assert GuardedReading(path).run() == reading.look(path)


def test_relative_paths_lead_where_they_lead_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "室.zip").write_bytes(udonarium())
    monkeypatch.chdir(tmp_path)
    found = GuardedReading(Path("室.zip")).run()
    assert isinstance(found, FoundGame)
    assert found.title == "室"


def test_a_refusal_is_the_readers_sentence(tmp_path: Path) -> None:
    (tmp_path / "deck.json").write_text("{}")
    with pytest.raises(BadFile, match="holds no game that can be imported"):
        GuardedReading(tmp_path / "deck.json").run()
    with pytest.raises(BadFile, match="Can't read"):
        GuardedReading(tmp_path / "gone.zip").run()


def test_a_workbook_with_a_cell_far_out_is_refused(tmp_path: Path) -> None:
    """The library that reads it makes a table up to that cell, and aborts for lack of memory."""
    far = '<row><c r="xfd1048576" t="inlineStr"><is><t>x</t></is></c></row>'
    (tmp_path / "deck.xlsx").write_bytes(xlsx({"cards": [["name"], ["Carp"]]}, far))
    with pytest.raises(BadFile, match=r"deck\.xlsx"):
        GuardedReading(tmp_path / "deck.xlsx").run()


@pytest.mark.parametrize("cause", SENTENCES)
def test_each_cause_is_one_sentence(
    cause: Cause, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise WorkerFailed(cause)

    monkeypatch.setattr(WorkerCall, "run", fail)
    (tmp_path / "a.zip").touch()
    with pytest.raises(BadFile, match=r'"a\.zip"'):
        GuardedReading(tmp_path / "a.zip").run()


def test_a_cancelled_reading_is_told_apart(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(udonarium())
    look = GuardedReading(tmp_path / "a.zip")
    look.cancel()
    with pytest.raises(WorkerCancelled):
        look.run()


FOUND = FoundGame(
    "Udonarium",
    "Pond",
    (FoundDeck("Main", (FoundCard("Carp", "carp.png"),)),),
    {"carp.png": FoundPicture(picture("red"), ".png", (60, 84))},
)
CARP = FOUND.decks[0].cards[0]


def with_card(**changes: object) -> FoundGame:
    return replace(FOUND, decks=(FoundDeck("Main", (replace(CARP, **changes),)),))


def with_picture(**changes: object) -> FoundGame:
    sound = FOUND.pictures["carp.png"]
    return replace(FOUND, pictures={"carp.png": replace(sound, **changes)})


def returning(monkeypatch: pytest.MonkeyPatch, found: FoundGame | GameFile) -> None:
    """Have the worker return this, as one that a stranger has taken over could."""
    monkeypatch.setattr(WorkerCall, "run", lambda _: found)


@pytest.mark.parametrize(
    "found",
    [
        replace(FOUND, title="x" * 10_000),
        replace(FOUND, decks=()),
        replace(FOUND, decks=FOUND.decks * 2),
        replace(FOUND, decks=tuple(FoundDeck(f"{n}", (CARP,)) for n in range(100))),
        replace(FOUND, missing=-1),
        with_card(name="x" * 10_000),
        with_card(text="x" * 10_000),
        with_card(fields={"cost": "x" * 10_000}),
        with_card(fields={"x" * 10_000: "1"}),
        with_card(face="../carp.png"),
        with_card(copies=0),
        with_card(copies=100_000),
        with_picture(content=b"<svg/>"),
        with_picture(suffix=".jpg"),
        with_picture(suffix=".py"),
        with_picture(size=(61, 84)),
    ],
)
def test_what_no_reader_finds_is_refused(
    found: FoundGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.zip").touch()
    returning(monkeypatch, FOUND)
    assert GuardedReading(tmp_path / "a.zip").run() == FOUND
    returning(monkeypatch, found)
    with pytest.raises(BadFile):
        GuardedReading(tmp_path / "a.zip").run()


@pytest.mark.parametrize(
    "change",
    [
        lambda game: replace(game, digest="0" * 64),
        lambda game: replace(game, id="../pond"),
        lambda game: replace(game, files=game.files | {"rules.py": b""}),
        lambda game: replace(game, files=game.files | {"heron.png": b"<svg/>"}),
    ],
)
def test_a_game_file_that_no_reader_returns_is_refused(
    change: Callable[[GameFile], GameFile], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = reading.look(game_file_at(tmp_path))
    assert isinstance(sound, GameFile)
    returning(monkeypatch, change(sound))
    with pytest.raises(BadFile, match="it is damaged"):
        GuardedReading(tmp_path / "pond.tabletop-game").run()


def test_a_folder_that_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    (closed / "a.csv").write_text("name\n")
    closed.chmod(0)
    try:
        if os.access(closed, os.R_OK):
            pytest.skip("this user may read everything")
        with pytest.raises(BadFile, match="permission denied"):
            GuardedReading(closed).run()
    finally:
        closed.chmod(0o700)


def test_pictures_beside_a_sheet_raise_its_limits(tmp_path: Path) -> None:
    sheet = tmp_path / "deck.xlsx"
    sheet.write_bytes(xlsx({"cards": [["name"]]}))
    assert guarded_reading._size(sheet) == 0
    (tmp_path / "carp.png").write_bytes(picture("red"))
    assert guarded_reading._size(sheet) == len(picture("red"))
    assert guarded_reading._size(tmp_path) > len(picture("red"))


def test_only_workers_look_into_files_of_strangers() -> None:
    found = set()
    for part in ("tabletop", "ui"):
        for file in (HOME / part).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.Attribute) and ast.unparse(node) in ENTRIES:
                    found.add(file.relative_to(HOME).as_posix())
    assert found == {"tabletop/exchange/guarded_reading.py", "tabletop/exchange/reading.py"}
