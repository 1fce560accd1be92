"""The operator's page: who may open it, and what a browser shows and does there."""

import asyncio
import base64
import json
import os
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tabletop.net.certificate import guest_context
from tabletop.net.host.server import Host
from tabletop.net.operator.desk import Desk
from tabletop.net.operator.operator_page import KEY, WRONG_KEYS, key_in
from tabletop.net.operator.steering import KICKED, SHUT
from tabletop.net.protocol import ANNOUNCED, Farewell, Notice
from tests.net.loopback import LONG, LONGEST, hosting, plan, play_on, run, seated
from tests.web.browser.fingers import CHROMIUM, FLAGS, needs_chromium

FITNESS = (Path(__file__).parents[2] / "web" / "browser" / "fitness.js").read_text("utf-8")
LOOKS = (
    ("ja", "dark", 390, 844),
    ("ja", "light", 1280, 800),
    ("en", "dark", 1280, 800),
    ("en", "light", 320, 700),
)
SHOTS = os.environ.get("TABLETOP_SHOTS")
"""A folder for pictures of the page, to be looked at."""


@asynccontextmanager
async def page_of(host: Host, bind: str = "127.0.0.1") -> AsyncIterator[int]:
    """The page of a host: its port."""
    async with Desk(host, page=(bind, 0)) as desk:
        assert desk.page is not None
        yield desk.page


async def ask(port: int, path: str, order: object = None, tls: bool = False, **more: str) -> Any:
    """The status, the headers and the body of an answer."""
    context: ssl.SSLContext | None = guest_context() if tls else None
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context)
    said = {"host": f"127.0.0.1:{port}", "connection": "close", **more}
    body = b"" if order is None else json.dumps(order).encode()
    if body:
        said["content-length"] = str(len(body))
    head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in said.items())
    kind = "GET" if order is None else "POST"
    writer.write(f"{kind} {path} HTTP/1.1\r\n{head}\r\n".encode() + body)
    first, _, answer = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    status, *lines = first.decode("latin-1").split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines)
    return int(status.split()[1]), headers, answer


def test_pages_of_other_sites_reach_nothing(tmp_path: Path) -> None:
    async def evening() -> None:
        async with hosting(tmp_path) as host, page_of(host) as port:
            here = f"http://127.0.0.1:{port}"
            status, headers, body = await ask(port, "/")
            assert (status, b"operator.js" in body) == (200, True)
            assert "default-src 'none'; script-src 'self'" in headers["content-security-policy"]
            assert headers["x-frame-options"] == "deny"
            hello = {"text": "hello"}
            assert (await ask(port, "/announce", hello, origin=here))[0] == 200
            assert (await ask(port, "/announce", hello, origin="http://evil.example"))[0] == 403
            assert (await ask(port, "/announce", hello, origin="null"))[0] == 403
            for name in ("evil.example", f"evil.example:{port}", "127.0.0.1@evil.example"):
                assert (await ask(port, "/status", host=name))[0] == 403
            assert (await ask(port, "/announce"))[0] == 405
            assert (await ask(port, "/metrics"))[0] == 404
            assert (await ask(port, "/nothing", {}))[0] == 404
            for order in (
                [],
                {"txt": ""},
                {"text": 1},
                {"text": "x", "y": 1},
                {"text": "x" * 9999},
            ):
                status, _, body = await ask(port, "/announce", order, accept_language="ja")
                assert (status, json.loads(body)) == (
                    400,
                    {"told": "サーバーが理解できる指示ではありません。"},
                )

    run(evening)


def test_elsewhere_than_on_the_loopback_it_asks_for_the_key(tmp_path: Path) -> None:
    def basic(key: str) -> dict[str, str]:
        return {"authorization": "Basic " + base64.b64encode(f"any:{key}".encode()).decode()}

    async def evening() -> None:
        async with hosting(tmp_path) as host, page_of(host, "0.0.0.0") as port:
            key = key_in(tmp_path)
            assert (tmp_path / KEY).stat().st_mode & 0o077 == 0
            status, headers, _ = await ask(port, "/", tls=True)
            assert (status, headers["www-authenticate"]) == (401, 'basic realm="key"')
            for path in ("/", "/status", "/words"):
                assert (await ask(port, path, tls=True, **basic(key)))[0] == 200
            for wrong in ("Basic", "Basic !", "Bearer " + key, "Basic " + key, "Basic /w=="):
                assert (await ask(port, "/status", tls=True, authorization=wrong))[0] == 401
            for _ in range(WRONG_KEYS):
                assert (await ask(port, "/guests", tls=True, **basic("wrong")))[0] == 401
            assert (await ask(port, "/status", tls=True, **basic(key)))[0] == 429

    run(evening)


@asynccontextmanager
async def browser_before(port: int) -> AsyncIterator[Callable[..., Awaitable[Any]]]:
    """A browser: what opens the page in it, in this language, this theme and size. Nothing goes
    wrong there."""
    from playwright.async_api import async_playwright

    errors: list[str] = []

    async def opened(language: str, theme: str, wide: int, high: int) -> Any:
        context = await browser.new_context(
            locale=language, color_scheme=theme, viewport={"width": wide, "height": high}
        )
        context.set_default_timeout(LONGEST * 1000)
        page = await context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda said: errors.append(said.text))
        await page.goto(f"http://127.0.0.1:{port}/")
        await page.wait_for_selector("#app:not([hidden])")
        return page

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            yield opened
            assert errors == []
        finally:
            await browser.close()


async def look(page: Any, name: str) -> None:
    """Nothing is too small, too pale or too wide."""
    assert await page.evaluate(FITNESS) == []
    if SHOTS:
        await page.screenshot(path=f"{SHOTS}/{name}.png", full_page=True)


def test_a_browser_sees_and_steers_the_server(tmp_path: Path) -> None:
    needs_chromium()

    async def evening() -> None:
        async with (
            hosting(tmp_path) as host,
            seated(host, plan("sun", 2), (0,), (1,)) as (ann, ben),
            seated(host, plan("sisters", 3, bots=1), (0,), (1,)) as more,
            page_of(host) as port,
        ):
            play_on([ann, ben])
            await ann.until(lambda: host.metrics.moves > 9)
            ann.plays = ben.plays = False
            ann.guest.start()
            await ann.until(lambda: ann.refused)
            host.bans.add("2001:db8:0:1::/64")
            async with browser_before(port) as opened:
                for looks in LOOKS if LONG else LOOKS[:1]:
                    other = await opened(*looks)
                    await other.wait_for_selector("#banned tbody tr")
                    assert await other.evaluate("document.documentElement.lang") == looks[0]
                    await look(other, "-".join(map(str, looks)))
                    await other.context.close()
                page = await opened("en", "light", 1280, 800)
                await page.wait_for_selector("#tables tbody tr:nth-child(2)")
                assert await page.locator("#state").inner_text() == "All is well"
                assert await page.locator("#guests tbody tr").count() == 4
                assert "begun" in await page.locator("#refusals").inner_text()
                row = page.locator("#tables tbody tr", has_text="sun for 2")
                assert "Player 1, Player 2" in await row.inner_text()
                await look(page, "page")

                await page.fill("#text", "At ten we close.")
                await page.click("#announce .primary")
                heard = Notice(ANNOUNCED.with_args(text="At ten we close."))
                await ben.until(lambda: heard in ben.news)
                await page.wait_for_function("() => document.getElementById('text').value === ''")
                assert await page.locator("#told").inner_text() == "Tables told: 2."

                last = page.locator("#guests tbody tr").last
                await last.get_by_role("button", name="Send away").click()
                await look(page, "sure")
                await page.click("#sure [value=no]")
                await last.get_by_role("button", name="Send away").click()
                await page.click("#sure [value=yes]")
                await more[1].until(lambda: Farewell(KICKED) in more[1].news)
                await page.wait_for_function(
                    "() => document.querySelectorAll('#guests tbody tr').length === 3"
                )

                await row.get_by_role("button", name="Close").click()
                await page.click("#sure [value=yes]")
                await ann.until(lambda: Farewell(SHUT, closed=True) in ann.news)
                await page.wait_for_function(
                    "() => document.querySelectorAll('#tables tbody tr').length === 1"
                )
                await page.get_by_role("button", name="Let in again").click()
                await page.wait_for_selector("#banned-section", state="hidden")
                assert not host.bans

                await page.click("#drain")
                await page.click("#sure [value=yes]")
                await page.wait_for_function("() => document.getElementById('drain').disabled")
                assert host.registry.draining

    run(evening)
