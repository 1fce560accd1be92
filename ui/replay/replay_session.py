"""The replays in the main window: their list, the replay screen and exports."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QObject, Qt, Signal

from tabletop.files import folders
from tabletop.files.atomic_write import write_atomically
from tabletop.files.errors import BadFile, Damaged, StorageError
from tabletop.language.table_text import match_text
from tabletop.review.review import Feat
from tabletop.storage import saved_matches
from tabletop.storage.record import SUFFIX, read, save
from tabletop.storage.salvage import salvage_record
from tabletop.text.phrases import phrase
from ui.replay.export import animated_picture, progress_dialog
from ui.replay.replay_list import ReplayList
from ui.replay.replay_screen import SESSION_COMMANDS, ReplayScreen
from ui.setup.play_on_dialog import PlayOnDialog
from ui.shelf.match_file_actions import ask_match_name, move_to_trash
from ui.shell import garbage_collection
from ui.shell.app_context import AppContext
from ui.shell.commands import reject_unknown_command
from ui.shell.language import game_title
from ui.shell.navigator import Navigator
from ui.widgets import file_dialogs

log = logging.getLogger("tabletop")

OLD_VERSION_NOTICE = phrase(
    "“{game}” has changed since this match was played. It's shown with the game as it was."
)


class ReplaySession(QObject):
    """Shows the list of replays or a single replay in the main window."""

    play_on_requested = Signal(object)
    """Request to continue a match from a position in a replay: the new `Match`."""
    game_wanted = Signal(object)
    """Request to set up a match: the `GameKit`."""

    def __init__(self, context: AppContext, navigator: Navigator) -> None:
        super().__init__(navigator.window())
        self.context = context
        self._navigator = navigator
        self.screen: ReplayScreen | None = None
        self.list_screen: ReplayList | None = None
        self._from_list = False
        self._back: Callable[[], None] | None = None
        self._logged: set[str] = set()

    def show_list(self) -> None:
        """Show the list of finished matches."""
        listed = ReplayList(self.context)
        listed.command_requested.connect(self._do_in_list)
        listed.game_wanted.connect(self.game_wanted)
        listed.unreadable_found.connect(self._log_unreadable)
        self._navigator.show_screen(listed)
        self.list_screen = listed
        listed.load()

    def open(
        self,
        file: Path,
        move: int | None = None,
        viewer: int | str | None = "",
        feat: Feat | None = None,
        back: Callable[[], None] | None = None,
    ) -> None:
        """Show the record in `file`, or an error if it can't be read.

        Args:
            file: the record.
            move: the number of moves after which to start; None for the beginning.
            viewer: a seat, AUDIENCE, or None for open cards; "" for the default.
            feat: a decision to show from its player's viewpoint.
            back: called when the user leaves the replay; None returns to the list or the shelf.
        """
        try:
            screen = self._screen_of(file)
        except (BadFile, StorageError) as error:
            self.context.show_error(error.reason)
            return
        from_list = self.list_screen is not None
        self._navigator.show_screen(screen)
        self._from_list, self._back = from_list, back
        self.screen = screen
        screen.title_changed.connect(self._navigator.show_title)
        screen.allowed_commands_changed.connect(self._navigator.set_commands_enabled)
        screen.command_requested.connect(self.do)
        screen.reset_dock_width()
        if not isinstance(viewer, str) and viewer in screen.viewers:
            screen.set_viewer(viewer)
        screen.go_to_move(min(move or 0, len(screen.playback.plies) - 1))
        screen.refresh_appearance()
        screen.view.setFocus(Qt.FocusReason.OtherFocusReason)
        if feat is not None:
            screen.show_decision(feat.ask.seat, feat.ply, feat.played)
        garbage_collection.freeze_objects()
        if screen.kit.is_old_version:
            words = self.context.words
            game = game_title(screen.kit, words.language)
            self._navigator.show_message(words(OLD_VERSION_NOTICE, game=game), "info")
        if screen.refusal_text:
            self._navigator.show_message(screen.refusal_text, "info")
        self.context.show_broken_drawing(screen.kit.id)
        if screen.record.unknown is not None:
            self.context.show_error(screen.record.unknown)
        if screen.record.broken is not None:
            words = self.context.words
            only = words("It's shown up to its last readable move.")
            self._navigator.show_message(
                words.sentences((words.reason(screen.record.broken), only))
            )

    def _screen_of(self, file: Path) -> ReplayScreen:
        """Return the screen for a record. A damaged record is shown up to its last valid move.

        Raises:
            BadFile: no part of the record can be shown.
        """
        try:
            return ReplayScreen(self.context, read(file))
        except Damaged:
            return ReplayScreen(self.context, salvage_record(file))

    def ask_and_open(self) -> None:
        """Ask the user for a replay's file, and show the replay."""
        words = self.context.words
        file = file_dialogs.ask_for_record(self._navigator.window(), words("Open a replay"), words)
        if file is not None:
            self.open(file)

    def put_away(self) -> None:
        """Close the list and the replay because another screen is shown."""
        if self.list_screen is not None:
            self.list_screen.stop()
        screen, self.screen, self.list_screen = self.screen, None, None
        if screen is not None:
            screen.close_replay()
            garbage_collection.unfreeze_objects()

    def do(self, name: str) -> None:
        """Run the command `name` for a menu or button."""
        screen = self.screen
        match name:
            case "leave" if self._from_list:
                self._from_list = False
                self.show_list()
            case "leave" if self._back is not None:
                back, self._back = self._back, None
                back()
            case "leave":
                self._navigator.show_shelf()
            case "save" if screen:
                self._save(screen)
            case "picture" if screen:
                self._draw(screen)
            case "text" if screen:
                self._write(screen)
            case "notes" if screen:
                self._write_notes(screen)
            case "play_on" if screen:
                self._play_on(screen)
            case "practise" if screen:
                self._play_on(screen, practise=True)
            case _ if screen:
                screen.do(name)
            case _ if name not in SESSION_COMMANDS:
                reject_unknown_command(name)

    def _do_in_list(self, name: str, files: Sequence[Path]) -> None:
        match name:
            case "leave":
                self._navigator.show_shelf()
            case "open_replay":
                self.ask_and_open()
            case "watch" if files:
                self.open(files[0])
            case "name" if files:
                self._name(files[0])
            case "delete" if files:
                self._delete(files)

    # The list

    def _log_unreadable(self, broken: BadFile) -> None:
        # reported once, however often the list is shown
        if str(broken) not in self._logged:
            self._logged.add(str(broken))
            log.warning("%s", broken)

    def _name(self, file: Path) -> None:
        if ask_match_name(self.context, self._navigator.window(), file):
            self._change((file,), (file,))

    def _delete(self, files: Sequence[Path]) -> None:
        words = self.context.words
        message = (
            words("{n} replays moved to the trash.", n=len(files))
            if len(files) > 1
            else words("Replay moved to the trash.")
        )
        move_to_trash(
            self.context,
            self._navigator,
            files,
            message,
            folders.replays(),
            lambda gone: self._change(gone, ()),
            lambda come: self._change((), come),
        )

    def _change(self, gone: Sequence[Path], come: Sequence[Path]) -> None:
        """If the list is shown, remove the files `gone` from it, and add the replays in `come`."""
        if self.list_screen is None:
            return
        try:
            found = [saved_matches.read_finished_match(file) for file in come]
        except (BadFile, OSError):  # the whole list says what is wrong
            self.list_screen.load()
            return
        self.list_screen.change(gone, [kept for kept in found if kept is not None])

    # Exports

    def _save(self, screen: ReplayScreen) -> None:
        path = self._ask_for_file(screen, SUFFIX, file_dialogs.record_filter(self.context.words))
        if path is not None:
            record = replace(screen.record, comments=screen.comments)
            self._write_file(path, lambda: save(record, path))

    def _write(self, screen: ReplayScreen) -> None:
        words = self.context.words
        path = self._ask_for_file(screen, ".txt", words("Text files") + " (*.txt)")
        if path is not None:
            named = self.context.game_words(screen.kit, screen.playback.players)
            text = match_text(screen.playback, screen.seat.viewer, named, screen.comments)
            self._write_file(path, lambda: write_atomically(path, text.encode()))

    def _write_notes(self, screen: ReplayScreen) -> None:
        path = self._ask_for_file(screen, ".md", "Markdown (*.md)")
        if path is not None:
            named = self.context.game_words(screen.kit, screen.playback.players)
            export = partial(screen.notes.export, path, screen.seat.viewer, named)
            self._write_file(path, export)

    def _draw(self, screen: ReplayScreen) -> None:
        words = self.context.words
        path = self._ask_for_file(screen, ".png", words("Animated pictures") + " (*.png *.apng)")
        if path is None:
            return
        viewer, context = screen.seat.viewer, self.context
        with progress_dialog(words, screen) as go_on:
            made = animated_picture(
                screen.playback, viewer, context.art, screen.words, context.theme, go_on
            )
        if made:
            self._write_file(path, lambda: write_atomically(path, made))

    def _play_on(self, screen: ReplayScreen, practise: bool = False) -> None:
        own = max(0, screen.seat.number)
        dialog = PlayOnDialog(self.context, screen, screen.playback.players, own, practise)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self._begin(screen, dialog))
        dialog.open()

    def _begin(self, screen: ReplayScreen, dialog: PlayOnDialog) -> None:
        ply = screen.playback.plies[screen.playback.last_complete_ply(screen.at)]
        with self.context.report_errors():
            match = saved_matches.branch(screen.record, ply.at, dialog.players)
            self.play_on_requested.emit(match)

    def _ask_for_file(self, screen: ReplayScreen, suffix: str, kinds: str) -> Path | None:
        words = self.context.words
        wish = game_title(screen.kit, words.language) + suffix
        return file_dialogs.ask_where_to_save(
            self._navigator.window(), words, words("Save as"), wish, kinds
        )

    def _write_file(self, path: Path, write: Callable[[], object]) -> None:
        """Call `write`, and report that `path` was saved unless it returns False (cancelled)."""
        words = self.context.words
        with self.context.report_errors():
            if write() is not False:
                self._navigator.show_message(words("Saved as “{file}”.", file=path.name), "check")
