"""One table with a phone of each engine: Safari's, Firefox's and Chrome's, to the score sheet.

`TABLETOP_LONG=1` plays every game to its end, otherwise one until each phone has answered.
"""

import asyncio
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from tests.net.loopback import LONG
from tests.web.browser.engines import Runs, firefox, needs_other_engines, webkit
from tests.web.browser.fingers import NEXT, Phone, needs_chromium, room
from tests.web.gateways import started

SHORT: list[tuple[str, int, dict[str, Any]]] = [("sisters", 3, {})]
WHOLE: list[tuple[str, int, dict[str, Any]]] = [
    ("sun", 2, {}),
    *SHORT,
    ("chains", 3, {}),
    ("awss", 3, {}),
    ("royale", 3, {}),
]
"""Where there are but two seats, the phone of Chrome's engine watches."""
WATCH = """
  window.wrong = [];
  const note = (text) => window.wrong.push(String(text));
  addEventListener("error", (event) => event.message && note(event.message));
  addEventListener("unhandledrejection", (event) => note(event.reason));
  for (const kind of ["error", "warn"]) console[kind] = (...told) => note(told.join(" "));
"""
THERE = """
  const there = async (name) => {
    while (!document.querySelector(name)) await new Promise((then) => setTimeout(then, 20));
    return document.querySelector(name);
  };
"""
SIT = """
  (await there("[data-key=seat%d] [data-do=choose]")).click();
  (await there("#name")).value = "%s";
  (await there("[data-form=sit] [type=submit]")).click();
  await there(".seat.mine");
"""
LOOK_ON = """
  const wishes = [...document.querySelectorAll("[data-do=wish]")];
  wishes.find((one) => one.dataset.id.includes("watch")).click();
"""
TAP = """
  const at = await (%s)(%s);
  if (at === "over") return at;
  document.elementFromPoint(...at).click();
"""


def runs_in(phone: Phone) -> Runs:
    """Chromium, by Playwright."""

    async def run(body: str) -> Any:
        return await phone.page.evaluate(f"async () => {{ {body} }}")

    return run


async def play(run: Runs, chance: random.Random, enough: Callable[[], bool]) -> None:
    """Tap at random what can be tapped, until the score sheet is there or this is so."""
    while not enough():
        if await run(TAP % (NEXT.strip().rstrip(";"), chance.random())) == "over":
            return


@pytest.mark.parametrize(("game", "seats", "more"), WHOLE if LONG else SHORT)
async def test_three_engines_play_at_one_table(
    game: str, seats: int, more: dict[str, Any], tmp_path: Path, qapp: QApplication
) -> None:
    needs_chromium()
    needs_other_engines()
    async with (
        room(tmp_path, game, seats, **more) as here,
        webkit(here.url) as safari,
        firefox(here.url) as fox,
    ):
        phone = await here.phone(language="ja")
        await phone.open(here.url)
        engines = [safari, fox, runs_in(phone)]
        for run in engines:
            await run(WATCH)
        for seat, run in enumerate(engines[:seats]):
            await run(THERE + SIT % (seat, f"Player {seat + 1}"))
        for run in engines[seats:]:
            await run(LOOK_ON)
        await started(here.owner)
        for run in engines:
            await run(THERE + 'await there(".prompt");')
        match = here.hosted.hosted_match.match

        def enough() -> bool:
            answered = {getattr(entry, "seat", None) for entry in match.record}
            return not LONG and answered.issuperset(range(seats))

        # WebDriver runs one script at a time: the others play on until that one's has ended
        until = [enough, *[lambda: False] * (seats - 1)]
        plays = [
            asyncio.ensure_future(play(run, random.Random(seat), until[seat]))
            for seat, run in enumerate(engines[:seats])
        ]
        await plays[0]
        if LONG:
            await asyncio.gather(*plays)
            assert match.state.result is not None
            for run in engines:
                await run(THERE + 'await there(".result"); await there(".verdict.good");')
        for each in plays:
            each.cancel()
        await asyncio.gather(*plays, return_exceptions=True)
        for run in engines:
            assert await run("return JSON.stringify(window.wrong);") == "[]"
