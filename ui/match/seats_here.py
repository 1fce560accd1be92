"""Who at this computer looks at a table, and who must look next.

It knows no more of its table (`seating`) than what the seats at this computer are told.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer, Signal

from tabletop.engine.events import Said
from tabletop.engine.model import AUDIENCE, Ask, Move, State
from tabletop.engine.play import Illegal, waits
from tabletop.language.words import Words
from tabletop.match.link import Link
from tabletop.match.match import Match, Player, Reset, Update
from tabletop.match.reactions import PASS, Attendant, Way, has_chances
from ui.match.hot_seat import (
    ReactionBar,
    bar,
    needs_curtain,
    next_viewer,
    round_of,
    waiting,
    window,
)
from ui.match.seating import Seating
from ui.match.table_status import TableStatus
from ui.shell.app_context import AppContext

ASKING = frozenset({"reaction", "reactions", "reaction_pause"})
"""The settings by which people are asked whether they react."""


class SeatsHere(QObject):
    """The people of this computer at one table."""

    told = Signal()
    """Everybody here was told what happened; who looks may still see it move."""
    settled = Signal()
    """Everybody was told, and nothing moves before who looks: once for all that happened. What
    goes on at a table goes on from here."""
    _came = Signal()

    def __init__(self, context: AppContext, seating: Seating, open_table: bool = False) -> None:
        """`open_table`: one person plays all seats here, so nothing hides from anybody."""
        super().__init__()
        self._open_table = open_table
        self.context = context
        self.seating = seating
        self.kit = seating.kit
        self.looking = AUDIENCE
        self.link: Attendant | None = None
        self._heard = dict.fromkeys(range(len(seating.players)), 0)
        self._looked: set[int] = set()
        """Who has looked already."""
        self._called: int | None = None
        """Who has said that she reacts, until she has answered."""
        self._bar: tuple[State, object, ReactionBar] | None = None
        """The bar, after what it was worked out from."""
        self._closing = QTimer(self)
        self._closing.setSingleShot(True)
        self._closing.timeout.connect(self.pass_all)
        context.changed.connect(self._note_changed)
        self._links: dict[int, Link] = {}
        self.moving = False
        """Whether who looks does not see yet all that happened."""
        self._untold = False
        """Whether something happened that not everybody here has been told."""
        self._coming = False
        """Whether `_go_on` is under way."""
        self._closed = False
        self._came.connect(self._go_on, Qt.ConnectionType.QueuedConnection)
        for viewer in (AUDIENCE, *self.people):
            self._open(viewer)

    @property
    def match(self) -> Match | None:
        """The match, where it is played in this process."""
        return self.seating.match

    @property
    def file(self) -> Path | None:
        """Where the match is recorded here; None where it is not."""
        return self.seating.file

    @property
    def view(self) -> State:
        """The table as it lies open to everybody."""
        return self._open(AUDIENCE).view

    @property
    def log(self) -> tuple[Said, ...]:
        """All that everybody could hear."""
        return tuple(self._open(AUDIENCE).log)

    @property
    def players(self) -> tuple[Player, ...]:
        return self.seating.players

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of persons at this computer."""
        return self.seating.people

    @property
    def over(self) -> bool:
        return self.view.result is not None

    @property
    def following(self) -> int:
        """Who must look now; the one who looks, where nobody else must."""
        bar, called = self.bar, self._called
        if called is None and (bar.passed or (bar.asks and not bar.stays)):
            return self.looking
        reacting = tuple(ask.seat for ask in bar.asks)
        return next_viewer(self.view, self.people, self.looking, reacting, called)

    @property
    def reacting(self) -> tuple[Ask, ...]:
        """What people here are asked in public: whether they react."""
        return self.bar.asks

    @property
    def bar(self) -> ReactionBar:
        """The public question who reacts; empty where there is none."""
        view, ways = self.view, [self.way(seat) for seat in range(len(self.players))]
        open_ = {number for seat in self.people for number in self._open(seat).offers}
        basis = (self.looking, ways, open_)
        if self._bar is None or self._bar[0] is not view or self._bar[1] != basis:
            self._bar = view, basis, bar(self.kit, view, self._asked(), ways)
        return self._bar[2]

    def _asked(self) -> tuple[Ask, ...]:
        """The chances to react that people here have, all at once or one after the other."""
        offers = {
            number: offered
            for seat in self.people
            for number, offered in self._open(seat).offers.items()
        }
        whole = self.match.state if self.match is not None else self.view
        return window(self.view, self.people, offers) or round_of(
            self.kit, whole, self.people, self.looking
        )

    @property
    def alone(self) -> bool:
        """Whether one person sits here among bots."""
        return sum(player.kind != "bot" for player in self.players) == 1

    @property
    def reaction_pause(self) -> int:
        """Milliseconds before a pass goes out that nobody was asked for: none where nobody is there
        who could read anything from it."""
        unseen = self.alone and self.match is not None
        return 0 if unseen else self.context.settings.reaction_pause

    def way(self, seat: int) -> Way:
        """How this player wishes to be asked for reactions."""
        return self.context.way(self.players[seat].name, self.alone)

    @property
    def has_chances(self) -> bool:
        """Whether this game has chances to react."""
        return has_chances(self.kit.meaning)

    @property
    def regretting(self) -> tuple[int, ...]:
        """The people who can still take back what they answered to the question on the bar."""
        asks = self.bar.asks
        if any(ask.sealed for ask in asks):
            return tuple(seat for seat in self.people if waits(self.view, seat))
        seat = self._passed_last() if asks else None  # before the next has answered
        return (seat,) if seat in self.people and self._open(seat).undoable else ()

    def _passed_last(self) -> int | None:
        """Whose pass was the last move of the match, where that is known here."""
        last = self.match.record[-1] if self.match is not None and self.match.record else None
        passed = last is not None and last.move is not None and last.move.verb == PASS
        return last.seat if last is not None and passed else None

    @property
    def name(self) -> str:
        """Who looks."""
        return self.players[self.looking].name if self.looking != AUDIENCE else ""

    def status(self, words: Words) -> TableStatus:
        """How the table stands for who looks, as far as her seat tells; `words` are the table's."""
        link = self.link
        return TableStatus(
            words=words,
            kit=self.kit,
            players=self.players,
            people=self.people,
            view=link.view if link is not None else self.view,
            offers=link.offers if link is not None else {},
            looking=self.looking,
            following=self.following,
            waiting=waiting(self.view),
            bar=self.bar,
            regretting=self.regretting,
            reaction_pause=self.context.settings.reaction_pause,
            agreeing=self.agreeing,
            local=self.match is not None,
            over=self.over,
            moving=self.moving,
            hurried=self.seating.hurried,
            passing=link is not None and link.passing,
            can_undo=self.can_undo,
            can_agree=self.can_agree,
            can_redo=self.can_redo,
            has_chances=self.has_chances,
        )

    def hides(self, following: int) -> bool:
        """Whether the curtain must fall before this viewer looks."""
        if self._open_table:
            return False
        views = {seat: self._open(seat).view for seat in self.people}
        return needs_curtain(views, self.looking, following)

    def look(self, viewer: int) -> Attendant:
        """Let this viewer look: gives the link for the scene."""
        self.look_away()
        self.looking = viewer
        self._looked.add(viewer)
        self.link = self.attend(viewer)
        self.link.on_update(self._note_moving)
        self._note_heard(viewer)
        return self.link

    def attend(self, viewer: int) -> Attendant:
        """A link of its own for this viewer's table, to be closed by whoever shows it."""
        return Attendant(
            self._open(viewer),
            self.kit.meaning,
            lambda: self.way(viewer) if viewer != AUDIENCE else "ask",
            lambda: self.reaction_pause,
            later,
            self.players,
        )

    def look_away(self) -> None:
        """Nobody looks any more; who looked hears nothing more."""
        if self.link is not None:
            self._note_heard(self.looking)
            self.link.close()
            self.link = None
        self.looking = AUDIENCE
        self.settle()

    def call(self, seat: int) -> None:
        """This player reacts, and is to look next. Whoever is asked before her passes."""
        self._closing.stop()
        before = [ask for ask in self.bar.asks if not ask.sealed]
        count = next((n for n, ask in enumerate(before) if ask.seat == seat), 0)
        self._called = seat
        self._pass(before[:count])

    def pass_all(self) -> None:
        """No one reacts: everybody here who is asked passes."""
        self._closing.stop()
        self._pass(self.bar.asks)

    def regret(self, seat: int) -> None:
        """This player takes back what she has answered, and is to look next."""
        if seat in self.regretting:
            self.seating.undo(seat)
            self._called = seat

    def _pass(self, asks: Sequence[Ask]) -> None:
        """Pass these one after the other; each is open by then, under whatever number."""
        with suppress(Illegal):  # said already by the table
            for ask in asks:
                link = self._open(ask.seat)
                same = (a for a in link.view.asks if a.id in link.offers and a.what == ask.what)
                found = next(same, None)
                if found is None or self.seating.under_way(ask.seat):
                    return
                link.send(Move(found.id, PASS))

    def keep_bar(self) -> None:
        """Pass for those who wish not to be asked; let a bar that nobody waits for go by itself."""
        bar = self.bar
        if self._called is not None or self.moving:
            self._closing.stop()
        elif bar.passed:
            self._pass(bar.passed)
        elif not bar.asks or bar.stays:
            self._closing.stop()
        elif not self._closing.isActive():
            self._closing.start(self.context.settings.reaction_pause)

    def _note_changed(self, changed: frozenset[str]) -> None:
        """Where somebody wishes to be asked in another way, what is open is asked anew."""
        if not changed & ASKING:
            return
        self._closing.stop()
        if self.link is not None:
            self.link.reconsider()
        self._come()

    def concede(self) -> None:
        """Who looks gives the match up."""
        self.seating.concede(self.looking)

    def has_looked(self, viewer: int) -> bool:
        """Whether this viewer has looked at the table before."""
        return viewer in self._looked

    def since(self, viewer: int) -> tuple[Said, ...]:
        """What everybody could hear since this viewer last looked."""
        return self.log[self._heard.get(viewer, 0) :]

    # Taking back, and playing again what was taken back

    @property
    def can_undo(self) -> bool:
        """Whether who looks may take the last move back alone."""
        return self.link is not None and self.looking != AUDIENCE and self.link.undoable

    @property
    def can_agree(self) -> bool:
        """Whether there is a move to take back, if all agree."""
        return self.seating.can_agree

    @property
    def agreeing(self) -> tuple[str, ...]:
        """The players that must agree before a move is taken back further than one may alone."""
        return self.seating.agreeing

    @property
    def can_redo(self) -> bool:
        """Whether a move that was taken back can be played again."""
        return self.seating.can_redo(self.looking)

    def undo(self) -> None:
        """Take the viewer's own last move back."""
        if self.can_undo:
            self.seating.undo(self.looking)

    def agree(self) -> None:
        """All agree to take the last move back."""
        self.seating.agree(self.looking)

    def redo(self) -> None:
        """Play again what was taken back last."""
        if self.can_redo:
            self.seating.redo(self.looking)

    def close(self) -> None:
        """Leave the table: everything that is told to anybody here ends."""
        self._closed = True
        self._closing.stop()
        self.context.changed.disconnect(self._note_changed)
        self.look_away()
        for link in self._links.values():
            link.close()
        self.seating.close()

    def _open(self, viewer: int) -> Link:
        """The link of who may look here, heard from the first time it is wanted."""
        if viewer not in self._links:
            self._links[viewer] = self.seating.link(viewer)
            self._links[viewer].on_update(self._hear)
        return self._links[viewer]

    # What happens at the table, and how it comes to who looks

    def begin(self) -> None:
        """Everybody sits: the first one may look."""
        self._go_on()

    def settle(self) -> None:
        """Who looks sees the table as it is told to her."""
        if self.moving:
            self.moving = False
            self._come()

    def _hear(self, message: Update | Reset) -> None:
        self._untold = True
        self._come()

    def _note_moving(self, message: Update | Reset) -> None:
        self.moving = True

    def _come(self) -> None:
        if not self._coming:
            self._coming = True
            self._came.emit()

    def _go_on(self) -> None:
        """Pass on what happened once every seat here has it, and go on once it has been seen."""
        self._coming = False
        if self._closed or len({link.view.ply for link in self._links.values()}) > 1:
            return
        if self._untold:
            self._untold = False
            self._forget_called()
            self._closing.stop()
            self._note_heard(self.looking)
            self.told.emit()
        if not self.moving:
            self.settled.emit()
        self.seating.rest(not self.moving)

    def _forget_called(self) -> None:
        """Who said that she reacts has answered, or is not asked any more."""
        looks = self._called == self.looking and bool(self._open(self.looking).offers)
        if not looks and self._called not in [ask.seat for ask in self.reacting]:
            self._called = None

    def _note_heard(self, viewer: int) -> None:
        if viewer in self._heard:
            self._heard[viewer] = len(self.log)


def later(milliseconds: int, act: Callable[[], None]) -> Callable[[], None]:
    """Do something after a while, from Qt's loop; gives the way to give it up before."""
    clock = QTimer(QCoreApplication.instance())  # not ours: it may not go while it is ringing
    clock.setSingleShot(True)
    clock.timeout.connect(act)
    clock.timeout.connect(clock.deleteLater)
    clock.start(milliseconds)

    def give_up() -> None:
        clock.stop()
        clock.deleteLater()

    return give_up
