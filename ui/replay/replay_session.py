"""The window's part about replays: the list, the screen, and what is made of a replay."""

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
from tabletop.language.table_text import story
from tabletop.review.review import Feat
from tabletop.storage import saved_matches
from tabletop.storage.record import SUFFIX, read, save
from tabletop.storage.salvage import salvage_record
from tabletop.text.phrases import phrase
from ui.replay.export import picture, progress
from ui.replay.replay_list import ReplayList
from ui.replay.replay_screen import OF_SESSION, ReplayScreen
from ui.setup.play_on_dialog import PlayOnDialog
from ui.shelf.match_file_actions import ask_name, put_away
from ui.shell import garbage_collection
from ui.shell.app_context import AppContext
from ui.shell.commands import refuse_unknown
from ui.shell.language import title
from ui.shell.navigator import Navigator
from ui.widgets import file_dialogs

log = logging.getLogger("tabletop")

EARLIER = phrase(
    "“{game}” has changed since this match was played. It's shown with the game as it was."
)


class ReplaySession(QObject):
    """At most one of the list and the screen is there, in the window."""

    play_on_requested = Signal(object)
    """Request to play on from a position of a replay: its `GameKit` and the Match."""
    game_wanted = Signal(object)
    """Request to set up a match of this kit."""

    def __init__(self, context: AppContext, navigator: Navigator) -> None:
        super().__init__(navigator.window())
        self.context = context
        self._navigator = navigator
        self.screen: ReplayScreen | None = None
        self.listed: ReplayList | None = None
        self._from_list = False
        self._back: Callable[[], None] | None = None
        self._logged: set[str] = set()

    def show_list(self) -> None:
        """List the matches that were kept."""
        listed = ReplayList(self.context)
        listed.asked.connect(self._do_in_list)
        listed.game_wanted.connect(self.game_wanted)
        listed.unreadable_found.connect(self._log_unreadable)
        self._navigator.show_page(listed)
        self.listed = listed
        listed.load()

    def open(
        self,
        file: Path,
        move: int | None = None,
        viewer: int | str | None = "",
        feat: Feat | None = None,
        back: Callable[[], None] | None = None,
    ) -> None:
        """Watch the record in a file, from a move on, with these eyes ("" leaves it open whose); or
        see this move as who made it did. `back` leads to where the person came from, if that is
        neither the list nor the shelf."""
        try:
            screen = self._screen_of(file)
        except (BadFile, StorageError) as error:
            self.context.tell(error.reason)
            return
        from_list = self.listed is not None
        self._navigator.show_page(screen)
        self._from_list, self._back = from_list, back
        self.screen = screen
        screen.titled.connect(self._navigator.show_title)
        screen.allowed.connect(self._navigator.allow)
        screen.asked.connect(self.do)
        screen.size_dock()
        if not isinstance(viewer, str) and viewer in screen.viewers:
            screen.look(viewer)
        screen.go_to_move(min(move or 0, len(screen.playback.plies) - 1))
        screen.refresh_appearance()
        screen.view.setFocus(Qt.FocusReason.OtherFocusReason)
        if feat is not None:
            screen.show_decision(feat.ask.seat, feat.ply, feat.played)
        garbage_collection.set_aside()
        if screen.kit.kept:
            words = self.context.words
            game = title(screen.kit, words.language)
            self._navigator.tell(words(EARLIER, game=game), "info")
        if screen.refused:
            self._navigator.tell(screen.refused, "info")
        self.context.tell_broken(screen.kit.id)
        if screen.record.unknown is not None:
            self.context.tell(screen.record.unknown)
        if screen.record.broken is not None:
            words = self.context.words
            only = words("It's shown up to its last readable move.")
            self._navigator.tell(words.sentences((words.reason(screen.record.broken), only)))

    def _screen_of(self, file: Path) -> ReplayScreen:
        """The screen of a record; of a damaged one, up to its last good move.

        Raises:
            BadFile: nothing of it can be watched.
        """
        try:
            return ReplayScreen(self.context, read(file))
        except Damaged:
            return ReplayScreen(self.context, salvage_record(file))

    def choose(self) -> None:
        """Ask for the file of a replay, and watch it."""
        words = self.context.words
        file = file_dialogs.to_open(self._navigator.window(), words("Open a replay"), words)
        if file is not None:
            self.open(file)

    def put_away(self) -> None:
        """Leave for another screen: nothing more is shown to those here."""
        if self.listed is not None:
            self.listed.stop()
        screen, self.screen, self.listed = self.screen, None, None
        if screen is not None:
            screen.close_replay()
            garbage_collection.take_back()

    def do(self, name: str) -> None:
        """Do what a command of the menus or a button says."""
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
            case _ if name not in OF_SESSION:
                refuse_unknown(name)

    def _do_in_list(self, name: str, files: Sequence[Path]) -> None:
        match name:
            case "leave":
                self._navigator.show_shelf()
            case "open_replay":
                self.choose()
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
        if ask_name(self.context, self._navigator.window(), file):
            self._change((file,), (file,))

    def _delete(self, files: Sequence[Path]) -> None:
        words = self.context.words
        message = (
            words("{n} replays moved to the trash.", n=len(files))
            if len(files) > 1
            else words("Replay moved to the trash.")
        )
        put_away(
            self.context,
            self._navigator,
            files,
            message,
            folders.replays(),
            lambda gone: self._change(gone, ()),
            lambda come: self._change((), come),
        )

    def _change(self, gone: Sequence[Path], come: Sequence[Path]) -> None:
        """Take files from the list, if it is shown, and list others; only those are read."""
        if self.listed is None:
            return
        try:
            found = [saved_matches.read_finished_match(file) for file in come]
        except (BadFile, OSError):  # the whole list says what is wrong
            self.listed.load()
            return
        self.listed.change(gone, [kept for kept in found if kept is not None])

    # Exports

    def _save(self, screen: ReplayScreen) -> None:
        path = self._ask_for_file(screen, SUFFIX, file_dialogs.records(self.context.words))
        if path is not None:
            record = replace(screen.record, comments=screen.comments)
            self._write_file(path, lambda: save(record, path))

    def _write(self, screen: ReplayScreen) -> None:
        words = self.context.words
        path = self._ask_for_file(screen, ".txt", words("Text files") + " (*.txt)")
        if path is not None:
            text = story(screen.playback, screen.seat.viewer, screen.words, screen.comments)
            self._write_file(path, lambda: write_atomically(path, text.encode()))

    def _write_notes(self, screen: ReplayScreen) -> None:
        path = self._ask_for_file(screen, ".md", "Markdown (*.md)")
        if path is not None:
            export = partial(screen.notes.export, path, screen.seat.viewer, screen.words)
            self._write_file(path, export)

    def _draw(self, screen: ReplayScreen) -> None:
        words = self.context.words
        path = self._ask_for_file(screen, ".png", words("Animated pictures") + " (*.png *.apng)")
        if path is None:
            return
        viewer, context = screen.seat.viewer, self.context
        with progress(words, screen) as go_on:
            made = picture(screen.playback, viewer, context.art, screen.words, context.theme, go_on)
        if made:
            self._write_file(path, lambda: write_atomically(path, made))

    def _play_on(self, screen: ReplayScreen, practise: bool = False) -> None:
        own = max(0, screen.seat.number)
        dialog = PlayOnDialog(self.context, screen, screen.playback.players, own, practise)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self._begin(screen, dialog))
        dialog.open()

    def _begin(self, screen: ReplayScreen, dialog: PlayOnDialog) -> None:
        ply = screen.playback.plies[screen.playback.whole_ply(screen.at)]
        with self.context.report_errors():
            match = saved_matches.branch(screen.record, ply.at, dialog.players)
            self.play_on_requested.emit(match)

    def _ask_for_file(self, screen: ReplayScreen, suffix: str, kinds: str) -> Path | None:
        words = self.context.words
        wish = title(screen.kit, words.language) + suffix
        return file_dialogs.to_write(self._navigator.window(), words, words("Save as"), wish, kinds)

    def _write_file(self, path: Path, write: Callable[[], object]) -> None:
        """Write a file, and say so, unless that was called off: then `write` gives False."""
        words = self.context.words
        with self.context.report_errors():
            if write() is not False:
                self._navigator.tell(words("Saved as “{file}”.", file=path.name), "check")
