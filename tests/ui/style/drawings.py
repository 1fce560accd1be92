"""Helpers for drawings: their pixels, and the parts of their SVG."""

from xml.etree.ElementTree import Element

from PySide6.QtGui import QImage, QPixmap


def pixels(pixmap: QPixmap) -> QImage:
    return pixmap.toImage().convertToFormat(QImage.Format.Format_ARGB32)


def difference(a: QImage, b: QImage) -> float:
    """Mean difference of the colour channels of two pictures of one size, 0..255."""
    assert a.size() == b.size()
    pairs = zip(bytes(a.constBits()), bytes(b.constBits()), strict=True)
    return sum(abs(x - y) for x, y in pairs) / a.sizeInBytes()


def texts(root: Element) -> list[str]:
    return ["".join(part.itertext()) for part in root.iter() if part.tag.endswith("text")]


def of_class(root: Element, name: str) -> list[Element]:
    return [part for part in root.iter() if part.get("class") == name]
