"""A table is made ready before it is wanted, once somebody seems to want one; and drawn once."""

from collections import defaultdict

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.files import folders
from tests.ui.window_driver import Open, begin, click, settle
from ui.app import Window
from ui.shelf.resting_pointer import RestingPointer
from ui.style.art import Art
from ui.style.templates import Templates

SIZES = [(1280, 800), (1024, 600)]


@pytest.fixture
def window(opened: Open) -> Window:
    """A window whose pictures nobody has drawn yet."""
    window = opened()
    kept = window.context.art
    window.context.art = Art(kept.theme, cards=kept.cards, compiled=folders.cache() / "templates")
    return window


def at(window: Window, game: str) -> int:
    """The place of a game on the board."""
    return [box.kit.id for box in window.shelf.boxes].index(game)


def point(window: Window, game: str) -> None:
    """Move the pointer to the start of this game."""
    QApplication.sendEvent(window.shelf.board.now[at(window, game)], QEvent(QEvent.Type.Enter))


def filled_in(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The templates that are filled in from now on."""
    names: list[str] = []
    svg = Templates.svg

    def counted(templates: Templates, path: str, variables: dict[str, object]) -> bytes:
        names.append(path)
        return svg(templates, path, variables)

    monkeypatch.setattr(Templates, "svg", counted)
    return names


def test_where_a_pointer_rests_cards_are_ready(
    window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    point(window, "sun")
    qtbot.waitUntil(lambda: window.preload.running)
    qtbot.waitUntil(lambda: not window.preload.running, timeout=60_000)
    filled = filled_in(monkeypatch)
    click(window.shelf.board.now[at(window, "sun")])
    settle()
    assert window.table is not None
    assert "sun/track.svg" in filled
    assert "sun/face.svg" not in filled
    assert "sun/back.svg" not in filled


def test_a_game_that_was_chosen_is_made_ready(window: Window, qtbot: QtBot) -> None:
    window.ask_new_game(catalogue.load("chains"))
    assert window.preload.running
    qtbot.waitUntil(lambda: not window.preload.running, timeout=60_000)


def test_where_a_match_is_gone_on_with_its_game_is_made_ready(
    window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    monkeypatch.setattr(window.preload, "_take", lambda kit, _: made.append(kit.id))
    begin(window, names=("Mio", "Ren"))
    window.do("leave")
    settle()
    (card,) = window.shelf.cards
    made.clear()
    QApplication.sendEvent(card.go, QEvent(QEvent.Type.Enter))
    qtbot.waitUntil(lambda: made == ["sun"])
    window.shelf.boxes[0].setFocus(Qt.FocusReason.TabFocusReason)
    card.go.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(lambda: made == ["sun", "sun"])


def test_a_passing_pointer_prepares_nothing(
    window: Window,
) -> None:
    point(window, "sun")
    resting = window.shelf.boxes[at(window, "sun")].findChild(RestingPointer)
    assert resting.arrived
    now = window.shelf.board.now[at(window, "sun")]
    QApplication.sendEvent(now, QEvent(QEvent.Type.Leave))
    assert not resting.arrived
    window.preload.begin(replace(catalogue.load("sun"), waits_for="somebody"))
    assert not window.preload.running


@pytest.mark.parametrize("size", SIZES)
def test_a_first_table_draws_each_card_at_one_size(
    window: Window, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    window.resize(*size)
    widths: defaultdict[object, set[float]] = defaultdict(set)
    drawn = Art.card

    def counted(
        art: Art, game: str, card: dict[str, object], width: float, *a: float, **more: object
    ) -> QPixmap:
        widths[card["caption"]].add(width)
        return drawn(art, game, card, width, *a, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Art, "card", counted)
    window.shelf.played.emit(catalogue.load("sun"))
    settle()
    assert widths
    assert {len(each) for each in widths.values()} == {1}
