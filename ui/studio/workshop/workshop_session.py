"""The workshop in the window: its start screen, and the trial of a game."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMainWindow

from tabletop.catalogue import agreements, catalogue, game_folders
from tabletop.catalogue.catalogue import BrokenGame, CodeNotAllowed
from tabletop.catalogue.game_folders import GameFolder
from tabletop.files.errors import StorageError
from tabletop.games import card_sheet
from tabletop.studio.workshop import new_game as beginning
from tabletop.studio.workshop.new_game import NewGameError
from tabletop.studio.workshop.own_games import own_games
from ui.match.screen.match_session import MatchSession
from ui.shelf.agreement_prompt import ask_to_run_game
from ui.shell.app_context import AppContext
from ui.shell.navigator import Navigator
from ui.studio.workshop.trial_session import DEFAULT_TRIAL, Trial, TrialSession
from ui.studio.workshop.workshop_screen import NewGameRequest, WorkshopScreen


class WorkshopSession(QObject):
    """Manages the workshop's screens, with at most one trial at a time."""

    game_changed = Signal(object)
    """Emitted when a game has changed. The argument is its current `GameKit`."""

    imported = Signal(Path)
    """Request to import this file or folder of another program."""
    shared = Signal(object)
    """Request to write this `GameKit` as one file."""

    def __init__(
        self, context: AppContext, navigator: Navigator, window: QMainWindow, matches: MatchSession
    ) -> None:
        """`window`: the window to which a trial's toolbar is added."""
        super().__init__(window)
        self.context = context
        self._navigator = navigator
        self._window = window
        self._matches = matches
        self.screen: WorkshopScreen | None = None
        self.trial: TrialSession | None = None

    def show_screen(self) -> None:
        """Show the workshop's start screen."""
        screen = WorkshopScreen(self.context, own_games())
        screen.opened.connect(self.open)
        screen.imported.connect(self.imported)
        screen.requested.connect(self._create_game)
        screen.left.connect(self._navigator.show_shelf)
        self._navigator.show_screen(screen)
        self.screen = screen
        screen.take_focus()

    def put_away(self) -> None:
        """End the trial, because another screen is shown."""
        self.screen = None
        if self.trial is not None and not self.trial.swapping:
            trial, self.trial = self.trial, None
            trial.end()
            if trial.kit is not None:
                self.game_changed.emit(trial.kit)

    def open(self, folder: Path, wanted: Trial = DEFAULT_TRIAL, hint: str = "") -> None:
        """Start a trial of the game in `folder`, with a `hint` in the toolbar.

        If the user hasn't agreed to run the game's Python yet, ask first. After that the folder
        counts as the user's own, and its Python runs without asking.
        """
        words = self.context.words
        if not game_folders.is_game_folder(folder):
            self._navigator.show_message(
                words(
                    "“{folder}” isn't a game folder: it contains none of {marks}.",
                    folder=folder.name,
                    marks=words.join_list(game_folders.MARKER_FILES),
                )
            )
            return
        (game_folder,) = game_folders.add(folder)
        if game_folder.id in catalogue.packaged_games():
            self._navigator.show_message(
                words(
                    "The game in “{folder}” has the id “{id}”, which a built-in game uses. Give it "
                    "another id in cards.toml.",
                    folder=folder.name,
                    id=game_folder.id,
                )
            )
            return
        if not self._navigator.try_leave_table() or not self._may_run(game_folder):
            return
        try:
            agreements.add_own_folder(game_folder.path)
        except StorageError as error:
            self.context.show_error(error.reason)
            return
        trial = TrialSession(
            self.context, self._window, self._navigator, self._matches, game_folder.path
        )
        trial.shared.connect(self.shared)
        trial.begin(wanted)
        trial.strip.show_hint(hint)
        self.trial = trial

    def open_trial(self, folder: Path, seats: int, seed: str) -> None:
        """Start a trial with `seats` players, dealt with `seed`."""
        self.open(folder, Trial(seats, seed))

    def _may_run(self, game_folder: GameFolder) -> bool:
        """Return whether the game's Python may run. Ask the user if they haven't agreed yet."""
        try:
            catalogue.load(game_folder.id)
        except CodeNotAllowed as error:
            ask_to_run_game(self.context, self._window, error.entry)
        except BrokenGame as error:
            if not game_folder.can_run():  # nobody can be asked about a folder that can't be read
                self.context.show_error(error.reason)
        return game_folder.can_run()

    def _create_game(self, wanted: NewGameRequest) -> None:
        assert self.screen is not None
        words = self.context.words
        try:
            name = game_folders.make_unused_id(wanted.title)
            beginning.create_game(wanted.title, wanted.folder, wanted.template, wanted.seats, name)
            agreements.add_own_folder(wanted.folder)
        except (NewGameError, StorageError) as error:
            self.screen.show_error(words.reason(error.reason))
        else:
            hint = words(
                "This is your game. Its cards are in {file}: open it under “Files”, "
                "change a name and save to see the card change.",
                file=card_sheet.CSV_FILE,
            )
            self.open(wanted.folder, hint=hint)
