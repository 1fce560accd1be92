"""Actions beside playing: asking why not, reading, talking, coming back, undoing."""

import asyncio
import random
import re
from collections.abc import Sequence
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path

from PySide6.QtWidgets import QApplication

from tabletop.catalogue import catalogue
from tabletop.engine.model import AUDIENCE
from tabletop.match.match import Match
from tests.web.browser.fingers import LOADED, LYING, Phone, Room, needs_chromium, room
from tests.web.gateways import started

BREAK_AFTER_MOVE = """() => {
  window.sent = [];
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (text) {
    const told = JSON.parse(text);
    send.call(this, text);
    if (told.kind !== "move") return;
    if (!sent.length) this.close();
    sent.push({ id: told.id, again: Boolean(told.again) });
  };
}"""
"""Notes the moves that are sent; once the first one is, its line breaks before the answer comes."""


async def asked(phones: Sequence[Phone]) -> Phone:
    """The phone that has to answer now, or first."""
    waits = {
        asyncio.ensure_future(phone.page.wait_for_selector(".prompt.active")): phone
        for phone in phones
    }
    done, others = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for waiting in others:
        waiting.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    return waits[done.pop()]


async def to_answer(phones: Sequence[Phone], match: Match) -> Phone:
    """The phone that the match asks: a page that is still to come may ask somebody else."""
    (seat, *_) = (ask.seat for ask in match.state.asks)
    await phones[seat].page.wait_for_selector(".prompt.active")
    return phones[seat]


async def play_once(phone: Phone, match: Match) -> None:
    """Tap at random until a move counts."""
    ply, played = match.state.ply, asyncio.Event()
    stop = match.add_listener(AUDIENCE, lambda news: played.set())
    tapping = asyncio.create_task(phone.play(random.Random(1), lambda: match.state.ply > ply))
    await played.wait()
    tapping.cancel()
    await asyncio.gather(tapping, return_exceptions=True)
    stop()


async def test_reading_and_talking(tmp_path: Path, qapp: QApplication) -> None:
    needs_chromium()
    async with room(tmp_path, "sun", 2) as here:
        phones = [await here.phone(language="en"), await here.phone(language="ja")]
        await here.seat_all(phones)
        one, two = phones
        first = await asked(phones)
        other = two if first is one else one

        # a card is enlarged by a long press, and its text is there
        card = first.page.locator(".card").first
        box = await card.bounding_box()
        await first.page.mouse.move(box["x"] + 10, box["y"] + 30)
        await first.page.mouse.down()
        await first.page.wait_for_selector("dialog[open] .huge")
        await first.page.mouse.up()
        await first.tap("dialog [data-do=close]")

        # the paragraph of the question leads to the rulebook
        number = await first.page.locator(".ask .link").get_attribute("data-id")
        await first.tap(".ask .link")
        await first.page.wait_for_selector(".meant")
        told = await first.page.locator(".meant").inner_text()
        assert number.split(".")[0] in told
        await first.tap("#tab-hand")

        # chat arrives as text
        await first.tap("#tab-log")
        await first.page.locator("[data-form=say] input").fill("<b>hello</b>")
        await first.tap("[data-form=say] [type=submit]")
        await other.page.wait_for_selector("#tab-log .dot")
        await other.tap("#tab-log")
        await other.page.wait_for_selector("text=<b>hello</b>")
        await other.tap(".phrases button")
        await first.page.wait_for_selector(".chat li:nth-child(2)")
        await first.tap("#tab-hand")
        await other.tap("#tab-hand")

        # a move counts
        await play_once(first, here.hosted.hosted_match.match)

        # another language, at once
        before = await other.asked()
        await other.tap(".me [data-id=more]")
        language = "en" if other is two else "ja"
        await other.tap(f'dialog [data-id*="\\"language\\":\\"{language}\\""]')
        await other.page.wait_for_selector(f"html[lang={language}]")
        assert await other.asked() != before


ROUND_CORNERS = """() => {
  const table = document.querySelector(".scroll table");
  table.scrollIntoView({ block: "center" });
  const { left, bottom } = table.getBoundingClientRect();
  return !table.contains(document.elementFromPoint(left + 1, bottom - 1))
    && getComputedStyle(table).borderCollapse === "separate";
}"""
"""Whether tables, such as the score sheet, have round lines and cells at their corners."""
LOBBY_COLOURS = """() => [
  getComputedStyle(document.documentElement).backgroundColor,
  document.querySelector(".lobby .box").naturalWidth,
]"""


async def test_lobbies_wear_their_games_colours(tmp_path: Path, qapp: QApplication) -> None:
    needs_chromium()
    async with room(tmp_path, "sun", 2, bots=1) as here:
        phone = await here.phone()
        await phone.open(here.url)
        await phone.page.wait_for_function(LOADED)
        ground, width = await phone.page.evaluate(LOBBY_COLOURS)
        look = catalogue.load("sun").layout.look
        assert look is not None
        red, green, blue = (int(look.table[at : at + 2], 16) for at in (1, 3, 5))
        assert ground == f"rgb({red}, {green}, {blue})"
        assert width > 0
        await here.seat_all([phone])
        await phone.tap("#tab-rules")
        await phone.page.wait_for_selector(".rules .scroll table")
        assert await phone.page.evaluate(ROUND_CORNERS)


async def dealt_a_refused_card(rooms: AsyncExitStack, folder: Path) -> tuple[Room, Phone]:
    """A table of Children of the Sun whose first hand holds a rotation 0, which the siege refuses:
    in one deal of six there is none."""
    for number in count():
        table = room(folder / str(number), "sun", 2, bots=1)
        here = await rooms.enter_async_context(table)
        phone = await here.phone()
        await here.seat_all([phone])
        await phone.page.wait_for_selector(".prompt.active")
        await phone.page.wait_for_selector(".card.can")
        if await phone.page.locator(".card.cannot").count():
            return here, phone
    raise AssertionError("there is always another deal")


async def test_alone_against_a_bot(tmp_path: Path, qapp: QApplication) -> None:
    needs_chromium()
    async with AsyncExitStack() as rooms:
        here, phone = await dealt_a_refused_card(rooms, tmp_path)
        page, match = phone.page, here.hosted.hosted_match.match
        question = await phone.asked()

        # a card that can go nowhere says why, with its paragraph, which leads to the rules
        await phone.tap("#tab-table")
        await phone.tap(".card.cannot")
        await phone.tap(".said .link")
        await page.wait_for_selector(".meant")
        await phone.tap("#tab-hand")

        # a hint is a sentence, and the card that is meant
        await phone.menu("Hint")
        await page.wait_for_selector(".said.good >> text=Because.")
        await page.wait_for_selector(".card.on")
        await phone.tap("[data-do=cancel]")

        # places are tapped in the picture, which may be enlarged
        await phone.tap(".card.can")
        await page.wait_for_selector(".frame canvas")
        box = await page.locator("i.spot.lit").first.bounding_box()
        await phone.tap("[data-do=near]")
        await page.wait_for_selector(".frame.near")
        await phone.tap("[data-do=near]")
        await page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        await page.wait_for_selector("i.spot.chosen")
        await phone.tap("[data-do=confirm]")  # in the siege the whole rotation counts
        await page.wait_for_selector(f".prompt.active:has-text('{question}')")
        assert match.state.ply

        # nobody need be asked whether a move is taken back
        await phone.menu("Take back")
        await page.wait_for_selector("#tab-log[aria-selected=false]")
        await phone.tap("#tab-log")
        await page.wait_for_selector(".lines li")
        await phone.tap("#tab-hand")
        await page.wait_for_selector(f".prompt.active:has-text('{question}')")


async def test_taking_back_watching_conceding_and_playing_again(
    tmp_path: Path, qapp: QApplication
) -> None:
    needs_chromium()
    watched = {"spectators": "delayed", "delay": 0.5}
    async with room(tmp_path, "sun", 2, **watched) as here:
        phones = [await here.phone(language="en"), await here.phone(LYING, language="en")]
        await here.seat_all(phones)
        first = await asked(phones)
        (other,) = (phone for phone in phones if phone is not first)
        match = here.hosted.hosted_match.match

        # a spectator sees open cards, some time later, and can do nothing
        third = await here.phone(language="en", theme="dark")
        await third.open(here.url)
        await third.tap(".row [data-do=wish]")
        await third.page.wait_for_selector(".panel.table .frame canvas")
        assert not await third.page.locator("#tab-hand, .card.can, [data-do=act]").count()
        await third.tap(".me [data-id=more]")
        told = await third.page.locator("dialog").inner_text()
        assert "Concede" not in told
        assert "Hint" not in told
        await third.tap("dialog [data-do=close]")
        await third.tap("#tab-log")
        await third.page.wait_for_selector(".chat")
        assert not await third.page.locator(".chat button, .chat input").count()

        # one is asked whether a move may be taken back, and may say no
        await play_once(first, match)
        while len({ply.seat for ply in match.plies[1:]}) < 2:
            await play_once(await to_answer(phones, match), match)
        now, own = len(match.plies), phones.index(first)
        before = max(n for n, ply in enumerate(match.plies) if ply.seat == own)
        for answer, after in (("No", now), ("Agree", before)):
            await first.menu("Ask to undo")
            await first.tap("dialog .primary[data-do=wish]")
            await other.tap(f".prompt button:text-is('{answer}'), .foot button:text-is('{answer}')")
            told = "#toast.shown" if answer == "No" else ".prompt.active"
            await first.page.wait_for_selector(told)
            assert len(match.plies) == after

        # a quick word is read in the own language
        await first.tap("#tab-log")
        await other.tap(".me [data-id=more]")
        await other.tap("dialog [data-do=wish]:text-is('日本語')")
        await other.page.wait_for_selector("html[lang=ja]")
        await other.tap("#tab-log")
        await first.tap(".phrases button:text-is('Thank you!')")
        await other.page.wait_for_selector(".chat li >> text=ありがとう！")

        # conceding loses; both wish another match, and play on
        await first.concede()
        for phone in phones:
            await phone.page.wait_for_selector(".panel.score .result")
            await phone.page.wait_for_selector(".verdict.good")
            await phone.tap(".panel [data-do=wish]")
        await third.tap("#tab-score")
        await third.page.wait_for_selector(".result")
        assert not await third.page.locator(".panel [data-do=wish]").count()
        await here.owner.until(lambda: here.owner.guest.info.phase == "over")
        here.owner.guest.gather_for_rematch()
        await started(here.owner)
        for phone in phones:
            await phone.page.wait_for_selector("#tab-hand[aria-selected=true]")
            await phone.page.wait_for_selector(".hand .card")
        assert here.hosted.hosted_match.match is not match


async def test_every_way_back_leads_to_the_very_question(
    tmp_path: Path, qapp: QApplication
) -> None:
    needs_chromium()
    async with room(tmp_path, "awss", 3, bots=2, lingers=0.2) as here:
        phone = await here.phone(language="en")
        await here.seat_all([phone])
        match, info = here.hosted.hosted_match.match, lambda: here.owner.guest.info
        await phone.page.wait_for_selector(".prompt.active")

        # the line breaks while the answer is on its way: it counts once
        await phone.page.evaluate(BREAK_AFTER_MOVE)
        ply = match.state.ply
        await phone.play(random.Random(1), lambda: match.state.ply > ply)
        await phone.page.wait_for_function("() => sent.some((one) => one.again)")
        await phone.page.wait_for_selector(".prompt.active")
        ids = {one["id"] for one in await phone.page.evaluate("() => sent")}
        answers = [entry for entry in match.record if getattr(entry, "seat", None) == 0]
        assert len(ids) == len(answers)
        if await phone.page.locator("[data-do=cancel]").count():
            await phone.tap("[data-do=cancel]")
        question = await phone.asked()

        # the page is loaded again; the browser was closed
        await phone.page.reload()
        await phone.page.wait_for_selector(".prompt.active")
        assert await phone.asked() == question
        assert phone.page.url == here.url, "another browser is led here by the code"
        await phone.closed_and_opened()
        await phone.page.wait_for_selector(".prompt.active")
        assert await phone.asked() == question

        # out of reach for so long that the table waits for somebody who is away
        await phone.watch_line()
        await phone.context.set_offline(True)
        await phone.page.evaluate("() => dispatchEvent(new Event('online'))")
        await phone.page.wait_for_selector(".line.gone")
        await here.owner.until(lambda: info().pause is not None)
        assert info().sitters[0].state == "away"
        await phone.context.set_offline(False)
        await phone.back_again()
        phone.errors_meanwhile()
        await phone.page.wait_for_selector(".prompt.active")
        assert await phone.asked() == question
        await here.owner.until(lambda: info().pause is None)

        # another phone with the same key takes the seat, and gives it back
        state = await phone.context.storage_state()
        second = await here.phone(LYING, "en", storage_state=state)
        await second.open(here.url.partition("#")[0])
        await phone.page.wait_for_selector("[data-do=begin]")
        assert await second.asked() == question
        await phone.tap("[data-do=begin]")
        await second.page.wait_for_selector("[data-do=begin]")
        await phone.page.wait_for_selector(".prompt.active")
        assert await phone.asked() == question


NO_PHRASES = """(() => {
  const supports = CSS.supports.bind(CSS);
  CSS.supports = (name, value) => value !== "auto-phrase" && supports(name, value);
})()"""


BROKEN = """async () => {
  const page = document.querySelector("script[type=module]").src;
  const { fill } = await import(new URL("dom.js", page));
  const line = document.body.appendChild(document.createElement("p"));
  const broken = new Set();
  for (let em = 7; em < 20; em++) {
    line.style.cssText = `position: fixed; font-size: 20px; width: ${em}em`;
    const text = "1番目、2周目の手番に「8ココット」を獲得しました（差19）。";
    const more = "CS-01やPS-05は、時計回りにめくるか、つなぎます。";
    fill(line, [text + "8ラウンドの間、各5点です。" + more]);
    const tops = [];
    const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    for (let node; (node = texts.nextNode()); )
      for (let at = 0; at < node.length; at++) {
        const sign = document.createRange();
        sign.setStart(node, at);
        sign.setEnd(node, at + 1);
        const { top, width } = sign.getBoundingClientRect();
        tops.push(width ? Math.round(top / 15) : tops[tops.length - 1]);
      }
    const wholes = ["1番目", "2周目", "手番", "（差19）", "8ラウンド", "各5点"];
    for (const whole of [...wholes, "CS-\\u206001", "PS-\\u206005", "時計回り", "つなぎます"]) {
      const at = line.textContent.indexOf(whole);
      if (new Set(tops.slice(at, at + whole.length)).size > 1) broken.add(whole);
    }
  }
  const marked = line.querySelector("wbr");
  if (marked && !/、<wbr[^>]*>つなぎ/.test(line.innerHTML)) broken.add("no break after 、");
  line.remove();
  return [...broken];
}"""
"""The words of a Japanese text that a line breaks, at any width."""


async def test_japanese_breaks_between_phrases_in_every_browser(
    tmp_path: Path, qapp: QApplication
) -> None:
    """By the browser's own knowledge, or at the page's marks where it has none."""
    async with room(tmp_path, "sun", 2) as here:
        knowing, other = [await here.phone(language="ja") for _ in range(2)]
        await other.page.add_init_script(NO_PHRASES)
        await here.seat_all([knowing, other])
        body = "getComputedStyle(document.body)"
        assert await knowing.page.evaluate(f"{body}.wordBreak") == "auto-phrase"
        assert await other.page.evaluate(f"{body}.wordBreak") == "keep-all"
        assert await knowing.page.evaluate(f"{body}.lineBreak") == "strict"
        assert not await knowing.page.locator("wbr").count()
        for phone in (knowing, other):
            assert await phone.page.evaluate(BROKEN) == []
            icon = "getComputedStyle(document.querySelector('button.icon')).borderTopColor"
            assert await phone.page.evaluate(icon) == "rgba(0, 0, 0, 0)"
            await phone.tap("#tab-rules")
        rules = ".rules article p >> nth=2"
        told = [await phone.page.locator(rules).inner_text() for phone in (knowing, other)]
        assert told[0] == told[1]
        assert await other.page.locator(f"{rules} >> wbr").count() > 5


async def test_a_phone_counts_down_how_long_the_table_waits(
    tmp_path: Path, qapp: QApplication
) -> None:
    needs_chromium()
    async with room(tmp_path, "awss", 3, bots=1, lingers=0.2) as here:
        here_still, gone = await here.phone(language="en"), await here.phone(LYING, "en")
        await here.seat_all([here_still, gone])
        await here_still.page.wait_for_selector(".prompt.active")
        await gone.page.close()
        shown = r"""(before) => {
            const told = document.querySelector(".prompt h2").textContent;
            const left = told.match(/^The table waits for .*: (\d):(\d\d) left\.$/);
            return left && left[0] !== before ? left[0] : null;
        }"""
        first = await (await here_still.page.wait_for_function(shown, arg="")).json_value()
        later = await (await here_still.page.wait_for_function(shown, arg=first)).json_value()
        assert later < first


async def test_a_card_without_text_is_enlarged_as_well(tmp_path: Path, qapp: QApplication) -> None:
    needs_chromium()
    async with room(tmp_path, "royale", 2, bots=1) as here:
        phone = await here.phone()
        await here.seat_all([phone])
        texts = set()
        await phone.tap("#tab-table")
        cards = phone.page.locator("[data-key^='area/'] .card")
        await cards.first.wait_for()
        for n in range(await cards.count()):
            await cards.nth(n).scroll_into_view_if_needed()
            box = await cards.nth(n).bounding_box()
            await phone.page.mouse.move(box["x"] + 10, box["y"] + 30)
            await phone.page.mouse.down()
            await phone.page.wait_for_selector("dialog[open] .huge")
            await phone.page.mouse.up()
            assert await phone.page.locator("dialog h2").inner_text()
            texts.add(await phone.page.locator("dialog p").count())
            await phone.tap("dialog [data-do=close]")
            if 0 in texts:
                break
        assert 0 in texts


async def test_a_seat_goes_to_another_phone_by_its_code_and_comes_back(
    tmp_path: Path, qapp: QApplication
) -> None:
    needs_chromium()
    async with room(tmp_path, "sisters", 2, bots=1) as here:
        phone = await here.phone(language="ja")
        await here.seat_all([phone])
        await phone.page.wait_for_selector(".prompt.active")
        question = await phone.asked()
        await phone.tap(".me [data-id=more]")
        told = await phone.page.locator("dialog p").inner_text()
        (code,) = re.findall(r"[2-9A-HJ-NP-Z]{5}", told)
        await phone.tap("dialog [data-do=close]")

        other = await here.phone(LYING, "ja", "dark")
        await other.open(here.url)
        await other.tap("[data-key=seat0] [data-do=choose]")
        await other.page.locator("[data-form=take] input").fill("AAAAA")
        await other.tap("[data-form=take] [type=submit]")
        await other.page.wait_for_selector("#toast.shown")
        assert not await other.page.locator(".prompt").count()
        await other.page.locator("[data-form=take] input").fill(code.lower())
        await other.tap("[data-form=take] [type=submit]")
        await other.page.wait_for_selector(".prompt.active")
        assert await other.asked() == question
        assert code not in other.page.url

        # the old phone says so, also after it was loaded again; one tap brings the seat back
        await phone.page.wait_for_selector("h1:has-text('別のスマホ')")
        await phone.page.reload()
        await phone.page.wait_for_selector("h1:has-text('別のスマホ')")
        assert await other.page.locator(".prompt.active").count()
        await phone.tap("[data-do=begin]")
        await phone.page.wait_for_selector(".prompt.active")
        assert await phone.asked() == question
        await other.page.wait_for_selector("[data-do=begin]")
