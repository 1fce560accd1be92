"""In a window of 1024x600 the list of tables, the code of a table and notices have room."""

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from tabletop.lan.discovery import DiscoveredTable
from tabletop.language.prompt import lobby_notice
from tabletop.protocol.invitation import DEFAULT_PORT, Address
from tabletop.protocol.listing import ListedTable
from tests.ui.online.session_driver import host, remote
from tests.ui.window_driver import Open, settle

LOW = (1024, 600)
ROWS = 2.5
"""Tables that are seen at once, at least."""


@pytest.mark.usefixtures("nobody_near")
@pytest.mark.parametrize("language", ["en", "ja"])
def test_join_shows_the_tables_of_the_network(opened: Open, language: str) -> None:
    window = opened(LOW, language=language)
    window.run_command("join")
    listed = ListedTable("1", "Dora's table", "sun", 2, 1)
    place = Address(("192.168.1.5",), DEFAULT_PORT, "ab" * 32)
    tables = [
        DiscoveredTable(replace(listed, table=f"{n}"), place, "dora-pc", "0.2.0", True)
        for n in range(9)
    ]
    screen = window.online.join_screen
    screen.show_found(tables)
    settle()
    first, second, *_ = screen.rows
    seen = sum(row.visibleRegion().boundingRect().height() for row in screen.rows)
    assert seen >= ROWS * first.height()
    assert second.visibleRegion().boundingRect() == second.rect()
    for field in (screen.code, screen.address):
        assert field.visibleRegion().boundingRect() == field.rect()
    window.resize(1280, 800)
    settle()
    assert screen.address.y() > screen.code.geometry().bottom(), "one is below the other"
    for field in (screen.code, screen.address):
        assert field.visibleRegion().boundingRect() == field.rect(), "below any number of tables"
    window.resize(2560, 1440)
    screen.show_found(tables[:4])
    settle()
    last = screen.rows[-1]
    under = last.mapTo(screen, last.rect().bottomLeft()).y()
    code = screen.code.mapTo(screen, screen.code.rect().topLeft()).y()
    assert code - under < 2 * last.height(), "no gap between the tables and the code"


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_notice_leaves_the_code_whole(opened: Open, qtbot: QtBot, language: str) -> None:
    window = opened(LOW, language=language)
    lobby = host(qtbot, window)
    card = lobby.invitation
    qtbot.waitUntil(lambda: bool(card.code.text()))
    assert not card._explanation.isHidden()
    remote(window).is_asked_to_host = True
    lobby.show_table()
    settle()
    assert lobby.notice_bar.isVisible()
    assert card.code.height() >= card.code.sizeHint().height()
    assert card._explanation.isHidden()


def test_japanese_sentences_of_a_notice_have_no_gap(opened: Open, qtbot: QtBot) -> None:
    window = opened(LOW, language="ja")
    host(qtbot, window)
    people = remote(window).table_people
    notice = lobby_notice(replace(people, knocking=((1, "Mio"), (2, "Ren"))), window.context.words)
    assert notice is not None
    assert "。" in notice.text
    assert "。 " not in notice.text
