"""The window's matches: started or continued, shown, kept when left."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import ref

from PySide6.QtCore import QByteArray, QObject, Qt, QTimer, Signal

from tabletop.background import threads
from tabletop.catalogue.catalogue import has_current_version
from tabletop.engine.model import Reason, Result
from tabletop.files import background_writes
from tabletop.files.errors import BadFile, DiskFull, RulesMismatch, StorageError
from tabletop.files.regular_file import is_same_file
from tabletop.match.seat import Seat
from tabletop.storage import playtest_notes, save_summaries, saved_matches
from tabletop.storage.record import (
    SUFFIX,
    needs_seal,
    read_record_header,
    save_as,
    store_game_version,
)
from tabletop.text.phrases import fill_gaps, phrase
from ui.match.match_here import MatchHere
from ui.match.screen.table_screen import TableScreen
from ui.match.seated_table import SeatedTable
from ui.setup import lineup
from ui.setup.lineup import MatchSetup
from ui.shelf import stored_matches
from ui.shell.app_context import AppContext
from ui.shell.language import title
from ui.shell.navigator import Navigator
from ui.widgets import file_dialogs
from ui.widgets.confirm import ask_to_confirm
from ui.widgets.question import ask_question

if TYPE_CHECKING:
    from tabletop.catalogue.catalogue import GameKit
    from tabletop.match.match import Match
    from tabletop.review.review import Feat


log = logging.getLogger("tabletop")

KEPT_THERE = phrase("“{file}” holds this match already: it's saved there after every move.")
CHANGED = phrase(
    "“{game}” has changed since this match began: its cards, zones or rules are others now. The "
    "match can go on with the game as it was."
)
NO_ROOM_FOR_MATCH = Reason(
    "The match can't start: the disk is full. Free up some space, then try again.", code="disk"
)
AS_IT_WAS = phrase("Continue with the game as it was")
UNWATCHED = 6.0
"""Seconds that the statistics wait for another process, while nobody waits for them."""


class MatchSession(QObject):
    """At most one table at a time, in the window."""

    shown = Signal(object)
    """A table comes to the screen: a TableScreen."""
    left = Signal()
    """The table on the screen is left."""
    watched = Signal(Path, bool, object, object)
    """The record of a finished match is to be watched: whether it is to be reviewed, the Feat that
    is to be seen, if one is, and what leads back to its result, if anything does."""

    def __init__(self, context: AppContext, navigator: Navigator) -> None:
        super().__init__(navigator.window())
        self.context = context
        self._navigator = navigator
        self.table: TableScreen | None = None
        self._counted: Result | None = None
        """The end of the present match, once the statistics have it."""
        context.drawing_broken.connect(self._tell_broken, Qt.ConnectionType.QueuedConnection)

    def begin(self, wanted: MatchSetup) -> None:
        """Begin a match as agreed."""
        usual = self.context.words.language
        languages = tuple(self.context.language_of(p.name) or usual for p in wanted.players)
        with self.context.report_errors():
            try:
                match = saved_matches.begin(
                    wanted.kit,
                    wanted.players,
                    wanted.options,
                    wanted.seed,
                    languages,
                    keep=_keep_beside,
                )
            except DiskFull:
                self.context.tell(NO_ROOM_FOR_MATCH)
            else:
                self.sit(match)

    def play_now(self, kit: GameKit) -> None:
        """Start a match against bots at once; all else is as this game was last started."""
        if self._navigator.may_go():
            agreed_on = lineup.against_bots(self.context, kit)
            lineup.remember(self.context, agreed_on)
            self.begin(agreed_on)

    def plays(self, file: Path) -> bool:
        """Whether this match is already the one at the table; it has its file to itself."""
        played = self.table.seated.record.file if self.table is not None else None
        return played is not None and played.resolve() == file.resolve()

    def resume(self, file: Path) -> None:
        """Go on with an unfinished match; one of a game that was changed since may only be looked
        at."""
        if not self._only_looks(file):
            try:
                self._sit_again(partial(saved_matches.resume, file))
            except RulesMismatch:
                self.watched.emit(file, False, None, None)

    def _only_looks(self, file: Path) -> bool:
        """Whether the person would rather look at a match whose game was changed, than go on with
        the game as it was; where that isn't kept, they can do nothing else."""
        words = self.context.words
        try:
            head = read_record_header(file)
            kit = head.load_kit()
        except (BadFile, LookupError):
            return False  # `resume` says what is wrong
        if head.is_compatible_with(kit) and not (kit.kept and has_current_version(kit)):
            return False
        if head.is_compatible_with(kit):
            text = words(CHANGED, game=title(kit, words.language))
            parent = self._navigator.window()
            if ask_question(words, parent, text, words(AS_IT_WAS), words("Look at it only")):
                return False
        self.watched.emit(file, False, None, None)
        return True

    def show_end(self, kept: Path) -> None:
        """Show the table of a match again that was over, as before its replay was watched."""
        with self.context.report_errors():
            self.resume(saved_matches.restore_match(kept))
        if self.table is None:
            self._navigator.show_shelf()

    def open(self, file: Path) -> bool:
        """Go on with the match of a file, in a copy; False where it can only be watched."""
        return not self._only_looks(file) and self._sit_again(
            partial(stored_matches.open_copy, self.context, file)
        )

    def _sit_again(self, read: Callable[[Callable[[Reason], None]], Match | None]) -> bool:
        """Sit down at a match of a file, and tell what `read` has heard of it or why it failed;
        False where it gives none.

        Raises:
            OtherRules: the match can only be looked at.
        """
        reasons: list[Reason] = []
        try:
            match = read(reasons.append)
        except RulesMismatch:
            raise
        except (BadFile, StorageError) as error:
            self.context.tell(stored_matches.trouble(self.context, error))
            return True
        if match is not None:
            self.sit(match)
            for reason in reasons:  # only now: a table that comes takes the banner away
                self.context.tell(reason)
        return match is not None

    def sit(self, match: Match) -> None:
        """Sit down at a match of this process."""
        here = MatchHere(self.context, match)
        kept_by = ref(here)  # its own signal must not keep it
        here.unkept.connect(lambda reason: self._tell_unkept(reason, kept_by()))
        self.sit_at(here.seated).begin()

    def _tell_unkept(self, reason: Reason, here: MatchHere | None) -> None:
        """Show what became of a match's file, and offer to save the match somewhere else."""
        words = self.context.words
        log.warning("%s", fill_gaps(reason.text, reason.args))
        if here is not None:
            match = here.match
            self._navigator.tell(
                words.reason(reason),
                "warning",
                words("Save as…"),
                lambda: self._save_as(match),
                reason.code,
            )

    def sit_at(self, seated: SeatedTable) -> TableScreen:
        """Show a table; it is still to begin."""
        self.leave()
        self._counted = None
        table = TableScreen(self.context, seated, self._navigator.stack)
        table.hot_seat.received.connect(self._record_result)
        if self.context.settings.docks:
            table.side_sheet.restore(QByteArray(self.context.settings.docks))
        self.shown.emit(table)
        self.table = table
        game = seated.kit.id  # the table may be gone before its turn, and must not be kept alive
        QTimer.singleShot(0, table, lambda: self.context.tell_broken(game))
        return table

    def _tell_broken(self, game: str) -> None:
        """Show what is wrong with a drawing that was just wanted, if it is of this table's game."""
        if self.table is not None and self.table.seated.kit.id == game:
            self.context.tell_broken(game)

    def do(self, table: TableScreen, name: str) -> None:
        """Do what a command of the menus says, or a button of the score sheet."""
        match name:
            case "save":
                if (match := table.seated.recorded) is not None:
                    self._save_as(match)
            case "note":
                self._write_note(table)
            case "watch":
                self._watch_ended_match(table.seated)
            case "review":
                self._watch_ended_match(table.seated, review=True)
            case "moment":
                self._watch_ended_match(table.seated, feat=table.ending.feat)
            case "save_picture" | "copy_picture":
                if table.seated.over:
                    self._share_picture(table.seated, copied=name == "copy_picture")
            case "restart":
                self._restart(table)
            case "rematch":
                self._play_again(table.seated, turned=False)
            case "swap":
                self._play_again(table.seated, turned=True)
            case "leave":
                self._navigator.show_shelf()
            case _:
                table.do(name)

    def _share_picture(self, seated: SeatedTable, copied: bool) -> None:
        from ui.match.result import sharing

        share = sharing.copy_picture if copied else sharing.save_picture
        share(self.context, self._navigator, seated)

    def leave(self) -> Path | None:
        """Close the table and keep what belongs to it: the record, a picture, the docks. Return the
        path of a finished match's record."""
        table, self.table = self.table, None
        kept: Path | None = None
        if table is None:
            return kept
        self.left.emit()
        self.context.remember(docks=table.side_sheet.state().data())
        seated, file = table.seated, table.seated.record.file
        key = seated.record.key
        table.close_table()
        if file is not None and seated.over:
            with self.context.report_errors():
                kept = saved_matches.move_to_replays(file)
        elif file is not None and seated.match is not None:
            from ui.shelf.table_picture import keep_picture

            save_summaries.save_summary(file, seated.match)
            keep_picture(self.context, seated.kit, Seat.of(seated.match), file)
        elif (match := _shared_match(seated)) is not None:
            kept = self._keep_shared(match, key)
        self.context.speak(None)
        return kept

    def _keep_shared(self, match: Match, key: str) -> Path | None:
        """Put a finished match of a shared table among the replays of this computer as well, with
        what was noted here meanwhile."""
        with self.context.report_errors():
            kept = saved_matches.save_replay_copy(match)
            playtest_notes.move_notes(
                playtest_notes.shared_notes_path(key), playtest_notes.notes_path(kept)
            )
            return kept
        return None

    def _write_note(self, table: TableScreen) -> None:
        from tabletop.review.note_report import moment_text
        from ui.match.note_sheet import write_note

        seated, seat, words = table.seated, table.switch.shown, self.context.words
        file, key = seated.record.file, seated.record.key
        if seat is None or table.curtain.drawn:
            return
        reader = seated.record.note_reader(seat.number)
        if file is None and not key and reader is None:
            self._navigator.tell(words("You can't take notes here: this match isn't recorded."))
            return
        place = playtest_notes.shared_notes_path(key) if key else None
        ply, number, entries = seat.view.ply, seat.number, seated.seat(seat.number).at
        write_note(
            self.context,
            table,
            playtest_notes.notes_path(file) if file else place,
            moment_text(table.words, seat.view),
            lambda text: playtest_notes.make_note(text, ply, number, entries),
            lambda: self._navigator.tell(words("Note saved with the match."), "check"),
            reader,
        )

    def _record_result(self) -> None:
        """Record how a match ended; one that ends again after undone moves is counted again."""
        if self.table is None:
            return
        seated = self.table.seated
        result, key = seated.view.result, seated.record.key
        if result is None or not key or result == self._counted:
            return
        from tabletop.storage import statistics
        from tabletop.storage.tally import count_tallies

        kit, players = seated.kit, seated.players
        counted = count_tallies(kit.meaning, seated.log, len(players))

        def count() -> None:
            with statistics.open_statistics(UNWATCHED) as kept:
                kept.add_match(key, kit.id, players, result, tallies=counted)

        background_writes.add(count)
        self._counted = result

    def _watch_ended_match(
        self, seated: SeatedTable, review: bool = False, feat: Feat | None = None
    ) -> None:
        """Watch the match that has just ended, from its beginning or where this was decided."""
        shared = _shared_match(seated)
        if not self._navigator.may_go():
            return
        kept = self.leave() if shared is None else self._keep_shared(shared, seated.record.key)
        if kept is not None:
            back = partial(self.show_end, kept) if shared is None else None
            self.watched.emit(kept, review, feat, back)
        else:
            self._navigator.show_shelf()

    def _play_again(self, seated: SeatedTable, turned: bool) -> None:
        players = seated.players
        if turned:
            players = players[1:] + players[:1]
        self.begin(MatchSetup(seated.kit, players, dict(seated.view.options)))

    def _restart(self, table: TableScreen) -> None:
        words, seated = self.context.words, table.seated
        text = words("Restart with the same players? The current match moves to the trash.")
        if not ask_to_confirm(
            self.context, self._navigator.window(), "restart", text, words("Restart")
        ):
            return
        file, over = seated.record.file, seated.over
        self._play_again(seated, turned=False)
        if file is not None and not over and self.table is not table:
            with self.context.report_errors():
                saved_matches.move_to_trash(file)

    def _save_as(self, match: Match) -> None:
        words = self.context.words
        wish = title(match.kit, words.language) + SUFFIX
        file = file_dialogs.to_write(
            self._navigator.window(), words, words("Save as"), wish, file_dialogs.records(words)
        )
        if file is None:
            return
        running = self.table.seated.record.file if self.table is not None else None
        if running is not None and is_same_file(file, running):
            self._navigator.tell(words(KEPT_THERE, file=file.name), "check")
            return
        with self.context.report_errors():
            save_as(match, file)
            text = words("Saved as “{file}”.", file=file.name)
            if match.state.result is None and not needs_seal(match.players):
                more = words("This file isn't sealed: anyone who opens it can see every card.")
                text += f" {more}"
            self._navigator.tell(text, "check")


def _keep_beside(kit: GameKit) -> None:
    """Keep the game as it is, in a thread: its folder may be large. The program's end waits."""
    keep = partial(store_game_version, kit)
    try:
        threads.start(keep, "kept game", daemon=False)
    except RuntimeError:  # the system has no thread to give
        keep()


def _shared_match(seated: SeatedTable) -> Match | None:
    """The match of a shared table, once it is over and its host has sent all of it."""
    shared = seated.record.file is None and seated.over
    return seated.recorded if shared else None
