"""Functions for use in picture templates: shapes, colours, random numbers and text widths."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from tabletop.text.card_marks import find_colour, find_emoji_icon, find_icon
from ui.style.fonts import text_width
from ui.style.line_breaks import split_words
from ui.style.typesetting import typeset

Point = tuple[float, float]


def template_functions() -> dict[str, Callable[..., object]]:
    """Return the functions available in every template, by name.

    Points are (x, y) with y downwards, angles are degrees
    clockwise from the top, colours are "#rrggbb".
    """
    return {
        "polar": polar,
        "sector": sector,
        "star": star,
        "crop": crop,
        "area": area,
        "path": path,
        "smooth": smooth,
        "mix": mix,
        "chance": chance,
        "text_width": text_width,
        "typeset": typeset,
        "unspaced": has_no_spaces,
        "words": split_words,
        "find_colour": find_colour,
        "find_icon": find_icon,
        "find_emoji_icon": find_emoji_icon,
    }


_UNSPACED_SCRIPT = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]"
)


def has_no_spaces(text: str) -> bool:
    """Return whether `text` is in a script that doesn't separate words by spaces, such as Japanese
    or Thai.
    """
    return _UNSPACED_SCRIPT.search(text) is not None


def format_number(value: object) -> object:
    """Return `value` for output in an SVG: floats with at most two decimals and no trailing zeros.

    Raises:
        ValueError: `value` is a mapping, which can't be written.
    """
    if isinstance(value, str | int):  # most common case first
        return value
    if isinstance(value, float):
        text = f"{value:.2f}".rstrip("0").rstrip(".")
        return "0" if text == "-0" else text
    if isinstance(value, Mapping):
        raise ValueError(f"a table isn't a text: choose one of its names ({', '.join(value)})")
    return value


def polar(x: float, y: float, radius: float, angle: float) -> Point:
    """Return the point at distance `radius` from (x, y) in the direction `angle`."""
    turn = math.radians(angle)
    return x + radius * math.sin(turn), y - radius * math.cos(turn)


def sector(
    x: float, y: float, inner: float, outer: float, start: float, end: float, steps: int = 4
) -> list[Point]:
    """Return the outline of a ring sector around (x,
    y), with each arc approximated by `steps` lines.
    """
    angles = [start + (end - start) * i / steps for i in range(steps + 1)]
    rim = [polar(x, y, outer, angle) for angle in angles]
    if inner <= 0:
        return [*rim, (x, y)]
    return rim + [polar(x, y, inner, angle) for angle in reversed(angles)]


def star(
    x: float, y: float, outer: float, inner: float, points: int, turn: float = 0
) -> list[Point]:
    """Return the outline of a star whose first point is at the angle `turn`."""
    return [
        polar(x, y, outer if i % 2 == 0 else inner, turn + i * 180 / points)
        for i in range(2 * points)
    ]


def crop(shape: Sequence[Point], window: Sequence[Point]) -> list[Point]:
    """Return the part of a polygon inside `window`,
    a convex polygon with corners in clockwise order.

    The result is empty if they don't overlap. The parts of a concave shape stay connected along the
    window's edge.
    """
    kept = list(shape)
    for (ax, ay), (bx, by) in zip(window, [*window[1:], window[0]], strict=True):
        if not kept:
            break
        depths = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for x, y in kept]
        if min(depths) >= 0:
            continue
        cut: list[Point] = []
        for i, (point, depth) in enumerate(zip(kept, depths, strict=True)):
            before, before_depth = kept[i - 1], depths[i - 1]
            if (depth >= 0) != (before_depth >= 0):
                share = before_depth / (before_depth - depth)
                cut.append(
                    (
                        before[0] + (point[0] - before[0]) * share,
                        before[1] + (point[1] - before[1]) * share,
                    )
                )
            if depth >= 0:
                cut.append(point)
        kept = cut
    return kept


def area(shape: Sequence[Point]) -> float:
    """Return the area of a polygon, in square units."""
    return abs(sum(shape[i - 1][0] * y - x * shape[i - 1][1] for i, (x, y) in enumerate(shape))) / 2


def path(points: Iterable[Point], closed: bool = True) -> str:
    """Return SVG path data that connects `points` by straight lines."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + ("Z" if closed else "")


def smooth(points: Sequence[Point], closed: bool = True) -> str:
    """Return SVG path data for a smooth curve through `points` (Catmull-Rom)."""
    count = len(points)

    def corner(i: int) -> Point:
        return points[i % count] if closed else points[min(max(i, 0), count - 1)]

    data = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    for i in range(count if closed else count - 1):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = (
            corner(i - 1),
            corner(i),
            corner(i + 1),
            corner(i + 2),
        )
        data += (
            f"C{bx + (cx - ax) / 6:.1f} {by + (cy - ay) / 6:.1f}"
            f" {cx - (dx - bx) / 6:.1f} {cy - (dy - by) / 6:.1f} {cx:.1f} {cy:.1f}"
        )
    return data + ("Z" if closed else "")


def mix(a: str, b: str, share: float) -> str:
    """Return a mixture of the colours `a` and `b` with the share `share` (0 to 1) of `b`."""
    red = int(a[1:3], 16) * (1 - share) + int(b[1:3], 16) * share
    green = int(a[3:5], 16) * (1 - share) + int(b[3:5], 16) * share
    blue = int(a[5:7], 16) * (1 - share) + int(b[5:7], 16) * share
    return f"#{round(red):02x}{round(green):02x}{round(blue):02x}"


def chance(*seed: object) -> random.Random:
    """Return a random generator that yields the same
    numbers for the same `seed` on every machine.
    """
    return random.Random("/".join(map(str, seed)))
