"""Live preview of a game while its files are being edited.

When a file is saved, the table is rebuilt at the same position by replaying the same moves with the
same seed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, QProcess, Qt, Signal
from PySide6.QtWidgets import QApplication, QMainWindow

from tabletop.catalogue import catalogue, game_folders
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.mask import mask
from tabletop.games import card_sheet, game_info
from tabletop.match.history import Entry
from tabletop.match.match import SYMBOLS, Player
from tabletop.studio.workshop.checked_rules import check_kit, check_open_questions
from tabletop.studio.workshop.mistake import describe_mistake
from tabletop.studio.workshop.position import Position, replay_record
from ui.match.local_match import trial_table
from ui.match.screen.match_session import MatchSession
from ui.shell import own_process
from ui.shell.app_context import AppContext
from ui.shell.language import game_title
from ui.shell.navigator import Navigator
from ui.studio.workshop.check_report import CheckReport
from ui.studio.workshop.empty_table import EmptyTable
from ui.studio.workshop.folder_watch import FolderWatch
from ui.studio.workshop.trial_toolbar import (
    CHECKING,
    CURRENT_PLAYER,
    DRAWING,
    EXPORT_TEXTS,
    PRINT_TEXT,
    TrialToolbar,
    WorkshopStatus,
)
from ui.style.art import Art
from ui.table.items.card_pixmaps import CardPixmaps
from ui.table.scene import TableScene
from ui.widgets import file_dialogs

PROBE_WIDTH_PX = 60.0
"""Width in pixels of the card that is drawn to validate the drawings."""
PROBE_TABLE_SIZE_PX = (960, 600)
"""Size in pixels of the table that is drawn to validate the drawings."""


class Trial(Struct, frozen=True):
    """The settings of a trial: player count, seed, viewer, and whether bots play."""

    seats: int
    """The requested player count. The nearest possible one is used."""
    seed: str
    viewer: int = CURRENT_PLAYER
    bots_play: bool = False


DEFAULT_TRIAL = Trial(0, "1")
"""A trial with the smallest player count and the first seed."""


class TrialSession(QObject):
    """The trial of one game in the window. It ends when another screen is shown."""

    shown = Signal()
    """Emitted when a new table, or a new mistake in the files, is shown."""
    shared = Signal(object)
    """Request to write this `GameKit` as one file."""

    def __init__(
        self,
        context: AppContext,
        window: QMainWindow,
        navigator: Navigator,
        matches: MatchSession,
        folder: Path,
    ) -> None:
        """`window`: the window to which the toolbar is added."""
        super().__init__(window)
        self._context = context
        self._window = window
        self._navigator = navigator
        self._matches = matches
        self._folder = folder
        self.kit: GameKit | None = None
        """The last working version of the game; None until there is one."""
        self._unused: GameKit | None = None
        """The version of the game that was loaded last, if it couldn't be shown."""
        self._trial = DEFAULT_TRIAL
        self._record: list[Entry] = []
        """All moves of the trial, including those after the shown position and those that are
        currently illegal.
        """
        self._wanted_moves = 0
        """The requested number of moves on the table."""
        self._position: Position | None = None
        self._shown_moves = 0
        """The number of moves on the shown table."""
        self._mistake = ""
        self._is_empty_shown = False
        """Whether an empty table is shown."""
        self._process: QProcess | None = None
        """The background process that checks the game or writes a picture, export or PDF."""
        self._on_ended: Callable[[QProcess], None] = self._on_export_ended
        """Called with that process when it has ended."""
        self._output_file = Path()
        """The file that the process writes."""
        self.swapping = False
        """Whether the current screen is being replaced with the trial's next one."""
        self.report: CheckReport | None = None
        """The findings of the latest check."""
        self.strip = TrialToolbar(context, window)
        window.addToolBar(Qt.ToolBarArea.TopToolBarArea, self.strip)
        self._watch = FolderWatch(folder, self)
        self._watch.changed.connect(self.reread)
        self.strip.stepped.connect(self._step)
        self.strip.seed_requested.connect(lambda seed: self.begin(replace(self._trial, seed=seed)))
        self.strip.seats_requested.connect(
            lambda seats: self.begin(replace(self._trial, seats=seats))
        )
        self.strip.viewer_requested.connect(
            lambda seat: self._show_again(replace(self._trial, viewer=seat))
        )
        self.strip.bots_toggled.connect(
            lambda on: self._show_again(replace(self._trial, bots_play=on))
        )
        self.strip.folder_requested.connect(lambda: self._show_outside(self._folder))
        self.strip.export_requested.connect(self._export)
        self.strip.print_requested.connect(self._print)
        self.strip.share_requested.connect(self._share)
        self.strip.pictures_requested.connect(self._draw_pictures)
        self.strip.check_requested.connect(self._check)
        self.strip.cards_requested.connect(lambda: self._show_outside(self._folder / self._cards))

    def begin(self, trial: Trial) -> None:
        """Deal a new match with the settings `trial`."""
        self._record, self._wanted_moves = [], 0
        viewer = trial.viewer if trial.viewer < trial.seats else CURRENT_PLAYER
        self._trial = replace(trial, viewer=viewer)
        if self.kit is None:
            self._read_files()
        else:
            self._show_again(self._trial)

    def reread(self) -> None:
        """Reload the changed files and show the same position."""
        self.strip.show_hint("")
        self._read_files()

    def _read_files(self) -> None:
        """Load the game and show the position.

        A mistake in the files is reported, and the last working table stays. If there is none, an
        empty table is shown.
        """
        before = self.kit
        if before is not None:
            catalogue.reread(before.id)
        known = game_folders.add(self._folder)  # a game with an unreadable box has another ID
        name = known[0].id if known else before.id if before is not None else self._folder.name
        catalogue.reread(name)
        if self._unused is not None:
            catalogue.unload_replaced(self._unused)
        art = self._context.create_art()
        kit: GameKit | None = None
        try:
            kit = catalogue.load(name)
            position = self._wanted_position(kit)
            with art.raise_errors():
                self._draw_everything(kit, art, position)
        except Exception as error:  # rules and drawings may raise anything
            self._mistake = describe_mistake(error, self._folder)
            self._unused = kit
            if before is None:
                self._show_empty()
            self._show_status()
            return
        self._context.broken_drawings.pop(kit.id, None)
        self._context.art, self.kit, self._unused, self._mistake = art, kit, None, ""
        self._context.bot_pool.reload_games()
        self._put_on_table(kit, position)
        if before is not None:
            catalogue.unload_replaced(before)

    def _draw_everything(self, kit: GameKit, art: Art, position: Position) -> None:
        """Draw all cards and the table to validate the drawings.

        Raises:
            Any error of a drawing.
        """
        context, players = self._context, position.match.players
        prints = CardPixmaps(kit, art, context.game_words(kit), context.theme)
        for card in range(len(kit.deck)):
            prints.face_drawing(card)
        if kit.deck:
            prints.face_pixmap(0, PROBE_WIDTH_PX)
            prints.back_pixmap(0, PROBE_WIDTH_PX)
        scene = TableScene(kit, art, context.game_words(kit, players), context.theme)
        scene.set_size(*PROBE_TABLE_SIZE_PX)
        viewer = max(self._trial.viewer, 0)
        scene.stage.show_view(mask(position.match.state, viewer))
        scene.deleteLater()

    def _show_again(self, trial: Trial) -> None:
        self._trial, kit = trial, self.kit
        if kit is None:
            return
        try:
            position = self._wanted_position(kit)
        except Exception as error:  # rules may raise anything
            self._mistake = describe_mistake(error, self._folder)
            self._show_status()
            return
        self._put_on_table(kit, position)

    def _step(self, moves: int) -> None:
        self._wanted_moves = max(0, min(len(self._record), self._moves_played + moves))
        self._show_again(replace(self._trial, bots_play=False))

    @property
    def _moves_played(self) -> int:
        return self._position.moves if self._position is not None else 0

    def _wanted_position(self, kit: GameKit) -> Position:
        """Return the requested position, replayed with the rules of `kit`.

        Raises:
            Any error of the game's rules, which are checked before.
        """
        allowed = kit.box.seats
        trial = self._trial
        if trial.seats not in allowed:
            seats = min(allowed, key=lambda each: abs(each - trial.seats))
            viewer = trial.viewer if trial.viewer < seats else CURRENT_PLAYER
            self._trial = trial = replace(trial, seats=seats, viewer=viewer)
        players, record = self._players(), self._record[: self._wanted_moves]
        checked = check_kit(kit)
        if checked is not kit:
            tried = replay_record(checked, players, trial.seed, record)
            check_open_questions(checked, tried.match.state)
        return replay_record(kit, players, trial.seed, record)

    def _players(self) -> tuple[Player, ...]:
        trial, words = self._trial, self._context.words

        def person(seat: int) -> bool:
            return seat == trial.viewer or (trial.viewer == CURRENT_PLAYER and not trial.bots_play)

        return tuple(
            Player(
                words("Player {n}", n=seat + 1),
                SYMBOLS[seat % len(SYMBOLS)],
                "person" if person(seat) else "bot",
                "" if person(seat) else "easy",
            )
            for seat in range(trial.seats)
        )

    def _put_on_table(self, kit: GameKit, position: Position) -> None:
        """Show `position`. If a widget of the toolbar has the focus, it keeps the focus."""
        before, focus = self._matches.table, QApplication.focusWidget()
        tab = before.dock.tabs.currentIndex() if before is not None else 0
        seating = trial_table(self._context, position.match, self._trial.bots_play)
        self.swapping = True
        try:
            table = self._matches.show_table(seating)
        finally:
            self.swapping = False
        self._position, self._shown_moves = position, position.moves
        table.hot_seat.news_received.connect(self._on_news)
        table.start()
        if before is not None:
            table.dock.tabs.setCurrentIndex(tab)
        if focus is not None and self.strip.isAncestorOf(focus):
            focus.setFocus()
        self._show_status()

    def _show_empty(self) -> None:
        """Show an empty table until the files are fixed."""
        if self._is_empty_shown:
            return
        self._is_empty_shown = self.swapping = True
        try:
            self._navigator.show_screen(EmptyTable(self._context))
        finally:
            self.swapping = False

    def _on_news(self) -> None:
        """Update the record after a move on the table. If the move differs from the record, later
        moves are discarded.
        """
        assert self._position is not None
        record = self._position.match.record
        if len(record) == self._shown_moves:
            return
        if record != self._record[: len(record)]:
            self._record = list(record)
        self._wanted_moves = self._shown_moves = len(record)
        self._position = replace(self._position, refused=None)
        self._show_status()

    def _show_status(self) -> None:
        trial, position = self._trial, self._position
        complaint = self._context.words.fault(self._mistake, detailed=True)
        if not complaint and position is not None and position.refused is not None:
            complaint = self._context.words(
                "Replayed up to move {n}: the next move isn't legal any more.",
                n=position.moves,
            )
        self.strip.show_status(
            WorkshopStatus(
                trial.seed,
                self.kit.box.seats if self.kit is not None else (),
                trial.seats,
                trial.viewer,
                trial.bots_play,
                self._moves_played,
                len(self._record),
                complaint,
                bool(self._mistake),
            )
        )
        self.shown.emit()

    @property
    def _cards(self) -> str:
        """The name of the file that contains the cards."""
        there = (name for name in card_sheet.CARD_FILES if (self._folder / name).is_file())
        return next(there, game_info.CARDS_TOML)

    def _show_outside(self, path: Path) -> None:
        if not file_dialogs.open_externally(path):
            message = self._context.words("No program can open it. It's in {path}", path=path)
            self._navigator.show_message(message)

    def _share(self) -> None:
        """Emit `shared`, unless the files contain a mistake, which the toolbar shows already."""
        if self.kit is not None and not self._mistake:
            self.shared.emit(self.kit)

    def _draw_pictures(self) -> None:
        """Write pictures of all tables to a file."""
        words = self._context.words
        place = ("--seed", self._trial.seed, "--ply", str(self._moves_played))
        self._run_export(words("Pictures of all tables"), ".png", ("dev", "--sheet"), *place)

    def _export(self, kind: str) -> None:
        """Write the cards for another program. `kind` is a key of `EXPORT_TEXTS`."""
        words = self._context.words
        more = ("--as", kind, "--lang", words.language)
        self._run_export(words(EXPORT_TEXTS[kind]), ".zip", ("export", "--out"), *more)

    def _print(self) -> None:
        """Write the printable PDF."""
        words = self._context.words
        more = ("--lang", words.language)
        self._run_export(words(PRINT_TEXT), ".pdf", ("print", "--out"), *more)

    def _run_export(self, heading: str, suffix: str, command: tuple[str, str], *more: str) -> None:
        """Ask for a file name and run a command of this program in a background process that writes
        the file.

        `command` consists of the command's name and its option for the output file; `more` are
        further arguments.
        """
        if self.kit is None or self._process is not None:
            return
        words = self._context.words
        suggested_name = f"{game_title(self.kit, words.language)}{suffix}"
        kinds = f"{suffix[1:].upper()} (*{suffix})"
        out = file_dialogs.ask_where_to_save(self._window, words, heading, suggested_name, kinds)
        if out is None:
            return
        self._output_file = out
        verb, option = command
        arguments = [verb, str(self._folder), option, str(out), "--force", *more]
        self._start_process(arguments, self._on_export_ended, DRAWING)

    def _check(self) -> None:
        """Look for mistakes in a background process, and show what it finds."""
        if self._process is None:
            self._start_process(["check", str(self._folder)], self._on_check_ended, CHECKING)

    def _start_process(
        self, arguments: list[str], on_ended: Callable[[QProcess], None], working: str
    ) -> None:
        """Run a command of this program in the background.

        `on_ended` is called with the ended process; `working` is shown meanwhile.
        """
        self._process, self._on_ended = QProcess(self), on_ended
        self._process.finished.connect(self._on_process_ended)
        self._process.errorOccurred.connect(self._on_process_ended)
        own_process.start(self._process, arguments, {"QT_QPA_PLATFORM": "offscreen"})
        self.strip.show_work(working)

    def _on_process_ended(self) -> None:
        process, self._process = self._process, None
        if process is not None:  # otherwise its end was reported already
            self.strip.show_work("")
            self._on_ended(process)

    def _on_check_ended(self, process: QProcess) -> None:
        words = self._context.words
        found = bytes(process.readAllStandardOutput().data()).decode(errors="replace")
        match process.exitStatus(), process.exitCode():
            case QProcess.ExitStatus.NormalExit, 0:
                self._navigator.show_message(words("Nothing is wrong or missing."), "check")
            case QProcess.ExitStatus.NormalExit, 1 if found.strip():
                self.report = CheckReport(self._context, self._window, found.splitlines())
                self.report.open()
            case _:
                self._show_process_error(process)

    def _show_process_error(self, process: QProcess) -> None:
        error_text = bytes(process.readAllStandardError().data()).decode(errors="replace")
        self._navigator.show_message(error_text.strip() or process.errorString())

    def _on_export_ended(self, process: QProcess) -> None:
        words, out = self._context.words, self._output_file
        if process.exitStatus() is QProcess.ExitStatus.NormalExit and not process.exitCode():
            message = words("Saved as “{file}”.", file=out.name)
            self._navigator.show_message(
                message, "check", words("Open"), lambda: self._show_outside(out)
            )
        else:
            self._show_process_error(process)

    def end(self) -> None:
        """Stop the trial and remove the toolbar, because another screen is shown."""
        self._watch.end()
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.waitForFinished()
        self._window.removeToolBar(self.strip)
        self.strip.deleteLater()
        self.deleteLater()
