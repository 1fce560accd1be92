"""Writes down the licences of what a bundle holds beside Python's packages, for the About box.

    python3 licences.py BUNDLE [COMPILED]

The packages carry their licences themselves. Listed here are Python, Qt, the libraries of the
system that Python brings, the start of every program that PyInstaller makes, and the notices of the
compiled form in the folder COMPILED, which may be missing.
"""

import platform
import subprocess
import sys
import sysconfig
from importlib.metadata import distribution
from pathlib import Path

import msgspec
from PySide6.QtCore import qVersion

from ui.settings.licences import BUNDLED_LICENCES, Licence, licence_texts

HERE = Path(__file__).parent / "licences"
QT = """Qt is used under the GNU Lesser General Public License, version 3; its libraries are in this
program's folder as files of their own and may be exchanged. Its source, and the licences of what it
contains in turn (ICU, zlib, libpng, PCRE2 and others), are listed at
https://doc.qt.io/qt-6/licenses-used-in-qt.html

"""


def python() -> Licence:
    folders = (Path(sysconfig.get_path("stdlib")), Path(sys.base_prefix))
    found = [folder / "LICENSE.txt" for folder in folders if (folder / "LICENSE.txt").is_file()]
    text = (
        found[0].read_text(encoding="utf-8")
        if found
        else _debian(Path(sys.executable).resolve().name)
    )
    return Licence("Python", platform.python_version(), "PSF-2.0", text)


def qt() -> Licence:
    text = QT + "\n\n".join((HERE / f"{name}.txt").read_text() for name in ("LGPL-3.0", "GPL-3.0"))
    return Licence("Qt", qVersion(), "LGPL-3.0-only", text)


def start() -> Licence:
    maker = distribution("pyinstaller")
    return Licence("PyInstaller", maker.version, "GPL-2.0 with an exception", licence_texts(maker))


def of_the_system(bundle: Path) -> list[Licence]:
    """The libraries directly in the bundle; Debian says whose they are."""
    made = []
    for path in sorted((bundle / "_internal").glob("lib*.so.*")):
        if path.is_symlink() or path.name.startswith("libpython"):
            continue
        found = subprocess.run(
            ["dpkg", "-S", f"*/{path.name}"], capture_output=True, text=True
        ).stdout.splitlines()
        if not found:
            raise SystemExit(f"whose is {path.name}? no package of this system has it")
        package = found[0].split(": ")[0]
        version = subprocess.run(
            ["dpkg-query", "-W", "-f=${Version}", package], capture_output=True, text=True
        ).stdout
        name = package.partition(":")[0]
        made.append(Licence(name, version, "", _debian(name)))
    return made


def _debian(package: str) -> str:
    return Path(f"/usr/share/doc/{package}/copyright").read_text(encoding="utf-8")


def of_compiled(folder: Path) -> list[Licence]:
    """The notices in a wheel of the compiled form."""
    file = folder / BUNDLED_LICENCES.parent.name / BUNDLED_LICENCES.name
    return msgspec.json.decode(file.read_bytes(), type=list[Licence]) if file.is_file() else []


def main(bundle: Path, compiled: Path) -> None:
    system = of_the_system(bundle) if sys.platform.startswith("linux") else []
    notices = [python(), qt(), start(), *of_compiled(compiled), *system]
    home = next(bundle.rglob("ui/ja.po")).parent
    (home / BUNDLED_LICENCES.name).write_bytes(msgspec.json.encode(notices))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(*sys.argv[2:]))
