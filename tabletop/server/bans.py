"""Bans of addresses from all tables of a server, stored on disk until they are lifted."""

from datetime import UTC, datetime
from pathlib import Path

from tabletop.engine.model import Reason
from tabletop.files.errors import StorageError
from tabletop.files.regular_file import MIB
from tabletop.files.small_file import SmallFile, json_file, notify_user
from tabletop.text.phrases import phrase
from tabletop.web.loopback_address import loopback_address

FILE = "bans.json"
ADDRESS_BANNED = Reason("The server's operator lets nobody in from where you are.", code="shut_out")
DAMAGED = phrase('"{file}" was damaged and moved to "{aside}". All bans are lifted.')


def is_at(origin: str, banned: str) -> bool:
    """Return whether guests from `origin` are at the address `banned`, perhaps by a gateway."""
    return origin == banned or (origin.startswith("127.") and origin == loopback_address(banned))


class Bans:
    """The banned origins (`limits.origin`), each with the time of its ban.

    A ban also applies to phones at the address, for which a gateway connects from this computer.
    """

    def __init__(self, folder: Path) -> None:
        """Load the bans. Until an unreadable file can be read (`read_again`), nobody is banned."""
        self._file: SmallFile[dict[str, datetime]] = json_file(
            folder / FILE, dict[str, datetime], DAMAGED, 16 * MIB
        )
        self.since: dict[str, datetime] = {}
        self._is_read = False
        if (trouble := self.read_again()) is not None:
            notify_user(trouble)

    def read_again(self) -> Reason | None:
        """Load the bans if that failed so far. Return the error if it fails again."""
        if self._is_read:
            return None
        try:
            self.since = self._file.read() or {}
        except StorageError as error:
            return error.reason
        self._is_read = True
        return None

    def __contains__(self, origin: str) -> bool:
        return any(is_at(origin, banned) for banned in self.since)

    def add(self, origin: str) -> None:
        """Ban `origin`.

        Raises:
            StorageError: the file can't be written. Nothing has changed.
        """
        self.since = self._file.update(lambda now: (now or {}) | {origin: datetime.now(UTC)})

    def lift(self, origin: str) -> None:
        """Lift the ban of `origin`.

        Raises:
            StorageError: the file can't be written. Nothing has changed.
        """
        self.since = self._file.update(
            lambda now: {each: since for each, since in (now or {}).items() if each != origin}
        )
