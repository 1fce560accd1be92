"""Quick words at a shared table: each reads them in the own language, sees who says them, and hides
those of others in one click. Programs that know none read lines of chat."""

import msgspec
import pytest
from pytestqt.qtbot import QtBot

from tabletop.language.words import Words
from tabletop.net.guest.sanitising import sanitise
from tabletop.protocol.codec import decode_guest_message, encode
from tabletop.protocol.messages import ChatLine, SendChat
from tabletop.protocol.quick_words import EMOTES, PHRASES, known_quick_word, quick_text
from tests.ui.online.session_driver import Friends, host, playing, start
from tests.ui.window_driver import Open, click, settle, timer
from ui.online import speech_bubble


class OldLine(msgspec.Struct, frozen=True, tag="spoken"):
    """A line of chat as programs before quick words know it."""

    seat: int
    text: str


class OldSpeech(msgspec.Struct, frozen=True, tag="speak"):
    """Their texts."""

    text: str
    seat: int = -1


def test_there_are_four_faces_and_four_phrases_in_both_languages() -> None:
    assert (len(EMOTES), len(PHRASES)) == (4, 4)
    for name in PHRASES:
        assert quick_text(name, Words("en")) != quick_text(name, Words("ja"))
    assert quick_text("rude", Words("en")) == known_quick_word("rude") == ""


def test_older_programs_read_a_line_of_chat() -> None:
    line = ChatLine(1, "Thank you!", "thanks")
    assert msgspec.json.decode(encode(line), type=OldLine) == OldLine(1, "Thank you!")
    speech = decode_guest_message(msgspec.json.encode(OldSpeech("Hello", 0)))
    assert speech == SendChat("Hello", 0, "")
    decoded = msgspec.json.decode(encode(SendChat("Thank you!", 0, "thanks")), type=OldSpeech)
    assert decoded == OldSpeech("Thank you!", 0)


def test_a_quick_word_that_nobody_knows_is_what_its_text_says() -> None:
    assert sanitise(ChatLine(1, "Boo", "boo")) == ChatLine(1, "Boo")


def test_quick_words_appear_in_each_readers_language(
    opened: Open, friends: Friends, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened(language="ja")
    host(qtbot, window)
    friend = friends.come(window)
    screen = start(qtbot, window)
    chat, bubble = screen.dock.chat, screen.other_players.bubble
    assert not bubble.isVisible()
    friend.remote.guest.send_chat("Thank you!", 1, "thanks")
    qtbot.waitUntil(bubble.isVisible)
    assert bubble.shown_text == "ありがとう！"
    assert screen.table_area.rect().contains(bubble.geometry())
    assert chat.text == "Kaname  ありがとう！"
    window.context.change_settings(language="en")
    assert chat.text == "Kaname  Thank you!"
    timer(bubble).timeout.emit()
    assert not bubble.isVisible()
    screen.dock.show_tab("chat")
    settle()
    action = next(a for a in chat.quick_button.menu().actions() if a.text() == EMOTES["hurrah"])
    action.trigger()
    qtbot.waitUntil(lambda: ChatLine(0, EMOTES["hurrah"], "hurrah") in friend.remote.guest.chat)
    qtbot.waitUntil(lambda: bubble.shown_text == EMOTES["hurrah"])
    assert timer(bubble).interval() == speech_bubble.SHOWN_MS


def test_others_quick_words_are_hidden_by_one_click(
    opened: Open, friends: Friends, qtbot: QtBot
) -> None:
    window, friend, screen = playing(opened, friends, qtbot)
    chat, bubble = screen.dock.chat, screen.other_players.bubble
    screen.dock.show_tab("chat")
    settle()
    friend.remote.guest.send_chat("Well played!", 1, "well_played")
    qtbot.waitUntil(lambda: "Well played!" in chat.text)
    bubble.hide()
    click(chat.show_quick_button)
    assert chat.text == ""
    friend.remote.guest.send_chat(EMOTES["ouch"], 1, "ouch")
    friend.remote.guest.send_chat("Are you there?", 1)
    qtbot.waitUntil(lambda: chat.text == "Kaname  Are you there?")
    assert not bubble.isVisible()
    assert not window.context.settings.quick_words, "remembered"
    click(chat.show_quick_button)
    assert EMOTES["ouch"] in chat.text
