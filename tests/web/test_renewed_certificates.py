"""The host's certificate is renewed, or another gateway takes over: phones keep their seats."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from tabletop.commands.web import _read_fingerprints
from tabletop.net.certificate import FILE
from tabletop.net.guest.dial import CERTIFICATE_CHANGED
from tabletop.net.guest.join_attempt import CODE_NEEDED
from tabletop.net.host.host import Host
from tabletop.protocol.invitation import Address
from tabletop.server.public_archive.server_archive import ServerArchive
from tabletop.web import seat_token
from tabletop.web.gateway.gateway import Gateway
from tabletop.web.gateway.sessions import Sessions
from tests.net.loopback import QUICK, ROOMY, close_friends, place_of, plan, until
from tests.server.table_server import table_server
from tests.web.gateways import Browser, opened

OTHER_CODE = "K7MPQ2"


@asynccontextmanager
async def host_at(folder: Path, port: int = 0) -> AsyncIterator[Host]:
    host = Host(folder, limits=ROOMY, timing=QUICK)
    await host.start("127.0.0.1", port)
    try:
        yield host
    finally:
        await close_friends(host.port)
        await host.close()


@asynccontextmanager
async def gateway_of(sessions: Sessions, port: int = 0) -> AsyncIterator[Gateway]:
    made = Gateway(sessions)
    await made.start("127.0.0.1", port)
    try:
        yield made
    finally:
        await made.close()


def unknown(host: Host) -> Address:
    """Where a gateway without any knowledge of the host finds it."""
    return Address(("127.0.0.1",), host.port)


async def sit(browser: Browser) -> None:
    await browser.sit(0)
    await browser.until(lambda: browser.lobby and browser.lobby["me"] == 0 and browser.token)


async def in_seat(browser: Browser) -> None:
    await browser.until(lambda: browser.lobby and browser.lobby["me"] == 0)


def without_knowledge(token: str) -> str:
    """The token of a gateway up to 0.3.0, which has no code and no certificate."""
    return token.partition("~")[0]


async def test_a_running_gateway_follows_a_renewed_certificate(tmp_path: Path) -> None:
    """Seated phones prove their code to the host, and so do new ones."""
    async with host_at(tmp_path) as host, opened(host, plan("sun", 2)) as owner:
        port, old, code = host.port, place_of(host), owner.code
        sessions = Sessions(old, pause=0)
        async with gateway_of(sessions) as made, Browser(made.port, code=code) as phone:
            await sit(phone)
            await owner.close()
            await host.close()
            (tmp_path / FILE).unlink()
            seen = len(phone.heard)
            async with host_at(tmp_path, port) as renewed:
                assert renewed.certificate.fingerprint != old.fingerprint
                await phone.until(
                    lambda: any(
                        told["kind"] == "lobby" and told["connected"] for told in phone.heard[seen:]
                    )
                )
                await in_seat(phone)
                ticket = seat_token.parse_token(phone.token)
                assert ticket.fingerprint == renewed.certificate.fingerprint
                async with Browser(made.port, code=code) as late:
                    await late.until(lambda: late.lobby)
                # no phone's code changes what the gateway itself knows
                assert sessions.place.fingerprint == old.fingerprint


@pytest.mark.parametrize("renewed", [False, True])
async def test_another_gateway_needs_the_token_alone(renewed: bool, tmp_path: Path) -> None:
    """The page was opened without the table's code; the gateway knows nothing of the host."""
    async with host_at(tmp_path) as host, opened(host, plan("sun", 2)) as owner:
        port = host.port
        async with (
            gateway_of(Sessions(place_of(host))) as made,
            Browser(made.port, code=owner.code) as phone,
        ):
            await sit(phone)
        if renewed:
            await owner.close()
            await host.close()
            (tmp_path / FILE).unlink()
            host = Host(tmp_path, limits=ROOMY, timing=QUICK)
            await host.start("127.0.0.1", port)
        async with (
            gateway_of(Sessions(unknown(host))) as made,
            Browser(made.port, token=phone.token) as back,
        ):
            await in_seat(back)
        if renewed:
            await host.close()


async def test_an_old_token_asks_for_the_code_and_keeps_the_seat(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with host_at(tmp_path) as host, opened(host, plan("sun", 2)) as owner:
        async with (
            gateway_of(Sessions(place_of(host))) as made,
            Browser(made.port, code=owner.code) as phone,
        ):
            await sit(phone)
        old = without_knowledge(phone.token)
        async with (
            gateway_of(Sessions(unknown(host))) as made,
            Browser(made.port, token=old) as back,
        ):
            await back.until(lambda: back.door == CODE_NEEDED.text)
            assert back.heard[-1]["keeps_seat"]
            assert "turned away address=127.0.0.1" in caplog.text
            for _ in range(3):
                async with Browser(made.port, token=old) as reloaded:  # no empty page
                    await reloaded.until(lambda: reloaded.door == CODE_NEEDED.text)
            await until(lambda: len(made.sessions._sessions) == 1)  # none is left behind
            back.send("hello", token=old, code=owner.code, typed=True)
            await in_seat(back)
        async with (
            gateway_of(Sessions(unknown(host))) as made,
            Browser(made.port, token=old, code=owner.code) as back,
        ):
            await in_seat(back)  # the code is in the page's address


async def test_a_phone_may_accept_a_certificate_for_itself(tmp_path: Path) -> None:
    async with host_at(tmp_path) as host, opened(host, plan("sun", 2)) as owner:
        async with (
            gateway_of(Sessions(place_of(host))) as made,
            Browser(made.port, code=owner.code) as phone,
        ):
            await sit(phone)
        old = without_knowledge(phone.token)
        sessions = Sessions(unknown(host), learned_fingerprint="ab" * 32)
        async with gateway_of(sessions) as made, Browser(made.port, token=old) as back:
            words = CERTIFICATE_CHANGED.text.partition("{place}")[2]
            await back.until(lambda: words in back.door)
            assert back.heard[-1]["fingerprint"] == host.certificate.fingerprint
            back.send("hello", token=old, trusts=back.heard[-1]["fingerprint"])
            await in_seat(back)
            assert not sessions.trusts(host.certificate.fingerprint)
            async with Browser(made.port, token=back.token) as reloaded:
                await in_seat(reloaded)  # the token has what its person accepted


async def test_the_folder_of_the_host_vouches_for_its_certificate(tmp_path: Path) -> None:
    async with host_at(tmp_path) as host, opened(host, plan("sun", 2)) as owner:
        async with (
            gateway_of(Sessions(place_of(host))) as made,
            Browser(made.port, code=owner.code) as phone,
        ):
            await sit(phone)
        sessions = Sessions(
            Address(("127.0.0.1",), host.port, "ab" * 32),
            vouched_fingerprints=partial(_read_fingerprints, tmp_path, True),
        )
        async with (
            gateway_of(sessions) as made,
            Browser(made.port, token=without_knowledge(phone.token)) as back,
        ):
            await in_seat(back)
            assert sessions.place.fingerprint == host.certificate.fingerprint


@pytest.mark.parametrize(
    ("known", "proved", "learns"),
    [
        ({}, OTHER_CODE, True),
        ({}, "", False),
        ({"learned_fingerprint": "ab" * 32}, OTHER_CODE, False),
        ({"learned_fingerprint": "ab" * 32, "code": OTHER_CODE}, OTHER_CODE, True),
    ],
)
async def test_only_the_gateways_own_code_replaces_what_it_knows(
    known: dict[str, str], proved: str, learns: bool
) -> None:
    """Somebody else's host may prove somebody else's code."""
    sessions = Sessions(Address(("192.0.2.1",), 1), **known)
    sessions.note_entered(Address(("192.0.2.1",), 1, "cd" * 32), proved)
    assert sessions.trusts("cd" * 32) == learns


def test_the_token_has_all_that_another_gateway_needs() -> None:
    ticket = seat_token.parse_token(f"t.0.abc.d3-ab~{OTHER_CODE}~{'cd' * 32}")
    assert (ticket.code, ticket.fingerprint, ticket.seats) == (OTHER_CODE, "cd" * 32, {0: "abc"})
    token = seat_token.format_token(ticket)
    assert seat_token.parse_token(token) == ticket
    assert seat_token.parse_token(token, "ef" * 32).fingerprint == "ef" * 32
    assert seat_token.seat_key(token) == "t.0.abc" == seat_token.seat_key("t.0.abc")
    assert seat_token.parse_token("t.0.abc").code == ""
    for wrong in ("t.0.abc~", "t.0.abc~x~", "t.0.abc~~AB", f"t.0.abc~{OTHER_CODE}"):
        assert seat_token.parse_token(wrong) is None


async def test_the_public_page_follows_a_renewed_certificate(tmp_path: Path) -> None:
    """It has no code, so the host's folder alone vouches for the certificate."""
    async with table_server(tmp_path) as host:
        vouched: list[str] = []
        sessions = Sessions(
            Address(("127.0.0.1",), host.port, "ab" * 32), vouched_fingerprints=lambda: vouched
        )
        archive = ServerArchive(lambda: sessions.place, sessions.trusts)
        assert (await archive.lists()).text == CERTIFICATE_CHANGED.text
        vouched.append(host.certificate.fingerprint)
        archive = ServerArchive(lambda: sessions.place, sessions.trusts)
        assert await archive.lists() == ((), ())
        assert sessions.place.fingerprint == host.certificate.fingerprint
