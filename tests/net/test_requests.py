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
from tabletop.protocol.archive import ArchiveQuestion
from tabletop.protocol.game_files import GameQuestion
from tabletop.protocol.join_proof import RequestJoinProof
from tabletop.protocol.listing import AskTables
from tabletop.protocol.match_notes import WriteNote
from tabletop.protocol.messages import (
    Absent,
    Arrange,
    Commit,
    Concede,
    Consent,
    Decide,
    Enter,
    FromGuest,
    Hello,
    Leave,
    LeaveSeat,
    Open,
    Play,
    Ready,
    Rematch,
    Reveal,
    SeatConfig,
    SendChat,
    Sit,
    StandInRequest,
    Start,
    TakeBack,
    Watch,
)
from tabletop.protocol.moderation import Admit, Mute, Remove, RenewCode, RequireApproval
from tabletop.protocol.seat_codes import FreeSeat, TakeOver
from tabletop.protocol.table_transfer import Deliver, HandOverHost, NewHost, RequestMove
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
    *(Hello, Open, Enter, RequestJoinProof, AskTables, RequestMove, Deliver),
    *get_args(ArchiveQuestion),
    *get_args(GameQuestion),
}
"""Messages to a host, and not to a table."""

PHASES = ("gathering", "shuffling", "playing", "over")
ROLES = ("owner", "sitter", "replaced", "watcher")
SEAT = 0
"""Of the sitter, for whom a bot may play just now ("replaced"); the owner has another one, and the
watcher none."""
MESSAGES: dict[str, FromGuest] = {
    "Sit": Sit(SEAT, "Eve"),
    "Ready": Ready(SEAT),
    "Arrange": Arrange(SEAT, SeatConfig()),
    "Start": Start(),
    "Commit": Commit(SEAT, "seal"),
    "Reveal": Reveal(SEAT, "share"),
    "Play": Play(SEAT, Move(0, "pass")),
    "TakeBack": TakeBack(SEAT),
    "Consent": Consent(SEAT, True),
    "Concede": Concede(SEAT),
    "StandInRequest": StandInRequest(SEAT, True),
    "Decide": Decide("wait"),
    "FreeSeat": FreeSeat(SEAT),
    "WriteNote": WriteNote("a note", SEAT, 0, 0),
    "Rematch": Rematch(),
    "Rise": LeaveSeat(SEAT),
    "TakeOver": TakeOver(SEAT),
    "Remove": Remove(SEAT),
    "HandOverHost": HandOverHost(SEAT),
    "NewHost": NewHost(0),
    "Absent": Absent(SEAT),
    "Speak": SendChat("Hello", SEAT),
    "Watch": Watch(),
    "Leave": Leave(),
    "Mute": Mute(SEAT, True),
    "SetKnock": RequireApproval(True),
    "Admit": Admit(1),
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
request      | who    | gathering | shuffling | playing | over
Sit          | all    | yes       | begun     | begun   | not now
Ready        | sitter | yes       | begun     | begun   | not now
Arrange      | owner  | yes       | begun     | begun   | not now
Start        | owner  | yes       | begun     | begun   | not now
Commit       | sitter | ignored   | yes       | ignored | ignored
Reveal       | sitter | ignored   | yes       | ignored | ignored
Play         | player | not begun | not begun | yes     | not now
TakeBack     | player | not begun | not begun | yes     | not now
Consent      | sitter | not begun | not begun | yes     | not now
Concede      | player | not begun | not begun | yes     | not now
StandInRequest | sitter | not begun | not begun | yes   | not now
Decide       | owner  | not begun | not begun | yes     | not now
FreeSeat     | owner  | not now   | not now   | yes     | not now
WriteNote    | sitter | not now   | not now   | yes     | yes
Rematch      | owner  | not now   | not now   | not now | yes
Rise         | sitter | yes       | not now   | yes     | yes
TakeOver     | all    | yes       | not now   | yes     | yes
Remove       | owner  | yes       | not now   | yes     | yes
HandOverHost | owner  | yes       | not now   | yes     | yes
NewHost      | all    | yes       | not now   | yes     | yes
Absent       | sitter | yes       | yes       | yes     | yes
Speak        | sitter | yes       | yes       | yes     | yes
Watch        | all    | yes       | yes       | yes     | yes
Leave        | all    | yes       | yes       | yes     | yes
Mute         | owner  | yes       | yes       | yes     | yes
SetKnock     | owner  | yes       | yes       | yes     | yes
Admit        | owner  | yes       | yes       | yes     | yes
RenewCode    | owner  | yes       | yes       | yes     | yes
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
    ("unattended", "of_players"), [(False, {"Decide"}), (True, {"Decide", "Rematch"})]
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
        for request in ("Sit", "Ready", "Play", "TakeOver", "Speak"):
            far = replace(MESSAGES[request], seat=9)
            assert [asked(hosted, peer, far) for peer in peers] == [NO_SEAT] * len(ROLES)


def test_the_table_holds_every_request_to_a_table() -> None:
    everything = set(get_args(FromGuest))
    assert everything > OF_A_HOST
    assert REQUESTS.keys() == everything - OF_A_HOST
    assert {type(message) for message in MESSAGES.values()} == set(REQUESTS)
    assert ROWS.keys() == MESSAGES.keys() == {kind.__name__ for kind in REQUESTS}
