"""Decoding and conversion of other programs' pictures for use on cards.

The format is detected from the first bytes. Sheets are cut into cards, and pictures that a card
can't show as they are get encoded again.
"""

from __future__ import annotations

import warnings
from io import BytesIO
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from tabletop.exchange.file_kinds import PICTURE_SUFFIXES
from tabletop.files.errors import BadFile
from tabletop.files.regular_file import MIB
from tabletop.games.data_game import MAX_PHOTOGRAPH_BYTES
from tabletop.studio.exchange.found_game import FoundPicture
from tabletop.studio.exchange.sources import Source

if TYPE_CHECKING:
    from PIL.Image import Image

FORMATS = {b"\x89PNG\r\n\x1a\n": "PNG", b"\xff\xd8\xff": "JPEG", b"RIFF": "WEBP", b"GIF8": "GIF"}
"""Supported picture formats by magic number."""
MAX_PIXELS = 17_000_000
"""The maximum number of pixels of a picture. Tabletop Simulator's sheets have at most 4096 x 4096.
A progressive JPEG of this size takes 204 MB while it is decoded, 12 bytes per pixel.
"""
MAX_WEBP_PIXELS = 12_000_000
"""The maximum number of pixels of a WebP picture, which takes 17 bytes per pixel to decode."""
MAX_TOTAL_PIXELS = 250_000_000
"""The maximum number of pixels of all pictures in a source: 270 cards at 300 dpi, or 14 of the
largest sheets with 69 cards each. Decoding and encoding them takes 4 to 7 seconds.
"""
MAX_UNCHANGED_BYTES, MAX_KEPT_BYTES = 48 * MIB, 128 * MIB
"""The maximum total bytes of unchanged pictures, and of all pictures.

Beyond the first limit pictures are encoded again, which makes them smaller.
"""
MAX_BOARD_SIDE_PX = 2_400
"""`MAX_SIDE_PX` for the picture that covers the table."""
MAX_SIDE_PX = 1_200
"""The maximum length of the longer side, in pixels, of a picture that is encoded again. A card is
drawn 840 pixels high.
"""
JPEG_QUALITY = 90
MAX_GRID_SIDE = 20
"""The maximum number of columns and of rows of a card sheet."""


class FoundPictures:
    """The requested pictures of a source, each with a unique name.

    Each picture is decoded at most once, and each sheet once for each grid that cards refer to.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._by_name = {PurePosixPath(name).name.lower(): name for name in source}
        self._by_stem = {
            PurePosixPath(name).stem.lower(): name
            for name in source
            if name.lower().endswith(PICTURE_SUFFIXES)
        }
        self.kept: dict[str, FoundPicture] = {}
        self._lacking: set[str] = set()
        self._bad: set[str] = set()
        """Names of pictures in the source that can't be read."""
        self._cells: dict[str, FoundPicture] = {}
        """The pictures cut out of sheets, by cell name."""
        self._cut_sheets: set[tuple[str, int, int]] = set()
        self._pixels = self._bytes = 0

    @property
    def missing(self) -> int:
        """The number of requested pictures that don't exist or can't be read."""
        return len(self._lacking)

    def load(self, wanted: str) -> str:
        """Load the picture `wanted` and return its name in the result, or "" if it doesn't exist or
        can't be read.

        `wanted` is a path, a file name, or a file name without suffix.

        Raises:
            BadFile: The pictures exceed the total size limit.
        """
        if not wanted:
            return ""
        found = self._keep(wanted, MAX_SIDE_PX)
        if not found:
            self._lacking.add(wanted)
        return found

    def load_board(self, wanted: str) -> str:
        """Load the picture `wanted` at the size of a table. Like `load`, but a missing picture
        isn't counted.
        """
        return self._keep(wanted, MAX_BOARD_SIDE_PX)

    def has(self, wanted: str) -> bool:
        """Return whether the source has a picture `wanted`, readable or not."""
        return bool(self._find(wanted))

    def _keep(self, wanted: str, max_side_px: int) -> str:
        found = self._find(wanted)
        if found and found not in self.kept:
            opened = self._open(found)
            if opened and (picture := self._fit(*opened, max_side_px)):
                self.kept[found] = picture
            else:
                self._bad.add(found)
        return found if found in self.kept else ""

    def load_cell(self, wanted: str, columns: int, rows: int, number: int) -> str:
        """Cut card `number` out of the sheet `wanted` and return its name in the result, or "" if
        the sheet or the card doesn't exist.

        Cards are numbered row by row from 0.

        Raises:
            BadFile: The pictures exceed the total size limit.
        """
        found = self._find(wanted) if wanted else ""
        if not found or not (0 < columns <= MAX_GRID_SIDE and 0 < rows <= MAX_GRID_SIDE):
            self._lacking.update([wanted] if wanted else [])
            return ""
        if (columns, rows) == (1, 1):
            return self.load(wanted)
        if not 0 <= number < columns * rows:
            return ""
        if (found, columns, rows) not in self._cut_sheets:
            self._cut_sheets.add((found, columns, rows))
            self._cut_sheet(found, columns, rows)
        name = _name_of_cell(found, columns, rows, number)
        if name not in self._cells:
            self._lacking.add(wanted)
            return ""
        self.kept[name] = self._cells[name]
        return name

    def _cut_sheet(self, name: str, columns: int, rows: int) -> None:
        """Cut all cards out of the sheet `name` at once, so that it is decoded only once."""
        opened = self._open(name)
        if opened is None:
            return
        sheet, _ = opened
        across, down = sheet.width / columns, sheet.height / rows
        for number in range(columns * rows):
            row, column = divmod(number, columns)
            place = (column * across, row * down, (column + 1) * across, (row + 1) * down)
            left, top, right, bottom = map(round, place)
            if left < right and top < bottom:
                cell = self._encode(sheet.crop((left, top, right, bottom)))
                if cell is not None:
                    self._cells[_name_of_cell(name, columns, rows, number)] = cell

    def _open(self, name: str) -> tuple[Image, bytes] | None:
        """Return the decoded picture and its file content, or None if it can't be read."""
        if name in self._bad or self._pixels > MAX_TOTAL_PIXELS:
            return None
        try:
            content = self._source.read(name)
            image = open_header(content)
            self._pixels += image.width * image.height
            if self._pixels > MAX_TOTAL_PIXELS:
                return None
            _decode(image)
        except BadFile:
            self._bad.add(name)
            return None
        return image, content

    def _fit(self, image: Image, content: bytes, max_side_px: int) -> FoundPicture | None:
        """Return a picture for a card or table, with `content` unchanged if it is
        small, or encoded again.
        """
        suffix = {b"\x89PN": ".png", b"\xff\xd8\xff": ".jpg"}.get(content[:3], "")
        is_small = len(content) <= MAX_PHOTOGRAPH_BYTES // 4 and max(image.size) <= 2 * MAX_SIDE_PX
        if suffix and is_small and self._bytes + len(content) <= MAX_UNCHANGED_BYTES:
            return self._counted(FoundPicture(content, suffix, image.size))
        return self._encode(image, max_side_px)

    def _encode(self, image: Image, max_side_px: int = MAX_SIDE_PX) -> FoundPicture | None:
        try:
            return self._counted(_encode(image, max_side_px))
        except BadFile:
            raise
        except Exception:  # encoders raise anything on pictures from other programs
            return None

    def _counted(self, picture: FoundPicture) -> FoundPicture:
        self._bytes += len(picture.content)
        if self._bytes > MAX_KEPT_BYTES:
            raise BadFile(
                "The pictures are larger than {most} MiB together.", most=MAX_KEPT_BYTES // MIB
            )
        return picture

    def _find(self, wanted: str) -> str:
        path = wanted.replace("\\", "/").removeprefix("./")
        for name in (wanted, path):
            if name in self._source:
                return name
        last = path.rpartition("/")[2].lower()
        return self._by_name.get(last) or self._by_stem.get(last, "")


def _name_of_cell(sheet: str, columns: int, rows: int, number: int) -> str:
    return f"{sheet}#{columns}x{rows}#{number}"


def open_header(content: bytes) -> Image:
    """Return the picture without decoding it. Only the header is read, which contains the size.

    Raises:
        BadFile: `content` isn't an image of a supported format, or is too large.
    """
    from PIL import Image as Reader

    kind = next((kind for begins, kind in FORMATS.items() if content.startswith(begins)), "")
    max_pixels = MAX_WEBP_PIXELS if kind == "WEBP" else MAX_PIXELS
    try:
        if not kind:
            raise ValueError
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Pillow's own warning; its limit is higher than ours
            image = Reader.open(BytesIO(content), formats=(kind,))
        if not 0 < image.width * image.height <= max_pixels:
            raise ValueError
    except Exception as error:  # decoders raise anything on files from other programs
        raise _unreadable() from error
    return image


def _decode(image: Image) -> None:
    """Decode `image` in place.

    Raises:
        BadFile: The image can't be decoded.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            image.load()
    except Exception as error:  # decoders raise anything on files from other programs
        raise _unreadable() from error


def _unreadable() -> BadFile:
    return BadFile("A picture can't be read: it is none, or too large.")


def open_image(content: bytes) -> Image:
    """Return the decoded picture in RGB or RGBA mode.

    Raises:
        BadFile: `content` isn't an image of a supported format, or is too large.
    """
    image = open_header(content)
    _decode(image)
    return _in_usual_mode(image)


def _in_usual_mode(image: Image) -> Image:
    """Return `image` in RGBA mode if it may be transparent, otherwise in RGB mode."""
    clear = image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info
    mode = "RGBA" if clear else "RGB"
    return image if image.mode == mode else image.convert(mode)


def _encode(image: Image, max_side_px: int) -> FoundPicture:
    image = _in_usual_mode(image)
    image.thumbnail((max_side_px, max_side_px))
    out = BytesIO()
    if image.mode == "RGBA":
        if image.getchannel("A").getextrema() != (255, 255):
            image.save(out, "PNG")
            return FoundPicture(out.getvalue(), ".png", image.size)
        image = image.convert("RGB")
    image.save(out, "JPEG", quality=JPEG_QUALITY, subsampling=0)
    return FoundPicture(out.getvalue(), ".jpg", image.size)
