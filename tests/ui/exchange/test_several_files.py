"""Several files named together: each is opened in its turn, and none is passed over in silence."""

import shutil
import socket
from codecs import BOM_UTF8
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from pytestqt.qtbot import QtBot

from tabletop.catalogue import game_folders
from tabletop.commands.command_line import main
from tabletop.exchange import game_file
from tests.game_folders import begun
from tests.storage.corpus import LATEST
from tests.ui.exchange.dropping import drop
from tests.ui.window_driver import Open, answering, button, click


def films(folder: Path, *names: str) -> list[Path]:
    """Finished matches."""
    return [Path(shutil.copy(LATEST / "sun-2.tabletop", folder / name)) for name in names]


def test_dropped_matches_are_opened_in_turn(opened: Open, tmp_path: Path) -> None:
    window = opened()
    drop(window, *films(tmp_path, "a.tabletop", "b.tabletop", "c.tabletop"))
    first = window.replays.screen
    assert first is not None
    assert window.banner.text == "2 more files wait; the next is “b.tabletop”."
    click(button(window.banner, "Open the next file"))
    second = window.replays.screen
    assert second not in (None, first)
    assert window.banner.text == "The next file is “c.tabletop”."
    click(button(window.banner, "Open the next file"))
    assert window.replays.screen not in (None, second)
    assert window.banner.text == ""
    window.show_message("Something else.")
    assert window.banner.text == "Something else."


@pytest.mark.parametrize("host", ["localhost", socket.gethostname()])
def test_a_file_whose_address_names_this_computer_can_be_dropped(
    host: str, opened: Open, tmp_path: Path
) -> None:
    window = opened()
    (file,) = films(tmp_path, "夜 1.tabletop")
    url = QUrl.fromLocalFile(str(file))
    url.setHost(host)
    drop(window, url)
    assert window.banner.text == ""
    assert window.replays.screen is not None


def test_files_whose_offer_was_put_away_are_forgotten(opened: Open, tmp_path: Path) -> None:
    window = opened()
    drop(window, *films(tmp_path, "a.tabletop", "b.tabletop"))
    click(button(window.banner, "Close"))
    window.show_message("Something else.")
    assert window.banner.text == "Something else."


def test_what_is_wrong_with_one_file_leaves_the_next_offered(opened: Open, tmp_path: Path) -> None:
    (first, second) = films(tmp_path, "a.tabletop", "b.tabletop")
    first.write_bytes(first.read_bytes()[:40])
    window = opened()
    drop(window, first, second)
    assert window.banner.text == (
        '"a.tabletop" isn\'t a Tabletop save or replay. The next file is “b.tabletop”.'
    )
    click(button(window.banner, "Open the next file"))
    assert window.replays.screen is not None


def test_of_odd_files_beside_a_good_one_it_is_said(opened: Open, tmp_path: Path) -> None:
    picture, text = tmp_path / "a.png", tmp_path / "b.txt"
    for odd in (picture, text):
        odd.write_bytes(b"odd")
    (film,) = films(tmp_path, "film.bak")  # a match also without its suffix
    window = opened()
    drop(window, picture, film)
    assert window.replays.screen is not None
    assert window.banner.text == "“a.png” can't be opened."
    drop(window, picture, film, text)
    assert window.banner.text == "2 of the files can't be opened."
    drop(window, film, film)
    assert window.banner.text == ""
    drop(window, picture, film, *films(tmp_path, "next.tabletop"))
    assert window.banner.text == ("“a.png” can't be opened. The next file is “next.tabletop”.")
    click(button(window.banner, "Open the next file"))
    assert window.banner.text == "", "it has been said"


@pytest.mark.parametrize("many", [2, 10])
def test_odd_files_alone_get_one_sentence(many: int, opened: Open, tmp_path: Path) -> None:
    odd = [tmp_path / f"{number}.txt" for number in range(many)]
    for file in odd:
        file.write_bytes(b"odd")
    window = opened()
    drop(window, *odd)
    others = "The other file" if many == 2 else "The other 9 files"
    assert window.banner.text == (
        f"\"0.txt\" isn't a Tabletop save or replay. {others} can't be opened either."
    )


def test_dropped_games_are_asked_about_in_turn(
    opened: Open, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")
    files = []
    for name in ("Pond Night", "Hill Day"):
        kit = begun(tmp_path / name, "free", name)
        files.append(tmp_path / f"{name}.tabletop-game")
        files[-1].write_bytes(game_file.encode_shared_game(kit))
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")
    game_folders.clear_cache()
    window = opened()
    asked = answering(monkeypatch, "Add to the shelf")
    drop(window, *files)
    qtbot.waitUntil(lambda: window.new_game is not None)
    first = window.new_game
    assert window.banner.text == "The next file is “Hill Day.tabletop-game”."
    click(button(window.banner, "Open the next file"))
    qtbot.waitUntil(lambda: window.new_game not in (None, first))
    assert len(asked) == 2


@pytest.mark.parametrize("start", ["tabletop://", "TABLETOP://", "tabletop%3A%2F%2F"])
def test_an_invitation_is_named_alone(
    start: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (film,) = films(tmp_path, "a.tabletop")
    assert main([f"{start}192.0.2.1/t?code=K7MPQ2", str(film)]) == 2
    assert capsys.readouterr().err.strip() == (
        "An invitation can't be opened together with other files."
    )


@pytest.mark.parametrize("name", ["a.tabletop", "a.txt", "a.json", "a.csv", "a.zip"])
def test_a_match_is_known_whatever_a_mail_has_called_it(
    name: str, opened: Open, tmp_path: Path
) -> None:
    """An editor may have saved it with a byte order mark, and with the line ends of Windows."""
    content = (LATEST / "sun-2.tabletop").read_bytes().replace(b"\n", b"\r\n")
    (tmp_path / name).write_bytes(BOM_UTF8 + content)
    window = opened()
    drop(window, tmp_path / name)
    assert window.replays.screen is not None
    assert window.banner.text == ""


def test_matches_in_a_folder_or_archive_are_named(
    opened: Open, tmp_path: Path, qtbot: QtBot
) -> None:
    folder = tmp_path / "matches"
    folder.mkdir()
    films(folder, "a.tabletop", "b.tabletop")
    archive = Path(shutil.make_archive(str(folder), "zip", folder))
    window = opened()
    for dropped in (folder, archive):
        drop(window, dropped)
        sentence = f'"{dropped.name}" holds saves or replays: open each by itself.'
        qtbot.waitUntil(lambda sentence=sentence: window.banner.text == sentence)
