"""The contrast of two colours."""

from tests.ui.style.colour_vision import linear


def luminance(colour: str) -> float:
    red, green, blue = linear_light(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a: str, b: str) -> float:
    """Contrast ratio of the Web Content Accessibility Guidelines, 1..21."""
    dark, light = sorted((luminance(a), luminance(b)))
    return (light + 0.05) / (dark + 0.05)


def linear_light(colour: str) -> list[float]:
    return [linear(int(colour[i : i + 2], 16)) for i in (1, 3, 5)]
