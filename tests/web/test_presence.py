"""The presence of a phone's user: theirs, and not the gateway's."""

import asyncio
from pathlib import Path

import pytest

from tabletop.web.browser_presence import PresenceTiming
from tests.net.loopback import Friend, plan
from tests.web.gateways import Browser, seat_all, web_table

FOREVER_S = 3600.0
NO_GRACE = PresenceTiming(sleep_grace_s=0.01, close_grace_s=0.01)
LONG_GRACE = PresenceTiming(sleep_grace_s=FOREVER_S, close_grace_s=FOREVER_S)


def state(owner: Friend, seat: int = 0) -> str:
    return owner.guest.info.sitters[seat].state


async def test_a_closed_page_in_the_lobby_is_no_longer_ready(tmp_path: Path) -> None:
    async with web_table(tmp_path, plan("sun", 2), presence=LONG_GRACE) as (_, owner, made):
        one = await Browser(made.port, code=owner.code).start()
        await one.sit(0)
        await owner.until(lambda: state(owner) == "ready")
        await one.close_page()
        await owner.until(lambda: state(owner) == "away")
        async with Browser(made.port, code=owner.code) as two:
            await two.sit(1)
            await owner.until(lambda: state(owner, 1) == "ready")
            owner.guest.start()
            await owner.until(lambda: any(each.of == "start" for each in owner.refused))
            async with Browser(made.port, token=one.token):
                await owner.until(lambda: state(owner) == "ready")
                owner.guest.start()
                await owner.until(lambda: owner.guest.info.phase == "playing")


async def test_an_unattended_table_waits_for_a_closed_phone(tmp_path: Path) -> None:
    table = plan("sun", 2, unattended=True)
    async with web_table(tmp_path, table, presence=LONG_GRACE) as (_, owner, made):
        one = await Browser(made.port, code=owner.code).start()
        await one.sit(0)
        await owner.until(lambda: state(owner) == "ready")
        await one.close_page()
        await owner.until(lambda: state(owner) == "away")
        async with Browser(made.port, code=owner.code) as two:
            await two.sit(1)
            await owner.until(lambda: state(owner, 1) == "ready")
            assert owner.guest.info.phase == "gathering"
            async with Browser(made.port, token=one.token):
                await owner.until(lambda: owner.guest.info.phase == "playing")


@pytest.mark.parametrize("closed", [True, False])
async def test_a_match_pauses_until_the_phone_is_back(closed: bool, tmp_path: Path) -> None:
    async with web_table(tmp_path, plan("sun", 2), presence=NO_GRACE) as (_, owner, made):
        one = await Browser(made.port, code=owner.code).start()
        async with Browser(made.port, code=owner.code) as two:
            await seat_all(owner, one, two)
            await (one.close_page() if closed else one.fall_asleep())
            await owner.until(lambda: owner.guest.info.pause is not None)
            assert owner.guest.info.pause.seats == (0,)
            async with Browser(made.port, token=one.token) as back:
                await owner.until(lambda: owner.guest.info.pause is None)
                await back.until(lambda: back.page)


async def test_a_screen_that_sleeps_keeps_ready_for_a_while(tmp_path: Path) -> None:
    async with web_table(tmp_path, plan("sun", 2), presence=LONG_GRACE) as (_, owner, made):
        one = await Browser(made.port, code=owner.code).start()
        await one.sit(0)
        await owner.until(lambda: state(owner) == "ready")
        (session,) = made.sessions._sessions
        await one.fall_asleep()
        while session.presence.state != "unseen":
            await asyncio.sleep(0.01)
        session.presence._on_gone()
        await owner.until(lambda: state(owner) == "away")


async def test_a_rematch_does_not_start_with_a_phone_that_has_gone(tmp_path: Path) -> None:
    async with web_table(tmp_path, plan("sun", 2), presence=NO_GRACE) as (_, owner, made):
        one = await Browser(made.port, code=owner.code).start()
        async with Browser(made.port, code=owner.code) as two:
            await seat_all(owner, one, two)
            await two.ask("concede")
            await one.until(lambda: one.page["phase"] == "over")
            await one.ask("again")
            await one.close_page()
            await owner.until(lambda: state(owner) == "away")
            owner.guest.gather_for_rematch()
            await owner.until(lambda: owner.guest.info.phase == "gathering")
            (session,) = (s for s in made.sessions._sessions if not s.screen.attached)
            while session.info.phase != "gathering":
                await asyncio.sleep(0.01)
            assert state(owner) == "away"


async def test_a_player_who_said_they_are_away_stays_away(
    tmp_path: Path,
) -> None:
    async with web_table(tmp_path, plan("sun", 2), presence=NO_GRACE) as (_, owner, made):
        one = await Browser(made.port, code=owner.code).start()
        async with Browser(made.port, code=owner.code) as two:
            await seat_all(owner, one, two)
            await one.ask("away")
            await owner.until(lambda: state(owner) == "away")
            (session,) = (s for s in made.sessions._sessions if s.seat_number == 0)
            await one.close_page()
            while session.presence.state != "gone":
                await asyncio.sleep(0.01)
            async with Browser(made.port, token=one.token) as back:
                await back.until(lambda: back.page)
                await back.ask("weigh", move={"ask": 1, "cards": [], "verb": ""})
                assert state(owner) == "away"
