"""Animated pictures: whole PNG files with more pictures behind the first."""

import struct
import zlib

from PySide6.QtGui import QColor, QImage, QPainter

from ui.replay.apng import animated

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def picture(*spots: tuple[int, int], colour: str = "#ff0000") -> QImage:
    """A grey picture with some coloured pixels."""
    image = QImage(40, 30, QImage.Format.Format_RGB32)
    image.fill(QColor("#808080"))
    for x, y in spots:
        image.setPixelColor(x, y, QColor(colour))
    return image


def rainbow(green: int) -> QImage:
    """A picture of which no two pixels have the same colour."""
    image = picture()
    for x in range(40):
        for y in range(30):
            image.setPixelColor(x, y, QColor(x * 6, green, y * 8))
    return image


def over(image: QImage, spots: QImage) -> QImage:
    """A picture with the red pixels of another one."""
    mixed = image.copy()
    for x in range(40):
        for y in range(30):
            if spots.pixelColor(x, y).red() == 255:
                mixed.setPixelColor(x, y, QColor("#ff0000"))
    return mixed


def farthest(one: QImage, other: QImage) -> int:
    """By how much the pixels of two pictures differ at most, in one of their three parts."""
    pairs = zip(bytes(one.constBits()), bytes(other.constBits()), strict=True)
    return max(abs(a - b) for a, b in pairs)


def chunks(content: bytes) -> list[tuple[bytes, bytes]]:
    assert content.startswith(SIGNATURE)
    at, found = len(SIGNATURE), []
    while at < len(content):
        (length,) = struct.unpack_from(">I", content, at)
        kind, data = content[at + 4 : at + 8], content[at + 8 : at + 8 + length]
        (check,) = struct.unpack_from(">I", content, at + 8 + length)
        assert check == zlib.crc32(kind + data)
        found.append((kind, data))
        at += length + 12
    return found


def frames(content: bytes) -> list[tuple[int, ...]]:
    """Width, height, x, y and milliseconds of each picture."""
    found = (data for kind, data in chunks(content) if kind == b"fcTL")
    told = (struct.unpack(">5I2H2B", data) for data in found)
    return [(*place, round(1000 * stays / of)) for _, *place, stays, of, _, _ in told]


def shown(content: bytes) -> list[QImage]:
    """The pictures as a program shows them one after the other."""
    found = chunks(content)
    head = dict(found)[b"IHDR"]
    canvas = QImage(*struct.unpack_from(">2I", head), QImage.Format.Format_RGB32)
    pictures, place = [], (0, 0, 0, 0)
    common: list[tuple[bytes, bytes]] = []
    for kind, data in found:
        if kind == b"fcTL":
            place = struct.unpack_from(">4I", data, 4)
        if kind in (b"PLTE", b"tRNS"):
            common.append((kind, data))
        if kind in (b"IDAT", b"fdAT"):
            part = data if kind == b"IDAT" else data[4:]
            size = struct.pack(">2I", *place[:2]) + head[8:]
            single = SIGNATURE
            for name, inside in ((b"IHDR", size), *common, (b"IDAT", part), (b"IEND", b"")):
                check = zlib.crc32(name + inside)
                single += struct.pack(">I", len(inside)) + name + inside + struct.pack(">I", check)
            drawn = QImage.fromData(single)
            assert not drawn.isNull()
            with QPainter(canvas) as painter:
                painter.drawImage(place[2], place[3], drawn)
            pictures.append(canvas.copy())
    return pictures


def test_each_picture_is_seen_in_turn() -> None:
    drawn = [picture(), picture((3, 4)), picture((3, 4), (39, 29)), picture((20, 10))]
    content = animated((image, 500) for image in drawn)
    assert shown(content) == drawn


def test_a_picture_after_the_first_holds_what_has_changed() -> None:
    content = animated([(picture(), 100), (picture((7, 9)), 200), (picture((8, 12)), 70_000)])
    assert frames(content) == [(40, 30, 0, 0, 100), (40, 30, 0, 0, 200), (2, 4, 7, 9, 60_000)]


def test_the_same_picture_again_stays_as_long_and_takes_no_room() -> None:
    content = animated([(picture(), 100), *[(picture(), 200)] * 20])
    assert sum(stays for *_, stays in frames(content)) == 4100
    assert shown(content)[-1] == picture()
    assert len(content) < 1500, "most of it the palette"


def test_other_programs_show_the_first_picture() -> None:
    content = animated([(picture((1, 1)), 100), (picture(), 100)])
    first = QImage.fromData(content).convertToFormat(QImage.Format.Format_RGB32)
    assert first == picture((1, 1))


def test_of_very_many_colours_none_is_far_from_what_it_was() -> None:
    drawn = [rainbow(0), rainbow(90), rainbow(200)]
    for one, other in zip(shown(animated((image, 1) for image in drawn)), drawn, strict=True):
        assert farthest(one, other) < 40


def test_what_has_not_changed_is_left_out() -> None:
    corners = picture((0, 0), (39, 29))
    content = animated([(rainbow(0), 1), (over(rainbow(0), corners), 1)])
    assert frames(content)[1] == (40, 30, 0, 0, 1)
    assert len(dict(chunks(content))[b"fdAT"]) < 60
    assert farthest(shown(content)[1], over(rainbow(0), corners)) < 40


def test_it_tells_how_many_pictures_are_in_the_file() -> None:
    told: list[int] = []
    animated(((picture((n, n)), 100) for n in range(3)), told.append)
    assert told == [1, 2, 3]


def test_no_pictures_make_no_file() -> None:
    assert animated([]) == b""
