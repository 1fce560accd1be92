"""The law of the window: at any game it opens, a person plays all that is offered by mouse,
and every panel, the score sheet and the replay can be looked at on the way."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from tabletop.catalogue import agreements, catalogue, game_folders
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Move, Offer
from tabletop.engine.scratch import FastRng
from tabletop.language.answer_buttons import button_text
from tabletop.language.prompt import PromptChoice, game_prompt
from tabletop.match.match import Match, Player
from tabletop.storage import saved_matches
from tabletop.studio.workshop import new_game as beginning
from tests.auction import auction
from tests.ui.random_matches import some_answer
from tests.ui.table_driver import LEFT
from tests.ui.window_driver import Open, PatientBot, settle, until_asked
from ui.app import Window
from ui.match.screen.table_screen import TableScreen
from ui.studio.game_check.simulated_player import CannotAnswer, SimulatedPlayer, without_rotation

LONG = bool(os.environ.get("TABLETOP_LONG"))
ANSWERS = 5_000 if LONG else 4
"""So many answers are given by mouse; then the person concedes."""
TRIES = 12
PANELS = ("now", "card", "log", "rules", "actions")


class Acted:
    """The answer since the last call."""

    answered: Move | None = None

    def hear(self, move: Move) -> None:
        self.answered = move


class WindowSeat(SimulatedPlayer):
    """The same hands as at a table alone, with the mouse over the program's window."""

    def __init__(self, kit: GameKit, screen: TableScreen, seat: int) -> None:
        self.kit, self.screen, self.scene = kit, screen, screen.scene
        self.words, self.number = screen.words, seat
        self.acted = Acted()
        self.seat = self.acted
        screen.scene.choice.answer_sent.add(self.acted.hear)

    def _points(self, rect: QRectF | None) -> Iterator[QPointF]:
        """As above, at whole pixels: beside a point on the edge of a turned card lies none."""
        view = self.screen.view
        return (view.mapToScene(view.mapFromScene(point)) for point in super()._points(rect))

    def _click(self, point: QPointF) -> None:
        spot = self.screen.view.mapFromScene(point)
        QTest.mouseClick(self.screen.view.viewport(), LEFT, pos=spot)
        settle()

    def buttons(self) -> list[PromptChoice]:
        offered = {each.text: each for each in game_prompt(self.screen.status).choices}
        shown = self.screen.prompt.buttons
        fallback = PromptChoice("play", "")
        return [
            replace(offered.get(each.text(), fallback), text=each.text(), enabled=each.isEnabled())
            for each in shown
        ]

    def _presses(self, each: PromptChoice, move: Move) -> bool:
        seat = self.screen.switch.shown_seat
        named = self.words.move(move, self.number, seat.view)
        names = (named, button_text(self.kit, self.words, move.verb))
        if each.text.split(" · ")[0] not in names and move not in each.moves:
            return False
        if each.enabled:
            next(b for b in self.screen.prompt.buttons if b.text() == each.text).click()
            settle()
        return each.enabled

    def tries(self, offer: Offer, move: Move) -> Move | None:
        """The messages of a person who tried to answer so."""
        self.acted.answered = None
        try:
            self.by_mouse(offer, move)
        except CannotAnswer:
            self.scene.cancel()
            self.scene.choice.multi_selection.draft = None
            self.scene.choice.multi_selection.update_draft(self.scene.stage.view)
        return self.acted.answered


def sit(window: Window, kit: GameKit, seats: int, luck: FastRng) -> tuple[Match, int]:
    """A match somewhere in its course, with one person; and their seat."""
    seat = luck.below(seats)
    names = [f"Player {number + 1}" for number in range(seats)]
    players = tuple(
        Player(name, kind="person" if number == seat else "bot")
        for number, name in enumerate(names)
    )
    match = saved_matches.begin(kit, players, seed=f"window {kit.id}")
    for _ in range(0 if LONG else luck.below(12)):
        match.submit(*some_answer(match, luck))
    window.matches.show_match(match)
    return match, seat


def answer(
    person: WindowSeat, luck: FastRng, known: set[tuple[str, str]], qtbot: PatientBot
) -> None:
    """Answer somehow by mouse, rather in a way not tried before."""
    screen = person.screen
    seat = screen.switch.shown_seat
    tried = []
    for _ in range(TRIES):
        screen.scene.skip_animations()
        qtbot.waitUntil(lambda: not screen.switch.is_animating)  # others may play at the same time
        settle()  # the prompt changes after the table
        if not seat.offers:  # the question was withdrawn meanwhile
            return
        asks = {ask.id: ask for ask in seat.view.asks}  # others may have done something meanwhile
        offered = [(asks[number], offer) for number, all_ in seat.offers.items() for offer in all_]
        new = [each for each in offered if (each[0].what, each[1].verb) not in known]
        choices = new or offered
        ask, offer = choices[luck.below(len(choices))]
        move = without_rotation(offer, offer.sample(ask.id, luck))
        if (sent := person.tries(offer, move)) is not None:
            assert offer.admits(sent) or any(other.admits(sent) for _, other in offered)
            known.add((ask.what, offer.verb))
            return
        tried.append(move)
    shown = [(each.text(), each.isEnabled()) for each in person.screen.prompt.buttons]
    raise AssertionError(f"no way in the window to do any of {tried}: {shown}")


@pytest.mark.parametrize("name", catalogue.names())
def test_a_random_game_is_played_in_the_window(opened: Open, name: str, qtbot: PatientBot) -> None:
    play_in_window(opened, catalogue.load(name), qtbot)


@pytest.mark.parametrize("template", beginning.load_templates())
def test_a_game_that_was_just_begun_is_played_in_the_window(
    opened: Open, template: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: PatientBot
) -> None:
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")
    folder = tmp_path / f"begun_{template}"
    beginning.create_game(f"Begun {template}", folder, template)
    agreements.add_own_folder(folder)
    (known,) = game_folders.add(folder)
    play_in_window(opened, catalogue.load(known.id), qtbot)


def test_an_auction_is_played_in_the_window(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: PatientBot
) -> None:
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")
    play_in_window(opened, auction(tmp_path / "auction"), qtbot)


def play_in_window(opened: Open, kit: GameKit, qtbot: PatientBot) -> None:
    """Somewhere in a game of this kit, play on by mouse, then look at its end and its replay."""
    luck = FastRng(f"window law {kit.id}")
    seats = kit.box.seats[luck.below(len(kit.box.seats[:3]))]
    window = opened((1024, 600) if luck.below(2) else (1280, 800), reaction="ask")
    match, seat = sit(window, kit, seats, luck)
    screen = window.table
    person, known = WindowSeat(kit, screen, seat), set[tuple[str, str]]()
    for number in range(ANSWERS):
        if not until_asked(qtbot, screen):
            break
        answer(person, luck, known, qtbot)
        panel = PANELS[number % len(PANELS)]
        screen.dock.show_tab(panel)
        settle()
        assert screen.dock.current_tab == panel or screen.seated.is_over  # the end brings the score
        screen.dock.hide() if screen.side_sheet.overlays_table else None
    screen.run_command("tell")
    settle()
    screen.spoken.report.close()
    if match.state.result is None:
        match.concede(seat)
    qtbot.waitUntil(lambda: screen.seated.is_over)
    screen.ending.show()
    qtbot.waitUntil(screen.ending.sheet.isVisible)
    look_at_replay(window, screen)


def look_at_replay(window: Window, screen: TableScreen) -> None:
    """From the score sheet to the replay, through it, and back to the shelf."""
    (watch,) = [
        b for b in screen.ending.sheet.findChildren(QPushButton) if b.text() == "Watch replay"
    ]
    watch.click()
    settle()
    replay = window.replays.screen
    assert replay.scene.stage.view is not None
    window.run_command("new")
    settle()
    assert window.stack.currentWidget() is window.shelf
