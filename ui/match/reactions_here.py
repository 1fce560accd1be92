"""Reactions of the people at this computer: the public question, who called, who passes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication, QObject, QTimer

from tabletop.engine.model import AUDIENCE, Ask, Move
from tabletop.engine.play import waits
from tabletop.match.hot_seat import ReactionBar, asks_at_once, make_bar, next_viewer, round_of
from tabletop.match.reactions import PASS, PassPolicy
from tabletop.match.seat import Reacting, Seat
from ui.match.seats_here import SeatsHere
from ui.shell.app_context import AppContext

ASKING = frozenset({"reaction", "reactions", "reaction_pause"})
"""The settings by which people are asked whether they react."""


class ReactionsHere(QObject):
    """The chances to react that people at this computer have at one table."""

    def __init__(self, context: AppContext, seats_here: SeatsHere) -> None:
        super().__init__()
        self._context = context
        self._seats_here = seats_here
        self.called: int | None = None
        """The player who has said that they react, until they have answered."""
        self._to_pass: list[Ask] = []
        self._bar: tuple[object, ReactionBar] | None = None
        """The bar, after what it was computed from."""
        self._closing = QTimer(self, singleShot=True)
        self._closing.timeout.connect(self.pass_all)
        context.changed.connect(self._note_changed)
        seats_here.received.connect(self._note_news)
        seats_here.refused.connect(self._give_up)

    @property
    def bar(self) -> ReactionBar:
        """The public question who reacts; empty where there is none."""
        here, players = self._seats_here, self._seats_here.players
        seats = [here.seat(seat) for seat in (AUDIENCE, *here.people)]
        seen = [(seat.view, seat.asked) for seat in seats]
        basis = (self._context.settings, players, here.looking, seen)
        if self._bar is None or self._bar[0] != basis:
            policies = [self.policy_of(seat) for seat in range(len(players))]
            reaction_bar = make_bar(here.kit, here.view, self._open_chances(), policies)
            self._bar = basis, reaction_bar
        return self._bar[1]

    def _open_chances(self) -> tuple[Ask, ...]:
        """The chances to react that people here have, all at once or one after the other."""
        here, view, people = self._seats_here, self._seats_here.view, self._seats_here.people
        whole = here.match.state if here.match is not None else view
        asked = {n: offers for seat in people for n, offers in here.seat(seat).asked.items()}
        return asks_at_once(view, people, asked) or round_of(here.kit, whole, people, here.looking)

    @property
    def following(self) -> int:
        """The player who must look now; the one who looks, where nobody else must."""
        here, bar, called = self._seats_here, self.bar, self.called
        if called is None and (bar.passed or (bar.asks and not bar.stays)):
            return here.looking
        reacting = tuple(ask.seat for ask in bar.asks)
        return next_viewer(here.view, here.people, here.looking, reacting, called)

    def treat(self, seat: Seat) -> None:
        """Treat the chances of the seat that looks as its player wishes."""
        if seat.number != AUDIENCE:
            policy = partial(self.policy_of, seat.number)
            meaning = self._seats_here.kit.meaning
            seat.react(Reacting(meaning, policy, lambda: self.pause, _call_later))

    @property
    def alone(self) -> bool:
        """Whether one person sits here among bots."""
        return sum(player.kind != "bot" for player in self._seats_here.players) == 1

    def policy_of(self, seat: int) -> PassPolicy:
        """The player's way of being asked for reactions."""
        return self._context.pass_policy(self._seats_here.players[seat].name, self.alone)

    @property
    def pause(self) -> int:
        """Milliseconds before a pass goes out that nobody was asked for: none where nobody is there
        who could read anything from it."""
        unseen = self.alone and self._seats_here.match is not None
        return 0 if unseen else self._context.settings.reaction_pause

    # Actions of people

    def call(self, seat: int) -> None:
        """This player reacts, and is to look next. Those who are asked before them pass."""
        self._closing.stop()
        before = [ask for ask in self.bar.asks if not ask.sealed]
        count = next((n for n, ask in enumerate(before) if ask.seat == seat), 0)
        self.called = seat
        self._pass_each(before[:count])

    def pass_all(self) -> None:
        """No one reacts: everybody here who is asked passes."""
        self._closing.stop()
        self._pass_each(self.bar.asks)

    def regret(self, seat: int) -> None:
        """This player takes back what they have answered, and is to look next."""
        if seat in self.regretting:
            self._seats_here.seat(seat).undo()
            self.called = seat

    @property
    def regretting(self) -> tuple[int, ...]:
        """The people who can still take back what they answered to the question on the bar."""
        asks, people = self.bar.asks, self._seats_here.people
        if any(ask.sealed for ask in asks):
            return tuple(seat for seat in people if waits(self._seats_here.view, seat))
        seat = self._passed_last() if asks else None  # before the next has answered
        return (seat,) if seat in people and self._seats_here.seat(seat).undoable else ()

    def _passed_last(self) -> int | None:
        """The seat whose pass was the last move of the match, where that is known here."""
        match = self._seats_here.match
        last = match.record[-1] if match is not None and match.record else None
        passed = last is not None and last.move is not None and last.move.verb == PASS
        return last.seat if last is not None and passed else None

    def _pass_each(self, asks: Sequence[Ask]) -> None:
        """Pass these one after the other; each is open by then, maybe under another number."""
        self._to_pass = list(asks)
        self._go_on()

    def _go_on(self) -> None:
        """Pass what is left to be passed and open by now."""
        while self._to_pass:
            ask = self._to_pass[0]
            seat = self._seats_here.seat(ask.seat)
            same = (a for a in seat.view.asks if a.id in seat.asked and a.what == ask.what)
            ask_now = next(same, None)
            if seat.pending is not None or (ask_now is None and self._waits):
                return  # until there is news of it
            if ask_now is None:
                self._to_pass = []
                return
            del self._to_pass[0]
            seat.send(Move(ask_now.id, PASS))

    @property
    def _waits(self) -> bool:
        """Whether an answer of somebody here is pending."""
        return any(
            self._seats_here.seat(seat).pending is not None for seat in self._seats_here.people
        )

    def _give_up(self) -> None:
        """Pass nothing more: something was refused."""
        self._to_pass = []

    # Timers

    def keep(self, moving: bool) -> None:
        """Pass for those who wish not to be asked; let a bar that nobody waits for go by itself,
        though not while something is `moving`."""
        bar = self.bar
        if self.called is not None or moving or self._to_pass:
            self._closing.stop()
        elif bar.passed:
            self._pass_each(bar.passed)
        elif not bar.asks or bar.stays:
            self._closing.stop()
        elif not self._closing.isActive():
            self._closing.start(self._context.settings.reaction_pause)

    def _stop_closing(self) -> None:
        """Let no bar go by itself any more, until it is kept again."""
        self._closing.stop()
        self._give_up()

    def close(self) -> None:
        """Leave the table: nobody is asked any more."""
        self._stop_closing()
        self._context.changed.disconnect(self._note_changed)

    def _note_changed(self, changed: frozenset[str]) -> None:
        """Ask open questions again once a setting has changed that affects the way a player is
        asked."""
        if changed & ASKING:
            self._stop_closing()
            if self._seats_here.shown is not None:
                self._seats_here.shown.reconsider()
            self._seats_here.go_on()

    def _note_news(self) -> None:
        """Something happened: a player who called has answered, or is not asked any more."""
        self._closing.stop()
        self._go_on()
        here = self._seats_here
        looks = self.called == here.looking and bool(here.seat(here.looking).asked)
        if not looks and self.called not in [ask.seat for ask in self.bar.asks]:
            self.called = None


def _call_later(milliseconds: int, act: Callable[[], None]) -> Callable[[], None]:
    """Do something after a while, from Qt's loop; returns the way to cancel it."""
    program = QCoreApplication.instance()
    clock = QTimer(program, singleShot=True)  # Qt's: it must not be deleted while it fires
    clock.timeout.connect(act)
    clock.timeout.connect(clock.deleteLater)
    clock.start(milliseconds)

    def give_up() -> None:
        clock.stop()
        clock.deleteLater()

    return give_up
