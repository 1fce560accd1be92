"""Files of other programs, looked into in a worker process: one sentence each, and no harm here."""

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from tabletop.background.worker_process import WorkerCall
from tabletop.exchange.game_file import GameFile
from tabletop.exchange.zip_archive import pack_zip
from tabletop.files.errors import BadFile
from tabletop.games.folder_content import read_game_files
from tabletop.studio.exchange import guarded_import, reading
from tabletop.studio.exchange.found_game import FoundCard, FoundDeck, FoundGame, FoundPicture
from tabletop.studio.exchange.guarded_import import guard_import
from tests.net.playtest.prototypes import prototype
from tests.studio.exchange.other_programs import picture, simulator, udonarium
from tests.studio.workshop.workbooks import xlsx


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))


def game_file_at(folder: Path) -> Path:
    file = folder / "pond.tabletop-game"
    file.write_bytes(pack_zip(read_game_files(prototype(folder / "pond"))))
    return file


def test_a_worker_finds_what_the_reader_finds(tmp_path: Path) -> None:
    room = tmp_path / "池.zip"
    room.write_bytes(udonarium())
    for path in (room, simulator(tmp_path / "tts"), game_file_at(tmp_path)):
        assert guard_import(path).run() == reading.look(path)


def test_relative_paths_lead_where_they_lead_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "室.zip").write_bytes(udonarium())
    monkeypatch.chdir(tmp_path)
    found = guard_import(Path("室.zip")).run()
    assert isinstance(found, FoundGame)
    assert found.title == "室"


def test_a_refusal_is_the_readers_sentence(tmp_path: Path) -> None:
    (tmp_path / "deck.json").write_text("{}")
    with pytest.raises(BadFile, match="holds no game that can be imported"):
        guard_import(tmp_path / "deck.json").run()
    with pytest.raises(BadFile, match="Can't read"):
        guard_import(tmp_path / "gone.zip").run()


def test_a_workbook_with_a_cell_far_out_is_refused(tmp_path: Path) -> None:
    """The library that reads it makes a table up to that cell, and aborts for lack of memory."""
    far = '<row><c r="xfd1048576" t="inlineStr"><is><t>x</t></is></c></row>'
    (tmp_path / "deck.xlsx").write_bytes(xlsx({"cards": [["name"], ["Carp"]]}, far))
    with pytest.raises(BadFile, match=r"deck\.xlsx"):
        guard_import(tmp_path / "deck.xlsx").run()


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
    assert guard_import(tmp_path / "a.zip").run() == FOUND
    returning(monkeypatch, found)
    with pytest.raises(BadFile):
        guard_import(tmp_path / "a.zip").run()


def test_a_folder_that_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    (closed / "a.csv").write_text("name\n")
    closed.chmod(0)
    try:
        if os.access(closed, os.R_OK):
            pytest.skip("this user may read everything")
        with pytest.raises(BadFile, match="permission denied"):
            guard_import(closed).run()
    finally:
        closed.chmod(0o700)


def test_pictures_beside_a_sheet_raise_its_limits(tmp_path: Path) -> None:
    sheet = tmp_path / "deck.xlsx"
    sheet.write_bytes(xlsx({"cards": [["name"]]}))
    assert guarded_import._size(sheet) == 0
    (tmp_path / "carp.png").write_bytes(picture("red"))
    assert guarded_import._size(sheet) == len(picture("red"))
    assert guarded_import._size(tmp_path) > len(picture("red"))
