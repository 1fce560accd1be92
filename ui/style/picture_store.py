"""Finished pictures kept from one start of the program to the next, in one file.

They hold for one stamp: the very drawings, theme and libraries that they were made with. A file of
another stamp, or a damaged one, is as good as none.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import msgspec
from PySide6.QtCore import QSizeF, qVersion
from PySide6.QtGui import QImage, QPixmap

from tabletop import __version__
from tabletop.storage import small_file

MOST = 32 << 20
"""Bytes of pictures that are kept; a shelf has some 3 MiB, four times as many on a fine screen."""
PIXELS = QImage.Format.Format_ARGB32_Premultiplied
"""As Qt draws them: they are read without being reckoned over."""


class StoredPicture(msgspec.Struct, frozen=True, array_like=True):
    """A picture, `width` x `height` device pixels of four bytes, line by line."""

    width: int
    height: int
    ratio: float
    pixels: bytes


class _Stored(msgspec.Struct, array_like=True):
    stamp: str
    sizes: dict[bytes, tuple[float, float]]
    pictures: dict[bytes, StoredPicture]


class PictureStore:
    """What a file keeps for a stamp, and what is to be kept of this start."""

    def __init__(self, file: Path, stamp: str) -> None:
        self._file = file
        self._stamp = stamp
        self._known = self._read()
        self._used = _Stored(stamp, {}, {})
        self._left = MOST
        self._new = False

    def _read(self) -> _Stored:
        content = small_file.recall(self._file)
        if content is not None:
            try:
                found = msgspec.msgpack.decode(content, type=_Stored)
            except (msgspec.MsgspecError, UnicodeDecodeError):
                found = None
            if found is not None and found.stamp == self._stamp:
                return found
        return _Stored(self._stamp, {}, {})

    def size(self, key: bytes) -> QSizeF | None:
        """A size that was kept, if it was."""
        size = self._known.sizes.get(key)
        if size is None:
            return None
        self._used.sizes[key] = size
        return QSizeF(*size)

    def keep_size(self, key: bytes, size: QSizeF) -> None:
        """Keep a size under this key."""
        self._used.sizes[key] = size.width(), size.height()
        self._new = True

    def picture(self, key: bytes) -> QPixmap | None:
        """A picture that was kept, if it was."""
        stored = self._known.pictures.get(key)
        if stored is None or len(stored.pixels) != stored.width * stored.height * 4:
            return None
        self._note(key, stored)
        image = QImage(stored.pixels, stored.width, stored.height, stored.width * 4, PIXELS)
        image.setDevicePixelRatio(stored.ratio)
        return QPixmap.fromImage(image)

    def keep(self, key: bytes, picture: QPixmap) -> None:
        """Keep a picture under this key."""
        image = picture.toImage().convertToFormat(PIXELS)
        pixels = bytes(image.constBits())
        if len(pixels) == image.width() * image.height() * 4:
            ratio = picture.devicePixelRatio()
            self._note(key, StoredPicture(image.width(), image.height(), ratio, pixels))
            self._new = True

    def _note(self, key: bytes, picture: StoredPicture) -> None:
        if key not in self._used.pictures and len(picture.pixels) <= self._left:
            self._left -= len(picture.pixels)
            self._used.pictures[key] = picture

    def write(self) -> None:
        """Write what was used since the start, if anything of it is new; then nothing is kept any
        more, and nothing of it stays in memory."""
        if self._new:
            small_file.cache(self._file, msgspec.msgpack.encode(self._used))
        self._new, self._left = False, 0
        self._used = _Stored(self._stamp, {}, {})
        self._known = _Stored(self._stamp, {}, {})


def stamp(root: Path, *looks: object) -> str:
    """What pictures of a folder of drawings hang on: its files as they were last written, and how
    they are to look."""
    told = sha256(repr((__version__, qVersion(), looks)).encode())
    for file in sorted(root.rglob("*.*")):
        found = file.stat()
        told.update(f"{file.name} {found.st_size} {found.st_mtime_ns}\n".encode())
    return told.hexdigest()
