"""The window: changes between the screens, and does what its menus say."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QLibraryInfo, QSize, Qt, QTimer, QTranslator
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QIcon, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QMainWindow,
    QStackedWidget,
    QWidget,
)

from tabletop.engine.model import Reason
from tabletop.storage import settings
from tabletop.storage.trouble import BadFile, StorageError
from ui import files
from ui.garbage import Sweeper
from ui.screens import diary
from ui.theme import palette, theme

if TYPE_CHECKING:
    from tabletop.games.catalogue import Kit
    from tabletop.net.keyring import Return
    from ui.outing import Outing
    from ui.playing import Playing
    from ui.screens.new_game import NewGame
    from ui.screens.table import TableScreen
    from ui.watching import Watching

# Everything else is imported where it is first wanted, in `Window.furnish` or after it: to import
# it all takes several times as long as to open the window.

SMALLEST = QSize(960, 540)
USUAL = QSize(1280, 800)


def run(wanted: Sequence[str] = (), move: int | None = None, viewer: int | str | None = "") -> int:
    """Open the window, with a save where one is named; gives the number for the system to end with.

    With a `move` the file is watched from there, with the eyes of `viewer` ("" leaves open whose).

    `wanted` are paths, or an invitation to a table elsewhere; the first is opened.
    """
    program = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(program, QApplication)
    program.setApplicationName("Tabletop")
    program.setDesktopFileName("tabletop")
    kept = diary.keep()
    window = Window(kept, furnished=False)
    window.show()
    program.processEvents()  # the window stands; what is in it follows
    window.furnish()
    diary.catch(window.tell_fault)
    if wanted and "://" in wanted[0]:
        window.outing.follow(wanted[0])
    elif wanted and move is not None:
        window.watching.open(Path(wanted[0]), move, viewer)
    elif wanted:
        window.open_file(Path(wanted[0]))
    return program.exec()


class Window(QMainWindow):
    """The program's one window."""

    def __init__(self, kept: diary.Diary | None = None, *, furnished: bool = True) -> None:
        super().__init__()
        self._diary = kept or diary.Diary()
        self._found, self._trouble = _settings()
        self._sweeper = Sweeper(self)
        self._furnished = False
        self._translator = QTranslator(self)
        self.setMinimumSize(SMALLEST)
        self.resize(USUAL)
        if self._found.geometry:
            self.restoreGeometry(QByteArray(self._found.geometry))
        self.setPalette(palette(theme(self._found.theme)))
        self.setWindowTitle("Tabletop 卓")
        if furnished:
            self.furnish()

    def furnish(self) -> None:
        """Put everything into the bare window. Nothing else may be asked of it before."""
        from tabletop.games import catalogue
        from tabletop.storage import matches
        from ui.screens.banner import Banner
        from ui.screens.menus import Menus, TextFirst
        from ui.screens.room import Room
        from ui.screens.shelf import Shelf
        from ui.waiting import WaitingMatches

        self.room = Room(self._found)
        self.menus = Menus(self.room)
        self.setMenuBar(self.menus)
        self.shelf = Shelf(self.room, catalogue.shelf())
        self.new_game: NewGame | None = None
        self._page: QWidget | None = None
        """A screen that is neither the shelf nor a table, while one is shown."""
        self._playing: Playing | None = None
        self._outing: Outing | None = None
        self._watching: Watching | None = None
        self.stack = QStackedWidget()
        self.stack.addWidget(self.shelf)
        self.setCentralWidget(self.stack)
        self.banner = Banner(self.room, self)
        self._text_first = TextFirst(self)
        self._waiting = WaitingMatches(self)
        self._wire()
        self.setAcceptDrops(True)
        matches.tidy()
        self.dress()
        self.show_shelf()
        self._furnished = True
        if self._trouble is not None:
            self._tell(self._trouble)
        elif broken := catalogue.broken():
            names = ", ".join(error.name for error in broken)
            self._tell(Reason("Left out, because it cannot be read: {names}", {"names": names}))
        elif self._waiting.unreadable:
            self._tell(self._waiting.unreadable[0].reason)

    def _wire(self) -> None:
        self.menus.asked.connect(self.do)
        self.menus.submenus["hand_over"].setEnabled(False)
        self.shelf.asked.connect(self.do)
        self.shelf.chosen.connect(self.ask_new_game)
        self.shelf.wanted.connect(self.continue_match)
        self.shelf.returning.connect(self._come_back)
        self.room.changed.connect(self.dress)
        self.room.troubled.connect(self._tell)

    def do(self, name: str) -> None:
        """Do what a command of the menus says, or a button that is called the same."""
        from ui import dialogs

        table = self.table
        match name:
            case "host" | "join" if not self.may_go():
                pass
            case "host" | "join" | "leave" | "rematch" | "away" if self._travels(name):
                self.outing.do(name)
            case "new":
                self.ask_new_game(self.kit())
            case "open":
                self._choose_file()
            case "open_replay" if self.may_go():
                self.watching.choose()
            case "replays" if self.may_go():
                self.watching.show_list()
            case "quit":
                self.close()
            case "settings" | "statistics" | "shortcuts" | "fair" | "about":
                dialogs.open_dialog(self, name)
            case "rules":
                dialogs.open_rules(self)
            case "report":
                dialogs.report_bug(self, self._diary.lines)
            case "sounds":
                self.room.change(sounds=not self.room.settings.sounds)
            case "full_screen":
                self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)
            case _ if table is not None:
                self.playing.do(table, name)
            case _ if self._watching is not None:
                self._watching.do(name)

    # The screens

    def show_shelf(self) -> None:
        """Back to the shelf; a match that is left can be continued there."""
        self.clear()
        self._waiting.lay_out()
        self.stack.setCurrentWidget(self.shelf)
        self.shelf.take_focus()
        self.menus.show_title("")
        self.menus.leave_table()
        QTimer.singleShot(0, self, self._draw_late)

    def _draw_late(self) -> None:
        """Draw the tables that have no picture yet, once the shelf stands."""
        if self.stack.currentWidget() is self.shelf and self._waiting.draw_late():
            self.shelf.take_focus()

    def ask_new_game(self, kit: Kit) -> None:
        """Show the sheet for a new game of this kit."""
        from ui.screens.new_game import NewGame

        if not self.may_go():
            return
        sheet = NewGame(self.room, kit)
        sheet.started.connect(self.playing.begin)
        sheet.left.connect(self.show_shelf)
        self.show_page(sheet)
        self.new_game = sheet

    def show_page(self, page: QWidget) -> None:
        """Show a screen that is neither the shelf nor a table."""
        self.clear()
        self.menus.leave_table()
        self.menus.show_title("")
        self._page = page
        self.put_on(page)

    def clear(self) -> None:
        """Take away whatever screen is there, so that another one can come."""
        if self._playing is not None:
            self._playing.leave()
        if self._watching is not None:
            self._watching.put_away()
        page, self._page, self.new_game = self._page, None, None
        if page is not None:
            self.take_off(page)
        if self._outing is not None:
            self._outing.put_away()

    def put_on(self, screen: QWidget) -> None:
        """Lay a screen over the others."""
        self.stack.addWidget(screen)
        self.stack.setCurrentWidget(screen)

    def take_off(self, screen: QWidget) -> None:
        """A screen has had its day."""
        self.stack.removeWidget(screen)
        screen.deleteLater()

    # Matches of this computer

    @property
    def playing(self) -> Playing:
        """What shows tables; made when it is first wanted."""
        if self._playing is None:
            from ui.playing import Playing

            self._playing = Playing(self)
        return self._playing

    @property
    def table(self) -> TableScreen | None:
        """The table on the screen, while one is shown."""
        return self._playing.table if self._playing is not None else None

    def continue_match(self, file: Path) -> None:
        """Go on with an unfinished match."""
        if self.may_go():
            self.playing.resume(file)

    # Tables of several computers

    @property
    def outing(self) -> Outing:
        """What leads to tables of other computers; made when it is first wanted."""
        if self._outing is None:
            from ui.outing import Outing

            self._outing = Outing(self)
        return self._outing

    def _come_back(self, back: Return) -> None:
        self.outing.come_back(back)

    def _abroad(self) -> bool:
        return self._outing is not None and self._outing.abroad

    def _travels(self, name: str) -> bool:
        """Whether a command is one of a shared table now."""
        return name in ("host", "join") or self._abroad()

    def may_go(self) -> bool:
        """Whether something else may be shown: a shared table is left only with consent."""
        if self._abroad():
            self.outing.leave()
        return not self._abroad()

    # Replays

    @property
    def watching(self) -> Watching:
        """What shows replays; made when it is first wanted."""
        if self._watching is None:
            from ui.watching import Watching

            self._watching = Watching(self)
        return self._watching

    def open_file(self, file: Path) -> None:
        """Open a save: an unfinished match is played on in a copy, a finished one or one of other
        rules is watched. The file itself stays as it is."""
        from tabletop.storage.record import kit_of
        from tabletop.storage.trouble import OtherRules
        from ui.screens import saves

        if not self.may_go():
            return
        try:
            match = saves.opened(self.room, file)
        except OtherRules:
            match = None
        except (BadFile, StorageError) as error:
            self._tell(error.reason)
            return
        if match is None:
            self.watching.open(file)
        else:
            self.playing.sit(kit_of(match), match)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if files.dropped(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        file = files.dropped(event)
        if file is not None:
            event.acceptProposedAction()
            self.open_file(file)

    # Files

    def _choose_file(self) -> None:
        words = self.room.words
        file = files.to_open(self, words("Open a save"), files.records(words))
        if file is not None:
            self.open_file(file)

    # How it looks, and what goes wrong

    def dress(self) -> None:
        """Put every text on in the room's language."""
        self.setWindowTitle(self.room.words("Tabletop 卓"))
        sign = self.room.art.pixmap("common/app.svg", 128, 128, 1.0)
        self.setWindowIcon(QIcon(sign))
        program = QApplication.instance()
        assert program is not None
        program.removeTranslator(self._translator)
        where = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        if self._translator.load(f"qtbase_{self.room.words.language}", where):
            program.installTranslator(self._translator)
        if self._furnished and self.table is None:  # until then the shelf itself is to come
            self._waiting.lay_out()

    def tell_fault(self) -> None:
        """Something failed that should not have: say so, and that nothing is lost."""
        words = self.room.words
        self.banner.tell(
            words("Something went wrong in the program. The match is saved up to the last move."),
            "warning",
            words("Report a bug…"),
            partial(self.do, "report"),
        )

    def _tell(self, reason: Reason) -> None:
        self.banner.tell(self.room.words.reason(reason))

    def kit(self) -> Kit:
        """The game that is meant where none is named: the one on the screen, or the first."""
        from tabletop.games import catalogue

        if self.table is not None:
            return self.table.sitting.kit
        return self.new_game.kit if self.new_game else catalogue.shelf()[0]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._furnished:
            self.banner.place()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._furnished:
            if self._playing is not None:
                self._playing.leave()
            if self._watching is not None:
                self._watching.put_away()
            if self._outing is not None:
                self._outing.close()
            self.room.remember(geometry=self.saveGeometry().data())
            self.room.sounds.close()
            self.room.minds.close()
        self._sweeper.end()
        super().closeEvent(event)


def _settings() -> tuple[settings.Settings, Reason | None]:
    """The settings, and what to tell of them; the usual ones where the disk refuses."""
    try:
        return settings.load()
    except StorageError as error:
        return settings.Settings(), error.reason
