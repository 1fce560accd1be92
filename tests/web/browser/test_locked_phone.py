"""A phone that is locked for an hour in the middle of a match, by a clock nobody waits for."""

import asyncio
import random
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from PySide6.QtWidgets import QApplication

from tabletop.net import limits
from tabletop.table import absences
from tests.net.loopback import Cable, Friend
from tests.web.browser.fingers import Phone, needs_chromium, room
from tests.web.gateways import started

MINUTE, HOUR = 60, 60
TURNS = 100
"""Turns of the loop in which a sign of life is given."""
DARK = """(minutes) => {
  const now = Date.now;
  Date.now = () => now() + 60000 * minutes;
  Object.defineProperty(document, "hidden", { configurable: true, get: () => !minutes });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
"""The page goes dark; or is looked at again, so many minutes later."""


class Clock:
    """The clock of host and gateway: that of the running loop, which can be put forward."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        loop = asyncio.get_running_loop()
        self._ahead, self._real = 0.0, loop.time
        monkeypatch.setattr(loop, "time", self)
        for module in (limits, absences):
            monkeypatch.setattr(module, "monotonic", self)

    def __call__(self) -> float:
        return self._real() + self._ahead

    async def an_hour_passes(self) -> None:
        """Minute by minute: what is due is done."""
        for _ in range(HOUR):
            self._ahead += MINUTE
            for _ in range(TURNS):
                await asyncio.sleep(0)


async def locked_for_an_hour(phone: Phone, cable: Cable, clock: Clock, owner: Friend) -> None:
    """The phone goes dark, out of reach, and comes back, without notice to either end."""

    def state() -> str:
        return owner.guest.info.sitters[0].state if owner.guest.info is not None else ""

    cable.cut()
    await phone.page.evaluate(DARK, 0)
    await clock.an_hour_passes()
    await owner.until(lambda: state() == "away")
    await phone.page.evaluate(DARK, HOUR)
    cable.mend()
    await owner.until(lambda: state() == "here")


def test_a_phone_locked_for_an_hour_is_back_at_the_very_question(
    tmp_path: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def evening() -> None:
        clock = Clock(monkeypatch)
        async with room(tmp_path, "awss", 3, bots=2) as here:
            place = urlsplit(here.url)
            cable = Cable(place.port or 0)
            await cable.start()
            phone = await here.phone()
            await phone.open(f"http://127.0.0.1:{cable.port}/#{place.fragment}")
            await phone.sit(0, "Player 1")
            await started(here.owner)
            await phone.page.wait_for_selector(".prompt.active")
            question, match = await phone.asked(), here.hosted.hosted_match.match

            def answers() -> int:
                return sum(getattr(entry, "seat", None) == 0 for entry in match.record)

            async def until(true: Callable[[], bool]) -> None:
                while not true():
                    await asyncio.sleep(0.01)

            await phone.tap("#tab-log")
            await locked_for_an_hour(phone, cable, clock, here.owner)
            await phone.tap("#tab-log[aria-selected=true]")
            await phone.tap("#tab-hand")
            await phone.page.wait_for_selector(".prompt.active")
            assert await phone.asked() == question
            assert answers() == 0

            # the answer is given as the line is dead already: it is said again, and counts once
            cable.cut()
            tapping = asyncio.ensure_future(phone.play(random.Random(1)))
            await phone.page.wait_for_selector("#app[aria-busy=true]")
            tapping.cancel()
            await asyncio.gather(tapping, return_exceptions=True)
            await locked_for_an_hour(phone, cable, clock, here.owner)
            await phone.page.wait_for_selector("#app[aria-busy=false]")
            await until(lambda: answers() == 1)
            await phone.context.close()
            await cable.close()
            phone.errors_meanwhile()

    needs_chromium()
    asyncio.run(evening())
