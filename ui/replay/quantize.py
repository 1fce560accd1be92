"""Colour quantization: the few colours that many pictures are printed in (median cut)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

MANY = 4096
"""Of more colours than these, those that look alike are taken together first."""
COARSE = 0xF8F8F8
"""What colours that look alike have in common."""

Colour = tuple[int, int, int]


class Dye(NamedTuple):
    """A colour (or several that look alike), how much it matters, and the pixels that have it."""

    colour: tuple[float, float, float]
    weight: float
    pixels: tuple[int, ...]


class ColourBox(NamedTuple):
    """Dyes to be printed in one colour: that colour, and how far they spread on its worst axis."""

    dyes: tuple[Dye, ...]
    colour: tuple[float, float, float]
    axis: int
    spread: float


def palette(counts: Mapping[int, int], most: int) -> tuple[list[Colour], dict[int, int]]:
    """At most so many colours for pixels (0xAARRGGBB), of which each occurs so often, and the place
    of each pixel's colour among them. Pixels that have few colours keep them exactly.

    The box of colours that is spread most is parted at its middle until there are enough of them.
    """
    boxes = [_boxed(_dyes(counts))] if counts else []
    while len(boxes) < most:
        widest = max(range(len(boxes)), key=lambda n: boxes[n].spread, default=-1)
        if widest < 0 or boxes[widest].spread <= 0:
            break
        boxes += _parted(boxes.pop(widest))
    places = {
        pixel: place for place, box in enumerate(boxes) for dye in box.dyes for pixel in dye.pixels
    }
    colours = [(round(r), round(g), round(b)) for r, g, b in (box.colour for box in boxes)]
    return colours, places


def _dyes(counts: Mapping[int, int]) -> list[Dye]:
    alike = COARSE if len(counts) > MANY else 0xFFFFFF
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for pixel in counts:
        groups[pixel & alike].append(pixel)
    return [_dye(pixels, counts) for pixels in groups.values()]


def _dye(pixels: list[int], counts: Mapping[int, int]) -> Dye:
    """Small things matter more than their size: the root of it is what counts."""
    size = sum(counts[pixel] for pixel in pixels)
    red, green, blue = (
        sum((pixel >> shift & 255) * counts[pixel] for pixel in pixels) / size
        for shift in (16, 8, 0)
    )
    return Dye((red, green, blue), size**0.5, tuple(pixels))


def _boxed(dyes: Iterable[Dye]) -> ColourBox:
    dyes = tuple(dyes)
    weight = sum(dye.weight for dye in dyes)
    middles, spreads = [], []
    for axis in range(3):
        middle = sum(dye.colour[axis] * dye.weight for dye in dyes) / weight
        middles.append(middle)
        spreads.append(sum((dye.colour[axis] - middle) ** 2 * dye.weight for dye in dyes))
    axis = max(range(3), key=lambda n: spreads[n])
    red, green, blue = middles
    return ColourBox(dyes, (red, green, blue), axis, spreads[axis] if len(dyes) > 1 else 0.0)


def _parted(box: ColourBox) -> tuple[ColourBox, ColourBox]:
    axis, middle = box.axis, box.colour[box.axis]
    low = [dye for dye in box.dyes if dye.colour[axis] <= middle]
    high = [dye for dye in box.dyes if dye.colour[axis] > middle]
    return _boxed(low), _boxed(high)
