"""Animated pictures as APNG: a PNG whose first picture every program shows, with more behind it.

Each picture after the first holds no more than the rectangle that has changed. Pillow could write
this too, and is seven megabytes for these few lines.
"""

import struct
import zlib
from collections.abc import Iterable, Iterator

from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QImage

SIGNATURE = b"\x89PNG\r\n\x1a\n"
COLOUR = 3
"""Bytes of a pixel: red, green, blue."""


def animated(pictures: Iterable[tuple[QImage, int]]) -> bytes:
    """One file of these pictures, all of one size; each stays for so many milliseconds. It begins
    anew when it is over."""
    frames: list[tuple[bytes, bytes]] = []
    before: list[bytes] = []
    wide = high = 0
    for drawn, stays in pictures:
        few = drawn.convertToFormat(QImage.Format.Format_RGB16)  # half as large, and hardly seen
        picture = few.convertToFormat(QImage.Format.Format_RGB888)
        rows = _rows(picture)
        wide, high = picture.width(), picture.height()
        x, y, right, bottom = _changed(before, rows, wide)
        control = struct.pack(
            ">4I2H2B", right - x, bottom - y, x, y, min(stays, 60_000), 1000, 0, 0
        )
        frames.append((control, _pressed(picture.copy(x, y, right - x, bottom - y))))
        before = rows
    return b"".join([SIGNATURE, *_chunks(wide, high, frames)])


def _chunks(wide: int, high: int, frames: list[tuple[bytes, bytes]]) -> Iterator[bytes]:
    yield _chunk(b"IHDR", struct.pack(">2I5B", wide, high, 8, 2, 0, 0, 0))
    yield _chunk(b"acTL", struct.pack(">2I", len(frames), 0))
    number = 0
    for place, (control, data) in enumerate(frames):
        yield _chunk(b"fcTL", struct.pack(">I", number) + control)
        if place:
            yield _chunk(b"fdAT", struct.pack(">I", number + 1) + data)
            number += 2
        else:
            yield _chunk(b"IDAT", data)
            number += 1
    yield _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _pressed(picture: QImage) -> bytes:
    """The pixels as a PNG holds them: written by Qt as one of its own, and taken out of that."""
    whole = QByteArray()
    buffer = QBuffer(whole)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(buffer, "PNG")  # type: ignore[call-overload]
    content, at, data = whole.data(), len(SIGNATURE), b""
    while at < len(content):
        (length,) = struct.unpack_from(">I", content, at)
        if content[at + 4 : at + 8] == b"IDAT":
            data += content[at + 8 : at + 8 + length]
        at += length + 12
    return data


def _rows(picture: QImage) -> list[bytes]:
    pixels, line = bytes(picture.constBits()), picture.bytesPerLine()
    used = picture.width() * COLOUR
    return [pixels[start : start + used] for start in range(0, line * picture.height(), line)]


def _changed(before: list[bytes], now: list[bytes], wide: int) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of what differs; a single pixel where nothing does."""
    if not before:
        return 0, 0, wide, len(now)
    differing = [y for y, (old, new) in enumerate(zip(before, now, strict=True)) if old != new]
    if not differing:
        return 0, 0, 1, 1
    union = 0
    for y in differing:
        union |= int.from_bytes(before[y]) ^ int.from_bytes(now[y])
    size = wide * COLOUR
    first = size - (union.bit_length() + 7) // 8
    last = size - 1 - ((union & -union).bit_length() - 1) // 8
    return first // COLOUR, differing[0], last // COLOUR + 1, differing[-1] + 1
