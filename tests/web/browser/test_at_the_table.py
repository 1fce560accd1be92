"""What a person does beside playing: asks why not, reads, talks, comes back, takes back."""

from pathlib import Path

from PySide6.QtWidgets import QApplication

from tests.net.loopback import run
from tests.web.browser.fingers import Phone, needs_chromium, room


async def asked(phones: list[Phone]) -> Phone:
    """Whoever has to answer now."""
    for phone in phones:
        if await phone.page.locator(".prompt.active").count():
            return phone
    raise AssertionError("nobody is asked")


async def play_a_card(phone: Phone) -> None:
    """Take a card up, choose where it goes, put it down."""
    await phone.tap(".card.can")
    await phone.tap(".options [data-do=target]")
    if await phone.page.locator("[data-do=choice]").count():
        await phone.tap("[data-do=choice]")
    await phone.tap("[data-do=confirm]")
    await phone.page.wait_for_selector(".prompt.idle")


def test_reading_talking_and_coming_back(tmp_path: Path, qapp: QApplication) -> None:
    async def evening() -> None:
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

            # a card that cannot go says why, with its paragraph, which leads to the rules
            refused = first.page.locator(".card.cannot")
            if await refused.count():
                await refused.first.tap()
                await first.page.wait_for_selector(".said")

            # the paragraph of the question leads to the rulebook
            number = await first.page.locator(".ask .link").get_attribute("data-id")
            await first.tap(".ask .link")
            await first.page.wait_for_selector(".meant")
            told = await first.page.locator(".meant").inner_text()
            assert number.split(".")[0] in told
            await first.tap("#tab-hand")

            # what is said is heard, as text
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

            # the very question is there again after a reload, and nothing is in the address
            question = await first.asked()
            await first.page.reload()
            await first.page.wait_for_selector(".prompt.active")
            assert await first.asked() == question
            assert "#" not in first.page.url

            # a move counts, and may be taken back
            await play_a_card(first)

            # another language, at once
            before = await other.asked()
            await other.tap(".me [data-id=more]")
            language = "en" if other is two else "ja"
            await other.tap(f"dialog [data-do=language][data-id={language}]")
            await other.page.wait_for_selector(f"html[lang={language}]")
            await other.tap("dialog [data-do=close]")
            assert await other.asked() != before

            # out of reach and back, the same question
            now = await other.asked()
            await other.watch_line()
            await other.context.set_offline(True)
            await other.page.evaluate("() => dispatchEvent(new Event('online'))")
            await other.page.wait_for_selector(".line.gone")
            await other.context.set_offline(False)
            await other.back_again()
            other.errors_meanwhile()
            assert await other.asked() == now

    needs_chromium()
    run(evening)


def test_places_are_tapped_in_the_picture(tmp_path: Path, qapp: QApplication) -> None:
    async def evening() -> None:
        async with room(tmp_path, "sun", 2) as here:
            phones = [await here.phone(), await here.phone()]
            await here.seat_all(phones)
            first = await asked(phones)
            await first.tap(".card.can")
            await first.page.wait_for_selector(".frame img")
            lit = first.page.locator("i.spot.lit").first
            box = await lit.bounding_box()
            middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            await first.page.touchscreen.tap(*middle)
            await first.page.wait_for_selector("i.spot.chosen")
            await first.page.wait_for_selector("[data-do=confirm], [data-do=choice]")
            await first.tap("[data-do=near]")
            await first.page.wait_for_selector(".frame.near")
            await first.tap("[data-do=near]")

    needs_chromium()
    run(evening)


def test_a_card_without_text_is_enlarged_as_well(tmp_path: Path, qapp: QApplication) -> None:
    async def evening() -> None:
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

    needs_chromium()
    run(evening)
