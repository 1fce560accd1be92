"""The window: changes between the screens, and does what its menus say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from tabletop.background import faults
from tabletop.background.faults import WENT_WRONG
from tabletop.engine.model import Reason
from tabletop.files import background_writes, folders
from tabletop.storage import settings
from ui.shell import app_log
from ui.shell.garbage_collection import GarbageCollector
from ui.shell.peekable_property import PeekableCachedProperty
from ui.shell.window_place import SMALLEST, WindowInView, place
from ui.style.theme import palette, theme

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QResizeEvent

    from tabletop.catalogue.catalogue import BrokenGame, GameKit
    from tabletop.games.game_kit import CatalogueEntry
    from tabletop.home.known_hosts import RejoinableTable
    from tabletop.review.review import Feat
    from ui.exchange.exchange_session import ExchangeSession
    from ui.exchange.waiting_files import WaitingFiles
    from ui.match.screen.match_session import MatchSession
    from ui.match.screen.table_screen import TableScreen
    from ui.online.online_session import OnlineSession
    from ui.public.public_session import PublicSession
    from ui.replay.replay_session import ReplaySession
    from ui.setup.new_game import NewGame

# Everything else is imported in the functions that need it, in `Window.furnish` or later: this
# module is loaded before the window opens, and its contents take several times as long to import
# (docs/decisions/start.md).

FAULT = Reason(
    "Something went wrong. Your match is saved up to the last move.", code="window_fault"
)
CLEARED = 1_000
"""Milliseconds after the start: what isn't wanted any more is cleared away then."""


class Workshop(Protocol):
    """The studio's workshop."""

    def show_screen(self) -> None:
        """Show the games that are made here, and the beginning of a new one."""

    def open(self, folder: Path, *, hint: str = "") -> None:
        """Show the table of the game in a folder beside its files, with a `hint` over it."""

    def open_trial(self, folder: Path, seats: int, seed: str) -> None:
        """Show that table with so many players, dealt by this seed."""

    def put_away(self) -> None:
        """Another screen comes."""


class Window(QMainWindow):
    """The program's one window: the `Navigator` of its parts."""

    def __init__(
        self,
        kept: app_log.AppLog | None = None,
        *,
        furnished: bool = True,
        boxes: Sequence[GameKit] | None = None,
    ) -> None:
        """`boxes` are the games on the shelf; left out, all that can be found."""
        super().__init__()
        self._app_log = kept or app_log.AppLog()
        self._loaded, self._trouble = settings.load()
        self._collector = GarbageCollector(self)
        self._furnished = False
        self._boxes = boxes
        place(self, self._loaded.geometry)
        self.setPalette(palette(theme(self._loaded.theme)))
        self.setWindowTitle("Tabletop 卓")
        if furnished:
            self.furnish()

    def furnish(self) -> None:
        """Put everything into the bare window. Nothing else may be asked of it before."""
        from PySide6.QtCore import QMargins, QTranslator

        from tabletop.catalogue import catalogue
        from tabletop.storage import saved_matches
        from ui.accessibility import interface_factory
        from ui.shelf.shelf_screen import ShelfScreen
        from ui.shelf.unfinished_matches import UnfinishedMatches
        from ui.shell.app_context import AppContext
        from ui.shell.window_thread import call_in_gui_thread
        from ui.shell.window_title import WindowTitle
        from ui.widgets.banner import Banner
        from ui.widgets.drop_down_keys import DropDownKeys
        from ui.widgets.focus_ring import FocusRing
        from ui.widgets.menu_bar import MenuBar, TextFieldShortcutGuard
        from ui.widgets.screen_stack import ScreenStack
        from ui.widgets.spoken_focus import SpokenFocus

        hear = call_in_gui_thread(self.tell_fault)
        self._stop_hearing = faults.add_listener(lambda _: hear())
        self.context = AppContext(self._loaded)
        interface_factory.install()
        self._in_view = WindowInView(self, SMALLEST)
        self._title = WindowTitle(self.context, self)
        self._translator = QTranslator(self)
        self.menus = MenuBar(self.context, self)
        self.setMenuBar(self.menus)
        self.shelf = ShelfScreen(
            self.context,
            catalogue.list_entries().shelf_entries if self._boxes is None else self._boxes,
        )
        below_menus = self.size().shrunkBy(QMargins(0, self.menus.sizeHint().height(), 0, 0))
        self.shelf.fit(below_menus)  # now, or it would be styled twice
        self.new_game: NewGame | None = None
        self._allowed: dict[str, bool] = {}
        """The commands that the screen allows or forbids."""
        self.stack = ScreenStack(self.shelf)
        self.setCentralWidget(self.stack)
        self.banner = Banner(self.context, self)
        self._text_first = TextFieldShortcutGuard(self)
        self._focus_ring = FocusRing(self)
        self._spoken_focus = SpokenFocus(self)
        self._drop_down_keys = DropDownKeys(self)
        continue_menu = self.menus.submenus["continue"]
        self._unfinished = UnfinishedMatches(
            self.context, self, self.shelf, continue_menu, self._ways_back
        )
        self._wire()
        self.setAcceptDrops(True)
        saved_matches.move_ended_to_replays()
        self.refresh_appearance()
        self.show_shelf()
        self._furnished = True
        self.menus.show_in(self.isFullScreen())  # as the person left it
        QTimer.singleShot(0, self, self._ask_system)
        QTimer.singleShot(CLEARED, self, self._clear_away)
        if self._trouble is not None:
            self._tell_reason(self._trouble)
        elif broken := catalogue.list_entries().faults:
            self._tell_left_out(*broken)
        elif self._unfinished.unreadable:
            self._unfinished.tell_unreadable()

    def _ask_system(self) -> None:
        """Follow what the system asks of its programs, once the window is seen."""
        self.context.wishes.changed.connect(self._grow_texts)
        self.context.refresh_system_preferences()

    def _grow_texts(self) -> None:
        """Have all texts as large as the system asks for."""
        from PySide6.QtGui import QResizeEvent

        from ui.widgets.styled_widgets import Growing

        if self.context.wishes.text_scale == Growing.text_scale:
            return
        Growing.text_scale = self.context.wishes.text_scale
        self.menus.fit(self.size())
        for shown in self.stack.all_shown:
            QApplication.sendEvent(shown, QResizeEvent(shown.size(), shown.size()))

    def _clear_away(self) -> None:
        from tabletop.storage.cleanup import clean_up

        background_writes.add(clean_up)
        if self._unfinished.awaits_hosts:
            self.online.ways_back.watch()

    def _wire(self) -> None:
        self.menus.asked.connect(self.do)
        self.shelf.asked.connect(self.do)
        self.shelf.chosen.connect(self.ask_new_game)
        self.shelf.wanted.connect(self.continue_match)
        self.shelf.shared.connect(self._share)
        self.shelf.board.pointed_at.connect(_load_table)
        self.shelf.played.connect(self._play_now)
        self.shelf.returning.connect(self._come_back)
        self.shelf.forgotten.connect(self._forget_return)
        self._unfinished.wanted.connect(self.continue_match)
        self._unfinished.all_wanted.connect(self._list_unfinished)
        self.context.changed.connect(self._note_changed)
        self.context.troubled.connect(self._tell_reason)

    def do(self, name: str) -> None:
        """Do what a command of the menus says, or a button that is called the same."""
        from ui.settings.pages import PAGES

        table = self.table
        match name:
            case "host" | "join" | "new" | "workshop" if not self.may_go():
                pass
            case "host":
                self.online.hosting.show_sheet(self.kit())
            case "join":
                self.online.show_join()
            case "leave" | "rematch" | "away" | "seat_code" | "phones" if self._visiting():
                self.online.do(name)
            case "new":
                self.show_shelf()
            case "workshop":
                self.workshop.show_screen()
            case "open":
                self._choose_file()
            case "open_replay" if self.may_go():
                self.replays.choose()
            case "replays" if self.may_go():
                self.replays.show_list()
            case "quit":
                if self._may_close():
                    self.close()
            case "rules" if table is not None and self.stack.page is None:
                table.dock.turn_to()
            case _ if name in PAGES:
                self.show_over(PAGES[name](self.context, self.kit()))
            case "public_table":
                self.public.toggle()
            case "report":
                seated = table.seated if table is not None else None
                from ui.settings.bug_report import report_bug

                report_bug(self.context, self, self._app_log.lines, seated)
            case "sounds":
                self.context.change(sounds=not self.context.settings.sounds)
            case "full_screen":
                from PySide6.QtCore import Qt

                self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)
            case _ if table is not None:
                self.matches.do(table, name)
            case _ if (replays := Window.replays.if_made(self)) is not None:
                replays.do(name)
            case _:
                from ui.shell.commands import refuse_unknown

                refuse_unknown(name)

    # The screens

    def show_shelf(self) -> None:
        """Back to the shelf; a match that is left can be continued there."""
        self._remove_screen()
        if (online := Window.online.if_made(self)) is not None:
            online.turn_back()
        self._unfinished.lay_out()
        self.stack.show_shelf()
        self.shelf.take_focus()
        self.show_title("", "")
        self.menus.wear(None)
        self.menus.leave_table()

    def renew_shelf(self) -> None:
        """Show on the shelf what waits, as it is on the disk now."""
        self._unfinished.lay_out()

    def ask_new_game(self, game: CatalogueEntry) -> None:
        """Show the sheet for a new match of this game."""
        from ui.setup.new_game import NewGame

        if not self.may_go() or (opened := self._load_allowed_game(game)) is None:
            return
        sheet = NewGame(self.context, opened)
        sheet.started.connect(self.matches.begin)
        sheet.shared.connect(lambda asked: self.online.hosting.open(asked))
        sheet.left.connect(self.show_shelf)
        self.show_page(sheet)
        self.new_game = sheet

    def show_page(self, page: QWidget) -> None:
        """Show a screen, the one before is gone for good."""
        self._remove_screen()
        self.banner.pass_by()
        self.menus.leave_table()
        self.show_title("", "")
        self.menus.wear(getattr(page, "ground", getattr(page, "kit", None)))
        self.stack.show_screen(page)

    def wear(self, kit: GameKit | None) -> None:
        """Take the colours of the table of this game; with None, the program's own."""
        self.menus.wear(kit)

    def show_over(self, page: QWidget) -> None:
        """Show a page over the screen, which goes on below it and comes back when it is left."""
        from ui.widgets.page_screen import PageScreen

        assert isinstance(page, PageScreen)
        page.left.connect(self._leave_over)
        page.game_wanted.connect(self.ask_new_game)
        self.menus.leave_table()
        self.stack.show_page(page)
        page.take_focus()

    def _leave_over(self) -> None:
        """Go back to the screen below a page."""
        self.stack.leave_page()
        self.menus.allow(self._allowed)

    def _show_table(self, table: TableScreen) -> None:
        """Show a table as a page, and let the menus follow it."""
        self.banner.hide()
        table.titled.connect(self.show_title)
        table.allowed.connect(self.allow)
        table.asked.connect(self.do)
        table.box.shelf_place = self._box_place(table.kit)
        self.show_page(table)

    def _box_place(self, kit: GameKit) -> QPoint | None:
        """Where the box of a game stands, while the shelf is seen."""
        if not self.shelf.isVisible():
            return None
        box = next((each for each in self.shelf.boxes if each.game.id == kit.id), None)
        return box.mapTo(self, box.rect().center()) if box is not None else None

    def _remove_screen(self) -> None:
        if (matches := Window.matches.if_made(self)) is not None:
            matches.leave()
        if (replays := Window.replays.if_made(self)) is not None:
            replays.put_away()
        if (workshop := Window.workshop.if_made(self)) is not None:
            workshop.put_away()
        self.stack.remove_page()
        self._allowed, self.new_game = {}, None
        self.stack.remove_screen()
        if (online := Window.online.if_made(self)) is not None:
            online.put_away()

    def show_title(self, game: str, state: str) -> None:
        """Show the game and its state between the menus, and the game in the window's title."""
        self.menus.show_title(game, state)
        self._title.name_game(game)

    def allow(self, allowed: Mapping[str, bool]) -> None:
        """Enable and disable commands of the menus by name."""
        self._allowed |= allowed
        if self.stack.page is None:
            self.menus.allow(allowed)

    # Matches of this computer

    @PeekableCachedProperty
    def matches(self) -> MatchSession:
        """The session of matches; made when it is first wanted."""
        from ui.match.screen.match_session import MatchSession

        matches = MatchSession(self.context, self)
        matches.shown.connect(self._show_table)
        matches.watched.connect(self._watch)
        return matches

    @PeekableCachedProperty
    def public(self) -> PublicSession:
        """The window that shows a match to everybody in the room; made when it is first wanted."""
        from ui.public.public_session import PublicSession

        public = PublicSession(self.context, self, self.matches)
        public.opened.connect(self.menus.commands["public_table"].setChecked)
        return public

    @property
    def table(self) -> TableScreen | None:
        """The table on the screen, while one is shown."""
        matches = Window.matches.if_made(self)
        return matches.table if matches is not None else None

    def _play_now(self, game: CatalogueEntry) -> None:
        if (opened := self._load_allowed_game(game)) is not None:
            self.matches.play_now(opened)

    def _load_allowed_game(self, game: CatalogueEntry) -> GameKit | None:
        """The whole game as its folder is now, its owner asked first where it has to be; None where
        it does not run."""
        from tabletop.catalogue import catalogue

        if isinstance(game, catalogue.GameKit) and not game.outside:
            return game
        if not game.waits_for:
            if opened := isinstance(game, catalogue.GameKit):
                catalogue.reread_if_changed(game.id)
            try:
                return catalogue.load(game.id)
            except catalogue.CodeNotAllowed as changed:
                game = changed.entry
            except catalogue.UnknownGame as error:
                self._tell_reason(error.reason)
                return None
            except catalogue.BrokenGame as error:
                if opened:
                    self._tell_reason(error.reason)
                else:
                    self._tell_left_out(error)
                return None
        from ui.shelf.agreement_prompt import agreed_kit

        agreed = agreed_kit(self.context, self, game)
        if agreed is not None:
            self.shelf.board.renew(agreed)
        return agreed

    def continue_match(self, file: Path) -> None:
        """Go on with an unfinished match."""
        if not self.matches.plays(file) and self.may_go():
            self.matches.resume(file)

    def _list_unfinished(self) -> None:
        if self.may_go():
            self.show_shelf()
            self.shelf.show_all()

    # Tables of several computers

    def _ways_back(self) -> tuple[RejoinableTable, ...]:
        """The tables elsewhere that somebody here can return to. To list them no network is
        loaded."""
        if (online := Window.online.if_made(self)) is not None:
            return online.known_hosts.rejoinable_tables
        from tabletop.home.known_hosts import KnownHosts

        known = KnownHosts(folders.known_hosts())
        with self.context.report_errors():
            known.count_today()
        return known.rejoinable_tables

    @PeekableCachedProperty
    def online(self) -> OnlineSession:
        """The session of shared tables; made when it is first wanted."""
        from ui.online.online_session import OnlineSession

        online = OnlineSession(self.context, self, self.matches.sit_at, self.menus.submenus)
        phones = online.phones
        phones.changed.connect(lambda: self.public.invite(phones.invited))
        online.search.played.fetched.connect(lambda file: self._watch(file))
        return online

    def _come_back(self, back: RejoinableTable) -> None:
        self.online.come_back(back)

    def _forget_return(self, table: str) -> None:
        self.online.ways_back.give_up(table)
        self._unfinished.lay_out()

    def _visiting(self) -> bool:
        online = Window.online.if_made(self)
        return online is not None and online.visiting

    def may_go(self) -> bool:
        """Whether something else may be shown: a shared table is left only with consent."""
        if self._visiting():
            self.online.leave()
        return not self._visiting()

    # Games that are made here

    @PeekableCachedProperty
    def workshop(self) -> Workshop:
        """The session of the workshop; made when it is first wanted."""
        from ui.shell.studio_entry import studio

        workshop: Workshop = studio().workshop(
            self.context,
            self,
            self,
            self.matches,
            renewed=self.shelf.board.renew,
            imported=self._take_in,
            shared=self._share,
        )
        return workshop

    @PeekableCachedProperty
    def exchange(self) -> ExchangeSession:
        """The session of games in files; made when it is first wanted."""
        from ui.exchange.exchange_session import ExchangeSession

        exchange = ExchangeSession(self.context, self, self)
        exchange.kept.connect(self._show_kept)
        exchange.made.connect(self._show_made)
        return exchange

    def _show_made(self, folder: Path) -> None:
        """Show the table of a game that was made of another program's."""
        hint = self.context.words("This is your game now. Its files are under “Files”.")
        self.workshop.open(folder, hint=hint)

    def _share(self, game: CatalogueEntry) -> None:
        self.exchange.share(game)

    def _take_in(self, path: Path) -> None:
        self.exchange.open(path)

    def _show_kept(self, game: str) -> None:
        """Show the box of a game that a file has brought."""
        from tabletop.catalogue import catalogue

        self.shelf.board.follow_received()
        self.ask_new_game(catalogue.entry_of(game))

    # Replays

    @PeekableCachedProperty
    def replays(self) -> ReplaySession:
        """The session of replays; made when it is first wanted."""
        from ui.replay.replay_session import ReplaySession

        replays = ReplaySession(self.context, self)
        replays.play_on_requested.connect(self.matches.sit)
        replays.game_wanted.connect(self.ask_new_game)
        return replays

    def _watch(
        self,
        file: Path,
        review: bool = False,
        feat: Feat | None = None,
        back: Callable[[], None] | None = None,
    ) -> None:
        self.replays.open(file, feat=feat, back=back)
        if self.replays.screen is None:  # it cannot be read any more
            self.show_shelf()
        elif review:
            self.replays.do("review")

    def open_file(self, file: Path) -> None:
        """Open a save: what cannot be played on is watched. The file itself stays as it is. Of a
        file that holds a game, ask whether to take it in."""
        from tabletop.catalogue.game_folders import is_game_folder
        from tabletop.exchange.file_kinds import may_hold_game
        from tabletop.storage.record import is_record

        if is_game_folder(file):
            self.workshop.open(file)
        elif may_hold_game(file) and not is_record(file):
            self.exchange.open(file)
        elif not self.matches.plays(file) and self.may_go() and not self.matches.open(file):
            self.replays.open(file)

    @PeekableCachedProperty
    def _waiting_files(self) -> WaitingFiles:
        from ui.exchange.waiting_files import WaitingFiles

        return WaitingFiles(self.context, self.banner, self.open_file)

    def open_files(self, files: Sequence[Path]) -> None:
        """Open files that were named together: the first, then each that the person asks for."""
        self._waiting_files.open(files)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        from ui.widgets import file_dialogs

        if file_dialogs.dropped_files(event) or file_dialogs.dropped_invitation(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        from ui.widgets import file_dialogs

        files = file_dialogs.dropped_files(event)
        event.acceptProposedAction()
        if files:
            self.open_files(files)
        elif self.may_go():
            self.online.follow(file_dialogs.dropped_invitation(event))

    # Files

    def _choose_file(self) -> None:
        from ui.widgets import file_dialogs

        words = self.context.words
        file = file_dialogs.to_open_any(self, words("Open a file"), words)
        if file is not None:
            self.open_file(file)

    # Looks and errors

    def refresh_appearance(self) -> None:
        """Show every text in the chosen language."""
        from PySide6.QtCore import QLocale
        from PySide6.QtGui import QIcon

        from ui.shell.language import translate_qt

        self._title.refresh_appearance()
        self.setWindowIcon(QIcon(self.context.art.pixmap("common/app.svg", 128, 128, 1.0)))
        program = QApplication.instance()
        assert program is not None
        translate_qt(program, self._translator, self.context.words.language)
        self.setLocale(QLocale())  # what is there already writes numbers as the texts do
        if self._furnished and self.table is None:  # until then, the shelf itself is still to come
            self._unfinished.lay_out()

    def _note_changed(self, changed: frozenset[str]) -> None:
        from ui.shell.app_context import LOOKS

        if changed & LOOKS:
            self.refresh_appearance()

    def tell_fault(self) -> None:
        """Say that something failed which should not have, and that nothing is lost."""
        if not self._furnished:
            return
        words = self.context.words
        self.tell(
            words.reason(FAULT),
            "warning",
            words("Report a bug…"),
            partial(self.do, "report"),
            FAULT.code,
        )

    def tell(
        self,
        text: str,
        sign: str = "warning",
        act: str = "",
        press: Callable[[], None] | None = None,
        code: str = "",
    ) -> None:
        """Say something above the screen; `act` is the text of a button that does `press`, `code`
        that of the Reason that is said."""
        if code == WENT_WRONG.code and self.banner.code == FAULT.code:
            return  # it says the same of the same fault, which can be reported
        if code == background_writes.WRITE_FAILED_CODE and self.banner.code in (
            "disk",
            "move_unsaved",
        ):
            return  # it says why what the person did failed, which matters more than settings
        (Window._waiting_files.if_made(self) or self.banner).tell(text, sign, act, press, code)

    def _tell_left_out(self, *broken: BrokenGame) -> None:
        """Name these games, and offer to remove the first one that was received: without a box on
        the shelf it could be removed nowhere else."""
        from tabletop.catalogue import catalogue, game_folders

        words, inside = self.context.words, catalogue.inside()
        titles = {
            folder.id: folder.received.title or folder.id
            for folder in game_folders.folders_by_id().values()
            if folder.received is not None
        }
        names = words.join_list(
            each.name
            if each.name in inside
            else words.with_note(titles.get(each.name, each.name), words.fault(each.fault))
            for each in broken
        )
        text = words("Couldn't be read: {names}", names=names)
        received = next((each for each in broken if each.name in titles), None)
        if received is None:
            self.tell(text)
            return
        title = titles[received.name]
        alone = len(broken) == 1
        act = words("Remove") if alone else words("Remove “{title}”", title=title)
        self.tell(text, act=act, press=lambda: self._remove_left_out(received, title, broken))

    def _remove_left_out(self, game: BrokenGame, title: str, broken: Sequence[BrokenGame]) -> None:
        from tabletop.catalogue import game_folders
        from ui.received.removal import ask_and_remove

        folder = game_folders.folders_by_id().get(game.name)
        if folder is None or ask_and_remove(self.context, self, folder.path, title):
            self.shelf.board.follow_received()
            broken = [each for each in broken if each is not game]
        if broken and self.banner.isHidden():  # it may say why the game couldn't be removed
            self._tell_left_out(*broken)

    def _tell_reason(self, reason: Reason) -> None:
        self.tell(self.context.words.reason(reason), code=reason.code)

    def kit(self) -> GameKit:
        """The game that is meant where none is named: the one on the screen, or the first."""
        from tabletop.catalogue import catalogue
        from ui.shell.shelf_order import order_games

        if self.table is not None:
            return self.table.seated.kit
        shelf = order_games(catalogue.shelf(), self.context.settings.shelf)
        return self.new_game.kit if self.new_game else shelf[0]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._furnished:
            self.menus.fit(event.size())
            self.banner.place()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.WindowStateChange and self._furnished:
            self.menus.show_in(self.isFullScreen())
            self.stack.setUpdatesEnabled(not self.isMinimized())  # don't draw while nobody sees it

    def _may_close(self) -> bool:
        """Whether the window may close at once, as somebody wants; else it closes once somebody
        else hosts the table."""
        online = Window.online.if_made(self)
        return online is None or online.may_close(self.close)

    def closeEvent(self, event: QCloseEvent) -> None:
        if event.spontaneous() and not self._may_close():  # by its own button, not by the system
            event.ignore()
            return
        if self._furnished:
            self._remove_screen()
            if (online := Window.online.if_made(self)) is not None:
                online.close()
            if (exchange := Window.exchange.if_made(self)) is not None:
                exchange.close()
            self.context.remember(geometry=self.saveGeometry().data())
            self.context.end()
            self._title.end()
            self._stop_hearing()
        self._collector.end()
        super().closeEvent(event)


def _load_table() -> None:
    """Import what the first table needs, so that a click on *Play now* shows it sooner."""
    for name in (
        "ui.style.templates",
        "ui.match.screen.match_session",
        "tabletop.bots.bot_pool",
        "tabletop.storage.seal",
    ):
        import_module(name)
