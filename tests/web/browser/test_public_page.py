"""A server's public page in a browser: the list, a replay by buttons and keys, and the way to a
table."""

import os
from pathlib import Path

from PySide6.QtWidgets import QApplication

from tests.net.loopback import LONG, LONGEST, plan, play_out, seated
from tests.server.table_server import table_server
from tests.web.browser.fingers import CHROMIUM, FLAGS, needs_chromium
from tests.web.gateways import gateway
from ui.phones.drawing import QtDrawer
from ui.style.asset_folder import PHONE_PAGE_FOLDER

FITNESS = (Path(__file__).parent / "fitness.js").read_text("utf-8")
LOOKS = (
    ("ja", "dark", 390, 844),
    ("ja", "light", 1280, 800),
    ("en", "dark", 1280, 800),
    ("en", "light", 320, 700),
)
SHOTS = os.environ.get("TABLETOP_SHOTS")
"""A folder for pictures of the page, to be looked at."""
AT = "document.querySelector('input[type=range]').value"


async def test_a_match_is_found_and_watched_step_by_step(
    tmp_path: Path, qapp: QApplication
) -> None:
    needs_chromium()
    from playwright.async_api import Page, async_playwright

    errors: list[str] = []

    async def look(page: Page, name: str) -> None:
        """Nothing is too small, too pale or too wide."""
        assert await page.evaluate(FITNESS) == []
        if SHOTS:
            await page.screenshot(path=f"{SHOTS}/{name}.png", full_page=True)

    async def watched(page: Page, where: str) -> int:
        """Open the list, and its one finished match; gives its last step."""
        await page.goto(f"{where}/tables")
        await page.wait_for_selector("#app:not([hidden])")
        await look(page, "list")
        await page.click("a[href^='/replay/']")
        await page.wait_for_selector(".frame img[src]")
        await look(page, "replay")
        return int(await page.evaluate("document.querySelector('input[type=range]').max"))

    async with (
        table_server(tmp_path) as host,
        gateway(host, public_page=True, static=PHONE_PAGE_FOLDER, drawer=QtDrawer()) as made,
        async_playwright() as playwright,
    ):
        table = plan("sun", 2, listing="open", records="link")
        async with seated(host, table, (0,), (1,)) as friends:
            await play_out(friends)
        where = f"http://127.0.0.1:{made.port}"
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            async with seated(host, plan("sun", 2, listing="open"), (0,), (1,)):
                for language, theme, wide, high in LOOKS if LONG else LOOKS[:1]:
                    context = await browser.new_context(
                        locale=language,
                        color_scheme=theme,
                        viewport={"width": wide, "height": high},
                    )
                    context.set_default_timeout(LONGEST * 1000)
                    page = await context.new_page()
                    page.on("pageerror", lambda error: errors.append(str(error)))
                    page.on("console", lambda said: errors.append(said.text))
                    last = await watched(page, where)
                    assert await page.evaluate("document.documentElement.lang") == language
                    for key, at in (("ArrowRight", 1), ("End", last), ("ArrowLeft", last - 1)):
                        await page.keyboard.press(key)
                        assert int(await page.evaluate(AT)) == at
                    await page.keyboard.press("End")
                    await page.wait_for_selector(".players.over")
                    await page.click(".steps button:first-child")
                    assert int(await page.evaluate(AT)) == 0
                    for _ in range(2):
                        await page.keyboard.press("Control+ArrowRight")
                    assert int(await page.evaluate(AT)) > 1
                    await page.click(".steps .primary")
                    before = int(await page.evaluate(AT))
                    await page.wait_for_function(f"() => Number({AT}) > {before}")
                    await page.select_option("select", "audience")
                    await page.wait_for_function(
                        "() => document.activeElement.tagName === 'SELECT'"
                    )
                    for details in await page.locator("details").all():
                        await details.evaluate("one => { one.open = true; }")
                    await look(page, f"{language}-{theme}-{wide}")
                    await page.click("a.back")
                    await page.click("a[href^='/#watch:']")
                    await page.wait_for_selector("#tab-table")
                    await context.close()
        finally:
            await browser.close()
    assert errors == []
