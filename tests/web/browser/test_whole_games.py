"""Whole games on phones alone, from the free seats to the score sheet, in a real browser.

`TABLETOP_LONG=1` plays those of the whole shelf, otherwise the two shortest.
"""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tabletop.games import catalogue
from tests.net.loopback import LONG
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
"""Size, language and theme of the phones, by their seats; the next game's are others."""
GAMES = [kit.id for kit in catalogue.shelf()] if LONG else ["sun", "sisters"]


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_played_on_phones_alone(game: str, tmp_path: Path, qapp: QApplication) -> None:
    seats = min(catalogue.load(game).box.seats)
    first = 2 * GAMES.index(game)

    async def evening() -> None:
        async with room(tmp_path, game, seats) as here:
            looks = [LOOKS[(first + seat) % len(LOOKS)] for seat in range(seats)]
            phones = [await here.phone(*look) for look in looks]
            await here.seat_all(phones)
            await play_out(phones)
            for phone in phones:
                assert await phone.page.locator(".result").inner_text()
                await phone.page.wait_for_selector(".verdict.good")
            match = here.hosted.hosted_match.match
            assert match is not None
            assert match.state.result is not None

    with_chromium(evening)
