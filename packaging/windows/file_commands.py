"""Writes the NSIS commands that put a bundle's files into the setup program, by the order of their
names. `File /r` takes them as the disk lists them, so that no two builds would be equal.

    python3 file_commands.py BUNDLE FOLDER

makes in FOLDER libraries.nsh, of what is in _internal, and program.nsh, of the rest.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

LIBRARIES = "_internal"


def commands(bundle: Path, files: list[Path]) -> Iterator[str]:
    """The commands for these files; the folder is the program's own afterwards."""
    folder = None
    for file in files:
        inside = file.parent.relative_to(bundle)
        if inside != folder:
            folder = inside
            yield f'SetOutPath "{_quoted("$INSTDIR", inside)}"'
        yield f'File "{_quoted("${BUNDLE}", file.relative_to(bundle), "${SLASH}")}"'
    yield 'SetOutPath "$INSTDIR"'


def _quoted(above: str, path: Path, slash: str = "\\") -> str:
    return slash.join([above, *(part.replace("$", "$$") for part in path.parts)])


def main(bundle: Path, folder: Path) -> None:
    files = sorted(path for path in bundle.rglob("*") if path.is_file())
    libraries = [path for path in files if path.relative_to(bundle).parts[0] == LIBRARIES]
    rest = [path for path in files if path not in set(libraries)]
    for name, some in (("libraries", libraries), ("program", rest)):
        text = "\n".join([*commands(bundle, some), ""])
        (folder / f"{name}.nsh").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
