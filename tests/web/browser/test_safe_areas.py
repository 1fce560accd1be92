"""The edges of a phone's screen that a notch, round corners or the home indicator cover."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tests.web.browser.fingers import TWO_FRAMES, Phone, needs_chromium, room
from tests.web.gateways import started

UNSAFE = [
    ((390, 844), {"top": 47, "bottom": 34, "left": 0, "right": 0}),
    ((844, 390), {"top": 0, "bottom": 21, "left": 47, "right": 47}),
    ((667, 331), {"top": 24, "bottom": 21, "left": 59, "right": 33}),
]
"""Sizes, and what is covered at each side: of a page on the home screen, upright and lying; the
last is no phone's: it finds a side that was forgotten."""
COVERED = (Path(__file__).parent / "covered.js").read_text(encoding="utf-8")
TOAST = "() => { document.getElementById('toast').className = 'shown'; }"


async def uncovered(phone: Phone, where: str) -> None:
    session = await phone.context.new_cdp_session(phone.page)
    for (width, height), insets in UNSAFE:
        await phone.page.set_viewport_size({"width": width, "height": height})
        await session.send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})
        sides = [insets[side] for side in ("top", "right", "bottom", "left")]
        for percent in (100, 200):
            await phone.page.evaluate(
                f"() => {{ document.documentElement.style.fontSize = '{percent}%'; }}"
            )
            await phone.page.evaluate(TWO_FRAMES)
            found = await phone.page.evaluate(COVERED, sides)
            assert not found, f"{where}, {width}x{height}, {percent}%: {found}"
        await phone.page.evaluate("() => { document.documentElement.style.fontSize = ''; }")
    await session.send("Emulation.setSafeAreaInsetsOverride", {"insets": {}})
    await session.detach()


@pytest.mark.parametrize("game", ["sisters"])
async def test_nothing_is_under_notch_or_home_indicator(
    game: str, tmp_path: Path, qapp: QApplication
) -> None:
    needs_chromium()
    async with room(tmp_path, game, 2, bots=1) as here:
        phone = await here.phone()
        await phone.page.goto(here.url.partition("#")[0])
        await phone.page.wait_for_selector(".alone form")
        await uncovered(phone, "the form for a code")
        await phone.page.goto("about:blank")
        await phone.open(here.url)
        await phone.tap("[data-key=seat0] [data-do=choose]")
        await uncovered(phone, "the lobby")
        await phone.tap("[data-key=seat0] [data-do=choose]")
        await phone.sit(0, "Ann")
        await started(here.owner)
        await phone.page.wait_for_selector(".prompt.active")
        await phone.tap(".card.can")
        for view in ("table", "log", "score", "rules", "hand"):
            await phone.tap(f"#tab-{view}")
            await phone.page.wait_for_selector(f".panel.{view}")
            await uncovered(phone, view)
        await phone.page.evaluate(TOAST)
        await uncovered(phone, "a notice")
        await phone.tap(".me [data-id=more]")
        await phone.page.wait_for_selector("dialog[open]")
        await uncovered(phone, "the menu")
