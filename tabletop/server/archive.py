"""The finished matches of a server: who may list them, and who gets their records.

Everything is read from the disk, in a thread and on request: a server that runs for years keeps
nothing of it in memory but its list.
"""

import asyncio
import os
import re
from collections.abc import Iterator
from pathlib import Path

from tabletop.background.tasks import run_in_thread
from tabletop.engine.model import Reason
from tabletop.files.errors import BadFile
from tabletop.net.host.finished_file import (
    CLOSED_TABLES,
    FINISHED,
    FinishedFile,
    read_finished,
)
from tabletop.net.limits import FailureLimiter, Limits
from tabletop.protocol.archive import (
    LARGEST_RECORD,
    MOST_FINISHED,
    AskFinished,
    AskRecord,
    FinishedMatches,
    PackedRecord,
    packed_record,
)
from tabletop.server.public_list import PublicList
from tabletop.storage.record import SUFFIX, read, to_bytes

NO_RECORD = Reason(
    "There is no finished match of this name here, or its record is not open.", code="no_record"
)
TOO_MANY_NAMES = Reason(
    "Too many records were asked for that are not here. Please wait.", code="too_many_names"
)
NOT_READABLE = Reason("The record of this match cannot be read here.", code="not_readable")
MOST_LISTED = 10_000
"""The latest matches that are on the public list, page by page."""
COST = 4
"""Factor by which a reply counts as traffic: it is read and packed for the request."""
_NAME = re.compile(r"[0-9a-f]{12}-\d{1,7}", re.ASCII)


class Archive:
    """The finished matches of one server."""

    def __init__(self, folder: Path, public: PublicList, limits: Limits) -> None:
        self._folders = (folder, folder / CLOSED_TABLES)
        self._public = public
        self._open_records = limits.open_records
        self._wrong = FailureLimiter(limits.codes_per_address, limits.code_window)
        self._one_at_a_time = asyncio.Lock()
        self._seen: set[str] = set()
        """The names of the files that were looked into for the list."""
        self._listed: dict[str, FinishedFile] = {}
        """The latest ones on the public list."""

    async def answer(
        self, origin: str, message: AskFinished | AskRecord
    ) -> FinishedMatches | PackedRecord | Reason:
        """Answer a request for finished matches; else return why not."""
        if isinstance(message, AskRecord):
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
        end = message.skip + MOST_FINISHED
        entries = tuple(each.entry(self._open_records) for each in matches[message.skip : end])
        return FinishedMatches(entries, len(matches) > end)

    async def _answer_record(self, origin: str, asked: AskRecord) -> PackedRecord | Reason:
        if self._wrong.is_exhausted(origin):
            return TOO_MANY_NAMES
        async with self._one_at_a_time:
            answer = await run_in_thread(lambda: self._read_record(asked))
        if isinstance(answer, Reason) and answer.code == NO_RECORD.code:
            self._wrong.fail(origin)
        return answer

    # In a thread

    def _read_record(self, asked: AskRecord) -> PackedRecord | Reason:
        """Return the decrypted record; only to those entitled to it."""
        why = NO_RECORD
        for folder in self._folders:  # a table closed meanwhile is found in the other folder
            try:
                noted = read_finished(folder / f"{asked.match}{FINISHED}")
                if not (noted.entry(self._open_records).open or noted.opened_by(asked.tokens)):
                    return NO_RECORD
                record = read(folder / f"{asked.match}{SUFFIX}")
            except (OSError, ValueError):
                continue
            except BadFile:  # or the file has just been moved
                why = NOT_READABLE
                continue
            content = to_bytes(record)
            if record.end is None or len(content) > LARGEST_RECORD:
                return NOT_READABLE
            return packed_record(content)
        return why

    def _matches_of(self, asked: AskFinished) -> list[FinishedFile]:
        """The matches at these tables that the tokens fit."""
        tokens = {each.table: each.tokens for each in asked.mine}
        owned = (
            (noted, tokens[noted.match.table])
            for name, path in self._finished_files()
            if name.partition("-")[0] in tokens and (noted := _try_reading(path)) is not None
        )
        return [noted for noted, theirs in owned if noted.opened_by(theirs)]

    def _update_list(self) -> None:
        """Update the list by matches that have ended since, and by those that the operator has
        taken away; a file that is no match for the list is read once."""
        files = dict(self._finished_files())
        for name in files.keys() - self._seen:
            noted = _try_reading(files[name])
            if noted is not None and noted.listing == "open" and noted.entry(True).open:
                self._listed[name] = noted
        self._seen = set(files)
        present = ((name, noted) for name, noted in self._listed.items() if name in files)
        latest = sorted(present, key=lambda item: item[1].ended)
        self._listed = dict(latest[-MOST_LISTED:] if self._open_records else ())

    def _finished_files(self) -> Iterator[tuple[str, Path]]:
        for folder in self._folders:
            try:
                entries = os.scandir(folder)
            except OSError:
                continue
            with entries:
                for entry in entries:
                    name, suffix = os.path.splitext(entry.name)
                    if suffix == FINISHED and _NAME.fullmatch(name):
                        yield name, Path(entry.path)


def _try_reading(path: Path) -> FinishedFile | None:
    """Read a file; None where it has just been moved, or can't be read."""
    try:
        return read_finished(path)
    except (OSError, ValueError):
        return None
