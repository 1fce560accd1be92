"""Simulation of colour vision deficiencies.

The three common kinds of colour-vision deficiency at full strength, in linear RGB: Machado,
Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency",
2009.
"""

from collections.abc import Sequence

Matrix = Sequence[Sequence[float]]

MATRICES: dict[str, Matrix] = {
    "ordinary": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def linear(value: int) -> float:
    """The light of a channel of 0..255, as 0..1."""
    share = value / 255
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def seen(light: Sequence[float], matrix: Matrix) -> list[float]:
    """Light (red, green, blue in 0..1) as this sight sees it."""
    mixed = [sum(m * c for m, c in zip(row, light, strict=True)) for row in matrix]
    return [min(1.0, max(0.0, value)) for value in mixed]
