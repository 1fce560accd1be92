"""The people of one window: their seats, who of them looks, and what its curtain hides.

Only this module knows the classes by which a window does that.
"""

from collections.abc import Callable
from functools import partial
from unittest.mock import patch

from msgspec import Struct
from PySide6.QtWidgets import QWidget

from tabletop.engine.model import AUDIENCE, Ask, State
from tabletop.match.seat import Seat, StartTimer
from tabletop.match.story import PlayerAct
from tabletop.match.viewer_switch import COVERED, ViewerSwitch
from tests.characterisation.transcript import Transcript
from ui.match import hot_seat
from ui.match.consent_question import ConsentQuestion
from ui.match.curtain import Curtain
from ui.match.hot_seat import HotSeat
from ui.match.seated_table import SeatedTable
from ui.shell.app_context import AppContext

PauseLater = Callable[[int, Callable[[], None]], Callable[[], None]]
"""Keeps what a seat does after a pause, and returns the function that cancels it."""


class EverybodyLooks:
    """Stands for the viewer switch of people who need no screen: who acts looks."""

    def __init__(self, table: SeatedTable) -> None:
        self._table = table
        self.active_viewer = AUDIENCE

    @property
    def shown_seat(self) -> Seat:
        return self._table.seat(self.active_viewer)


class PeopleHere:
    """The people of a window at one table, without a screen."""

    def __init__(self, table: SeatedTable) -> None:
        self.table = table
        self._looks = EverybodyLooks(table)
        self.consent = ConsentQuestion(table, self._looks)  # type: ignore[arg-type]
        """The question that the window asks all its people."""

    def begin(self) -> None: ...

    def close(self) -> None:
        self.table.close()

    @property
    def people(self) -> tuple[int, ...]:
        return self.table.people

    @property
    def view(self) -> State:
        return self.table.view

    def seat(self, viewer: int) -> Seat:
        return self.table.seat(viewer)

    def look(self, viewer: int) -> None:
        """Let this player look, who acts next."""
        self._looks.active_viewer = viewer

    def see_all(self) -> bool:
        """Let who looks see all that happened; return whether nothing is left to be passed on."""
        return True


class NotedScreen:
    """Stands for the table screen, and writes down what it is told to show and to hide."""

    def __init__(self, viewer: Transcript) -> None:
        self._viewer = viewer

    def clear_table(self) -> None: ...

    def clear_private_content(self) -> None:
        self._viewer.add("wiped")

    def set_covered(self, covered: bool) -> None:
        self._viewer.add("covered", covered)

    def show_seat(self, seat: Seat) -> None:
        self._viewer.add("shown", seat.number)

    def refresh(self) -> None: ...

    def focus_table(self) -> None: ...


class Reactions(Struct, frozen=True):
    """The public question who reacts."""

    asks: tuple[Ask, ...]
    is_asked_now: bool
    """Whether people at the screen are to answer it."""


def _recorded_act(act: PlayerAct) -> dict[str, object]:
    """Return an act by the names of its fields when the digests were recorded."""
    names = {"concerns_viewer": "concerns", "first_update": "first", "last_update": "last"}
    return {names.get(name, name): getattr(act, name) for name in act.__struct_fields__}


class PeopleAtOneScreen(PeopleHere):
    """People who pass one screen on, with its curtain."""

    def __init__(
        self, table: SeatedTable, context: AppContext, viewer: Transcript, later: PauseLater
    ) -> None:
        super().__init__(table)
        self._viewer = viewer
        self._parent = QWidget()
        self._parent.show()
        self._curtain = Curtain(context, table.kit, self._parent)
        with patch.object(hot_seat, "_cancellable_call", _held_pauses(later)):
            self._hot_seat = HotSeat(context, table, self._curtain, NotedScreen(viewer))
        self._switch: ViewerSwitch = self._hot_seat.switch
        self._hot_seat.viewer_asked.connect(lambda waited: viewer.add("called", waited))
        self.consent = ConsentQuestion(table, self._switch)

    def begin(self) -> None:
        self._switch.start()

    def close(self) -> None:
        self._hot_seat.close()
        self._parent.close()
        self._parent.deleteLater()

    def look(self, viewer: int) -> None: ...  # who acts looks already

    def see_all(self) -> bool:
        self._switch.on_animation_finished()
        return not self._switch._scheduled and not self._switch.is_animating

    @property
    def looking(self) -> int | None:
        """The seat that may answer; None while nobody looks, or somebody else must look next."""
        switch = self._switch
        closed = self._covered or switch.decision.handover_due or switch.active_viewer == AUDIENCE
        return None if closed else switch.active_viewer

    @property
    def _covered(self) -> bool:
        return self._switch.state in COVERED

    @property
    def reactions(self) -> Reactions:
        bar, following = self._switch.decision.bar, self._switch.decision.following
        looks = self._switch.active_viewer == (AUDIENCE if bar.stays else following)
        return Reactions(bar.asks, bool(bar.asks) and looks)

    def note_viewer(self) -> None:
        """Write down who looks, and what they are shown and asked."""
        switch, standing = self._switch, self._switch.decision
        self._viewer.add_once(
            "viewer",
            {
                "looking": switch.active_viewer,
                "following": standing.following,
                "covered": self._covered,
                "due": standing.handover_due,
                "bar": standing.bar,
                "regretting": standing.can_undo,
                "went_back": switch.went_back,
                "offers": switch.shown_seat.offers if switch.shown_seat is not None else None,
                "story": [
                    _recorded_act(act) for act in self.table.story(switch.active_viewer).acts
                ],
            },
        )

    def hand_over(self) -> bool:
        """Open the curtain, or draw it for the next; return whether there was anything to do."""
        if self._covered:
            self._curtain.opened.emit()
        elif self._switch.decision.handover_due:
            self._switch.hand_over()
        else:
            return False
        return True

    def call(self, seat: int) -> None:
        """This player says that they react."""
        self._switch.call_player(seat)

    def pass_all(self) -> None:
        self._switch.pass_all()


def _held_pauses(later: PauseLater) -> StartTimer:
    """Return a clock that keeps the passes of seats; a bar never closes by itself."""

    def hold(_: int, act: Callable[[], None]) -> Callable[[], None]:
        if isinstance(act, partial):  # of the seat's method
            return later(act.func.__self__.number, act)  # type: ignore[attr-defined]
        return lambda: None

    return hold
