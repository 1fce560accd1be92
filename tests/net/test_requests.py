"""Every cell of the table of requests: phase by phase, and for whom."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import product
from pathlib import Path
from typing import get_args

import pytest
from msgspec.structs import replace

from tabletop.engine.model import Move, Reason
from tabletop.engine.play import Illegal
from tabletop.net.guest.join_attempt import Ticket
from tabletop.protocol.archive import ArchiveRequest
from tabletop.protocol.game_files import GameFileRequest
from tabletop.protocol.join_proof import RequestJoinProof
from tabletop.protocol.listing import ListTables
from tabletop.protocol.match_notes import WriteNote
from tabletop.protocol.messages import (
    CommitShare,
    Concede,
    ConfigureSeat,
    FromGuest,
    Hello,
    JoinTable,
    LeaveSeat,
    LeaveTable,
    OpenTable,
    Play,
    Rematch,
    ResolveAbsence,
    RevealShare,
    SeatConfig,
    SendChat,
    SetAway,
    SetReady,
    SetStandIn,
    Sit,
    StartMatch,
    UndoMove,
    Vote,
    Watch,
)
from tabletop.protocol.moderation import (
    AdmitGuest,
    RemovePlayer,
    RenewCode,
    RequireApproval,
    SetMuted,
)
from tabletop.protocol.seat_codes import FreeSeat, TakeOverSeat
from tabletop.protocol.table_transfer import DeliverTable, HandOverHost, NewHost, RequestTableMove
from tabletop.table.hosted_match import NOT_STARTED
from tabletop.table.hosted_table import HostedTable
from tabletop.table.requests import receive
from tabletop.table.rights import (
    ALREADY_STARTED,
    BOT_PLAYS,
    HOST_ONLY,
    NO_SEAT,
    NOT_YOURS,
    REQUESTS,
    is_allowed,
)
from tabletop.table.seats import Peer
from tabletop.table.services import NOT_NOW
from tests.net.loopback import Friend, hosting, plan, seated

OF_A_HOST = {
    *(Hello, OpenTable, JoinTable, RequestJoinProof, ListTables, RequestTableMove, DeliverTable),
    *get_args(ArchiveRequest),
    *get_args(GameFileRequest),
}
"""Messages to a host, and not to a table."""

PHASES = ("gathering", "shuffling", "playing", "over")
ROLES = ("owner", "sitter", "replaced", "watcher")
SEAT = 0
"""Of the sitter, for whom a bot may play just now ("replaced"); the owner has another one, and the
watcher none."""
MESSAGES: dict[str, FromGuest] = {
    "Sit": Sit(SEAT, "Eve"),
    "SetReady": SetReady(SEAT),
    "ConfigureSeat": ConfigureSeat(SEAT, SeatConfig()),
    "StartMatch": StartMatch(),
    "CommitShare": CommitShare(SEAT, "seal"),
    "RevealShare": RevealShare(SEAT, "share"),
    "Play": Play(SEAT, Move(0, "pass")),
    "UndoMove": UndoMove(SEAT),
    "Vote": Vote(SEAT, True),
    "Concede": Concede(SEAT),
    "SetStandIn": SetStandIn(SEAT, True),
    "ResolveAbsence": ResolveAbsence("wait"),
    "FreeSeat": FreeSeat(SEAT),
    "WriteNote": WriteNote("a note", SEAT, 0, 0),
    "Rematch": Rematch(),
    "LeaveSeat": LeaveSeat(SEAT),
    "TakeOverSeat": TakeOverSeat(SEAT),
    "RemovePlayer": RemovePlayer(SEAT),
    "HandOverHost": HandOverHost(SEAT),
    "NewHost": NewHost(0),
    "SetAway": SetAway(SEAT),
    "SendChat": SendChat("Hello", SEAT),
    "Watch": Watch(),
    "LeaveTable": LeaveTable(),
    "SetMuted": SetMuted(SEAT, True),
    "RequireApproval": RequireApproval(True),
    "AdmitGuest": AdmitGuest(1),
    "RenewCode": RenewCode(),
}
SIGNS: dict[str, Reason | bool] = {
    "yes": True,
    "ignored": False,
    "begun": ALREADY_STARTED,
    "not begun": NOT_STARTED,
    "not now": NOT_NOW,
}
CELLS = """
request         | who    | gathering | shuffling | playing | over
Sit             | all    | yes       | begun     | begun   | not now
SetReady        | sitter | yes       | begun     | begun   | not now
ConfigureSeat   | owner  | yes       | begun     | begun   | not now
StartMatch      | owner  | yes       | begun     | begun   | not now
CommitShare     | sitter | ignored   | yes       | ignored | ignored
RevealShare     | sitter | ignored   | yes       | ignored | ignored
Play            | player | not begun | not begun | yes     | not now
UndoMove        | player | not begun | not begun | yes     | not now
Vote            | sitter | not begun | not begun | yes     | not now
Concede         | player | not begun | not begun | yes     | not now
SetStandIn      | sitter | not begun | not begun | yes     | not now
ResolveAbsence  | owner  | not begun | not begun | yes     | not now
FreeSeat        | owner  | not now   | not now   | yes     | not now
WriteNote       | sitter | not now   | not now   | yes     | yes
Rematch         | owner  | not now   | not now   | not now | yes
LeaveSeat       | sitter | yes       | not now   | yes     | yes
TakeOverSeat    | all    | yes       | not now   | yes     | yes
RemovePlayer    | owner  | yes       | not now   | yes     | yes
HandOverHost    | owner  | yes       | not now   | yes     | yes
NewHost         | all    | yes       | not now   | yes     | yes
SetAway         | sitter | yes       | yes       | yes     | yes
SendChat        | sitter | yes       | yes       | yes     | yes
Watch           | all    | yes       | yes       | yes     | yes
LeaveTable      | all    | yes       | yes       | yes     | yes
SetMuted        | owner  | yes       | yes       | yes     | yes
RequireApproval | owner  | yes       | yes       | yes     | yes
AdmitGuest      | owner  | yes       | yes       | yes     | yes
RenewCode       | owner  | yes       | yes       | yes     | yes
"""
ROWS = {
    cells[0]: cells[1:]
    for cells in ([each.strip() for each in line.split("|")] for line in CELLS.split("\n")[2:-1])
}


def expected(request: str, role: str, phase: str) -> Reason | bool:
    """Whether a request is carried out or ignored, or why it is refused."""
    who, *cells = ROWS[request]
    if role == "replaced":
        if who == "player":
            return BOT_PLAYS
        role = "sitter"
    if who not in ("all", role) and (who, role) != ("player", "sitter"):
        return HOST_ONLY if who == "owner" else NOT_YOURS
    return SIGNS[cells[PHASES.index(phase)]]


def in_their_roles(hosted: HostedTable) -> dict[str, Peer]:
    """The guests by their roles."""
    sitter, owner = hosted.seats[SEAT].peer, hosted.owners()[0]
    assert sitter is not None
    (watcher,) = set(hosted.guests) - {sitter, owner}
    return {"sitter": sitter, "replaced": sitter, "owner": owner, "watcher": watcher}


def asked(hosted: HostedTable, peer: Peer, message: FromGuest) -> Reason | bool:
    """The answer of the table to a guest."""
    try:
        return is_allowed(hosted, peer, message)
    except Illegal as illegal:
        return illegal.reason


@asynccontextmanager
async def attended(folder: Path) -> AsyncIterator[HostedTable]:
    """A table where one guest owns, another sits and a third watches."""
    async with hosting(folder) as host, seated(host, plan("sun", 2), (1,), (SEAT,)) as friends:
        watcher = Friend(host.port, ticket=Ticket(code=friends[0].code))
        await watcher.inside()
        (hosted,) = host.hosted_tables.values()
        yield hosted
        hosted.hosted_match.phase = "playing"
        await watcher.close()


async def test_each_cell_of_phase_request_and_role(tmp_path: Path) -> None:
    async with attended(tmp_path) as hosted:
        peers = in_their_roles(hosted)
        for request, role, phase in product(ROWS, ROLES, PHASES):
            hosted.hosted_match.phase = phase
            hosted.seats[SEAT].bot_plays = role == "replaced"
            answer = asked(hosted, peers[role], MESSAGES[request])
            assert answer == expected(request, role, phase), (request, role, phase)


async def test_what_is_refused_or_ignored_changes_nothing(tmp_path: Path) -> None:
    async with attended(tmp_path) as hosted:
        peers = in_their_roles(hosted)
        for request, role, phase in product(ROWS, ROLES, PHASES):
            wanted = expected(request, role, phase)
            if wanted is True:
                continue
            hosted.hosted_match.phase = phase
            hosted.seats[SEAT].bot_plays = role == "replaced"
            before = hosted.to_file(), hosted.info()
            refused = receive(hosted, peers[role], MESSAGES[request])
            assert refused == (wanted or None), (request, role, phase)
            assert (hosted.to_file(), hosted.info()) == before, (request, role, phase)


@pytest.mark.parametrize(
    ("unattended", "of_players"),
    [(False, {"ResolveAbsence"}), (True, {"ResolveAbsence", "Rematch"})],
)
async def test_players_act_for_a_host_who_is_away_in_a_few_cells(
    tmp_path: Path, unattended: bool, of_players: set[str]
) -> None:
    async with attended(tmp_path) as hosted:
        peers = in_their_roles(hosted)
        hosted.guests[peers["owner"]].owner = False
        hosted.plan = replace(hosted.plan, unattended=unattended)
        for request in (request for request, cells in ROWS.items() if cells[0] == "owner"):
            allowing = (phase for phase in PHASES if expected(request, "owner", phase) is True)
            hosted.hosted_match.phase = next(allowing)
            player = asked(hosted, peers["sitter"], MESSAGES[request])
            assert player == (request in of_players or HOST_ONLY), request
            assert asked(hosted, peers["watcher"], MESSAGES[request]) == HOST_ONLY, request


async def test_a_seat_that_no_table_has_is_refused_to_all(tmp_path: Path) -> None:
    async with attended(tmp_path) as hosted:
        peers = in_their_roles(hosted).values()
        for request in ("Sit", "SetReady", "Play", "TakeOverSeat", "SendChat"):
            far = replace(MESSAGES[request], seat=9)
            assert [asked(hosted, peer, far) for peer in peers] == [NO_SEAT] * len(ROLES)


def test_the_table_holds_every_request_to_a_table() -> None:
    everything = set(get_args(FromGuest))
    assert everything > OF_A_HOST
    assert REQUESTS.keys() == everything - OF_A_HOST
    assert {type(message) for message in MESSAGES.values()} == set(REQUESTS)
    assert ROWS.keys() == MESSAGES.keys() == {kind.__name__ for kind in REQUESTS}
