"""Summaries of unfinished matches for lists, kept in the cache; without one, the match would have
to be replayed.

A summary is valid only for the very bytes it was made of, and for the program that made it. It
holds what everybody at the table could see, and nothing else.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tabletop import __version__
from tabletop.engine.mask import mask
from tabletop.engine.model import AUDIENCE, State
from tabletop.files import folders, small_file
from tabletop.files.errors import BadFile
from tabletop.match.match import Match
from tabletop.storage.journal import JournalFile
from tabletop.storage.plies import plies
from tabletop.storage.record import Record, contents, read
from tabletop.storage.record_lines import LONGEST_NAME, Header, open_header, read_header
from tabletop.storage.replacements import with_usual

SUFFIX = ".glimpse"


class SaveSummary(Struct, frozen=True):
    """The last table of a record as the audience sees it, what somebody has called the match, and
    whether its end is written."""

    view: State
    name: str = ""
    ended: bool = False


class _KeptSummary(Struct, frozen=True):
    program: str
    digest: bytes
    summary: SaveSummary


def summary_of(path: Path) -> tuple[Header, SaveSummary]:
    """The header of a record and a summary of it; it is played through only if none is kept.

    Raises:
        BadFile: it cannot be read.
    """
    content = contents(path)
    known = _recall(path, content)
    if known is not None:
        with suppress(BadFile):  # it is locked by another computer: more of it must be read
            head, _ = open_header(read_header(content.split(b"\n", 1)[0], path.name), path.name)
            return with_usual(head, path.name)[0], known
    record = read(path)
    fresh = _summarise(record, plies(record)[-1].state)
    _keep(path, content, fresh)
    return record.header, fresh


def remember(match: Match) -> None:
    """Keep the summary of a match that is left, as it is known now."""
    if isinstance(match.journal, JournalFile):
        path = match.journal.path
        with suppress(BadFile):  # the list of matches says later what is wrong
            _keep(path, contents(path), _summarise(read(path), match.state))


@contextmanager
def keep_summary(path: Path, name: str) -> Iterator[None]:
    """While this lasts, nothing but the name of a match becomes another one."""
    known: SaveSummary | None = None
    with suppress(BadFile):
        known = _recall(path, contents(path))
    yield
    with suppress(BadFile):
        if known is not None:
            _keep(path, contents(path), replace(known, name=name[:LONGEST_NAME]))


def sweep(files: list[Path]) -> None:
    """Clear away everything but the summaries of these matches."""
    wanted = set(map(_summary_path, files))
    with suppress(OSError):
        for left in list(folders.summaries().iterdir()):
            if left not in wanted:
                with suppress(OSError):
                    left.unlink()


def _summary_path(path: Path) -> Path:
    return folders.summaries() / f"{path.name}{SUFFIX}"


def _summarise(record: Record, last: State) -> SaveSummary:
    return SaveSummary(mask(last, AUDIENCE), record.name, record.end is not None)


def _recall(path: Path, content: bytes) -> SaveSummary | None:
    """The summary of a record that holds just this; None where none is kept."""
    kept = small_file.recall(_summary_path(path))
    if kept is None:
        return None
    try:
        kept_summary = msgspec.msgpack.decode(kept, type=_KeptSummary)
    except (msgspec.MsgspecError, ValueError, RecursionError):  # another program's
        return None
    sound = (kept_summary.program, kept_summary.digest) == (__version__, sha256(content).digest())
    return kept_summary.summary if sound else None


def _keep(path: Path, content: bytes, summary: SaveSummary) -> None:
    kept = _KeptSummary(__version__, sha256(content).digest(), summary)
    small_file.cache(_summary_path(path), msgspec.msgpack.encode(kept))
