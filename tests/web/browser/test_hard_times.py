"""A page under which something gives way: no pictures, no module, a code of another table."""

import asyncio
import json
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QApplication

from tests.net.loopback import plan
from tests.web.browser.fingers import needs_chromium, room
from tests.web.gateways import opened


async def test_without_pictures_the_table_is_told_in_words(
    tmp_path: Path, qapp: QApplication
) -> None:
    """A picture that could not be fetched made 150 messages in two seconds, and a farewell."""
    needs_chromium()
    async with room(tmp_path, "sun", 2, bots=1) as here:
        phone = await here.phone()
        looks: list[str] = []

        def listen(socket: Any) -> None:
            socket.on("framesent", lambda frame: '"look"' in frame and looks.append(frame))

        phone.page.on("websocket", listen)
        await phone.page.route("**/picture/*", lambda route: route.fulfill(status=429))
        await phone.page.route("**/face/*", lambda route: route.fulfill(status=429))
        await here.seat_all([phone])
        told = phone.page.locator(".frame.told")
        await told.wait_for()
        assert (await told.inner_text()).strip()
        fourth = asyncio.ensure_future(until(lambda: len(looks) >= 4))
        await phone.page.wait_for_selector(".card img[alt]:not([alt=''])")
        await fourth
        assert not await phone.page.locator(".alone").count()
        assert len(looks) < 12
        await phone.page.unroute("**/picture/*")
        await phone.page.unroute("**/face/*")
        await phone.page.wait_for_selector(".frame canvas")
        await phone.page.wait_for_selector(".card img[alt='']")
        phone.errors_meanwhile()


async def until(true: Any) -> None:
    while not true():
        await asyncio.sleep(0.01)


async def test_a_page_that_cannot_start_says_so(tmp_path: Path, qapp: QApplication) -> None:
    """An eternal sign of the table was all that older browsers showed."""
    needs_chromium()
    too_young = "const at = (;"
    no_modules = "delete HTMLScriptElement.prototype.noModule"
    async with room(tmp_path, "sun", 2) as here:
        for language, said in (("en", "Safari 14"), ("ja", "ブラウザ")):
            for way in ("syntax", "modules"):
                phone = await here.phone(language=language)
                if way == "syntax":
                    await phone.page.route(
                        "**/app.js",
                        lambda route: route.fulfill(body=too_young, content_type="text/javascript"),
                    )
                else:
                    await phone.page.add_init_script(no_modules)
                    await phone.page.route("**/app.js", lambda route: route.abort())
                await phone.page.goto(here.url)
                await phone.page.get_by_text(said).wait_for()
                phone.errors_meanwhile()


async def test_a_mistake_of_the_page_is_a_reload(tmp_path: Path, qapp: QApplication) -> None:
    needs_chromium()
    async with room(tmp_path, "sun", 2, bots=1) as here:
        phone = await here.phone()
        await phone.page.add_init_script("""
          const send = WebSocket.prototype.send;
          WebSocket.prototype.send = function (data) {
            send.call(this, window.wrong ? data.replace('"kind"', '"kin"') : data);
          };
        """)
        await here.seat_all([phone])
        await phone.page.evaluate("() => { window.wrong = true; }")
        await phone.tap("#tab-log")
        await phone.page.locator("h1").get_by_text("Load it again").wait_for()
        await phone.tap("[data-do=begin]")
        await phone.page.wait_for_selector(".prompt")


async def test_a_scanned_code_leads_to_its_own_table(tmp_path: Path, qapp: QApplication) -> None:
    """A phone that sat at one table saw it again, whatever it scanned."""
    needs_chromium()
    async with (
        room(tmp_path, "sun", 2) as here,
        opened(here.host, plan("awss", 3)) as other,
    ):
        phone = await here.phone()
        seats = phone.page.locator(".seat")
        await phone.open(here.url)
        await phone.sit(0, "Ann")
        await phone.page.goto("about:blank")
        await phone.open(f"{here.url.partition('#')[0]}#{other.code}")
        assert await seats.count() == 3
        await phone.page.reload()
        await phone.page.wait_for_selector(".lobby")
        assert await seats.count() == 3
        assert phone.page.url.endswith(other.code), "another browser finds it there"
        await phone.sit(1, "Ann")
        await phone.page.reload()
        await phone.page.wait_for_selector(".seat.mine")
        assert await seats.count() == 3
        await phone.page.goto("about:blank")
        await phone.open(here.url)
        assert await seats.count() == 2


async def test_the_second_evening_comes_by_its_own_code(tmp_path: Path, qapp: QApplication) -> None:
    """The table was gone, and a form asked for the code that was just scanned."""
    needs_chromium()
    async with room(tmp_path, "sun", 2) as here:
        phone = await here.phone()
        await phone.page.add_init_script(
            'localStorage.setItem("tabletop.token", "gonegone.0.secretsecret")'
        )
        await phone.open(here.url)
        assert await phone.page.locator(".seat").count() == 2


LOCKS = """
  window.locks = 0;
  const lock = () => ({ release: async () => { window.locks -= 1; } });
  const request = async () => { window.locks += 1; return lock(); };
  Object.defineProperty(navigator, "wakeLock", { value: { request } });
  delete Navigator.prototype.vibrate;
"""


async def test_the_screen_stays_on_while_a_match_runs(tmp_path: Path, qapp: QApplication) -> None:
    needs_chromium()
    async with room(tmp_path, "sun", 2, bots=1) as here:
        phone = await here.phone()
        await phone.page.add_init_script(LOCKS)
        await here.seat_all([phone])
        await phone.page.wait_for_function("() => window.locks === 1")
        await phone.page.wait_for_selector(".me.turn .who")
        await phone.tap(".me [data-id=more]")
        await phone.page.wait_for_selector("dialog[open] [data-do=wish]")
        assert not await phone.page.locator("[data-do=hum]").count(), "it cannot vibrate"
        await phone.tap("dialog [data-do=close]")
        await phone.concede()
        await phone.page.wait_for_function("() => window.locks === 0")


async def test_rules_scroll_by_keys_and_panels_are_no_landmark(
    tmp_path: Path, qapp: QApplication
) -> None:
    needs_chromium()
    async with room(tmp_path, "sun", 2, bots=1) as here:
        phone = await here.phone()
        await here.seat_all([phone])
        assert await phone.page.locator("main > [role=tabpanel]").count() == 1
        assert not await phone.page.locator("main[role]").count()
        await phone.tap("#tab-rules")
        await phone.page.wait_for_selector(".rules article > :nth-child(9)")
        await phone.page.locator("#panel").focus()
        await phone.page.keyboard.press("PageDown")
        await phone.page.wait_for_function("() => document.getElementById('panel').scrollTop > 0")


NO_STORAGE = """
  Object.defineProperty(window, "localStorage", { get() { throw new DOMException("denied"); } });
"""


async def test_a_browser_without_storage_says_what_a_reload_loses(
    tmp_path: Path, qapp: QApplication
) -> None:
    needs_chromium()
    async with room(tmp_path, "sun", 2) as here:
        phone = await here.phone()
        await phone.page.add_init_script(NO_STORAGE)
        await phone.open(here.url)
        await phone.sit(0, "Ann")
        await phone.page.wait_for_selector(".seat.mine")
        told = await phone.page.locator(".lobby").inner_text()
        assert "stores nothing" in told
        code = here.hosted.seats[0].code
        assert code in told
        async with phone.page.expect_websocket() as opening:
            await phone.page.evaluate('dispatchEvent(new Event("online"))')
        socket = await opening.value
        lobby = await socket.wait_for_event("framereceived", lambda frame: '"lobby"' in frame)
        assert json.loads(lobby)["me"] == 0, "the page itself remembers the seat"
        await phone.page.reload()
        await phone.page.wait_for_selector(".lobby")
        assert not await phone.page.locator(".seat.mine").count()
        assert "stores nothing" in await phone.page.locator(".lobby").inner_text()
        await phone.page.locator("[data-key=seat0] [data-do=choose]").tap()
        await phone.page.locator("[name=code]").fill(code)
        await phone.page.locator("[data-form=take] [type=submit]").tap()
        await phone.page.wait_for_selector(".seat.mine")
