"""What is still on its way from a host follows nobody who leaves meanwhile."""

from collections.abc import Callable

import pytest
import shiboken6
from pytestqt.qtbot import QtBot

from tabletop.engine.model import Reason
from tests.ui.window_driver import Open, settle
from ui.app import Window
from ui.online.remote_table import RemoteTable

NOBODY = "127.0.0.1:9"
"""An address where no host is."""


def at_the_shelf(window: Window) -> bool:
    return window.stack.currentWidget() is window.shelf


def test_who_turns_back_on_the_way_to_a_table_comes_to_none(
    opened: Open, nobody_near: None
) -> None:
    window = opened()
    window.run_command("join")
    join = window.online.join_screen
    join.code.setText("ABCDEF")
    join.address.setText(NOBODY)
    join.join_button.click()
    assert window.online.remote is not None
    join.left.emit()
    assert at_the_shelf(window)
    assert window.online.remote is None


def leave_before_the_host_listens(window: Window, qtbot: QtBot, leave: Callable[[], None]) -> None:
    """Open a table, and leave its sheet while the host is not there yet: no table comes up."""
    window.run_command("host")
    with qtbot.waitSignal(window.online.network.hosting_started):
        window.online.hosting.host_sheet.start_button.click()
        leave()
    settle()
    assert window.online.remote is None


def test_who_turns_back_before_the_host_listens_opens_no_table(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    leave_before_the_host_listens(
        window, qtbot, lambda: window.online.hosting.host_sheet.left.emit()
    )
    assert at_the_shelf(window)


def test_who_goes_elsewhere_before_the_host_listens_stays_there(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    leave_before_the_host_listens(window, qtbot, lambda: window.run_command("join"))
    assert window.stack.currentWidget() is window.online.join_screen


def test_what_is_wanted_of_a_table_that_was_left_is_dropped(qtbot: QtBot) -> None:
    table = RemoteTable()
    refused: list[Reason] = []
    table.notice_posted.connect(refused.append)
    table.request(table.guest.start)
    assert len(refused) == 1
    shiboken6.delete(table)
    table.request(table.guest.start)
    assert len(refused) == 1


def test_only_the_host_that_asked_is_told_the_key_of_a_place(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    online = opened().online
    hosting, network = online.hosting, online.network
    asked, other = RemoteTable(), RemoteTable()
    told: list[RemoteTable] = []
    for each in (asked, other):
        monkeypatch.setattr(each, "request", lambda *_, each=each: told.append(each))
    monkeypatch.setattr(network, "expect_table", lambda: None)
    for at in (asked, other):
        hosting.set_table(asked)
        hosting.move_table_here()
        hosting.set_table(at)
        network.table_expected.emit(1, "a fingerprint", "a key")
    hosting.set_table(None)
    assert told == [asked]
