"""Packing a table for another host, and unpacking and checking it there."""

import logging
import re
from asyncio import AbstractEventLoop
from collections.abc import Callable
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from tabletop.background.tasks import run_in_thread
from tabletop.catalogue import catalogue, receiving
from tabletop.catalogue.catalogue import BrokenGame
from tabletop.engine.model import Reason, Value
from tabletop.files import folders
from tabletop.files.errors import StorageError
from tabletop.files.shared_decoders import json_decoder
from tabletop.games import received_games
from tabletop.games.game_id import DIGEST_DIGITS
from tabletop.games.typed_toml import BrokenFile
from tabletop.match.history import Entry
from tabletop.match.match import FairStart, Match
from tabletop.match.replaying import refuse_unplayable
from tabletop.net.host.opening_limits import NOT_ALLOWED
from tabletop.net.host.table_disk import journal_path
from tabletop.protocol.table_transfer import MAX_MOVED_GAME_BYTES, DeliverTable
from tabletop.storage import playtest_notes
from tabletop.storage.journal import begin_journal
from tabletop.storage.playtest_notes import PlaytestNote
from tabletop.storage.record import new_match_header, seal_header, store_game_version
from tabletop.storage.record_lines import Header, end_of
from tabletop.table.hosted_table import HostedTable
from tabletop.table.seats import new_token
from tabletop.table.table_file import HostedTableFile
from tabletop.text.phrases import fill_gaps
from tabletop.text.plain_text import MAX_NAME_CHARS, plain_line

log = logging.getLogger("tabletop.net")

OTHERS_MOVE = Reason(
    "Other tables are just moving to this server. Please try again in a minute.", code="others_move"
)
MAX_EXPECTED_TABLES = 8
"""The maximum number of tables on their way here at the same time."""
OFFER_LIFETIME_S = 120.0
"""The seconds for which an offer to accept a table is valid."""
MAX_MOVED_MOVES = 5_000
"""The maximum number of moves in an arriving match, which is replayed before it continues."""
LACKS_GAME = Reason(
    'The game "{game}" (digest {digest}) is not on that computer, so the table cannot move there.',
    code="lacks_game",
)
TAKES_NO_GAMES = Reason(
    'The game "{game}" (digest {digest}) is not on that server, which takes no games along with '
    "tables: its operator can put it there.",
    code="takes_no_games",
)
GAME_NOT_TAKEN = Reason(
    'The table cannot move there with its game "{game}": {why}.', code="game_not_taken"
)
BAD_TRANSFER = Reason("The table that was to move here did not arrive whole.", code="bad_parcel")


class MigratingTable(Struct, frozen=True):
    """A table in the form in which it moves to another host."""

    table: HostedTableFile
    header: Header | None
    """The header of the table's match with the unencrypted seed; None if no match was started.

    The other host encrypts the seed with its own key.
    """
    record: tuple[Entry, ...]
    seat: int
    """The seat of the player who hosts the table afterwards; `AUDIENCE` if that player has no seat.
    """
    fair: FairStart | None = None
    """The shares that the match's seed was made of."""
    notes: tuple[PlaytestNote, ...] = ()
    """The guests' playtest notes on the match."""
    digest: str = ""
    """The digest of the game, whose ID may differ on the other host; "" for a built-in game."""
    files: dict[str, bytes] = {}
    """The game's files by path, if it has no Python code and the other host accepts games."""


class GameUnavailable(ValueError):
    """The game of an arriving table isn't installed and can't be installed."""

    def __init__(self, reason: Reason, sent: MigratingTable, why: str = "") -> None:
        gaps: dict[str, Value] = {
            "game": plain_line(sent.table.plan.game),
            "digest": plain_line(sent.digest)[:DIGEST_DIGITS],
            "why": plain_line(why, 300),
        }
        named = {name: value for name, value in gaps.items() if f"{{{name}}}" in reason.text}
        self.reason = reason.with_args(**named)
        super().__init__(fill_gaps(reason.text, named))


_moved_table = json_decoder(MigratingTable)


class ArrivingTable(Struct):
    """The pieces received so far of a table that is moving here."""

    content: bytearray
    on_arrived: Callable[[str, str], None] | None
    """Called with the table's ID and the new host's token; None if the table keeps its owner."""
    opener: str = ""
    """The origin against which the table's limits count; "" for an invited table."""
    table: MigratingTable | None = None
    """The decoded table; None until `read` is called."""

    def read(self) -> MigratingTable:
        """Return the decoded table.

        Raises:
            ValueError: the content isn't a table.
        """
        if self.table is None:
            self.table = _moved_table.decode(self.content)
            self.content = bytearray()
        return self.table


class IncomingTables:
    """Tables that are allowed to move here, each identified by a key."""

    def __init__(self, max_bytes: int) -> None:
        """`max_bytes`: the size of the largest table that is accepted."""
        self._max_bytes = max_bytes
        self._expected: dict[str, ArrivingTable] = {}

    def expect(self, on_arrived: Callable[[str, str], None]) -> str:
        """Allow one invited table to move here. Return its key.

        `on_arrived`: as in `ArrivingTable`.
        """
        return self._expect(ArrivingTable(bytearray(), on_arrived))

    def offer(self, loop: AbstractEventLoop, opener: str) -> str | Reason:
        """Allow one table to move here from another computer. Return its key, or why it is refused.

        The key expires after `OFFER_LIFETIME_S`. `opener`: as in `ArrivingTable`.
        """
        if len(self._expected) >= MAX_EXPECTED_TABLES:
            return OTHERS_MOVE
        key = self._expect(ArrivingTable(bytearray(), None, opener))
        loop.call_later(OFFER_LIFETIME_S, self._expected.pop, key, None)
        return key

    def _expect(self, sent: ArrivingTable) -> str:
        key = new_token()
        self._expected[key] = sent
        return key

    def is_expected(self, message: DeliverTable) -> bool:
        """Return whether `message` is a piece of an expected table."""
        return message.key in self._expected

    def add_piece(self, message: DeliverTable) -> ArrivingTable | Reason | None:
        """Add a piece of an incoming table.

        Returns:
            The whole table after the last piece, None before that, or why the piece is refused.
        """
        if message.key not in self._expected:
            return NOT_ALLOWED
        sent = self._expected[message.key]
        sent.content += message.piece
        if len(sent.content) > self._max_bytes:
            del self._expected[message.key]
            return BAD_TRANSFER
        if not message.last:
            return None
        del self._expected[message.key]
        return sent


def pack_table(hosted: HostedTable, seat: int) -> MigratingTable:
    """Return the table in the form in which it moves to the player at `seat`."""
    match = hosted.hosted_match.match
    # don't pass people's addresses on to the other host
    kept = replace(hosted.to_file(), opener="", banned=())
    if match is None:
        return MigratingTable(kept, None, (), seat, digest=hosted.kit.digest)
    head = new_match_header(match)
    record = tuple(match.record)
    notes = hosted.hosted_match.notes.all_notes()
    return MigratingTable(kept, head, record, seat, match.fair_start, notes, hosted.kit.digest)


async def unpack_table(
    arrived: ArrivingTable,
    folder: Path,
    accepts_games: bool,
    accept: Callable[[HostedTableFile, Match | None], None] = lambda kept, match: None,
) -> tuple[HostedTableFile, Match | None]:
    """Check and replay an arriving table in worker threads. Return the table and its match.

    Args:
        arrived: The received table.
        folder: The folder for the journal of its match.
        accepts_games: Whether to install the table's game from its files, if the game is missing
            here.
        accept: Called with the table and its match before the table counts as arrived. If it
            raises, the newly installed game is removed again.

    Raises:
        GameUnavailable: the game is missing and isn't accepted.
        ValueError, Illegal, UnknownGame, BrokenGame: the table is invalid, or breaks the rules.
        StorageError: the journal can't be written.
    """
    game = await run_in_thread(partial(_install_game, arrived, accepts_games))
    if game:
        catalogue.reread(game)
    try:
        kept, match = await run_in_thread(partial(restore_table, arrived, folder))
        accept(kept, match)
        return kept, match
    except BaseException:
        if game:  # it was installed only for this table
            await run_in_thread(partial(received_games.remove_game, folders.received() / game))
            catalogue.reread(game)
        raise


def _install_game(arrived: ArrivingTable, accepts_games: bool) -> str:
    """Install the game that came with a table if it is missing.

    Return its ID here, or "" if it isn't missing.

    Raises:
        GameUnavailable: the game is missing and isn't accepted.
    """
    sent = arrived.read()
    if not sent.digest or catalogue.find_by_digest(sent.digest, sent.table.plan.game) is not None:
        return ""
    if not accepts_games:
        raise GameUnavailable(TAKES_NO_GAMES, sent)
    if not sent.files:
        raise GameUnavailable(LACKS_GAME, sent)
    called, seats = sent.table.plan.game, sent.table.seats
    giver = seats[sent.seat].name if 0 <= sent.seat < len(seats) else ""
    try:
        size = sum(map(len, sent.files.values()))
        if size > MAX_MOVED_GAME_BYTES:
            raise BrokenFile(f"it is larger than {MAX_MOVED_GAME_BYTES >> 20} MiB")
        giver = plain_line(giver, MAX_NAME_CHARS)
        kept = receiving.ReceivedGameImport(called, sent.digest, sent.files, giver).run()
    except (BrokenFile, BrokenGame) as error:
        why = error.fault if isinstance(error, BrokenGame) else str(error)
        raise GameUnavailable(GAME_NOT_TAKEN, sent, why) from error
    log.info("received game=%s", kept.name)
    return kept.name


def restore_table(arrived: ArrivingTable, folder: Path) -> tuple[HostedTableFile, Match | None]:
    """Replay an arriving table's match and write its journal.

    Return the table and the match, if any.

    Slow, so call it in a worker thread.

    Raises:
        GameUnavailable: the game is missing.
        ValueError, Illegal, UnknownGame, BrokenGame: the table is invalid, or breaks the rules.
        StorageError: the journal can't be written.
    """
    sent = _with_own_game(arrived.read())
    kept = replace(sent.table, hosting=sent.seat, opener=arrived.opener)
    if not re.fullmatch("[0-9a-f]{12}", kept.table):
        raise ValueError("no name for a table that comes here")
    if len(kept.seats) not in catalogue.load(kept.plan.game).box.seats:
        raise ValueError("not as many seats as the game has")
    journal = journal_path(folder, kept.table, kept.number)
    match = _restore_match(sent, journal)
    if match is not None and sent.notes:
        playtest_notes.add(playtest_notes.notes_path(journal), *sent.notes)
    has_match = kept.phase in ("playing", "over") and kept.number > 0
    if has_match and match is None:
        raise ValueError("a table without its match")
    return kept, match if has_match else None


def _with_own_game(sent: MigratingTable) -> MigratingTable:
    """Return `sent` with its game's ID replaced by the ID on this computer.

    Raises:
        GameUnavailable: the game is missing.
    """
    called = sent.table.plan.game
    if not sent.digest:
        return sent
    kit = catalogue.find_by_digest(sent.digest, called)
    if kit is None or kit.waits_for:
        raise GameUnavailable(LACKS_GAME, sent)
    table = replace(sent.table, plan=replace(sent.table.plan, game=kit.id))
    head = sent.header and replace(sent.header, game=kit.id)
    return replace(sent, table=table, header=head)


def _restore_match(sent: MigratingTable, path: Path) -> Match | None:
    """Replay the match of an arriving table and write its journal.

    Return None if there is no match.
    """
    head, kept = sent.header, sent.table
    if head is None:
        return None
    kit = catalogue.load(kept.plan.game)
    if len(sent.record) > MAX_MOVED_MOVES:
        raise ValueError("more moves than a match has")
    if len(head.players) != len(kept.seats):
        raise ValueError("not as many players as seats")
    if (head.game, head.rules) != (kit.id, kit.box.rules):
        raise ValueError("of another game, or of another version of its rules")
    if not head.is_compatible_with(kit):
        raise ValueError("of other cards")
    options = catalogue.options(kit, head.options)
    events_by_entry = []
    with refuse_unplayable():
        match = Match(kit, head.players, options, head.seed)
        match.fair_start = sent.fair
        for entry in sent.record:
            match.restore(entry)
            events_by_entry.append(() if entry.undo else match.plies[-1].events)
    store_game_version(kit)
    journal = begin_journal(path, seal_header(head), match.plies[0].events, sent.fair)
    try:
        for entry, events in zip(sent.record, events_by_entry, strict=True):
            journal.write(entry, events)
        if match.state.result is not None:
            journal.write_end(end_of(match.state.result))
    except StorageError:
        journal.close()
        path.unlink(missing_ok=True)
        raise
    journal.close()
    return match
