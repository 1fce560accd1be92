"""Animated pictures as APNG: a PNG whose first picture every program shows, with more after it.

All pictures share one palette. Each after the first is transparent where nothing has changed, which
makes a file about a third as large.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable
from io import BytesIO
from typing import TYPE_CHECKING

from PySide6.QtGui import QImage

if TYPE_CHECKING:
    from PIL.Image import Image

COLOURS = 255
"""The greatest number of colours, in all pictures together."""
UNCHANGED = 255
"""The place in the palette after the colours: transparent."""
SAMPLED = 8
"""Pictures, spread over the whole, whose colours make the palette."""
LONGEST = 60_000
"""Milliseconds that a picture can stay."""


def make_apng(
    pictures: Iterable[tuple[QImage, int]], pressed: Callable[[int], None] = lambda _: None
) -> bytes:
    """One file of these pictures, all of one size; each stays for this many milliseconds, and they
    repeat without end. Once all are drawn, `pressed` gets after each how many are printed.
    """
    size = (0, 0)
    packed: list[bytes] = []
    stays: list[int] = []
    for drawn, milliseconds in pictures:
        size = (drawn.width(), drawn.height())
        packed.append(_pack_pixels(drawn))
        stays.append(min(milliseconds, LONGEST))
    if not packed:
        return b""
    few = _palette(packed[:: -(-len(packed) // SAMPLED)], size)
    frames: list[Image] = []
    before = None
    for number, pixels in enumerate(packed, 1):
        frame, before = _reduce_picture(_image(pixels, size), few, before)
        frames.append(frame)
        pressed(number)
    content = BytesIO()
    frames[0].save(
        content,
        "PNG",
        save_all=True,
        append_images=frames[1:],
        duration=stays,
        loop=0,
        blend=1,  # blended over the frame before
        compress_level=9,
    )
    return content.getvalue()


def _pack_pixels(drawn: QImage) -> bytes:
    """Red, green and blue of each pixel, compressed; a row ends at a multiple of four bytes."""
    image = drawn.convertToFormat(QImage.Format.Format_RGB888)
    return zlib.compress(image.constBits(), 1)


def _image(packed: bytes, size: tuple[int, int]) -> Image:
    from PIL import Image

    row = -(-size[0] * 3 // 4) * 4
    return Image.frombytes("RGB", size, zlib.decompress(packed), "raw", "RGB", row)


def _palette(packed: list[bytes], size: tuple[int, int]) -> Image:
    """A picture whose palette has the colours that come nearest to those of all of these."""
    from PIL import Image

    wide, high = size
    together = Image.new("RGB", (wide, high * len(packed)))
    for number, pixels in enumerate(packed):
        together.paste(_image(pixels, size), (0, high * number))
    return together.quantize(COLOURS)


def _reduce_picture(picture: Image, few: Image, before: Image | None) -> tuple[Image, Image]:
    """A picture in few colours with only what has changed, and the whole to compare the next with:
    for each pixel the place of its colour."""
    from PIL import Image, ImageChops

    frame = picture.quantize(palette=few, dither=Image.Dither.NONE)
    places = Image.frombytes("L", frame.size, frame.tobytes())
    colours = (few.getpalette() or [])[: COLOURS * 3]
    frame.putpalette(colours + [0] * (768 - len(colours)))
    frame.info["transparency"] = UNCHANGED
    if before is not None:
        same = ImageChops.difference(places, before).point([255] + [0] * 255)
        frame.paste(UNCHANGED, None, same)
    return frame, places
