"""The line of a player's chances: a better chance is higher, a later move is further right."""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from tabletop.language.words import Words
from tabletop.storage.settings import Settings
from ui.replay.chance_graph import ChanceGraph
from ui.shell.app_context import AppContext
from ui.style.theme import load_theme

WORTHS = (0.0, 1.0, 0.5, 0.25)


@pytest.fixture
def graph(qtbot: QtBot) -> ChanceGraph:
    shown = ChanceGraph(AppContext(Settings()))
    qtbot.addWidget(shown)
    shown.resize(400, 120)
    shown.show_chances(WORTHS, [f"{round(100 * worth)}%" for worth in WORTHS], [2], Words())
    return shown


def test_a_better_chance_is_higher(graph: ChanceGraph) -> None:
    spots = [graph.point_of(place) for place in range(len(WORTHS))]
    by_height = sorted(range(len(WORTHS)), key=lambda place: spots[place].y())
    assert [WORTHS[place] for place in by_height] == sorted(WORTHS, reverse=True)
    middle = (spots[0].y() + spots[1].y()) / 2
    assert spots[2].y() == pytest.approx(middle)
    assert [spot.x() for spot in spots] == sorted(spot.x() for spot in spots)


def test_the_line_is_drawn_through_its_moves(graph: ChanceGraph) -> None:
    """The costly move's dot is where its chance is, and not at the mirrored height."""
    picture = graph.grab().toImage()
    dot = graph.point_of(2)
    graph.show_chances(WORTHS, ["", "", "", ""], [3], Words())
    low, mirrored = (
        graph.point_of(3),
        QPointF(graph.point_of(3).x(), graph.height() - graph.point_of(3).y()),
    )
    without = graph.grab().toImage()
    accent = QColor(load_theme("light").accent)

    def has_dot(image: QImage, at: QPointF) -> bool:
        return image.pixelColor(at.toPoint()) == accent

    assert has_dot(picture, dot)
    assert not has_dot(without, dot)
    assert has_dot(without, low)
    assert not has_dot(without, mirrored)


def test_a_press_asks_for_the_move_below_it(graph: ChanceGraph, qtbot: QtBot) -> None:
    wanted = QSignalSpy(graph.move_requested)
    at = QPointF(graph.point_of(3).x(), 3).toPoint()
    qtbot.mouseClick(graph, Qt.MouseButton.LeftButton, pos=at)
    assert wanted.at(0) == [3]
