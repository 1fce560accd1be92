"""The unpacked program in a user's menu: added without root, and removed again."""

import shutil
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
    folder = tmp_path / "my games" / "tabletop-1.2.3"
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


def test_the_menu_starts_the_unpacked_program(
    unpacked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--install-user"]) == 0
    assert str(unpacked) in capsys.readouterr().out
    entry = (tmp_path / "data/applications/tabletop.desktop").read_text(encoding="utf-8")
    assert f'\nExec="{unpacked}/tabletop" %u\n' in entry
    assert "TryExec" not in entry
    assert "x-scheme-handler/tabletop" in entry
    assert (tmp_path / "data/mime/packages/tabletop.xml").is_file()
    assert (tmp_path / "data/icons/hicolor/scalable/apps/tabletop.svg").is_file()


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
