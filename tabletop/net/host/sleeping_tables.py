"""Tables that sleep on disk: of each a few facts stay in memory, and the first guest wakes it.

A table sleeps once nobody is there and nothing would happen by itself. Where a match waits for
persons its bots wait with them, so it may sleep. Where bots play for everybody who is not sent
away they play on to the end, and only then it sleeps.
"""

import logging
from pathlib import Path

from msgspec import Struct

from tabletop import __version__
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Reason, Value
from tabletop.files.errors import RulesMismatch
from tabletop.match.match import Match
from tabletop.net.host.table_disk import TableDisk, journal_of, read_table, table_file
from tabletop.protocol.listing import Listed
from tabletop.protocol.messages import Enter, Phase, TablePlan
from tabletop.storage.record import Record, kit_for, read, replay
from tabletop.storage.record_lines import end_of
from tabletop.table.hosted_table import HostedTable
from tabletop.table.seats import are_equal, digest
from tabletop.table.table_file import HostedTableFile
from tabletop.text.phrases import fill_gaps

log = logging.getLogger("tabletop.net")

OTHER_VERSION = Reason(
    "This match was begun with Tabletop {theirs} (rules {their_rules}), and this server has "
    "Tabletop {ours} (rules {our_rules}), which plays it otherwise. The table is kept as it is.",
    code="other_version",
)
OTHER_GAME = Reason(
    "The game “{game}” has changed since this match began: its cards, zones or rules are others "
    "now. The table is kept as it is.",
    code="earlier_game",
)
NOT_READ = Reason(
    "This table can't be read right now. It's kept as it is; the host's log says why.",
    code="not_read",
)


class OtherVersion(Exception):
    """A match that this program's rules and cards do not play as it was started."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(fill_gaps(reason.text, reason.args))
        self.reason = reason


class SleepingTable(Struct, gc=False):
    """A sleeping table's facts: enough to let its guests in, and to list it."""

    table: str
    code: str
    plan: TablePlan
    tokens: tuple[str, ...]
    """The digests of the tokens of the host, of each seat, and of players who can reclaim one; ""
    for none."""
    players: tuple[str, ...]
    """The players seat by seat: a person's name, "bot", or "" for a free seat."""
    opener: str
    phase: Phase
    since: float
    """The time since which nobody was there, in seconds of the loop's clock."""

    @property
    def free(self) -> int:
        """The number of free seats."""
        return self.players.count("")

    @property
    def welcoming(self) -> bool:
        """Whether somebody could still come: to a free seat, or to watch."""
        return self.free > 0 or (self.plan.spectators != "none" and self.phase != "over")

    def knows(self, message: Enter) -> bool:
        """Whether somebody holds a token of this table."""
        digests = {digest(token) for token in (message.owner, *message.seats.values()) if token}
        return any(are_equal(known, token) for known in self.tokens for token in digests)


KnownTable = HostedTable | SleepingTable
"""A table of a host, awake or asleep."""


def sleeping_table(kept: HostedTableFile, since: float) -> SleepingTable:
    """The facts that stay in memory of a table that was kept."""
    return SleepingTable(
        kept.table,
        kept.code,
        kept.plan,
        (kept.owner, *(key for seat in kept.seats for key in (seat.token, seat.before))),
        tuple(
            seat.name if seat.person else "bot" if seat.plan.kind == "bot" else ""
            for seat in kept.seats
        ),
        kept.opener,
        kept.phase,
        since,
    )


def listed_as(known: KnownTable) -> Listed:
    """A table's entry in a list, awake or asleep."""
    plan = known.plan
    return Listed(
        known.table,
        plan.name,
        plan.game,
        len(plan.seats),
        known.free,
        plan.spectators,
        plan.listing != "open",
        known.phase == "playing",
        plan.unattended or (isinstance(known, HostedTable) and bool(known.owners())),
    )


def plays_alone(kept: HostedTableFile) -> bool:
    """Whether a match goes on though nobody is there: bots play for all its persons."""
    persons = (seat for seat in kept.seats if seat.person)
    return kept.phase == "playing" and all(seat.bot_plays for seat in persons)


def read_through(folder: Path, table: str) -> tuple[HostedTableFile, Match | None]:
    """A table from its file, and its match replayed up to its last move; None where it gathers.
    That may take long, so it is for a thread.

    Raises:
        OtherVersion: it was started with other rules or cards.
        Illegal, ValueError, OSError, BadFile, StorageError, UnknownGame, BrokenGame: it cannot be
            read.
    """
    kept = read_table(table_file(folder, table))
    if kept.phase not in ("playing", "over") or not kept.number:
        return kept, None
    record = read(journal_of(folder, table, kept.number))
    try:
        return kept, replay(record)
    except RulesMismatch as error:
        raise OtherVersion(_other_version(record, kit_for(record))) from error


def not_woken(table: str, error: Exception) -> Reason:
    """The refusal for a table that could not be read; the log gets the details."""
    if isinstance(error, OtherVersion):
        log.warning("not woken table=%s why=%s", table, error)
        return error.reason
    log.error("not woken table=%s why=%s", table, error)
    return NOT_READ


def go_on(kept: HostedTableFile, match: Match, disk: TableDisk) -> None:
    """Take up the journal of a table's match; note the end of one that nobody could note.

    Raises:
        StorageError: the journal cannot be written.
    """
    disk.go_on(kept.number)
    if match.state.result is not None and not disk.finished_file(kept.number).exists():
        ended = int(disk.record_path(kept.number).stat().st_mtime)  # the host stopped just then
        disk.note_finished(kept, end_of(match.state.result), ended)


def _other_version(record: Record, kit: GameKit) -> Reason:
    if record.header.rules == kit.box.rules and kit.outside:
        return OTHER_GAME.with_args(game=kit.box.title)
    versions: dict[str, Value] = {
        "theirs": record.header.program or "?",
        "their_rules": record.header.rules,
        "ours": __version__,
        "our_rules": kit.box.rules,
    }
    return OTHER_VERSION.with_args(**versions)
