"""First games by mouse: each lesson is near its subject and covers nothing that is needed.

In the smaller window, and of Chains only as long as it has lessons; with TABLETOP_LONG=1 to the end
and in a broad window as well.
"""

import os
from collections.abc import Iterator
from itertools import islice

import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.engine.scratch import FastRng
from tests.ui.window_driver import Open, click, lit_on, settle, sheet, table, until_asked
from ui.app import Window
from ui.match.screen.table_screen import TableScreen
from ui.table.input.targets import target_at, target_rect

LONG = bool(os.environ.get("TABLETOP_LONG"))
SIZES = ((1024, 600), (1090, 800)) if LONG else ((1024, 600),)
GAMES = [kit.id for kit in catalogue.shelf() if not kit.is_draft]
ANSWERS = 1_000 if LONG else 48
PRESSES = 400
"""A question is answered in so many presses, however clumsy they are."""
FEWEST = {"royale": 3}
"""Different lessons that anybody meets; 6 but where one may go a whole game and meet nobody."""
CROWDED = 1 / 4
"""At most this share of the lessons finds no room over the table."""
GRID = [(n + 0.5) / 6 for n in range(6)]


class Learner:
    """A person who presses anything that is lit, until their question is answered."""

    def __init__(self, qtbot: QtBot, screen: TableScreen, seed: int) -> None:
        self.qtbot, self.screen, self.luck = qtbot, screen, FastRng(seed)
        self.lessons: dict[str, bool] = {}
        """The texts of all lessons, and whether each was in a bubble."""

    def answer(self) -> None:
        screen = self.screen
        asked = self._asked()
        for _ in range(PRESSES):
            self.look()
            if not self._press_something():  # events are still shown, or a pass is made for them
                self.qtbot.waitUntil(
                    lambda: bool(self._asked() != asked or self._buttons() or screen.seated.is_over)
                )
            if screen.seated.is_over or not asked & self._asked():
                return
        raise AssertionError(f"no answer: {screen.prompt.text}")

    def _asked(self) -> set[int]:
        """The questions to her, by number."""
        seat = self.screen.switch.shown_seat
        return set(seat.offers) if seat is not None else set()

    def _buttons(self) -> list[QPushButton]:
        """Those of the prompt that answer."""
        return [
            each
            for each in self.screen.prompt.buttons
            if each.isEnabled() and each.text() != "Reactions…"
        ]

    def look(self) -> None:
        """Read the lesson; see that it covers nothing of what it speaks of."""
        screen, tutor = self.screen, self.screen.tutor
        lesson = tutor.current
        if lesson is None:
            assert lit_on(screen) == []
            assert tutor.bubble.isHidden()
            return
        seen = tutor.bubble.isVisible()
        self.lessons.setdefault(lesson.text, seen)
        if screen.scene.animator.is_running:
            assert not seen
            return
        if not seen:
            assert tutor.crowded
            return
        paper, area = QRectF(tutor.bubble.geometry()), QRectF(screen.table_area.rect())
        assert area.contains(paper), lesson.text
        assert not paper.intersects(QRectF(screen.prompt.geometry())), lesson.text
        for rect in lit_on(screen):
            assert not paper.intersects(self._shown(rect)), lesson.text
        for needed in self._needed():
            assert not paper.intersects(self._shown(needed)), lesson.text

    def _needed(self) -> Iterator[QRectF]:
        """Every legal target, and every card that may be played or is in hand."""
        scene, link = self.screen.scene, self.screen.switch.shown_seat
        offers = [offer for each in link.offers.values() for offer in each]
        cards = {card for offer in offers for card in offer.cards}
        for zone in {zone for offer in offers for zone in offer.targets if zone}:
            if (rect := target_rect(scene.stage, zone)) is not None:
                yield rect
        for item in scene.stage.items:
            if item.isVisible() and (item.card in cards or item.zone == "hand/0"):
                yield item.mapRectToScene(item.card_rect)

    def _shown(self, rect: QRectF) -> QRectF:
        view = self.screen.view
        return QRectF(view.mapFromScene(rect).boundingRect().translated(view.pos()))

    def _press_something(self) -> bool:
        """Press what is lit; whether anything is."""
        scene = self.screen.scene
        buttons = self._buttons()
        if scene.choice.options_are_final and self._press_one(self._choices()):
            return True
        if not (buttons and (scene.choice.multi_selection.is_complete or self.luck.below(3) == 0)):
            ways = [self._lit_places(), self._cards()]
            if self.luck.below(2) and scene.choice.picked_up is None:
                ways.reverse()
            if any(self._press_one(way) for way in ways):
                return True
        if buttons:
            click(buttons[self.luck.below(len(buttons))])
        return bool(buttons)

    def _press_one(self, points: Iterator[QPointF]) -> bool:
        """Press one of these points of the table, on which no bubble lies."""
        spots = list(points)
        if not spots:
            return False
        view = self.screen.view
        spot = view.mapFromScene(spots[self.luck.below(len(spots))])
        bubble = self.screen.tutor.bubble
        at = spot + view.pos()
        assert not (bubble.isVisible() and bubble.geometry().contains(at)), "a press can't reach it"
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=spot)
        settle()
        return True

    def _choices(self) -> Iterator[QPointF]:
        chooser = self.screen.scene.selection_view.chooser
        if chooser is None:
            return
        place = chooser.list_rect
        for y in range(int(place.top()), int(place.bottom()), 5):
            for x in range(int(place.left()), int(place.right()), 9):
                if chooser.option_at(QPointF(x, y)) is not None:
                    yield QPointF(x, y)

    def _lit_places(self) -> Iterator[QPointF]:
        choice, stage = self.screen.scene.choice, self.screen.scene.stage
        for zone in choice.targets:
            rect = target_rect(stage, zone)
            if rect is not None:
                free = (
                    p
                    for p in self._points(rect)
                    if target_at(stage, choice.targets, p) == zone and not self._chosen(p)
                )
                yield from islice(free, 1)

    def _cards(self) -> Iterator[QPointF]:
        scene, seat = self.screen.scene, self.screen.switch.shown_seat
        offers = [offer for each in seat.offers.values() for offer in each]
        playable = {card for offer in offers for card in offer.cards}
        for item in scene.stage.items:
            if item.card in playable and item.isVisible():
                frame = item.sceneBoundingRect()
                own = (p for p in self._points(frame) if scene.gesture.card_at(p) is item)
                yield from islice((p for p in own if not self._chosen(p)), 1)

    def _chosen(self, point: QPointF) -> bool:
        """Whether something to be chosen from lies over this point."""
        chooser = self.screen.scene.selection_view.chooser
        return chooser is not None and chooser.contains(point)

    def _points(self, rect: QRectF) -> Iterator[QPointF]:
        """Points all over this part of the table, each at the pixel that a press there meets."""
        view = self.screen.view
        for y in GRID:
            for x in GRID:
                point = QPointF(rect.left() + x * rect.width(), rect.top() + y * rect.height())
                yield view.mapToScene(view.mapFromScene(point))


def first_game(window: Window, game: str) -> TableScreen:
    click(next(box for box in window.shelf.boxes if box.game.id == game))
    click(sheet(window).tutorial_button)
    return table(window)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("game", GAMES)
def test_a_first_game_is_taught_to_its_end(
    opened: Open, qtbot: QtBot, game: str, size: tuple[int, int]
) -> None:
    screen = first_game(opened(size), game)
    learner = Learner(qtbot, screen, size[0])
    answered = 0
    while answered < ANSWERS and until_asked(qtbot, screen):
        learner.answer()
        answered += 1
    learner.look()
    assert screen.tutor.current is None or answered == ANSWERS
    lessons = learner.lessons
    assert len(lessons) >= FEWEST.get(game, 6)
    assert list(lessons.values()).count(False) <= CROWDED * len(lessons), lessons
