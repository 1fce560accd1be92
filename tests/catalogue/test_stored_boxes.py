"""Boxes of received games are read once, and again when a file or the program is another one."""

from pathlib import Path

import pytest

from tabletop.catalogue import catalogue, stored_boxes
from tabletop.files import folders, small_file
from tabletop.games import received_games
from tabletop.games.folder_content import compute_digest, read_game_files
from tabletop.games.game_kit import CatalogueEntry

POND = Path(__file__).parents[1] / "free_tables" / "shell_beach"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def received() -> Path:
    """The folder of a game from another table."""
    return receive({})


def receive(more: dict[str, bytes]) -> Path:
    """Take in a game that is on the shelf, with `more` files; return its folder."""
    files = read_game_files(POND) | more
    files["cards.toml"] = files["cards.toml"].replace(b"hidden = true\n", b"")
    return received_games.store_game(
        folders.received(),
        "pond",
        compute_digest(files),
        files,
        "Mio",
        catalogue.check_received_game,
    )


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The folders whose cards are read."""
    read, cards = list[str](), catalogue._read_cards
    monkeypatch.setattr(
        catalogue, "_read_cards", lambda folder: read.append(folder.name) or cards(folder)
    )
    return read


def start() -> CatalogueEntry | None:
    """The received game on the shelf of a program that has just been started."""
    catalogue.loader._entries.clear()
    stored_boxes._open_store.cache_clear()
    games = catalogue.list_entries().games
    return next((game for game in games if game.received is not None), None)


def test_an_unchanged_box_is_read_once(received: Path, read: list[str]) -> None:
    first, second = start(), start()
    assert read == [received.name]
    assert first is not None
    assert second is not None
    assert (second.box, second.deck) == (first.box, first.deck)
    assert (second.received, second.digest) == (first.received, first.digest)
    assert second.translations == first.translations


def test_a_box_is_read_again_after_a_change(received: Path, read: list[str]) -> None:
    before = start()
    cards = received / "cards.toml"
    cards.write_text(cards.read_text("utf-8").replace('title = "', 'title = "New '), "utf-8")
    after = start()
    assert len(read) == 2
    assert before is not None
    assert after is not None
    assert after.box.title == f"New {before.box.title}"


def test_another_version_of_the_program_reads_it_again(
    received: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    start()
    monkeypatch.setattr(stored_boxes, "__version__", "99")
    assert start() is not None
    assert len(read) == 2


@pytest.mark.parametrize("content", [b"", b"no boxes", small_file.add_digest(b"\x93\x01\x02\x03")])
def test_a_damaged_store_is_as_good_as_none(
    received: Path, read: list[str], content: bytes
) -> None:
    start()
    (folders.cache() / "received-boxes").write_bytes(content)
    assert start() is not None
    assert len(read) == 2


def test_a_box_that_would_come_back_changed_is_not_kept(received: Path, read: list[str]) -> None:
    """TOML has dates, which MessagePack would give back as text."""
    cards = received / "cards.toml"
    text = cards.read_text("utf-8")
    assert "[[card]]\n" in text
    cards.write_text(text.replace("[[card]]\n", "[[card]]\nborn = 2020-01-02\n", 1), "utf-8")
    first, second = start(), start()
    assert first is not None
    assert second is not None
    assert second.deck == first.deck
    assert len(read) == 2


def test_boxes_that_are_gone_are_forgotten(received: Path, read: list[str]) -> None:
    start()
    received_games.remove_game(received)
    other = receive({"rulebook.en.md": b"another version"})
    start()
    again = stored_boxes.BoxStore(folders.cache() / "received-boxes")
    assert again.get(other, stored_boxes.folder_stamp(other)) is not None
    assert list(again._known) == [str(other)]
