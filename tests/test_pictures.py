"""The comparison of two folders of pictures."""

from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage

from tests.pictures import differences


def folder(home: Path, name: str, **pictures: QImage) -> Path:
    made = home / name
    made.mkdir()
    for title, picture in pictures.items():
        assert picture.save(str(made / f"{title}.png"))
    return made


def picture(width: int = 4, **pixels: str) -> QImage:
    image = QImage(width, 3, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    for place, colour in enumerate(pixels.values()):
        image.setPixelColor(place, 1, QColor(colour))
    return image


def test_equal_pictures_differ_in_nothing(tmp_path: Path) -> None:
    old = folder(tmp_path, "old", sun=picture(), chains=picture(a="red"))
    new = folder(tmp_path, "new", sun=picture(), chains=picture(a="red"))
    assert list(differences(old, new)) == []


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ({"sun": picture(a="#fffffe")}, "sun.png: 1 pixels differ"),
        ({"sun": picture(5)}, "sun.png: another size"),
        ({"sun": picture(), "moon": picture()}, "moon.png: only in {new}"),
        ({}, "no pictures in {new}"),
    ],
)
def test_whatever_differs_is_named(tmp_path: Path, other: dict[str, QImage], told: str) -> None:
    old, new = folder(tmp_path, "old", sun=picture()), folder(tmp_path, "new", **other)
    assert next(differences(old, new)) == told.format(new=new)
