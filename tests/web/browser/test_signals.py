"""What a phone does beside showing its page: it calls its player, sorts, and has an icon."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from PySide6.QtWidgets import QApplication

from tests.web.browser.fingers import NEXT, TWO_FRAMES, Phone, needs_chromium, room

SILENT = """
  delete Navigator.prototype.vibrate;
  window.tones = 0;
  const quiet = () => ({ connect() {}, start() { window.tones += 1; }, stop() {}, frequency: {},
    gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} } });
  window.AudioContext = class {
    state = "suspended"; currentTime = 0; createOscillator = quiet; createGain = quiet;
    async resume() { this.state = "running"; }
  };
"""
"""It can't vibrate, and counts the tones it is to sound."""
NOTICES = """
  window.notices = [];
  window.Notification = class {
    static permission = "default";
    static async requestPermission() { return (this.permission = "granted"); }
    constructor(title, { body }) { window.notices.push([title, body]); }
  };
"""
ON_PHONES = """
  const { permission } = Notification;
  window.Notification = class {
    static permission = permission;
    static async requestPermission() { return permission; }
    constructor() { throw new TypeError("Illegal constructor"); }
  };
"""
"""As in Chrome on Android: pages show notices by a worker alone."""
ELSEWHERE = """() => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
  document.dispatchEvent(new Event("visibilitychange"));
  window.requestAnimationFrame = () => 0; // nothing is painted behind another page
  document.title = "";
}"""
ORDER = "() => [...document.querySelectorAll('[data-sorts] .card')].map((one) => one.dataset.id)"


async def choose_in_menu(phone: Phone, deed: str) -> None:
    await phone.tap(".me [data-id=more]")
    await phone.tap(f"dialog [data-do={deed}]")
    await phone.page.wait_for_selector(f"dialog [data-do={deed}][aria-pressed=true]")
    await phone.tap("dialog [data-do=close]")


async def answer(phone: Phone, then: str) -> None:
    """Tap until a move is confirmed; at that tap this happens in the page."""
    while not await phone.page.locator("[data-do=confirm]").count():
        await phone.page.touchscreen.tap(*await phone.page.evaluate(NEXT, 0))
        await phone.page.evaluate(TWO_FRAMES)
    await phone.page.evaluate(f"""() => {{
      document.querySelector("[data-do=confirm]").click();
      ({then})();
    }}""")


async def test_a_phone_that_cannot_vibrate_chimes(tmp_path: Path, qapp: QApplication) -> None:
    needs_chromium()
    async with room(tmp_path, "sun", 2, bots=1) as here:
        phone = await here.phone()
        await phone.page.add_init_script(SILENT)
        await here.seat_all([phone])
        await phone.page.wait_for_selector(".prompt.active")
        await answer(phone, "() => { window.tones = 0; }")
        await phone.page.wait_for_function("() => window.tones === 2")
        await phone.tap(".me [data-id=more]")
        assert not await phone.page.locator("dialog [data-do=hum]").count()
        await phone.tap("dialog [data-do=chime][aria-pressed=true]")
        await phone.page.wait_for_selector("dialog [data-do=chime][aria-pressed=false]")
        await phone.tap("dialog [data-do=close]")
        await phone.page.wait_for_selector(".prompt.active")
        hand = await phone.page.evaluate(ORDER)
        await answer(phone, "() => { window.tones = 0; }")
        await phone.page.wait_for_function(
            f"""() => document.querySelector(".prompt.active")
              && !document.querySelector(".card.on")
              && String(({ORDER})()) !== {",".join(hand)!r}"""
        )
        assert await phone.page.evaluate("() => window.tones") == 0


async def test_a_phone_that_can_vibrate_does(tmp_path: Path, qapp: QApplication) -> None:
    needs_chromium()
    async with room(tmp_path, "sun", 2, bots=1) as here:
        phone = await here.phone()
        await phone.page.add_init_script(
            "window.hums = 0; Navigator.prototype.vibrate = () => { window.hums += 1; };"
        )
        await here.seat_all([phone])
        await phone.page.wait_for_selector(".prompt.active")
        await answer(phone, "() => { window.hums = 0; }")
        await phone.page.wait_for_function("() => window.hums === 1")
        await phone.tap(".me [data-id=more]")
        await phone.page.wait_for_selector("dialog [data-do=hum][aria-pressed=true]")
        assert not await phone.page.locator("dialog [data-do=chime]").count()


async def test_a_turn_is_noticed_behind_another_page(tmp_path: Path, qapp: QApplication) -> None:
    needs_chromium()
    async with room(tmp_path, "sun", 2, bots=1) as here:
        phone = await here.phone()
        await phone.page.add_init_script(NOTICES)
        await here.seat_all([phone])
        await choose_in_menu(phone, "notify")
        await phone.page.wait_for_selector(".prompt.active")
        await answer(phone, ELSEWHERE)
        await phone.page.wait_for_function("() => window.notices.length")
        ((title, body), *_) = await phone.page.evaluate("() => window.notices")
        assert title == "Children of the Sun"
        assert body
        assert "{" not in body
        assert await phone.page.evaluate("() => document.title") == f"● {title}"


async def test_where_pages_cannot_notify_a_worker_does(tmp_path: Path, qapp: QApplication) -> None:
    needs_chromium()
    async with room(tmp_path, "sun", 2, bots=1) as here:
        phone = await here.phone()
        await phone.context.grant_permissions(["notifications"])
        await phone.page.add_init_script(ON_PHONES)
        await here.seat_all([phone])
        await choose_in_menu(phone, "notify")
        await phone.page.wait_for_selector(".prompt.active")
        await answer(phone, ELSEWHERE)
        await phone.page.evaluate("""async () => {
          for (;;) {
            for (const worker of await navigator.serviceWorker.getRegistrations()) {
              if ((await worker.getNotifications()).length) return;
            }
            await new Promise((then) => setTimeout(then, 50));
          }
        }""")


async def drag(phone: Phone, start: tuple[float, float], end: tuple[float, float]) -> None:
    """With a finger."""
    session = await phone.context.new_cdp_session(phone.page)
    (x, y), (dx, dy) = start, (end[0] - start[0], end[1] - start[1])
    way = [(x + dx * n / 6, y + dy * n / 6) for n in range(1, 7)]
    for kind, at in (("touchStart", start), *(("touchMove", place) for place in way)):
        points = [{"x": at[0], "y": at[1]}]
        await session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    await session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    await session.detach()


async def test_a_hand_is_sorted_by_drag(tmp_path: Path, qapp: QApplication) -> None:
    needs_chromium()
    async with room(tmp_path, "sun", 2, bots=1) as here:
        phone = await here.phone()
        await here.seat_all([phone])
        await phone.page.wait_for_selector(".prompt.active")
        cards = phone.page.locator("[data-sorts] .card")
        before = await phone.page.evaluate(ORDER)
        assert len(before) > 2
        first, last = await cards.first.bounding_box(), await cards.last.bounding_box()
        middle = first["y"] + first["height"] / 2
        end = last["x"] + last["width"] - 2, last["y"] + last["height"] / 2  # of the second row
        await drag(phone, (first["x"] + 12, middle), end)
        moved = [*before[1:], before[0]]
        await phone.page.wait_for_function(f"() => String(({ORDER})()) === {','.join(moved)!r}")
        assert not await phone.page.locator(".card.on, dialog[open]").count(), "it is no tap"
        await phone.page.reload()
        await phone.page.wait_for_selector(".card.can")
        assert await phone.page.evaluate(ORDER) == moved
        await phone.page.touchscreen.tap(first["x"] + 12, middle)
        await phone.page.wait_for_selector(f".card.on[data-id='{moved[0]}']")


async def test_letters_are_as_large_as_the_phone_says(tmp_path: Path, qapp: QApplication) -> None:
    needs_chromium()
    async with room(tmp_path, "sun", 2) as here:
        phone = await here.phone()
        session = await phone.context.new_cdp_session(phone.page)
        await session.send("Emulation.setEmulatedOSTextScale", {"scale": 1.5})
        await phone.open(here.url)
        size = "() => getComputedStyle(document.documentElement).fontSize"
        assert await phone.page.evaluate(size) == "24px"


async def test_a_home_screen_has_name_and_icon(tmp_path: Path, qapp: QApplication) -> None:
    needs_chromium()
    async with room(tmp_path, "sun", 2) as here:
        phone = await here.phone()
        await phone.open(here.url)
        session = await phone.context.new_cdp_session(phone.page)
        found: dict[str, Any] = await session.send("Page.getAppManifest")
        assert not found["errors"]
        manifest = json.loads(found["data"])
        assert manifest["name"] == "Tabletop 卓"
        assert "start_url" not in manifest, "it opens the address with its code"
        icons = [(icon["src"], icon["sizes"]) for icon in manifest["icons"]]
        (touch,) = await phone.page.locator("link[rel=apple-touch-icon]").all()
        icons.append((str(await touch.get_attribute("href")), "180x180"))
        for name, sizes in icons:
            drawn = await phone.page.evaluate(
                """async (src) => {
                  const image = new Image();
                  image.src = src;
                  await image.decode();
                  return `${image.naturalWidth}x${image.naturalHeight}`;
                }""",
                urljoin(found["url"], name),
            )
            assert drawn == sizes


async def test_a_phone_that_goes_dark_says_how_to_set_it(
    tmp_path: Path, qapp: QApplication
) -> None:
    needs_chromium()
    async with room(tmp_path, "sun", 2) as here:
        for number, (language, said) in enumerate((("en", "longer time"), ("ja", "スマホの設定"))):
            phone = await here.phone(language=language)
            await phone.page.add_init_script("delete Navigator.prototype.wakeLock")  # as by HTTP
            await phone.open(here.url)
            await phone.sit(number, f"Player {number}")
            hint = phone.page.locator(".lobby .soft", has_text=said)
            await hint.wait_for()
