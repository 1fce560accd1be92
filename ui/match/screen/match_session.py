"""Starts, continues, shows and saves the window's matches."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
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
from tabletop.match import tutorial
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
from ui.match.introduction import Introduction, can_introduce
from ui.match.local_match import LocalMatch
from ui.match.screen.table_screen import TableScreen
from ui.match.seated_table import SeatedTable
from ui.setup import lineup
from ui.setup.lineup import MatchSetup
from ui.shelf import stored_matches
from ui.shell.app_context import AppContext
from ui.shell.language import game_title
from ui.shell.navigator import Navigator
from ui.widgets import file_dialogs
from ui.widgets.confirm import ask_to_confirm
from ui.widgets.question import ask_question

if TYPE_CHECKING:
    from tabletop.catalogue.catalogue import GameKit
    from tabletop.match.match import Match, Player
    from tabletop.review.review import Feat


log = logging.getLogger("tabletop")

ALREADY_SAVED = phrase("“{file}” holds this match already: it's saved there after every move.")
GAME_CHANGED = phrase(
    "“{game}” has changed since this match began: its cards, zones or rules are others now. The "
    "match can go on with the game as it was."
)
NO_ROOM_FOR_MATCH = Reason(
    "The match can't start: the disk is full. Free up some space, then try again.", code="disk"
)
CONTINUE_UNCHANGED = phrase("Continue with the game as it was")
STATISTICS_LOCK_TIMEOUT_S = 6.0
"""How long a background write waits while another process locks the statistics, in seconds."""


class MatchSession(QObject):
    """Starts, saves and closes the match in the window. At most one table is open at a time."""

    table_shown = Signal(object)
    """A table was opened. The argument is its TableScreen."""
    table_left = Signal()
    """The current table is about to close."""
    replay_requested = Signal(Path, bool, object, object)
    """The user wants to watch a recorded match.

    Arguments: the record's path, whether to review the match, the Feat to start at or None, and a
    callback that returns to the result or None.
    """

    def __init__(self, context: AppContext, navigator: Navigator) -> None:
        super().__init__(navigator.window())
        self.context = context
        self._navigator = navigator
        self.table: TableScreen | None = None
        self._recorded_result: Result | None = None
        """The result last written to the statistics for the current match, or None."""
        context.drawing_broken.connect(
            self._show_broken_drawing, Qt.ConnectionType.QueuedConnection
        )

    def start_match(self, setup: MatchSetup) -> None:
        """Start a match with the players and options in `setup`. Report it if the disk is full."""
        default = self.context.words.language
        languages = tuple(self.context.language_of(p.name) or default for p in setup.players)
        with self.context.report_errors():
            try:
                match = saved_matches.begin(
                    setup.kit,
                    setup.players,
                    setup.options,
                    setup.seed,
                    languages,
                    keep=_keep_game_in_background,
                )
            except DiskFull:
                self.context.show_error(NO_ROOM_FOR_MATCH)
            else:
                self.show_match(match)

    def start_bot_match(self, kit: GameKit) -> None:
        """Start a match against bots at once, with the settings last used for `kit`."""
        if self._navigator.try_leave_table():
            setup = lineup.setup_against_bots(self.context, kit)
            lineup.save_setup(self.context, setup)
            self.start_match(setup)

    def play_now(self, kit: GameKit) -> None:
        """Start a match against bots at once. The first match of a game begins with its card."""
        self.start_bot_match(kit)
        settings = self.context.settings
        new = kit.id not in settings.introduced and self.context.shelf_statistics.is_new(kit.id)
        if self.table is not None and self.table.kit is kit and new:
            self.context.store_settings(introduced=(*settings.introduced, kit.id))
            self._introduce(self.table)

    def _introduce(self, table: TableScreen) -> None:
        """Show the introduction of the game over `table`, if it has one."""
        if can_introduce(table.kit):
            lessons = tutorial.load_first_game(table.kit)
            card = Introduction(self.context, table, table.kit, lessons is not None)
            card.learn_requested.connect(partial(self._replace_with_lessons, table.kit))
            card.open()

    def _replace_with_lessons(self, kit: GameKit) -> None:
        """Start a match with lessons instead of the one at the table, which moves to the trash."""
        file = self.table.seated.record.file if self.table is not None else None
        players = self.table.seated.players if self.table is not None else ()
        self.start_lessons(kit, players)
        if file is not None and not self.is_playing(file):
            with self.context.report_errors():
                saved_matches.move_to_trash(file)

    def start_lessons(self, kit: GameKit, players: Sequence[Player] = ()) -> None:
        """Start a match of `kit` with lessons, against bots.

        `players`: the players by seat, by default those of `start_bot_match`.
        """
        lessons = tutorial.load_first_game(kit)
        if lessons is not None and self._navigator.try_leave_table():
            seated = players or lineup.setup_against_bots(self.context, kit).players
            self.start_match(lineup.setup_lessons(self.context, kit, lessons, seated))

    def is_playing(self, file: Path) -> bool:
        """Return whether `file` holds the match at the current table."""
        played = self.table.seated.record.file if self.table is not None else None
        return played is not None and played.resolve() == file.resolve()

    def resume_match(self, file: Path) -> None:
        """Continue the unfinished match in `file`. If its game has changed, request a replay."""
        if not self._watch_if_game_changed(file):
            try:
                self._show_stored_match(partial(saved_matches.resume, file))
            except RulesMismatch:
                self.replay_requested.emit(file, False, None, None)

    def _watch_if_game_changed(self, file: Path) -> bool:
        """If the game of `file` has changed, request a replay of `file` and return True.

        If a copy of the old version is kept, the user may choose to continue with that one instead.
        """
        words = self.context.words
        try:
            head = read_record_header(file)
            kit = head.load_kit()
        except (BadFile, LookupError):
            return False  # `_show_stored_match` reports the error
        if head.is_compatible_with(kit) and not (kit.is_old_version and has_current_version(kit)):
            return False
        if head.is_compatible_with(kit):
            text = words(GAME_CHANGED, game=game_title(kit, words.language))
            parent = self._navigator.window()
            if ask_question(
                words, parent, text, words(CONTINUE_UNCHANGED), words("Look at it only")
            ):
                return False
        self.replay_requested.emit(file, False, None, None)
        return True

    def reopen_finished(self, kept: Path) -> None:
        """Show the table of a finished match again, after its replay was watched.

        Args:
            kept: The match's record among the replays.
        """
        with self.context.report_errors():
            self.resume_match(saved_matches.restore_match(kept))
        if self.table is None:
            self._navigator.show_shelf()

    def open_copy(self, file: Path) -> bool:
        """Continue a copy of the match in `file`. Return False if the match can only be watched."""
        return not self._watch_if_game_changed(file) and self._show_stored_match(
            partial(stored_matches.open_copy, self.context, file)
        )

    def _show_stored_match(self, read: Callable[[Callable[[Reason], None]], Match | None]) -> bool:
        """Call `read` and show the table of the match that it returns.

        Args:
            read: Loads the match. Its argument is a callback that collects warnings, which are
                shown once the table is open.

        Returns:
            False if `read` returned None. A file that can't be read is reported to the user.

        Raises:
            RulesMismatch: the match can only be watched, because the game's rules have changed.
        """
        reasons: list[Reason] = []
        try:
            match = read(reasons.append)
        except RulesMismatch:
            raise
        except (BadFile, StorageError) as error:
            self.context.show_error(stored_matches.error_reason(self.context, error))
            return True
        if match is not None:
            self.show_match(match)
            for reason in reasons:  # a new table clears the banner, so show the reasons after it
                self.context.show_error(reason)
        return match is not None

    def show_match(self, match: Match) -> None:
        """Show the table of a match that runs in this process, and start play."""
        here = LocalMatch(self.context, match)
        here_ref = ref(here)  # a strong reference in its own signal would keep it alive
        here.write_failed.connect(lambda reason: self._show_write_error(reason, here_ref()))
        self.show_table(here.seated).start()

    def _show_write_error(self, reason: Reason, here: LocalMatch | None) -> None:
        """Show why the match's file couldn't be written, and offer to save the match elsewhere."""
        words = self.context.words
        log.warning("%s", fill_gaps(reason.text, reason.args))
        if here is not None:
            match = here.match
            self._navigator.show_message(
                words.reason(reason),
                "warning",
                words("Save as…"),
                lambda: self._save_as(match),
                reason.code,
            )

    def show_table(self, seated: SeatedTable) -> TableScreen:
        """Close the current table, show one for `seated`, and return its screen.

        The caller must then call the screen's `start`.
        """
        self.close_table()
        self._recorded_result = None
        table = TableScreen(self.context, seated, self._navigator.stack)
        table.hot_seat.news_received.connect(self._record_result)
        if self.context.settings.docks:
            table.side_sheet.restore_state(QByteArray(self.context.settings.docks))
        self.table_shown.emit(table)
        self.table = table
        game = seated.kit.id  # the lambda must not keep the table alive
        QTimer.singleShot(0, table, lambda: self.context.show_broken_drawing(game))
        return table

    def _show_broken_drawing(self, game: str) -> None:
        """Show what is wrong with a drawing of `game` (an ID), if that game is on the table."""
        if self.table is not None and self.table.seated.kit.id == game:
            self.context.show_broken_drawing(game)

    def run_command(self, table: TableScreen, name: str) -> None:
        """Run a command of the menus or the score sheet for `table`."""
        match name:
            case "save":
                if (match := table.seated.saveable_match) is not None:
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
                if table.seated.is_over:
                    self._share_picture(table.seated, copied=name == "copy_picture")
            case "restart":
                self._restart(table)
            case "rematch":
                self._play_again(table.seated, rotate_seats=False)
            case "swap":
                self._play_again(table.seated, rotate_seats=True)
            case "leave":
                self._navigator.show_shelf()
            case _:
                table.run_command(name)

    def _share_picture(self, seated: SeatedTable, copied: bool) -> None:
        from ui.match.result import sharing

        share = sharing.copy_picture if copied else sharing.save_picture
        share(self.context, self._navigator, seated)

    def close_table(self) -> Path | None:
        """Close the current table, saving its record, thumbnail and sidebar layout.

        Returns:
            The path of the replay if a finished match was recorded, or else None.
        """
        table, self.table = self.table, None
        kept: Path | None = None
        if table is None:
            return kept
        self.table_left.emit()
        self.context.store_settings(docks=table.side_sheet.dock_state().data())
        seated, file = table.seated, table.seated.record.file
        key = seated.record.statistics_key
        table.close_table()
        if file is not None and seated.is_over:
            with self.context.report_errors():
                kept = saved_matches.move_to_replays(file)
        elif file is not None and seated.match is not None:
            from ui.shelf.table_picture import save_thumbnail

            save_summaries.save_summary(file, seated.match)
            save_thumbnail(self.context, seated.kit, Seat.at_table(seated.match), file)
        elif (match := _shared_match(seated)) is not None:
            kept = self._keep_shared(match, key)
        self.context.set_viewer_language(None)
        return kept

    def _keep_shared(self, match: Match, key: str) -> Path | None:
        """Save a finished match of a shared table as a replay on this computer, with its notes.

        Return the replay's path, or None if it couldn't be saved.
        """
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

        seated, seat, words = table.seated, table.switch.shown_seat, self.context.words
        file, key = seated.record.file, seated.record.statistics_key
        if seat is None or table.curtain.is_drawn:
            return
        reader = seated.record.note_reader(seat.number)
        if file is None and not key and reader is None:
            self._navigator.show_message(
                words("You can't take notes here: this match isn't recorded.")
            )
            return
        place = playtest_notes.shared_notes_path(key) if key else None
        ply, number, entries = seat.view.ply, seat.number, seated.seat(seat.number).at
        write_note(
            self.context,
            table,
            playtest_notes.notes_path(file) if file else place,
            moment_text(table.words, seat.view),
            lambda text: playtest_notes.make_note(text, ply, number, entries),
            lambda: self._navigator.show_message(words("Note saved with the match."), "check"),
            reader,
        )

    def _record_result(self) -> None:
        """Add the result of the current match to the statistics.

        If undo leads to a different result, that result is recorded too.
        """
        if self.table is None:
            return
        seated = self.table.seated
        result, key = seated.view.result, seated.record.statistics_key
        if result is None or not key or result == self._recorded_result:
            return
        from tabletop.storage import statistics
        from tabletop.storage.tally import count_tallies

        kit, players = seated.kit, seated.players
        counted = count_tallies(kit.meaning, seated.log, len(players))

        def write_result() -> None:
            with statistics.open_statistics(STATISTICS_LOCK_TIMEOUT_S) as kept:
                kept.add_match(key, kit.id, players, result, tallies=counted)

        background_writes.add(write_result)
        self._recorded_result = result

    def _watch_ended_match(
        self, seated: SeatedTable, review: bool = False, feat: Feat | None = None
    ) -> None:
        """Close the finished table and request its replay, optionally starting at `feat`."""
        shared = _shared_match(seated)
        if not self._navigator.try_leave_table():
            return
        kept = (
            self.close_table()
            if shared is None
            else self._keep_shared(shared, seated.record.statistics_key)
        )
        if kept is not None:
            back = partial(self.reopen_finished, kept) if shared is None else None
            self.replay_requested.emit(kept, review, feat, back)
        else:
            self._navigator.show_shelf()

    def _play_again(self, seated: SeatedTable, rotate_seats: bool) -> None:
        players = seated.players
        if rotate_seats:
            players = players[1:] + players[:1]
        self.start_match(MatchSetup(seated.kit, players, dict(seated.view.options)))

    def _restart(self, table: TableScreen) -> None:
        words, seated = self.context.words, table.seated
        text = words("Restart with the same players? The current match moves to the trash.")
        if not ask_to_confirm(
            self.context, self._navigator.window(), "restart", text, words("Restart")
        ):
            return
        file, over = seated.record.file, seated.is_over
        self._play_again(seated, rotate_seats=False)
        if file is not None and not over and self.table is not table:
            with self.context.report_errors():
                saved_matches.move_to_trash(file)

    def _save_as(self, match: Match) -> None:
        words = self.context.words
        wish = game_title(match.kit, words.language) + SUFFIX
        file = file_dialogs.ask_where_to_save(
            self._navigator.window(),
            words,
            words("Save as"),
            wish,
            file_dialogs.record_filter(words),
        )
        if file is None:
            return
        running = self.table.seated.record.file if self.table is not None else None
        if running is not None and is_same_file(file, running):
            self._navigator.show_message(words(ALREADY_SAVED, file=file.name), "check")
            return
        with self.context.report_errors():
            save_as(match, file)
            text = words("Saved as “{file}”.", file=file.name)
            if match.state.result is None and not needs_seal(match.players):
                more = words("This file isn't sealed: anyone who opens it can see every card.")
                text += f" {more}"
            self._navigator.show_message(text, "check")


def _keep_game_in_background(kit: GameKit) -> None:
    """Copy the game's folder in a background thread, because the folder may be large.

    The thread keeps the program running until the copy is complete.
    """
    keep = partial(store_game_version, kit)
    try:
        threads.start(keep, "kept game", daemon=False)
    except RuntimeError:  # the system can't start another thread
        keep()


def _shared_match(seated: SeatedTable) -> Match | None:
    """Return the match of a finished shared table, or None until the host has sent all of it."""
    shared = seated.record.file is None and seated.is_over
    return seated.saveable_match if shared else None
