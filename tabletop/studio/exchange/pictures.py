"""Pictures of other programs, made fit for cards: decoded as what their first bytes say, cut from
sheets, written again where no card can show them as they are."""

from __future__ import annotations

import warnings
from io import BytesIO
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from tabletop.exchange.file_kinds import PICTURE_SUFFIXES
from tabletop.files.errors import BadFile
from tabletop.files.regular_file import MIB
from tabletop.games.data_game import LARGEST_PICTURE
from tabletop.studio.exchange.found_game import FoundPicture
from tabletop.studio.exchange.sources import Source

if TYPE_CHECKING:
    from PIL.Image import Image

KINDS = {b"\x89PNG\r\n\x1a\n": "PNG", b"\xff\xd8\xff": "JPEG", b"RIFF": "WEBP", b"GIF8": "GIF"}
"""The kinds that are read, by their first bytes."""
MAX_PIXELS = 17_000_000
"""Pixels of a picture: a sheet of Tabletop Simulator has 4096 x 4096 at most. A progressive JPEG
takes 12 bytes a pixel while it is decoded, 204 MB of such a size."""
MAX_WEBP_PIXELS = 12_000_000
"""Pixels of a WebP picture, which takes 17 bytes a pixel."""
MAX_PIXELS_OF_ALL = 250_000_000
"""Pixels of all pictures of a source: 270 cards at 300 dpi, or 14 of the largest sheets with 69
cards each. Decoding and writing them takes 4 to 7 seconds."""
MAX_UNCHANGED_BYTES, MAX_KEPT_BYTES = 48 * MIB, 128 * MIB
"""Bytes of pictures that are kept as they are, and of all that are kept. Beyond the first limit
pictures are written again, which makes them smaller."""
TALLEST = 1_200
"""Pixels of the longer side of a picture that is written again: a card is drawn 840 high."""
QUALITY = 90
MOST_SHEET = 20
"""Columns, and rows, of a sheet."""


class FoundPictures:
    """The pictures of a source that were asked for, each by a name of its own. Each is decoded at
    most once, each sheet once for each grid that cards name."""

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
        """Pictures of the source that can't be read."""
        self._cells: dict[str, FoundPicture] = {}
        """The cards of the sheets that were cut, by their names."""
        self._cut_sheets: set[tuple[str, int, int]] = set()
        self._pixels = self._bytes = 0

    @property
    def missing(self) -> int:
        """The number of pictures that were asked for, and aren't there or can't be read."""
        return len(self._lacking)

    def named(self, wanted: str) -> str:
        """The name by which a picture is kept; empty where there is none. It is named by its path,
        by its file's name, or by that without its suffix.

        Raises:
            BadFile: there are too many pictures.
        """
        if not wanted:
            return ""
        found = self._find(wanted)
        if found and found not in self.kept:
            if (opened := self._open(found)) and (picture := self._fit(*opened)):
                self.kept[found] = picture
            else:
                self._bad.add(found)
        if found not in self.kept:
            self._lacking.add(wanted)
            return ""
        return found

    def cut(self, wanted: str, columns: int, rows: int, number: int) -> str:
        """The name by which one card of a sheet is kept, counted from the left of its first row;
        empty where there is no such sheet. Raises as `named`."""
        found = self._find(wanted) if wanted else ""
        if not found or not (0 < columns <= MOST_SHEET and 0 < rows <= MOST_SHEET):
            self._lacking.update([wanted] if wanted else [])
            return ""
        if (columns, rows) == (1, 1):
            return self.named(wanted)
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
        """Cut all cards of a sheet, so that it needn't be decoded or held for the next one."""
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
        """Return a picture, decoded, and the content of its file; None if it can't be read."""
        if name in self._bad or self._pixels > MAX_PIXELS_OF_ALL:
            return None
        try:
            content = self._source.read(name)
            image = open_header(content)
            self._pixels += image.width * image.height
            if self._pixels > MAX_PIXELS_OF_ALL:
                return None
            _decode(image)
        except BadFile:
            self._bad.add(name)
            return None
        return image, content

    def _fit(self, image: Image, content: bytes) -> FoundPicture | None:
        """Return a picture as a card can show it: its file's content as it is, or written again."""
        suffix = {b"\x89PN": ".png", b"\xff\xd8\xff": ".jpg"}.get(content[:3], "")
        is_small = len(content) <= LARGEST_PICTURE // 4 and max(image.size) <= 2 * TALLEST
        if suffix and is_small and self._bytes + len(content) <= MAX_UNCHANGED_BYTES:
            return self._counted(FoundPicture(content, suffix, image.size))
        return self._encode(image)

    def _encode(self, image: Image) -> FoundPicture | None:
        try:
            return self._counted(_encode(image))
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
    """Return a picture that isn't decoded yet; its header tells its size.

    Raises:
        BadFile: it is none, or too large.
    """
    from PIL import Image as Reader

    kind = next((kind for begins, kind in KINDS.items() if content.startswith(begins)), "")
    most = MAX_WEBP_PIXELS if kind == "WEBP" else MAX_PIXELS
    try:
        if not kind:
            raise ValueError
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Pillow's own warning; its limit is higher than ours
            image = Reader.open(BytesIO(content), formats=(kind,))
        if not 0 < image.width * image.height <= most:
            raise ValueError
    except Exception as error:  # decoders raise anything on files from other programs
        raise _unreadable() from error
    return image


def _decode(image: Image) -> None:
    """Decode a picture. Raises as `open_header`."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            image.load()
    except Exception as error:  # decoders raise anything on files from other programs
        raise _unreadable() from error


def _unreadable() -> BadFile:
    return BadFile("A picture can't be read: it is none, or too large.")


def open_image(content: bytes) -> Image:
    """A picture, decoded. Raises as `open_header`."""
    image = open_header(content)
    _decode(image)
    return _in_usual_mode(image)


def _in_usual_mode(image: Image) -> Image:
    """Return the picture in RGB, or RGBA where it may be clear; the same one if it is so."""
    clear = image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info
    mode = "RGBA" if clear else "RGB"
    return image if image.mode == mode else image.convert(mode)


def _encode(image: Image) -> FoundPicture:
    image = _in_usual_mode(image)
    image.thumbnail((TALLEST, TALLEST))
    out = BytesIO()
    if image.mode == "RGBA":
        if image.getchannel("A").getextrema() != (255, 255):
            image.save(out, "PNG")
            return FoundPicture(out.getvalue(), ".png", image.size)
        image = image.convert("RGB")
    image.save(out, "JPEG", quality=QUALITY, subsampling=0)
    return FoundPicture(out.getvalue(), ".jpg", image.size)
