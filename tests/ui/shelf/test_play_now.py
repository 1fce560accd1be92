"""From the first start to the first card: with two presses of the mouse, or with the keyboard."""

from collections.abc import Sequence

import pytest
from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.engine.scratch import FastRng
from tabletop.storage.settings import Settings
from tests.ui.counted_matches import count
from tests.ui.window_driver import (
    Open,
    begin,
    click,
    key,
    offers_now,
    pass_on,
    sheet,
    tab_to,
    table,
    until_asked,
)
from ui.app import Window
from ui.table.animation.track_player import Track, TrackPlayer
from ui.widgets.game_box import GameBox

FINISHED = [kit for kit in catalogue.shelf() if not kit.is_draft]
GAMES = [kit.id for kit in catalogue.shelf()]
LANGUAGES = ["en", "ja"]


MOST_PRESSES, MOST_SECONDS = 2, 20
"""From the first start to the first card."""


class Waits:
    """Adds up the planned waits of a person at their table, without the clock, and does not wait:
    animations are over at once, and so is the pause of a bot."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seconds = 0.0
        run = TrackPlayer.run

        def hurried(film: TrackPlayer, tracks: Sequence[Track], factor: float) -> None:
            ends = [(track.start + track.duration) * factor for track in tracks]
            self.seconds += max(ends, default=0.0) / 1000
            run(film, tracks, min(factor, 0.001))

        class Pause(QTimer):
            """A bot's: as long as it is."""

            def start(pause, milliseconds: int) -> None:
                self.seconds += milliseconds / 1000
                super().start(0)

        monkeypatch.setattr(TrackPlayer, "run", hurried)
        monkeypatch.setattr("ui.shell.call_later.QTimer", Pause)


class Presses(QObject):
    """Counts how often the left button of the mouse goes down in the program."""

    def __init__(self) -> None:
        super().__init__()
        self._times: set[int] = set()

    @property
    def count(self) -> int:
        return len(self._times)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.MouseButtonPress:
            self._times.add(event.timestamp())  # one press comes to several, up to who takes it
        return False


def now(window: Window, game: str) -> QObject:
    """The button that plays this game at once."""
    return next(box.play_button for box in window.shelf.boxes if box.game.id == game)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_first_card_needs_two_presses(
    opened: Open, language: str, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One box is played at once, the next as a first game; in the other language vice versa."""
    usual, waits = Settings(), Waits(monkeypatch)
    window = opened(language=language, animation=usual.animation, bot_pause=usual.bot_pause)
    for number, kit in enumerate(FINISHED):
        box = next(box for box in window.shelf.boxes if box.game.id == kit.id)
        learning = number % 2 == LANGUAGES.index(language)
        presses, waited = Presses(), waits.seconds
        QApplication.instance().installEventFilter(presses)
        try:
            if learning:
                click(box)
                click(sheet(window).tutorial_button)
            else:
                click(now(window, kit.id))
        finally:
            QApplication.instance().removeEventFilter(presses)
        screen = table(window)
        assert until_asked(qtbot, screen)
        qtbot.waitUntil(lambda screen=screen: not screen.scene.animator.is_running)
        assert not screen.curtain.is_drawn
        assert screen.switch.active_viewer == 0
        assert offers_now(screen)
        qtbot.waitUntil(
            lambda screen=screen, learning=learning: (screen.tutor.current is not None) == learning
        )
        assert 1 <= presses.count <= MOST_PRESSES
        assert waits.seconds - waited <= MOST_SECONDS, kit.id
        window.run_command("leave")
    assert waits.seconds > 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_card_is_played_with_the_keyboard_alone(
    opened: Open, language: str, qtbot: QtBot
) -> None:
    window = opened(language=language)
    focus = QApplication.focusWidget()
    assert isinstance(focus, GameBox)
    assert focus.game.id == "sun"  # the game to begin with
    tab_to(lambda focus: focus is now(window, "sun"))
    key(Qt.Key.Key_Return)
    screen = table(window)
    assert until_asked(qtbot, screen)
    key(Qt.Key.Key_Escape)  # the game's introduction
    key(Qt.Key.Key_1)
    key(Qt.Key.Key_Right)
    key(Qt.Key.Key_Return)
    assert [entry.seat for entry in screen.seated.match.record][:1] == [0]


@pytest.mark.parametrize("game", GAMES)
def test_every_box_is_played_at_once_by_one_person_against_bots(opened: Open, game: str) -> None:
    window = opened()
    click(now(window, game))
    players = table(window).seated.players
    assert [player.kind for player in players] == ["person", *["bot"] * (len(players) - 1)]
    box = catalogue.load(game).box
    assert len(players) == (box.proposed or max(2, min(box.seats)))
    assert len({player.name for player in players}) == len(players)


def test_it_is_played_as_last_time_the_others_are_bots(opened: Open) -> None:
    window = opened()
    window.show_new_game(catalogue.load("royale"))
    new = sheet(window)
    new.seat_count.setValue(4)
    for card, name in zip(new.seats.rows, ("Mio", "Ren"), strict=False):
        click(card.kind.person)
        card.field.setText(name)
    new.seats.rows[3].kind.level.choose("hard")
    new._options.choose({"length": "8"})
    click(new.start_button)
    window.run_command("leave")
    window.close()
    again = opened()
    click(now(again, "royale"))
    played = table(again).seated
    kinds = [(player.name == "Mio", player.kind, player.level) for player in played.players]
    assert kinds[0] == (True, "person", "")
    assert kinds[1:] == [(False, "bot", "normal")] * 2 + [(False, "bot", "hard")]
    assert "Ren" not in [player.name for player in played.players]
    assert played.view.options["length"] == "8"


def test_ctrl_n_opens_the_shelf_and_what_is_played_waits_there(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window, 1)
    pass_on(qtbot, screen, FastRng(1), 1)
    window.menus.commands["new"].trigger()
    assert window.stack.currentWidget() is window.shelf
    assert len(window.shelf.cards) == 1
    assert isinstance(QApplication.focusWidget(), GameBox)


# A game's result on its box


def test_a_box_shows_its_last_game_and_wins(opened: Open, home: object, qtbot: QtBot) -> None:
    window = opened()
    boxes = {box.game.id: box for box in window.shelf.boxes}
    qtbot.waitUntil(lambda: bool(boxes["sun"].history_text))
    assert boxes.pop("sun").history_text == "Start here: 20 minutes"
    assert {box.history_text for box in boxes.values()} == {""}, "no line five times"
    boxes["sun"] = next(box for box in window.shelf.boxes if box.game.id == "sun")
    window.context.store_settings(players=("Hinata",))
    for number, winner in enumerate((0, 1, 0)):
        count(str(number), "sun", ("Hinata", "Mugi"), winner)
    count("other", "chains", ("Kaname", "Mugi"), 0)
    window.show_new_game(boxes["sun"].game)
    window.show_shelf()
    qtbot.waitUntil(lambda: boxes["sun"].history_text == "today · won 2 of 3")
    assert boxes["chains"].history_text == "Played today"
    assert boxes["royale"].history_text == ""
    window.context.change_settings(language="ja")
    assert boxes["sun"].history_text == "今日・3戦2勝"
    assert "3戦2勝" in boxes["sun"].accessibleDescription()


@pytest.mark.parametrize("name", ["Player 1", "プレイヤー1"])
def test_whoever_has_no_name_is_counted_in_every_language(
    opened: Open, home: object, qtbot: QtBot, name: str
) -> None:
    window = opened(players=(name,))
    count("one", "sun", ("Player 1", "Mugi"), 0)
    count("two", "sun", ("プレイヤー1", "むぎ"), 1)
    window.show_shelf()
    box = next(box for box in window.shelf.boxes if box.game.id == "sun")
    window.show_new_game(box.game)
    window.show_shelf()
    qtbot.waitUntil(lambda: box.history_text == "today · won 1 of 2")


def test_a_shelf_without_statistics_writes_none(opened: Open, home: object, qtbot: QtBot) -> None:
    window = opened()
    qtbot.waitUntil(lambda: bool(window.shelf.boxes[0].history_text))
    assert not (home / "statistics.sqlite").exists()
