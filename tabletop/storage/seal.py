"""Encryption of records that hide cards.

The record of a match with bots or remote players has its own key. The file contains this record
key, encrypted with the key in the data folder of the computer that hosts the match. When the match
ends, the record key is written unencrypted, because everybody may see everything then.
"""

import os
from base64 import b64decode, b64encode
from binascii import Error as NoBase64
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tabletop.engine.model import Reason
from tabletop.files import folders
from tabletop.files.errors import StorageError
from tabletop.files.regular_file import KIB
from tabletop.files.small_file import SmallFile
from tabletop.text.phrases import phrase

KEY_BYTES = 32
NONCE_BYTES = 12
DAMAGED_NOTICE = phrase(
    '"{file}" was damaged and moved to "{aside}". Unfinished matches with hidden '
    "cards can't be opened any more; new ones can."
)
FOREIGN_DAMAGED_NOTICE = phrase(
    '"{file}" of the other computer was damaged: its unfinished matches with hidden cards can be '
    "opened only there."
)
_known_keys: dict[Path, bytes] = {}
"""The keys that were last loaded or created, by the path of their key file."""


class WrongKey(Exception):
    """Raised when a key can't decrypt a text."""


class KeyUnreadable(WrongKey):
    """Raised when this computer's key can't be read at the moment, but may be intact."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


class Seal:
    """Encrypts and decrypts the lines of one record with its key."""

    def __init__(self, key: bytes | None = None) -> None:
        self._key = key or _new_key()

    def lock(self, content: bytes, line: int) -> str:
        """Encrypt `content`, and return it as base64 text.

        It can only be decrypted with the same `line` number.
        """
        nonce = os.urandom(NONCE_BYTES)
        whole = nonce + AESGCM(self._key).encrypt(nonce, content, str(line).encode())
        return b64encode(whole).decode()

    def open(self, sealed: str, line: int) -> bytes:
        """Decrypt text that `lock` returned for the same `line` number.

        Raises:
            WrongKey: the text was encrypted for another line or with another key, or is damaged.
        """
        content = _decode_base64(sealed)
        try:
            return AESGCM(self._key).decrypt(
                content[:NONCE_BYTES], content[NONCE_BYTES:], str(line).encode()
            )
        except (InvalidTag, ValueError) as error:
            raise WrongKey from error

    def locked_key(self) -> str:
        """Return the record key, encrypted with this computer's key.

        Raises:
            StorageError: this computer can't store its key.
        """
        key = _known_keys[folders.key()] = _computer_key_file().read_or_create(_new_key)
        return Seal(key).lock(self._key, 0)

    def open_key(self) -> str:
        """Return the record key unencrypted, as base64 text."""
        return b64encode(self._key).decode()


def seal_of_open_key(text: str) -> Seal:
    """Return the seal that uses the unencrypted, base64-encoded key `text`.

    Raises:
        WrongKey: `text` isn't a key.
    """
    return Seal(_decode_base64(text))


def seal_of_locked_key(locked: str) -> Seal:
    """Return the seal that uses the record key `locked`, which this computer has encrypted.

    Raises:
        WrongKey: another computer encrypted the key, or this computer has lost its own.
        KeyUnreadable: the key can't be read at the moment.
    """
    try:
        key = _computer_key_file().read()
    except StorageError as error:
        raise KeyUnreadable(error.reason) from error
    if key is None:
        raise WrongKey
    _known_keys[folders.key()] = key
    return Seal(Seal(key).open(locked, 0))


def relock_key(locked: str, key: bytes) -> str:
    """Return another computer's record key, encrypted with this computer's key.

    `locked`: the record key, encrypted with the other computer's `key`.

    Raises:
        WrongKey: `key` doesn't decrypt `locked`.
        StorageError: this computer can't store its key.
    """
    return Seal(Seal(key).open(locked, 0)).locked_key()


def import_key(path: Path) -> bytes | None:
    """Return another computer's key from the file at `path`.

    If this computer has no key yet, it adopts the other one. Return None if the file is missing or
    damaged, or if both computers now have the same key.

    Raises:
        StorageError: the file can't be read, or this computer can't store its key.
    """
    key = SmallFile(path, _decode_key, bytes, FOREIGN_DAMAGED_NOTICE, max_bytes=KIB).read()
    if key is None:
        return None
    here = _known_keys[folders.key()] = _computer_key_file().read_or_create(lambda: key)
    return key if key != here else None


def restore_key() -> None:
    """Write this computer's key again if its file has disappeared.

    Without it, the records of running matches couldn't be opened.

    Raises:
        StorageError: the file can't be written.
    """
    if (key := _known_keys.get(folders.key())) is not None:
        _computer_key_file().read_or_create(lambda: key)


def _decode_base64(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except (NoBase64, ValueError) as error:
        raise WrongKey from error


def _computer_key_file() -> SmallFile[bytes]:
    return SmallFile(folders.key(), _decode_key, bytes, DAMAGED_NOTICE, max_bytes=KIB)


def _decode_key(content: bytes) -> bytes:
    if len(content) != KEY_BYTES:
        raise ValueError("too short or too long for a key")
    return content


def _new_key() -> bytes:
    return AESGCM.generate_key(KEY_BYTES * 8)
