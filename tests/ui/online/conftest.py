"""People at other computers, who come to a window's table and go before it closes; or nobody."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.online.session_driver import Friends
from tests.ui.window_driver import Open


@pytest.fixture
def friends(opened: Open, qtbot: QtBot) -> Iterator[Friends]:
    """People at other computers; they go before the windows close."""
    found = Friends(qtbot)
    yield found
    found.close()


@pytest.fixture
def nobody_near(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others may host nearby just now; they are not heard."""
    monkeypatch.setattr("ui.online.network_thread.NetworkThread.start_discovery", lambda _: None)
