"""Pictures of other programs, made fit for cards: decoded as what their first bytes say, cut from
sheets, written again where no card can show them as they are."""

import warnings
from io import BytesIO
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from tabletop.exchange.found_game import FoundPicture
from tabletop.exchange.sources import PICTURES, Source
from tabletop.files.errors import BadFile
from tabletop.games.data_game import LARGEST_PICTURE

if TYPE_CHECKING:
    from PIL.Image import Image

KINDS = {b"\x89PNG\r\n\x1a\n": "PNG", b"\xff\xd8\xff": "JPEG", b"RIFF": "WEBP", b"GIF8": "GIF"}
"""The kinds that are read, by their first bytes."""
MOST_PIXELS = 70_000_000
"""Pixels of a sheet of cards."""
MOST_PIXELS_OF_ALL = 1_000_000_000
"""Pixels of all pictures of a source: decoding more takes minutes."""
TALLEST = 1_200
"""Pixels of the longer side of a picture that is written again: a card is drawn 840 high."""
QUALITY = 90
MOST_SHEET = 20
"""Columns, and rows, of a sheet."""


class FoundPictures:
    """The pictures of a source that were asked for, each by a name of its own."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._by_name = {PurePosixPath(name).name.lower(): name for name in source}
        self._by_stem = {
            PurePosixPath(name).stem.lower(): name
            for name in source
            if name.lower().endswith(PICTURES)
        }
        self.kept: dict[str, FoundPicture] = {}
        self._lacking: set[str] = set()
        self._pixels = 0
        self._sheet: tuple[str, Image | None] = ("", None)

    @property
    def missing(self) -> int:
        """The number of pictures that were asked for, and aren't there or can't be read."""
        return len(self._lacking)

    def named(self, wanted: str) -> str:
        """The name by which a picture is kept; empty where there is none. It is named by its path,
        by its file's name, or by that without its suffix."""
        if not wanted:
            return ""
        found = self._find(wanted)
        if found and found not in self.kept:
            try:
                self.kept[found] = fit(self._open_picture(found), self._source.read(found))
            except BadFile:
                found = ""
        if not found:
            self._lacking.add(wanted)
        return found

    def cut(self, wanted: str, columns: int, rows: int, number: int) -> str:
        """The name by which one card of a sheet is kept, counted from the left of its first row;
        empty where there is no such sheet."""
        found = self._find(wanted) if wanted else ""
        name = f"{found}#{columns}x{rows}#{number}"
        if not found or not (0 < columns <= MOST_SHEET and 0 < rows <= MOST_SHEET):
            self._lacking.update([wanted] if wanted else [])
            return ""
        if (columns, rows) == (1, 1):
            return self.named(wanted)
        if name not in self.kept and 0 <= number < columns * rows:
            try:
                sheet = self._open_sheet(found)
            except BadFile:
                self._lacking.add(wanted)
                return ""
            across, down = sheet.width / columns, sheet.height / rows
            row, column = divmod(number, columns)
            place = (column * across, row * down, (column + 1) * across, (row + 1) * down)
            left, top, right, bottom = map(round, place)
            self.kept[name] = _encode(sheet.crop((left, top, right, bottom)))
        return name if name in self.kept else ""

    def _open_sheet(self, name: str) -> "Image":
        known, sheet = self._sheet
        if known != name or sheet is None:
            sheet = self._open_picture(name)
            self._sheet = (name, sheet)
        return sheet

    def _open_picture(self, name: str) -> "Image":
        image = open_image(self._source.read(name))
        self._pixels += image.width * image.height
        if self._pixels > MOST_PIXELS_OF_ALL:
            raise BadFile("A picture can't be read: there are too many.")
        return image

    def _find(self, wanted: str) -> str:
        path = wanted.replace("\\", "/").removeprefix("./")
        for name in (wanted, path):
            if name in self._source:
                return name
        last = path.rpartition("/")[2].lower()
        return self._by_name.get(last) or self._by_stem.get(last, "")


def open_image(content: bytes) -> "Image":
    """A picture, decoded.

    Raises:
        BadFile: it is none, or too large.
    """
    from PIL import Image as Reader

    kind = next((kind for begins, kind in KINDS.items() if content.startswith(begins)), "")
    try:
        if not kind:
            raise ValueError
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Pillow's own warning; its limit is higher than ours
            image = Reader.open(BytesIO(content), formats=(kind,))
            if not 0 < image.width * image.height <= MOST_PIXELS:
                raise ValueError
            image.load()
    except Exception as error:  # decoders raise anything on files from other programs
        raise BadFile("A picture can't be read: it is none, or too large.") from error
    clear = image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info
    return image.convert("RGBA" if clear else "RGB")


def fit(image: "Image", content: bytes) -> FoundPicture:
    """A picture as a card can show it: its file's content as it is, or written again."""
    suffix = {b"\x89PN": ".png", b"\xff\xd8\xff": ".jpg"}.get(content[:3], "")
    if suffix and len(content) <= LARGEST_PICTURE // 4 and max(image.size) <= 2 * TALLEST:
        return FoundPicture(content, suffix, image.size)
    return _encode(image)


def _encode(image: "Image") -> FoundPicture:
    image.thumbnail((TALLEST, TALLEST))
    out = BytesIO()
    if image.mode == "RGBA":
        if image.getchannel("A").getextrema() != (255, 255):
            image.save(out, "PNG")
            return FoundPicture(out.getvalue(), ".png", image.size)
        image = image.convert("RGB")
    image.save(out, "JPEG", quality=QUALITY, subsampling=0)
    return FoundPicture(out.getvalue(), ".jpg", image.size)
