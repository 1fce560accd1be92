"""Tables of several computers through the window: host, lobby, play, wait, come back, leave."""

import asyncio
import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event, Thread

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tabletop.commands.records import verify
from tabletop.engine.model import AUDIENCE, Reason
from tabletop.engine.scratch import FastRng
from tabletop.files import folders
from tabletop.files.errors import write_error
from tabletop.home.known_hosts import KnownHosts
from tabletop.lan.discovery import DiscoveredTable, Finder, ListedTable
from tabletop.language.words import Words
from tabletop.net.certificate import FILE
from tabletop.net.guest.connection import ConnectionSettings
from tabletop.net.guest.dial import CERTIFICATE_CHANGED
from tabletop.net.guest.fair_shuffle import DEALT_AGAIN
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.host.host import HOST_STOPPED
from tabletop.protocol.fairness import RECORD_MISMATCH, Verdict
from tabletop.protocol.invitation import Address, InviteLink, parse_link
from tabletop.protocol.messages import (
    OPERATOR_ANNOUNCEMENT,
    RESTART_ANNOUNCED,
    ChatLine,
    Farewell,
    Notice,
    Refused,
    SeatConfig,
)
from tabletop.storage import saved_matches, statistics
from tabletop.storage.record import read, replay
from tabletop.table.connection_events import ChangedCertificate, Lost
from tests.net.hostile.full_disk import Files
from tests.net.impostor import only_greets, posing
from tests.ui.exchange.dropping import drop
from tests.ui.online.session_driver import (
    Friend,
    Friends,
    answer,
    host,
    lobby,
    playing,
    remote,
    start,
)
from tests.ui.window_driver import Open, answering, button, click, key, look, saving_to, settle
from ui.app import Window
from ui.match.screen.table_screen import TableScreen
from ui.online import network_thread
from ui.online.join_screen import JoinScreen
from ui.widgets.qr_code import EnlargedQrCodeDialog

OURS = ("127.0.0.1",)


def play_out(qtbot: QtBot, screen: TableScreen, friend: Friend) -> None:
    """Everybody answers at random until the game is over."""
    luck = FastRng(5)
    while not screen.seated.is_over:
        friend.play()
        seat = screen.switch.shown_seat
        if seat is not None and seat.offers:
            answer(qtbot, screen, luck)
        else:
            settle()
    qtbot.waitUntil(screen.ending.sheet.isVisible)


# Hosting, and the lobby


def test_a_damaged_certificate_is_told_of_and_the_table_opens(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    folders.hosted().mkdir(parents=True)
    (folders.hosted() / FILE).write_bytes(b"no certificate")
    host(qtbot, window)
    qtbot.waitUntil(lambda: "host.pem" in window.banner.text)
    assert list(folders.hosted().glob("host.pem.broken-*"))


def test_any_obstacle_to_hosting_is_explained(
    opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, expected_faults: list[str]
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(network_thread, "Host", fails)
    window = opened()
    window.run_command("host")
    sheet = window.online.hosting.host_sheet
    complaints: list[str] = []
    monkeypatch.setattr(sheet, "show_error", complaints.append)
    click(sheet.start_button)
    qtbot.waitUntil(lambda: bool(complaints))
    assert complaints == ["This computer can't host: Something went wrong. Please try again."]
    qtbot.waitUntil(lambda: "Something went wrong" in window.banner.text)
    assert len(expected_faults) == 1


def test_the_host_shows_what_others_need(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = host(qtbot, window)
    card = screen.invitation
    link = parse_link(card.link)
    assert link.code == card.code.text()
    assert len(link.code) == 6
    assert len(link.fingerprint) == 64
    assert card.picture.isVisible()
    click(card.copy_button)
    assert QGuiApplication.clipboard().text() == card.link
    assert card.copy_button.text() == "Copied"
    first, second = screen.rows
    assert first.text == "Hinata (host, here)"
    assert second.text == "Free"
    assert not screen.start_button.isEnabled()


@pytest.mark.parametrize("size", [(960, 540), (1024, 600), (1280, 800)])
def test_the_field_of_a_code_has_room_for_its_large_letters(
    opened: Open, size: tuple[int, int]
) -> None:
    window = opened(size)
    window.run_command("join")
    settle()
    (screen,) = window.findChildren(JoinScreen)
    assert screen.code.height() >= screen.code.sizeHint().height()
    assert screen.join_button.visibleRegion().boundingRect().size() == screen.join_button.size()


def test_a_small_window_enlarges_the_links_picture(opened: Open, qtbot: QtBot) -> None:
    window = opened(size=(1024, 600))
    card = host(qtbot, window).invitation
    assert not card.picture.isVisible()
    click(card.enlarge_button)
    (large,) = window.findChildren(EnlargedQrCodeDialog)
    assert large.picture.module_side >= 3
    assert large.height() <= window.height()
    click(large.picture)
    qtbot.waitUntil(lambda: not window.findChildren(EnlargedQrCodeDialog))
    window.resize(1280, 800)
    settle()
    click(card.picture)
    (large,) = window.findChildren(EnlargedQrCodeDialog)
    assert large.picture.module_side >= 3
    key(Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.findChildren(EnlargedQrCodeDialog))


def test_the_host_starts_when_all_are_ready(opened: Open, friends: Friends, qtbot: QtBot) -> None:
    window = opened()
    screen = host(qtbot, window)
    friend = friends.come(window)
    qtbot.waitUntil(lambda: screen.rows[1].text == "Kaname")
    qtbot.waitUntil(screen.start_button.isEnabled)
    friend.remote.guest.set_ready(1, False)
    qtbot.waitUntil(lambda: not screen.start_button.isEnabled())
    friend.remote.guest.set_ready(1)
    table = start(qtbot, window)
    assert table.seated.match is None, "the whole table is the host's alone"
    assert [player.name for player in table.seated.players] == ["Hinata", "Kaname"]
    assert not table.curtain.is_drawn


def test_the_host_gives_a_seat_to_a_bot_and_opens_it_again(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = host(qtbot, window)
    texts = [action.text() for action in screen.rows[1].more_button.menu().actions()]
    assert texts == ["Easy bot", "Normal bot", "Hard bot"]
    screen.rows[1].more_button.menu().actions()[2].trigger()
    qtbot.waitUntil(lambda: screen.rows[1].text == "Hard bot")
    assert screen.start_button.isEnabled()
    screen.rows[1].more_button.menu().actions()[0].trigger()
    qtbot.waitUntil(lambda: screen.rows[1].text == "Free")


def test_sitting_down_asks_for_a_unique_name(opened: Open, qtbot: QtBot) -> None:
    window = opened(players=("Hinata",))
    screen = host(qtbot, window)
    row = screen.rows[1]
    click(row.buttons["sit"])
    assert row.field.text() == "Player 2"
    QTest.keyClick(row.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: row.text == "Player 2 (here)")
    assert window.context.settings.players == ("Hinata", "Player 2")
    assert row.buttons["ready"].hasFocus(), "what comes next is one key away"
    QTest.keyClick(row.buttons["ready"], Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: remote(window).info.sitters[1].state == "ready")
    click(row.buttons["rise"])
    qtbot.waitUntil(lambda: row.text == "Free")


# At the table


def test_two_people_behind_one_connection_have_the_curtain(
    opened: Open, friends: Friends, qtbot: QtBot
) -> None:
    window = opened()
    host(qtbot, window, seats=3, here=2)
    friend = friends.come(window, 2)
    screen = start(qtbot, window)
    assert screen.seated.people == (0, 1)
    luck, looked = FastRng(2), set()
    for _ in range(12):
        qtbot.waitUntil(
            lambda: bool(
                friend.play()
                or screen.curtain.is_drawn
                or screen.switch.decision.handover_due
                or has_turn(screen)
            )
        )
        if look(qtbot, screen):
            looked.add(screen.switch.active_viewer)
        if has_turn(screen):
            answer(qtbot, screen, luck)
    assert looked == {0, 1}, "each has looked behind a curtain of their own"


def until_turn(qtbot: QtBot, screen: TableScreen, friend: Friend) -> None:
    """The friend plays until it is one's own turn."""
    qtbot.waitUntil(lambda: bool(has_turn(screen) or (friend.play() and has_turn(screen))))


def has_turn(screen: TableScreen) -> bool:
    seat = screen.switch.shown_seat
    return seat is not None and bool(seat.offers)


def test_a_card_waits_dimmed_and_returns_with_the_reason(
    opened: Open, friends: Friends, qtbot: QtBot
) -> None:
    window, friend, screen = playing(opened, friends, qtbot)
    until_turn(qtbot, screen, friend)
    guest = remote(window)
    sent: list[object] = []
    guest.connection.send = sent.append  # the host is slow to answer
    seat = screen.switch.shown_seat
    number, offers = next(iter(seat.offers.items()))
    move = offers[0].sample(number, FastRng(1))
    screen.scene.choice.play(move)
    qtbot.waitUntil(lambda: screen.scene.selection_view.shows_pending)
    item = screen.scene.stage.item_of(move.cards[0])
    assert item.zone == move.target
    assert item.opacity() < 1
    assert screen.prompt.text == "Your move is on its way…"
    assert screen.scene.choice.legal_moves() == [], "one answer is enough"
    guest.handle_event(Refused(Reason("The rules do not allow this now."), "play", seat.number))
    qtbot.waitUntil(lambda: item.zone == f"hand/{seat.number}")
    assert item.opacity() == 1
    assert "The rules do not allow this now." in screen.prompt.reason
    assert screen.scene.choice.legal_moves()


def test_chat_is_plain_text_with_an_unread_mark(
    opened: Open, friends: Friends, qtbot: QtBot
) -> None:
    _, friend, screen = playing(opened, friends, qtbot)
    tabs = screen.dock.tabs
    friend.remote.guest.send_chat("<b>Good luck!</b>", 1)
    qtbot.waitUntil(lambda: any("●1" in tabs.tabText(n) for n in range(tabs.count())))
    QTest.keyClick(screen.view, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier)
    settle()
    chat = screen.dock.chat
    assert chat.isVisible()
    assert chat.field.hasFocus()
    assert not any("●" in tabs.tabText(n) for n in range(tabs.count()))
    assert chat.text == "Kaname  <b>Good luck!</b>"
    QTest.keyClicks(chat.field, "You too")
    QTest.keyClick(chat.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "Hinata  You too" in chat.text)
    qtbot.waitUntil(lambda: friend.remote.guest.chat[-1] == ChatLine(0, "You too"))


def test_plaques_show_who_is_there_and_who_is_away(
    opened: Open, friends: Friends, qtbot: QtBot
) -> None:
    _, friend, screen = playing(opened, friends, qtbot)
    qtbot.waitUntil(lambda: screen.scene.stage.marks.get(1) in ("far", "thinking"))
    assert 0 not in screen.scene.stage.marks
    friend.remote.guest.set_absent(1)
    qtbot.waitUntil(lambda: screen.scene.stage.marks.get(1) == "away")


def test_the_table_waits_for_who_is_away_and_the_host_decides(
    opened: Open, friends: Friends, qtbot: QtBot
) -> None:
    _, friend, screen = playing(opened, friends, qtbot)
    others = screen.other_players
    friend.remote.guest.set_absent(1)
    qtbot.waitUntil(lambda: "The table waits for Kaname: " in others.notice_bar.text)
    assert others.notice_bar.text.endswith(("5:00 left.", "4:59 left.", "4:58 left."))
    assert screen.scene.choice.legal_moves() == [], "nothing can be done meanwhile"
    assert screen.view.geometry().top() > others.notice_bar.geometry().bottom(), (
        "nothing is covered"
    )
    click(button(others.notice_bar, "Let a bot play"))
    qtbot.waitUntil(lambda: screen.scene.stage.marks.get(1) == "bot")
    qtbot.waitUntil(lambda: others.notice_bar.isHidden())
    friend.remote.guest.set_absent(1, False)
    qtbot.waitUntil(lambda: screen.scene.stage.marks.get(1) in ("far", "thinking"))


def test_who_said_to_be_away_says_to_be_back(opened: Open, friends: Friends, qtbot: QtBot) -> None:
    window, _, screen = playing(opened, friends, qtbot)
    others = screen.other_players
    window.run_command("away")
    qtbot.waitUntil(lambda: "The table waits for Hinata" in others.notice_bar.text)
    click(button(others.notice_bar, "I am back"))
    qtbot.waitUntil(lambda: others.notice_bar.isHidden())


def test_a_lost_line_keeps_the_question_and_says_when_next(
    opened: Open, friends: Friends, qtbot: QtBot
) -> None:
    window, friend, screen = playing(opened, friends, qtbot)
    until_turn(qtbot, screen, friend)
    others = screen.other_players
    remote(window).handle_event(Lost(Reason("Connection lost. Reconnecting…"), 4.0))
    settle()
    told = "Connection lost. Your seat is kept. Trying again in "
    assert others.notice_bar.text in [f"{told}{seconds} s." for seconds in (4, 3, 2, 1)]
    assert screen.scene.choice.legal_moves() == []
    assert screen.prompt.text == "The table waits until you are connected again."
    click(button(others.notice_bar, "Try now"))
    qtbot.waitUntil(lambda: others.notice_bar.isHidden())
    qtbot.waitUntil(lambda: bool(screen.scene.choice.legal_moves()))
    answer(qtbot, screen, FastRng(1))


def test_what_a_host_says_as_it_goes_ends_when_it_is_back(
    opened: Open, friends: Friends, qtbot: QtBot
) -> None:
    window, _, screen = playing(opened, friends, qtbot)
    others = screen.other_players
    remote(window).handle_event(Farewell(HOST_STOPPED, back=True))
    remote(window).handle_event(Lost(Reason("Connection lost. Reconnecting…"), 4.0))
    assert others.notice_bar.text.startswith(HOST_STOPPED.text)
    assert window.banner.text == ""
    click(button(others.notice_bar, "Try now"))
    qtbot.waitUntil(lambda: others.notice_bar.text == "")


def test_news_in_passing_goes_by_itself_and_with_the_screen(
    opened: Open, friends: Friends, qtbot: QtBot
) -> None:
    window, *_ = playing(opened, friends, qtbot)
    remote(window).handle_event(Notice(Reason("The host removed {name}.", {"name": "Kaname"})))
    assert "Kaname" in window.banner.text
    assert window.banner.passing.isActive()
    window.banner.passing.timeout.emit()
    assert window.banner.text == ""
    window.show_message("The disk is full.")
    assert not window.banner.passing.isActive(), "a warning stays"
    window.show_screen(QWidget())
    assert window.banner.text == "The disk is full."
    window.show_message("Somebody came.", "info")
    window.show_screen(QWidget())
    assert window.banner.text == "", "as long as its screen"


def test_what_the_operator_announces_stays_over_every_screen(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    host(qtbot, window)
    remote(window).handle_event(Notice(OPERATOR_ANNOUNCEMENT.with_args(text="At ten we close.")))
    assert window.banner.text == "From the server's operator: At ten we close."
    assert not window.banner.passing.isActive()
    assert lobby(window).error_label.text() == ""
    window.show_screen(QWidget())
    assert "At ten" in window.banner.text
    remote(window).handle_event(Notice(RESTART_ANNOUNCED))
    assert window.banner.text == RESTART_ANNOUNCED.text


def test_a_warning_of_a_deal_stays_when_the_table_is_shown(
    opened: Open, friends: Friends, qtbot: QtBot
) -> None:
    window = opened()
    host(qtbot, window, "chains")
    friends.come(window)
    remote(window).handle_event(Notice(DEALT_AGAIN.with_args(n=2)))
    start(qtbot, window)
    assert "this is deal number 2" in window.banner.text


def test_a_lobby_refusal_stays_until_the_table_changes(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = host(qtbot, window)
    remote(window).handle_event(Refused(Reason("Not everyone is ready yet."), "start"))
    assert screen.error_label.text() == "Not everyone is ready yet."
    remote(window).guest.configure_seat(1, SeatConfig("bot", "easy"))
    qtbot.waitUntil(lambda: screen.error_label.text() == "")


def test_a_pending_move_is_sent_again_after_a_lost_line(
    opened: Open, friends: Friends, qtbot: QtBot
) -> None:
    window, friend, screen = playing(opened, friends, qtbot)
    until_turn(qtbot, screen, friend)
    guest, view = remote(window), screen.seated.view
    line, seat = guest.connection, screen.switch.shown_seat
    send, line.send = line.send, lambda message: None
    number, offers = next(iter(seat.offers.items()))
    screen.scene.choice.play(offers[0].sample(number, FastRng(1)))
    guest.handle_event(Lost(Reason("Connection lost. Reconnecting…"), 4.0))
    settle()
    assert screen.prompt.text == "Your move waits until you are connected again."
    assert screen.scene.choice.legal_moves() == []
    line.send = send
    others = screen.other_players
    click(button(others.notice_bar, "Try now"))
    qtbot.waitUntil(lambda: screen.seated.view.ply > view.ply)
    qtbot.waitUntil(lambda: screen.scene.choice.seat.pending is None)


def test_a_move_is_taken_back_when_the_others_agree(
    opened: Open, friends: Friends, qtbot: QtBot
) -> None:
    window, friend, screen = playing(opened, friends, qtbot)
    until_turn(qtbot, screen, friend)
    answer(qtbot, screen, FastRng(1))
    ply = screen.seated.view.ply
    if screen.switch.shown_seat.undoable:
        window.run_command("undo")
    else:
        window.run_command("undo")
        click(button(screen.prompt, "Ask"))
        qtbot.waitUntil(lambda: "Kaname" in screen.prompt.text)
        friend.remote.guest.answer_wish(1, True)
    qtbot.waitUntil(lambda: screen.seated.view.ply < ply)


def test_alone_at_ones_own_table_nobody_is_asked_to_undo(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    row = host(qtbot, window, "sun").rows[1]
    row.more_button.menu().actions()[0].trigger()
    qtbot.waitUntil(lambda: row.text == "Easy bot")
    screen = start(qtbot, window)
    qtbot.waitUntil(lambda: has_turn(screen))
    ply = screen.seated.view.ply
    answer(qtbot, screen, FastRng(1))
    qtbot.waitUntil(lambda: has_turn(screen) and screen.seated.view.ply > ply + 1)
    window.run_command("undo")
    assert not screen.consent.question
    qtbot.waitUntil(lambda: screen.seated.view.ply == ply)


def test_another_asks_to_take_a_move_back(opened: Open, friends: Friends, qtbot: QtBot) -> None:
    window, friend, screen = playing(opened, friends, qtbot)
    luck = FastRng(1)
    qtbot.waitUntil(lambda: bool(friend.remote.is_playing))
    seat = friend.remote.guest.own_seats[1]
    qtbot.waitUntil(
        lambda: bool(friend.play() or (has_turn(screen) and not answer(qtbot, screen, luck)))
    )
    for _ in range(20):
        qtbot.waitUntil(lambda: bool(seat.pending is None and (has_turn(screen) or seat.offers)))
        if has_turn(screen):
            answer(qtbot, screen, luck)
            if seat.log and any(event.args.get("seat") == 1 for event in seat.log):
                break  # the friend has moved before
        else:
            friend.play()
    qtbot.waitUntil(lambda: not seat.undoable)
    seat.undo()
    qtbot.waitUntil(lambda: screen.prompt.text == "Kaname wants to undo the last move. Agree?")
    click(button(screen.prompt, "No"))
    qtbot.waitUntil(lambda: "Agree?" not in screen.prompt.text)
    qtbot.waitUntil(lambda: "Hinata doesn't agree" in window.banner.text)


# The end


def test_the_score_sheet_shows_fairness_and_a_rematch(
    opened: Open, friends: Friends, home: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    window = opened()
    host(qtbot, window, "chains")
    friend = friends.come(window)
    screen = start(qtbot, window)
    play_out(qtbot, screen, friend)
    qtbot.waitUntil(lambda: bool(screen.ending.sheet.verdict.accessibleName()))
    assert screen.ending.sheet.verdict.accessibleName() == "Shuffle and dice verified."
    (back,) = KnownHosts(folders.known_hosts()).rejoinable_tables
    assert back.ticket.starts.state == "settled", "what was dealt is kept on disk"
    with statistics.open_statistics() as kept:
        assert len(kept.matches(screen.seated.players[0].name, "chains")) == 1
    target = home / "far.tabletop"
    saving_to(monkeypatch, target)
    click(button(screen.ending.sheet, "Save replay…"))
    assert replay(read(target)).state.result == screen.seated.view.result
    remote(window).proof_check.verdict = Verdict(False, RECORD_MISMATCH.with_args(n=7), 7)
    remote(window).proof_checked.emit()
    assert "it differs at move 7" in screen.ending.sheet.verdict.accessibleName()
    click(button(screen.ending.sheet, "Play again"))
    qtbot.waitUntil(lambda: window.table is None and window.online.lobby_screen is not None)
    lobby(window).rows[0].buttons["ready"].click()
    friend.remote.guest.set_ready(1)
    again = start(qtbot, window)
    assert again is not screen
    assert again.seated.view.ply < 3
    assert saved_matches.unfinished_matches()[0] == (), "the match is kept where it is hosted"
    assert len(saved_matches.finished_matches()[0]) == 1, "and is a replay at every computer"


def test_a_shared_match_is_watched_from_its_score_sheet(
    opened: Open, friends: Friends, qtbot: QtBot
) -> None:
    window = opened(confirmations={"leave": False})
    host(qtbot, window, "chains")
    friend = friends.come(window)
    screen = start(qtbot, window)
    play_out(qtbot, screen, friend)
    qtbot.waitUntil(lambda: bool(screen.ending.sheet.verdict.accessibleName()))
    result = screen.seated.view.result
    click(button(screen.ending.sheet, "Watch replay"))
    watched = window.replays.screen
    assert watched.playback.plies[-1].state.result == result
    assert not window.online.is_visiting
    (kept,), _ = saved_matches.finished_matches()
    assert read(kept.path).fair is not None
    assert verify(kept.path) == 0


# A full disk


def test_a_full_disk_is_said_where_a_table_is_opened(
    opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, files = opened(), Files(monkeypatch)
    files.full = True
    window.run_command("host")
    sheet = window.online.hosting.host_sheet
    click(sheet.start_button)
    qtbot.waitUntil(lambda: "the disk is full" in sheet.error_label.text())
    assert not window.online.is_visiting
    files.full = False
    click(sheet.start_button)
    qtbot.waitUntil(lambda: bool(window.online.lobby_screen and lobby(window).invitation.link))


def test_a_full_disk_is_said_where_this_computer_hosts(
    opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened()

    async def refuse(host: object) -> None:
        raise write_error(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), "host.pem")

    monkeypatch.setattr(network_thread.Host, "start", refuse)
    window.context.words = Words("ja")
    window.run_command("host")
    sheet = window.online.hosting.host_sheet
    click(sheet.start_button)
    qtbot.waitUntil(lambda: "ディスクに空きがありません" in sheet.error_label.text())


def test_a_full_disk_stays_said_where_a_seat_is_taken(
    opened: Open, friends: Friends, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened()
    screen = host(qtbot, window, here=1)
    files = Files(monkeypatch)
    files.full = True
    click(screen.rows[1].buttons["sit"])
    click(screen.rows[1].buttons["sit"])
    qtbot.waitUntil(lambda: "the disk is full" in screen.error_label.text())
    assert remote(window).local_seats == (0,)
    files.full = False
    seen = remote(window).info
    friends.come(window, seat=-1).remote.guest.watch()
    qtbot.waitUntil(lambda: remote(window).info.watching > seen.watching)
    assert "the disk is full" in screen.error_label.text(), "it was not read yet"
    click(screen.rows[1].buttons["sit"])  # its name is still there
    qtbot.waitUntil(lambda: remote(window).local_seats == (0, 1))
    assert screen.error_label.text() == ""


# Coming back


def test_a_window_that_was_closed_returns_to_its_table(
    opened: Open, friends: Friends, qtbot: QtBot
) -> None:
    window, _, screen = playing(opened, friends, qtbot)
    view = screen.seated.view
    window.close()
    assert not window.online.network.is_running
    friends.close()
    again = opened()
    card = again.shelf.cards[0]
    assert card.main_button.text() == "Return"
    click(card.main_button)
    qtbot.waitUntil(lambda: again.table is not None)
    qtbot.waitUntil(lambda: again.table.seated.view.cards == view.cards)
    assert again.table.switch.active_viewer == 0


def test_who_is_displaced_gets_the_seat_back_with_one_click(
    opened: Open, friends: Friends, qtbot: QtBot
) -> None:
    window = opened()
    host(qtbot, window)
    elsewhere = friends.remote(window, remote(window).guest.ticket)
    qtbot.waitUntil(lambda: "taken from another window" in lobby(window).notice_bar.text)
    assert window.online.remote is not None, "the table stays on the screen"
    click(button(lobby(window).notice_bar, "Take the seat back"))
    qtbot.waitUntil(lambda: lobby(window).notice_bar.text == "")
    qtbot.waitUntil(lambda: elsewhere.is_displaced)
    friend = friends.come(window)
    screen = start(qtbot, window)
    until_turn(qtbot, screen, friend)
    others = screen.other_players
    friends.remote(window, remote(window).guest.ticket)
    qtbot.waitUntil(lambda: "taken from another window" in others.notice_bar.text)
    assert screen.scene.choice.legal_moves() == []
    click(button(others.notice_bar, "Take the seat back"))
    qtbot.waitUntil(lambda: others.notice_bar.text == "")
    qtbot.waitUntil(lambda: bool(screen.scene.choice.legal_moves()))


def test_a_table_that_is_gone_is_no_way_back(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    host(qtbot, window)
    assert len(window.online.known_hosts.rejoinable_tables) == 1
    window.close()
    for file in window.online.network.folder.glob("*.table"):
        file.unlink()
    again = opened()
    click(again.shelf.cards[0].main_button)
    qtbot.waitUntil(lambda: "no longer exists" in again.banner.text)
    assert not again.online.known_hosts.rejoinable_tables
    assert not again.shelf.cards


def test_a_hosted_table_that_is_forgotten_is_closed(
    opened: Open, friends: Friends, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    window, _, _ = playing(opened, friends, qtbot)
    window.close()
    friends.close()
    folder = window.online.network.folder
    assert list(folder.glob("*.table"))
    again = opened()
    asked = answering(monkeypatch, "Cancel")
    click(again.shelf.cards[0].buttons[1])
    assert "ends for everyone" in asked[0]
    assert again.shelf.cards
    assert again.online.known_hosts.rejoinable_tables
    answering(monkeypatch, "Close the table")
    click(again.shelf.cards[0].buttons[1])
    qtbot.waitUntil(lambda: not list(folder.glob("*.table")))
    assert list((folder / "finished").glob("*.tabletop")), "its record is kept"
    assert not again.shelf.cards


def test_nobody_wants_to_return(
    opened: Open, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    window = opened()
    host(qtbot, window)
    window.close()
    again = opened()
    card = again.shelf.cards[0]
    answering(monkeypatch, "Close the table")
    click(button(card, "Delete"))
    assert not again.shelf.cards


# Joining


def found(name: str, free: int = 1, speaks: bool = True) -> DiscoveredTable:
    listed = ListedTable(name, name, "sun", 2, free, "none")
    return DiscoveredTable(listed, Address(OURS, 1, "f"), "kaname-pc", "0.0.1", speaks)


@pytest.mark.usefixtures("nobody_near")
def test_network_tables_are_listed_with_version_advice(
    opened: Open,
) -> None:
    window = opened()
    window.run_command("join")
    screen = window.online.join_screen
    window.online.network.tables_found.emit(
        (found("Full", 0), found("Old", speaks=False), found("One"))
    )
    settle()
    one, full, old = screen.rows
    assert (one.text(), full.text(), old.text()) == ("One", "Full", "Old")
    assert "1 of 2 free" in one.accessibleDescription()
    assert "full" in full.accessibleDescription()
    role = QAccessible.queryAccessibleInterface(one).role()
    assert role is QAccessible.Role.Button, "no check box that is not checked"
    assert not old.isEnabled()
    assert "Version 0.0.1; you have " in old.accessibleDescription()
    assert "Update the older one" in old.accessibleDescription()
    click(one)
    assert screen.code.hasFocus()
    window.online.network.tables_found.emit(())
    settle()
    assert screen.rows == []


@pytest.mark.usefixtures("nobody_near")
def test_two_tables_of_one_host_can_be_told_apart(opened: Open) -> None:
    """A host that was restarted announces the new table, and others still hear of the one before;
    or a match goes on without its host."""
    window = opened()
    window.run_command("join")
    screen = window.online.join_screen
    new = replace(found("Hinata"), started_at=2)
    asleep = replace(found("Hinata"), started_at=1, listed=replace(new.listed, table="before"))
    left = replace(new.listed, table="left", playing=True, host_here=False)
    window.online.network.tables_found.emit((new, asleep, replace(new, listed=left)))
    settle()
    told = {row.found.listed.table: row.accessibleDescription() for row in screen.rows}
    assert "from before the host was restarted" in told["before"]
    assert "match under way, the host is away" in told["left"]
    assert not any(each in told["Hinata"] for each in ("restarted", "under way", "is away"))


def test_a_wrong_code_is_said_and_another_can_be_tried(
    opened: Open, friends: Friends, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    window = opened()
    screen = host(qtbot, window)
    link = parse_link(screen.invitation.link)
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "other"))
    other = opened()
    other.run_command("join")
    join = other.online.join_screen
    QTest.keyClicks(join.code, "22222")
    join.address.setText(f"127.0.0.1:{link.port}")
    click(join.join_button)
    assert "six characters" in join.error_label.text()
    QTest.keyClicks(join.code, "2")
    click(join.join_button)
    qtbot.waitUntil(lambda: "No table here has this code." in join.error_label.text())
    join.code.setText(link.code)
    click(join.join_button)
    qtbot.waitUntil(lambda: other.online.lobby_screen is not None)
    qtbot.waitUntil(lambda: bool(lobby(other).rows))
    assert lobby(other).rows[0].text == "Hinata (host)"


MESSAGE = "卓に来てね（{}）。待ってます！"


@pytest.mark.parametrize("pasted", ["link in its line", "link as code", "code in its line"])
def test_a_message_with_an_invitation_can_be_pasted(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot, pasted: str
) -> None:
    window = opened()
    link = host(qtbot, window).invitation.link
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "other"))
    other = opened()
    other.run_command("join")
    join = other.online.join_screen
    if pasted == "code in its line":
        code = parse_link(link).code
        other.online.join_screen.code.setText(f"コードは{code}です")
        join.address.setText(f"住所は 127.0.0.1:{parse_link(link).port} です")
    else:
        (join.address if pasted == "link in its line" else join.code).setText(MESSAGE.format(link))
    assert join.join_button.text() == "Join"
    click(join.join_button)
    qtbot.waitUntil(lambda: other.online.lobby_screen is not None)


def test_a_typed_code_is_in_capitals_and_a_message_as_it_is(opened: Open) -> None:
    window = opened()
    window.run_command("join")
    join = window.online.join_screen
    QTest.keyClicks(join.code, "k7mpq")
    assert join.code.text() == "K7MPQ"
    join.code.clear()
    QTest.keyClicks(join.code, "(k7mpq2), see you")
    assert join.code.text() == "(K7MPQ2), see you"


@contextmanager
def silent_host(folder: Path) -> Iterator[Address]:
    """A host that greets everybody and lets nobody in."""
    loop, ready = asyncio.new_event_loop(), Event()
    places: list[Address] = []
    over = asyncio.Event()

    async def serve() -> None:
        async with posing(folder, only_greets) as impostor:
            places.append(Address(("127.0.0.1",), impostor.port))
            ready.set()
            await over.wait()

    thread = Thread(target=lambda: loop.run_until_complete(serve()))
    thread.start()
    ready.wait()
    yield places[0]
    loop.call_soon_threadsafe(over.set)
    thread.join()
    loop.close()


def test_a_host_that_lets_nobody_in_blocks_no_other(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    window = opened()
    link = parse_link(host(qtbot, window).invitation.link)
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "other"))
    monkeypatch.setattr(network_thread, "ConnectionSettings", partial(ConnectionSettings, 0.5))
    with silent_host(tmp_path / "silent") as silent:
        places = [silent]
        monkeypatch.setattr(
            "ui.online.routes.addresses_from_code", lambda code, *more: tuple(places)
        )
        other = opened()
        other.run_command("join")
        join = other.online.join_screen
        join.code.setText(link.code)
        click(join.join_button)
        qtbot.waitUntil(lambda: "lets nobody in" in join.error_label.text())
        assert silent.name in join.error_label.text()
        assert join.join_button.isEnabled()
        places.append(Address(OURS, link.port))
        messages: list[str] = []
        monkeypatch.setattr(join, "show_progress", messages.append)
        click(join.join_button)
        qtbot.waitUntil(lambda: other.online.lobby_screen is not None)
        assert "That didn't work. Trying the next address…" in messages


def test_a_link_is_followed(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    window = opened()
    link = parse_link(host(qtbot, window).invitation.link)
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "other"))
    other = opened()
    text = f"tabletop://127.0.0.1:{link.port}/{link.table}?code={link.code}&fp={link.fingerprint}"
    drop(other, f"Come and play: {text}")
    qtbot.waitUntil(lambda: bool(other.online.lobby_screen is not None and lobby(other).rows))
    other.online.join_by_link("tabletop://")
    assert "isn't an address" in other.banner.text


def announced(link: InviteLink, table: str, fingerprint: str) -> DiscoveredTable:
    """The announcement of the table of a link, by the computer of this certificate."""
    listed = ListedTable(table, "Hinata's table", "sisters", 2, 1, "none")
    return DiscoveredTable(
        listed, Address(OURS, link.port, fingerprint), "hinata-pc", "0.0.1", True
    )


@pytest.mark.usefixtures("nobody_near")
def test_two_announcements_of_one_table_are_two_rows_and_marked(opened: Open) -> None:
    window = opened()
    window.run_command("join")
    screen = window.online.join_screen
    heard: list[tuple[DiscoveredTable, ...]] = []
    finder = Finder(heard.append)
    link = InviteLink("127.0.0.1", 1)
    finder.add("t._tabletop", announced(link, "t", "ab"))
    finder.add("t._tabletop", announced(link, "t", "cd"))
    finder.add("u._tabletop", announced(link, "u", "ef"))
    finder.add("v._tabletop", found("Another"))
    window.online.network.tables_found.emit(heard[-1])
    settle()
    assert [row.text() for row in screen.rows] == ["Another", *["Hinata's table"] * 3]
    marked = [
        "another computer offers it too" in row.accessibleDescription() for row in screen.rows
    ]
    assert marked == [False, True, True, True]
    click(screen.rows[2])
    assert [row.isChecked() for row in screen.rows] == [False, False, True, False]
    window.online.network.tables_found.emit(heard[-1])
    assert [row.isChecked() for row in screen.rows] == [False, False, True, False]


@pytest.mark.usefixtures("nobody_near")
def test_a_host_that_does_not_respond_is_marked(opened: Open) -> None:
    window = opened()
    window.run_command("join")
    there = found("Ann's table")
    window.online.network.tables_found.emit([there, replace(there, is_reachable=False)])
    settle()
    rows = window.online.join_screen.rows
    assert ["isn't responding" in row.accessibleDescription() for row in rows] == [False, True]


@pytest.mark.usefixtures("nobody_near")
def test_joining_by_the_list_remembers_a_proven_host(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    window = opened()
    link = parse_link(host(qtbot, window).invitation.link)
    table = remote(window).guest.ticket.table
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "other"))
    other = opened()
    other.run_command("join")
    join = other.online.join_screen
    other.online.network.tables_found.emit((announced(link, table, "what anybody may claim"),))
    click(join.rows[0])
    join.code.setText("AAAAAA")
    click(join.join_button)
    qtbot.waitUntil(lambda: "No table here has this code." in join.error_label.text())
    assert other.online.known_hosts.fingerprint_of("hinata-pc") == ""
    join.code.setText(link.code)
    click(join.join_button)
    qtbot.waitUntil(lambda: other.online.lobby_screen is not None)
    assert other.online.known_hosts.fingerprint_of("hinata-pc") == link.fingerprint


def test_another_host_at_a_known_address_is_no_alarm(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    """The link carries the right key, and the address was somebody else's last week."""
    window = opened()
    link = parse_link(host(qtbot, window).invitation.link)
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "other"))
    other = opened()
    name = f"127.0.0.1:{link.port}"
    other.online.known_hosts.trust(name, "ab" * 32)
    asked = answering(monkeypatch, "Don't connect")
    other.online.join_by_link(f"tabletop://{name}?code={link.code}&fp={link.fingerprint}")
    qtbot.waitUntil(lambda: other.online.lobby_screen is not None)
    assert asked == []
    assert other.online.known_hosts.fingerprint_of(name) == link.fingerprint
    (place,) = other.online.known_hosts.addresses_of(link.fingerprint)
    assert place.name == name


@pytest.mark.parametrize("goes_on", [True, False])
def test_a_known_table_at_another_host_is_asked_about(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, goes_on: bool, qtbot: QtBot
) -> None:
    window = opened()
    link = parse_link(host(qtbot, window).invitation.link)
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "other"))
    other = opened()
    kept = Ticket(link.table, "K7MPQ2", "", {0: "secret"}, "ab" * 32)
    place = Address(("192.0.2.7",), link.port, "ab" * 32)
    other.online.known_hosts.add_rejoinable(place, kept, "Ann's table", "sun")
    asked = answering(monkeypatch, "Continue anyway" if goes_on else "Don't connect")
    name = f"127.0.0.1:{link.port}"
    other.online.join_by_link(
        f"tabletop://{name}/{link.table}?code={link.code}&fp={link.fingerprint}"
    )
    (question,) = asked
    assert "leads to it at another computer" in question
    if goes_on:
        qtbot.waitUntil(lambda: other.online.lobby_screen is not None)
    else:
        assert other.online.remote is None


@pytest.mark.parametrize("goes_on", [True, False])
def test_a_changed_certificate_is_asked_about(
    opened: Open, friends: Friends, monkeypatch: pytest.MonkeyPatch, goes_on: bool, qtbot: QtBot
) -> None:
    window = opened()
    host(qtbot, window)
    asked = answering(monkeypatch, "Continue anyway" if goes_on else "Don't connect")
    guest = remote(window)
    place = guest.connection.place
    guest.handle_event(
        ChangedCertificate(
            place, place.fingerprint, CERTIFICATE_CHANGED.with_args(place=place.name)
        )
    )
    assert "another certificate than before" in asked[0]
    if goes_on:
        qtbot.waitUntil(lambda: remote(window).guest.connection_state == "inside")
    else:
        assert window.online.remote is None


def test_nobody_to_be_found(opened: Open, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    window = opened()
    monkeypatch.setattr("ui.online.routes.addresses_from_code", lambda code, *more: ())
    window.run_command("join")
    screen = window.online.join_screen
    screen.code.setText("K7MPQ2")
    click(screen.join_button)
    assert "No table with this code" in screen.error_label.text()
    screen.address.setText("127.0.0.1:1")
    click(screen.join_button)
    qtbot.waitUntil(lambda: "Can't reach a host at" in screen.error_label.text())


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("192.168.1.5：７００００", "A port is a number from 1 to 65535."),
        ("192.168.1", "isn't an address or an invitation."),
        ("come on over", "isn't an address or an invitation."),
    ],
)
def test_an_address_that_cannot_be_is_named(typed: str, told: str, opened: Open) -> None:
    """And the button isn't simply grey."""
    window = opened()
    window.run_command("join")
    screen = window.online.join_screen
    assert not screen.join_button.isEnabled()
    screen.address.setText(typed)
    click(screen.join_button)
    assert told in screen.error_label.text()


def test_the_table_is_handed_over_and_everybody_follows(
    opened: Open, friends: Friends, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    window = opened()
    link = parse_link(host(qtbot, window, "chains").invitation.link)
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "other"))
    other = opened()
    other.online.join_by_link(f"tabletop://127.0.0.1:{link.port}/{link.table}?code={link.code}")
    qtbot.waitUntil(lambda: bool(other.online.lobby_screen is not None and lobby(other).rows))
    row = lobby(other).rows[1]
    click(row.buttons["sit"])
    click(row.buttons["sit"])
    qtbot.waitUntil(row.buttons["ready"].isVisible)
    click(row.buttons["ready"])
    old = start(qtbot, window)
    qtbot.waitUntil(lambda: other.table is not None)
    new = other.table
    menu = window.menus.submenus["hand_over"]
    assert menu.isEnabled()
    menu.aboutToShow.emit()
    menu.actions()[0].trigger()
    qtbot.waitUntil(lambda: "asks you to host this table from now on" in new.prompt.text)
    click(button(new.prompt, "Host it here"))
    qtbot.waitUntil(lambda: bool(remote(other).is_host and not remote(window).is_host))
    for screen in (old, new):
        qtbot.waitUntil(lambda screen=screen: screen.other_players.notice_bar.isHidden())
    ply, luck = old.seated.view.ply, FastRng(3)
    qtbot.waitUntil(lambda: has_turn(old) or has_turn(new))
    answer(qtbot, old if has_turn(old) else new, luck)
    qtbot.waitUntil(lambda: old.seated.view.ply > ply)


# Watching, and leaving


def test_a_spectator_sees_the_open_table_and_can_do_nothing(
    opened: Open, friends: Friends, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    window = opened()
    screen = host(qtbot, window)
    link = parse_link(screen.invitation.link)
    friends.come(window)
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "other"))
    other = opened()
    other.online.join_by_link(f"tabletop://127.0.0.1:{link.port}/{link.table}?code={link.code}")
    qtbot.waitUntil(lambda: bool(other.online.lobby_screen is not None and lobby(other).rows))
    click(button(lobby(other), "Watch"))
    table = start(qtbot, window)
    qtbot.waitUntil(lambda: other.table is not None)
    seen = other.table
    assert seen.switch.active_viewer == AUDIENCE
    assert seen.seated.people == ()
    assert seen.seated.view == table.seated.view
    assert not seen.scene.choice.legal_moves()


def test_leaving_a_match_asks_until_told_not_to(
    opened: Open, friends: Friends, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    window, friend, _ = playing(opened, friends, qtbot)
    asked = answering(monkeypatch, "Cancel")
    window.run_command("leave")
    assert window.table is not None
    answering(monkeypatch, "Leave", again=False)
    window.run_command("leave")
    assert "it ends for everyone" in asked[0]
    assert window.table is None
    assert not window.context.settings.confirmations["leave"]
    ended: list[Reason] = []
    friend.remote.connection_ended.connect(ended.append)
    qtbot.waitUntil(lambda: bool(ended or friend.remote.guest.ticket.table == ""))
    settle()
    assert window.shelf.cards == [], "there is nothing to return to"


def test_something_else_is_begun_only_once_the_table_is_left(
    opened: Open, friends: Friends, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    window: Window = opened()
    host(qtbot, window)
    friends.come(window)
    start(qtbot, window)
    monkeypatch.setattr("ui.widgets.confirm.choose_to_confirm", lambda *_: -1)
    window.run_command("new")
    assert window.table is not None
    monkeypatch.setattr("ui.widgets.confirm.choose_to_confirm", lambda *_: 0)
    window.run_command("new")
    assert window.table is None
    assert window.stack.currentWidget() is window.shelf
