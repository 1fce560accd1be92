"""What commands write: never over what they read, never over a match, and over anything else only
when asked."""

import errno
import os
import shutil
import sys
from pathlib import Path

import pytest

from tabletop.commands import command_line
from tabletop.commands.output import output
from tabletop.commands.usage import UsageError
from tests.storage.corpus import LATEST

SMALL = "--size 640x400"
FILM = "film.tabletop"
COMMANDS = {
    "shot of a record": f"shot {FILM} {SMALL} --out OUT",
    "shot of a game": f"shot --game sun --ply 1 {SMALL} --out OUT",
    "shot of a window": f"shot --game sun --ply 1 {SMALL} --window --out OUT",
    "replay": f"replay {FILM} {SMALL} --shot OUT",
    "record": "record sun --ply 1 --out OUT",
    "print": "print sun --out OUT",
    "arena": "arena sun --bots easy --games 1 --report OUT",
    "dev": "dev sun --ply 1 --sheet OUT",
    "layout": "layout sun --out OUT",
    "verify": "verify damaged.tabletop --salvage OUT",
    "export": "export sun --out OUT",
}
READ = {"shot of a record": FILM, "replay": FILM, "verify": "damaged.tabletop"}
"""The file that each command reads."""
OF_A_GAME = {
    name: command.replace(" sun ", " ./pond ")
    for name, command in (COMMANDS | {"share": "share sun --out OUT"}).items()
    if " sun " in command
}
"""The commands that read a person's own game."""
CHEAP = ("record", "layout", "verify", "replay")
"""Commands that are quick enough to be done in full."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a record, a damaged one, and a match of another name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    film = LATEST / "sun-2.tabletop"
    for name in (FILM, "match.png"):
        shutil.copy(film, name)
    lines = film.read_bytes().splitlines(keepends=True)
    Path("damaged.tabletop").write_bytes(b"".join(lines[:5]) + b"{}\n" + b"".join(lines[6:]))
    return tmp_path


def said(command: str, out: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit status of a command, and its complaint."""
    code = command_line.main(command.replace("OUT", out).split())
    return code, capsys.readouterr().err.strip()


@pytest.mark.parametrize("command", [*READ.items()], ids=[*READ])
@pytest.mark.parametrize("more", ["", " --force"])
def test_no_command_writes_over_what_it_reads(
    command: tuple[str, str], more: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name, read = command
    before = Path(read).read_bytes()
    Path("link").symlink_to(read)
    for out in (read, f"./{read}", "link"):
        code, complaint = said(COMMANDS[name] + more, out, capsys)
        assert code == 2
        assert "is what the command reads" in complaint.splitlines()[-1]
        assert Path(read).read_bytes() == before


@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_writes_over_a_match(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = Path("match.png").read_bytes()
    code, complaint = said(COMMANDS[name] + " --force", "match.png", capsys)
    assert code == 2
    assert "match.png is a match" in complaint.splitlines()[-1]
    assert Path("match.png").read_bytes() == before


@pytest.mark.parametrize("name", COMMANDS)
def test_a_file_is_replaced_when_asked(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("there").write_text("mine")
    code, complaint = said(COMMANDS[name], "there", capsys)
    assert code == 2
    assert complaint.splitlines()[-1] == "there already exists; --force replaces it."
    assert Path("there").read_text() == "mine"
    if name in CHEAP:
        said(COMMANDS[name] + " --force", "there", capsys)
        assert Path("there").stat().st_size > 100


@pytest.mark.parametrize("name", [*COMMANDS, "home", "backup"])
def test_no_folders_name_is_taken_for_a_files(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    more = {"home": "home export OUT", "backup": "server backup OUT --data there"}
    Path("there").mkdir()
    before = sorted(Path().iterdir())
    for out in ("new/", "there", "there/", "new/."):
        code, complaint = said((COMMANDS | more)[name], out, capsys)
        assert code == 2
        assert complaint.splitlines()[-1] == f'"{out}" is a folder: add the name of a file.'
        assert sorted(Path().iterdir()) == before


@pytest.mark.parametrize("name", ["layout", "replay"])
def test_what_the_disk_refuses_is_said_in_a_sentence(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, complaint = said(COMMANDS[name], f"{FILM}/there", capsys)
    assert code == 2
    assert complaint == 'Can\'t write "there": where its folder should be, there is a file.'

    def full(path: Path, *content: object, **how: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(Path, "write_bytes" if name == "replay" else "write_text", full)
    code, complaint = said(COMMANDS[name], "there", capsys)
    assert (code, complaint) == (2, 'Can\'t write "there": the disk is full.')


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_no_game_is_made_where_it_cannot_be_known_by_its_path(
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = os.fsdecode(b"pond\xff")
    code = command_line.main(["new", "Pond", "--folder", folder])
    assert code == 2
    assert "letters that are no Unicode" in capsys.readouterr().err
    assert not Path(folder).exists()


@pytest.mark.parametrize("name", ["layout", "record"])
def test_a_dash_is_the_standard_output(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    command_line.main(COMMANDS[name].replace("OUT", "there").split())
    capfd.readouterr()
    command_line.main(COMMANDS[name].replace("OUT", "-").split())
    printed, written = capfd.readouterr().out, Path("there").read_text("utf-8")
    assert printed.count("\n") == written.count("\n") > 1
    assert printed[:80] == written[:80]
    assert not Path("-").exists()


@pytest.mark.parametrize("command", OF_A_GAME.values(), ids=[*OF_A_GAME])
def test_no_command_writes_over_the_game_it_reads(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command_line.main(["new", "Pond", "--folder", "pond"]) in (0, None)
    before = Path("pond/cards.csv").read_bytes()
    code, complaint = said(f"{command} --force", "pond/cards.csv", capsys)
    assert code == 2
    assert (
        complaint.splitlines()[-1] == "cards.csv is what the command reads; it isn't written over."
    )
    assert Path("pond/cards.csv").read_bytes() == before


def test_a_new_layout_replaces_the_old_one(capsys: pytest.CaptureFixture[str]) -> None:
    command_line.main(["new", "Pond", "--folder", "pond"])
    for more in ("", " --force"):
        code, _ = said(f"layout ./pond{more} --out OUT", "pond/table.toml", capsys)
        assert code in (0, None)


def test_no_export_of_the_home_writes_over_a_part_of_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = folder / "home"
    home.mkdir()
    (folder / "dotfile").write_text("{}")
    (home / "settings.json").symlink_to(folder / "dotfile")
    (home / "seal.key").write_text("mine")
    for name in ("settings.json", "seal.key"):
        code, complaint = said("home export OUT --force", str(home / name), capsys)
        assert code == 2
        assert complaint == f"{name} is what the command reads; it isn't written over."
    assert (home / "seal.key").read_text() == "mine"
    code, _ = said("home export OUT", str(home / "all.tar.gz"), capsys)
    assert code == 0


def broken(out: Path) -> None:
    """Break off while a file is written."""
    with output(out, True) as file:
        file.write_text("half")
        raise RuntimeError


def test_an_error_leaves_what_was_there() -> None:
    Path("there").write_text("mine")
    before = sorted(Path().iterdir())
    with pytest.raises(RuntimeError):
        broken(Path("there"))
    with pytest.raises(RuntimeError):
        broken(Path("new", "folder", "there"))
    assert Path("there").read_text() == "mine"
    assert sorted(Path().iterdir()) == before


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_links_are_followed() -> None:
    Path("there").write_text("old")
    Path("link").symlink_to("there")
    with output(Path("link"), True) as file:
        file.write_text("new")
    assert Path("link").is_symlink()
    assert Path("there").read_text() == "new"


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such files")
def test_devices_and_folders_stay() -> None:
    with pytest.raises(UsageError, match="not a regular file"), output(Path("/dev/null"), True):
        pass
