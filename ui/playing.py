"""The window's part about matches: begun or gone on with, shown, kept when left."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QObject

from tabletop.engine.model import Result
from tabletop.engine.play import Illegal
from tabletop.storage import matches, statistics
from tabletop.storage.record import SUFFIX, hides, kit_of, save_as
from tabletop.storage.tally import tallies
from tabletop.storage.trouble import BadFile, StorageError
from ui import files
from ui.screens.here import Here
from ui.screens.new_game import Agreed
from ui.screens.picture import keep_picture
from ui.screens.question import agreed
from ui.screens.sitting import Seating, Sitting
from ui.screens.table import TableScreen
from ui.words import title

if TYPE_CHECKING:
    from tabletop.games.catalogue import Kit
    from tabletop.match import Match
    from ui.app import Window


class Playing(QObject):
    """At most one table at a time, on the window's stack."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self.room = window.room
        self.table: TableScreen | None = None
        self._counted: Result | None = None
        """The end of the present match, once the statistics have it."""

    def begin(self, wanted: Agreed) -> None:
        """Begin a match as agreed."""
        try:
            usual = self.room.words.language
            languages = tuple(self.room.reads(p.name) or usual for p in wanted.players)
            match = matches.begin(
                wanted.kit, wanted.players, wanted.options, wanted.seed, languages
            )
        except StorageError as error:
            self.room.tell(error.reason)
            return
        self.sit(wanted.kit, match)

    def resume(self, file: Path) -> None:
        """Go on with an unfinished match."""
        try:
            match = matches.resume(file)
        except (BadFile, StorageError) as error:
            self.room.tell(error.reason)
            return
        self.sit(kit_of(match), match)

    def sit(self, kit: Kit, match: Match) -> None:
        """Sit down at a match of this process."""
        self.sit_at(Here(self.room, kit, match)).begin()

    def sit_at(self, seating: Seating) -> TableScreen:
        """Show a table; it is still to begin."""
        window = self._window
        window.clear()
        window.banner.hide()
        self._counted = None
        table = TableScreen(self.room, Sitting(self.room, seating))
        table.titled.connect(window.menus.show_title)
        table.allowed.connect(window.menus.allow)
        table.asked.connect(window.do)
        table.sitting.moved.connect(self._count)
        if self.room.settings.docks:
            table.restoreState(QByteArray(self.room.settings.docks))
        self.table = table
        window.put_on(table)
        return table

    def do(self, table: TableScreen, name: str) -> None:
        """Do what a command of the menus says, or a button of the score sheet."""
        match name:
            case "save":
                self._save_as(table.sitting)
            case "watch":
                self._watch(table.sitting)
            case "review":
                self._watch(table.sitting)
                if self.table is None and self._window.watching.screen is not None:
                    self._window.watching.do("review")
            case "restart":
                self._restart(table)
            case "rematch":
                self._play_again(table.sitting, turned=False)
            case "swap":
                self._play_again(table.sitting, turned=True)
            case "leave":
                self._window.show_shelf()
            case _:
                table.do(name)

    def leave(self) -> Path | None:
        """Close the table and keep what belongs to it: the record, a picture, the docks. Gives
        where the record of a finished match now lies."""
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
                self.room.tell(error.reason)
        elif file is not None and sitting.match is not None:
            keep_picture(self.room, sitting.kit, sitting.match, file)
        elif (match := _shared(sitting)) is not None:
            kept = self._keep_shared(match)
        self._window.take_off(table)
        self.room.speak(None)
        return kept

    def _keep_shared(self, match: Match) -> Path | None:
        """Put a finished match of a shared table among the replays of this computer as well."""
        try:
            return matches.keep_copy(match)
        except StorageError as error:
            self.room.tell(error.reason)
            return None

    def _count(self) -> None:
        """Keep how a match ended; one that ends anew after moves were taken back counts anew."""
        if self.table is None:
            return
        sitting = self.table.sitting
        result, key = sitting.view.result, sitting.seating.key
        if result is None or not key or result == self._counted:
            return
        try:
            with statistics.opened() as kept:
                told = tallies(sitting.kit.layout, sitting.log, len(sitting.players))
                kept.count(key, sitting.kit.id, sitting.players, result, tallies=told)
        except StorageError as error:
            self.room.tell(error.reason)
        self._counted = result

    def _watch(self, sitting: Sitting) -> None:
        """Watch the match that has just ended, from its beginning."""
        shared = _shared(sitting)
        if not self._window.may_go():
            return
        kept = self.leave() if shared is None else self._keep_shared(shared)
        if kept is not None:
            self._window.watching.open(kept)

    def _play_again(self, sitting: Sitting, turned: bool) -> None:
        players = sitting.players
        if turned:
            players = players[1:] + players[:1]
        self.begin(Agreed(sitting.kit, players, dict(sitting.view.options)))

    def _restart(self, table: TableScreen) -> None:
        words, sitting = self.room.words, table.sitting
        text = words("Restart with the same players? The present match is put away.")
        if not agreed(self.room, self._window, "restart", text, words("Restart")):
            return
        file, over = sitting.file, sitting.over
        self._play_again(sitting, turned=False)
        if file is not None and not over and self.table is not table:
            try:
                matches.delete(file)
            except StorageError as error:
                self.room.tell(error.reason)

    def _save_as(self, sitting: Sitting) -> None:
        words, match = self.room.words, sitting.seating.recorded
        if match is None:
            return
        wish = title(sitting.kit, words.language) + SUFFIX
        file = files.to_write(self._window, words("Save as"), wish, files.records(words))
        if file is None:
            return
        try:
            save_as(match, file)
        except StorageError as error:
            self.room.tell(error.reason)
            return
        told = words("Saved as “{file}”.", file=file.name)
        if not sitting.over and not hides(match.players):
            told += " " + words("Nothing is sealed in it: who reads the file sees every card.")
        self._window.banner.tell(told, "check")


def _shared(sitting: Sitting) -> Match | None:
    """The match of a shared table, once it is over and its host has told all of it."""
    if sitting.file is not None or not sitting.over:
        return None
    try:
        return sitting.seating.recorded
    except Illegal:  # what was told is no match: whether it was fair the sheet says
        return None
