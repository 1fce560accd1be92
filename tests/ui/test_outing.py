"""Tables of several computers through the window: host, lobby, play, wait, come back, leave."""

from pathlib import Path

import pytest
from at_outing import Friend, Friends, answer, friends, host, lobby, start, visit
from at_window import Open, button, click, hold, home, opened, settle
from patience import until
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox

from tabletop.engine.model import Reason
from tabletop.engine.scratch import Luck
from tabletop.net.client import CHANGED, Stranger
from tabletop.net.fairness import OTHER_TABLE, Verdict
from tabletop.net.finder import Found, Listed
from tabletop.net.guest import Lost
from tabletop.net.invitation import Place, read_link
from tabletop.net.protocol import Refused, Spoken
from tabletop.storage import matches, statistics
from tabletop.storage.record import read, replay
from ui.app import Window
from ui.screens.table import TableScreen

__all__ = ["friends", "home", "opened"]

OURS = ("127.0.0.1",)


def play_out(screen: TableScreen, friend: Friend) -> None:
    """Everybody answers at random until the game is over."""
    luck = Luck(5)
    while not screen.sitting.over:
        friend.play()
        link = screen.sitting.link
        if link is not None and link.offers and not screen.scene.waits:
            answer(screen, luck)
        else:
            settle()
    until(screen.sheet.isVisible, "the score sheet")


# Hosting, and the lobby


def test_the_host_shows_what_others_need(opened: Open) -> None:
    window = opened()
    screen = host(window)
    card = screen.invitation
    link = read_link(card.link)
    assert link.code == card.code.text()
    assert len(link.code) == 6
    assert len(link.fingerprint) == 64
    assert card.picture.isVisible()
    click(card.copy)
    assert QGuiApplication.clipboard().text() == card.link
    assert card.copy.text() == "Copied"
    first, second = screen.rows
    assert first.text == "Hinata (host, here)"
    assert second.text == "Free"
    assert not screen.start.isEnabled()


def test_who_comes_is_seen_and_the_host_starts_when_all_are_ready(
    opened: Open, friends: Friends
) -> None:
    window = opened()
    screen = host(window)
    friend = friends.come(window)
    until(lambda: screen.rows[1].text == "Kaname", "the name in the lobby")
    until(screen.start.isEnabled, "everybody to be ready")
    friend.visit.guest.ready(1, False)
    until(lambda: not screen.start.isEnabled(), "somebody not to be ready")
    friend.visit.guest.ready(1)
    table = start(window)
    assert table.sitting.match is None, "the whole table is the host's alone"
    assert [player.name for player in table.sitting.players] == ["Hinata", "Kaname"]
    assert not table.curtain.drawn


def test_the_host_gives_a_seat_to_a_bot_and_opens_it_again(opened: Open) -> None:
    window = opened()
    screen = host(window)
    texts = [action.text() for action in screen.rows[1].more.menu().actions()]
    assert texts == ["Easy bot", "Normal bot", "Hard bot"]
    screen.rows[1].more.menu().actions()[2].trigger()
    until(lambda: screen.rows[1].text == "Hard bot", "the bot")
    assert screen.start.isEnabled()
    screen.rows[1].more.menu().actions()[0].trigger()
    until(lambda: screen.rows[1].text == "Free", "the free seat")


def test_sitting_down_in_the_lobby_asks_for_a_name_that_nobody_has(opened: Open) -> None:
    window = opened(players=("Hinata", "Hinata"))
    screen = host(window)
    row = screen.rows[1]
    click(row.sit)
    assert row.field.text() == "Hinata 2"
    QTest.keyClick(row.field, Qt.Key.Key_Return)
    until(lambda: row.text == "Hinata 2 (here)", "the seat")
    click(row.rise)
    until(lambda: row.text == "Free", "the free seat")


# At the table


def test_two_people_behind_one_connection_have_the_curtain(opened: Open, friends: Friends) -> None:
    window = opened()
    host(window, seats=3, here=2)
    friend = friends.come(window, 2)
    screen = start(window)
    assert screen.sitting.people == (0, 1)
    luck, looked = Luck(2), set()
    for _ in range(12):
        until(
            lambda: (
                friend.play() or screen.curtain.drawn or screen.hand_over.due or has_turn(screen)
            ),
            "somebody's turn",
        )
        if screen.hand_over.due:
            click(button(screen.prompt, "Hand over"))
        if screen.curtain.drawn:
            hold(screen)
            looked.add(screen.sitting.looking)
        if has_turn(screen):
            answer(screen, luck)
    assert looked == {0, 1}, "each has looked behind a curtain of their own"


def until_turn(screen: TableScreen, friend: Friend) -> None:
    """The friend plays until it is one's own turn."""
    until(lambda: has_turn(screen) or (friend.play() and has_turn(screen)), "one's turn")


def has_turn(screen: TableScreen) -> bool:
    link = screen.sitting.link
    return link is not None and bool(link.offers) and not screen.scene.waits


def test_a_card_waits_dimmed_and_returns_with_the_reason(opened: Open, friends: Friends) -> None:
    window = opened()
    host(window)
    friend = friends.come(window)
    screen = start(window)
    until_turn(screen, friend)
    guest = visit(window)
    assert guest.line is not None
    sent: list[object] = []
    guest.line.send = sent.append  # type: ignore[method-assign]  # the host is slow to answer
    link = screen.sitting.link
    assert link is not None
    number, offers = next(iter(link.offers.items()))
    move = offers[0].sample(number, Luck(1))
    screen.scene.play(move)
    settle()
    item = screen.scene.stage.item_of(move.cards[0])
    assert item is not None
    assert item.zone == move.target
    assert item.opacity() < 1
    assert screen.prompt.text == "Your move is on its way…"
    assert screen.scene.legal() == [], "one answer is enough"
    guest.take(Refused(Reason("The rules do not allow this now."), "play", link.seat))
    until(lambda: item.zone == f"hand/{link.seat}", "the card to come home")
    assert item.opacity() == 1
    assert "The rules do not allow this now." in screen.prompt.reason
    assert screen.scene.legal()


def test_chat_is_plain_text_with_an_unread_mark(opened: Open, friends: Friends) -> None:
    window = opened()
    host(window)
    friend = friends.come(window)
    screen = start(window)
    tabs = screen.dock.tabs
    friend.visit.speak("<b>Good luck!</b>", 1)
    until(lambda: any("●1" in tabs.tabText(n) for n in range(tabs.count())), "the mark")
    QTest.keyClick(screen.view, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier)
    settle()
    chat = screen.dock.chat
    assert chat is not None
    assert chat.isVisible()
    assert chat.field.hasFocus()
    assert not any("●" in tabs.tabText(n) for n in range(tabs.count()))
    assert chat.text == "Kaname  <b>Good luck!</b>"
    QTest.keyClicks(chat.field, "You too")
    QTest.keyClick(chat.field, Qt.Key.Key_Return)
    until(lambda: "Hinata  You too" in chat.text, "the own line")
    until(lambda: friend.visit.guest.chat[-1] == Spoken(0, "You too"), "the line at the friend's")


def test_plaques_show_who_is_there_and_who_is_away(opened: Open, friends: Friends) -> None:
    window = opened()
    host(window)
    friend = friends.come(window)
    screen = start(window)
    until(lambda: screen.scene.stage.marks.get(1) in ("far", "thinking"), "the mark")
    assert screen.scene.stage.marks[0] == ""
    friend.visit.guest.absent(1)
    until(lambda: screen.scene.stage.marks.get(1) == "away", "the mark of who is away")


def test_the_table_waits_for_who_is_away_and_the_host_decides(
    opened: Open, friends: Friends
) -> None:
    window = opened()
    host(window)
    friend = friends.come(window)
    screen = start(window)
    company = screen.company
    assert company is not None
    friend.visit.guest.absent(1)
    until(lambda: "The table waits for Kaname: " in company.strip.text, "the countdown")
    assert company.strip.text.endswith(("5:00 left.", "4:59 left.", "4:58 left."))
    assert screen.scene.legal() == [], "nothing can be done meanwhile"
    assert screen.view.geometry().top() > company.strip.geometry().bottom(), "nothing is covered"
    click(button(company.strip, "Let a bot play"))
    until(lambda: screen.scene.stage.marks.get(1) == "bot", "the bot")
    until(lambda: company.strip.isHidden(), "the table to go on")
    friend.visit.guest.absent(1, False)
    until(lambda: screen.scene.stage.marks.get(1) in ("far", "thinking"), "the person to be back")


def test_who_said_to_be_away_says_to_be_back(opened: Open, friends: Friends) -> None:
    window = opened()
    host(window)
    friends.come(window)
    screen = start(window)
    company = screen.company
    assert company is not None
    window.do("away")
    until(lambda: "The table waits for Hinata" in company.strip.text, "the pause")
    click(button(company.strip, "I am back"))
    until(lambda: company.strip.isHidden(), "the table to go on")


def test_a_lost_line_says_when_it_is_tried_again_and_the_question_stays(
    opened: Open, friends: Friends
) -> None:
    window = opened()
    host(window)
    friend = friends.come(window)
    screen = start(window)
    until_turn(screen, friend)
    company = screen.company
    assert company is not None
    visit(window).take(Lost(Reason("The connection is lost; it is being made again."), 4.0))
    settle()
    assert company.strip.text == ("The connection is lost. Your seat is kept. Trying again in 4 s.")
    assert screen.scene.legal() == []
    assert screen.prompt.text == "The table waits until you are connected again."
    click(button(company.strip, "Try now"))
    until(lambda: company.strip.isHidden(), "the line")
    until(screen.scene.legal, "the open question")
    answer(screen, Luck(1))


def test_a_move_is_taken_back_when_the_others_agree(opened: Open, friends: Friends) -> None:
    window = opened()
    host(window)
    friend = friends.come(window)
    screen = start(window)
    until_turn(screen, friend)
    answer(screen, Luck(1))
    ply = screen.sitting.view.ply
    if screen.sitting.can_undo:
        window.do("undo")
    else:
        window.do("undo")
        click(button(screen.prompt, "Ask"))
        until(lambda: "Kaname" in screen.prompt.text, "the question")
        friend.visit.guest.consent(1, True)
    until(lambda: screen.sitting.view.ply < ply, "the move to be taken back")


def test_another_asks_to_take_a_move_back(opened: Open, friends: Friends) -> None:
    window = opened()
    host(window)
    friend = friends.come(window)
    screen = start(window)
    luck = Luck(1)
    until(lambda: friend.visit.playing, "the friend's table")
    link = friend.visit.guest.links[1]
    until(lambda: friend.play() or (has_turn(screen) and not answer(screen, luck)), "a move")
    for _ in range(20):
        until(lambda: link.sent is None and (has_turn(screen) or link.offers), "somebody's turn")
        if has_turn(screen):
            answer(screen, luck)
            if link.log and any(said.args.get("seat") == 1 for said in link.log):
                break  # the friend has moved before
        else:
            friend.play()
    until(lambda: not link.undoable, "the friend to hear of it")
    link.undo()
    until(
        lambda: screen.prompt.text == "Kaname would like to take the last move back. Agreed?",
        "the question",
    )
    click(button(screen.prompt, "No"))
    until(lambda: "Agreed?" not in screen.prompt.text, "the question to go")
    until(lambda: "Hinata does not agree" in window.banner.text, "the news")


# The end


def test_the_score_sheet_tells_that_the_shuffle_was_fair_and_a_rematch_gathers(
    opened: Open, friends: Friends, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened()
    host(window, "chains")
    friend = friends.come(window)
    screen = start(window)
    play_out(screen, friend)
    until(screen.sheet.verdict.accessibleName, "the check")
    assert screen.sheet.verdict.accessibleName() == "Shuffle and dice verified."
    with statistics.opened() as kept:
        assert len(kept.matches(screen.sitting.players[0].name, "chains")) == 1
    target = home / "far.tabletop"
    monkeypatch.setattr("ui.files.QFileDialog.getSaveFileName", lambda *_: (str(target), ""))
    click(button(screen.sheet, "Save replay…"))
    assert replay(read(target)).state.result == screen.sitting.view.result
    visit(window)._note_verdict(Verdict(False, Reason(OTHER_TABLE.text, {"n": 7}), 7))
    assert "it differs at move 7" in screen.sheet.verdict.accessibleName()
    click(button(screen.sheet, "Rematch"))
    until(lambda: window.table is None and window.outing.lobby is not None, "the lobby")
    lobby(window).rows[0].ready.click()
    friend.visit.guest.ready(1)
    again = start(window)
    assert again is not screen
    assert again.sitting.view.ply < 3
    assert matches.unfinished() == (), "the match is kept where it is hosted"
    assert len(matches.finished()) == 1, "and is a replay at every computer"


def test_a_shared_match_is_watched_from_its_score_sheet(opened: Open, friends: Friends) -> None:
    window = opened(confirmations={"leave": False})
    host(window, "chains")
    friend = friends.come(window)
    screen = start(window)
    play_out(screen, friend)
    until(screen.sheet.verdict.accessibleName, "the check")
    result = screen.sitting.view.result
    click(button(screen.sheet, "Watch replay"))
    watched = window.watching.screen
    assert watched is not None
    assert watched.reel.frames[-1].state.result == result
    assert not window.outing.abroad
    assert len(matches.finished()) == 1


# Coming back


def test_a_window_that_was_closed_returns_to_its_table(opened: Open, friends: Friends) -> None:
    window = opened()
    host(window)
    friends.come(window)
    screen = start(window)
    view = screen.sitting.view
    window.close()
    assert not window.outing.network.running
    friends.close()
    again = opened()
    card = again.shelf.cards[0]
    assert card.go.text() == "Return"
    click(card.go)
    until(lambda: again.table is not None, "the table")
    assert again.table is not None
    until(lambda: again.table.sitting.view.cards == view.cards, "the cards as they lay")
    assert again.table.sitting.looking == 0


def test_nobody_wants_to_return(opened: Open) -> None:
    window = opened()
    host(window)
    window.close()
    again = opened()
    card = again.shelf.cards[0]
    click(button(card, "Forget"))
    assert not again.shelf.cards


# Joining


def found(name: str, free: int = 1, speaks: bool = True) -> Found:
    listed = Listed(name, name, "sun", 2, free, "none")
    return Found(listed, Place(OURS, 1, "f"), "kaname-pc", "0.0.1", speaks)


def test_tables_of_the_network_are_listed_and_another_version_says_what_to_do(
    opened: Open,
) -> None:
    window = opened()
    window.do("join")
    screen = window.outing.join
    assert screen is not None
    window.outing.network.found.emit((found("Full", 0), found("Old", speaks=False), found("One")))
    settle()
    one, full, old = screen.rows
    assert (one.text(), full.text(), old.text()) == ("One", "Full", "Old")
    assert "1 of 2 free" in one.accessibleDescription()
    assert "full" in full.accessibleDescription()
    assert not old.isEnabled()
    assert "Version 0.0.1; you have " in old.accessibleDescription()
    assert "should update" in old.accessibleDescription()
    click(one)
    assert screen.code.hasFocus()
    window.outing.network.found.emit(())
    settle()
    assert screen.rows == []


def test_a_wrong_code_is_said_and_another_can_be_tried(
    opened: Open, friends: Friends, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened()
    screen = host(window)
    link = read_link(screen.invitation.link)
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "other"))
    other = opened()
    other.do("join")
    join = other.outing.join
    assert join is not None
    QTest.keyClicks(join.code, "22222")
    join.way.setText(f"127.0.0.1:{link.port}")
    click(join.join)
    assert "six signs" in join.fault.text()
    QTest.keyClicks(join.code, "2")
    click(join.join)
    until(lambda: "No table here has this code." in join.fault.text(), "the refusal")
    join.code.setText(link.code)
    click(join.join)
    until(lambda: other.outing.lobby is not None, "the lobby")
    until(lambda: lobby(other).rows, "the seats")
    assert lobby(other).rows[0].text == "Hinata (host)"


def test_a_link_is_followed(opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    window = opened()
    link = read_link(host(window).invitation.link)
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "other"))
    other = opened()
    text = f"tabletop://127.0.0.1:{link.port}/{link.table}?code={link.code}&fp={link.fingerprint}"
    other.outing.follow(text)
    until(lambda: other.outing.lobby is not None and lobby(other).rows, "the lobby")
    other.outing.follow("tabletop://")
    assert "is no address" in other.banner.text


@pytest.mark.parametrize("goes_on", [True, False])
def test_a_changed_certificate_is_asked_about(
    opened: Open, friends: Friends, monkeypatch: pytest.MonkeyPatch, goes_on: bool
) -> None:
    window = opened()
    host(window)
    asked: list[str] = []

    def answered(box: QMessageBox) -> int:
        asked.append(box.text())
        text = "Go on all the same" if goes_on else "Do not connect"
        next(each for each in box.buttons() if each.text() == text).click()
        return 0

    monkeypatch.setattr(QMessageBox, "exec", answered)
    guest = visit(window)
    place = guest.line.place  # type: ignore[union-attr]
    guest.take(Stranger(place, place.fingerprint, Reason(CHANGED.text, {"place": place.name})))
    assert "another certificate than before" in asked[0]
    if goes_on:
        until(lambda: visit(window).guest.standing == "inside", "the table")
    else:
        assert window.outing.visit is None


def test_nobody_to_be_found(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    window = opened()
    monkeypatch.setattr("ui.ways.hints", lambda code, *more: ())
    window.do("join")
    screen = window.outing.join
    assert screen is not None
    screen.code.setText("K7MPQ2")
    click(screen.join)
    assert "No table with this code" in screen.fault.text()
    screen.way.setText("127.0.0.1:1")
    click(screen.join)
    until(lambda: "There is no host at" in screen.fault.text(), "the refusal")


def test_the_table_is_handed_over_and_everybody_follows(
    opened: Open, friends: Friends, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened()
    link = read_link(host(window, "chains").invitation.link)
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "other"))
    other = opened()
    other.outing.follow(f"tabletop://127.0.0.1:{link.port}/{link.table}?code={link.code}")
    until(lambda: other.outing.lobby is not None and lobby(other).rows, "the lobby")
    row = lobby(other).rows[1]
    click(row.sit)
    click(row.sit)
    until(row.ready.isVisible, "the seat")
    click(row.ready)
    old = start(window)
    until(lambda: other.table is not None, "the other's table")
    new = other.table
    assert new is not None
    menu = window.menus.submenus["hand_over"]
    assert menu.isEnabled()
    menu.aboutToShow.emit()
    menu.actions()[0].trigger()
    until(lambda: "asks you to host this table on" in new.prompt.text, "the question")
    click(button(new.prompt, "Host it here"))
    until(lambda: visit(other).hosts and not visit(window).hosts, "the table to move")
    for screen in (old, new):
        until(lambda screen=screen: screen.company.strip.isHidden(), "everybody to follow")
    ply, luck = old.sitting.view.ply, Luck(3)
    until(lambda: has_turn(old) or has_turn(new), "somebody's turn")
    answer(old if has_turn(old) else new, luck)
    until(lambda: old.sitting.view.ply > ply, "the move at the former host's")


# Watching, and leaving


def test_a_spectator_sees_the_open_table_and_can_do_nothing(
    opened: Open, friends: Friends, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened()
    screen = host(window)
    link = read_link(screen.invitation.link)
    friends.come(window)
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "other"))
    other = opened()
    other.outing.follow(f"tabletop://127.0.0.1:{link.port}/{link.table}?code={link.code}")
    until(lambda: other.outing.lobby is not None and lobby(other).rows, "the lobby")
    click(button(lobby(other), "Watch"))
    table = start(window)
    until(lambda: other.table is not None, "the spectator's table")
    seen = other.table
    assert seen is not None
    assert seen.sitting.looking == -1
    assert seen.sitting.people == ()
    assert seen.sitting.view == table.sitting.view
    assert not seen.scene.legal()


def test_leaving_a_running_match_asks_first_and_need_not_ask_again(
    opened: Open, friends: Friends, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened()
    host(window)
    friend = friends.come(window)
    start(window)
    asked: list[str] = []

    def answered(text: str, again: bool) -> object:
        def exec_(box: QMessageBox) -> int:
            asked.append(box.text())
            box.checkBox().setChecked(again)
            next(each for each in box.buttons() if each.text() == text).click()
            return 0

        return exec_

    monkeypatch.setattr(QMessageBox, "exec", answered("Cancel", False))
    window.do("leave")
    assert window.table is not None
    monkeypatch.setattr(QMessageBox, "exec", answered("Leave", True))
    window.do("leave")
    assert "it ends for everybody" in asked[0]
    assert window.table is None
    assert not window.room.settings.confirmations["leave"]
    ended: list[Reason] = []
    friend.visit.ended.connect(ended.append)
    until(lambda: ended or friend.visit.guest.ticket.table == "", "the news at the friend's")
    settle()
    assert window.shelf.cards == [], "there is nothing to return to"


def test_something_else_is_begun_only_once_the_table_is_left(
    opened: Open, friends: Friends, monkeypatch: pytest.MonkeyPatch
) -> None:
    window: Window = opened()
    host(window)
    friends.come(window)
    start(window)
    monkeypatch.setattr("ui.outing.agreed", lambda *_: False)
    window.do("new")
    assert window.table is not None
    monkeypatch.setattr("ui.outing.agreed", lambda *_: True)
    window.do("new")
    assert window.table is None
    assert window.new_game is not None
