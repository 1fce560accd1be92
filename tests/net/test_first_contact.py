"""An impostor or a listener learns no code and gets no token; a guesser is stopped."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from tabletop.net.guest.dial import dial
from tabletop.net.guest.join_attempt import (
    GUESSING,
    IMPOSTOR,
    MAX_PROOFS,
    OLD_HOST,
    ProofAllowance,
    Ticket,
)
from tabletop.net.guest.session import Guest
from tabletop.net.host import host as host_module
from tabletop.net.host.admission import MANY_TABLES, NO_TABLE, TOO_MANY_TRIES, WRONG_CODE
from tabletop.net.host.host import Host
from tabletop.net.limits import Limits
from tabletop.protocol.code_exchange import BadShare, HostExchange, prove_code
from tabletop.protocol.codec import decode_host_message
from tabletop.protocol.invitation import Address
from tabletop.protocol.join_proof import MAX_CHALLENGES, CodeProof, JoinChallenge, RequestJoinProof
from tabletop.protocol.messages import (
    Farewell,
    FromGuest,
    Hello,
    JoinTable,
    Refused,
    SeatConfig,
    Seated,
    SeatInfo,
    TableInfo,
    TableJoined,
    TablePlan,
    Welcome,
)
from tabletop.protocol.table_transfer import TableMoved
from tabletop.table.connection_events import News
from tests.net.impostor import Impostor, posing, say
from tests.net.loopback import (
    Friend,
    Stranger,
    come_in,
    greeted,
    hosting,
    opened,
    plan,
    table_at,
)

CODE, TOKEN = "K7MPQ2", "the-key-to-a-seat"
HERE, THERE = "ab" * 32, "cd" * 32


# The exchange itself


def test_both_agree_where_both_know_the_code() -> None:
    host = HostExchange(CODE, "t", HERE)
    proof, expected = prove_code(CODE, "t", HERE, host.share)
    assert host.confirm(proof) == expected
    assert host.confirm(proof) is None  # a proof is good once


@pytest.mark.parametrize(
    ("code", "table", "fingerprint"),
    [("K7MPQ3", "t", HERE), (CODE, "u", HERE), (CODE, "t", THERE)],
    ids=["another code", "another table", "another certificate"],
)
def test_proofs_of_something_else_are_refused(code: str, table: str, fingerprint: str) -> None:
    host = HostExchange(CODE, "t", HERE)
    proof, _ = prove_code(code, table, fingerprint, host.share)
    assert host.confirm(proof) is None


def test_no_two_exchanges_of_a_code_look_alike() -> None:
    first, second = HostExchange(CODE, "t", HERE), HostExchange(CODE, "t", HERE)
    assert first.share != second.share
    proof, sign = prove_code(CODE, "t", HERE, first.share)
    assert (proof, sign) != prove_code(CODE, "t", HERE, first.share)
    assert second.confirm(proof) is None


@given(st.binary(max_size=40), st.binary(max_size=40))
def test_any_bytes_are_a_share_or_none(share: bytes, sign: bytes) -> None:
    assert HostExchange(CODE, "t", HERE).confirm(CodeProof(share, sign)) is None
    for sent in (share, b"B" + share, b"A" + share, b"B" + bytes(32), b"B" + b"\xff" * 32):
        with suppress(BadShare):
            prove_code(CODE, "t", HERE, sent)


# Impostors


def table_info(code: str = "") -> TableInfo:
    return TableInfo(
        "t", TablePlan("sun", (SeatConfig(),) * 2), (SeatInfo("open", "free"),) * 2, code=code
    )


async def just_lets_in(impostor: Impostor, line: ServerConnection) -> None:
    await say(line, Welcome(2, "evil"))
    asked = await impostor.hear(line)
    await say(
        line, TableJoined("t"), table_info(), Seated(0, "x"), TableJoined("t", sign=b"x" * 32)
    )
    assert isinstance(asked, RequestJoinProof)


async def guesses(impostor: Impostor, line: ServerConnection) -> None:
    await say(line, Welcome(2, "evil"))
    await impostor.hear(line)
    exchange = HostExchange("AAAAAA", "t", impostor.fingerprint)
    await say(line, JoinChallenge({"t": exchange.share}))
    entering = await impostor.hear(line)
    assert isinstance(entering, JoinTable)
    assert exchange.confirm(entering.proofs["t"]) is None
    await say(line, TableJoined("t", sign=b"x" * 32), table_info(CODE))


async def is_old(impostor: Impostor, line: ServerConnection) -> None:
    await say(line, Welcome(1, "0.0.1"))


async def shares_nonsense(impostor: Impostor, line: ServerConnection) -> None:
    await say(line, Welcome(2, "evil"))
    await impostor.hear(line)
    await say(line, JoinChallenge({"t": b"B" + bytes(32)}))


@pytest.mark.parametrize(
    ("act", "why"),
    [
        (just_lets_in, IMPOSTOR),
        (guesses, IMPOSTOR),
        (shares_nonsense, IMPOSTOR),
        (is_old, OLD_HOST),
    ],
)
@pytest.mark.parametrize(
    "ticket",
    [
        Ticket(code=CODE),
        Ticket("t", CODE),
        Ticket("t", CODE, "the-owner", {0: TOKEN}, THERE),
    ],
    ids=["a code", "a listed table", "a return"],
)
async def test_an_impostor_learns_no_code_and_gets_no_token(
    act: Callable[[Impostor, ServerConnection], Awaitable[None]],
    why: object,
    ticket: Ticket,
    tmp_path: Path,
) -> None:
    async with posing(tmp_path, act) as impostor:
        guest = Friend(impostor.port, ticket=ticket)
        await guest.until(lambda: guest.refused)
        assert guest.refused[0] == Refused(why, "enter")
        assert guest.guest.connection_state == "outside"
        assert guest.guest.info is None
        assert guest.guest.ticket == ticket
        for secret in (CODE, TOKEN, "the-owner"):
            assert secret not in impostor.learned


async def greets_again(impostor: Impostor, line: ServerConnection) -> None:
    """Ask for another proof by another welcome, as often as the guest gives one."""
    with suppress(ConnectionClosed):
        while True:
            await say(line, Welcome(2, "evil"))
            assert isinstance(await impostor.hear(line), RequestJoinProof)
            exchange = HostExchange("AAAAAA", "t", impostor.fingerprint)
            await say(line, JoinChallenge({"t": exchange.share}))
            assert isinstance(await impostor.hear(line), JoinTable)


async def test_a_host_gets_one_proof_a_connection(tmp_path: Path) -> None:
    """672 guesses in 45 seconds were made by one connection."""

    async with posing(tmp_path, greets_again) as impostor:
        guest = Friend(impostor.port, ticket=Ticket("t", CODE))
        await guest.until(lambda: guest.refused)
        assert guest.refused[0] == Refused(GUESSING, "enter")
        assert sum(b'"enter"' in frame for frame in impostor.frames) == 1


def test_all_connections_of_an_invitation_share_its_proofs() -> None:
    """Reconnecting, or another address of the same invitation, gives an impostor no more."""
    allowance = ProofAllowance()
    proofs: list[str] = []
    refusals: list[News] = []

    def say_(message: FromGuest) -> None:
        if isinstance(message, JoinTable):
            proofs.extend(message.proofs)

    names = [f"table-{number}" for number in range(MAX_CHALLENGES - 1)]
    for _ in range(3):  # three addresses
        guest = Guest(lambda name: pytest.fail(name), say_)
        guest.listen(lambda news: refusals.append(news) if isinstance(news, Refused) else None)
        guest.join(Ticket("", CODE), allowance=allowance)
        for _ in range(3):  # three connections to each
            guest.on_connected(THERE)
            guest.receive(Welcome(2, "evil"))
            shares = {name: HostExchange("AAAAAA", name, THERE).share for name in names}
            guest.receive(JoinChallenge(shares))
    assert MAX_PROOFS - len(names) < len(proofs) <= MAX_PROOFS
    assert refusals
    assert all(news == Refused(GUESSING, "enter") for news in refusals)


def test_a_host_that_proves_the_code_costs_no_proofs() -> None:
    allowance = ProofAllowance()
    said: list[FromGuest] = []
    for _ in range(MAX_PROOFS + 1):
        guest = Guest(lambda name: pytest.fail(name), said.append)
        guest.join(Ticket("t", CODE), allowance=allowance)
        guest.on_connected(HERE)
        guest.receive(Welcome(2, "x"))
        exchange = HostExchange(CODE, "t", HERE)
        guest.receive(JoinChallenge({"t": exchange.share}))
        entering = said[-1]
        assert isinstance(entering, JoinTable)
        sign = exchange.confirm(entering.proofs["t"])
        assert sign is not None
        guest.receive(TableJoined("t", sign=sign))
        assert guest.connection_state == "inside"


async def test_an_impostor_cannot_redirect_or_forget_a_guest(tmp_path: Path) -> None:
    async def lures(impostor: Impostor, line: ServerConnection) -> None:
        moved = TableMoved(("127.0.0.1",), impostor.port, impostor.fingerprint, "t")
        await say(line, Welcome(2, "evil"), moved)

    async def closes(impostor: Impostor, line: ServerConnection) -> None:
        await say(line, Welcome(2, "evil"), Farewell(IMPOSTOR, closed=True))

    ticket = Ticket("t", CODE, "", {0: TOKEN}, THERE)

    async with posing(tmp_path, lures) as impostor:
        guest = Friend(impostor.port, ticket=ticket)
        while len([f for f in impostor.frames if b"ask_doors" in f]) < 2:
            await asyncio.sleep(0.001)
        assert guest.guest.ticket == ticket
        assert TOKEN not in impostor.learned
        assert CODE not in impostor.learned
    async with posing(tmp_path, closes) as impostor:
        guest = Friend(impostor.port, ticket=ticket)
        await guest.until(lambda: any(isinstance(news, Farewell) for news in guest.news))
        assert guest.guest.ticket == ticket


async def test_both_ends_notice_a_machine_in_the_middle(tmp_path: Path) -> None:
    async with hosting(tmp_path / "host") as host:
        hosted = table_at(host)
        passed: list[bytes] = []

        async def passes_on(impostor: Impostor, line: ServerConnection) -> None:
            there = await dial(Address(("127.0.0.1",), host.port))
            await there.send(impostor.frames[0], text=True)

            async def back() -> None:
                with suppress(ConnectionClosed):
                    while True:
                        passed.append(await there.recv(decode=False))
                        await line.send(passed[-1], text=True)

            answers = asyncio.create_task(back())
            with suppress(ConnectionClosed):
                while True:
                    await impostor.hear(line)
                    await there.send(impostor.frames[-1], text=True)
            await there.close()
            await answers

        async with posing(tmp_path / "between", passes_on) as between:
            guest = Friend(between.port, ticket=Ticket(code=hosted.code))
            await guest.until(lambda: guest.refused)
            assert guest.refused == [Refused(WRONG_CODE, "enter")]
            assert hosted.code not in between.learned
            assert hosted.code not in repr(passed)
            assert len(hosted.guests) == 1  # its opener
        friend = Friend(host.port, ticket=Ticket(code=hosted.code))
        await friend.inside()
        assert friend.guest.ticket.fingerprint == host.certificate.fingerprint


async def test_a_reinstalled_host_hears_tokens_after_its_proof(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host:
        ann = await opened(host, plan("sun", 2), 0)
        ticket = ann.guest.ticket
        assert ticket.fingerprint == host.certificate.fingerprint
    (tmp_path / "host.pem").unlink()
    async with hosting(tmp_path) as host:
        assert host.certificate.fingerprint != ticket.fingerprint
        ann = Friend(host.port, ticket=ticket)
        await ann.until(lambda: ann.guest.seats == (0,) and ann.guest.connection_state == "inside")
        assert ann.guest.is_host
        assert ann.guest.ticket == replace(ticket, fingerprint=host.certificate.fingerprint)


# Old programs


async def test_a_guest_of_protocol_1_comes_by_its_code_as_ever(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host:
        hosted = table_at(host)
        line = await greeted(host.port, 1)
        await line.send(f'{{"type":"enter","code":"{hosted.code}"}}'.encode(), text=True)
        assert isinstance(decode_host_message(await line.recv(decode=False)), TableJoined)
        await line.close()


async def test_a_linked_certificate_lets_an_old_host_hear_the_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_module, "negotiate_protocol", lambda hello: 1)

    async with hosting(tmp_path) as host:
        hosted = table_at(host)
        pinned = host.certificate.fingerprint
        friend = Friend(host.port, pinned, Ticket(code=hosted.code, fingerprint=pinned))
        await friend.inside()
        await friend.close()
        stranger = Friend(host.port, pinned, Ticket(code=hosted.code))
        await stranger.until(lambda: stranger.refused)
        assert stranger.refused == [Refused(OLD_HOST, "enter")]


# Guessers


async def tried(host: Host, who: Stranger, code: str, table: str = "") -> object:
    """The host's answer to somebody who proves a code: None where it lets them in."""
    doors = host.registry.challenge(who, RequestJoinProof(table))
    if not isinstance(doors, JoinChallenge):
        return doors
    fingerprint = host.certificate.fingerprint
    proofs = {name: prove_code(code, name, fingerprint, s)[0] for name, s in doors.shares.items()}
    return await come_in(host, who, JoinTable(table, proofs=proofs))


@pytest.mark.parametrize("named", [True, False], ids=["by its name", "by its code"])
async def test_wrong_proofs_cost_only_their_sender(named: bool, tmp_path: Path) -> None:
    async with hosting(tmp_path, limits=Limits(codes_per_address=5)) as host:
        hosted = table_at(host)
        table = hosted.table if named else ""
        evil = Stranger("10.0.0.2")
        for _ in range(5):
            assert await tried(host, evil, "AAAAAA", table) == WRONG_CODE
        assert await tried(host, evil, hosted.code, table) == TOO_MANY_TRIES
        for _ in range(20):  # a guest with the code may come as often as it likes
            assert await tried(host, Stranger("10.0.0.3"), hosted.code, table) is None
        assert await tried(host, Stranger("10.0.0.3"), hosted.code, "nowhere") == NO_TABLE


@pytest.mark.parametrize("leaves", [True, False], ids=["hangs up", "asks again"])
async def test_an_exchange_that_is_given_up_was_a_try(leaves: bool, tmp_path: Path) -> None:
    """Or somebody could have the host reckon without end."""

    async with hosting(tmp_path, limits=Limits(codes_per_address=5)) as host:
        table_at(host)
        evil = Stranger("10.0.0.2")
        for _ in range(5):
            assert isinstance(host.registry.challenge(evil, RequestJoinProof()), JoinChallenge)
            if leaves:
                host.registry.on_disconnected(evil)
                evil = Stranger("10.0.0.2")
        assert host.registry.challenge(evil, RequestJoinProof()) == TOO_MANY_TRIES


async def test_a_proof_without_an_exchange_opens_nothing(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host:
        hosted = table_at(host)
        proofs = {hosted.table: CodeProof(b"A" + bytes(32), bytes(32))}
        assert await come_in(host, Stranger("10.0.0.2"), JoinTable(proofs=proofs)) == WRONG_CODE


async def test_at_a_host_of_many_tables_a_code_alone_is_not_enough(tmp_path: Path) -> None:
    limits = Limits(tables_per_address=100)
    async with hosting(tmp_path, limits=limits) as host:
        for _ in range(MAX_CHALLENGES):
            last = table_at(host)
        assert await tried(host, Stranger("10.0.0.2"), last.code) is None
        table_at(host)
        assert await tried(host, Stranger("10.0.0.2"), last.code) == MANY_TABLES
        assert await tried(host, Stranger("10.0.0.2"), last.code, last.table) is None


def test_a_guest_answers_no_proof_that_it_has_not_asked_for() -> None:
    said: list[FromGuest] = []
    guest = Guest(lambda name: pytest.fail(name), said.append)
    guest.join(Ticket("t", CODE))
    guest.on_connected(HERE)
    share = HostExchange(CODE, "t", HERE).share
    guest.receive(JoinChallenge({"t": share}))
    assert [type(message) for message in said] == [Hello]
    guest.receive(Welcome(2, "x"))
    assert said[1:] == [RequestJoinProof("t")]
    guest.receive(JoinChallenge({"t": share}))
    guest.receive(JoinChallenge({"t": share}))  # a second guess at the same proof
    assert [type(message) for message in said[2:]] == [JoinTable]
