"""Leaves of ICU's tables those of our languages: of 31 MiB in Qt's copy, 3 are ever read here.

    python3 icu.py LIBRARY

The library holds nothing but one table: a header, a list of names with their places, the items.
`as` and `ld`, which every builder has beside PyInstaller, make a library of what is left.
"""

import re
import struct
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path

LANGUAGES = ("en", "ja")
UNUSED = ("brkitr", "translit", "unit", "rbnf")
"""Folders of what Qt asks nothing of: it breaks lines and spells numbers by tables of its own."""

LOCALE = re.compile(r"([a-z]{2,3})(_[A-Za-z0-9_]+)?")
ALIGNED = 16

SOURCE = """
.section .rodata
.global {symbol}
.type {symbol}, @object
.size {symbol}, {size}
.balign 16
{symbol}:
.incbin "{table}"
.section .note.GNU-stack,"",@progbits
"""


def is_of_use(name: str) -> bool:
    """Whether an item (`icudt73l/coll/ja.res`) is one that this program can come to read."""
    *folders, file = name.split("/")[1:]
    stem, _, kind = file.rpartition(".")
    if kind == "cnv" or set(folders) & set(UNUSED):
        return False  # Python decodes whatever is not Unicode
    locale = LOCALE.fullmatch(stem)
    return kind != "res" or locale is None or locale[1] in LANGUAGES


def pruned(table: bytes) -> bytes:
    """The table without what is of no use."""
    (header,) = struct.unpack_from("<H", table)
    body = memoryview(table)[header:]
    (count,) = struct.unpack_from("<I", body)
    places = list(struct.iter_unpack("<II", body[4 : 4 + 8 * count]))
    names = [bytes(body[at : at + 120]).partition(b"\0")[0] for at, _ in places]
    ends = [*(place for _, place in places), len(body)]
    items = [
        (name, bytes(body[start:end]))
        for name, (start, end) in zip(names, pairwise(ends), strict=True)
        if is_of_use(name.decode())
    ]
    listed = 4 + 8 * len(items)
    spelled = b"".join(name + b"\0" for name, _ in items)
    at_name, at_item = listed, _aligned(listed + len(spelled))
    spelled = spelled.ljust(at_item - listed, b"\0")
    places = []
    for name, item in items:
        places.append(struct.pack("<II", at_name, at_item))
        at_name += len(name) + 1
        at_item += _aligned(len(item))
    data = b"".join(item.ljust(_aligned(len(item)), b"\0") for _, item in items)
    return table[:header] + struct.pack("<I", len(items)) + b"".join(places) + spelled + data


def prune(library: Path) -> None:
    """Put a library with the pruned table in this one's place."""
    content = library.read_bytes()
    start = content.index(b"\xda\x27") - 2
    if content[start + 12 : start + 16] != b"CmnD":
        raise SystemExit(f"{library} holds no table of ICU's")
    symbol = re.search(rb"icudt\d+_dat", content)
    if symbol is None:
        raise SystemExit(f"{library} does not name its table")
    size = _size(library, symbol[0].decode())
    table = pruned(content[start : start + size])
    with tempfile.TemporaryDirectory() as folder:
        dat, source, made = (Path(folder) / name for name in ("table", "table.s", "table.o"))
        dat.write_bytes(table)
        source.write_text(SOURCE.format(symbol=symbol[0].decode(), size=len(table), table=dat))
        subprocess.run(["as", "-o", made, source], check=True)
        options = ["-shared", "-s", "--hash-style=gnu", "-z", "noexecstack"]
        subprocess.run(["ld", *options, "-soname", library.name, "-o", library, made], check=True)


def _size(library: Path, symbol: str) -> int:
    """How long the table is, as the library says."""
    told = subprocess.run(
        ["readelf", "-W", "--dyn-syms", library], check=True, capture_output=True, text=True
    ).stdout
    line = next(line for line in told.splitlines() if line.endswith(symbol))
    return int(line.split()[2], 0)


def _aligned(size: int) -> int:
    return -(-size // ALIGNED) * ALIGNED


if __name__ == "__main__":
    prune(Path(sys.argv[1]))
