"""The table's picture on a phone: made of what changed, it shows what a whole one shows."""

import asyncio
import base64
from pathlib import Path
from typing import Any

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from tabletop.engine.scratch import FastRng
from tabletop.studio.laws.random_games import random_answer
from tests.web.browser.fingers import Room, needs_chromium, room

MOVES = 8
FETCHED = """() => performance.getEntriesByType("resource")
  .filter((one) => one.name.includes("/picture/")).length"""
SHOWN = "() => document.querySelector('.frame canvas')?.toDataURL() || ''"


async def test_cells_over_a_picture_match_a_whole_one(tmp_path: Path, qapp: QApplication) -> None:
    needs_chromium()
    async with room(tmp_path, "sun", 2) as here:
        phones = [await here.phone(), await here.phone()]
        await here.seat_all(phones)
        page = phones[0].page
        await page.wait_for_selector(".frame canvas")
        for number in range(MOVES):
            await moved(here, page, number)
        composed = await settled(page)

        # a picture that cannot be fetched is requested again, whole
        await page.route("**/picture/*", lambda route: route.abort(), times=1)
        await moved(here, page, MOVES)
        mended = await settled(page)
        assert mended != composed
        phones[0].errors_meanwhile()

        await page.reload()
        await page.wait_for_selector(".frame canvas")
        assert apart(mended, await settled(page)) < 2


async def moved(here: Room, page: Any, number: int) -> None:
    """A move is made, and the phone fetches what came of it."""
    fetched, match = await page.evaluate(FETCHED), here.hosted.hosted_match.match
    ask, move = random_answer(match.kit.rules, match.state, FastRng(f"picture {number}"))
    here.hosted.hosted_match.play(ask.seat, move)
    while await page.evaluate(FETCHED) == fetched:
        await asyncio.sleep(0.05)


async def settled(page: Any) -> str:
    """The picture on the canvas once it is the same for a second."""
    before, now = "", await page.evaluate(SHOWN)
    while before != now or not now:
        await asyncio.sleep(1)
        before, now = now, await page.evaluate(SHOWN)
    return str(now)


def apart(one: str, other: str) -> float:
    """The average difference of two pictures, from 0 to 255; of every seventh byte."""
    images = [QImage.fromData(base64.b64decode(each.partition(",")[2])) for each in (one, other)]
    assert images[0].size() == images[1].size()
    bits = [
        bytes(each.convertToFormat(QImage.Format.Format_RGB888).constBits())[::7] for each in images
    ]
    return sum(abs(a - b) for a, b in zip(*bits, strict=True)) / len(bits[0])
