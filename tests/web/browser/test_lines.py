"""A phone's line in the hands of chance: sleeps, cuts and wakes, and what was tapped meanwhile."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

from PySide6.QtWidgets import QApplication

from tests.net.loopback import LONG, Cable
from tests.web.browser.fingers import Phone, Room, needs_chromium, room
from tests.web.gateways import started

SEQUENCES = 1000 if LONG else 50
ACTS = ("sleep", "wake", "glance", "online", "cut", "mend", "card", "card", "confirm", "say")
HANDS = """() => {
  const now = Date.now;
  let hidden = false, ahead = 0;
  Date.now = () => now() + ahead;
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  const see = (dark) => { hidden = dark; document.dispatchEvent(new Event("visibilitychange")); };
  const drawn = async () => {
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
  };
  const all = (selector) => [...document.querySelectorAll(selector)].filter((one) => !one.disabled);
  const tap = (selector, n = 0) => {
    const found = all(selector);
    if (found.length) found[n % found.length].click();
    return found.length > 0;
  };
  window.hands = {
    sleep: () => see(true),
    glance: () => see(false),
    wake() { ahead += 60000; see(false); },
    online: () => dispatchEvent(new Event("online")),
    card: (n) => tap(".card.can", n),
    confirm: () => tap("[data-do=confirm]"),
    async say(text) {
      tap("#tab-log");
      await drawn();
      const field = document.querySelector("[data-form=say] [name=text]");
      if (field) {
        field.value = text;
        field.dispatchEvent(new Event("input", { bubbles: true }));
        field.form.requestSubmit();
      }
      tap("#tab-hand");
      await drawn();
      return Boolean(field);
    },
    drawn,
    async heard(text) {
      tap("#tab-log");
      await drawn();
      const field = document.querySelector("[data-form=say] [name=text]");
      const lines = [...document.querySelectorAll(".chat li")];
      const times = lines.filter((one) => one.textContent.endsWith(text)).length;
      const kept = Boolean(field) && field.value === text;
      tap("#tab-hand");
      await drawn();
      return [times, kept];
    },
  };
}"""
STANDS = """() => document.querySelector(".line.here, .result")
  && document.getElementById("app").getAttribute("aria-busy") === "false" """
DEAD_HAND = """async () => {
  const on = () => [...document.querySelectorAll(".card.on")];
  const taken = () => on().map((one) => one.dataset.id).join();
  if (!document.querySelector(".card.can")) return false;
  const before = taken();
  document.querySelector(".card.can:not(.on), .card.can").click();
  for (let frames = 0; frames < 600; frames += 1) {
    await new Promise(requestAnimationFrame);
    if (taken() !== before || !document.querySelector(".prompt.active")) return false;
  }
  return true;
}"""
"""Whether a tap on a card that can be taken changes nothing."""


@asynccontextmanager
async def on_a_cable(folder: Path, game: str) -> AsyncIterator[tuple[Room, Phone, Cable]]:
    """A match of one phone on a cable, and two bots."""
    async with room(folder, game, 3, bots=2) as here:
        place = urlsplit(here.url)
        cable = Cable(place.port or 0)
        await cable.start()
        phone = await here.phone()
        try:
            await phone.open(f"http://127.0.0.1:{cable.port}/#{place.fragment}")
            await phone.sit(0, "Player 1")
            await started(here.owner)
            await phone.page.wait_for_selector(".prompt.active")
            await phone.page.evaluate(HANDS)
            yield here, phone, cable
        finally:
            await phone.context.close()
            await cable.close()
        cut = ("WebSocket", "Failed to load resource")  # a browser complains of the cable
        phone.errors = [error for error in phone.errors if not any(one in error for one in cut)]


async def line_test(folder: Path) -> None:
    """After the line stands again, each tap has counted once, or is visibly back in the hand."""
    chance, done, games = random.Random(49), 0, 0
    while done < SEQUENCES:
        games += 1
        async with on_a_cable(folder / str(games), "sisters") as (here, phone, cable):
            match, confirmed = here.hosted.hosted_match.match, 0

            def answers(match: object = match) -> int:
                return sum(getattr(entry, "seat", None) == 0 for entry in match.record)

            while done < SEQUENCES and not await phone.page.locator(".result").count():
                done += 1
                text = f"line {done}"
                said = False
                acts = [chance.choice(ACTS) for _ in range(chance.randint(3, 9))]
                for act in acts:
                    if act == "cut":
                        cable.cut()
                    elif act == "mend":
                        cable.mend()
                    elif act == "say":
                        if not said:
                            said = await phone.page.evaluate("text => hands.say(text)", text)
                    elif act == "confirm":
                        confirmed += await phone.page.evaluate("() => hands.confirm()")
                        await phone.page.evaluate("() => hands.drawn()")
                    else:
                        await phone.page.evaluate(f"n => void hands.{act}(n)", chance.randrange(99))
                    await phone.page.evaluate("() => hands.drawn()")
                cable.mend()
                await phone.page.evaluate("() => { hands.wake(); return hands.drawn(); }")
                await phone.page.wait_for_function(STANDS)
                told = f"{done}: {' '.join(acts)}"
                while answers() < confirmed:
                    await asyncio.sleep(0.01)
                assert answers() == confirmed, told
                if said:
                    times, kept = await phone.page.evaluate("text => hands.heard(text)", text)
                    assert times == 1 or (kept and times == 0), told
                assert not await phone.page.evaluate(DEAD_HAND), told


def test_whatever_the_line_does_no_tap_is_lost(tmp_path: Path, qapp: QApplication) -> None:
    needs_chromium()
    asyncio.run(line_test(tmp_path))


async def test_a_dead_line_is_seen_and_said(tmp_path: Path, qapp: QApplication) -> None:
    """A green dot stood through 47 seconds of a line that was dead without notice."""
    needs_chromium()
    async with on_a_cable(tmp_path, "sisters") as (_, phone, cable):
        cable.cut()
        await phone.page.wait_for_selector(".line.gone")
        assert await phone.page.locator(".line.gone").inner_text() == "Connecting…"
        cable.mend()
        await phone.page.wait_for_selector(".line.here")
