"""Whole games on phones alone, from the free seats to the score sheet, in a real browser."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tabletop.games import catalogue
from tests.web.browser.fingers import (
    LYING,
    TABLET,
    UPRIGHT,
    play_out,
    room,
    with_chromium,
)

LOOKS = (
    (UPRIGHT, "ja", "light"),
    (LYING, "en", "dark"),
    (TABLET, "ja", "dark"),
    (UPRIGHT, "en", "dark"),
)
"""Size, language and theme of the phones, in the order of their seats."""


@pytest.mark.parametrize("game", [kit.id for kit in catalogue.shelf()])
def test_a_game_is_played_on_phones_alone(game: str, tmp_path: Path, qapp: QApplication) -> None:
    seats = min(catalogue.load(game).box.seats)

    async def evening() -> None:
        async with room(tmp_path, game, seats) as here:
            phones = [await here.phone(*LOOKS[seat % len(LOOKS)]) for seat in range(seats)]
            await here.seat_all(phones)
            await play_out(phones)
            for phone in phones:
                assert await phone.page.locator(".result").inner_text()
                await phone.page.wait_for_selector(".verdict.good")
            match = here.hosted.hosted_match.match
            assert match is not None
            assert match.state.result is not None

    with_chromium(evening)
