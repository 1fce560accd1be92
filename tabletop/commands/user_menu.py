"""The unpacked program in one user's desktop menu on Linux, without root.

The bundle's `share` folder is laid out as XDG_DATA_HOME is: a desktop file, icons, and the types of
match files. Its files are copied there and can be removed again.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tabletop.commands.usage import UsageError

DESKTOP = Path("applications/tabletop.desktop")
REFRESH = (
    ("update-desktop-database", "applications"),
    ("update-mime-database", "mime"),
    ("gtk-update-icon-cache", "-q", "-t", "icons/hicolor"),
)
"""Commands that let desktops notice at once; the last word is a folder. Some desktops lack them."""


def unpacked() -> Path | None:
    """The folder of the unpacked program; None where it isn't one."""
    folder = Path(sys.executable).resolve().parent
    return folder if getattr(sys, "frozen", False) and (folder / "share").is_dir() else None


def add(home: Path | None = None) -> str:
    """Add the program to the user's menu; returns a sentence for the user.

    Raises:
        UsageError: it isn't an unpacked program.
        OSError: a file can't be written.
    """
    folder, target = _folder(), home or data_home()
    program = folder / "tabletop"
    for name in _files(folder):
        place = target / name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(folder / "share" / name, place)
    entry = (target / DESKTOP).read_text(encoding="utf-8")
    entry = entry.replace("\nTryExec=tabletop\n", "\n")
    entry = entry.replace("\nExec=tabletop ", f"\nExec={_quoted(program)} ")
    (target / DESKTOP).write_text(entry, encoding="utf-8")
    _refresh(target)
    return f"Tabletop is in your menu and opens matches and invitations. It stays in {folder}."


def remove(home: Path | None = None) -> str:
    """Undo `add`; returns a sentence for the user.

    Raises:
        UsageError: it isn't an unpacked program.
        OSError: a file can't be removed.
    """
    folder, target = _folder(), home or data_home()
    for name in _files(folder):
        (target / name).unlink(missing_ok=True)
    _refresh(target)
    return f"Tabletop isn't in your menu any more. Delete {folder} to remove it altogether."


def data_home() -> Path:
    """XDG_DATA_HOME; relative paths there don't count."""
    named = Path(os.environ.get("XDG_DATA_HOME", ""))
    return named if named.is_absolute() else Path.home() / ".local" / "share"


def _folder() -> Path:
    folder = unpacked()
    if folder is None:
        raise UsageError("Only the unpacked program of the .tar.xz can do this.")
    return folder


def _files(folder: Path) -> Iterator[Path]:
    """The files to be copied, as paths within `share`."""
    share = folder / "share"
    return (path.relative_to(share) for path in sorted(share.rglob("*")) if path.is_file())


def _quoted(program: Path) -> str:
    """A path as a desktop file has it among its arguments."""
    plain = "".join(f"\\{sign}" if sign in '"`$\\' else sign for sign in str(program))
    return '"' + plain.replace("\\", "\\\\").replace("%", "%%") + '"'


def _refresh(home: Path) -> None:
    for *command, folder in REFRESH:
        if shutil.which(command[0]) and (home / folder).is_dir():
            subprocess.run([*command, str(home / folder)], capture_output=True, check=False)
