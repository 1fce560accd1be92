"""A gateway behind a reverse proxy: addresses, limits, refusals and their causes."""

import json
import logging
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tabletop.commands.arguments import UsageError
from tabletop.commands.web import _address_lines, _parse_proxy
from tabletop.web import http_server
from tabletop.web.gateway import gateway as gateway_module
from tabletop.web.http_proxy import NO_PROXY, parse_http_proxy
from tests.net.loopback import hosting, plan
from tests.web.gateways import begun, gateway, opened
from tests.web.http_answers import get, page

ORIGIN = "https://cards.example.org"
PROXY = parse_http_proxy(ORIGIN, ())
FOLDER = parse_http_proxy(f"{ORIGIN}/cards/", ())


@pytest.mark.parametrize(
    ("peer", "sent", "address"),
    [
        ("127.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("::ffff:127.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("127.0.0.1", "10.9.9.9, 203.0.113.9", "203.0.113.9"),
        ("127.0.0.1", "203.0.113.9, 192.0.2.7", "203.0.113.9"),
        ("127.0.0.1", "203.0.113.9:4711", "203.0.113.9"),
        ("127.0.0.1", "[2001:db8::1]:4711", "2001:db8::1"),
        ("127.0.0.1", "invented, unknown", "127.0.0.1"),
        ("127.0.0.1", "", "127.0.0.1"),
        ("198.51.100.1", "203.0.113.9", "198.51.100.1"),
    ],
)
def test_only_trusted_proxies_name_a_browsers_address(peer: str, sent: str, address: str) -> None:
    proxy = parse_http_proxy(ORIGIN, ["192.0.2.7"])
    assert proxy.client_address(peer, [(b"X-Forwarded-For", sent.encode())]) == address


def test_nobody_is_trusted_without_an_origin() -> None:
    forwarded = [(b"x-forwarded-for", b"203.0.113.9")]
    assert NO_PROXY.client_address("127.0.0.1", forwarded) == "127.0.0.1"


@pytest.mark.parametrize(
    ("url", "origin", "path"),
    [
        ("https://Cards.example.org/", "https://cards.example.org", ""),
        ("https://cards.example.org:443", "https://cards.example.org", ""),
        ("http://[fd00::2]:8080/a/b/", "http://[fd00::2]:8080", "/a/b"),
    ],
)
def test_the_origin_is_read_from_a_url(url: str, origin: str, path: str) -> None:
    proxy = parse_http_proxy(url, ())
    assert (proxy.origin, proxy.path) == (origin, path)


@pytest.mark.parametrize(
    ("origin", "proxies"),
    [
        ("cards.example.org", []),
        ("ftp://cards.example.org", []),
        ("https://", []),
        ("https://cards.example.org:99999", []),
        ("https://cards.example.org/?a", []),
        ("https://me@cards.example.org", []),
        (ORIGIN, ["proxy.example.org"]),
        ("", ["192.0.2.7"]),
    ],
)
def test_bad_settings_are_refused(origin: str, proxies: list[str]) -> None:
    with pytest.raises(UsageError):
        _parse_proxy(origin, proxies, False)


def test_the_public_page_is_refused_in_a_folder() -> None:
    with pytest.raises(UsageError):
        _parse_proxy(f"{ORIGIN}/cards", [], True)


def test_the_public_url_is_printed_first() -> None:
    lines = _address_lines("http", 18980, "127.0.0.1", "K7MPQ2", False, FOLDER.url).split("\n")
    assert lines[1] == f"address {ORIGIN}/cards/#K7MPQ2"


async def test_a_page_of_the_public_origin_opens_a_socket(tmp_path: Path) -> None:
    came: list[str] = []
    async with (
        hosting(tmp_path) as host,
        opened(host, plan("sun", 2)) as owner,
        gateway(host, proxy=PROXY, visited=came.append) as made,
    ):
        where = f"ws://127.0.0.1:{made.port}/ws"
        forwarded = {"X-Forwarded-For": "203.0.113.9"}
        async with connect(
            where, origin=ORIGIN, additional_headers=forwarded, proxy=None
        ) as socket:
            await socket.send(json.dumps({"n": 1, "kind": "hello", "code": owner.code}))
            kinds = [json.loads(await socket.recv())["kind"] for _ in range(2)]
            assert kinds == ["welcome", "lobby"]
            (session,) = made.sessions._sessions
            assert session.origin == "203.0.113.9"
        for origin in ("http://cards.example.org", "https://evil.example"):
            with pytest.raises(InvalidStatus):
                async with connect(where, origin=origin, proxy=None):
                    pass
        assert "203.0.113.9" in came
        answer = await get(made, "/", host="cards.example.org")
        assert answer.status == 404  # known; this gateway has no page
        assert "wss://cards.example.org" in answer.headers["content-security-policy"]


async def test_limits_count_browsers_and_not_their_proxy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_server, "MAX_CONNECTIONS_PER_ADDRESS", 2)
    monkeypatch.setattr(http_server, "PARTS_PER_S", 0.001)
    monkeypatch.setattr(http_server, "PARTS_BURST", 4)
    async with hosting(tmp_path) as host, gateway(host, proxy=PROXY) as made:
        lines = [await begun(made.port) for _ in range(4)]
        for _ in range(4):
            answer = await get(made, "/reach", x_forwarded_for="203.0.113.9")
            assert answer.status == 200
        assert (await get(made, "/reach", x_forwarded_for="203.0.113.9")).status == 429
        assert (await get(made, "/reach", x_forwarded_for="203.0.113.10")).status == 200
        for _, writer in lines:
            writer.close()


async def test_sockets_are_counted_by_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway_module, "MAX_SOCKETS_PER_ADDRESS", 1)
    async with hosting(tmp_path) as host, gateway(host, proxy=PROXY) as made:
        where = f"ws://127.0.0.1:{made.port}/ws"

        async def first_message(address: str) -> str:
            headers = {"X-Forwarded-For": address}
            socket = await connect(where, origin=ORIGIN, additional_headers=headers, proxy=None)
            with suppress(ConnectionClosed):  # the gateway may have refused it already
                await socket.send(json.dumps({"n": 1, "kind": "hello"}))
            kind = json.loads(await socket.recv())["kind"]
            sockets.append(socket)
            return str(kind)

        sockets: list[object] = []
        assert await first_message("203.0.113.9") == "welcome"
        assert await first_message("203.0.113.9") == "bye"
        assert await first_message("203.0.113.10") == "welcome"
        for socket in sockets:
            await socket.close()  # type: ignore[attr-defined]


async def test_a_page_in_a_folder_has_relative_links(tmp_path: Path) -> None:
    static = page(tmp_path / "page")
    async with (
        hosting(tmp_path / "host") as host,
        gateway(host, static=static, proxy=FOLDER) as made,
    ):
        answer = await get(made, "/cards")
        assert (answer.status, answer.headers["location"]) == (308, "/cards/")
        for path in ("/cards/", "/"):  # a proxy may cut the folder off
            index = (await get(made, path, x_forwarded_for="203.0.113.9")).body.decode()
            script = index.partition('src="')[2].partition('"')[0]
            assert not script.startswith("/")
            assert (await get(made, f"{path}{script}")).status == 200


async def test_each_cause_of_a_refusal_is_logged_and_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "tabletop.web")
    async with hosting(tmp_path) as host:
        async with gateway(host) as made:
            assert (await get(made, "/", host="cards.example.org")).status == 403
            assert "cause=host" in caplog.text
            assert "cards.example.org" in caplog.text
            assert (await get(made, "/reach", origin=ORIGIN)).status == 403
            assert (
                f"cause=origin; for a proxy, start with --origin origin='{ORIGIN}'" in caplog.text
            )
            told = json.loads((await get(made, f"/why?origin={ORIGIN}")).body)
            assert f"--origin {ORIGIN}" in told["files"]
            await get(made, "/reach", x_forwarded_for="203.0.113.9")
            assert "no --proxy for its sender address=127.0.0.1" in caplog.text
        async with gateway(host, proxy=PROXY) as made:
            told = json.loads((await get(made, f"/why?origin={ORIGIN}")).body)
            assert "--origin" not in told["files"]
            assert "WebSockets" in told["socket"]
            answer = await get(made, "/ws", sec_websocket_key="x")
            assert answer.status == 426
            assert "cause=upgrade" in caplog.text
            await get(made, "/reach", x_forwarded_proto="https")
            assert "sends no X-Forwarded-For" in caplog.text


@pytest.mark.parametrize("text", ["<b>", "https://a/b", "javascript:alert(1)", "https://a b"])
async def test_only_an_origin_is_repeated(text: str, tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, gateway(host) as made:
        quoted = text.replace(" ", "%20").replace("<", "%3C")
        assert json.loads((await get(made, f"/why?origin={quoted}")).body)["files"].startswith(
            "A file"
        )


async def test_a_link_with_an_escaped_hash_leads_to_the_page(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, gateway(host) as made:
        answer = await get(made, "/%23K7MPQ2?mode=gi_t")
        assert answer.headers["location"] == "./#k7mpq2"  # lower case by `Answered`
