"""A shared table to somebody who does not see it."""

from pytestqt.qtbot import QtBot

from tests.ui.accessibility.screens import unnamed_fields
from tests.ui.online.session_driver import Friends, playing
from tests.ui.window_driver import Open


def test_every_field_from_the_lobby_on_has_a_name(
    opened: Open, friends: Friends, qtbot: QtBot
) -> None:
    seen = set[str]()
    playing(opened, friends, qtbot)
    assert unnamed_fields(seen) == []
    assert "QTextEdit" in seen, "the chat"
