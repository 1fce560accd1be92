"""Animated PNG (APNG) files.

All frames share one palette. Frames after the first are transparent where nothing has changed,
which reduces the file to about two thirds. Programs without APNG support show the first frame.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable
from io import BytesIO
from typing import TYPE_CHECKING

from PySide6.QtGui import QImage

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_COLOURS = 255
"""Maximum number of colours in the shared palette."""
TRANSPARENT_INDEX = 255
"""Palette index of the transparent colour, after all others."""
MAX_PALETTE_SAMPLES = 8
"""Maximum number of frames, evenly spread, from which the palette is computed."""
MAX_FRAME_MS = 60_000
"""Maximum duration of a frame in ms."""


def make_apng(
    pictures: Iterable[tuple[QImage, int]], pressed: Callable[[int], None] = lambda _: None
) -> bytes:
    """Return an endlessly looping APNG file of `pictures`, or b"" if there are none.

    Args:
        pictures: images of one size, each with its duration in ms.
        pressed: called after each frame is compressed, with the number of frames done. The calls
            start after all pictures have been drawn.
    """
    size = (0, 0)
    packed: list[bytes] = []
    stays: list[int] = []
    for drawn, milliseconds in pictures:
        size = (drawn.width(), drawn.height())
        packed.append(_pack_pixels(drawn))
        stays.append(min(milliseconds, MAX_FRAME_MS))
    if not packed:
        return b""
    few = _palette(packed[:: -(-len(packed) // MAX_PALETTE_SAMPLES)], size)
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
    """Return the compressed RGB pixels of `drawn`, in rows padded to multiples of four bytes."""
    image = drawn.convertToFormat(QImage.Format.Format_RGB888)
    return zlib.compress(image.constBits(), 1)


def _image(packed: bytes, size: tuple[int, int]) -> Image:
    from PIL import Image

    row = -(-size[0] * 3 // 4) * 4
    return Image.frombytes("RGB", size, zlib.decompress(packed), "raw", "RGB", row)


def _palette(packed: list[bytes], size: tuple[int, int]) -> Image:
    """Return an image whose palette fits the colours of all images in `packed`."""
    from PIL import Image

    wide, high = size
    together = Image.new("RGB", (wide, high * len(packed)))
    for number, pixels in enumerate(packed):
        together.paste(_image(pixels, size), (0, high * number))
    return together.quantize(MAX_COLOURS)


def _reduce_picture(picture: Image, few: Image, before: Image | None) -> tuple[Image, Image]:
    """Return a frame with the pixels of `picture` that differ from `before`, and the next `before`.

    The second image holds the palette index of each pixel in 8 bits. `few` holds the palette.
    """
    from PIL import Image, ImageChops

    frame = picture.quantize(palette=few, dither=Image.Dither.NONE)
    places = Image.frombytes("L", frame.size, frame.tobytes())
    colours = (few.getpalette() or [])[: MAX_COLOURS * 3]
    frame.putpalette(colours + [0] * (768 - len(colours)))
    frame.info["transparency"] = TRANSPARENT_INDEX
    if before is not None:
        same = ImageChops.difference(places, before).point([255] + [0] * 255)
        frame.paste(TRANSPARENT_INDEX, None, same)
    return frame, places
