"""An error is planted in each piece of a gateway's background work: it is heard."""

import asyncio
from concurrent.futures import Future
from pathlib import Path

import pytest

from tabletop.background.faults import WENT_WRONG
from tabletop.bots.bot_pool import BotPool
from tabletop.bots.decision import Decision, Question
from tabletop.catalogue import catalogue
from tabletop.net.guest.session import Guest
from tabletop.protocol.fairness import UNVERIFIABLE
from tabletop.web.browser_session import BrowserSession
from tabletop.web.drawer import NoDrawer
from tabletop.web.gateway import taps
from tabletop.web.gateway.browser_socket import BrowserSocket
from tests.background.planted import FailsOnce, PlantedError, fail, fail_later, heard
from tests.bots.planned_pools import QuickPool
from tests.net.loopback import plan
from tests.web.gateways import Browser, seat_all, web_table


async def test_a_message_of_a_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected_faults: list[str]
) -> None:
    async with (
        web_table(tmp_path, plan("sun", 2)) as (_, owner, made),
        Browser(made.port, code=owner.code) as browser,
    ):
        await browser.until(lambda: browser.lobby)
        FailsOnce(monkeypatch, taps, "_choose_language")
        said = await browser.ask("language", language="ja")
        assert said["text"] == WENT_WRONG.text
        assert heard(expected_faults)
        browser.send("language", language="ja")
        await browser.until(lambda: browser.lobby["title"] != "Children of the Sun")
        assert browser.lines == 1


async def test_the_socket_of_a_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected_faults: list[str]
) -> None:
    async with web_table(tmp_path, plan("sun", 2)) as (_, owner, made):
        FailsOnce(monkeypatch, BrowserSocket, "_greet")
        async with Browser(made.port, code=owner.code) as browser:
            await browser.until(lambda: browser.lobby)
            assert browser.lines == 2, "the page comes back by itself"
        assert heard(expected_faults)


async def test_a_page_that_cannot_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected_faults: list[str]
) -> None:
    async with (
        web_table(tmp_path, plan("sun", 2)) as (_, owner, made),
        Browser(made.port, code=owner.code) as browser,
    ):
        await browser.until(lambda: browser.lobby)
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(reported)
        FailsOnce(monkeypatch, BrowserSession, "send_page")
        heard_before = len(browser.heard)
        browser.send("sit", seat=0, name="Ann", symbol="")
        await browser.more(heard_before)
        await browser.until(lambda: browser.lobby["me"] == 0)
        assert heard(expected_faults)


def reported(loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
    """Handle an error of a callback as the loops of all programs do."""
    from tabletop.background import tasks

    tasks._report_callback(loop, context)


async def test_the_end_of_a_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected_faults: list[str]
) -> None:
    async with web_table(tmp_path, plan("sun", 2)) as (_, owner, made):
        async with Browser(made.port, code=owner.code) as browser:
            await browser.until(lambda: browser.lobby)
            (session,) = made.sessions._sessions
            monkeypatch.setattr(session, "request_picture", fail)
        async with asyncio.timeout(60):
            while not heard(expected_faults):
                await asyncio.sleep(0.001)
        monkeypatch.undo()
        await session.close()


class FailingDrawer(NoDrawer):
    """A drawer that fails at its first picture."""

    version = "failing"

    def __init__(self) -> None:
        self.drawn = 0

    async def picture(self, *_: object) -> None:
        self.drawn += 1
        await (fail_later() if self.drawn == 1 else asyncio.sleep(0))


async def test_a_picture(tmp_path: Path, expected_faults: list[str]) -> None:
    drawer = FailingDrawer()
    async with (
        web_table(tmp_path, plan("sun", 2, bots=1), drawer=drawer) as (_, owner, made),
        Browser(made.port, code=owner.code) as browser,
    ):
        await seat_all(owner, browser)
        for count, width in enumerate((600, 800), start=1):
            browser.send("look", width=width, height=400, theme="light")
            async with asyncio.timeout(60):
                while drawer.drawn < count:
                    await asyncio.sleep(0.001)
        assert heard(expected_faults)


async def test_a_proof_that_makes_the_judge_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected_faults: list[str]
) -> None:
    async with (
        web_table(tmp_path, plan("sun", 2)) as (_, owner, made),
        Browser(made.port, code=owner.code) as one,
        Browser(made.port, code=owner.code) as two,
    ):
        await seat_all(owner, one, two)
        monkeypatch.setattr(Guest, "check_proof", fail)
        one.send("concede")
        for browser in (one, two):
            await browser.until(lambda browser=browser: browser.page.get("verdict"))
            assert browser.page["verdict"]["text"].startswith(UNVERIFIABLE.reason.text)
        assert heard(expected_faults)


class FailingPool(BotPool):
    """Fails at each question."""

    def submit(self, question: Question) -> Future[Decision]:
        future: Future[Decision] = Future()
        future.set_exception(PlantedError())
        return future


async def test_a_hint(tmp_path: Path) -> None:
    """The pool reports its faults itself."""
    pool = FailingPool(catalogue.load_bot_parts)
    async with (
        web_table(tmp_path, plan("sun", 2, bots=1), bot_pool=pool) as (_, owner, made),
        Browser(made.port, code=owner.code) as one,
    ):
        await seat_all(owner, one)
        await one.until(lambda: one.asked)
        said = await one.ask("hint")
        assert said["text"] == WENT_WRONG.text


async def test_a_hint_that_cannot_be_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected_faults: list[str]
) -> None:
    async with (
        web_table(tmp_path, plan("sun", 2, bots=1), bot_pool=QuickPool()) as (_, owner, made),
        Browser(made.port, code=owner.code) as one,
    ):
        await seat_all(owner, one)
        await one.until(lambda: one.asked)
        monkeypatch.setattr(taps, "describe_second_best", fail)
        said = await one.ask("hint")
        assert said["text"] == WENT_WRONG.text
        assert heard(expected_faults)
