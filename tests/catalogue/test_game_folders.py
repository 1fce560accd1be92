"""Games outside the package: found, known by an id, agreed to before their Python runs."""

import os
import py_compile
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop.catalogue import agreements, catalogue, game_folders
from tabletop.catalogue.catalogue import BrokenGame, CodeNotAllowed, UnknownGame
from tabletop.commands import command_line
from tabletop.commands.command_line import main as run
from tabletop.engine.play import start
from tabletop.files import folders
from tabletop.games.folder_content import read_folder
from tabletop.games.game_id import make_game_id
from tabletop.games.typed_toml import BrokenFile
from tests.game_folders import change, laid


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home of its own, which knows no folder."""
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")
    yield folders.games()
    game_folders.clear_cache()


def test_a_folder_runs_once_allowed_and_asks_after_changes(
    home: Path,
) -> None:
    folder = laid(home / "pond")
    assert [kit.box.title for kit in catalogue.list_entries().waiting] == ["Pond Night"]
    assert "pond" not in [kit.id for kit in catalogue.shelf()]
    with pytest.raises(CodeNotAllowed) as asked:
        catalogue.load("pond")
    assert asked.value.entry.waits_for == read_folder(folder).digest
    agreements.allow_digest(asked.value.entry.waits_for, "Pond Night")
    catalogue.reread("pond")
    kit = catalogue.load("pond")
    assert start(kit.rules, 2, "1", kit.backs, {"pond": "small"}).state.cards["pond"]
    assert catalogue.load("pond") is kit
    assert catalogue.list_entries().waiting == ()
    change(folder / "cards.toml", '"Minnow"', '"Minnows"')
    catalogue.reread("pond")
    with pytest.raises(CodeNotAllowed):
        catalogue.load("pond")


def test_nothing_of_a_folder_runs_before_it_is_agreed_to(home: Path) -> None:
    folder = laid(home / "pond")
    mark = home / "ran"
    rules = (folder / "rules.py").read_text("utf-8")
    (folder / "rules.py").write_text(f"open({str(mark)!r}, 'w')\n{rules}", "utf-8")
    with pytest.raises(CodeNotAllowed):
        catalogue.load("pond")
    assert not mark.exists()
    agreements.allow_digest(read_folder(folder).digest, "Pond Night")
    catalogue.reread("pond")
    catalogue.load("pond")
    assert mark.exists()


def test_compiled_leftovers_never_replace_allowed_code(
    home: Path,
) -> None:
    folder = laid(home / "pond")
    good = (folder / "rules.py").read_bytes()
    (folder / "rules.py").write_bytes(b"raise SystemExit('planted')\n".ljust(len(good), b"#"))
    py_compile.compile(str(folder / "rules.py"))
    when = (folder / "rules.py").stat()
    (folder / "rules.py").write_bytes(good)
    os.utime(folder / "rules.py", ns=(when.st_atime_ns, when.st_mtime_ns))
    agreements.allow_digest(read_folder(folder).digest, "Pond Night")
    assert catalogue.load("pond").rules is not None


def test_a_folder_of_ones_own_is_never_asked_about(home: Path) -> None:
    folder = laid(home / "pond")
    agreements.add_own_folder(folder)
    first = catalogue.load("pond")
    change(folder / "cards.toml", '"Minnow"', '"Minnows"')
    catalogue.reread("pond")
    assert catalogue.load("pond").deck[0]["name"] == "Minnows" != first.deck[0]["name"]


def test_a_bot_and_modules_that_name_each_other_are_found(home: Path) -> None:
    folder = laid(home / "pond")
    agreements.add_own_folder(folder)
    assert catalogue.load_bot_parts("pond")[1] is None
    (folder / "bot").mkdir()
    (folder / "bot" / "__init__.py").write_text("from .heuristic import Heuristic\n")
    (folder / "bot" / "heuristic.py").write_text(
        "from ..rules import HAND_SIZE\n\n\n"
        "class Heuristic:\n    def __init__(self, game):\n        self.size = HAND_SIZE\n"
    )
    catalogue.reread("pond")
    assert getattr(catalogue.load_bot_parts("pond")[1], "size", 0) == 3
    (folder / "bot" / "heuristic.py").write_text("from .nowhere import something\n")
    catalogue.reread("pond")
    with pytest.raises(BrokenGame, match=r"has no bot/nowhere\.py"):
        catalogue.load_bot_parts("pond")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("from tabletop.engine.instinct import Instinct", '"instinct" is called "heuristic" now'),
        ("from tabletop.engine.heuristic import Instinct", '"Instinct" is called "Heuristic" now'),
        ("from tabletop.engine.model import Note", '"Note" is called "Remark" now'),
        ("class Instinct: ...", 'bot.py has no class "Heuristic" (formerly "Instinct")'),
    ],
)
def test_a_former_name_is_refused_with_the_present_one(
    home: Path, line: str, sentence: str
) -> None:
    folder = laid(home / "pond")
    agreements.add_own_folder(folder)
    (folder / "bot.py").write_text(f"{line}\n")
    with pytest.raises(BrokenGame, match=re.escape(sentence)):
        catalogue.load_bot_parts("pond")


def test_odd_folders_get_one_sentence_each(home: Path) -> None:
    laid(home / "torn")
    (home / "torn" / "cards.toml").write_text("[box\n")
    (laid(home / "garbled") / "ja.po").write_bytes(b"msgid \xff")
    (laid(home / "half") / "words.toml").unlink()
    change(laid(home / "sun2") / "cards.toml", "[box]\n", '[box]\nid = "sun"\n')
    change(laid(home / "twin") / "cards.toml", "[box]\n", '[box]\nid = "half"\n')
    (home / "notes").mkdir()
    (home / "list.txt").write_text("not a game")
    told = sorted(f"{error.name} ({error.fault})" for error in catalogue.load_all().faults)
    assert [line.partition(" (")[0] for line in told] == ["garbled", "half", "half", "sun", "torn"]
    for part in ("UTF-8 text", "no words.toml", "line 1", "another game"):
        assert any(part in line for line in told), (part, told)
    assert "sun" in [kit.id for kit in catalogue.shelf()]


@pytest.mark.skipif(sys.platform == "win32", reason="not everybody may make links there")
def test_a_link_in_a_folder_is_refused(home: Path) -> None:
    (laid(home / "linked") / "far").symlink_to(home / "elsewhere")
    (told,) = catalogue.load_all().faults
    assert '"far" is a link' in told.fault


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("Pond Night", "pond_night"),
        ("Café Noir!", "cafe_noir"),
        ("7 Wonders", "game_7_wonders"),
        ("金魚の夜", "game_9f2f8c9f"),
        ("../../etc", "etc"),
        ("x" * 99, "x" * 40),
    ],
)
def test_an_id_is_made_of_a_title(text: str, made: str) -> None:
    if text == "金魚の夜":
        assert make_game_id(text).startswith("game_")
        assert make_game_id(text) != make_game_id("金魚の昼")
    else:
        assert make_game_id(text) == made


def test_a_command_takes_a_folder_where_it_takes_a_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = laid(tmp_path / "somewhere" / "pond")
    assert run(["simulate", str(folder), "--games", "2"]) == 2
    digest = read_folder(folder).digest
    told = capsys.readouterr().err
    assert "anything on this computer that you can" in told
    assert f"--digest {digest}" in told
    assert run(["trust", str(folder), "--digest", "0" * 64]) == 2
    assert run(["trust", str(folder), "--digest", digest]) == 0
    assert run(["simulate", str(folder), "--games", "2"]) == 0
    assert "2 games" in capsys.readouterr().out
    assert str(folder) in os.environ[game_folders.GAMES_VARIABLE], "bots in other processes find it"
    assert run(["record", str(folder), "--out", str(tmp_path / "pond.tabletop")]) == 0
    assert run(["simulate", str(tmp_path)]) == 2
    assert "it has none of cards.toml" in capsys.readouterr().err
    laid(tmp_path / "somewhere" / "lake")
    assert run(["simulate", str(tmp_path / "somewhere")]) == 2
    assert "holds several games: lake, pond" in capsys.readouterr().err


def test_a_folder_alone_opens_the_window_at_its_box(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[tuple[object, ...]] = []
    monkeypatch.setattr(command_line, "open_window", lambda *told: asked.append(told) or 0)
    assert run([str(laid(tmp_path / "pond"))]) == 0  # and the window asks whether it may run
    assert asked == [([], False, "pond")]
    assert run([str(tmp_path / "pond" / "nothing")]) == 2
    (tmp_path / "empty").mkdir()
    assert run([str(tmp_path / "empty")]) == 2
    assert "isn't a game folder" in capsys.readouterr().err


def test_an_installed_packages_game_is_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid(tmp_path / "pond_package" / "game")
    (tmp_path / "pond_package" / "__init__.py").touch()
    (tmp_path / "pond_package" / "game" / "__init__.py").touch()
    about = tmp_path / "pond_package-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: pond-package\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        "[tabletop.games]\npond-night = pond_package.game\nlost = pond_package.nowhere\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    game_folders.clear_cache()
    try:
        assert "pond_night" in [kit.id for kit in catalogue.shelf()]
        assert "lost" not in catalogue.names()
    finally:
        monkeypatch.undo()
        game_folders.clear_cache()


def test_no_name_from_elsewhere_is_taken_for_a_folder(tmp_path: Path) -> None:
    agreements.add_own_folder(laid(tmp_path / "pond"))
    for name in (str(tmp_path / "pond"), "../pond"):
        with pytest.raises(UnknownGame):
            catalogue.load(name)


def test_a_folder_that_is_no_games_is_not_read_through(tmp_path: Path) -> None:
    for number in range(2_001):
        (tmp_path / f"{number}.txt").touch()
    with pytest.raises(BrokenFile, match="more than 2000 files"):
        read_folder(tmp_path)
