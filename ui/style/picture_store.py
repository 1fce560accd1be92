"""Finished pictures kept from one start of the program to the next, in one file.

It holds for one stamp: the very drawings, theme and libraries that its pictures were made with. One
of another stamp, or a damaged one, is as good as none.
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

MOST = 16 << 20
"""Bytes of pictures that a file keeps: a shelf has some 3 MiB, four times as many on a fine
screen."""
PIXELS = QImage.Format.Format_ARGB32_Premultiplied
"""The format in which Qt draws them, so that they are read without a conversion."""


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
    """Pictures that a file keeps for a stamp, and those to keep of this start."""

    def __init__(self, file: Path, stamp: str) -> None:
        self._file = file
        self._kept = self._read(stamp)
        self._wanted: dict[bytes, None] = {}
        """The keys of pictures that were wanted, in their order."""
        self._new = False

    def _read(self, stamp: str) -> _Stored:
        content = small_file.read_cache(self._file)
        if content is not None:
            try:
                stored = msgspec.msgpack.decode(content, type=_Stored)
            except (msgspec.MsgspecError, UnicodeDecodeError):
                stored = None
            if stored is not None and stored.stamp == stamp:
                return stored
        return _Stored(stamp, {}, {})

    def size(self, key: bytes) -> QSizeF | None:
        """A size that was kept, if it was."""
        size = self._kept.sizes.get(key)
        return QSizeF(*size) if size is not None else None

    def keep_size(self, key: bytes, size: QSizeF) -> None:
        """Keep a size under this key."""
        self._kept.sizes[key] = size.width(), size.height()
        self._new = True

    def picture(self, key: bytes) -> QPixmap | None:
        """A picture that was kept, if it was; otherwise it is kept when it is written."""
        self._wanted[key] = None
        stored = self._kept.pictures.get(key)
        if stored is None or len(stored.pixels) != stored.width * stored.height * 4:
            self._new = True
            return None
        image = QImage(stored.pixels, stored.width, stored.height, stored.width * 4, PIXELS)
        image.setDevicePixelRatio(stored.ratio)
        return QPixmap.fromImage(image)

    def write(self, drawn: Callable[[bytes], QPixmap | None]) -> None:
        """Write what was wanted since the start, if anything of it is new; `drawn` has it by its
        key. Nobody waits for the disk, and what was read of it is needed no more."""
        known, self._kept.pictures = self._kept.pictures, {}
        if not self._new:
            return
        self._new, left = False, MOST
        pictures: dict[bytes, StoredPicture] = {}
        for key in self._wanted:
            stored = known.get(key) or _pack(drawn(key))
            if stored is not None and len(stored.pixels) <= left:
                left -= len(stored.pixels)
                pictures[key] = stored
        kept = _Stored(self._kept.stamp, dict(self._kept.sizes), pictures)
        threads.start(partial(_write, self._file, kept), "pictures", daemon=False)


def _pack(pixmap: QPixmap | None) -> StoredPicture | None:
    if pixmap is None:
        return None
    image = pixmap.toImage().convertToFormat(PIXELS)
    pixels = bytes(image.constBits())
    return StoredPicture(image.width(), image.height(), image.devicePixelRatio(), pixels)


def _write(file: Path, kept: _Stored) -> None:
    small_file.write_cache(file, msgspec.msgpack.encode(kept))


def stamp(folders: Iterable[Path], *looks: object) -> str:
    """A digest of all that the pictures of these folders depend on: the files as last written, and
    how they are to look."""
    digest = sha256(repr((__version__, qVersion(), looks)).encode())
    for folder in folders:
        for file in sorted(_files_in(folder), key=lambda file: file.path):
            status = file.stat()
            digest.update(f"{file.path} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _files_in(folder: Path | str) -> Iterator[os.DirEntry[str]]:
    """The files in a folder and its folders."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _files_in(entry.path)
            else:
                yield entry
