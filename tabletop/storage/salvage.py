"""What is good of a damaged record: all up to the last move before the damage.

It can be watched, and gone on with in a copy. The damaged file is kept as it is, under a name of
its own, so that nobody has to choose between the two.
"""

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex

from msgspec import UNSET
from msgspec.structs import replace

from tabletop.storage import saved_matches
from tabletop.storage.atomic_write import write_new
from tabletop.storage.errors import BadFile, Damaged, disk_trouble
from tabletop.storage.journal import alone
from tabletop.storage.plies import plies, told_plies
from tabletop.storage.record import (
    SUFFIX,
    Record,
    agreed,
    contents,
    kit_for,
    parsed,
    written,
)
from tabletop.storage.record_lines import HEADER, damaged, key_in, read_header


def good_part(path: Path) -> Record:
    """The record of a damaged file as far as it is good; `Record.broken` tells what comes then.

    Raises:
        BadFile: nothing of it is good, or it is no record that could be read here.
    """
    *lines, torn = contents(path).split(b"\n")
    key = key_in(lines or [b""], path.name)
    broken: Damaged | None = None
    trusted = 0
    while True:
        try:
            record = parsed(path, lines or [b""], bool(torn), key, trusted)
            _check(record, trusted)
        except Damaged as error:
            if HEADER < error.line <= len(lines):
                del lines[error.line - 1 :]
            elif trusted or error.line > HEADER:
                raise
            else:  # names may be garbled; whether the game is the right one tells its deal
                trusted = HEADER + 1
            broken, torn = error, b""
        else:
            break
    if broken is None:
        return record
    if key:  # it stood openly in what was cut off
        record = replace(record, header=replace(record.header, hidden="open", sealing=UNSET))
    return replace(record, broken=broken.reason)


def _check(record: Record, trusted: int) -> None:
    """See that a record can be watched; and where its header is damaged, that its seed still deals
    what was dealt.

    Raises:
        BadFile: it cannot, or the seed does not.
    """
    first, *_ = plies(record)
    if trusted and record.header.hidden != "stripped":
        deal = record.deal
        dealt = told_plies(record, kit_for(record), deal)[0].state if deal else None
        if dealt is None or dealt.cards != first.state.cards:
            raise damaged(record.path.name, HEADER)


def may_go_on(error: BadFile) -> bool:
    """Whether a match of which this is wrong may be gone on with from its last good move; as far as
    its header tells."""
    path = error.path
    if not isinstance(error, Damaged) or path is None:
        return False
    try:
        head = read_header(contents(path).split(b"\n", 1)[0], path.name)
        bare = Record(path, head, ())
        agreed(bare, kit_for(bare))
    except BadFile:
        return False
    return True


def mended(path: Path) -> tuple[Path, Path]:
    """Set a damaged match aside, and put a copy of what is good of it in its place: among the
    matches, or where that was over, the replays. Gives where the copy lies, and the damaged file.

    Raises:
        BadFile: these rules cannot play it on, or nothing of it is good.
        StorageError: the disk refused, or it is played on in another window; it stays as it was.
    """
    record = good_part(path)
    agreed(record, kit_for(record))
    copy = path.with_name(f"{path.stem}-{token_hex(2)}{SUFFIX}")
    aside = path.with_name(f"{path.name}.broken-{datetime.now(UTC):%Y%m%d-%H%M%S}")
    with alone(path):
        write_new(copy, written(record))
        try:
            path.rename(aside)
        except OSError as error:
            with suppress(OSError):
                copy.unlink()
            raise disk_trouble(error, path.name) from error
    picture = saved_matches.picture_path(path)
    with suppress(OSError):
        picture.rename(saved_matches.picture_path(copy))
    over = plies(record)[-1].state.result is not None
    return (saved_matches.keep(copy) if over else copy), aside
