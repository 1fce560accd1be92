"""Summaries of unfinished matches for lists, kept in the cache; without one, the match would have
to be replayed.

A summary is valid as long as nobody has written to the file it was made of, and for the program
that made it: the file is not read for that. It holds what everybody at the table could see, and
nothing else.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tabletop import __version__
from tabletop.caches.lru_cache import LruCache
from tabletop.engine.mask import mask
from tabletop.engine.model import AUDIENCE, State
from tabletop.files import folders, small_file
from tabletop.files.errors import BadFile
from tabletop.files.shared_decoders import msgpack_decoder
from tabletop.match.match import Match
from tabletop.storage.plies import plies
from tabletop.storage.record import Record, read
from tabletop.storage.record_lines import LONGEST_NAME, Header

SUFFIX = ".glimpse"


class SaveSummary(Struct, frozen=True):
    """The last table of a record as the audience sees it, what somebody has called the match, and
    how it stands."""

    packed: msgspec.Raw
    name: str = ""
    ended: bool = False
    """Whether its end is written."""
    decided: bool = False
    """Whether its last table has a result."""
    moved: int = 0
    """The time of the last move, as in a `Record`."""

    @property
    def view(self) -> State:
        """The last table; unpacked each time it is asked for."""
        return _state.decode(self.packed)


class _Stamp(Struct, frozen=True):
    """What becomes another one when somebody writes to a file."""

    size: int
    written: int
    changed: int
    """Where the system counts that: a date that was set back changes it too."""


class _KeptSummary(Struct, frozen=True):
    program: str
    stamp: _Stamp
    key: _Stamp | None
    """The stamp of the key that opened a sealed record."""
    header: Header
    summary: SaveSummary


MAX_LATEST = 1_000
_latest: LruCache[Path, tuple[_Stamp | None, _KeptSummary]] = LruCache(MAX_LATEST)
"""The last summaries and the stamps of their files, so that a start reads each once."""
_state = msgpack_decoder(State)
_kept_summary = msgpack_decoder(_KeptSummary)


def summary_of(path: Path) -> tuple[Header, SaveSummary]:
    """The header of a record, without its seed, and a summary of it; it is read and played through
    only if none is kept.

    Raises:
        BadFile: it cannot be read.
    """
    stamp = _stamp_of(path)
    known = _recall(path, stamp)
    if known is not None:
        return known.header, known.summary
    record = read(path)
    fresh = _summarise(record, plies(record)[-1].state)
    header = _keep(path, stamp, record.header, fresh)
    return header, fresh


def remember(path: Path, match: Match) -> None:
    """Keep the summary of a match of this file that is left, as it is known now."""
    with suppress(BadFile):  # the list of matches says later what is wrong
        stamp, record = _stamp_of(path), read(path)
        _keep(path, stamp, record.header, _summarise(record, match.state))


@contextmanager
def keep_summary(path: Path, name: str) -> Iterator[None]:
    """While this lasts, nothing but the name of a match becomes another one."""
    known = _recall(path, _stamp_of(path))
    yield
    if known is not None:
        renamed = replace(known.summary, name=name[:LONGEST_NAME])
        _keep(path, _stamp_of(path), known.header, renamed)


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
    view = msgspec.Raw(msgspec.msgpack.encode(mask(last, AUDIENCE)))
    ended, decided = record.end is not None, last.result is not None
    return SaveSummary(view, record.name, ended, decided, record.moved)


def _stamp_of(path: Path) -> _Stamp | None:
    """The stamp of a file; None where it cannot be reached."""
    try:
        now = path.stat()
    except OSError:
        return None
    return _Stamp(now.st_size, now.st_mtime_ns, now.st_ctime_ns)


def _recall(path: Path, stamp: _Stamp | None) -> _KeptSummary | None:
    """What is kept of a record with this stamp; None where nothing is."""
    written = _stamp_of(_summary_path(path))
    latest = _latest.get(path)
    if latest is not None and latest[0] == written and _holds(latest[1], stamp):
        return latest[1]
    kept = small_file.recall(_summary_path(path)) if stamp is not None else None
    if kept is None:
        return None
    try:
        known = _kept_summary.decode(kept)
    except (msgspec.MsgspecError, ValueError, RecursionError):  # kept by another version
        return None
    if not _holds(known, stamp):
        return None
    _latest.keep(path, (written, known))
    return known


def _holds(known: _KeptSummary, stamp: _Stamp | None) -> bool:
    sound = (known.program, known.stamp) == (__version__, stamp)
    return sound and (known.key is None or known.key == _stamp_of(folders.key()))


def _keep(path: Path, stamp: _Stamp | None, header: Header, summary: SaveSummary) -> Header:
    """Keep a summary; return the header as it is kept."""
    sealed = header.hidden == "sealed"
    listed = replace(header, seed="")
    if stamp is not None:
        key = _stamp_of(folders.key()) if sealed else None
        kept = _KeptSummary(__version__, stamp, key, listed, summary)
        small_file.cache(_summary_path(path), msgspec.msgpack.encode(kept))
    return listed
