"""Packing a table for another host, and unpacking its match there."""

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
from tabletop.games.game_id import DIGITS
from tabletop.games.typed_toml import BrokenFile
from tabletop.match.history import Entry
from tabletop.match.match import FairStart, Match
from tabletop.match.replaying import refuse_unplayable
from tabletop.net.host.opening_limits import NOT_ALLOWED
from tabletop.net.host.table_disk import journal_of
from tabletop.protocol.table_transfer import MAX_MOVED_GAME_BYTES, Deliver
from tabletop.storage import playtest_notes
from tabletop.storage.journal import begin_journal
from tabletop.storage.playtest_notes import PlaytestNote
from tabletop.storage.record import new_match_header, seal_header, store_game_version
from tabletop.storage.record_lines import Header, end_of
from tabletop.table.hosted_table import HostedTable
from tabletop.table.seats import new_token
from tabletop.table.table_file import HostedTableFile
from tabletop.text.phrases import fill_gaps
from tabletop.text.plain_text import LONGEST_NAME, plain_line

log = logging.getLogger("tabletop.net")

OTHERS_MOVE = Reason(
    "Other tables are just moving to this server. Please try again in a minute.", code="others_move"
)
MOST_EXPECTED = 8
"""Tables that may be on their way here at once."""
EXPECTED = 120.0
"""Seconds until such a place is free again where no table has come."""
LONGEST_MOVED = 5_000
"""Moves of a match that has come, which is played through before it goes on."""
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
    """A table on its way to another host."""

    table: HostedTableFile
    header: Header | None
    """The header of its match, with the seed; None if none was started. There it is sealed again:
    another computer can't open what this one has sealed."""
    record: tuple[Entry, ...]
    seat: int
    """The seat of the player who hosts it there."""
    fair: FairStart | None = None
    """The shares that the seed of its match was made of."""
    notes: tuple[PlaytestNote, ...] = ()
    """The guests' notes on its match."""
    digest: str = ""
    """The digest of its game, where that is none of the program's own: its id may differ there."""
    files: dict[str, bytes] = {}
    """The files of its game, where it has no Python and the other host takes it along."""


class LacksGame(ValueError):
    """A table has come whose game is not here, and cannot be."""

    def __init__(self, reason: Reason, sent: MigratingTable, why: str = "") -> None:
        gaps: dict[str, Value] = {
            "game": plain_line(sent.table.plan.game),
            "digest": plain_line(sent.digest)[:DIGITS],
            "why": plain_line(why, 300),
        }
        named = {name: value for name, value in gaps.items() if f"{{{name}}}" in reason.text}
        self.reason = reason.with_args(**named)
        super().__init__(fill_gaps(reason.text, named))


_moved_table = json_decoder(MigratingTable)


class ArrivingTable(Struct):
    """The pieces of a table that comes here: all, once it has arrived."""

    content: bytearray
    ready: Callable[[str, str], None] | None
    """Called with the table and its host's token, once it is here; None where the host stays the
    same."""
    opener: str = ""
    """The origin that the table counts for; "" for an invited one."""
    table: MigratingTable | None = None
    """The table, once it was read."""

    def read(self) -> MigratingTable:
        """The table. Raises ValueError where it is none."""
        if self.table is None:
            self.table = _moved_table.decode(self.content)
            self.content = bytearray()
        return self.table


class IncomingTables:
    """The places that are kept free for tables which are to move here."""

    def __init__(self, largest: int) -> None:
        """`largest`: the most bytes of a table that is taken."""
        self._largest = largest
        self._expected: dict[str, ArrivingTable] = {}

    def expect(self, ready: Callable[[str, str], None]) -> str:
        """Let one table move here; return its key. `ready` as in an `ArrivingTable`."""
        return self._keep_free(ArrivingTable(bytearray(), ready))

    def offer(self, loop: AbstractEventLoop, opener: str) -> str | Reason:
        """Let one table of another computer move here; return the key, or why not."""
        if len(self._expected) >= MOST_EXPECTED:
            return OTHERS_MOVE
        key = self._keep_free(ArrivingTable(bytearray(), None, opener))
        loop.call_later(EXPECTED, self._expected.pop, key, None)
        return key

    def _keep_free(self, sent: ArrivingTable) -> str:
        key = new_token()
        self._expected[key] = sent
        return key

    def expects(self, message: Deliver) -> bool:
        """Whether this is a piece of a table that was invited."""
        return message.key in self._expected

    def take(self, message: Deliver) -> ArrivingTable | Reason | None:
        """A piece: None until the last, then all of them; else why it is not taken."""
        if message.key not in self._expected:
            return NOT_ALLOWED
        sent = self._expected[message.key]
        sent.content += message.piece
        if len(sent.content) > self._largest:
            del self._expected[message.key]
            return BAD_TRANSFER
        if not message.last:
            return None
        del self._expected[message.key]
        return sent


def pack_table(hosted: HostedTable, seat: int) -> MigratingTable:
    """The table as it can be sent to the player at this seat."""
    match = hosted.hosted_match.match
    # people's addresses are none of the other host's business
    kept = replace(hosted.to_file(), opener="", banned=())
    if match is None:
        return MigratingTable(kept, None, (), seat, digest=hosted.kit.digest)
    head = new_match_header(match)
    record = tuple(match.record)
    notes = hosted.hosted_match.notes.all_notes()
    return MigratingTable(kept, head, record, seat, match.fair_start, notes, hosted.kit.digest)


async def brought_in(
    arrived: ArrivingTable,
    folder: Path,
    takes_games: bool,
    settle: Callable[[HostedTableFile, Match | None], None] = lambda kept, match: None,
) -> tuple[HostedTableFile, Match | None]:
    """The table that has come, as `played_through`; before it, where it is lacking and the host
    takes it, its game, which is put with those received before. Others are served meanwhile.
    `settle` accepts the table, or raises: then its game is not kept either.

    Raises:
        LacksGame: its game is not here, and is not taken; and what `played_through` and `settle`
            raise.
    """
    game = await run_in_thread(partial(_game_taken, arrived, takes_games))
    if game:
        catalogue.reread(game)
    try:
        kept, match = await run_in_thread(partial(played_through, arrived, folder))
        settle(kept, match)
        return kept, match
    except BaseException:
        if game:  # it came only for this table
            await run_in_thread(partial(received_games.remove, folders.received() / game))
            catalogue.reread(game)
        raise


def _game_taken(arrived: ArrivingTable, takes_games: bool) -> str:
    """Put the game of a table that has come with those received before, where it is lacking. Return
    its id here, "" if nothing had to be taken. Raises LacksGame if it is not taken."""
    sent = arrived.read()
    if not sent.digest or catalogue.find_by_digest(sent.digest, sent.table.plan.game) is not None:
        return ""
    if not takes_games:
        raise LacksGame(TAKES_NO_GAMES, sent)
    if not sent.files:
        raise LacksGame(LACKS_GAME, sent)
    called, seats = sent.table.plan.game, sent.table.seats
    giver = seats[sent.seat].name if 0 <= sent.seat < len(seats) else ""
    try:
        size = sum(map(len, sent.files.values()))
        if size > MAX_MOVED_GAME_BYTES:
            raise BrokenFile(f"it is larger than {MAX_MOVED_GAME_BYTES >> 20} MiB")
        giver = plain_line(giver, LONGEST_NAME)
        kept = receiving.ReceivedGameImport(called, sent.digest, sent.files, giver).run()
    except (BrokenFile, BrokenGame) as error:
        why = error.fault if isinstance(error, BrokenGame) else str(error)
        raise LacksGame(GAME_NOT_TAKEN, sent, why) from error
    log.info("received game=%s", kept.name)
    return kept.name


def played_through(arrived: ArrivingTable, folder: Path) -> tuple[HostedTableFile, Match | None]:
    """The table that has come to this folder, and its match if it has one, replayed and written.
    That takes long, so it is for a thread.

    Raises:
        LacksGame: its game is not here.
        ValueError, Illegal, UnknownGame, BrokenGame: it does not fit the rules, or is no table.
        StorageError: the disk refused it.
    """
    sent = _with_own_game(arrived.read())
    kept = replace(sent.table, hosting=sent.seat, opener=arrived.opener)
    if not re.fullmatch("[0-9a-f]{12}", kept.table):
        raise ValueError("no name for a table that comes here")
    if len(kept.seats) not in catalogue.load(kept.plan.game).box.seats:
        raise ValueError("not as many seats as the game has")
    journal = journal_of(folder, kept.table, kept.number)
    match = _restore_match(sent, journal)
    if match is not None and sent.notes:
        playtest_notes.add(playtest_notes.notes_path(journal), *sent.notes)
    has_match = kept.phase in ("playing", "over") and kept.number > 0
    if has_match and match is None:
        raise ValueError("a table without its match")
    return kept, match if has_match else None


def _with_own_game(sent: MigratingTable) -> MigratingTable:
    """The table with its game by the id that the game has here.

    Raises:
        LacksGame: it has none.
    """
    called = sent.table.plan.game
    if not sent.digest:
        return sent
    kit = catalogue.find_by_digest(sent.digest, called)
    if kit is None or kit.waits_for:
        raise LacksGame(LACKS_GAME, sent)
    table = replace(sent.table, plan=replace(sent.table.plan, game=kit.id))
    head = sent.header and replace(sent.header, game=kit.id)
    return replace(sent, table=table, header=head)


def _restore_match(sent: MigratingTable, path: Path) -> Match | None:
    """The match that has come with a table, once it is known to fit the rules; its journal is
    written."""
    head, kept = sent.header, sent.table
    if head is None:
        return None
    kit = catalogue.load(kept.plan.game)
    if len(sent.record) > LONGEST_MOVED:
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
