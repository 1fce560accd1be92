"""The path of people who pass one screen on: who looks, and what the curtain hides from whom."""

from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from tabletop.engine.scratch import FastRng
from tabletop.match.seat import Seat
from tests.characterisation.hot_seat import HotSeatPath
from tests.characterisation.people_here import PeopleAtOneScreen
from tests.characterisation.scenarios import Scenario, player_name
from tests.characterisation.window_path import QUICK
from ui.match.seated_table import SeatedTable

NEVER_MS = 10**8
"""A pause that doesn't end by itself while a match is played here."""
MAX_STEPS = 300
"""More hand-overs and reactions than one move brings about."""


class OneScreenPath(HotSeatPath):
    name = "one screen"
    here: PeopleAtOneScreen

    def __init__(self, scenario: Scenario, folder: Path) -> None:
        super().__init__(scenario, folder)
        wishes = scenario.policies or ("ask",) * len(scenario.people)
        policies = {player_name(seat): policy for seat, policy in enumerate(wishes)}
        self._context.settings = replace(QUICK, reactions=policies, reaction_pause=NEVER_MS)
        self._viewer = self.transcripts["viewer"]
        self._choices = 0

    def _people_at(self, table: SeatedTable) -> PeopleAtOneScreen:
        return PeopleAtOneScreen(table, self._context, self._viewer, self.pauses.later)

    def treat_reactions(self, seat: Seat) -> None: ...  # of who looks, by the window

    @property
    def seats(self) -> Mapping[int, Seat]:
        """The seat of who looks: nobody else has anything to answer with."""
        looking = self.here.looking
        return {} if looking is None else {looking: self.here.seat(looking)}

    def settle(self) -> None:
        for _ in range(MAX_STEPS):
            super().settle()
            self.here.note_viewer()
            if not self._pass_on():
                return
        raise RuntimeError(f"{self.scenario.name}: the screen is passed on without end")

    def _pass_on(self) -> bool:
        """Do what people at one screen do besides answering; return whether there was anything."""
        here = self.here
        if here.hand_over():
            return True
        reactions = here.reactions
        if not reactions.is_asked_now:
            return False
        self._choices += 1
        luck = FastRng(f"{self.scenario.name} reaction {self._choices}")
        seats = [ask.seat for ask in reactions.asks]
        called = seats[luck.below(len(seats))] if luck.below(3) else None
        self._viewer.add("called_out", called)
        if called is None:
            here.pass_all()
        else:
            here.call(called)
        return True
