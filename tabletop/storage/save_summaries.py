"""Summaries of unfinished matches for lists, kept in the index of records; without one, the match
would have to be replayed. A summary holds what everybody at the table could see, and nothing else.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tabletop.engine.mask import mask
from tabletop.engine.model import AUDIENCE, State
from tabletop.files.errors import BadFile
from tabletop.files.regular_file import MIB
from tabletop.files.shared_decoders import msgpack_decoder
from tabletop.match.match import Match
from tabletop.storage.plies import plies
from tabletop.storage.record import Record, read
from tabletop.storage.record_index import IndexEntry, IndexPart, Stamp, stamp_of
from tabletop.storage.record_lines import MAX_NAME_LENGTH, Header

MAX_SUMMARY_BYTES = 8 * MIB


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
        return _state_decoder.decode(self.packed)


class KnownSummary(Struct, frozen=True):
    """A summary and the header of its record, without the seed."""

    header: Header
    summary: SaveSummary


_state_decoder = msgpack_decoder(State)
_summary_index = IndexPart("summary", msgpack_decoder(KnownSummary), MAX_SUMMARY_BYTES)


def read_summary(path: Path) -> tuple[Header, SaveSummary]:
    """Return the header of a record, without its seed, and a summary of it. The record is read and
    played through only if the index doesn't know it.

    Raises:
        BadFile: it cannot be read.
    """
    known = _summary_index.find(path)
    if known is None:
        stamp, record = stamp_of(path), read(path)
        known = _save_known(path, stamp, record.header, _summarise(record, plies(record)[-1].state))
    return known.header, known.summary


def find_known_summaries(folder: Path, paths: Sequence[Path]) -> dict[Path, KnownSummary]:
    """Return what the index knows of these records in `folder`."""
    return _summary_index.find_all(folder, paths)


def save_summary(path: Path, match: Match) -> None:
    """Keep the summary of a match of this file that is left, as it is known now."""
    with suppress(BadFile):  # the list of matches says later what is wrong
        stamp, record = stamp_of(path), read(path)
        _save_known(path, stamp, record.header, _summarise(record, match.state))


@contextmanager
def preserve_summary(path: Path, name: str) -> Iterator[None]:
    """While this lasts, nothing but the name of a match becomes another one."""
    known = _summary_index.find(path)
    yield
    if known is not None:
        renamed = replace(known.summary, name=name[:MAX_NAME_LENGTH])
        _save_known(path, stamp_of(path), known.header, renamed)


def delete_other_summaries(files: Collection[Path]) -> None:
    """Forget everything but the summaries of these matches."""
    _summary_index.delete_others(files)


def _summarise(record: Record, last: State) -> SaveSummary:
    view = msgspec.Raw(msgspec.msgpack.encode(mask(last, AUDIENCE)))
    ended, decided = record.end is not None, last.result is not None
    return SaveSummary(view, record.name, ended, decided, record.moved)


def _save_known(
    path: Path, stamp: Stamp | None, header: Header, summary: SaveSummary
) -> KnownSummary:
    known = KnownSummary(replace(header, seed=""), summary)
    if stamp is not None:
        _summary_index.insert([IndexEntry(path, stamp, known, header.hidden == "sealed")])
    return known
