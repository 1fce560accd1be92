"""The user's original environment variables, for starting other programs.

A packaged program (PyInstaller, AppImage) sets variables in order to find its own libraries.
Programs of the system would load these libraries too, and break. Worker processes of this program
inherit the environment unchanged.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

_START_ENVIRONMENT_FILE = Path("/proc/self/environ")
_ORIGINAL_SUFFIX = "_ORIG"
"""The suffix of variables in which PyInstaller saves the user's values."""
_PACKAGE_VARIABLES = ("APPDIR", "APPIMAGE", "ARGV0", "OWD", "QML2_IMPORT_PATH", "QT_PLUGIN_PATH")
"""Variables set by an AppImage, or by PyInstaller for Qt once Python is running."""
_LIBRARY_PATH_VARIABLES = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")

_saved_environment: dict[str, str] = {}


def save_environment() -> None:
    """Save the environment before this program changes it."""
    _saved_environment.update(os.environ)


def user_environment() -> dict[str, str]:
    """Return the user's environment, without the variables that a package sets."""
    found = _saved_environment or dict(os.environ)
    if not getattr(sys, "frozen", False):
        return dict(found)
    return _remove_package_variables(found, _start_environment())


@contextmanager
def use_user_environment() -> Iterator[None]:
    """Remove the program's own libraries from the search path of child processes during the `with`
    block.
    """
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
    """Return the environment that the process started with; {} if the system doesn't reveal it."""
    with suppress(OSError):
        lines = os.fsdecode(_START_ENVIRONMENT_FILE.read_bytes()).split("\0")
        return dict(line.split("=", 1) for line in lines if "=" in line)
    return {}


def _remove_package_variables(now: Mapping[str, str], started: Mapping[str, str]) -> dict[str, str]:
    """Return the environment `now` without the variables that a package has set.

    `started`: the environment that the process started with, as far as it is known.
    """
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
