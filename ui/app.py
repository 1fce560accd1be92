"""The main window: switches between screens and runs menu commands."""

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
from ui.shell.window_place import MIN_SIZE, FullScreenSwitch, WindowInView, restore_geometry
from ui.style.theme import load_theme, make_palette

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QResizeEvent

    from tabletop.catalogue.catalogue import BrokenGame, GameKit
    from tabletop.games.game_kit import CatalogueEntry
    from tabletop.home.known_hosts import RejoinableTable
    from tabletop.review.review import Feat
    from ui.exchange.exchange_session import ExchangeSession
    from ui.exchange.waiting_files import FileQueue
    from ui.match.screen.match_session import MatchSession
    from ui.match.screen.table_screen import TableScreen
    from ui.online.online_session import OnlineSession
    from ui.public.public_session import PublicSession
    from ui.replay.replay_session import ReplaySession
    from ui.setup.new_game import NewGame

# Everything else is imported where it is needed, in `Window.load_contents` or later, because this
# module is loaded before the window opens, and the other imports take several times as long
# (docs/decisions/start.md).

UNEXPECTED_FAULT = Reason(
    "Something went wrong. Your match is saved up to the last move.", code="window_fault"
)
CLEANUP_DELAY_MS = 1_000
"""The delay in milliseconds after the start before old files are cleaned up."""


class Workshop(Protocol):
    """The studio's session in the main window, which is loaded on first use."""

    def show_screen(self) -> None:
        """Show the user's own games, and controls for starting a new one."""

    def open(self, folder: Path, *, hint: str = "") -> None:
        """Show the table and the files of the game in `folder`, with `hint` above the table."""

    def open_trial(self, folder: Path, seats: int, seed: str) -> None:
        """Show the table of the game in `folder` with `seats` players, dealt with `seed`."""

    def put_away(self) -> None:
        """Close the workshop's screen before another one is shown."""


class Window(QMainWindow):
    """The program's main window, which implements `Navigator`."""

    def __init__(
        self,
        log: app_log.AppLog | None = None,
        *,
        with_contents: bool = True,
        boxes: Sequence[GameKit] | None = None,
    ) -> None:
        """`log`: the log for bug reports. `with_contents`: whether to create the contents at once,
        not in a later call of `load_contents`. `boxes`: the games on the shelf; by default all
        games found.
        """
        super().__init__()
        self._app_log = log or app_log.AppLog()
        self._loaded_settings, self._settings_error = settings.load()
        self._collector = GarbageCollector(self)
        self._has_contents = False
        self._boxes = boxes
        restore_geometry(self, self._loaded_settings.geometry)
        self._full_screen = FullScreenSwitch(self)
        self.setPalette(make_palette(load_theme(self._loaded_settings.theme)))
        self.setWindowTitle("Tabletop 卓")
        if with_contents:
            self.load_contents()

    def load_contents(self) -> None:
        """Create the window's contents. All other methods may only be called afterwards."""
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
        from ui.widgets.latin_keys import LatinKeyFilter
        from ui.widgets.menu_bar import MenuBar, TextFieldShortcutGuard
        from ui.widgets.screen_stack import ScreenStack
        from ui.widgets.spoken_focus import SpokenFocus

        report = call_in_gui_thread(self.show_fault)
        self._stop_listening = faults.add_listener(lambda _: report())
        self.context = AppContext(self._loaded_settings)
        interface_factory.install()
        self._in_view = WindowInView(self, MIN_SIZE)
        self._title = WindowTitle(self.context, self)
        self._translator = QTranslator(self)
        self.menus = MenuBar(self.context, self)
        self.setMenuBar(self.menus)
        self.shelf = ShelfScreen(
            self.context,
            catalogue.list_entries().shelf_entries if self._boxes is None else self._boxes,
        )
        below_menus = self.size().shrunkBy(QMargins(0, self.menus.sizeHint().height(), 0, 0))
        self.shelf.fit_to_size(below_menus)  # resize it first, or it would be styled twice
        self.new_game: NewGame | None = None
        self._allowed: dict[str, bool] = {}
        """Whether each command is enabled on the current screen, by the command's name."""
        self.stack = ScreenStack(self.shelf)
        self.setCentralWidget(self.stack)
        self.banner = Banner(self.context, self)
        self.banner.height_changed.connect(self._make_room_for_banner)
        self.stack.currentChanged.connect(self._make_room_for_banner)
        self._text_field_guard = TextFieldShortcutGuard(self)
        self._latin_keys = LatinKeyFilter(self)
        self._focus_ring = FocusRing(self)
        self._spoken_focus = SpokenFocus(self)
        self._drop_down_keys = DropDownKeys(self)
        continue_menu = self.menus.submenus["continue"]
        self._unfinished = UnfinishedMatches(
            self.context, self, self.shelf, continue_menu, self._rejoinable_tables
        )
        self._connect_signals()
        self.setAcceptDrops(True)
        saved_matches.move_ended_to_replays()
        self.refresh_appearance()
        self.show_shelf()
        self._has_contents = True
        self.menus.set_full_screen(self.isFullScreen())  # as when the program was last closed
        QTimer.singleShot(0, self, self._follow_system_preferences)
        QTimer.singleShot(CLEANUP_DELAY_MS, self, self._clean_up)
        if self._settings_error is not None:
            self._show_reason(self._settings_error)
        elif broken := catalogue.list_entries().faults:
            self._show_broken_games(*broken)
        elif self._unfinished.unreadable:
            self._unfinished.show_unreadable()

    def _follow_system_preferences(self) -> None:
        """Apply the system's accessibility preferences once the window has been shown."""
        self.context.system_preferences.changed.connect(self._apply_text_scale)
        self.context.refresh_system_preferences()

    def _apply_text_scale(self) -> None:
        """Scale all texts by the system's text scale."""
        from PySide6.QtGui import QResizeEvent

        from ui.widgets.styled_widgets import ScalingMixin

        if self.context.system_preferences.text_scale == ScalingMixin.text_scale:
            return
        ScalingMixin.text_scale = self.context.system_preferences.text_scale
        self.menus.scale_to(self.size())
        for shown in self.stack.all_shown:
            QApplication.sendEvent(shown, QResizeEvent(shown.size(), shown.size()))

    def _clean_up(self) -> None:
        from tabletop.storage.cleanup import clean_up

        background_writes.add(clean_up)
        if self._unfinished.is_awaiting_hosts:
            self.online.rejoinable_tables.watch_hosts()

    def _connect_signals(self) -> None:
        self.menus.command_requested.connect(self.run_command)
        self.shelf.command_requested.connect(self.run_command)
        self.shelf.game_chosen.connect(self.show_new_game)
        self.shelf.continue_requested.connect(self.continue_match)
        self.shelf.export_requested.connect(self._share)
        self.shelf.board.pointer_entered.connect(_import_table_modules)
        self.shelf.play_requested.connect(self._play_now)
        self.shelf.rejoin_requested.connect(self._rejoin)
        self.shelf.forget_requested.connect(self._forget_table)
        self._unfinished.continue_requested.connect(self.continue_match)
        self._unfinished.list_requested.connect(self._list_unfinished)
        self.context.changed.connect(self._on_settings_changed)
        self.context.error_reported.connect(self._show_reason)

    def run_command(self, name: str) -> None:
        """Run the command `name`, for a menu entry or a button with the same function.

        Raises:
            LookupError: no command has this name.
        """
        from ui.settings.pages import PAGES

        table = self.table
        match name:
            case "host" | "join" | "new" | "workshop" if not self.try_leave_table():
                pass
            case "host":
                self.online.hosting.show_sheet(self.current_kit())
            case "join":
                self.online.show_join_screen()
            case "leave" | "rematch" | "away" | "seat_code" | "phones" if self._is_visiting():
                self.online.run_command(name)
            case "new":
                self.show_shelf()
            case "workshop":
                self.workshop.show_screen()
            case "open":
                self._choose_file()
            case "open_replay" if self.try_leave_table():
                self.replays.ask_and_open()
            case "replays" if self.try_leave_table():
                self.replays.show_list()
            case "quit":
                if self._confirm_close():
                    self.close()
            case "learn":
                self.matches.start_lessons(self.current_kit())
            case "rules" if table is not None and self.stack.page is None:
                table.dock.open_rulebook()
            case _ if name in PAGES:
                self.show_overlay(PAGES[name](self.context, self.current_kit()))
            case "public_table":
                self.public.toggle()
            case "report":
                seated = table.seated if table is not None else None
                from ui.settings.bug_report import report_bug

                report_bug(self.context, self, self._app_log.lines, seated)
            case "sounds":
                self.context.change_settings(sounds=not self.context.settings.sounds)
            case "full_screen":
                self._full_screen.toggle()
            case _ if table is not None:
                self.matches.run_command(table, name)
            case _ if (replays := Window.replays.peek(self)) is not None:
                replays.do(name)
            case _:
                from ui.shell.commands import reject_unknown_command

                reject_unknown_command(name)

    # Screens

    def show_shelf(self) -> None:
        """Leave the current screen and show the shelf. An unfinished match can be continued."""
        self._remove_screen()
        if (online := Window.online.peek(self)) is not None:
            online.cancel_joining()
        self._unfinished.refresh()
        self.stack.show_shelf()
        self.shelf.take_focus()
        self.show_title("", "")
        self.menus.apply_table_colours(None)
        self.menus.disable_match_commands()

    def refresh_shelf(self) -> None:
        """Update the unfinished matches and rejoinable tables on the shelf."""
        self._unfinished.refresh()

    def show_new_game(self, game: CatalogueEntry) -> None:
        """Show the form for a new match of `game`."""
        from ui.setup.new_game import NewGame

        if not self.try_leave_table() or (opened := self._load_allowed_game(game)) is None:
            return
        sheet = NewGame(self.context, opened)
        sheet.start_requested.connect(self.matches.start_match)
        sheet.table_requested.connect(lambda request: self.online.hosting.open_table(request))
        sheet.left.connect(self.show_shelf)
        self.show_screen(sheet)
        self.new_game = sheet

    def show_screen(self, page: QWidget) -> None:
        """Show `page` in place of the current screen, which is deleted."""
        self._remove_screen()
        self.banner.hide_temporary()
        self.menus.disable_match_commands()
        self.show_title("", "")
        self.menus.apply_table_colours(getattr(page, "ground", getattr(page, "kit", None)))
        self.stack.show_screen(page)

    def apply_table_colours(self, kit: GameKit | None) -> None:
        """Apply the table colours of `kit` to the window; None applies the program's own."""
        self.menus.apply_table_colours(kit)

    def show_overlay(self, page: QWidget) -> None:
        """Show `page` above the current screen, which keeps running and reappears afterwards."""
        from ui.widgets.page_screen import PageScreen

        assert isinstance(page, PageScreen)
        page.left.connect(self._leave_page)
        page.game_wanted.connect(self.show_new_game)
        self.menus.disable_match_commands()
        self.stack.show_page(page)
        page.take_focus()

    def _leave_page(self) -> None:
        """Close the page above the current screen, and restore the screen's commands."""
        self.stack.leave_page()
        self.menus.allow(self._allowed)

    def _show_table(self, table: TableScreen) -> None:
        """Show a table screen, and connect the menu commands to it."""
        self.banner.hide()
        table.title_changed.connect(self.show_title)
        table.allowed_commands_changed.connect(self.set_commands_enabled)
        table.command_requested.connect(self.run_command)
        table.box.shelf_place = self._box_place(table.kit)
        self.show_screen(table)

    def _box_place(self, kit: GameKit) -> QPoint | None:
        """Return the centre of the game's box in the window; None if the shelf is hidden."""
        if not self.shelf.isVisible():
            return None
        box = next((each for each in self.shelf.boxes if each.game.id == kit.id), None)
        return box.mapTo(self, box.rect().center()) if box is not None else None

    def _remove_screen(self) -> None:
        if (matches := Window.matches.peek(self)) is not None:
            matches.close_table()
        if (replays := Window.replays.peek(self)) is not None:
            replays.put_away()
        if (workshop := Window.workshop.peek(self)) is not None:
            workshop.put_away()
        self.stack.remove_page()
        self._allowed, self.new_game = {}, None
        self.stack.remove_screen()
        if (online := Window.online.peek(self)) is not None:
            online.drop_screens()

    def show_title(self, game: str, state: str) -> None:
        """Show the game and its state between the menus, and the game in the title bar."""
        self.menus.show_title(game, state)
        self._title.set_game(game)

    def set_commands_enabled(self, allowed: Mapping[str, bool]) -> None:
        """Enable and disable menu commands by name."""
        self._allowed |= allowed
        if self.stack.page is None:
            self.menus.allow(allowed)

    # Local matches

    @PeekableCachedProperty
    def matches(self) -> MatchSession:
        """The session of local matches, created on first use."""
        from ui.match.screen.match_session import MatchSession

        matches = MatchSession(self.context, self)
        matches.table_shown.connect(self._show_table)
        matches.replay_requested.connect(self._watch)
        return matches

    @PeekableCachedProperty
    def public(self) -> PublicSession:
        """The session of the public table window, created on first use."""
        from ui.public.public_session import PublicSession

        public = PublicSession(self.context, self, self.matches)
        public.opened.connect(self.menus.commands["public_table"].setChecked)
        return public

    @property
    def table(self) -> TableScreen | None:
        """The current table screen; None if another screen is shown."""
        matches = Window.matches.peek(self)
        return matches.table if matches is not None else None

    def _play_now(self, game: CatalogueEntry) -> None:
        if (opened := self._load_allowed_game(game)) is not None:
            self.matches.play_now(opened)

    def _load_allowed_game(self, game: CatalogueEntry) -> GameKit | None:
        """Load the game from its current files, after asking the user for consent if necessary.

        Returns None if the user declines or the game can't be loaded.
        """
        from tabletop.catalogue import catalogue

        if isinstance(game, catalogue.GameKit) and not game.is_external:
            return game
        if opened := isinstance(game, catalogue.GameKit):
            catalogue.reread_if_changed(game.id)
        elif game.waits_for:  # it may have been allowed meanwhile
            catalogue.reread(game.id)
        try:
            loaded = catalogue.load(game.id)
        except catalogue.CodeNotAllowed as changed:
            game = changed.entry
        except catalogue.UnknownGame as error:
            self._show_reason(error.reason)
            return None
        except catalogue.BrokenGame as error:
            if opened:
                self._show_reason(error.reason)
            else:
                self._show_broken_games(error)
            return None
        else:
            if game.waits_for:
                self.shelf.board.update_game(loaded)
            return loaded
        from ui.shelf.agreement_prompt import ask_to_run_game

        agreed = ask_to_run_game(self.context, self, game)
        if agreed is not None:
            self.shelf.board.update_game(agreed)
        return agreed

    def continue_match(self, file: Path) -> None:
        """Resume the unfinished match saved in `file`."""
        if not self.matches.is_playing(file) and self.try_leave_table():
            self.matches.resume_match(file)

    def _list_unfinished(self) -> None:
        if self.try_leave_table():
            self.show_shelf()
            self.shelf.show_list()

    # Shared tables

    def _rejoinable_tables(self) -> tuple[RejoinableTable, ...]:
        """Return the shared tables to which the user can return.

        The network code is only loaded if there may be any.
        """
        if (online := Window.online.peek(self)) is not None:
            return online.known_hosts.rejoinable_tables
        from tabletop.home.known_hosts import KnownHosts

        known = KnownHosts(folders.known_hosts())
        with self.context.report_errors():
            known.count_today()
        return known.rejoinable_tables

    @PeekableCachedProperty
    def online(self) -> OnlineSession:
        """The session of shared tables, created on first use."""
        from ui.online.online_session import OnlineSession

        online = OnlineSession(self.context, self, self.matches.show_table, self.menus.submenus)
        phones = online.phones
        phones.changed.connect(lambda: self.public.show_invitation(phones.join_url))
        online.table_search.played_matches.watch_requested.connect(lambda file: self._watch(file))
        return online

    def _rejoin(self, back: RejoinableTable) -> None:
        self.online.rejoin(back)

    def _forget_table(self, table: str) -> None:
        if self.online.rejoinable_tables.forget_and_close(table):
            self._unfinished.refresh()

    def _is_visiting(self) -> bool:
        online = Window.online.peek(self)
        return online is not None and online.is_visiting

    def try_leave_table(self) -> bool:
        """Leave a shared table if the user agrees, and return whether no table is visited now."""
        if self._is_visiting():
            self.online.leave()
        return not self._is_visiting()

    # Workshop and imported games

    @PeekableCachedProperty
    def workshop(self) -> Workshop:
        """The session of the workshop, created on first use."""
        from ui.shell.studio_entry import studio

        workshop: Workshop = studio().workshop(
            self.context,
            self,
            self,
            self.matches,
            renewed=self.shelf.board.update_game,
            imported=self._import_file,
            shared=self._share,
        )
        return workshop

    @PeekableCachedProperty
    def exchange(self) -> ExchangeSession:
        """The session for importing and exporting games, created on first use."""
        from ui.exchange.exchange_session import ExchangeSession

        exchange = ExchangeSession(self.context, self, self)
        exchange.game_imported.connect(self._show_imported_game)
        exchange.game_created.connect(self._show_converted_game)
        return exchange

    def _show_converted_game(self, folder: Path) -> None:
        """Show the table of a game that has been converted from another program's format."""
        hint = self.context.words("This is your game now. Its files are under “Files”.")
        self.workshop.open(folder, hint=hint)

    def _share(self, game: CatalogueEntry) -> None:
        self.exchange.export_game(game)

    def _import_file(self, path: Path) -> None:
        self.exchange.open(path)

    def _show_imported_game(self, game: str) -> None:
        """Show the form for a new match of a game that has been imported from a file."""
        from tabletop.catalogue import catalogue

        self.shelf.board.sync_games()
        self.show_new_game(catalogue.entry_of(game))

    # Replays

    @PeekableCachedProperty
    def replays(self) -> ReplaySession:
        """The session of replays, created on first use."""
        from ui.replay.replay_session import ReplaySession

        replays = ReplaySession(self.context, self)
        replays.play_on_requested.connect(self.matches.show_match)
        replays.game_wanted.connect(self.show_new_game)
        return replays

    def _watch(
        self,
        file: Path,
        review: bool = False,
        feat: Feat | None = None,
        back: Callable[[], None] | None = None,
    ) -> None:
        self.replays.open(file, feat=feat, back=back)
        if self.replays.screen is None:  # the file can't be read any longer
            self.show_shelf()
        elif review:
            self.replays.do("review")

    def open_file(self, file: Path) -> None:
        """Open a saved match, a record, a game file or a game folder.

        An unfinished match is resumed, any other match is shown as a replay, and a game is offered
        for import. The file itself isn't changed.
        """
        from tabletop.catalogue.game_folders import is_game_folder
        from tabletop.exchange.file_kinds import may_hold_game
        from tabletop.storage.record import is_record

        if is_game_folder(file):
            self.workshop.open(file)
        elif may_hold_game(file) and not is_record(file):
            self.exchange.open(file)
        elif (
            not self.matches.is_playing(file)
            and self.try_leave_table()
            and not self.matches.open_copy(file)
        ):
            self.replays.open(file)

    @PeekableCachedProperty
    def _waiting_files(self) -> FileQueue:
        from ui.exchange.waiting_files import FileQueue

        return FileQueue(self.context, self.banner, self.open_file)

    def open_files(self, files: Sequence[Path]) -> None:
        """Open the first of `files`, and offer to open the others."""
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
        elif self.try_leave_table():
            self.online.join_by_link(file_dialogs.dropped_invitation(event))

    # Files

    def _choose_file(self) -> None:
        from ui.widgets import file_dialogs

        words = self.context.words
        file = file_dialogs.ask_for_record_or_game(self, words("Open a file"), words)
        if file is not None:
            self.open_file(file)

    # Appearance and errors

    def refresh_appearance(self) -> None:
        """Update icon and texts, including Qt's own, for the current language and theme."""
        from PySide6.QtCore import QLocale
        from PySide6.QtGui import QIcon

        from ui.shell.language import translate_qt

        self._title.refresh_appearance()
        self.setWindowIcon(QIcon(self.context.art.pixmap("common/app.svg", 128, 128, 1.0)))
        program = QApplication.instance()
        assert program is not None
        translate_qt(program, self._translator, self.context.words.language)
        self.setLocale(QLocale())  # existing widgets follow the new number format
        if self._has_contents and self.table is None:  # during start-up the shelf is filled later
            self._unfinished.refresh()

    def _on_settings_changed(self, changed: frozenset[str]) -> None:
        from ui.shell.app_context import APPEARANCE_SETTINGS

        if changed & APPEARANCE_SETTINGS:
            self.refresh_appearance()

    def show_fault(self) -> None:
        """Show that an unexpected error has occurred, with a button for reporting it."""
        if not self._has_contents:
            return
        words = self.context.words
        self.show_message(
            words.reason(UNEXPECTED_FAULT),
            "warning",
            words("Report a bug…"),
            partial(self.run_command, "report"),
            UNEXPECTED_FAULT.code,
        )

    def show_message(
        self,
        text: str,
        icon: str = "warning",
        button_text: str = "",
        on_click: Callable[[], None] | None = None,
        code: str = "",
    ) -> None:
        """Show `text` in the banner above the screen.

        `icon`: the icon's name. `button_text`, `on_click`: the text and the callback of a button.
        `code`: the code of the displayed Reason, which decides whether the message replaces another
        one.
        """
        if code == WENT_WRONG.code and self.banner.code == UNEXPECTED_FAULT.code:
            return  # the banner already shows this fault, with a button to report it
        if code == background_writes.WRITE_FAILED_CODE and self.banner.code in (
            "disk",
            "move_unsaved",
        ):
            return  # the user's action failed, which matters more than unsaved settings
        (Window._waiting_files.peek(self) or self.banner).show_message(
            text, icon, button_text, on_click, code
        )

    def _make_room_for_banner(self) -> None:
        """Push the page down below the banner.

        A table isn't pushed: laying its cards out again would end drags and animations.
        """
        room = 0
        if self.table is None or self.stack.currentWidget() is not self.table:
            room = max(0, self.banner.room_px - self.stack.y())
        self.stack.setContentsMargins(0, room, 0, 0)

    def _show_broken_games(self, *broken: BrokenGame) -> None:
        """Show which games couldn't be loaded, with a button that removes the first received one.

        Such a game isn't on the shelf, so it can't be removed there.
        """
        from tabletop.catalogue import catalogue, game_folders

        words, inside = self.context.words, catalogue.packaged_games()
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
            self.show_message(text)
            return
        title = titles[received.name]
        alone = len(broken) == 1
        button_text = words("Remove") if alone else words("Remove “{title}”", title=title)
        self.show_message(
            text,
            button_text=button_text,
            on_click=lambda: self._remove_broken_game(received, title, broken),
        )

    def _remove_broken_game(
        self, game: BrokenGame, title: str, broken: Sequence[BrokenGame]
    ) -> None:
        from tabletop.catalogue import game_folders
        from ui.received.removal import confirm_and_remove_game

        folder = game_folders.folders_by_id().get(game.name)
        if folder is None or confirm_and_remove_game(self.context, self, folder.path, title):
            self.shelf.board.sync_games()
            broken = [each for each in broken if each is not game]
        if broken and self.banner.isHidden():  # the banner may show why the removal failed
            self._show_broken_games(*broken)

    def _show_reason(self, reason: Reason) -> None:
        self.show_message(self.context.words.reason(reason), code=reason.code)

    def current_kit(self) -> GameKit:
        """Return the game on the current screen, or the first game on the shelf."""
        from tabletop.catalogue import catalogue
        from ui.shell.shelf_order import order_games

        if self.table is not None:
            return self.table.seated.kit
        shelf = order_games(catalogue.shelf(), self.context.settings.shelf)
        return self.new_game.kit if self.new_game else shelf[0]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._has_contents:
            self.menus.scale_to(event.size())
            self.banner.place()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.WindowStateChange and self._has_contents:
            self.menus.set_full_screen(self.isFullScreen())
            self.stack.setUpdatesEnabled(
                not self.isMinimized()
            )  # don't draw while it isn't visible

    def _confirm_close(self) -> bool:
        """Return whether the window may close now.

        If the user hands the table over first, the window closes once another player hosts it.
        """
        online = Window.online.peek(self)
        return online is None or online.confirm_close(self.close)

    def closeEvent(self, event: QCloseEvent) -> None:
        if (
            event.spontaneous() and not self._confirm_close()
        ):  # closed by the user, not by the system
            event.ignore()
            return
        if self._has_contents:
            self._remove_screen()
            if (online := Window.online.peek(self)) is not None:
                online.close()
            if (exchange := Window.exchange.peek(self)) is not None:
                exchange.close()
            self.context.store_settings(geometry=self._full_screen.saved_geometry())
            self.context.close()
            self._title.release_number()
            self._stop_listening()
        self._collector.stop()
        super().closeEvent(event)


def _import_table_modules() -> None:
    """Import the modules that a table screen needs, so that *Play now* responds faster."""
    for name in (
        "ui.style.templates",
        "ui.match.screen.match_session",
        "tabletop.bots.bot_pool",
        "tabletop.storage.seal",
    ):
        import_module(name)
