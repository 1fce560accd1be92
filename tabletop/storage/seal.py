"""Encryption of records that hold hidden cards.

A record of a table with bots or with remote players has a key of its own. That key is in the file,
locked with another one in the data folder of the computer that keeps the table; at the end of the
match it is written openly, since then everybody may see everything.
"""

import os
from base64 import b64decode, b64encode
from binascii import Error as NoBase64
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tabletop.files import folders
from tabletop.files.errors import StorageError
from tabletop.files.regular_file import KIB
from tabletop.files.small_file import SmallFile
from tabletop.text.phrases import phrase

KEY_BYTES = 32
NONCE_BYTES = 12
BROKEN = phrase(
    '"{file}" was damaged and moved to "{aside}". Unfinished matches with hidden '
    "cards can't be opened any more; new ones can."
)
FOREIGN_BROKEN = phrase(
    '"{file}" of the other computer was damaged: its unfinished matches with hidden cards can be '
    "opened only there."
)
_known_keys: dict[Path, bytes] = {}
"""This computer's key as it was last read or made, by its file."""


class WrongKey(Exception):
    """The key does not open this."""


class Seal:
    """Locks and opens the lines of one record."""

    def __init__(self, key: bytes | None = None) -> None:
        self._key = key or _new_key()

    def lock(self, content: bytes, line: int) -> str:
        """The content of a line of a file, sealed; it opens on that very line."""
        nonce = os.urandom(NONCE_BYTES)
        whole = nonce + AESGCM(self._key).encrypt(nonce, content, str(line).encode())
        return b64encode(whole).decode()

    def open(self, sealed: str, line: int) -> bytes:
        """Open what was sealed on this line.

        Raises:
            WrongKey: it was not, or with another key.
        """
        content = _decode_base64(sealed)
        try:
            return AESGCM(self._key).decrypt(
                content[:NONCE_BYTES], content[NONCE_BYTES:], str(line).encode()
            )
        except (InvalidTag, ValueError) as error:
            raise WrongKey from error

    def locked_key(self) -> str:
        """The key, for this computer alone.

        Raises:
            StorageError: this computer can keep no key.
        """
        key = _known_keys[folders.key()] = _computer_key_file().read_or_create(_new_key)
        return Seal(key).lock(self._key, 0)

    def open_key(self) -> str:
        """The key, for everybody."""
        return b64encode(self._key).decode()


def seal_of_open_key(text: str) -> Seal:
    """The seal whose key was written openly.

    Raises:
        WrongKey: that is no key.
    """
    return Seal(_decode_base64(text))


def seal_of_locked_key(locked: str) -> Seal:
    """The seal whose key was locked by this computer.

    Raises:
        WrongKey: another computer locked it, or this one has lost its key.
    """
    try:
        key = _computer_key_file().read()
    except StorageError as error:
        raise WrongKey from error
    if key is None:
        raise WrongKey
    _known_keys[folders.key()] = key
    return Seal(Seal(key).open(locked, 0))


def relock_key(locked: str, key: bytes) -> str:
    """The key of a record that was locked by another computer's key, locked by this computer's.

    Raises:
        WrongKey: the other computer's key does not open it.
        StorageError: this computer can keep no key.
    """
    return Seal(Seal(key).open(locked, 0)).locked_key()


def import_key(path: Path) -> bytes | None:
    """Return another computer's key, which is in this file; where this computer has none, it is
    this computer's from now on. None where there is none, or it is this computer's already.

    Raises:
        StorageError: it cannot be read, or this computer can keep no key.
    """
    key = SmallFile(path, _decode_key, bytes, FOREIGN_BROKEN, most=KIB).read()
    if key is None:
        return None
    here = _known_keys[folders.key()] = _computer_key_file().read_or_create(lambda: key)
    return key if key != here else None


def restore_key() -> None:
    """Restore this computer's key if its file has gone: records of running matches open with no
    other.

    Raises:
        StorageError: it cannot be written.
    """
    if (key := _known_keys.get(folders.key())) is not None:
        _computer_key_file().read_or_create(lambda: key)


def _decode_base64(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except (NoBase64, ValueError) as error:
        raise WrongKey from error


def _computer_key_file() -> SmallFile[bytes]:
    """The file of this computer's key, for this person's eyes alone."""
    return SmallFile(folders.key(), _decode_key, bytes, BROKEN, most=KIB)


def _decode_key(content: bytes) -> bytes:
    if len(content) != KEY_BYTES:
        raise ValueError("too short or too long for a key")
    return content


def _new_key() -> bytes:
    return AESGCM.generate_key(KEY_BYTES * 8)
