"""Phones that somebody else's loop carries: a window's tests wait in Qt's, a browser lives in
asyncio's, in a thread of its own."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from threading import Thread
from typing import Any, TypeVar

from tests.web.browser.fingers import (
    CHROMIUM,
    FLAGS,
    LOADED,
    UPRIGHT,
    Phone,
    another_phone,
    play_out,
)

T = TypeVar("T")


class Party:
    """People with phones, before a window."""

    def __init__(self) -> None:
        self.phones: list[Phone] = []
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._playwright: Any = None
        self._browser: Any = None

    def run(self, work: Coroutine[Any, Any, T]) -> "Future[T]":
        """Let something happen at the phones, meanwhile."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def come(self, url: str, language: str = "en", theme: str = "light") -> Phone:
        """Another phone scans the code."""
        from playwright.async_api import async_playwright

        if self._browser is None:
            self._playwright = await async_playwright().start()
            self._browser = await self._playwright.chromium.launch(
                executable_path=CHROMIUM, args=FLAGS
            )
        phone = await another_phone(self._browser, UPRIGHT, language, theme)
        await phone.open(url)
        self.phones.append(phone)
        return phone

    async def show_hands(self) -> list[bytes]:
        """Take up a card on the asked phone; return pictures of that phone, and of another."""
        asked = [phone for phone in self.phones if await phone.page.locator(".card.can").count()]
        phone = asked[0]
        # no tap: on a busy machine it lasts, and is taken for a long press, which enlarges a card
        await phone.page.locator(".card.can").first.evaluate("(card) => card.click()")
        await phone.page.wait_for_selector("[data-do=cancel]")
        other = next(each for each in self.phones if each is not phone)
        shown = []
        for each in (phone, other):
            await each.page.wait_for_function(LOADED)
            shown.append(await each.page.screenshot())
        await phone.tap("[data-do=cancel]")
        return shown

    async def play(self, until: Callable[[], bool]) -> None:
        """All play at random, to the score sheet or until this is so."""
        await play_out(self.phones, until=until)

    async def _close(self) -> None:
        if self._browser is not None:
            await self._browser.close()
            await self._playwright.stop()

    def close(self, wait: Callable[["Future[None]"], None]) -> None:
        """They go; `wait` waits for a future while the window lives on."""
        wait(self.run(self._close()))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
