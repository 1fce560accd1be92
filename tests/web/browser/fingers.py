"""People with a phone in their hand: a real browser with touch, and somebody who taps in it."""

import asyncio
import os
import random
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tabletop.net.certificate import load_certificate
from tabletop.net.host.host import Host
from tabletop.table.hosted_table import HostedTable
from tabletop.web.gateway.sessions import SEAT_TIMEOUT_S
from tabletop.web.https_redirect import RedirectingContext
from tests.bots.planned_pools import QuickPool
from tests.net.loopback import LONGEST, Friend, hosting, plan
from tests.web.gateways import gateway, opened, started
from ui.phones.drawing import QtDrawer
from ui.style.asset_folder import PHONE_PAGE_FOLDER

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""As in a container; and no word to anybody outside."""
UPRIGHT, LYING, TABLET = (390, 844), (844, 390), (820, 1180)
"""In CSS pixels."""

NEXT = (Path(__file__).parent / "next_tap.js").read_text(encoding="utf-8")
"""Waits until something can be tapped and gives it: the eyes of who plays at random."""

TWO_FRAMES = "() => new Promise((t) => requestAnimationFrame(() => requestAnimationFrame(t)))"
"""What was changed is painted."""
LOADED = "() => [...document.images].every((image) => image.complete)"
"""Whether all pictures of a page are there."""


WATCH = """() => {
  let gone = false;
  window.backAgain = new Promise((then) => {
    new MutationObserver(() => {
      gone = gone || Boolean(document.querySelector(".line.gone"));
      if (gone && document.querySelector(".line.here")) then();
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
  });
}"""


class Phone:
    """A seat's browser, and everything that went wrong in it."""

    def __init__(self, context: Any, page: Any) -> None:
        self.context = context
        self.errors: list[str] = []
        self._look_at(page)

    def _look_at(self, page: Any) -> None:
        self.page = page
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("response", self._response)

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    def _response(self, response: Any) -> None:
        if response.status >= 400:
            self.errors.append(f"{response.status} {response.url}")

    async def open(self, url: str) -> None:
        """Scan the code: the page is there, with its seats or its table."""
        await self.page.goto(url)
        await self.page.wait_for_selector(".lobby, .prompt")

    async def sit(self, seat: int, name: str) -> None:
        await self.page.locator(f"[data-key=seat{seat}] [data-do=choose]").tap()
        await self.page.locator("#name").fill(name)
        await self.page.locator("[data-form=sit] [type=submit]").tap()
        await self.page.wait_for_selector(".seat.mine, .prompt")

    async def asked(self) -> str:
        return str(await self.page.locator(".prompt h2").inner_text())

    async def closed_and_opened(self) -> None:
        """The browser was closed; here it is again, at the page it knows."""
        url = self.page.url
        await self.page.close()
        self._look_at(await self.context.new_page())
        await self.open(url)

    async def menu(self, text: str) -> None:
        """Choose what is done seldom, behind the three dots, and say that one is sure of it."""
        await self._open_menu()
        await self.tap(f"dialog [data-do=wish]:text-is('{text}')")

    async def concede(self) -> None:
        """Give the match up: the page asks whether one is sure."""
        first = self.page.locator("dialog [data-do=wish]")
        await self._open_menu()
        await first.filter(has_text=re.compile("^(Concede|投了する)$")).tap()
        await self.tap("dialog .primary[data-do=wish]")

    async def _open_menu(self) -> None:
        """On a machine that is busy a tap may have been taken for a long press, which enlarges a
        card: that is closed first."""
        if await self.page.locator("dialog[open]").count():
            await self.page.keyboard.press("Escape")
        await self.tap(".me [data-id=more]")

    async def watch_line(self) -> None:
        """Note from now on when the line breaks."""
        await self.page.evaluate(WATCH)

    async def back_again(self) -> None:
        """The line has broken since it was watched, and is up again."""
        await self.page.evaluate("() => window.backAgain")

    def errors_meanwhile(self) -> None:
        """A gateway that is away makes the browser complain: that is not the page's fault."""
        self.errors.clear()

    async def tap(self, selector: str) -> None:
        await self.page.locator(selector).first.tap()

    async def play(self, chance: random.Random, until: Callable[[], bool] = lambda: False) -> None:
        """Tap at random what can be tapped, until the score sheet is there."""
        while not until():
            tap = await self.page.evaluate(NEXT, chance.random())
            if tap == "over":
                return
            await self.page.touchscreen.tap(*tap)


async def another_phone(
    browser: Any, size: tuple[int, int], language: str, theme: str, **more: Any
) -> Phone:
    """A phone of this size, language and theme."""
    context = await browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        device_scale_factor=more.pop("ratio", 2),
        has_touch=True,
        is_mobile=True,
        locale=language,
        color_scheme=theme,
        **more,
    )
    context.set_default_timeout(LONGEST * 1000)
    return Phone(context, await context.new_page())


class Room:
    """A host, a gateway and phones, all in one loop."""

    def __init__(
        self, browser: Any, url: str, host: Host, owner: Friend, hosted: HostedTable
    ) -> None:
        self.browser = browser
        self.host = host
        self.url = url
        self.owner = owner
        self.hosted = hosted
        self.phones: list[Phone] = []

    async def phone(
        self,
        size: tuple[int, int] = UPRIGHT,
        language: str = "en",
        theme: str = "light",
        **more: Any,
    ) -> Phone:
        """Another phone; it has not come to the table yet."""
        phone = await another_phone(self.browser, size, language, theme, **more)
        self.phones.append(phone)
        return phone

    async def seat_all(self, phones: Sequence[Phone]) -> None:
        """They sit down in this order, and the match begins."""
        for seat, phone in enumerate(phones):
            await phone.open(self.url)
            await phone.sit(seat, f"Player {seat + 1}")
        await started(self.owner)
        for phone in phones:
            await phone.page.wait_for_selector(".prompt")


@asynccontextmanager
async def room(
    folder: Path,
    game: str,
    seats: int,
    *,
    lingers: float = SEAT_TIMEOUT_S,
    tls: bool = False,
    **more: Any,
) -> AsyncIterator[Room]:
    """A table of a game to which phones come, and Chromium. `lingers`: so many seconds a seat is
    held whose phone is dark; `tls`: the page is encrypted by a certificate of the host's."""
    from playwright.async_api import async_playwright

    async with (
        hosting(folder) as host,
        opened(host, plan(game, seats, **more)) as owner,
        gateway(
            host,
            static=PHONE_PAGE_FOLDER,
            drawer=QtDrawer(),
            pause=0,
            bot_pool=QuickPool(),
            lingers=lingers,
            certificate=partial(
                load_certificate(folder / "page").make_tls_context, RedirectingContext
            )
            if tls
            else None,
        ) as made,
        async_playwright() as playwright,
    ):
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        (hosted,) = host.hosted_tables.values()
        url = f"{made.scheme}://127.0.0.1:{made.port}/#{owner.code}"
        found = Room(browser, url, host, owner, hosted)
        try:
            yield found
        finally:
            await browser.close()
        errors = [error for phone in found.phones for error in phone.errors]
        assert not errors, "\n".join(errors)


def needs_chromium() -> None:
    """Skip a test, with one line, where there is no Chromium."""
    if not CHROMIUM.is_file():
        missing = "install the package chromium to run this test in a browser"
        (pytest.fail if os.environ.get("TABLETOP_CHROMIUM") else pytest.skip)(missing)


async def play_out(
    phones: Sequence[Phone], seed: int = 1, until: Callable[[], bool] = lambda: False
) -> None:
    """All play at random to the score sheet, or until this is so at somebody's turn."""
    plays = [
        asyncio.ensure_future(phone.play(random.Random(seed + n), until))
        for n, phone in enumerate(phones)
    ]
    ended, waiting = await asyncio.wait(plays, return_when=asyncio.FIRST_COMPLETED)
    if not until():
        ended, waiting = await asyncio.wait(plays, return_when=asyncio.FIRST_EXCEPTION)
    for play in waiting:
        play.cancel()
    for play in ended:
        play.result()
