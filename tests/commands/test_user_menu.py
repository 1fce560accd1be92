"""The unpacked program in a user's menu: added without root, and removed again."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tabletop.commands.command_line import main

LINUX = Path(__file__).parents[2] / "packaging" / "linux"


@pytest.fixture
def unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an unpacked program; its user has a home with other programs."""
    if sys.platform == "win32":
        pytest.skip("a menu of Linux' desktops")
    folder = tmp_path / "games" / "tabletop-1.2.3"
    share = folder / "share"
    for name, source in (
        ("applications/tabletop.desktop", "tabletop.desktop"),
        ("mime/packages/tabletop.xml", "tabletop.xml"),
    ):
        (share / name).parent.mkdir(parents=True)
        shutil.copyfile(LINUX / source, share / name)
    icon = share / "icons/hicolor/scalable/apps/tabletop.svg"
    icon.parent.mkdir(parents=True)
    icon.write_text("<svg/>")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(folder / "tabletop"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    other = tmp_path / "data" / "applications" / "other.desktop"
    other.parent.mkdir(parents=True)
    other.write_text("[Desktop Entry]\n")
    return folder


def exec_of(home: Path) -> str:
    """The command in the menu's entry."""
    entry = (home / "applications/tabletop.desktop").read_text(encoding="utf-8")
    (command,) = re.findall("^Exec=(.*)$", entry, re.MULTILINE)
    return command


def test_the_menu_starts_the_unpacked_program(
    unpacked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--install-user"]) == 0
    assert str(unpacked) in capsys.readouterr().out
    assert exec_of(tmp_path / "data") == f"{unpacked}/tabletop %u"
    entry = (tmp_path / "data/applications/tabletop.desktop").read_text(encoding="utf-8")
    assert "TryExec" not in entry
    assert "x-scheme-handler/tabletop" in entry
    assert (tmp_path / "data/mime/packages/tabletop.xml").is_file()
    assert (tmp_path / "data/icons/hicolor/scalable/apps/tabletop.svg").is_file()


def test_a_path_with_a_space_needs_no_quotes_either(
    unpacked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spaced = unpacked.rename(tmp_path / "my 100% games")
    (spaced / "tabletop").touch(0o755)
    monkeypatch.setattr(sys, "executable", str(spaced / "tabletop"))
    assert main(["--install-user"]) == 0
    program, _, argument = exec_of(tmp_path / "data").rpartition(" ")
    assert argument == "%u"
    assert Path(program).resolve() == spaced / "tabletop"
    assert " " not in program
    assert main(["--uninstall-user"]) == 0
    assert not Path(program).exists()
    assert not Path(program).is_symlink()


def test_only_a_home_with_a_space_needs_quotes(
    unpacked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spaced = unpacked.rename(tmp_path / 'a "b" c%')
    monkeypatch.setattr(sys, "executable", str(spaced / "tabletop"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "of ann"))
    assert main(["--install-user"]) == 0
    assert exec_of(tmp_path / "of ann") == f'"{tmp_path}/a \\\\"b\\\\" c%%/tabletop" %u'


def test_a_relative_data_folder_does_not_count(
    unpacked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The specification of XDG_DATA_HOME says so; it would depend on the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "ann"))
    monkeypatch.setenv("XDG_DATA_HOME", "data")
    assert main(["--install-user"]) == 0
    assert exec_of(tmp_path / "ann/.local/share").endswith("/tabletop %u")


@pytest.mark.skipif(shutil.which("xdg-open") is None, reason="needs Debian's xdg-utils")
@pytest.mark.parametrize("folder", ["tabletop", "my games"])
def test_debians_xdg_open_starts_it_with_a_link(
    unpacked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    program = unpacked.rename(tmp_path / folder) / "tabletop"
    program.write_text(f'#!/bin/sh\necho "$@" >"{tmp_path}/said"\n')
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    assert main(["--install-user"]) == 0
    link = "tabletop://192.168.1.5:18920/ab?code=K7MPQ2"
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "DISPLAY": ":none"}
    environment |= {"XDG_DATA_HOME": str(tmp_path / "data"), "XDG_DATA_DIRS": str(tmp_path)}
    config = tmp_path / "config"
    config.mkdir()
    (config / "mimeapps.list").write_text(
        "[Default Applications]\nx-scheme-handler/tabletop=tabletop.desktop\n"
    )
    environment["XDG_CONFIG_HOME"] = str(config)
    subprocess.run(["xdg-open", link], env=environment, check=True, capture_output=True)
    assert (tmp_path / "said").read_text() == f"{link}\n"


def test_an_appimage_starts_by_its_own_file(
    unpacked: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    image = tmp_path / "Tabletop.AppImage"
    monkeypatch.setenv("APPIMAGE", str(image))
    monkeypatch.setenv("APPDIR", str(unpacked.parent))
    assert main(["--install-user"]) == 0
    assert exec_of(tmp_path / "data") == f"{image} %u"
    assert str(image) in capsys.readouterr().out
    monkeypatch.setenv("APPDIR", str(tmp_path / "another program's"))
    assert main(["--install-user"]) == 0
    assert exec_of(tmp_path / "data") == f"{unpacked}/tabletop %u"


def test_caches_made_for_it_are_removed_with_it(
    unpacked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With an empty home nothing is left; other programs keep their entries and caches."""
    home, cache = tmp_path / "empty", tmp_path / "home" / "cache" / "templates"
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(home))
    log = tmp_path / "home" / "log"
    for folder in (cache, log):
        folder.mkdir(parents=True)
    assert main(["--install-user"]) == 0
    for file in ("applications/mimeinfo.cache", "mime/mime.cache", "mime/globs2",
                 "icons/hicolor/icon-theme.cache"):  # fmt: skip
        (home / file).touch()
    assert main(["--uninstall-user"]) == 0
    assert list(home.rglob("*")) == []
    assert not cache.exists()
    assert not log.exists()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert main(["--install-user"]) == 0
    (tmp_path / "data" / "applications" / "mimeinfo.cache").touch()
    assert main(["--uninstall-user"]) == 0
    left = [path.name for path in (tmp_path / "data").rglob("*") if path.is_file()]
    assert sorted(left) == ["mimeinfo.cache", "other.desktop"]


def test_the_menu_is_as_before_once_the_program_is_out_of_it(
    unpacked: Path, tmp_path: Path
) -> None:
    assert main(["--install-user"]) == 0
    assert main(["--install-user"]) == 0  # again, after an update
    assert main(["--uninstall-user"]) == 0
    left = [path.name for path in (tmp_path / "data").rglob("*") if path.is_file()]
    ours = [name for name in left if "tabletop" in name]
    assert (ours, "other.desktop" in left) == ([], True)


def test_only_the_unpacked_program_goes_into_the_menu(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--install-user"]) == 2
    assert "unpacked program" in capsys.readouterr().err
