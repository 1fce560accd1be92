"""A disk cache for rendered pictures in a single file.

It is valid for one stamp, a digest of the drawings, theme and libraries from which the pictures
were made. A damaged file, or one with another stamp, is ignored.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path

import msgspec
from PySide6.QtCore import QSizeF, qVersion
from PySide6.QtGui import QImage, QPixmap

from tabletop import __version__
from tabletop.background import threads
from tabletop.files import small_file

MAX_BYTES = 16 << 20
"""Maximum size of all pictures in the file. A shelf needs about 3 MiB, or four times as much on a
high-resolution screen.
"""
PIXEL_FORMAT = QImage.Format.Format_ARGB32_Premultiplied
"""The pixel format that Qt uses for drawing, so that loading needs no conversion."""


class StoredPicture(msgspec.Struct, frozen=True, array_like=True):
    """A picture of `width` x `height` device pixels with four bytes each, row by row."""

    width: int
    height: int
    pixel_ratio: float
    pixels: bytes


class _StoreFile(msgspec.Struct, array_like=True):
    stamp: str
    sizes: dict[bytes, tuple[float, float]]
    pictures: dict[bytes, StoredPicture]


class PictureStore:
    """The pictures of a file with a given stamp, and
    those to save for the next start of the program.
    """

    def __init__(self, file: Path, stamp: str) -> None:
        self._file = file
        self._kept = self._read(stamp)
        self._wanted: dict[bytes, None] = {}
        """The keys of the pictures requested so far, in order."""
        self._new = False

    def _read(self, stamp: str) -> _StoreFile:
        content = small_file.read_cache(self._file)
        if content is not None:
            try:
                stored = msgspec.msgpack.decode(content, type=_StoreFile)
            except (msgspec.MsgspecError, UnicodeDecodeError):
                stored = None
            if stored is not None and stored.stamp == stamp:
                return stored
        return _StoreFile(stamp, {}, {})

    def get_size(self, key: bytes) -> QSizeF | None:
        """Return the size stored under `key`, or None."""
        size = self._kept.sizes.get(key)
        return QSizeF(*size) if size is not None else None

    def keep_size(self, key: bytes, size: QSizeF) -> None:
        """Store a size under `key`."""
        self._kept.sizes[key] = size.width(), size.height()
        self._new = True

    def get_picture(self, key: bytes) -> QPixmap | None:
        """Return the picture stored under `key`, or None.
        In either case `write` will save the picture.
        """
        self._wanted[key] = None
        stored = self._kept.pictures.get(key)
        if stored is None or len(stored.pixels) != stored.width * stored.height * 4:
            self._new = True
            return None
        image = QImage(stored.pixels, stored.width, stored.height, stored.width * 4, PIXEL_FORMAT)
        image.setDevicePixelRatio(stored.pixel_ratio)
        return QPixmap.fromImage(image)

    def write(self, drawn: Callable[[bytes], QPixmap | None]) -> None:
        """Save all pictures requested so far if any of them is new, and release the loaded ones.

        `drawn` returns a picture by its key. The file is written on a background thread.
        """
        known, self._kept.pictures = self._kept.pictures, {}
        if not self._new:
            return
        self._new, left = False, MAX_BYTES
        pictures: dict[bytes, StoredPicture] = {}
        for key in self._wanted:
            stored = known.get(key) or _pack(drawn(key))
            if stored is not None and len(stored.pixels) <= left:
                left -= len(stored.pixels)
                pictures[key] = stored
        kept = _StoreFile(self._kept.stamp, dict(self._kept.sizes), pictures)
        threads.start(partial(_write, self._file, kept), "pictures", daemon=False)


def _pack(pixmap: QPixmap | None) -> StoredPicture | None:
    if pixmap is None:
        return None
    image = pixmap.toImage().convertToFormat(PIXEL_FORMAT)
    pixels = bytes(image.constBits())
    return StoredPicture(image.width(), image.height(), image.devicePixelRatio(), pixels)


def _write(file: Path, kept: _StoreFile) -> None:
    small_file.write_cache(file, msgspec.msgpack.encode(kept))


def make_stamp(folders: Iterable[Path], *looks: object) -> str:
    """Return a digest of the files in `folders` and of
    `looks`, everything that determines the pictures.
    """
    digest = sha256(repr((__version__, qVersion(), looks)).encode())
    for folder in folders:
        for file in sorted(_files_in(folder), key=lambda file: file.path):
            status = file.stat()
            digest.update(f"{file.path} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _files_in(folder: Path | str) -> Iterator[os.DirEntry[str]]:
    """Yield the files in `folder` and its subfolders."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _files_in(entry.path)
            else:
                yield entry
