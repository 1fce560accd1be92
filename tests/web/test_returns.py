"""Browsers come back: from a dark telephone, a reload, another one, a gateway that was killed."""

import asyncio
from pathlib import Path

import pytest

from tabletop.engine.model import Reason
from tests.net.loopback import LONG, hosting, plan
from tests.web import thumb
from tests.web.gateway_process import begun
from tests.web.gateways import Browser, gateway, opened, play_out, seat_all, started, web_table

KILLS, PLIES = (40, 100_000) if LONG else (2, 40)
"""The number of kills of the gateway, and of moves at most."""


async def test_a_killed_gateway_costs_nobody_a_question(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, opened(host, plan("awss", 3)) as owner:
        there = host.port, host.certificate.fingerprint
        process, port = await asyncio.to_thread(begun, *there)
        code = owner.code
        browsers = [Browser(port, code=code) for _ in range(3)]
        try:
            for seat, browser in enumerate(browsers):
                await browser.start()
                await browser.sit(seat)
            await started(owner)
            await asyncio.gather(*(b.until(lambda b=b: b.asked) for b in browsers))
            for _ in range(KILLS):
                moves = [browser.play() for browser in browsers]
                lines = [browser.lines for browser in browsers]
                process.kill()
                await asyncio.to_thread(process.wait)
                before = [browser.pages for browser in browsers]
                process, _ = await asyncio.to_thread(begun, *there, port)
                for browser, line, pages in zip(browsers, lines, before, strict=True):
                    await browser.until(lambda b=browser, n=line: b.lines > n)
                    await browser.until(lambda b=browser, n=pages: b.pages > n)
                done = [browser for browser, move in zip(browsers, moves, strict=True) if move]
                for browser in done:
                    await browser.until(lambda b=browser: not b.unanswered)
            (hosted,) = host.hosted_tables.values()
            match = hosted.hosted_match.match
            await play_out(browsers, lambda: match.state.ply >= PLIES)
            for seat, browser in enumerate(browsers):
                assert browser.page.get("seat", 0) == seat
                assert (browser.page["verdict"] or {"good": True})["good"]
                if LONG:
                    totals = [str(points) for points in match.state.result.scores]
                    assert browser.page["result"]["totals"] == totals
            assert LONG or match.state.ply >= PLIES
        finally:
            for browser in browsers:
                await browser.stop()
            process.kill()
            await asyncio.to_thread(process.wait)


async def test_the_same_answer_sent_twice_counts_once(tmp_path: Path) -> None:
    async with (
        web_table(tmp_path, plan("awss", 3, bots=1)) as (host, owner, made),
        Browser(made.port, code=owner.code) as one,
        Browser(made.port, code=owner.code) as two,
    ):
        await seat_all(owner, one, two)
        await one.until(lambda: one.asked)
        (hosted,) = host.hosted_tables.values()
        match = hosted.hosted_match.match
        move = next(thumb.answers(one.page))
        sent = {"id": "the same answer", "move": move}
        first = one.send("move", **sent)
        second = one.send("move", **sent)
        third = one.send("move", **sent, again=True)
        for answer in (first, second, third):
            told = await asyncio.wait_for(answer, 30)
            assert told.get("taken"), told
        played = [e for e in match.record if getattr(e, "seat", None) == 0]
        assert len(played) == 1
        again = await one.ask("move", id="another answer", move=move)
        assert not again["taken"]
        assert again["text"]


async def test_a_gateway_that_stops_says_so_and_the_seat_waits(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, opened(host, plan("sun", 2)) as owner:
        code = owner.code
        async with gateway(host) as made:
            port = made.port
            one = await Browser(port, code=code).start()
            await one.sit(0)
        assert any(told["kind"] == "bye" and told["again"] for told in one.heard)
        await owner.until(lambda: owner.guest.info.sitters[0].state == "away")
        async with gateway(host, port):
            await one.until(lambda: one.lines > 1 and one.lobby)
            assert one.lobby["me"] == 0
            await owner.until(lambda: owner.guest.info.sitters[0].state == "ready")
        await one.stop()


@pytest.mark.parametrize("token", ["x", "a.b.c", "t.0.s", "t.999.s", "🂡", "." * 300])
async def test_a_token_that_opens_nothing_leads_to_the_door(token: str, tmp_path: Path) -> None:
    async with (
        hosting(tmp_path) as host,
        gateway(host) as made,
        Browser(made.port, token=token) as one,
    ):
        await one.until(lambda: one.door)


async def test_late_messages_show_no_page_to_a_phone_that_left(tmp_path: Path) -> None:
    async with web_table(tmp_path, plan("sun", 2)) as (_, owner, made):
        info = owner.guest.info
        async with Browser(made.port, code=info.code) as phone:
            await phone.sit(0)
            await phone.until(lambda: phone.lobby and phone.lobby["seats"][0]["state"] == "ready")
            (session,) = made.sessions._sessions
            await phone.ask("leave")
            session._hear(info)
            for _ in range(3):
                await asyncio.sleep(0)  # pages are made in a turn of their own
            session.screen.show_notice(Reason("That is all."))
            await phone.until(lambda: phone.notes)
            assert phone.door
            assert phone.lobby is None
            assert not phone.token


async def test_a_new_gateway_still_warns_of_an_unfinished_deal(tmp_path: Path) -> None:
    """The deal is in the token that the browser keeps."""

    async with hosting(tmp_path) as host, opened(host, plan("sun", 2)) as owner:
        code = owner.code
        async with (
            gateway(host) as made,
            Browser(made.port, code=code) as one,
            Browser(made.port, code=code) as two,
        ):
            await seat_all(owner, one, two)
        await owner.until(lambda: owner.guest.info.pause)
        owner.guest.decide("end")
        await owner.until(lambda: owner.guest.info.phase == "over")
        owner.guest.gather_for_rematch()
        async with (
            gateway(host) as made,
            Browser(made.port, token=one.token) as first,
            Browser(made.port, token=two.token) as second,
        ):
            for browser in (first, second):
                await browser.until(lambda browser=browser: browser.lobby)
                browser.send("ready", ready=True)
            await started(owner)
            for browser in (first, second):
                await browser.until(lambda browser=browser: browser.page)
                assert any("deal number 2" in note for note in browser.notes)
            first.send("concede")
            for browser in (first, second):
                await browser.until(lambda browser=browser: browser.page["verdict"])
                assert not browser.page["verdict"]["good"]
                assert "deal number 2" in browser.page["verdict"]["text"]
