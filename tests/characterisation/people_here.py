"""The people of one window: their seats, who of them looks, and what its curtain hides.

Only this module knows the classes by which a window does that.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from unittest.mock import patch

from msgspec import Struct
from PySide6.QtWidgets import QWidget

from tabletop.engine.model import AUDIENCE, Ask, State
from tabletop.match.seat import Seat
from tests.characterisation.transcript import Transcript
from ui.match import reactions_here
from ui.match.consent_question import ConsentQuestion
from ui.match.curtain import Curtain
from ui.match.hand_over import HandOver
from ui.match.reactions_here import ReactionsHere
from ui.match.seated_table import SeatedTable
from ui.match.seats_here import SeatsHere
from ui.shell.app_context import AppContext


class PeopleHere:
    """The seats of a window at one table, without a screen: all that happens counts as seen."""

    def __init__(self, table: SeatedTable) -> None:
        self.table = table
        self._here = SeatsHere(table, open_table=False)
        self.consent = ConsentQuestion(self._here)
        """The question that the window asks all its people."""

    def begin(self) -> None:
        self._here.begin()

    def close(self) -> None:
        self._here.close()

    @property
    def people(self) -> tuple[int, ...]:
        return self._here.people

    @property
    def view(self) -> State:
        return self._here.view

    def seat(self, viewer: int) -> Seat:
        return self._here.seat(viewer)

    def look(self, viewer: int) -> None:
        self._here.look(viewer)

    def redo(self) -> None:
        self._here.redo()

    def see_all(self) -> bool:
        """Let who looks see all that happened; return whether nothing is left to be passed on."""
        self._here.settle()
        return not self._here._coming and not self._here.moving


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


class Reactions(Struct, frozen=True):
    """The public question who reacts."""

    asks: tuple[Ask, ...]
    is_asked_now: bool
    """Whether people at the screen are to answer it."""


class PeopleAtOneScreen(PeopleHere):
    """People who pass one screen on, with its curtain."""

    def __init__(self, table: SeatedTable, context: AppContext, viewer: Transcript) -> None:
        super().__init__(table)
        here = self._here
        self._viewer = viewer
        self._parent = QWidget()
        self._parent.show()
        self._curtain = Curtain(context, table.kit, self._parent)
        self._reactions = ReactionsHere(context, here)
        self._hand_over = HandOver(
            context, here, self._reactions, self._curtain, NotedScreen(viewer)
        )
        self._hand_over.called.connect(lambda waited: viewer.add("called", waited))

    def close(self) -> None:
        self._hand_over.close()
        self._reactions.close()
        super().close()
        self._parent.close()
        self._parent.deleteLater()

    @property
    def looking(self) -> int | None:
        """The seat that may answer; None while nobody looks, or somebody else must look next."""
        covered = self._hand_over.covered or self._hand_over.due
        return None if covered or self._here.looking == AUDIENCE else self._here.looking

    @property
    def reactions(self) -> Reactions:
        bar, following = self._reactions.bar, self._reactions.following
        looks = self._here.looking == (AUDIENCE if bar.stays else following)
        return Reactions(bar.asks, bool(bar.asks) and looks)

    def note_viewer(self) -> None:
        """Write down who looks, and what they are shown and asked."""
        here = self._here
        self._viewer.add_once(
            "viewer",
            {
                "looking": here.looking,
                "following": self._reactions.following,
                "covered": self._hand_over.covered,
                "due": self._hand_over.due,
                "bar": self._reactions.bar,
                "regretting": self._reactions.regretting,
                "went_back": here.went_back,
                "offers": here.shown.offers if here.shown is not None else None,
                "story": here.story.acts if here.story is not None else None,
            },
        )

    def hand_over(self) -> bool:
        """Open the curtain, or draw it for the next; return whether there was anything to do."""
        if self._hand_over.covered:
            self._curtain.opened.emit()
        elif self._hand_over.due:
            self._hand_over.begin()
        else:
            return False
        return True

    def call(self, seat: int) -> None:
        """This player says that they react."""
        self._hand_over.call(seat)

    def pass_all(self) -> None:
        self._reactions.pass_all()


@contextmanager
def held_pauses(later: Callable[[int, Callable[[], None]], Callable[[], None]]) -> Iterator[None]:
    """Have `later` called with the seat and the pass when a pass waits for its pause."""

    def hold(_: int, act: Callable[[], None]) -> Callable[[], None]:
        assert isinstance(act, partial)  # of the seat's method
        return later(act.func.__self__.number, act)  # type: ignore[attr-defined]

    with patch.object(reactions_here, "_call_later", hold):
        yield
