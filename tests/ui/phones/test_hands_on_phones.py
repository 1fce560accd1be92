"""Hands on phones, from the switch of New game to the score sheet: window, gateway, browsers."""

import os
import ssl
import sys
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from urllib.request import urlopen

import pytest
from PySide6.QtCore import QProcess
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue, game_folders
from tabletop.studio.workshop import new_game as beginning
from tests.net.loopback import LONG
from tests.ui.phones.room_picture import room_picture
from tests.ui.window_driver import Open, answering, click, settle
from tests.web.browser.fingers import needs_chromium
from tests.web.browser.party import Party
from ui.app import Window
from ui.online.host_departure import CLOSING
from ui.online.lobby_screen import LobbyScreen
from ui.online.phone_gateway import PhoneGateway
from ui.online.phones_help import PhonesHelp
from ui.setup.new_game import NewGame
from ui.shell import own_process
from ui.widgets import confirm

MOVES = 12
"""So many are played where a whole match is not wanted."""
WHOLE = 3_600_000 if LONG else 240_000
"""Milliseconds that a match may take on a very busy computer."""


def done(qtbot: QtBot, future: "Future[object]", patience: int = 60_000) -> object:
    """The result of a task at the phones, while the window lives on."""
    qtbot.waitUntil(future.done, timeout=patience)
    return future.result()


@pytest.fixture
def party(qtbot: QtBot) -> Iterator[Party]:
    needs_chromium()
    found = Party()
    yield found
    found.close(lambda future: done(qtbot, future))


def agreed(window: Window, game: str, people: int) -> NewGame:
    """The sheet of a new game with hands on phones, for so many people."""
    window.show_new_game(catalogue.load(game))
    sheet = window.new_game
    sheet.seats.set_count(people)
    for card in sheet.seats.rows:
        card.kind.person.click()
    sheet.phones_box.click()
    return sheet


def opened_table(qtbot: QtBot, window: Window, game: str, people: int) -> LobbyScreen:
    """The lobby of such a table, once phones can come."""
    click(agreed(window, game, people).start_button)
    qtbot.waitUntil(lambda: window.online.lobby_screen is not None)
    qtbot.waitUntil(lambda: bool(gateway(window).addresses))
    lobby = window.online.lobby_screen
    assert lobby is not None
    return lobby


def gateway(window: Window) -> PhoneGateway:
    return window.online.phones.gateway


def seat(qtbot: QtBot, party: Party, window: Window, count: int) -> None:
    """So many phones come by the code on the screen, and take the first free seats."""
    for number in range(count):
        address = gateway(window).addresses[0]
        phone = done(qtbot, party.run(party.come(address, ("ja", "en")[number % 2])))
        done(qtbot, party.run(phone.sit(number, ("はるか", "Sakuya")[number % 2])))


def keep_room(qtbot: QtBot, window: Window, party: Party, folder: str) -> None:
    """Keep README's pictures: a phone; the public table with two phones beside it."""
    shown = done(qtbot, party.run(party.show_hands()))
    assert isinstance(shown, list)
    hands = [QImage.fromData(picture) for picture in shown]
    hands[0].save(f"{folder}/phone-hand.png")
    window.menus.commands["public_table"].trigger()
    table = window.public.table
    table.showNormal()
    table.resize(1600, 900)
    qtbot.waitUntil(lambda: not table.scene.animator.is_running)
    settle(500)
    assert room_picture(table.grab().toImage(), hands).save(f"{folder}/phones-room.png")


def test_a_match_on_phones_alone(
    opened: Open, party: Party, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened()
    lobby = opened_table(qtbot, window, "sun", 2)
    assert lobby.phones_card.isVisible()
    assert not lobby.start_button.isEnabled()
    seat(qtbot, party, window, 2)
    qtbot.waitUntil(lobby.start_button.isEnabled)
    folder = os.environ.get("TABLETOP_PICTURES")
    if folder:
        window.grab().save(f"{folder}/phones-lobby.png")
    click(lobby.start_button)
    qtbot.waitUntil(lambda: window.table is not None)
    if folder:
        keep_room(qtbot, window, party, folder)
    table = window.table
    playing = party.run(party.play(lambda: not LONG and table.seated.view.ply >= MOVES))
    done(qtbot, playing, WHOLE)
    if table.switch.shown_seat.view.result is None:
        done(qtbot, party.run(party.phones[0].concede()))
    qtbot.waitUntil(lambda: table.switch.shown_seat.view.result is not None)
    assert window.online.hosting.possible_hosts == (), "no phone can host the table on"
    asked = answering(monkeypatch, "Cancel")
    assert not window.online.confirm_close(window.close)
    assert asked == [CLOSING]
    monkeypatch.setattr(confirm, "choose_to_confirm", lambda *_: 0)
    window.online.leave()
    assert not gateway(window).is_requested


def test_a_designers_cards_are_on_two_phones(
    opened: Open, party: Party, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without Python: a free table, whose cards are a spreadsheet's."""
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")
    folder = tmp_path / "pond"
    beginning.create_game("Pond Night", folder, "free")
    sheet = folder / "cards.csv"
    rows = sheet.read_text("utf-8").splitlines()
    own = [row.split(",", 1)[1] for row in rows[1:]]
    sheet.write_text("\n".join([rows[0], *(f"Carp {n},{row}" for n, row in enumerate(own))]))
    (game,) = game_folders.add(folder)
    window = opened()
    lobby = opened_table(qtbot, window, game.id, 2)
    seat(qtbot, party, window, 2)
    qtbot.waitUntil(lobby.start_button.isEnabled)
    click(lobby.start_button)
    for phone in party.phones:
        done(qtbot, party.run(phone.page.wait_for_selector(".prompt")))
        assert "Carp " in str(done(qtbot, party.run(phone.page.content())))
    table = window.table
    done(qtbot, party.run(party.play(lambda: table.seated.view.ply >= MOVES)))
    ended = table.seated.view.result is not None  # both may have agreed to it
    assert ended or table.seated.view.ply >= MOVES
    monkeypatch.setattr(confirm, "choose_to_confirm", lambda *_: 0)
    window.online.leave()


def test_a_gateway_that_is_killed_comes_back_with_every_question(
    opened: Open, party: Party, qtbot: QtBot
) -> None:
    window = opened()
    lobby = opened_table(qtbot, window, "sisters", 2)
    seat(qtbot, party, window, 2)
    qtbot.waitUntil(lobby.start_button.isEnabled)
    click(lobby.start_button)
    for phone in party.phones:
        done(qtbot, party.run(phone.page.wait_for_selector(".prompt")))
    asked = [done(qtbot, party.run(phone.asked())) for phone in party.phones]
    for phone in party.phones:
        done(qtbot, party.run(phone.watch_line()))
    process = gateway(window)._process
    process.kill()
    qtbot.waitUntil(lambda: gateway(window)._process not in (None, process))
    for phone in party.phones:
        done(qtbot, party.run(phone.back_again()))
        phone.errors_meanwhile()
    for phone, before in zip(party.phones, asked, strict=True):  # once all are back
        done(qtbot, party.run(phone.page.wait_for_selector(f".prompt h2:text-is({before!r})")))


def test_people_bots_and_phones_mix(opened: Open, party: Party, qtbot: QtBot) -> None:
    """A seat of a person at this screen, one with a phone, one of a bot."""
    window = opened()
    sheet = agreed(window, "sisters", 3)
    sheet.seats.rows[2].kind.seat_bot()
    click(sheet.start_button)
    qtbot.waitUntil(lambda: bool(gateway(window).addresses))
    lobby = window.online.lobby_screen
    here = lobby.rows[1]
    click(here.buttons["sit"])
    click(here.buttons["sit"])
    qtbot.waitUntil(here.buttons["ready"].isVisible)
    click(here.buttons["ready"])
    seat(qtbot, party, window, 1)
    qtbot.waitUntil(lobby.start_button.isEnabled)
    click(lobby.start_button)
    qtbot.waitUntil(lambda: window.table is not None)
    done(qtbot, party.run(party.phones[0].page.wait_for_selector(".prompt")))
    table = window.table
    assert table.seated.people == (1,)


def answer(address: str) -> int:
    """The HTTP status at an address, with any certificate."""
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    with urlopen(address.partition("#")[0], timeout=60, context=trusting) as told:
        return int(told.status)


def test_one_switch_encrypts_the_page_with_the_hosts_certificate(
    opened: Open, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    window = opened()
    sheet = agreed(window, "sun", 2)
    assert "could read hands" in sheet.encryption.caption.text()
    lobby = opened_table(qtbot, window, "sun", 2)
    card = lobby.phones_card
    plain = gateway(window).addresses[0]
    assert plain.startswith("http://")
    assert answer(plain) == 200
    click(card.encryption.check_box)
    assert "warning once" in card.encryption.caption.text()
    qtbot.waitUntil(lambda: bool(gateway(window).addresses))
    secure = gateway(window).addresses[0]
    assert secure.startswith("https://")
    assert window.online.phones.join_url == secure
    assert card.address.text() == secure.partition("#")[0].rstrip("/")
    assert answer(secure) == 200
    assert answer(secure.replace("https:", "http:")) == 200  # sent on
    qtbot.waitUntil(lambda: bool(gateway(window).visitor_addresses))
    asked = answering(monkeypatch, "Cancel")
    click(card.encryption.check_box)
    assert "cut off" in asked[0]
    assert card.encryption.check_box.isChecked()
    assert gateway(window).addresses[0] == secure
    answering(monkeypatch, "Change it now")
    click(card.encryption.check_box)
    qtbot.waitUntil(lambda: bool(gateway(window).addresses))
    assert gateway(window).addresses[0].startswith("http://")


PRINTS = """
for address in ("10.0.0.5", "192.168.7.9"):
    print(f"listening 18980\\naddress http://{address}:18980/#K7MPQ2", flush=True)
    input()
"""


def test_the_code_follows_when_this_computers_address_changes(
    opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The address was printed once, at the gateway's start; and it listened by IPv4 alone."""
    words: list[str] = []

    def start(process: QProcess, said: list[str], _: object) -> None:
        words.extend(said)
        process.start(sys.executable, ["-c", PRINTS])

    monkeypatch.setattr(own_process, "start", start)
    window = opened()
    lobby = opened_table(qtbot, window, "sun", 2)
    shown: list[str] = []
    gateway(window).changed.connect(lambda: shown.append(window.online.phones.join_url))
    assert lobby.phones_card.address.text() == "10.0.0.5:18980"
    assert "--bind" not in words, "on all addresses of both kinds"
    gateway(window)._process.write(b"\n")
    qtbot.waitUntil(lambda: lobby.phones_card.address.text() == "192.168.7.9:18980")
    assert shown == ["http://192.168.7.9:18980/#K7MPQ2"], "never without one meanwhile"


def test_help_knocks_at_the_page_and_names_who_came(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    opened_table(qtbot, window, "sun", 2)
    window.run_command("phones")
    (help,) = window.findChildren(PhonesHelp)
    assert help.test_button.isEnabled()
    click(help.test_button)
    address = gateway(window).addresses[0].removeprefix("http://").partition("/")[0]
    qtbot.waitUntil(lambda: f"{address}: answers from this computer" in help.results_label.text())
    qtbot.waitUntil(
        lambda: bool(gateway(window).visitor_addresses) or "No phone" in help.results_label.text()
    )


def test_help_without_a_table_says_how_to_test(opened: Open) -> None:
    window = opened()
    window.run_command("phones")
    (help,) = window.findChildren(PhonesHelp)
    assert not help.test_button.isEnabled()
    assert "Hands on phones" in help.instructions_label.text()
