"""The path of people who pass one screen on: who looks, and what the curtain hides from whom."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from unittest.mock import patch

from msgspec.structs import replace
from PySide6.QtWidgets import QWidget

from tabletop.engine.model import AUDIENCE
from tabletop.engine.scratch import Luck
from tabletop.match.match import Match
from tabletop.match.seat import Seat
from tests.characterisation.hot_seat import HotSeatPath
from tests.characterisation.scenarios import Scenario, player_name
from tests.characterisation.transcript import Transcript
from tests.characterisation.window_path import QUICK
from ui.match import reactions_here
from ui.match.curtain import Curtain
from ui.match.hand_over import HandOver
from ui.match.reactions_here import ReactionsHere

NEVER_MS = 10**8
"""A pause that doesn't end by itself while a match is played here."""
MAX_STEPS = 300
"""More hand-overs and reactions than one move brings about."""


class NotedScreen:
    """Stands for the table screen, and writes down what it is told to show and to hide."""

    def __init__(self, viewer: Transcript) -> None:
        self._viewer = viewer

    def leave(self) -> None: ...

    def wipe(self) -> None:
        self._viewer.add("wiped")

    def cover(self, covered: bool) -> None:
        self._viewer.add("covered", covered)

    def sit(self, seat: Seat) -> None:
        self._viewer.add("shown", seat.number)

    def refresh(self) -> None: ...

    def take_focus(self) -> None: ...


class OneScreenPath(HotSeatPath):
    name = "one screen"

    def __init__(self, scenario: Scenario, folder: Path) -> None:
        super().__init__(scenario, folder)
        wishes = scenario.policies or ("ask",) * len(scenario.people)
        policies = {player_name(seat): policy for seat, policy in enumerate(wishes)}
        self._context.settings = replace(QUICK, reactions=policies, reaction_pause=NEVER_MS)
        self._viewer = self.transcripts["viewer"]
        self._choices = 0

    def _sit_at(self, match: Match) -> None:
        self._parent = QWidget()
        self._parent.show()
        super()._sit_at(match)

    def prepare(self) -> None:
        here, context = self.here, self._context
        self._curtain = Curtain(context, self.kit, self._parent)
        self._reactions = ReactionsHere(context, here)
        screen = NotedScreen(self._viewer)
        self._hand_over = HandOver(context, here, self._reactions, self._curtain, screen)
        self._hand_over.called.connect(lambda waited: self._viewer.add("called", waited))

    def treat_reactions(self, seat: Seat) -> None: ...  # of who looks, by `ReactionsHere`

    @property
    def seats(self) -> Mapping[int, Seat]:
        """The seat of who looks: nobody else has anything to answer with."""
        looking = self.here.looking
        covered = self._hand_over.covered or self._hand_over.due
        return {} if covered or looking == AUDIENCE else {looking: self.here.seat(looking)}

    def begin(self) -> None:
        with self._held_pauses():
            super().begin()

    def stop_and_resume(self) -> None:
        with self._held_pauses():
            super().stop_and_resume()

    def settle(self) -> None:
        with self._held_pauses():
            for _ in range(MAX_STEPS):
                super().settle()
                self._note_viewer()
                if not self._pass_on():
                    return
        raise RuntimeError(f"{self.scenario.name}: the screen is passed on without end")

    @contextmanager
    def _held_pauses(self) -> Iterator[None]:
        """Let the script end the pauses of passes."""

        def later(_: int, act: Callable[[], None]) -> Callable[[], None]:
            assert isinstance(act, partial)  # of the seat's method
            return self.pauses.later(act.func.__self__.number, act)  # type: ignore[attr-defined]

        with patch.object(reactions_here, "_call_later", later):
            yield

    def _note_viewer(self) -> None:
        bar = self._reactions.bar
        self._viewer.add_once(
            "viewer",
            {
                "looking": self.here.looking,
                "following": self._reactions.following,
                "covered": self._hand_over.covered,
                "due": self._hand_over.due,
                "bar": bar,
                "regretting": self._reactions.regretting,
                "went_back": self.here.went_back,
                "offers": self.here.shown.offers if self.here.shown is not None else None,
                "story": self.here.story.acts if self.here.story is not None else None,
            },
        )

    def _pass_on(self) -> bool:
        """Do what people at one screen do besides answering; return whether there was anything."""
        bar, here, following = self._reactions.bar, self.here, self._reactions.following
        if self._hand_over.covered:
            self._curtain.opened.emit()
        elif self._hand_over.due:
            self._hand_over.begin()
        elif bar.asks and here.looking == (AUDIENCE if bar.stays else following):
            self._choices += 1
            luck = Luck(f"{self.scenario.name} reaction {self._choices}")
            seats = [ask.seat for ask in bar.asks]
            called = seats[luck.below(len(seats))] if luck.below(3) else None
            self._viewer.add("called_out", called)
            if called is None:
                self._reactions.pass_all()
            else:
                self._hand_over.call(called)
        else:
            return False
        return True

    def _look(self, seat: int) -> None: ...  # who acts looks already

    def _leave(self) -> None:
        self._hand_over.close()
        self._reactions.close()
        super()._leave()
        self._parent.close()
        self._parent.deleteLater()
        self.process_events()
