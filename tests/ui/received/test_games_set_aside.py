"""A received game that can't be read has no box on the shelf: the window names it, and removes it
if the person wants that."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from tabletop.catalogue import catalogue, receiving
from tabletop.files import folders
from tabletop.games import received_games
from tabletop.games.folder_content import compute_digest, read_game_files
from tests.net.playtest.prototypes import prototype
from tests.ui.window_driver import Open, answering, button, click, key
from ui.widgets.confirm import QUESTIONS


def kept(folder: Path, title: str) -> Path:
    """A received game of this title."""
    files = read_game_files(prototype(folder, title))
    return receiving.ReceivedGameImport(
        folder.name, compute_digest(files), files, "Mallory", title
    ).run()


def set_aside(folder: Path, title: str) -> Path:
    """A received game that took too long to read."""
    path = kept(folder, title)
    received_games.mark_set_aside(path, dict(received_games.find_received_games(path.parent))[path])
    catalogue.reread(path.name)
    return path


@pytest.mark.parametrize(
    ("language", "said", "remove", "cancel"),
    [
        ("en", "Couldn't be read: Pond Night (it takes longer", "Remove", "Cancel"),
        ("ja", "読み込めないため、Pond Night（", "削除", "キャンセル"),
    ],
)
def test_a_game_that_takes_too_long_is_removed_when_confirmed(
    language: str,
    said: str,
    remove: str,
    cancel: str,
    opened: Open,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without a box on the shelf, only the notice can remove it."""
    path = set_aside(tmp_path / "pond", "Pond Night")
    window = opened(language=language)
    assert window.banner.text.startswith(said)
    told = window.banner.text
    asked = answering(monkeypatch, cancel)
    click(button(window.banner, remove))
    assert "Pond Night" in asked[0].replace("\u2060", "")  # word joiners
    assert path.exists()
    assert window.banner.text == told
    answering(monkeypatch, remove)
    button(window.banner, remove).setFocus()
    key(Qt.Key.Key_Space)
    assert not path.exists()
    assert [*folders.received().iterdir()] == []
    assert window.banner.text == ""
    window.close()
    assert opened(language=language).banner.text == ""


def test_of_several_games_the_button_names_the_one_it_removes(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = (set_aside(tmp_path / name, name.title()) for name in ("pond", "lake"))
    window = opened(confirmations=dict.fromkeys(QUESTIONS, False))
    names = {"Pond": one, "Lake": two}
    first = next(name for name in names if name in window.banner._act.text())
    (second,) = names.keys() - {first}
    click(button(window.banner, f"Remove “{first}”"))
    assert not names[first].exists()
    assert names[second].exists()
    assert first not in window.banner.text
    click(button(window.banner, "Remove"))
    assert not names[second].exists()
    assert window.banner.text == ""


def test_a_game_that_cannot_be_removed_says_why(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = set_aside(tmp_path / "pond", "Pond Night")

    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(received_games, "remove_game", refuse)
    window = opened(confirmations=dict.fromkeys(QUESTIONS, False))
    click(button(window.banner, "Remove"))
    assert path.exists()
    assert "Pond Night" in window.banner.text
    assert "permission denied" in window.banner.text


def test_a_damaged_received_game_is_removed_as_well(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = kept(tmp_path / "pond", "Pond Night")
    (path / "cards.toml").write_bytes(b"[")
    catalogue.reread(path.name)
    window = opened(confirmations=dict.fromkeys(QUESTIONS, False))
    assert window.banner.text.startswith("Couldn't be read: Pond Night (")
    click(button(window.banner, "Remove"))
    assert not path.exists()
