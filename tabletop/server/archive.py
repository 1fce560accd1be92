"""The archive of a server's finished matches: access control, lists and records.

Files are read on request in a worker thread. Only the public list stays in memory, so memory use
doesn't grow with the server's uptime.
"""

import asyncio
import logging
import os
import re
from collections.abc import Iterator
from pathlib import Path

from tabletop.background.tasks import run_in_thread
from tabletop.engine.model import Reason
from tabletop.files.errors import BadFile
from tabletop.net.host.finished_file import (
    CLOSED_TABLES,
    FINISHED_SUFFIX,
    FinishedFile,
    read_finished,
)
from tabletop.net.limits import FailureLimiter, Limits
from tabletop.protocol.archive import (
    MAX_LISTED_MATCHES,
    MAX_RECORD_BYTES,
    FetchRecord,
    FinishedMatches,
    ListFinishedMatches,
    PackedRecord,
    pack_record,
)
from tabletop.server.public_list import PublicList
from tabletop.storage.record import SUFFIX, read, to_bytes

log = logging.getLogger("tabletop.net")

NO_RECORD = Reason(
    "There is no finished match of this name here, or its record is not open.", code="no_record"
)
TOO_MANY_NAMES = Reason(
    "Too many records were asked for that are not here. Please wait.", code="too_many_names"
)
NOT_READABLE = Reason("The record of this match cannot be read here.", code="not_readable")
MAX_LISTED = 10_000
"""The maximum number of matches on the public list, which is sent in pages."""
TRAFFIC_FACTOR = 4
"""The weight of a response in a guest's traffic limit. It exceeds 1 because reading and packing
records takes time.
"""
_NAME = re.compile(r"[0-9a-f]{12}-\d{1,7}", re.ASCII)


class Archive:
    """The finished matches of one server."""

    def __init__(self, folder: Path, public: PublicList, limits: Limits) -> None:
        self._folders = (folder, folder / CLOSED_TABLES)
        self._public = public
        self._open_records = limits.open_records
        self._wrong = FailureLimiter(limits.codes_per_address, limits.code_window_s)
        self._one_at_a_time = asyncio.Lock()
        self._seen: set[str] = set()
        """The names of files already read for the list."""
        self._listed: dict[str, FinishedFile] = {}
        """The matches on the public list, by name."""

    async def answer(
        self, origin: str, message: ListFinishedMatches | FetchRecord
    ) -> FinishedMatches | PackedRecord | Reason:
        """Return the requested list or record, or the reason for a refusal."""
        if isinstance(message, FetchRecord):
            return await self._answer_record(origin, message)
        visible = self._public.may_see(origin, message.key)
        if isinstance(visible, Reason):
            return visible
        async with self._one_at_a_time:
            if message.mine:
                matches = await run_in_thread(lambda: self._matches_of(message))
            else:
                await run_in_thread(self._update_list)
                matches = [*self._listed.values()] if visible else []
        matches.sort(key=lambda each: each.ended, reverse=True)
        end = message.skip + MAX_LISTED_MATCHES
        entries = tuple(
            each.listing_entry(self._open_records) for each in matches[message.skip : end]
        )
        return FinishedMatches(entries, len(matches) > end)

    async def _answer_record(self, origin: str, asked: FetchRecord) -> PackedRecord | Reason:
        if self._wrong.is_exhausted(origin):
            return TOO_MANY_NAMES
        async with self._one_at_a_time:
            answer = await run_in_thread(lambda: self._read_record(asked))
        if isinstance(answer, Reason) and answer.code == NO_RECORD.code:
            self._wrong.add_failure(origin)
        return answer

    # In a worker thread

    def _read_record(self, asked: FetchRecord) -> PackedRecord | Reason:
        """Return the decrypted record if the guest may download it, otherwise
        the reason for a refusal.
        """
        why = NO_RECORD
        for folder in self._folders:  # a table that was just closed is in the other folder
            try:
                noted = read_finished(folder / f"{asked.match}{FINISHED_SUFFIX}")
            except FileNotFoundError:
                continue
            except (OSError, ValueError) as error:
                log.error("not read match=%s why=%s", asked.match, error)
                why = NOT_READABLE
                continue
            try:
                if not (
                    noted.listing_entry(self._open_records).open or noted.can_open(asked.tokens)
                ):
                    return NO_RECORD
                record = read(folder / f"{asked.match}{SUFFIX}")
            except (OSError, ValueError, BadFile) as error:  # damaged, or moved just now
                log.error("not read match=%s why=%s", asked.match, error)
                why = NOT_READABLE
                continue
            content = to_bytes(record)
            if record.end is None or len(content) > MAX_RECORD_BYTES:
                return NOT_READABLE
            return pack_record(content)
        return why

    def _matches_of(self, asked: ListFinishedMatches) -> list[FinishedFile]:
        """Return the matches at the requested tables for which the tokens are valid."""
        tokens = {each.table: each.tokens for each in asked.mine}
        owned = (
            (noted, tokens[noted.match.table])
            for name, path in self._finished_files()
            if name.partition("-")[0] in tokens and (noted := _try_reading(path)) is not None
        )
        return [noted for noted, theirs in owned if noted.can_open(theirs)]

    def _update_list(self) -> None:
        """Add new finished matches to the public list, and drop those whose files are gone.

        A file that doesn't belong on the list is read only once. A file that can't be read now is
        read again for the next list.
        """
        files = dict(self._finished_files())
        self._seen &= files.keys()
        for name in files.keys() - self._seen:
            noted = _try_reading(files[name])
            if noted is not None:
                self._seen.add(name)
            if noted is not None and noted.listing == "open" and noted.listing_entry(True).open:
                self._listed[name] = noted
        present = ((name, noted) for name, noted in self._listed.items() if name in files)
        latest = sorted(present, key=lambda item: item[1].ended)
        self._listed = dict(latest[-MAX_LISTED:] if self._open_records else ())

    def _finished_files(self) -> Iterator[tuple[str, Path]]:
        for folder in self._folders:
            try:
                entries = os.scandir(folder)
            except FileNotFoundError:
                continue
            except OSError as error:
                log.error("not read folder=%s why=%s", folder.name, error)
                continue
            with entries:
                for entry in entries:
                    name, suffix = os.path.splitext(entry.name)
                    if suffix == FINISHED_SUFFIX and _NAME.fullmatch(name):
                        yield name, Path(entry.path)


def _try_reading(path: Path) -> FinishedFile | None:
    """Return the content of a file; None if the file is missing or can't be read."""
    try:
        return read_finished(path)
    except FileNotFoundError:  # its table was closed meanwhile
        return None
    except (OSError, ValueError) as error:
        log.error("not read file=%s why=%s", path.name, error)
        return None
