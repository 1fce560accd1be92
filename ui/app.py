"""The window: changes between the screens, and does what its menus say."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QLibraryInfo, QSize, Qt, QTimer, QTranslator
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QIcon, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFileDialog,
    QMainWindow,
    QStackedWidget,
    QWidget,
)

from tabletop.engine.model import Reason, Result
from tabletop.storage import folders, settings
from tabletop.storage.trouble import BadFile, StorageError
from ui.garbage import Sweeper
from ui.screens import diary
from ui.theme import palette, theme

if TYPE_CHECKING:
    from tabletop.games.catalogue import Kit
    from tabletop.match import Match
    from tabletop.net.keyring import Return
    from ui.outing import Outing
    from ui.screens.new_game import Agreed, NewGame
    from ui.screens.sitting import Seating, Sitting
    from ui.screens.table import TableScreen
    from ui.watching import Watching

# Everything else is imported where it is first wanted, in `Window.furnish` or after it: to import
# it all takes several times as long as to open the window.

SMALLEST = QSize(960, 540)
USUAL = QSize(1280, 800)


def run(files: Sequence[str] = (), move: int | None = None, viewer: int | str | None = "") -> int:
    """Open the window, with a save where one is named; gives the number for the system to end with.

    With a `move` the file is watched from there, with the eyes of `viewer` ("" leaves open whose).

    `files` are paths, or an invitation to a table elsewhere; the first is opened.
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
    if files and "://" in files[0]:
        window.outing.follow(files[0])
    elif files and move is not None:
        window.watching.open(Path(files[0]), move, viewer)
    elif files:
        window.open_file(Path(files[0]))
    return program.exec()


class Window(QMainWindow):
    """The program's one window."""

    def __init__(self, kept: diary.Diary | None = None, *, furnished: bool = True) -> None:
        super().__init__()
        self._diary = kept or diary.Diary()
        self._found, self._trouble = _settings()
        self._sweeper = Sweeper(self)
        self._furnished = False
        self._counted: Result | None = None
        """The end of the present match, once the statistics have it."""
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

        self.room = Room(self._found)
        self.menus = Menus(self.room)
        self.setMenuBar(self.menus)
        self.shelf = Shelf(self.room, catalogue.shelf())
        self.table: TableScreen | None = None
        self.new_game: NewGame | None = None
        self._page: QWidget | None = None
        """A screen of a shared table or of replays, while one is shown."""
        self._outing: Outing | None = None
        self._watching: Watching | None = None
        self.stack = QStackedWidget()
        self.stack.addWidget(self.shelf)
        self.setCentralWidget(self.stack)
        self.banner = Banner(self.room, self)
        self._text_first = TextFirst(self)
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
        elif self._unreadable:
            self._tell(self._unreadable[0].reason)

    def _wire(self) -> None:
        self.menus.asked.connect(self.do)
        self.menus.submenus["hand_over"].setEnabled(False)
        self.menus.submenus["hand_over"].aboutToShow.connect(self._fill_hand_over)
        self.shelf.asked.connect(self.do)
        self.shelf.chosen.connect(self.ask_new_game)
        self.shelf.wanted.connect(self.continue_match)
        self.shelf.unwanted.connect(self.put_away)
        self.shelf.named.connect(self.name_match)
        self.shelf.returning.connect(lambda back: self.outing.come_back(back))
        self.shelf.forgotten.connect(self._forget_return)
        self.room.changed.connect(self.dress)
        self.room.troubled.connect(self._tell)

    def do(self, name: str) -> None:
        """Do what a command of the menus says, or a button that is called the same."""
        from ui.screens.about import About
        from ui.screens.fair import Fair
        from ui.screens.keys import Shortcuts
        from ui.screens.settings import SettingsDialog
        from ui.screens.statistics import StatisticsDialog

        table = self.table
        match name:
            case "host" | "join" if not self._may_go():
                pass
            case "host" | "join" | "leave" | "rematch" | "away" if self._travels(name):
                self.outing.do(name)
            case "new":
                self.ask_new_game(self.kit())
            case "open":
                self._choose_file()
            case "open_replay" if self._may_go():
                self.watching.choose()
            case "replays" if self._may_go():
                self.watching.show_list()
            case "quit":
                self.close()
            case "settings":
                self._show(SettingsDialog(self.room, self))
            case "rules":
                self._show_rules()
            case "statistics":
                self._show(StatisticsDialog(self.room, self))
            case "shortcuts":
                self._show(Shortcuts(self.room, self))
            case "fair":
                self._show(Fair(self.room, self))
            case "about":
                self._show(About(self.room, self))
            case "report":
                self._report()
            case "sounds":
                self.room.change(sounds=not self.room.settings.sounds)
            case "full_screen":
                self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)
            case _ if table is not None:
                self._do_at_table(table, name)
            case _ if self._watching is not None:
                self._watching.do(name)

    def _do_at_table(self, table: TableScreen, name: str) -> None:
        match name:
            case "save":
                self._save_as(table)
            case "watch":
                self._watch(table)
            case "restart":
                self._restart(table)
            case "rematch":
                self._play_again(table, turned=False)
            case "swap":
                self._play_again(table, turned=True)
            case "leave":
                self.show_shelf()
            case _:
                table.do(name)

    # The screens

    def show_shelf(self) -> None:
        """Back to the shelf; a match that is left can be continued there."""
        self._clear()
        self._lay_out_waiting()
        self.stack.setCurrentWidget(self.shelf)
        self.shelf.take_focus()
        self.menus.show_title("")
        self.menus.leave_table()
        QTimer.singleShot(0, self, self._draw_late)

    def _draw_late(self) -> None:
        """Draw the tables that a crash left without their picture, once the shelf stands."""
        from ui.screens import saves

        if self.stack.currentWidget() is self.shelf and saves.draw_late(self.room, self._waiting):
            self._lay_out_waiting()
            self.shelf.take_focus()

    def _lay_out_waiting(self) -> None:
        """Show the matches that wait, on the shelf and in the menu, as they lie on the disk now."""
        from ui.screens import saves

        self._waiting, self._unreadable = saves.waiting(self.room)
        self.shelf.show_waiting(self._waiting, self._returns())
        self._fill_continue()

    def ask_new_game(self, kit: Kit) -> None:
        """Show the sheet for a new game of this kit."""
        from ui.screens.new_game import NewGame

        if not self._may_go():
            return
        self._clear()
        self.menus.leave_table()
        self.menus.show_title("")
        self.new_game = NewGame(self.room, kit)
        self.new_game.started.connect(self.begin)
        self.new_game.left.connect(self.show_shelf)
        self.stack.addWidget(self.new_game)
        self.stack.setCurrentWidget(self.new_game)

    # Tables of several computers

    @property
    def outing(self) -> Outing:
        """What leads to tables of other computers; made when it is first wanted."""
        if self._outing is None:
            from ui.outing import Outing

            self._outing = Outing(self)
        return self._outing

    def show_page(self, page: QWidget) -> None:
        """Show a screen that is neither the shelf nor a table."""
        self._clear()
        self.menus.leave_table()
        self.menus.show_title("")
        self._page = page
        self.stack.addWidget(page)
        self.stack.setCurrentWidget(page)

    def _abroad(self) -> bool:
        return self._outing is not None and self._outing.abroad

    def _travels(self, name: str) -> bool:
        """Whether a command is one of a shared table now."""
        return name in ("host", "join") or self._abroad()

    def _may_go(self) -> bool:
        """Whether something else may be shown: a shared table is left only with consent."""
        if self._abroad():
            self.outing.leave()
        return not self._abroad()

    def _forget_return(self, table: str) -> None:
        self.outing.forget(table)
        self._lay_out_waiting()

    def begin(self, wanted: Agreed) -> None:
        """Begin a match as agreed."""
        from tabletop.storage import matches

        try:
            languages = (self.room.words.language,) * len(wanted.players)
            match = matches.begin(
                wanted.kit, wanted.players, wanted.options, wanted.seed, languages
            )
        except StorageError as error:
            self._tell(error.reason)
            return
        self.sit(wanted.kit, match)

    def continue_match(self, file: Path) -> None:
        """Go on with an unfinished match."""
        from tabletop.storage import matches
        from tabletop.storage.record import kit_of

        if not self._may_go():
            return
        try:
            match = matches.resume(file)
        except (BadFile, StorageError) as error:
            self._tell(error.reason)
            return
        self.sit(kit_of(match), match)

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

        if not self._may_go():
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
            self.sit(kit_of(match), match)

    def _watch(self, table: TableScreen) -> None:
        """Watch the match that has just ended, from its beginning."""
        shared = _shared(table.sitting)
        if not self._may_go():
            return
        kept = self._leave_table() if shared is None else self._keep_shared(shared)
        if kept is not None:
            self.watching.open(kept)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _dropped(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        file = _dropped(event)
        if file is not None:
            event.acceptProposedAction()
            self.open_file(file)

    def name_match(self, file: Path) -> None:
        """Ask what an unfinished match is to be called."""
        from ui.watching import ask_name

        now = next((each.name for each in self._waiting if each.file == file), "")
        if ask_name(self, file, now):
            self._lay_out_waiting()

    def put_away(self, file: Path) -> None:
        """Throw an unfinished match away; a press on the banner brings it back."""
        from tabletop.storage import matches

        try:
            trashed = matches.delete(file)
        except StorageError as error:
            self._tell(error.reason)
            return
        self.show_shelf()
        words = self.room.words
        self.banner.tell(
            words("The match was put away."),
            "info",
            words("Bring it back"),
            lambda: self._bring_back(trashed),
        )

    def _bring_back(self, file: Path) -> None:
        from tabletop.storage import matches

        try:
            matches.bring_back(file)
        except StorageError as error:
            self._tell(error.reason)
        self.show_shelf()

    def sit(self, kit: Kit, match: Match) -> None:
        """Sit down at a match of this process."""
        from ui.screens.here import Here

        self.sit_at(Here(self.room, kit, match)).begin()

    def sit_at(self, seating: Seating) -> TableScreen:
        """Show a table; it is still to begin."""
        from ui.screens.sitting import Sitting
        from ui.screens.table import TableScreen

        self._clear()
        self.banner.hide()
        self._counted = None
        table = TableScreen(self.room, Sitting(self.room, seating))
        table.titled.connect(self.menus.show_title)
        table.allowed.connect(self.menus.allow)
        table.asked.connect(self.do)
        table.sitting.moved.connect(lambda: self._count(table.sitting))
        if self.room.settings.docks:
            table.restoreState(QByteArray(self.room.settings.docks))
        self.table = table
        self.stack.addWidget(table)
        self.stack.setCurrentWidget(table)
        return table

    def _clear(self) -> None:
        """Take away whatever screen is there, so that another one can come."""
        self._leave_table()
        self._drop_new_game()
        if self._watching is not None:
            self._watching.put_away()
        page, self._page = self._page, None
        if page is not None:
            self.stack.removeWidget(page)
            page.deleteLater()
        if self._outing is not None:
            self._outing.put_away()

    def _count(self, sitting: Sitting) -> None:
        """Keep how a match ended; one that ends anew after moves were taken back counts anew."""
        from tabletop.storage.statistics import opened

        result, key = sitting.view.result, sitting.seating.key
        if result is None or not key or result == self._counted:
            return
        try:
            with opened() as kept:
                kept.count(key, sitting.kit.id, sitting.players, result)
        except StorageError as error:
            self._tell(error.reason)
        self._counted = result

    def _leave_table(self) -> Path | None:
        """Close the table and keep what belongs to it: the record, a picture, the docks. Gives
        where the record of a finished match now lies."""
        from tabletop.storage import matches
        from ui.screens.picture import keep_picture

        table, self.table = self.table, None
        kept: Path | None = None
        if table is None:
            return kept
        self.room.remember(docks=table.saveState().data())
        sitting, file = table.sitting, table.sitting.file
        table.close_table()
        if file is not None and sitting.over:
            try:
                kept = matches.keep(file)
            except StorageError as error:
                self._tell(error.reason)
        elif file is not None and sitting.match is not None:
            keep_picture(self.room, sitting.kit, sitting.match, file)
        elif (match := _shared(sitting)) is not None:
            kept = self._keep_shared(match)
        self.stack.removeWidget(table)
        table.deleteLater()
        return kept

    def _keep_shared(self, match: Match) -> Path | None:
        """Put a finished match of a shared table among the replays of this computer as well."""
        from tabletop.storage import matches

        try:
            return matches.keep_copy(match)
        except StorageError as error:
            self._tell(error.reason)
            return None

    def _drop_new_game(self) -> None:
        sheet, self.new_game = self.new_game, None
        if sheet is not None:
            self.stack.removeWidget(sheet)
            sheet.deleteLater()

    def _play_again(self, table: TableScreen, turned: bool) -> None:
        from ui.screens.new_game import Agreed

        sitting = table.sitting
        players = sitting.players
        if turned:
            players = players[1:] + players[:1]
        self.begin(Agreed(sitting.kit, players, dict(sitting.view.options)))

    def _restart(self, table: TableScreen) -> None:
        from tabletop.storage import matches
        from ui.screens.question import agreed

        words, sitting = self.room.words, table.sitting
        text = words("Restart with the same players? The present match is put away.")
        if not agreed(self.room, self, "restart", text, words("Restart")):
            return
        file, over = sitting.file, sitting.over
        self._play_again(table, turned=False)
        if file is not None and not over and self.table is not table:
            try:
                matches.delete(file)
            except StorageError as error:
                self._tell(error.reason)

    # Files

    def _choose_file(self) -> None:
        words = self.room.words
        file, _ = QFileDialog.getOpenFileName(
            self, words("Open a save"), str(Path.home()), self.kinds()
        )
        if file:
            self.open_file(Path(file))

    def _save_as(self, table: TableScreen) -> None:
        from tabletop.storage.record import SUFFIX, hides, save_as
        from ui.words import title

        words, sitting = self.room.words, table.sitting
        match = sitting.seating.recorded
        if match is None:
            return
        wish = Path.home() / f"{title(sitting.kit, words.language)}{SUFFIX}"
        file, _ = QFileDialog.getSaveFileName(self, words("Save as"), str(wish), self.kinds())
        if not file:
            return
        path = Path(file)
        path = path if path.suffix else path.with_suffix(SUFFIX)
        try:
            save_as(match, path)
        except StorageError as error:
            self._tell(error.reason)
            return
        told = words("Saved as “{file}”.", file=path.name)
        if not sitting.over and not hides(match.players):
            told += " " + words("Nothing is sealed in it: who reads the file sees every card.")
        self.banner.tell(told, "check")

    def kinds(self) -> str:
        """Which files a person is shown to choose from."""
        from tabletop.storage.record import SUFFIX

        return f"{self.room.words('Tabletop saves and replays')} (*{SUFFIX})"

    def _report(self) -> None:
        from ui.screens.report import write

        words = self.room.words
        wish = Path.home() / "tabletop-report.zip"
        file, _ = QFileDialog.getSaveFileName(
            self, words("Report a bug"), str(wish), words("ZIP archives") + " (*.zip)"
        )
        if not file:
            return
        sitting = self.table.sitting if self.table else None
        try:
            write(Path(file), self.room.settings, tuple(self._diary.lines), sitting)
        except StorageError as error:
            self._tell(error.reason)
            return
        self.banner.tell(
            words(
                "The report is in “{file}”: no names, no hidden cards. Send it with a few words "
                "on what happened.",
                file=Path(file).name,
            ),
            "check",
        )

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
            self._lay_out_waiting()

    def tell_fault(self) -> None:
        """Something failed that should not have: say so, and that nothing is lost."""
        words = self.room.words
        self.banner.tell(
            words("Something went wrong in the program. The match is saved up to the last move."),
            "warning",
            words("Report a bug…"),
            self._report,
        )

    def _tell(self, reason: Reason) -> None:
        self.banner.tell(self.room.words.reason(reason))

    def _fill_hand_over(self) -> None:
        """The menu of those who may host the shared table on."""
        menu = self.menus.submenus["hand_over"]
        menu.clear()
        for name, hand_over in self.outing.hand_over_to() if self._abroad() else ():
            menu.addAction(name).triggered.connect(lambda _=False, act=hand_over: act())

    def _returns(self) -> tuple[Return, ...]:
        """The shared tables that somebody here can return to."""
        if not folders.keyring().is_file():
            return ()  # and nothing of the network needs to be loaded
        return self.outing.returns

    def _fill_continue(self) -> None:
        """The menu of all matches that wait."""
        menu = self.menus.submenus["continue"]
        menu.clear()
        for each in self._waiting:
            action = menu.addAction(f"{each.called} · {each.heading} · {each.players}")
            action.triggered.connect(lambda _=False, file=each.file: self.continue_match(file))
        menu.setEnabled(bool(self._waiting))

    def kit(self) -> Kit:
        """The game that is meant where none is named: the one on the screen, or the first."""
        from tabletop.games import catalogue

        if self.table is not None:
            return self.table.sitting.kit
        return self.new_game.kit if self.new_game else catalogue.shelf()[0]

    def _show_rules(self) -> None:
        from ui.screens.rulebook import Rules

        if self.table is not None:
            self.table.turn_to()
        else:
            self._show(Rules(self.room, self, self.kit()))

    def _show(self, dialog: QDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._furnished:
            self.banner.place()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._furnished:
            self._leave_table()
            if self._outing is not None:
                self._outing.close()
            self.room.remember(geometry=self.saveGeometry().data())
            self.room.sounds.close()
            self.room.minds.close()
        self._sweeper.end()
        super().closeEvent(event)


def _shared(sitting: Sitting) -> Match | None:
    """The match of a shared table, once it is over and its host has told all of it."""
    from tabletop.engine.play import Illegal

    if sitting.file is not None or not sitting.over:
        return None
    try:
        return sitting.seating.recorded
    except Illegal:  # what was told is no match: whether it was fair the sheet says
        return None


def _dropped(event: QDropEvent) -> Path | None:
    """The record that is dragged onto the window, if it is one."""
    from tabletop.storage.record import SUFFIX

    files = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
    return next((file for file in files if file.suffix == SUFFIX), None)


def _settings() -> tuple[settings.Settings, Reason | None]:
    """The settings, and what to tell of them; the usual ones where the disk refuses."""
    try:
        return settings.load()
    except StorageError as error:
        return settings.Settings(), error.reason
