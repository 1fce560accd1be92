"""The window's part about replays: the list, the screen, and what is made of a replay."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QProgressDialog

from tabletop.storage.trouble import BadFile, StorageError
from ui import files, garbage
from ui.records import ask_name, put_away
from ui.screens.export import picture
from ui.screens.play_on import PlayOn
from ui.screens.replay import ReplayScreen
from ui.screens.replays import Replays
from ui.words import title

if TYPE_CHECKING:
    from ui.app import Window


class Watching(QObject):
    """At most one of the list and the screen is there, on the window's stack."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self.room = window.room
        self.screen: ReplayScreen | None = None
        self.listed: Replays | None = None
        self._from_list = False

    def show_list(self) -> None:
        """List the matches that were kept."""
        listed = Replays(self.room)
        listed.asked.connect(self._do_in_list)
        self._window.show_page(listed)
        self.listed = listed
        self._fill()

    def open(self, file: Path, move: int | None = None, viewer: int | str | None = "") -> None:
        """Watch the record in a file, from a move on, with these eyes ("" leaves it open whose)."""
        from tabletop.storage.record import read

        try:
            screen = ReplayScreen(self.room, read(file))
        except (BadFile, StorageError) as error:
            self.room.tell(error.reason)
            return
        from_list = self.listed is not None
        self._window.show_page(screen)
        self._from_list = from_list
        self.screen = screen
        menus = self._window.menus
        screen.titled.connect(menus.show_title)
        screen.allowed.connect(menus.allow)
        screen.asked.connect(self.do)
        screen.size_dock()
        if not isinstance(viewer, str) and viewer in screen.viewers:
            screen.look(viewer)
        screen.go_to_move(min(move or 0, len(screen.reel.frames) - 1))
        screen.dress()
        screen.view.setFocus(Qt.FocusReason.OtherFocusReason)
        garbage.set_aside()
        if screen.refused:
            self._window.banner.tell(screen.refused, "info")

    def choose(self) -> None:
        """Ask for the file of a replay, and watch it."""
        words = self.room.words
        file = files.to_open(self._window, words("Open a replay"), files.records(words))
        if file is not None:
            self.open(file)

    def put_away(self) -> None:
        """Another screen comes: nothing is told to those here any more."""
        screen, self.screen, self.listed = self.screen, None, None
        if screen is not None:
            screen.close_replay()
            garbage.take_back()

    def do(self, name: str) -> None:
        """Do what a command of the menus or a button says."""
        screen = self.screen
        match name:
            case "leave" if self._from_list:
                self._from_list = False
                self.show_list()
            case "leave":
                self._window.show_shelf()
            case "save" if screen:
                self._save(screen)
            case "picture" if screen:
                self._draw(screen)
            case "text" if screen:
                self._write(screen)
            case "play_on" if screen:
                self._play_on(screen)
            case "practise" if screen:
                self._play_on(screen, practise=True)
            case _ if screen:
                screen.do(name)

    def _do_in_list(self, name: str, file: Path | None) -> None:
        match name:
            case "leave":
                self._window.show_shelf()
            case "open_replay":
                self.choose()
            case "watch" if file:
                self.open(file)
            case "name" if file:
                self._name(file)
            case "delete" if file:
                self._delete(file)

    # The list

    def _fill(self) -> None:
        from tabletop.storage import matches

        if self.listed is not None:
            self.listed.show_kept(matches.finished())

    def _name(self, file: Path) -> None:
        if ask_name(self._window, file):
            self._fill()

    def _delete(self, file: Path) -> None:
        from tabletop.storage import folders

        told = self.room.words("The replay was put away.")
        put_away(self._window, file, told, folders.replays(), self._fill)

    # What is made of a replay

    def _save(self, screen: ReplayScreen) -> None:
        from msgspec.structs import replace

        from tabletop.storage.record import SUFFIX, save

        path = self._where(screen, SUFFIX, files.records(self.room.words))
        if path is not None:
            record = replace(screen.record, comments=screen.comments)
            self._keep(path, lambda: save(record, path))

    def _write(self, screen: ReplayScreen) -> None:
        from tabletop.show import story
        from tabletop.storage.whole import write_whole

        words = self.room.words
        path = self._where(screen, ".txt", f"{words('Text files')} (*.txt)")
        if path is not None:
            text = story(screen.reel, screen.link.viewer, screen.words, screen.comments)
            self._keep(path, lambda: write_whole(path, text.encode()))

    def _draw(self, screen: ReplayScreen) -> None:
        from tabletop.storage.whole import write_whole

        words = self.room.words
        path = self._where(screen, ".png", f"{words('Animated pictures')} (*.png *.apng)")
        if path is None:
            return
        wait = QProgressDialog(words("The pictures are drawn…"), words("Cancel"), 0, 0, screen)
        wait.setWindowModality(Qt.WindowModality.WindowModal)
        wait.setMinimumDuration(300)

        def go_on(done: int, of: int) -> bool:
            wait.setMaximum(of)
            wait.setValue(done)
            return not wait.wasCanceled()

        room = self.room
        made = picture(screen.reel, screen.link.viewer, room.art, screen.words, room.theme, go_on)
        wait.reset()
        wait.deleteLater()
        if made:
            self._keep(path, lambda: write_whole(path, made))

    def _play_on(self, screen: ReplayScreen, practise: bool = False) -> None:
        own = max(0, screen.link.seat)
        dialog = PlayOn(self.room, screen, screen.reel.players, own, practise)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self._begin(screen, dialog))
        dialog.open()

    def _begin(self, screen: ReplayScreen, dialog: PlayOn) -> None:
        from tabletop.storage import matches

        frame = screen.reel.frames[screen.reel.whole_frame(screen.at)]
        players = dialog.players
        try:
            match = matches.branch(screen.record, frame.entry + 1, players)
        except (BadFile, StorageError) as error:
            self.room.tell(error.reason)
            return
        self._window.playing.sit(screen.kit, match)

    def _where(self, screen: ReplayScreen, suffix: str, kinds: str) -> Path | None:
        """The file that the person wants written."""
        words = self.room.words
        wish = title(screen.kit, words.language) + suffix
        return files.to_write(self._window, words("Save as"), wish, kinds)

    def _keep(self, path: Path, write: Callable[[], object]) -> None:
        words = self.room.words
        try:
            write()
        except (BadFile, StorageError) as error:
            self.room.tell(error.reason)
            return
        self._window.banner.tell(words("Saved as “{file}”.", file=path.name), "check")
