"""The environment that the user started the program with, for programs of others.

A packaged program brings libraries along, and finds them by environment variables that its start
sets (PyInstaller, AppImage). Programs of the system would take these libraries for their own, and
break. Processes of this program itself inherit the environment as it is.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

_START_ENVIRONMENT_FILE = Path("/proc/self/environ")
_ORIGINAL_SUFFIX = "_ORIG"
"""PyInstaller keeps the user's value of a variable under its name followed by this."""
_PACKAGE_VARIABLES = ("APPDIR", "APPIMAGE", "ARGV0", "OWD", "QML2_IMPORT_PATH", "QT_PLUGIN_PATH")
"""Variables of an AppImage, and those that PyInstaller sets for Qt once Python runs."""
_LIBRARY_PATH_VARIABLES = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")

_saved_environment: dict[str, str] = {}


def save_environment() -> None:
    """Remember the environment, before this program sets anything of its own."""
    _saved_environment.update(os.environ)


def user_environment() -> dict[str, str]:
    """The user's own environment."""
    found = _saved_environment or dict(os.environ)
    if not getattr(sys, "frozen", False):
        return dict(found)
    return _remove_package_variables(found, _start_environment())


@contextmanager
def use_user_environment() -> Iterator[None]:
    """Have a program that Windows starts meanwhile find its own libraries: it inherits PATH, and
    the folder in which a packaged program looks for its own."""
    before = os.environ.get("PATH", "")
    os.environ["PATH"] = user_environment().get("PATH", before)
    _set_dll_directory(None)
    try:
        yield
    finally:
        os.environ["PATH"] = before
        _set_dll_directory(getattr(sys, "_MEIPASS", None))


def _set_dll_directory(folder: str | None) -> None:
    if sys.platform == "win32" and getattr(sys, "frozen", False):
        import ctypes

        ctypes.windll.kernel32.SetDllDirectoryW(folder)


def _start_environment() -> dict[str, str]:
    """The environment of the process before its first line of Python, where the system has it."""
    with suppress(OSError):
        lines = os.fsdecode(_START_ENVIRONMENT_FILE.read_bytes()).split("\0")
        return dict(line.split("=", 1) for line in lines if "=" in line)
    return {}


def _remove_package_variables(now: Mapping[str, str], started: Mapping[str, str]) -> dict[str, str]:
    """An environment as it was before a package's start: `now` is what Python found, `started` what
    the process began with, as far as known."""
    image = "APPIMAGE" in now
    inside = os.path.realpath(getattr(sys, "_MEIPASS", Path(sys.executable).parent))
    made = {}
    for name, value in now.items():
        if name.startswith(("_PYI_", "_MEIPASS")) or name.endswith(_ORIGINAL_SUFFIX):
            continue
        if name in _LIBRARY_PATH_VARIABLES:
            value = now.get(name + _ORIGINAL_SUFFIX, "")
        elif name.startswith(("QT", "QML")):
            value = started.get(name, "") if name in _PACKAGE_VARIABLES else value
        elif name in _PACKAGE_VARIABLES and image:
            value = ""
        elif name == "PATH":
            value = os.pathsep.join(
                part for part in value.split(os.pathsep) if os.path.realpath(part) != inside
            )
        if value:
            made[name] = value
    return made
