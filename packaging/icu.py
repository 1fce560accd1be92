"""Remove the data of other languages from Qt's copy of ICU: of 31 MiB, 3 are ever read here.

    python3 icu.py LIBRARY

`icupkg` (Debian's icu-devtools) edits the data; `as` and `ld` make a library of it again.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

LANGUAGES = ("en", "ja")
UNUSED = ("brkitr", "translit", "unit", "rbnf")
"""Folders that Qt doesn't read: it breaks lines and spells numbers by tables of its own."""
LOCALE = re.compile(r"([a-z]{2,3})(_[A-Za-z0-9_]+)?")

SOURCE = """
.section .rodata
.global {symbol}
.type {symbol}, @object
.size {symbol}, {size}
.balign 16
{symbol}:
.incbin "{data}"
.section .note.GNU-stack,"",@progbits
"""


def is_needed(name: str) -> bool:
    """Whether the program can come to read an item, such as `coll/ja.res`."""
    *folders, file = name.split("/")
    stem, _, kind = file.rpartition(".")
    if kind == "cnv" or set(folders) & set(UNUSED):
        return False  # Python decodes everything that isn't Unicode
    locale = LOCALE.fullmatch(stem)
    return kind != "res" or locale is None or locale[1] in LANGUAGES


def output(*command: str | Path) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def prune(library: Path) -> None:
    """Replace a library of ICU's data by one without the items that aren't needed."""
    symbols = output("readelf", "-W", "--dyn-syms", library).splitlines()
    fields = next(line.split() for line in symbols if re.search(r"icudt\d+_dat$", line))
    start, size, symbol = int(fields[1], 16), int(fields[2], 0), fields[-1]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = folder / f"{symbol[:-4]}l.dat"
        removed, pruned = (
            folder / "removed.txt",
            folder / "pruned" / data.name,
        )
        pruned.parent.mkdir()  # the file keeps its name, as ICU reads it
        data.write_bytes(library.read_bytes()[start : start + size])
        items = output("icupkg", "-l", data).split()
        removed.write_text("\n".join(item for item in items if not is_needed(item)))
        output("icupkg", "--ignore-deps", "-r", removed, data, pruned)
        source, built = folder / "data.s", folder / "data.o"
        length = pruned.stat().st_size
        source.write_text(SOURCE.format(symbol=symbol, size=length, data=pruned))
        output("as", "-o", built, source)
        options = ["-shared", "-s", "--hash-style=gnu", "-z", "noexecstack"]
        output("ld", *options, "-soname", library.name, "-o", library, built)


if __name__ == "__main__":
    prune(Path(sys.argv[1]))
