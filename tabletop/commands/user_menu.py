"""Installation of the unpacked program into one user's desktop menu on Linux, without root.

The bundle's `share` folder has the structure of XDG_DATA_HOME, with a desktop file, icons and the
MIME types of match files. Its files are copied into XDG_DATA_HOME, and can be removed again.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import platformdirs

from tabletop.commands.usage import UsageError
from tabletop.files import folders
from tabletop.files.user_environment import user_environment

DESKTOP_FILE = Path("applications/tabletop.desktop")
REFRESH_COMMANDS = (
    ("update-desktop-database", "applications"),
    ("update-mime-database", "mime"),
    ("gtk-update-icon-cache", "-q", "-t", "icons/hicolor"),
)
"""Commands that refresh the desktop's caches, each with a folder as its last word.

Some desktops lack some of them.
"""
CACHES = (
    ("applications", "*.desktop", ("mimeinfo.cache",)),
    (
        "mime",
        "packages/*.xml",
        ("XMLnamespaces", "aliases", "generic-icons", "globs", "globs2", "icons", "magic",
         "mime.cache", "subclasses", "treemagic", "types", "version"),
    ),
    ("icons/hicolor", "*/*/*", ("icon-theme.cache",)),
)  # fmt: skip
"""The caches that these commands write: folder, pattern of files read, files written."""
MIME_TYPE_FILE = Path("mime/application/x-tabletop.xml")
"""A file that `update-mime-database` creates for match files, and deletes again."""
PROGRAM_LINK = Path("applications/tabletop")
"""A symlink to the program, used if the program's path would need quotes in a desktop file.

Debian's `xdg-open` doesn't remove the quotes, so it wouldn't find the program.
"""
UNQUOTED_PATH = re.compile(r"[\w./+:,@-]+", re.ASCII)
"""The pattern of paths that need no quotes in a desktop file."""


def unpacked_folder() -> Path | None:
    """Return the folder of the unpacked program; None if it was installed in another way."""
    folder = Path(sys.executable).resolve().parent
    return folder if getattr(sys, "frozen", False) and (folder / "share").is_dir() else None


def add_to_menu(home: Path | None = None) -> str:
    """Add the program to the user's menu, and return a message for the user.

    `home`: the folder to install into; XDG_DATA_HOME by default.

    Raises:
        UsageError: this isn't an unpacked program.
        OSError: a file can't be written.
    """
    folder, target = _require_unpacked_folder(), home or platformdirs.user_data_path()
    program = _executable(folder)
    for name in _files(folder):
        place = target / name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(folder / "share" / name, place)
    entry = (target / DESKTOP_FILE).read_text(encoding="utf-8")
    entry = entry.replace("\nTryExec=tabletop\n", "\n")
    entry = entry.replace("\nExec=tabletop ", f"\nExec={_exec_command(program, target)} ")
    (target / DESKTOP_FILE).write_text(entry, encoding="utf-8")
    _refresh(target)
    kept = program if program.parent != folder else folder
    return f"Tabletop is in your menu and opens matches and invitations. It stays in {kept}."


def remove_from_menu(home: Path | None = None) -> str:
    """Undo `add_to_menu`, delete logs and cached images, and return a message for the user.

    Raises:
        UsageError: this isn't an unpacked program.
        OSError: a file can't be removed.
    """
    folder, target = _require_unpacked_folder(), home or platformdirs.user_data_path()
    names = (*_files(folder), PROGRAM_LINK)
    for name in names:
        (target / name).unlink(missing_ok=True)
    _refresh(target)
    for place, read, caches in CACHES:
        if not any((target / place).glob(read)):
            for cache in caches:
                (target / place / cache).unlink(missing_ok=True)
    for name in (*names, MIME_TYPE_FILE):
        for parent in name.parents[:-1]:
            with suppress(OSError):  # it isn't empty
                (target / parent).rmdir()
    for own in (folders.cache(), folders.crashes()):
        shutil.rmtree(own, ignore_errors=True)
    with suppress(OSError):  # the parent may not be ours, and is kept unless empty
        folders.crashes().parent.rmdir()
    program = _executable(folder)
    kept = program if program.parent != folder else folder
    return f"Tabletop isn't in your menu any more. Delete {kept} to remove it altogether."


def _require_unpacked_folder() -> Path:
    folder = unpacked_folder()
    if folder is None:
        raise UsageError("Only the unpacked program of the .tar.xz, or the AppImage, can do this.")
    return folder


def _files(folder: Path) -> Iterator[Path]:
    """Return the paths of the files to copy, relative to `share`."""
    share = folder / "share"
    return (path.relative_to(share) for path in sorted(share.rglob("*")) if path.is_file())


def _executable(folder: Path) -> Path:
    """Return the path of the executable, which is the AppImage if the program runs from one."""
    image, inside = os.environ.get("APPIMAGE", ""), os.environ.get("APPDIR", "")
    if image and inside and Path(inside).resolve() in folder.parents:
        return Path(image)
    return folder / "tabletop"


def _exec_command(program: Path, home: Path) -> str:
    """Return the command that starts `program` in a desktop file.

    If the program's path needs quotes, create `PROGRAM_LINK` and return its path, unless that needs
    quotes too.
    """
    (home / PROGRAM_LINK).unlink(missing_ok=True)
    if UNQUOTED_PATH.fullmatch(str(program)):
        return str(program)
    if UNQUOTED_PATH.fullmatch(str(home / PROGRAM_LINK)):
        (home / PROGRAM_LINK).symlink_to(program)
        return str(home / PROGRAM_LINK)
    plain = "".join(f"\\{sign}" if sign in '"`$\\' else sign for sign in str(program))
    return '"' + plain.replace("\\", "\\\\").replace("%", "%%") + '"'


def _refresh(home: Path) -> None:
    for *command, folder in REFRESH_COMMANDS:
        if shutil.which(command[0]) and (home / folder).is_dir():
            words, environment = [*command, str(home / folder)], user_environment()
            subprocess.run(words, capture_output=True, check=False, env=environment)
