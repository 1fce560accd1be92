"""Simulation of colour vision deficiencies.

The three common kinds of colour-vision deficiency at full strength, in linear RGB: Machado,
Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency",
2009. Grey is the luminance of Rec. 709.
"""

from collections.abc import Sequence

from PySide6.QtGui import QImage

from tabletop.text.phrases import phrase

Matrix = Sequence[Sequence[float]]

GREY = (0.2126, 0.7152, 0.0722)
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
    "grey": (GREY, GREY, GREY),
}
SIGHTS = {
    "ordinary": phrase("Typical colour vision"),
    "protanopia": phrase("Protanopia (no red)"),
    "deuteranopia": phrase("Deuteranopia (no green)"),
    "tritanopia": phrase("Tritanopia (no blue)"),
    "grey": phrase("In greys, as printed on paper"),
}


def linear(value: int) -> float:
    """The light of a channel of 0..255, as 0..1."""
    share = value / 255
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def seen(light: Sequence[float], matrix: Matrix) -> list[float]:
    """Light (red, green, blue in 0..1) as this sight sees it."""
    mixed = [sum(m * c for m, c in zip(row, light, strict=True)) for row in matrix]
    return [min(1.0, max(0.0, value)) for value in mixed]


def as_seen(picture: QImage, sight: str) -> QImage:
    """An opaque picture as this sight sees it."""
    drawn = picture.convertToFormat(QImage.Format.Format_RGB32)
    matrix, known = MATRICES[sight], {}
    content = bytearray(drawn.constBits())
    for at in range(0, len(content), 4):
        colour = bytes(content[at : at + 3])
        if colour not in known:
            light = [linear(value) for value in reversed(colour)]  # it stands as blue, green, red
            known[colour] = bytes(_channel(value) for value in reversed(seen(light, matrix)))
        content[at : at + 3] = known[colour]
    size = drawn.size()
    made = QImage(bytes(content), size.width(), size.height(), QImage.Format.Format_RGB32)
    made.setDevicePixelRatio(picture.devicePixelRatio())
    return made.copy()  # on its own bytes


def _channel(light: float) -> int:
    share = light * 12.92 if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055
    return round(share * 255)
