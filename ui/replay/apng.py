"""Animated pictures as APNG: a PNG whose first picture every program shows, with more behind it.

All pictures are printed in the same few colours, and each after the first holds no more than the
rectangle that has changed, and in it only the pixels that have; the others are left out (they are
transparent, and what was there before shows through). Pillow could write this too, and is seven
megabytes for these few lines.
"""

import struct
import zlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from PySide6.QtGui import QImage

from ui.replay.quantize import Colour, palette

SIGNATURE = b"\x89PNG\r\n\x1a\n"
PIXEL = 4
"""Bytes of a pixel while it is looked at: blue, green, red, and 255."""
SAME = 0
"""Stands for a pixel that has not changed; no pixel is so, for none is transparent."""
COLOURS = 255
"""In all pictures together; the first place in the palette is for what has not changed."""


class Change(NamedTuple):
    """What is new in a picture: its rectangle, the pixels in it (pressed), how long it stays."""

    x: int
    y: int
    wide: int
    high: int
    pixels: bytes
    stays: int


def animated(
    pictures: Iterable[tuple[QImage, int]], pressed: Callable[[int], None] = lambda _: None
) -> bytes:
    """One file of these pictures, all of one size; each stays for so many milliseconds. It begins
    anew when it is over. Once all are seen, `pressed` is told after each how many are in the file.
    """
    changes: list[Change] = []
    counts: Counter[int] = Counter()
    before: list[bytes] = []
    for drawn, stays in pictures:
        rows = _rows(drawn.convertToFormat(QImage.Format.Format_RGB32))
        change, pixels = _changed(before, rows, stays)
        changes.append(change)
        counts.update(pixels)
        before = rows
    del counts[SAME]
    if not changes:
        return b""
    colours, places = palette(counts, COLOURS)
    index = {pixel: place + 1 for pixel, place in places.items()} | {SAME: 0}
    parts = [SIGNATURE, *_head(changes, colours)]
    number = 0
    for place, change in enumerate(changes):
        parts += _frame(number, change, index)
        number += 2 if place else 1
        pressed(place + 1)
    return b"".join([*parts, _chunk(b"IEND", b"")])


def _head(changes: Sequence[Change], colours: Sequence[Colour]) -> Iterator[bytes]:
    whole = changes[0]
    yield _chunk(b"IHDR", struct.pack(">2I5B", whole.wide, whole.high, 8, 3, 0, 0, 0))
    yield _chunk(b"acTL", struct.pack(">2I", len(changes), 0))
    yield _chunk(b"PLTE", bytes(3) + b"".join(bytes(colour) for colour in colours))
    yield _chunk(b"tRNS", b"\0")


def _frame(number: int, change: Change, index: dict[int, int]) -> Iterator[bytes]:
    """A picture's chunks, the first of this number; the first picture is that of a plain PNG."""
    size = (change.wide, change.high, change.x, change.y)
    over = (min(change.stays, 60_000), 1000, 0, 1 if number else 0)
    yield _chunk(b"fcTL", struct.pack(">5I2H2B", number, *size, *over))
    data = _pressed(change, index)
    yield _chunk(b"fdAT", struct.pack(">I", number + 1) + data) if number else _chunk(b"IDAT", data)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _pressed(change: Change, index: dict[int, int]) -> bytes:
    """The pixels as a PNG of few colours holds them: row by row, each with a 0 before it."""
    pixels = array("I", zlib.decompress(change.pixels))
    places = bytes(map(index.__getitem__, pixels))
    wide = change.wide
    rows = (b"\0" + places[at : at + wide] for at in range(0, len(places), wide))
    return zlib.compress(b"".join(rows), 9)


def _rows(picture: QImage) -> list[bytes]:
    pixels, line = bytes(picture.constBits()), picture.bytesPerLine()
    used = picture.width() * PIXEL
    return [pixels[start : start + used] for start in range(0, line * picture.height(), line)]


def _changed(before: list[bytes], now: list[bytes], stays: int) -> tuple[Change, "array[int]"]:
    """What differs, and the pixels of it; of the same picture again a single pixel."""
    wide = len(now[0]) // PIXEL
    if not before:
        pixels = array("I", b"".join(now))
        return Change(0, 0, wide, len(now), zlib.compress(pixels, 1), stays), pixels
    differing = [y for y, (old, new) in enumerate(zip(before, now, strict=True)) if old != new]
    if not differing:
        pixels = array("I", [SAME])
        return Change(0, 0, 1, 1, zlib.compress(pixels), stays), pixels
    top, bottom = differing[0], differing[-1] + 1
    spans = {y: _span(before[y], now[y]) for y in differing}
    left = min(start for start, _ in spans.values())
    right = max(end for _, end in spans.values())
    pixels = array("I")
    for y in range(top, bottom):
        start, end = spans.get(y, (right, right))
        old = memoryview(before[y]).cast("I")[start:end]
        new = memoryview(now[y]).cast("I")[start:end]
        pixels.extend([SAME] * (start - left))
        pixels.extend([SAME if a == b else b for a, b in zip(old, new, strict=True)])
        pixels.extend([SAME] * (right - end))
    change = Change(left, top, right - left, bottom - top, zlib.compress(pixels, 1), stays)
    return change, pixels


def _span(old: bytes, new: bytes) -> tuple[int, int]:
    """The first pixel of a row that differs, and the one after the last."""
    both = int.from_bytes(old) ^ int.from_bytes(new)
    first = len(new) - (both.bit_length() + 7) // 8
    last = len(new) - 1 - ((both & -both).bit_length() - 1) // 8
    return first // PIXEL, last // PIXEL + 1
