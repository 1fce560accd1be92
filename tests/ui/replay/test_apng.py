"""Animated pictures, read back as other programs read them."""

from io import BytesIO

from PIL import Image, ImageSequence
from PySide6.QtGui import QColor, QImage

from ui.replay.apng import make_apng

WIDE, HIGH = 40, 30


def picture(*spots: tuple[int, int]) -> QImage:
    """A grey picture with some red pixels."""
    image = QImage(WIDE, HIGH, QImage.Format.Format_RGB32)
    image.fill(QColor("#808080"))
    for x, y in spots:
        image.setPixelColor(x, y, QColor("#ff0000"))
    return image


def rainbow(green: int) -> QImage:
    """A picture of which no two pixels have the same colour."""
    image = picture()
    for x in range(WIDE):
        for y in range(HIGH):
            image.setPixelColor(x, y, QColor(x * 6, green, y * 8))
    return image


def shown(content: bytes) -> list[tuple[bytes, int]]:
    """The pixels of each picture, and its milliseconds."""
    frames = ImageSequence.Iterator(Image.open(BytesIO(content)))
    return [(f.convert("RGB").tobytes(), round(f.info["duration"])) for f in frames]


def pixels(image: QImage) -> bytes:
    rgb = image.convertToFormat(QImage.Format.Format_RGB888)
    return bytes(rgb.constBits())


def test_each_picture_is_seen_in_turn() -> None:
    drawn = [picture(), picture((3, 4)), picture((3, 4), (39, 29)), picture((20, 10))]
    stays = [100, 200, 500, 70_000]
    content = make_apng(zip(drawn, stays, strict=True))
    assert shown(content) == [
        (pixels(d), min(s, 60_000)) for d, s in zip(drawn, stays, strict=True)
    ]


def test_what_has_not_changed_takes_no_room() -> None:
    content = make_apng([(picture(), 100), *[(picture(), 200)] * 20])
    assert sum(stays for _, stays in shown(content)) == 4100
    assert len(content) < 1500, "most of it the palette"


def test_of_very_many_colours_none_is_far_from_what_it_was() -> None:
    drawn = [rainbow(0), rainbow(90), rainbow(200)]
    for (one, _), other in zip(shown(make_apng((d, 1) for d in drawn)), drawn, strict=True):
        assert max(abs(a - b) for a, b in zip(one, pixels(other), strict=True)) < 40


def test_it_tells_how_many_pictures_are_in_the_file() -> None:
    progress: list[int] = []
    make_apng(((picture((n, n)), 100) for n in range(3)), progress.append)
    assert progress == [1, 2, 3]
    assert make_apng([]) == b""
