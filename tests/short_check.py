"""`tabletop check` for tests of something that every table of a game shows."""

import pytest

from tests.net.loopback import LONG
from ui.studio.game_check import cut_window_texts, failing_window, unanswerable


def shorten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the check take all its steps, but look at few moves in each, unless there is time."""
    if not LONG:
        monkeypatch.setattr(cut_window_texts, "MOVES", 1)
        monkeypatch.setattr(failing_window, "MOVES", 1)
        monkeypatch.setattr(unanswerable, "MAX_POSITIONS", 1)
