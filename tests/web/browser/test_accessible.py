"""Every screen of the page, for a thumb, a screen reader, weak eyes: named, large, plain, whole."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from tests.net.loopback import LONG
from tests.web.browser.fingers import (
    LYING,
    TABLET,
    TWO_FRAMES,
    UPRIGHT,
    Phone,
    needs_chromium,
    room,
)

FITNESS = (Path(__file__).parent / "fitness.js").read_text(encoding="utf-8")
CONTROLS = {"button", "tab", "textbox", "link", "radio", "checkbox"}
LARGE_PRINT = "() => { document.documentElement.style.fontSize = '200%'; }"


async def faults(phone: Phone) -> list[str]:
    await phone.page.evaluate(TWO_FRAMES)
    found = list(await phone.page.evaluate(FITNESS))
    session = await phone.context.new_cdp_session(phone.page)
    tree = await session.send("Accessibility.getFullAXTree")
    await session.detach()
    for node in tree["nodes"]:
        role = node.get("role", {}).get("value")
        if role in CONTROLS and not node.get("ignored") and not _name(node):
            found.append(f"no name: {role} {node.get('backendDOMNodeId')}")
    return found


def _name(node: dict[str, Any]) -> str:
    return str(node.get("name", {}).get("value", "")).strip()


async def walk(phone: Phone) -> dict[str, list[str]]:
    """Go through all views of a running match; the faults of each."""
    found = {"hand": await faults(phone)}
    if await phone.page.locator(".card.can").count():
        await phone.tap(".card.can")
        found["picked"] = await faults(phone)
    for view in ("table", "log", "score", "rules", "hand"):
        await phone.tap(f"#tab-{view}")
        await phone.page.wait_for_selector(f".panel.{view}")
        found[view] = await faults(phone)
    await phone.tap(".me [data-id=more]")
    await phone.page.wait_for_selector("dialog[open]")
    found["more"] = await faults(phone)
    await phone.tap("dialog [data-do=close]")
    return {view: wrong for view, wrong in found.items() if wrong}


@pytest.mark.parametrize("game", ["royale", "sun"] if LONG else ["sun"])
async def test_every_screen_is_fit_for_thumbs_and_readers(
    game: str, tmp_path: Path, qapp: QApplication
) -> None:
    needs_chromium()
    async with room(tmp_path, game, 2) as here:
        phones = [
            await here.phone(UPRIGHT, "ja", "light"),
            await here.phone(LYING, "en", "dark"),
        ]
        for seat, phone in enumerate(phones):
            await phone.open(here.url)
            assert await faults(phone) == []
            await phone.tap(f"[data-key=seat{seat}] [data-do=choose]")
            assert await faults(phone) == []
            await phone.tap(f"[data-key=seat{seat}] [data-do=choose]")
        await here.seat_all(phones)
        for phone in phones:
            assert await walk(phone) == {}
            await phone.page.set_viewport_size({"width": TABLET[0], "height": TABLET[1]})
            assert await walk(phone) == {}


async def test_twice_the_letter_size_hides_nothing(tmp_path: Path, qapp: QApplication) -> None:
    needs_chromium()
    async with room(tmp_path, "royale", 2) as here:
        phones = [await here.phone(UPRIGHT, "en"), await here.phone(UPRIGHT, "ja")]
        await here.seat_all(phones)
        for phone in phones:
            await phone.page.evaluate(LARGE_PRINT)
            assert await walk(phone) == {}
