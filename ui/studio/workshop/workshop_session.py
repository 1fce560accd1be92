"""The window's part about games that are made: the workshop's first screen, and the table beside a
game's files."""

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
from tabletop.studio.workshop.new_game import CannotBegin
from tabletop.studio.workshop.own_games import own_games
from ui.match.screen.match_session import MatchSession
from ui.shelf.agreement_prompt import agreed_kit
from ui.shell.app_context import AppContext
from ui.shell.navigator import Navigator
from ui.studio.workshop.trial_session import FIRST_TRIAL, Trial, TrialSession
from ui.studio.workshop.workshop_screen import Beginning, WorkshopScreen


class WorkshopSession(QObject):
    """At most one game's trial at a time, in the window."""

    renewed = Signal(object)
    """A game has changed: its present `GameKit`."""

    imported = Signal(Path)
    """Request to look into this file or folder of another program."""
    shared = Signal(object)
    """Request to write this kit as one file."""

    def __init__(
        self, context: AppContext, navigator: Navigator, window: QMainWindow, matches: MatchSession
    ) -> None:
        """`window` holds the strip of a trial."""
        super().__init__(window)
        self.context = context
        self._navigator = navigator
        self._window = window
        self._matches = matches
        self.screen: WorkshopScreen | None = None
        self.trial: TrialSession | None = None

    def show_screen(self) -> None:
        """Show the games that are made here, and the beginning of a new one."""
        screen = WorkshopScreen(self.context, own_games())
        screen.opened.connect(self.open)
        screen.imported.connect(self.imported)
        screen.requested.connect(self._begin)
        screen.left.connect(self._navigator.show_shelf)
        self._navigator.show_page(screen)
        self.screen = screen
        screen.take_focus()

    def put_away(self) -> None:
        """Another screen comes."""
        self.screen = None
        if self.trial is not None and not self.trial.swapping:
            trial, self.trial = self.trial, None
            trial.end()
            if trial.kit is not None:
                self.renewed.emit(trial.kit)

    def open(self, folder: Path, wanted: Trial = FIRST_TRIAL, hint: str = "") -> None:
        """Show the table of the game in a folder beside its files, with a `hint` over it. From then
        on the folder counts as one's own: it asks no more before its Python runs. A person who has
        not agreed to that yet is asked."""
        words = self.context.words
        if not game_folders.is_game_folder(folder):
            self._navigator.tell(
                words(
                    "“{folder}” isn't a game folder: it contains none of {marks}.",
                    folder=folder.name,
                    marks=words.join_list(game_folders.MARKER_FILES),
                )
            )
            return
        (game_folder,) = game_folders.add(folder)
        if game_folder.id in catalogue.inside():
            self._navigator.tell(
                words(
                    "The game in “{folder}” has the id “{id}”, which a built-in game uses. Give it "
                    "another id in cards.toml.",
                    folder=folder.name,
                    id=game_folder.id,
                )
            )
            return
        if not self._navigator.may_go() or not self._may_run(game_folder):
            return
        try:
            agreements.add_own_folder(game_folder.path)
        except StorageError as error:
            self.context.tell(error.reason)
            return
        trial = TrialSession(
            self.context, self._window, self._navigator, self._matches, game_folder.path
        )
        trial.shared.connect(self.shared)
        trial.begin(wanted)
        trial.strip.show_hint(hint)
        self.trial = trial

    def open_trial(self, folder: Path, seats: int, seed: str) -> None:
        """Open a game with so many players, dealt by this seed."""
        self.open(folder, Trial(seats, seed))

    def _may_run(self, game_folder: GameFolder) -> bool:
        """Whether the game in the folder may run; its owner is asked if they haven't been yet."""
        try:
            catalogue.load(game_folder.id)
        except CodeNotAllowed as error:
            agreed_kit(self.context, self._window, error.entry)
        except BrokenGame as error:
            if not game_folder.can_run():  # nobody can be asked about a folder that can't be read
                self.context.tell(error.reason)
        return game_folder.can_run()

    def _begin(self, wanted: Beginning) -> None:
        assert self.screen is not None
        words = self.context.words
        try:
            name = game_folders.make_unused_id(wanted.title)
            beginning.begin(wanted.title, wanted.folder, wanted.template, wanted.seats, name)
            agreements.add_own_folder(wanted.folder)
        except (CannotBegin, StorageError) as error:
            self.screen.complain(words.reason(error.reason))
        else:
            hint = words(
                "This is your game. Its cards are in {file}: open it under “Files”, "
                "change a name and save to see the card change.",
                file=card_sheet.FILE,
            )
            self.open(wanted.folder, hint=hint)
