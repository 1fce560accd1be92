"""Whole games on phones alone, from the free seats to the score sheet, in a real browser.

`TABLETOP_LONG=1` plays every game with its fewest and its most, otherwise the shortest.
"""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from tests.net.loopback import LONG
from tests.web.browser.fingers import (
    LYING,
    TABLET,
    UPRIGHT,
    needs_chromium,
    play_out,
    room,
)

LOOKS = (
    (UPRIGHT, "ja", "light"),
    (LYING, "en", "dark"),
    (TABLET, "ja", "dark"),
    (UPRIGHT, "en", "dark"),
)
"""Size, language and theme of the phones, by their seats; the next game's are others."""
DRAWN = {"en": "was drawn by the computer that serves its page", "ja": "このブラウザーの乱数は"}
QUICK: dict[str, dict[str, str]] = {"options": {"length": "4"}}
"""The very quick game of the rulebook: in full, twelve make some 3,800 moves."""
SHORT: list[tuple[str, int, dict[str, Any]]] = [("sun", 2, {})]
LONGER: list[tuple[str, int, dict[str, Any]]] = [
    ("sisters", 2, {}),
    ("chains", 1, {}),
    ("chains", 10, {}),
    ("awss", 3, {}),
    ("awss", 4, {}),
    ("royale", 2, {}),
    ("royale", 6, {}),
    ("royale", 12, QUICK),
]
TABLES = SHORT + LONGER if LONG else SHORT


@pytest.mark.parametrize(("game", "seats", "more"), TABLES)
async def test_a_game_is_played_on_phones_alone(
    game: str, seats: int, more: dict[str, Any], tmp_path: Path, qapp: QApplication
) -> None:
    first = 2 * TABLES.index((game, seats, more))

    needs_chromium()
    async with room(tmp_path, game, seats, **more) as here:
        looks = [LOOKS[(first + seat) % len(LOOKS)] for seat in range(seats)]
        phones = [await here.phone(*look, ratio=1) for look in looks]
        await here.seat_all(phones)
        await play_out(phones)
        for phone, (_, language, _) in zip(phones, looks, strict=True):
            assert await phone.page.locator(".result").inner_text()
            await phone.page.wait_for_selector(f".verdict.good:has-text('{DRAWN[language]}')")
        match = here.hosted.hosted_match.match
        assert match.state.result is not None
