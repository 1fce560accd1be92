"""The visible part of a phone's page while a move is put together, and how soon its table is
seen."""

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from tests.web.browser.fingers import LYING, UPRIGHT, Phone, needs_chromium, room

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
NEXT_CHOICE = ".options button:not([aria-pressed=true])"


async def put_together(phone: Phone) -> None:
    """Pick a card and choose until a move can be confirmed."""
    await phone.page.wait_for_selector(".card.can")
    await phone.tap(".card.can")
    while not await phone.page.locator("[data-do=confirm]").count():
        await phone.tap(NEXT_CHOICE)


@pytest.mark.parametrize("game", ["sisters", "sun"])
@pytest.mark.parametrize("size", [UPRIGHT, LYING])
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
