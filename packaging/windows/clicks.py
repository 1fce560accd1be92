r"""Plays ten moves of every game by mouse in the window on Linux, and writes down every click.

    PYTHONPATH=CHECKOUT TABLETOP_HOME=HOME QT_QPA_PLATFORM=offscreen \
        python3 clicks.py FOLDER [GAME ...]

For each named game (by default all), FOLDER gets an unfinished match (GAME.tabletop), the actions
of each move as points of a window that fills a screen of 1280 x 800 (GAME.json), and pictures of
the window before and after (GAME-started.png, GAME-played.png). shelf.json has the clicks that
begin each game from the shelf, and shelf-LANGUAGE.png shows the shelf. japanese-settings.json and
japanese.tabletop hold names in Japanese, which japanese-names.png and japanese-match.png show.
Another system can then do the same by the same clicks.
Needs what the tests need.
"""

import json
import shutil
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from time import monotonic

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Move
from tabletop.engine.scratch import FastRng
from tabletop.files import background_writes, folders
from tabletop.language.answer_buttons import button_text
from tabletop.language.prompt import PromptChoice
from tabletop.match.match import SYMBOLS, Player
from tabletop.match.seat import Seat
from tabletop.storage import saved_matches, settings
from tabletop.storage.journal import JournalFile
from tabletop.storage.settings import Settings
from tests.ui.test_window_law import WindowSeat
from tests.ui.window_driver import NAMES, click, settle
from ui.app import Window
from ui.match.screen.table_screen import TableScreen
from ui.studio.game_check.simulated_player import CannotAnswer, without_rotation

SIZE = (1280, 800)
MOVES = 10
TRIES = 40
JAPANESE_NAMES = ("ひなた", "かなめ")
CLOSE_PANEL = (1269, 16)
"""Where the panel beside the table has its close button."""
PATIENCE = 120.0
"""Seconds."""

Action = tuple[str, int, int]
"""An action and its place: "click" or "hold", or "escape" anywhere."""


def wait(until: Callable[[], object], what: str) -> None:
    started = monotonic()
    while not until():
        if monotonic() - started > PATIENCE:
            raise SystemExit(f"waited in vain for {what}")
        QApplication.processEvents()


class Hand(WindowSeat):
    """A player's hand in the window; it notes every action."""

    def __init__(self, kit: GameKit, screen: TableScreen, seat: int) -> None:
        super().__init__(kit, screen, seat)
        self.actions: list[Action] = []

    def close_panel(self) -> None:
        """Close the panel beside the table, whose width hangs on the system's fonts."""
        window, spot = self.screen.window(), QPoint(*CLOSE_PANEL)
        widget = window.childAt(spot)
        assert widget is not None
        self.press(widget, widget.mapFrom(window, spot))
        if self.screen.dock.isVisible():
            raise SystemExit("the panel beside the table has its close button elsewhere")

    def press(self, widget: QWidget, spot: QPoint | None = None) -> None:
        """Click a widget in its middle, or at a point of it."""
        at = widget.rect().center() if spot is None else spot
        self._note("click", widget, at)
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=at)
        settle()

    def open_curtain(self) -> None:
        curtain = self.screen.curtain
        at = curtain.rect().center()
        self._note("hold", curtain, at)
        QTest.mousePress(curtain, Qt.MouseButton.LeftButton, pos=at)
        wait(lambda: not curtain.is_drawn, "the curtain")
        QTest.mouseRelease(curtain, Qt.MouseButton.LeftButton, pos=at)
        settle()

    def try_once(self, luck: FastRng) -> bool:
        """Try to make some legal move; return whether it was sent."""
        seat = self.screen.switch.shown_seat
        assert seat is not None
        offered = [(number, offer) for number, all_ in seat.offers.items() for offer in all_]
        number, offer = offered[luck.below(len(offered))]
        self.acted.answered = None
        try:
            self.by_mouse(offer, without_rotation(offer, offer.sample(number, luck)))
        except CannotAnswer:
            self._note("escape", self.screen, QPoint())
            QTest.keyClick(self.screen.view, Qt.Key.Key_Escape)
            settle()
        return self.acted.answered is not None

    def _points(self, rect: QRectF | None) -> Iterator[QPointF]:
        """Those nearest to the middle first: on another system the table may be a little larger."""
        if rect is not None:
            middle = rect.center()
            near = sorted(super()._points(rect), key=lambda p: (p - middle).manhattanLength())
            yield from near

    def _click(self, point: QPointF) -> None:
        self.press(self.screen.view.viewport(), self.screen.view.mapFromScene(point))

    def _presses(self, each: PromptChoice, move: Move) -> bool:
        seat = self.screen.switch.shown_seat
        assert seat is not None
        named = self.words.move(move, self.number, seat.view)
        wanted = (named, button_text(self.kit, self.words, move.verb))
        if not each.enabled or each.text.split(" · ")[0] not in wanted:
            return False
        self.press(next(b for b in self.screen.prompt.buttons if b.text() == each.text))
        return True

    def _note(self, what: str, widget: QWidget, at: QPoint) -> None:
        place = widget.mapTo(widget.window(), at)
        self.actions.append((what, place.x(), place.y()))


def asked(screen: TableScreen, hand: Hand) -> Seat:
    """Bring the table before the player who is asked next; the player's seat."""
    here = screen.switch
    leading = {"Hand over", *NAMES}
    """The texts of buttons that bring the table before another player."""

    def settled() -> bool:
        for each in screen.prompt.findChildren(QPushButton):
            if each.text() in leading and each.isVisible() and each.isEnabled():
                hand.press(each)
                break
        if screen.curtain.is_drawn:
            hand.open_curtain()
        return bool(here.shown_seat and here.shown_seat.offers and not here.is_animating)

    wait(settled, "a question")
    assert here.shown_seat is not None
    return here.shown_seat


def play(window: Window, kit: GameKit, folder: Path) -> None:
    window.run_command("new")
    settle()
    window.context.store_settings(docks=b"")  # as at a first start
    sit(window, kit, NAMES[: kit.box.seats[0]], folder / f"{kit.id}.tabletop")
    screen = window.table
    assert screen is not None
    window.grab().save(str(folder / f"{kit.id}-started.png"))
    luck, moves = FastRng(f"clicks {kit.id}"), list[list[Action]]()
    for number in range(MOVES):
        hand = Hand(kit, screen, 0)
        seat = asked(screen, hand)
        if screen.dock.isVisible():
            hand.close_panel()
        hand.number = seat.number
        for _ in range(TRIES):
            if hand.try_once(luck):
                break
        else:
            raise SystemExit(f"{kit.id}: move {number + 1} cannot be made by mouse")
        screen.scene.skip_animations()
        settle()
        moves.append(hand.actions)
    (folder / f"{kit.id}.json").write_text(json.dumps(moves), encoding="utf-8")
    window.grab().save(str(folder / f"{kit.id}-played.png"))
    print(f"{kit.id}: {sum(map(len, moves))} actions", flush=True)


def middle(widget: QWidget) -> tuple[int, int]:
    """The middle of a widget, as a point of its window."""
    place = widget.mapTo(widget.window(), widget.rect().center())
    return place.x(), place.y()


def look_at_shelf(window: Window, folder: Path) -> None:
    for language in ("ja", "en"):
        window.context.change_settings(language=language)
        settle()
        window.grab().save(str(folder / f"shelf-{language}.png"))
    starts = {}
    for box in window.shelf.boxes:
        click(box)
        assert window.new_game is not None
        starts[box.game.id] = (middle(box), middle(window.new_game.start_button))
        window.run_command("new")
        settle()
    (folder / "shelf.json").write_text(json.dumps(starts), encoding="utf-8")


def read_japanese(window: Window, folder: Path) -> None:
    """Show Japanese names: those from the settings in a new game, and those of a match."""
    window.context.change_settings(language="ja", players=JAPANESE_NAMES)
    settle()
    background_writes.finish()
    shutil.copy(folders.settings(), folder / "japanese-settings.json")
    click(next(box for box in window.shelf.boxes if box.game.id == "sun"))
    window.grab().save(str(folder / "japanese-names.png"))
    window.run_command("new")
    settle()
    kit = catalogue.load("sun")
    sit(window, kit, JAPANESE_NAMES, folder / "japanese.tabletop")
    window.grab().save(str(folder / "japanese-match.png"))
    window.run_command("new")
    settle()
    window.context.change_settings(language="en", players=())
    settle()


def sit(window: Window, kit: GameKit, names: Sequence[str], saved: Path) -> None:
    """Begin a match, of which `saved` is a copy, and show it."""
    match = saved_matches.begin(kit, tuple(map(Player, names, SYMBOLS)), seed=f"clicks {kit.id}")
    assert isinstance(match.journal, JournalFile)
    saved.write_bytes(match.journal.path.read_bytes())
    window.matches.show_match(match)
    settle()


def main(folder: Path, games: Collection[str] = ()) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    settings.save(Settings(language="en", animation="off"))
    application = QApplication([])
    window = Window()
    window.resize(*SIZE)
    window.show()
    window.menus.set_full_screen(full_screen=True)
    settle()
    look_at_shelf(window, folder)
    read_japanese(window, folder)
    for name in games or catalogue.names():
        kit = catalogue.load(name)
        if not kit.is_draft:
            play(window, kit, folder)
    window.close()
    application.quit()
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
