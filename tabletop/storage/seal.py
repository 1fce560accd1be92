"""What keeps hidden cards from whoever opens a file with something else than this program.

A record of a table with bots or with people elsewhere has a key of its own. That key stands in the
file locked with another one, which lies in the data folder of the computer that keeps the table; at
the end of the match it is written openly, since then everybody may see everything.
"""

import os
from base64 import b64decode, b64encode
from binascii import Error as NoBase64
from contextlib import suppress
from pathlib import Path
from threading import get_ident

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tabletop.storage import folders
from tabletop.storage.errors import StorageError, disk_trouble

LENGTH = 32
NONCE = 12


class Locked(Exception):
    """The key does not open this."""


class Seal:
    """Locks and opens the lines of one record."""

    def __init__(self, key: bytes | None = None) -> None:
        self._key = key or AESGCM.generate_key(LENGTH * 8)

    def lock(self, content: bytes, line: int) -> str:
        """The content of a line of a file, sealed; it opens on that very line."""
        return _lock(self._key, content, line)

    def open(self, sealed: str, line: int) -> bytes:
        """What was sealed on this line.

        Raises:
            Locked: it was not, or with another key.
        """
        return _open(self._key, sealed, line)

    def locked(self) -> str:
        """The key, for this computer alone.

        Raises:
            StorageError: this computer can keep no key.
        """
        return _lock(_computer_key(make=True), self._key, 0)

    def spoken(self) -> str:
        """The key, for everybody."""
        return b64encode(self._key).decode()


def spoken(text: str) -> Seal:
    """The seal whose key was written openly.

    Raises:
        Locked: that is no key.
    """
    return Seal(_plain(text))


def here(locked: str) -> Seal:
    """The seal whose key was locked by this computer.

    Raises:
        Locked: another computer locked it, or this one has lost its key.
    """
    try:
        return Seal(_open(_computer_key(make=False), locked, 0))
    except StorageError as error:
        raise Locked from error


def _lock(key: bytes, content: bytes, line: int) -> str:
    nonce = os.urandom(NONCE)
    return b64encode(nonce + AESGCM(key).encrypt(nonce, content, str(line).encode())).decode()


def _open(key: bytes, sealed: str, line: int) -> bytes:
    content = _plain(sealed)
    try:
        return AESGCM(key).decrypt(content[:NONCE], content[NONCE:], str(line).encode())
    except (InvalidTag, ValueError) as error:
        raise Locked from error


def _plain(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except (NoBase64, ValueError) as error:
        raise Locked from error


def _computer_key(make: bool) -> bytes:
    """The key of this computer, made where there is none and one is wanted."""
    path = folders.key()
    try:
        if make:
            with suppress(FileExistsError):
                _make(path)
        key = path.read_bytes()
    except OSError as error:
        raise disk_trouble(error, path.name) from error
    if len(key) != LENGTH:
        raise StorageError('"{file}" holds no key any more.', file=path.name)
    return key


def _make(path: Path) -> None:
    """Put a new key there for this person's eyes alone, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists():
        return
    new = path.with_name(f".{path.name}.{os.getpid()}.{get_ident()}.new")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(AESGCM.generate_key(LENGTH * 8))
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(new, path)  # unlike a rename, it never replaces the key of another window
    except FileExistsError:
        raise
    except OSError:  # a disk without links
        new.replace(path)
    new.unlink(missing_ok=True)
