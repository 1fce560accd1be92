"""A path: one way to sit at a table, driven by the script of a match.

Only the subclasses of `TablePath` know how a table is reached. A path that is built in another way
gets another subclass; the script and the transcripts stay.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path

from tabletop.catalogue import catalogue
from tabletop.engine.model import AUDIENCE, Move
from tabletop.match.seat import ReactionSettings, Seat
from tests.characterisation.scenarios import Scenario
from tests.characterisation.scripted_bots import ScriptedBots
from tests.characterisation.transcript import Transcripts, follow_seat

MAX_WAIT_S = 60.0
"""Seconds after which a path that is waited for hangs."""


class Pauses:
    """Passes that wait for their pause. The script ends each pause once everything is at rest."""

    def __init__(self) -> None:
        self._waiting: list[tuple[int, Callable[[], None]]] = []

    def later(self, seat: int, act: Callable[[], None]) -> Callable[[], None]:
        """Have this done for a seat later; return the function that cancels it."""
        waiting = (seat, act)
        self._waiting.append(waiting)

        def cancel() -> None:
            if waiting in self._waiting:
                self._waiting.remove(waiting)

        return cancel

    def end_one(self) -> int | None:
        """End the pause of the first seat; return the seat, None if no pass waits."""
        if not self._waiting:
            return None
        seat, act = waiting = min(self._waiting, key=lambda each: each[0])
        self._waiting.remove(waiting)
        act()
        return seat


class TablePath(ABC):
    """One match on one path."""

    name: str

    def __init__(self, scenario: Scenario, folder: Path) -> None:
        """`folder`: for the files of the match."""
        self.scenario = scenario
        self.folder = folder
        self.kit = catalogue.load(scenario.game)
        self.options = catalogue.options(self.kit, scenario.options)
        self.transcripts = Transcripts()
        self.bots = ScriptedBots(self.transcripts["bots"])
        self.pauses = Pauses()
        self._followed: dict[int, Seat] = {}

    # What the script does

    @abstractmethod
    def begin(self) -> None:
        """Sit down everybody, and begin the match."""

    @abstractmethod
    def play(self, seat: int, move: Move) -> None:
        """Answer for a seat."""

    @abstractmethod
    def ask_undo(self, seat: int) -> None:
        """Take back the last move of a seat, or ask whether all agree to that."""

    @abstractmethod
    def redo(self, seat: int) -> None:
        """Play again what was taken back, if this path knows it."""

    @abstractmethod
    def concede(self, seat: int) -> None:
        """Concede for a seat, or ask whether all agree to end the match."""

    @abstractmethod
    def asked(self) -> bool:
        """Return whether people are asked now whether they agree to something."""

    @abstractmethod
    def answer(self, agree: bool) -> None:
        """Answer that for all who are asked: with "no" only the first does."""

    @abstractmethod
    def stand_in(self, seat: int, bot: bool) -> None:
        """Let a bot play at a person's seat, or the person again."""

    @abstractmethod
    def stop_and_resume(self) -> None:
        """Stop everything that runs, and continue from the disk."""

    @abstractmethod
    def settle(self) -> None:
        """Return once all consequences have happened, and everybody has heard of them."""

    @abstractmethod
    def close(self) -> None:
        """Leave the table, and end everything that runs."""

    # What it sees

    @property
    @abstractmethod
    def seats(self) -> Mapping[int, Seat]:
        """The seats of persons, as far as they play now."""

    @property
    @abstractmethod
    def audience(self) -> Seat:
        """The table as everybody may see it."""

    @property
    @abstractmethod
    def record(self) -> Path:
        """The file of the match; it is read only while the table is closed."""

    @property
    def over(self) -> bool:
        return self.audience.view.result is not None

    # Shared by the paths

    def follow(self, seat: Seat) -> None:
        """Write down what this seat is sent; each seat object once."""
        if self._followed.get(seat.number) is seat:
            return
        self._followed[seat.number] = seat
        name = "audience" if seat.number == AUDIENCE else f"seat {seat.number}"
        follow_seat(self.transcripts[name], seat)
        self.treat_reactions(seat)

    def treat_reactions(self, seat: Seat) -> None:
        """Let the player of this seat be asked for reactions as they wish."""
        if self.scenario.policies and seat.number != AUDIENCE:
            policy = self.scenario.policies[seat.number]
            seat.set_reactions(
                ReactionSettings(
                    self.kit.meaning,
                    lambda: policy,
                    lambda: 0,
                    lambda _, act: self.pauses.later(seat.number, act),
                )
            )
