"""Salvage of the part of a damaged record that precedes the damage."""

from pathlib import Path

from msgspec import UNSET
from msgspec.structs import replace

from tabletop.files.errors import Damaged
from tabletop.storage.plies import plies, plies_from_events
from tabletop.storage.record import Record, kit_for, parse, read_content
from tabletop.storage.record_lines import (
    HEADER_LINE,
    damaged_line_error,
    find_open_key,
    split_lines,
)


def salvage_record(path: Path) -> Record:
    """Return the record at `path` up to the first damaged line.

    `Record.broken` describes the damage.

    Raises:
        BadFile: no part of the file is valid, or it can't be opened on this computer.
    """
    lines, torn = split_lines(read_content(path))
    key = find_open_key(lines, path.name)
    broken: Damaged | None = None
    trusted = 0
    while True:
        try:
            record = parse(path, lines, bool(torn), key, trusted)
            _check_watchable(record, trusted)
        except Damaged as error:
            if HEADER_LINE < error.line <= len(lines):
                del lines[error.line - 1 :]
            elif trusted or error.line > HEADER_LINE:
                raise
            else:  # only names in the header may be damaged, because the deal verifies the seed
                trusted = HEADER_LINE + 1
            broken, torn = error, b""
        else:
            break
    if broken is None:
        return record
    if key:  # the removed part contained the key
        record = replace(record, header=replace(record.header, hidden="open", sealing=UNSET))
    return replace(record, broken=broken.reason)


def _check_watchable(record: Record, trusted: int) -> None:
    """Check that the record can be watched.

    If its header's digest is wrong (`trusted` > 0), also check that its seed gives the recorded
    deal.

    Raises:
        BadFile: the record can't be watched, or the seed gives another deal.
    """
    first, *_ = plies(record)
    if trusted and record.header.hidden != "stripped":
        deal = record.deal
        dealt = plies_from_events(record, kit_for(record), deal)[0].state if deal else None
        if dealt is None or dealt.cards != first.state.cards:
            raise damaged_line_error(record.path.name, HEADER_LINE)
