"""The common part of the paths in a window: Qt's events, and what a window knows of its seats."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from time import monotonic, sleep

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from tabletop.engine.model import AUDIENCE, Move
from tabletop.language.table_status import status_at
from tabletop.match.seat import Seat
from tabletop.storage.settings import Settings
from tests.characterisation.people_here import PeopleHere
from tests.characterisation.scenarios import Scenario
from tests.characterisation.table_path import MAX_WAIT_S, TablePath
from ui.shell.app_context import AppContext

QUICK = Settings(language="en", animation="off", bot_pause=0)
LOOKS_S = 0.0005
"""Seconds between two looks at what is waited for."""


@cache
def context() -> AppContext:
    """Return the context of all windows of this process."""
    program = QApplication.instance() or QApplication([])
    made = AppContext(QUICK)
    made.setParent(program)
    return made


class WindowPath(TablePath):
    """A match in a window, whose people sit at this computer."""

    here: PeopleHere

    def __init__(self, scenario: Scenario, folder: Path) -> None:
        super().__init__(scenario, folder)
        self._context = context()
        self._context.settings = QUICK

    @property
    def seats(self) -> Mapping[int, Seat]:
        return {seat: self.here.seat(seat) for seat in self.here.people}

    @property
    def audience(self) -> Seat:
        return self.here.seat(AUDIENCE)

    def sit(self, here: PeopleHere) -> None:
        """Sit at these seats from now on."""
        self.here = here
        for seat in (AUDIENCE, *here.people):
            self.follow(here.seat(seat))
        here.begin()

    def play(self, seat: int, move: Move) -> None:
        self.here.seat(seat).send(move)

    def ask_undo(self, seat: int) -> None:
        # as `TableScreen.undo`
        if self.here.seat(seat).undoable:
            self.here.seat(seat).undo()
        elif self._can_agree():
            self.here.look(seat)
            self.here.consent.ask("take back")
        else:  # the window offers nothing here; a phone's or a guest's request would be refused
            self.here.seat(seat).undo()

    def _can_agree(self) -> bool:
        table = self.here.table
        words, people = self._context.words, table.record.table_people
        return status_at(words, table.kit, people, self.audience, public=table.view).can_agree

    def redo(self, seat: int) -> None:
        self.here.seat(seat).redo()

    def settle(self) -> None:
        while True:
            self._rest()
            for seat in self.here.people:  # also one whose person is back
                self.follow(self.here.seat(seat))
            if self.pauses.end_one() is None:
                break
        self.transcripts["window"].add_once(
            "window",
            {
                "people": self.here.people,
                "can_agree": self._can_agree(),
                "redo": {seat: self.here.seat(seat).redoable for seat in self.here.people},
                "question": self.asked(),
            },
        )

    @abstractmethod
    def _rest(self) -> None:
        """Return once nothing happens any more."""

    def wait_until(self, is_true: Callable[[], object]) -> None:
        hangs = monotonic() + MAX_WAIT_S
        while not is_true():
            if monotonic() > hangs:
                raise TimeoutError(f"{self.name}: {self.scenario.name}")
            self.process_events()
            sleep(LOOKS_S)

    @staticmethod
    def process_events() -> None:
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
