"""Continue on the shelf, where the game of a match was edited since it began."""

from pathlib import Path
from threading import Event, current_thread

import pytest
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue, kept_games
from tabletop.catalogue.catalogue import GameKit
from tabletop.files import folders
from tabletop.match.match import Player
from tabletop.storage import saved_matches
from tabletop.studio.workshop import new_game as beginning
from tests.game_folders import change
from tests.storage.played_matches import play
from tests.ui.window_driver import Open, answering, click
from ui.match.screen.match_session import CONTINUE_UNCHANGED

ID = "pond_night"
LOOK = "Look at it only"


@pytest.fixture
def left(home: Path) -> Path:
    """An unfinished match of a free table, of which one card is there once more since."""
    folder = folders.games() / ID
    beginning.create_game("Pond Night", folder, "free")
    catalogue.reread(ID)
    people = (Player("Hinata"), Player("Kaname"))
    match = saved_matches.begin(catalogue.load(ID), people, seed="a pond")
    play(match, 8)
    match.journal.close()
    change(folder / "cards.csv", "Drop,8,", "Drop,9,")
    catalogue.reread(ID)
    return match.journal.path


def test_a_match_goes_on_with_the_game_as_it_was(
    left: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened()
    questions = answering(monkeypatch, CONTINUE_UNCHANGED)
    window.continue_match(left)
    assert "“Pond Night” has changed since this match began" in questions[0]
    kit = window.table.seated.kit
    assert kit.is_old_version
    assert len(kit.deck) + 1 == len(catalogue.load(ID).deck)
    assert [box.game.id for box in window.shelf.boxes].count(ID) == 1
    assert not any(box.game.is_old_version for box in window.shelf.boxes)


def test_a_match_may_only_be_looked_at(
    left: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened()
    answering(monkeypatch, LOOK)
    content = left.read_bytes()
    window.continue_match(left)
    assert window.table is None
    assert window.replays.screen.playback.last_beat > 0
    assert "It's shown with the game as it was" in window.banner.text
    assert left.read_bytes() == content


def test_an_opened_file_asks_as_well(
    left: Path, opened: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    window = opened()
    file = tmp_path / "sent.tabletop"
    file.write_bytes(left.read_bytes())
    answering(monkeypatch, CONTINUE_UNCHANGED)
    window.open_file(file)
    assert window.table.seated.kit.is_old_version


def test_without_the_former_game_it_is_looked_at(
    left: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(folders.games() / ID / "free.toml", "rounds = 10", "rounds = 11")
    change(folders.games() / ID / "cards.csv", "Drop,9,", "Drop,8,")
    catalogue.reread(ID)
    for kept in folders.kept_games().iterdir():
        kept.rename(kept.with_name(".gone"))
    window = opened()
    asked = answering(monkeypatch, CONTINUE_UNCHANGED)
    window.continue_match(left)
    assert window.table is None
    assert not asked
    assert window.replays.screen.playback.last_beat > 0
    assert "before the game “Pond Night” was changed" in window.banner.text


def test_a_box_is_played_as_its_folder_is_now(left: Path, opened: Open) -> None:
    window = opened()
    cards = len(catalogue.load(ID).deck)
    change(folders.games() / ID / "cards.csv", "Drop,9,", "Drop,12,")
    click(next(box for box in window.shelf.boxes if box.game.id == ID))
    assert len(window.new_game.kit.deck) == cards + 3


def test_a_large_game_is_kept_while_its_match_goes_on(
    home: Path, opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    beginning.create_game("Pond Night", folders.games() / ID, "free")
    catalogue.reread(ID)
    kit, let, threads = catalogue.load(ID), Event(), list[str]()
    keep_version = kept_games.keep_version

    def keep(kept: GameKit) -> None:
        threads.append(current_thread().name)
        let.wait()
        keep_version(kept)

    monkeypatch.setattr(kept_games, "keep_version", keep)
    window = opened()
    window.matches.start_bot_match(kit)
    assert window.table is not None
    assert not folders.kept_games().exists()
    let.set()
    qtbot.waitUntil(lambda: kept_games.find_version_by_digest(kit.digest) is not None)
    assert threads == ["kept game"]
