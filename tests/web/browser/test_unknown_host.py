"""The page asks what its gateway can't know: the table's code, or whether to trust the host."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tabletop.protocol.invitation import Address
from tabletop.web.gateway.gateway import Gateway
from tabletop.web.gateway.sessions import Sessions
from tests.web.browser.fingers import Phone, Room, needs_chromium, room
from ui.style.asset_folder import PHONE_PAGE_FOLDER


async def come_with_old_token(phone: Phone, here: Room, url: str) -> None:
    """Open the page without the table's code; the seat's token is from a gateway up to 0.3.0."""
    await phone.open(here.url)
    await phone.sit(0, "Ann")
    token = await phone.page.evaluate("localStorage.getItem('tabletop.token')")
    assert "~" in token
    await phone.page.goto(url)
    await phone.page.wait_for_selector("[data-form=code]")
    await phone.page.evaluate(
        "(token) => localStorage.setItem('tabletop.token', token)", token.partition("~")[0]
    )
    await phone.page.reload()


@pytest.mark.parametrize("learned", ["", "ab" * 32])
async def test_a_seat_is_kept_by_a_code_or_by_an_answer(
    learned: str, tmp_path: Path, qapp: QApplication
) -> None:
    needs_chromium()
    async with room(tmp_path, "sun", 2) as here:
        place = Address(("127.0.0.1",), here.host.port)
        other = Gateway(Sessions(place, learned_fingerprint=learned), static=PHONE_PAGE_FOLDER)
        await other.start("127.0.0.1", 0)
        try:
            phone = await here.phone()
            await come_with_old_token(phone, here, f"http://127.0.0.1:{other.port}/")
            if learned:
                await phone.page.get_by_text("another certificate than before").wait_for()
                await phone.tap("[data-do=trust]")
            else:
                await phone.page.get_by_text("isn't known here yet").wait_for()
                assert not await phone.page.locator("[data-do=trust]").count()
                await phone.page.locator("[name=code]").fill(here.owner.code)
                await phone.tap("[data-form=code] [type=submit]")
            await phone.page.wait_for_selector(".seat.mine")
            await phone.page.goto(f"http://127.0.0.1:{other.port}/")
            await phone.page.wait_for_selector(".seat.mine")  # the page asks once
        finally:
            await other.close()
