"""Summaries of unfinished matches, stored in the record index so that lists needn't replay matches.

A summary contains only what all players could see.
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
    """The last state of a match as the audience sees it, with its name and progress."""

    packed: msgspec.Raw
    """The last state, encoded as MessagePack."""
    name: str = ""
    """The name that the user gave the match; "" if none."""
    ended: bool = False
    """Whether the record contains its end."""
    decided: bool = False
    """Whether the last state has a result."""
    moved: int = 0
    """When the last move was made, in Unix seconds; 0 if unknown."""

    @property
    def view(self) -> State:
        """The last state, decoded on each access."""
        return _state_decoder.decode(self.packed)


class KnownSummary(Struct, frozen=True):
    """A summary, together with the header of its record without the seed."""

    header: Header
    summary: SaveSummary


_state_decoder = msgpack_decoder(State)
_summary_index = IndexPart("summary", msgpack_decoder(KnownSummary), MAX_SUMMARY_BYTES)


def read_summary(path: Path) -> tuple[Header, SaveSummary]:
    """Return the header of the record at `path`, without its seed, and the match's summary.

    The record is replayed only if the index has no up-to-date summary.

    Raises:
        BadFile: the record can't be read.
    """
    known = _summary_index.find(path)
    if known is None:
        stamp, record = stamp_of(path), read(path)
        known = _save_known(path, stamp, record.header, _summarise(record, plies(record)[-1].state))
    return known.header, known.summary


def find_known_summaries(folder: Path, paths: Sequence[Path]) -> dict[Path, KnownSummary]:
    """Return the indexed summaries of the records `paths` in `folder`."""
    return _summary_index.find_all(folder, paths)


def save_summary(path: Path, match: Match) -> None:
    """Store the summary of `match`, which is being closed and is recorded at `path`."""
    with suppress(BadFile):  # the list of matches reports the error
        stamp, record = stamp_of(path), read(path)
        _save_known(path, stamp, record.header, _summarise(record, match.state))


@contextmanager
def preserve_summary(path: Path, name: str) -> Iterator[None]:
    """Keep a match's summary valid while the `with` block changes only its name, to `name`."""
    known = _summary_index.find(path)
    yield
    if known is not None:
        renamed = replace(known.summary, name=name[:MAX_NAME_LENGTH])
        _save_known(path, stamp_of(path), known.header, renamed)


def delete_other_summaries(files: Collection[Path]) -> None:
    """Delete the summaries of all matches except `files`."""
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
