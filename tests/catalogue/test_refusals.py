"""What is said of a game that can't be read: the file and what is wrong with it, in plain words."""

import re
import shutil
from pathlib import Path

import pytest

from tabletop.catalogue import agreements, catalogue, game_folders
from tabletop.catalogue.catalogue import BrokenGame
from tabletop.files import folders
from tabletop.free_table import game as free_table
from tabletop.games import received_games
from tabletop.games.folder_content import compute_digest, read_game_files
from tabletop.games.typed_toml import BrokenFile
from tabletop.language.words import Words
from tabletop.studio.workshop.mistake import describe_mistake

TESTS = Path(__file__).parents[1]
INTERNAL = re.compile(r"[A-Z]\w*(Error|Exception|Catalogue|File)\b|[\\/]\w+[\\/]|<class|Errno")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path))
    return tmp_path


def fault_of_received(name: str, content: bytes) -> str:
    """Receive a game with such a file; return its fault, "" if it has none."""
    files = {**read_game_files(TESTS / "free_tables" / "shell_beach"), name: content}
    try:
        received_games.store_game(
            folders.received(),
            "pond",
            compute_digest(files),
            files,
            "Mio",
            catalogue.check_received_game,
        )
    except BrokenGame as error:
        return error.fault
    except BrokenFile as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("ja.po", b'msgid "a"\nmsgstr "b\n\nmsgid oops\n', "ja.po is not a .po file"),
        ("ja.po", b"\xff\xfe\x00", "ja.po"),
        ("ja.po", b'msgid "a"\nmsgid_plural "b"\nmsgstr[99999999999999999999] "c"\n', "ja.po"),
        ("cards.toml", b"\xff", "cards.toml"),
        ("free.toml", b"a = " + b"[" * 5000, "free.toml"),
        ("words.toml", b"[zones]\nx = 1" + b"0" * 5000, "words.toml"),
        ("table.toml", b"[[zone]]\nname = 1979-05-27\n", "table.toml"),
        ("cards.csv", b"name\n\0\xff\n", "cards.csv"),
    ],
)
def test_a_received_game_is_refused_in_plain_words(name: str, content: bytes, told: str) -> None:
    fault = fault_of_received(name, content)
    assert told in fault
    assert not INTERNAL.search(fault)
    assert not INTERNAL.search(Words("ja").fault(fault))


@pytest.mark.parametrize(
    "error", [KeyError("zone"), OSError("odd"), PermissionError(13, "denied", "/root/x/free.toml")]
)
def test_an_unforeseen_error_in_a_received_game_names_no_class(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(free_table, "read_game", fail)
    fault = fault_of_received("rulebook.en.md", b"x")
    assert "can't be read" in fault
    assert not INTERNAL.search(fault)
    assert Words("ja").fault(fault) != fault


def test_a_designer_reads_what_the_own_python_raised(tmp_path: Path) -> None:
    folder = tmp_path / "games" / "pond"
    shutil.copytree(TESTS / "designed_games" / "night_garden", folder)
    cards = folder / "cards.toml"
    cards.write_text(cards.read_text("utf-8").replace("night_garden", "odd_pond"), "utf-8")
    with open(folder / "rules.py", "a", encoding="utf-8") as rules:
        rules.write('\nraise KeyError("zone")\n')
    agreements.add_own_folder(folder)
    game_folders.clear_cache()
    (error,) = (each for each in catalogue.list_entries().faults if each.name == "odd_pond")
    assert error.fault == "KeyError: 'zone'"
    assert re.fullmatch(r"rules.py line \d+: KeyError: 'zone'", describe_mistake(error, folder))
