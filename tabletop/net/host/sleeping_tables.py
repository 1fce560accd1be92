"""Sleeping tables: little stays in memory until the first guest wakes the table from disk.

A table sleeps when nobody is there and nothing would happen without a player. If a match waits for
human players, its bots wait too, so the table may sleep. If bots play for all players, the table
sleeps only after the match.
"""

import logging
from pathlib import Path

from msgspec import Struct

from tabletop import __version__
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Reason, Value
from tabletop.files.errors import RulesMismatch
from tabletop.match.match import Match
from tabletop.net.host.table_disk import TableDisk, journal_path, read_table, table_file
from tabletop.protocol.listing import ListedTable
from tabletop.protocol.messages import JoinTable, Phase, TablePlan
from tabletop.storage.record import Record, kit_for, read, replay
from tabletop.storage.record_lines import end_of
from tabletop.table.hosted_table import HostedTable
from tabletop.table.seats import are_equal, token_digest
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
    """The match was started with other rules or cards than those of this program."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(fill_gaps(reason.text, reason.args))
        self.reason = reason


class SleepingTable(Struct, gc=False):
    """What stays in memory of a sleeping table: the data for
    admitting guests and for listing the table.
    """

    table: str
    code: str
    plan: TablePlan
    tokens: tuple[str, ...]
    """Digests of the tokens with which guests return to the table; "" if there is no such token.

    They are the owner's, each seat's, and those of previous players who can reclaim a seat.
    """
    players: tuple[str, ...]
    """For each seat the player's name, "bot", or "" for a free seat."""
    opener: str
    phase: Phase
    empty_since: float
    """When the last guest left, on the loop's clock."""

    @property
    def free_seats(self) -> int:
        """The number of free seats."""
        return self.players.count("")

    @property
    def is_joinable(self) -> bool:
        """Whether someone could join at a free seat or as a spectator."""
        return self.free_seats > 0 or (self.plan.spectators != "none" and self.phase != "over")

    def has_token_of(self, message: JoinTable) -> bool:
        """Return whether `message` contains a valid token for this table."""
        digests = {
            token_digest(token) for token in (message.owner, *message.seats.values()) if token
        }
        return any(are_equal(known, token) for known in self.tokens for token in digests)


KnownTable = HostedTable | SleepingTable
"""A table of a host, either in memory or asleep."""


def sleeping_table(kept: HostedTableFile, since: float) -> SleepingTable:
    """Return what stays in memory of a saved table; `since`: when its last guest left."""
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


def listing_of(known: KnownTable) -> ListedTable:
    """Return the table's entry for a list of tables."""
    plan = known.plan
    return ListedTable(
        known.table,
        plan.name,
        plan.game,
        len(plan.seats),
        known.free_seats,
        plan.spectators,
        plan.listing != "open",
        known.phase == "playing",
        plan.unattended or (isinstance(known, HostedTable) and bool(known.owners())),
    )


def is_played_by_bots(kept: HostedTableFile) -> bool:
    """Return whether the match goes on without people, because bots play for all of them."""
    persons = (seat for seat in kept.seats if seat.person)
    return kept.phase == "playing" and all(seat.bot_plays for seat in persons)


def load_table(folder: Path, table: str) -> tuple[HostedTableFile, Match | None]:
    """Read a table's file and replay its match. The match is None if none is running or over.

    Slow, so call it in a worker thread.

    Raises:
        OtherVersion: the match was started with other rules or cards.
        Illegal, ValueError, OSError, BadFile, StorageError, UnknownGame, BrokenGame: a file can't
        be read.
    """
    kept = read_table(table_file(folder, table))
    if kept.phase not in ("playing", "over") or not kept.number:
        return kept, None
    record = read(journal_path(folder, table, kept.number))
    try:
        return kept, replay(record)
    except RulesMismatch as error:
        raise OtherVersion(_other_version(record, kit_for(record))) from error


def wake_refusal(table: str, error: Exception) -> Reason:
    """Log why a table can't be loaded. Return the reason to send to the guest."""
    if isinstance(error, OtherVersion):
        log.warning("not woken table=%s why=%s", table, error)
        return error.reason
    log.error("not woken table=%s why=%s", table, error)
    return NOT_READ


def reopen_journal(kept: HostedTableFile, match: Match, disk: TableDisk) -> None:
    """Continue the journal of a table's match.

    If the match is over and its `finished` file is missing, write that file.

    Raises:
        StorageError: the journal can't be written.
    """
    disk.reopen_journal(kept.number)
    if match.state.result is not None and not disk.finished_path(kept.number).exists():
        ended = int(disk.record_path(kept.number).stat().st_mtime)  # the host stopped just then
        disk.write_finished(kept, end_of(match.state.result), ended)


def _other_version(record: Record, kit: GameKit) -> Reason:
    if record.header.rules == kit.box.rules and kit.is_external:
        return OTHER_GAME.with_args(game=kit.box.title)
    versions: dict[str, Value] = {
        "theirs": record.header.program or "?",
        "their_rules": record.header.rules,
        "ours": __version__,
        "our_rules": kit.box.rules,
    }
    return OTHER_VERSION.with_args(**versions)
