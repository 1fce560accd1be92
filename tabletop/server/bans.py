"""Addresses banned from all tables of a host, until the ban is lifted. Kept on disk."""

from datetime import UTC, datetime
from pathlib import Path

from tabletop.engine.model import Reason
from tabletop.files.regular_file import MIB
from tabletop.files.small_file import SmallFile, json_file
from tabletop.text.phrases import phrase

FILE = "bans.json"
SHUT_OUT = Reason("The server's operator lets nobody in from where you are.", code="shut_out")
BROKEN = phrase('"{file}" was damaged and moved to "{aside}". All bans are lifted.')


class Bans:
    """Each an origin, as `limits.origin` gives it, and since when."""

    def __init__(self, folder: Path) -> None:
        """A file that is missing or cannot be read shuts nobody out."""
        self._file: SmallFile[dict[str, datetime]] = json_file(
            folder / FILE, dict[str, datetime], BROKEN, 16 * MIB
        )
        self.since = self._file.read_or_default({})

    def __contains__(self, origin: str) -> bool:
        return origin in self.since

    def add(self, origin: str) -> None:
        """Shut an origin out.

        Raises:
            StorageError: it cannot be written; nothing has changed.
        """
        self.since = self._file.update(lambda now: (now or {}) | {origin: datetime.now(UTC)})

    def lift(self, origin: str) -> None:
        """Let an origin in again. Raises as `add`."""
        self.since = self._file.update(
            lambda now: {each: since for each, since in (now or {}).items() if each != origin}
        )
