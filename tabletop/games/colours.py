"""Lightness, hue and contrast of colours in "#rrggbb" notation."""

from __future__ import annotations

import math

D65_WHITE = (0.95047, 1.0, 1.08883)
"""The D65 white point in XYZ."""
RGB_TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750),
         (0.0193339, 0.1191920, 0.9503041))  # fmt: skip
"""The matrix from linear RGB to XYZ."""
XYZ_TO_RGB = ((3.2404542, -1.5371385, -0.4985314), (-0.9692660, 1.8760108, 0.0415560),
        (0.0556434, -0.2040259, 1.0572252))  # fmt: skip
"""The matrix from XYZ to linear RGB."""
LAB_DELTA = 6 / 29


def contrast_ratio(a: str, b: str) -> float:
    """Return the WCAG contrast ratio of two colours, from 1 to 21."""
    dark, light = sorted((_luminance(a), _luminance(b)))
    return (light + 0.05) / (dark + 0.05)


def lightness(colour: str) -> float:
    """Return the CIELAB lightness L* of a colour, from 0 to 100."""
    return 116 * _lab_f(_luminance(colour)) - 16


def with_lightness(colour: str, light: float, chroma: tuple[float, float]) -> str:
    """Return a colour of the same hue with the CIELAB lightness `light`, from 0 to 100.

    `chroma` is a pair of a factor and a limit. The chroma is multiplied by the factor, up to the
    limit, and reduced only if the colour is outside the sRGB gamut.
    """
    _, a, b = _to_lab(colour)
    now = math.hypot(a, b)
    wanted = max(now, min(now * chroma[0], chroma[1]))
    share = wanted / now if now else 0.0
    while True:  # less chroma until the screen can show the colour
        red, green, blue = _lab_to_linear_rgb(light, a * share, b * share)
        if all(-1e-3 <= part <= 1.001 for part in (red, green, blue)) or share < 0.02:
            return "#" + "".join(f"{_srgb_byte(part):02X}" for part in (red, green, blue))
        share *= 0.95


def _linear_rgb(colour: str) -> tuple[float, float, float]:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return red, green, blue


def _luminance(colour: str) -> float:
    return sum(m * part for m, part in zip(RGB_TO_XYZ[1], _linear_rgb(colour), strict=True))


def _to_lab(colour: str) -> tuple[float, float, float]:
    light = _linear_rgb(colour)
    x, y, z = (
        _lab_f(sum(m * part for m, part in zip(row, light, strict=True)) / white)
        for row, white in zip(RGB_TO_XYZ, D65_WHITE, strict=True)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _lab_to_linear_rgb(light: float, a: float, b: float) -> list[float]:
    y = (light + 16) / 116
    bent = (y + a / 500, y, y - b / 200)
    xyz = [
        white * (each**3 if each > LAB_DELTA else 3 * LAB_DELTA**2 * (each - 4 / 29))
        for each, white in zip(bent, D65_WHITE, strict=True)
    ]
    return [sum(m * part for m, part in zip(row, xyz, strict=True)) for row in XYZ_TO_RGB]


def _lab_f(share: float) -> float:
    return share ** (1 / 3) if share > LAB_DELTA**3 else share / (3 * LAB_DELTA**2) + 4 / 29


def _srgb_byte(part: float) -> int:
    part = min(1.0, max(0.0, part))
    bent = 12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055
    return round(255 * bent)
