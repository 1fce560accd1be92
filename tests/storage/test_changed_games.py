"""Matches of a game folder that was edited since: none ever becomes another match."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop.catalogue import agreements, catalogue, game_folders, kept_games
from tabletop.commands import command_line
from tabletop.engine.model import State
from tabletop.files import folders
from tabletop.files.errors import RulesMismatch
from tabletop.match.match import Player
from tabletop.storage import saved_matches
from tabletop.storage.plies import plies
from tabletop.storage.record import read, replay
from tabletop.storage.verification import verify_record
from tabletop.studio.workshop import new_game as beginning
from tests.game_folders import change
from tests.storage.played_matches import play
from tests.storage.redigested import redigested
from tests.storage.tidied import tidy

ID = "pond_night"
PEOPLE = (Player("Hinata"), Player("Kaname"))


@pytest.fixture(params=["free", "python"])
def folder(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """A game on the shelf of an empty home: a free table, and one with Python of its own."""
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")
    made = folders.games() / ID
    if request.param == "free":
        beginning.create_game("Pond Night", made, "free")
    else:
        beginning.create_game("Pond Night", made, "cards")
        agreements.add_own_folder(made)
    catalogue.reread(ID)
    yield made
    monkeypatch.undo()
    catalogue.reread(ID)


def played(moves: int = 8) -> tuple[Path, State]:
    """A match of the game as it is now, left after some moves, and its table."""
    match = saved_matches.begin(catalogue.load(ID), PEOPLE, seed="a pond")
    play(match, moves)
    path = match.journal.path
    match.journal.close()
    return path, match.state


def more_copies(folder: Path) -> None:
    """Put one more of the first card into the box."""
    rows = (folder / "cards.csv").read_text("utf-8").splitlines()
    cells = rows[1].split(",")
    cells[1] = str(int(cells[1]) + 1)
    (folder / "cards.csv").write_text("\n".join([rows[0], ",".join(cells), *rows[2:]]), "utf-8")
    catalogue.reread(ID)


def without_digest(path: Path) -> None:
    """Make a record one of an older program, which wrote no digest of what decides."""
    head, _, lines = path.read_bytes().partition(b"\n")
    fields = json.loads(head)
    del fields["decides"]
    path.write_bytes(redigested(json.dumps(fields).encode() + b"\n" + lines))


def forget_kept() -> None:
    """Remove every version that was kept, and read the folder again."""
    shutil.rmtree(folders.kept_games())
    catalogue.reread(ID)


def test_a_match_goes_on_with_the_cards_it_was_begun_with(folder: Path) -> None:
    path, table = played()
    before = len(table.backs)
    more_copies(folder)
    assert len(catalogue.load(ID).deck) == before + 1
    match = saved_matches.resume(path)
    assert match.state == table
    play(match, 2)
    match.journal.close()
    verify_record(read(path))


def test_verify_says_that_the_game_has_changed(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "whole.tabletop")
    assert command_line.main(["record", ID, "--out", file]) == 0
    more_copies(folder)
    capsys.readouterr()
    assert command_line.main(["verify", file]) == 0
    assert "The game has changed since" in capsys.readouterr().out
    forget_kept()
    assert command_line.main(["verify", file]) != 0
    assert "before the game “Pond Night” was changed" in capsys.readouterr().err


def test_what_does_not_decide_changes_no_match(folder: Path) -> None:
    path, table = played()
    with (folder / "ja.po").open("a", encoding="utf-8") as file:
        file.write('\nmsgid "Something"\nmsgstr "何か"\n')
    catalogue.reread(ID)
    assert read(path).header.load_kit() is catalogue.load(ID)
    match = saved_matches.resume(path)
    match.journal.close()
    assert match.state == table


def test_a_match_without_its_game_can_only_be_looked_at(folder: Path) -> None:
    path, _ = played()
    rows = (folder / "cards.csv").read_text("utf-8").splitlines()
    worth = [f"{row},{'worth' if row is rows[0] else 7}" for row in rows]
    (folder / "cards.csv").write_text("\n".join(worth), "utf-8")
    forget_kept()
    with pytest.raises(RulesMismatch, match="before the game “Pond Night” was changed"):
        saved_matches.resume(path)
    assert plies(read(path)), "it can be watched by what its file holds"
    with pytest.raises(RulesMismatch):
        verify_record(read(path))


def test_an_old_record_goes_on_where_it_plays_alike(folder: Path) -> None:
    path, table = played()
    without_digest(path)
    with (folder / "ja.po").open("a", encoding="utf-8") as file:
        file.write('\nmsgid "Something"\nmsgstr "何か"\n')
    forget_kept()
    told: list[str] = []
    match = saved_matches.resume(path, lambda reason: told.append(reason.text))
    match.journal.close()
    assert match.state == table
    assert len(told) == 1
    assert "has changed since this match began" in told[0]


def test_an_old_record_of_other_cards_does_not_go_on(folder: Path) -> None:
    path, _ = played()
    without_digest(path)
    more_copies(folder)
    forget_kept()
    with pytest.raises(RulesMismatch):
        saved_matches.resume(path)
    with pytest.raises(RulesMismatch):
        verify_record(read(path))


@pytest.mark.parametrize("folder", ["free"], indirect=True)
def test_an_old_record_that_plays_otherwise_does_not_go_on(folder: Path) -> None:
    path, _ = played()
    without_digest(path)
    change(folder / "free.toml", "deal = { hand = 4", "deal = { hand = 5")
    forget_kept()
    with pytest.raises(RulesMismatch):
        replay(read(path))
    with pytest.raises(RulesMismatch):
        verify_record(read(path))
    assert plies(read(path))


def test_versions_share_the_files_that_did_not_change(folder: Path) -> None:
    played()
    more_copies(folder)
    played()
    one, other = sorted(folders.kept_games().iterdir())
    assert (one / "ja.po").samefile(other / "ja.po")
    assert not (one / "cards.csv").samefile(other / "cards.csv")


def test_a_version_goes_once_no_match_needs_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, _ = played()
    monkeypatch.setattr(kept_games, "KEPT_VERSION_MAX_AGE_S", -1)
    tidy()
    assert len(list(folders.kept_games().iterdir())) == 1
    path.unlink()
    tidy()
    assert not list(folders.kept_games().iterdir())


def test_a_version_that_was_tampered_with_is_not_played(folder: Path) -> None:
    path, _ = played()
    (kept,) = folders.kept_games().iterdir()
    more_copies(folder)
    with (kept / "cards.csv").open("a", encoding="utf-8") as file:
        file.write("\n")
    with pytest.raises(RulesMismatch):
        replay(read(path))
