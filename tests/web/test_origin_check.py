"""Permission to speak to the gateway, and what its answers allow a page to do."""

import asyncio
import gzip
import json
import ssl
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tabletop.net.certificate import guest_context, load_certificate
from tabletop.web.https_redirect import NOT_REDIRECTABLE, RedirectingContext
from tests.net.loopback import hosting, plan
from tests.server.table_server import table_server
from tests.web.gateways import Browser, gateway, opened
from tests.web.http_answers import PAGE, Answered, get, page


async def test_files_are_packed_and_kept_and_nothing_else_is_given(tmp_path: Path) -> None:
    static = page(tmp_path / "page")
    async with hosting(tmp_path / "host") as host, gateway(host, static=static) as made:
        index = await get(made, "/")
        assert index.status == 200
        assert index.headers["cache-control"] == "no-cache"
        base = index.body.decode().partition('src="')[2].partition("/app.js")[0]
        script = await get(made, f"{base}/app.js", accept_encoding="gzip")
        assert script.headers["content-encoding"] == "gzip"
        assert gzip.decompress(script.body).decode() == PAGE["app.js"]
        assert "immutable" in script.headers["cache-control"]
        assert script.headers["content-type"].startswith("text/javascript")
        plain = await get(made, f"{base}/parts/style.css")
        assert plain.body.decode() == PAGE["parts/style.css"]
        for path in (
            "/s/0123456789abcdef/app.js",
            f"{base}/.hidden",
            f"{base}/../../pyproject.toml",
            f"{base}/%2e%2e/%2e%2e/pyproject.toml",
            f"{base}/nothing.js",
            "/face/sun.k1.ja.1",
            "/picture/0000",
            "/rules/nothing.ja.json",
            "/rules/../../etc/passwd",
            "/wp-admin",
        ):
            assert (await get(made, path)).status == 404, path
        (static / "app.js").write_text("// another one")
        async with gateway(host, static=static) as later:
            assert base not in (await get(later, "/")).body.decode()


@pytest.mark.parametrize(
    ("language", "told"),
    [("ja-JP,en", "このスマホからパソコンに接続できました。"),
     ("fr", "This phone reaches the computer.")],
)  # fmt: skip
async def test_a_phone_says_that_it_reaches_this_computer(
    language: str, told: str, tmp_path: Path
) -> None:
    async with hosting(tmp_path) as host, gateway(host) as made:
        answer = await get(made, "/reach", accept_language=language)
        assert answer.headers["content-type"].startswith("text/html")
        assert told in answer.body.decode()


async def test_every_answer_lets_a_page_do_no_more_than_it_must(tmp_path: Path) -> None:
    static = page(tmp_path / "page")
    async with hosting(tmp_path / "host") as host, gateway(host, static=static) as made:
        for path in ("/", "/reach", "/rules/sun.ja.json", "/nothing"):
            headers = (await get(made, path)).headers
            parts = map(str.split, headers["content-security-policy"].split("; "))
            policy = {name: sources for name, *sources in parts}
            assert policy["default-src"] == ["'none'"]
            assert policy["script-src"] == ["'self'"]
            assert policy["connect-src"] == ["'self'", f"ws://127.0.0.1:{made.port}"]
            assert policy["frame-ancestors"] == policy["base-uri"] == ["'none'"]
            assert "unsafe" not in headers["content-security-policy"]
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"
            assert "access-control-allow-origin" not in headers
            assert "server" not in headers
        by_ipv6 = await get(made, "/", host=f"[fd00::2]:{made.port}")
        assert "connect-src 'self';" in by_ipv6.headers["content-security-policy"]


@pytest.mark.parametrize(
    "host_header",
    ["evil.example", "127.0.0.1.evil.example", "evil.example:18980", "", "a b", "127.0.0.1@evil",
     "[::1", "localhost.evil.example", "127.0.0.1:99999999", "2130706433.example"],
)  # fmt: skip
async def test_a_name_that_was_rebound_to_here_is_refused(host_header: str, tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, gateway(host) as made:
        answer = await get(made, "/reach", host=host_header)
        assert answer.status in (400, 403)
        assert (await get(made, "/reach")).status == 200
        assert (await get(made, "/reach", host=f"localhost:{made.port}")).status == 200
        assert (await get(made, "/reach", host=f"[::1]:{made.port}")).status == 200


@pytest.mark.parametrize(
    "origin",
    [None, "null", "http://evil.example", "https://127.0.0.1:{port}", "http://127.0.0.1:1"],
)
async def test_a_page_of_another_site_opens_no_socket(origin: str | None, tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, gateway(host) as made:
        said = origin.format(port=made.port) if origin else None
        with pytest.raises(InvalidStatus):
            async with connect(f"ws://127.0.0.1:{made.port}/ws", origin=said, proxy=None):
                pass
        if origin:
            assert (await get(made, "/reach", origin=said)).status == 403


async def test_named_aliases_of_this_computer_are_let_in(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, gateway(host, names=("Table.Example",)) as made:
        assert (await get(made, "/reach", host="table.example")).status == 200
        assert (await get(made, "/reach", host="chair.example")).status == 403
        for language, words in (("ja-JP", "「name.fritz.box」"), ("en", "--name name.fritz.box")):
            said = {"host": "name.fritz.box:18980", "accept_language": language}
            answer = await get(made, "/", **said)
            assert answer.status == 403
            assert answer.headers["content-language"] == language[:2]
            assert words in answer.body.decode()
            assert "--name" in answer.body.decode()
        for host in ("[bad", "a<b>.example", "x" * 300, "", "name.example:1:2"):
            assert (await get(made, "/", host=host)).status in (400, 403)
        elsewhere = await get(made, "/", host="name.fritz.box", origin="https://evil.example")
        assert "fritz" not in elsewhere.body.decode()


async def test_wrong_codes_are_counted_and_never_reach_the_host(tmp_path: Path) -> None:
    async with table_server(tmp_path) as host, opened(host, plan("sun", 2)) as owner:
        code = owner.code
        async with gateway(host, code=code) as made, Browser(made.port) as one:
            await one.until(lambda: one.door)
            first = one.door
            for guess in ("ZZZZZ2", "nonsense", *(f"ZZZZ{n}{n}" for n in range(2, 10))):
                one.door = ""
                one.send("hello", code=guess)
                await one.until(lambda: one.door)
            assert one.door != first
            one.door = ""
            one.send("hello", code="ZZZZZ3")
            await one.until(lambda: one.door)
            one.send("hello", code=code)
            await one.until(lambda: "minutes" in one.door)
        assert host.metrics.refusals == 0
        async with gateway(host, code=code) as made, Browser(made.port) as one:
            await one.until(lambda: one.door)
            spaced = f" {code[:3].lower()} {code[3:]} "
            one.send("hello", code=spaced)
            await one.until(lambda: one.lobby)


async def test_tls_by_the_own_certificate(tmp_path: Path) -> None:
    own = load_certificate(tmp_path / "own")
    async with (
        hosting(tmp_path / "host") as host,
        opened(host, plan("sun", 2)) as owner,
        gateway(host, certificate=partial(own.make_tls_context, RedirectingContext)) as made,
    ):
        assert made.scheme == "https"
        where = f"127.0.0.1:{made.port}"
        context: ssl.SSLContext = guest_context()
        async with connect(
            f"wss://{where}/ws", origin=f"https://{where}", ssl=context, proxy=None
        ) as socket:
            code = owner.code
            hello = {"n": 1, "kind": "hello", "code": code, "language": "ja"}
            await socket.send(json.dumps(hello))
            kinds = [json.loads(await socket.recv())["kind"] for _ in range(2)]
            assert kinds == ["welcome", "lobby"]


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        (b"GET /rules/sun.json?x=1 HTTP/1.1\r\nHost: {here}\r\n\r\n", "/rules/sun.json?x=1"),
        (b"HEAD / HTTP/1.1\r\nX: y\r\nhost:{here}\r\n\r\n", "/"),
        (b"GET / HTTP/1.1\r\nHost: a b\r\n\r\n", ""),
        (b"GET / HTTP/1.1\r\n\r\n", ""),
        (b"GET http://evil.example/ HTTP/1.1\r\nHost: {here}\r\n\r\n", ""),
        (b"GET /" + b"x" * 9000, ""),
    ],
)
async def test_plain_http_at_the_encrypted_port_is_sent_on(
    request_: bytes, told: str, tmp_path: Path
) -> None:
    own = load_certificate(tmp_path / "own")
    async with (
        hosting(tmp_path / "host") as host,
        gateway(host, certificate=partial(own.make_tls_context, RedirectingContext)) as made,
    ):
        here = f"127.0.0.1:{made.port}"
        reader, writer = await asyncio.open_connection("127.0.0.1", made.port)
        said = request_.replace(b"{here}", here.encode())
        writer.write(said[:7])
        await writer.drain()
        writer.write(said[7:])
        answered = Answered(await reader.readuntil(b"\r\n\r\n"))
        assert answered.headers.get("location", "") == (f"https://{here}{told}" if told else "")
        if not told:
            assert b"https://" in await reader.readexactly(len(NOT_REDIRECTABLE))
        writer.close()


async def test_bytes_of_neither_http_nor_tls_are_cut_off(tmp_path: Path) -> None:
    own = load_certificate(tmp_path / "own")
    async with (
        hosting(tmp_path / "host") as host,
        gateway(host, certificate=partial(own.make_tls_context, RedirectingContext)) as made,
    ):
        reader, writer = await asyncio.open_connection("127.0.0.1", made.port)
        writer.write(b"hello\r\n\r\n")
        with suppress(ConnectionError):
            assert b"HTTP" not in await reader.read()
        writer.close()
