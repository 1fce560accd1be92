"""The visible part of a phone's page while a move is put together, and how soon its table is
seen."""

import json
import random
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from tests.net.loopback import LONG
from tests.web.browser.fingers import (
    LYING,
    NEXT,
    TABLET,
    TWO_FRAMES,
    UPRIGHT,
    Phone,
    needs_chromium,
    room,
)

HIDDEN = """() => {
  const foot = document.querySelector(".foot").getBoundingClientRect();
  return [...document.querySelectorAll(".panel .card")].map((card) => card.getBoundingClientRect())
    .filter((box) => box.top < 0 || box.bottom > foot.top + 1 || box.right > innerWidth)
    .map((box) => [box.top, box.bottom, foot.top]);
}"""
"""The cards of the hand that are not wholly above the foot."""
CUT = """() => {
  const prompt = document.querySelector(".prompt").getBoundingClientRect();
  return [...document.querySelectorAll(".options button")]
    .filter((one) => {
      const box = one.getBoundingClientRect();
      const outside = box.left < prompt.left || box.right > prompt.right;
      return outside || one.scrollWidth > one.clientWidth;
    }).map((one) => one.textContent);
}"""
"""The choices that go beyond the prompt on either side."""
SEEN = """() => {
  const seen = (one) => {
    const box = one.getBoundingClientRect();
    let [top, bottom] = [Math.max(0, box.top), Math.min(innerHeight, box.bottom)];
    for (let at = one.parentElement; at; at = at.parentElement) {
      if (getComputedStyle(at).overflowY === "visible") continue;
      const { top: above, bottom: below } = at.getBoundingClientRect();
      [top, bottom] = [Math.max(top, above), Math.min(bottom, below)];
    }
    return Math.max(0, bottom - top) / box.height;
  };
  for (const one of document.querySelectorAll(".hand, .talk, .zones")) one.scrollTop = 0;
  const shares = (name) => [...document.querySelectorAll(name)].map(seen);
  const prompt = document.querySelector(".talk").getBoundingClientRect();
  const hand = document.querySelector(".zones").getBoundingClientRect();
  return {
    hand: shares(".hand .zones .zone:first-child .card"),
    confirm: shares("[data-do=confirm]"),
    gap: hand.height && hand.top >= prompt.bottom ? hand.top - prompt.bottom : 0,
    wide: document.documentElement.scrollWidth > innerWidth,
    tabs: shares(".tabs button"),
    narrow: [...document.querySelectorAll(".prompt h2")]
      .filter((one) => one.clientWidth < 4 * parseFloat(getComputedStyle(one).fontSize)).length,
  };
}"""
"""The shares of the hand's cards and of Confirm that are in sight, and the gap above the hand."""
SCROLLED = """() => {
  const talk = document.querySelector(".talk");
  Object.assign(talk.style, { minHeight: "0", maxHeight: "30px" });
  talk.scrollTop = 1000;
  return [document.querySelector(".prompt h2").textContent, talk.scrollTop];
}"""
"""Leaves what is said one line of room, and scrolls to its end; gives the question, and how far."""
AT_THE_TOP = """(asked) => document.querySelector(".prompt h2").textContent !== asked
  && document.querySelector(".talk").scrollTop === 0"""
LEFT_BY_BARS = (
    *((375, 553), (360, 560), (390, 664), (393, 659), (412, 732)),
    *((844, 340), (667, 331), (568, 232), (422, 195), TABLET),
)
"""What the bars of phones' browsers leave of their screens: of an SE, small Androids, an iPhone 12
and 15, a Pixel; of some of them lying, the last with a keyboard or half a screen; of a tablet."""
STRIPS = """() => {
  const cards = [...document.querySelectorAll(".hand .zone:first-child .card")];
  const boxes = cards.map((card) => card.querySelector("img").getBoundingClientRect());
  const visible = (box, next) => (next && next.top < box.bottom ? next.left - box.left : box.width);
  return boxes.map((box, at) => visible(box, boxes[at + 1]) / box.width);
}"""
"""The visible share of the width of each card in hand."""
GAMES = ("sun", "sisters", "chains", "awss", "royale")
STEPS = 60 if LONG else 6
NEXT_CHOICE = ".options button:not([aria-pressed=true])"


async def put_together(phone: Phone) -> None:
    """Pick a card and choose until a move can be confirmed."""
    await phone.page.wait_for_selector(".card.can")
    await phone.tap(".card.can")
    while not await phone.page.locator("[data-do=confirm]").count():
        await phone.tap(NEXT_CHOICE)


@pytest.mark.parametrize(("game", "size"), [("sisters", UPRIGHT), ("sun", LYING)])
async def test_the_hand_stays_in_sight_above_confirm(
    game: str, size: tuple[int, int], tmp_path: Path, qapp: QApplication
) -> None:
    needs_chromium()
    async with room(tmp_path, game, 2, bots=1) as here:
        phone = await here.phone(size, "en")
        await here.seat_all([phone])
        await put_together(phone)
        assert await phone.page.evaluate(HIDDEN) == []
        assert await phone.page.locator(".card.on").count() == 1
        assert await phone.page.locator(".foot .sentence").inner_text()
        if size == LYING:
            assert await phone.page.locator(NEXT_CHOICE).count() > 1
            assert await phone.page.evaluate(CUT) == []


async def test_no_card_in_hand_covers_the_next_ones_number(
    tmp_path: Path, qapp: QApplication
) -> None:
    needs_chromium()
    async with room(tmp_path, "sun", 2, bots=1) as here:
        phone = await here.phone(UPRIGHT, "en")
        await here.seat_all([phone])
        await phone.page.wait_for_selector(".card.can")
        for width, height in (UPRIGHT, (430, 932), TABLET, *LEFT_BY_BARS[1:5]):
            await phone.page.set_viewport_size({"width": width, "height": height})
            await phone.page.evaluate(TWO_FRAMES)
            strips = await phone.page.evaluate(STRIPS)
            assert len(strips) == 6
            assert min(strips) >= 0.71, (width, height)
        phone.errors_meanwhile()


async def in_sight(
    phone: Phone, percent: int, sizes: Collection[tuple[int, int]] = LEFT_BY_BARS
) -> None:
    """The hand's upper half and Confirm are, at all sizes, and at once."""
    page = phone.page
    await page.evaluate(f"() => {{ document.documentElement.style.fontSize = '{percent}%'; }}")
    for width, height in sizes:
        await page.set_viewport_size({"width": width, "height": height})
        await page.evaluate(TWO_FRAMES)
        seen, at = await page.evaluate(SEEN), f"{width}x{height} at {percent}%"
        assert all(share > 0.5 for share in seen["hand"][:1]), f"{at}: {seen}"
        assert all(share > 0.95 for share in seen["confirm"]), f"{at}: {seen}"
        assert seen["gap"] < 60, f"{at}: {seen}"
        assert not seen["wide"], at
        assert all(share > 0.9 for share in seen["tabs"]), f"{at}: {seen}"
        assert not seen["narrow"], f"{at}: words of the question are broken"
    await page.evaluate("() => { document.documentElement.style.fontSize = ''; }")
    await page.set_viewport_size({"width": UPRIGHT[0], "height": UPRIGHT[1]})


@pytest.mark.parametrize("game", GAMES if LONG else ["royale", "sisters"])
async def test_hand_and_confirm_are_in_sight_at_real_sizes(
    game: str, tmp_path: Path, qapp: QApplication
) -> None:
    """With a move ready, nothing of the hand was, on an iPhone under Safari's bars."""
    needs_chromium()
    seats, chance = (3 if game == "awss" else 2), random.Random(3)
    async with room(tmp_path, game, seats, bots=seats - 1) as here:
        phone = await here.phone(UPRIGHT, "en")
        await here.seat_all([phone])
        await phone.page.wait_for_selector(".prompt.active")
        for _ in range(STEPS):
            await in_sight(phone, 100)
            await in_sight(phone, 200, LEFT_BY_BARS if LONG else LEFT_BY_BARS[::2])
            tap = await phone.page.evaluate(NEXT, chance.random())
            if tap == "over":
                break
            await phone.page.touchscreen.tap(*tap)
        phone.errors_meanwhile()


@pytest.mark.parametrize("game", GAMES if LONG else ["royale"])
async def test_no_phone_that_is_known_hides_the_hand(
    game: str, tmp_path: Path, qapp: QApplication
) -> None:
    """The sizes of Playwright's devices, which are those of pages and not of screens."""
    from playwright.async_api import async_playwright

    needs_chromium()
    seats = 3 if game == "awss" else 2
    async with room(tmp_path, game, seats, bots=seats - 1) as here, async_playwright() as devices:
        known = [device for device in devices.devices.values() if device["is_mobile"]]
        sizes = {(each["viewport"]["width"], each["viewport"]["height"]) for each in known}
        some = sorted(sizes)[:: 1 if LONG else 8]
        assert len(sizes) > 50
        phone = await here.phone(UPRIGHT, "en")
        await here.seat_all([phone])
        await phone.page.wait_for_selector(".prompt.active")
        await in_sight(phone, 100, some)
        while not await phone.page.locator("[data-do=confirm]").count():
            await phone.page.touchscreen.tap(*await phone.page.evaluate(NEXT, 0))
            await phone.page.evaluate(TWO_FRAMES)
        await in_sight(phone, 100, some)
        phone.errors_meanwhile()


async def test_a_new_question_is_seen_from_its_first_line(
    tmp_path: Path, qapp: QApplication
) -> None:
    """What was said before it stayed scrolled down, and hid the line."""
    needs_chromium()
    async with room(tmp_path, "royale", 2, bots=1) as here:
        phone = await here.phone(LEFT_BY_BARS[0], "ja")
        await here.seat_all([phone])
        await phone.page.wait_for_selector(".foot [data-do=act]")
        asked, scrolled = await phone.page.evaluate(SCROLLED)
        assert scrolled > 0
        await phone.tap(".foot [data-do=act]")
        await phone.page.wait_for_function(AT_THE_TOP, arg=asked)


async def test_a_picture_that_gave_way_opens_large(tmp_path: Path, qapp: QApplication) -> None:
    """At 375x553 *+* enlarged a picture that was not there."""
    needs_chromium()
    async with room(tmp_path, "royale", 2, bots=1) as here:
        phone = await here.phone(LEFT_BY_BARS[0], "en")
        await here.seat_all([phone])
        await phone.page.wait_for_selector(".foot button")
        await phone.page.wait_for_selector(".frame canvas", state="attached")
        assert not await phone.page.locator(".frame canvas").is_visible()
        await phone.tap("[data-do=near]")
        await phone.page.wait_for_selector(".panel.table .frame canvas")


async def test_the_tables_picture_is_ordered_before_the_page(
    tmp_path: Path, qapp: QApplication
) -> None:
    needs_chromium()
    async with room(tmp_path, "sun", 2, bots=1) as here:
        phone = await here.phone()
        lines: list[list[str]] = []

        def listen(socket: Any) -> None:
            line: list[str] = []
            lines.append(line)
            socket.on("framesent", lambda frame: line.append(json.loads(frame)["kind"]))
            socket.on("framereceived", lambda frame: line.append(json.loads(frame)["kind"]))

        phone.page.on("websocket", listen)
        await here.seat_all([phone])
        await phone.page.wait_for_selector(".frame canvas")
        await phone.page.reload()
        await phone.page.wait_for_selector(".frame canvas")
        for line in lines:
            assert line.index("look") < line.index("page") < line.index("picture")
            assert line[: line.index("picture")].count("look") == 1


async def test_a_lobby_named_as_its_game_names_it_once(tmp_path: Path, qapp: QApplication) -> None:
    needs_chromium()
    async with room(tmp_path, "sun", 2, name="Children of the Sun") as here:
        phone = await here.phone()
        await phone.open(here.url)
        lead = await phone.page.locator(".lobby .lead").inner_text()
        assert lead.count("Children of the Sun") == 1
