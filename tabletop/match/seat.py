"""A seat: one chair at one table, whoever sits in it, and wherever the table is.

An answer is given, is pending, and comes back as news or as a refusal; nothing else can be done
meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol

from msgspec import UNSET, Struct

from tabletop.engine.events import Said, fold
from tabletop.engine.model import AUDIENCE, Move, Offer, Preview, Reason, State
from tabletop.engine.play import Illegal
from tabletop.engine.refusals import ALREADY_ANSWERED, NOT_ASKED, NOT_OFFERED
from tabletop.match.listeners import Listeners
from tabletop.match.match import Player, Reset, Update
from tabletop.match.reactions import ASKED, PASS, PassPolicy, ReactionHandling, is_chance, treatment

if TYPE_CHECKING:
    from tabletop.games.game_semantics import GameSemantics

WATCHED = Reason("This is a replay: you can't play in it.")

Later = Callable[[int, Callable[[], None]], Callable[[], None]]
"""Runs a call after a number of milliseconds; returns the function that cancels it."""


class Authority(Protocol):
    """The decider on a seat's answers: a match in this process, a host, or nobody.

    What it accepts comes to the seat as news (`Seat.take`), at once or later. It refuses by an
    `Illegal`, or later by `Seat.refuse`.
    """

    def submit(self, seat: int, move: Move) -> None:
        """Play an answer of this seat."""

    def undo(self, seat: int) -> None:
        """Take this seat's last move back."""

    def concede(self, seat: int) -> None:
        """Give the match up for this seat."""

    def why(self, seat: int, ask: int, card: int, to: str = "") -> Reason | None:
        """Why this card can't go there (or, with no place, anywhere) now."""

    def preview(self, seat: int, move: Move) -> Preview | None:
        """Return the visible effect of an offered move, or of an unfinished one."""


class SharedTable(Authority, Protocol):
    """An authority that sends its news itself: a match in this process."""

    @property
    def players(self) -> tuple[Player, ...]: ...

    def reset(self, viewer: int) -> Reset:
        """The whole table for this viewer."""
        ...

    def listen(self, viewer: int, listener: Callable[[Update | Reset], None]) -> Callable[[], None]:
        """Send this listener all of the viewer's updates; return the function that stops it."""
        ...


class OnlyWatched:
    """The authority of a table that is only watched."""

    def submit(self, seat: int, move: Move) -> None:
        raise Illegal(WATCHED)

    def undo(self, seat: int) -> None:
        raise Illegal(WATCHED)

    def concede(self, seat: int) -> None:
        raise Illegal(WATCHED)

    def why(self, seat: int, ask: int, card: int, to: str = "") -> Reason | None:
        return WATCHED

    def preview(self, seat: int, move: Move) -> Preview | None:
        return None


class ReactionSettings(Struct, frozen=True):
    """How the chances to react of a seat are treated, as its player wishes."""

    meaning: GameSemantics
    policy: Callable[[], PassPolicy]
    pause: Callable[[], int]
    """Milliseconds in which nobody can tell an answer from a pass."""
    later: Later


class Seat:
    """One seat of a table, or its audience: a view, a log, offers, and at most one answer that is
    on its way."""

    def __init__(
        self,
        number: int,
        players: Sequence[Player],
        shown: Reset,
        authority: Authority | None = None,
    ) -> None:
        """`authority` None: the table is only watched.

        Raises:
            ValueError: what is shown can't be a table of this seat.
        """
        self.number = number
        """The seat's number at its table; AUDIENCE for the audience's."""
        self.players = tuple(players)
        self.authority = authority or OnlyWatched()
        self.view = self._check_view(shown.view)
        self.log = list(shown.log)
        self.asked = shown.offers
        """The offers of each open question to this seat, by the ask's number."""
        self.undoable = shown.undoable
        self.redoable = shown.redo if isinstance(shown.redo, Move) else None
        """The own move that was undone last and can be played again."""
        self.pending: Move | None = None
        """The answer that is on its way: nothing else can be done before it has come back."""
        self._reacting: ReactionSettings | None = None
        self._treatments: dict[int, ReactionHandling] = {}
        """The treatment of each open question, by its number."""
        self._clocks: dict[int, Callable[[], None]] = {}
        """The functions that cancel the running pauses."""
        self._overdue: dict[int, None] = {}
        """Questions to pass as soon as no answer is pending."""
        self._listeners = Listeners[Update | Reset]()
        self._refusals = Listeners[Reason]()
        self._stop: Callable[[], None] = lambda: None

    @classmethod
    def of(cls, table: SharedTable, viewer: int = AUDIENCE) -> Seat:
        """Sit down at a table of this process."""
        seat = cls(viewer, table.players, table.reset(viewer), table)
        seat._stop = table.listen(viewer, seat.take)
        return seat

    def close(self) -> None:
        """Get up: nobody is notified any more, nothing is passed."""
        self._stop()
        self.react(None)
        self._listeners.clear()
        self._refusals.clear()

    # What may be done now

    @property
    def offers(self) -> dict[int, tuple[Offer, ...]]:
        """The offers that may be answered now, by the ask's number."""
        if self.pending is not None:
            return {}
        if not self._clocks and not self._overdue:
            return self.asked
        return {number: offers for number, offers in self.asked.items() if not self._passes(number)}

    @property
    def passing(self) -> bool:
        """Whether a pass is being made for the player."""
        return any(map(self._passes, self._clocks))

    def why(self, card: int, to: str = "") -> Reason:
        """Why this card can't go there (or, with no place, anywhere) now."""
        if not self.offers:
            return NOT_ASKED
        reasons = (self.authority.why(self.number, ask, card, to) for ask in self.offers)
        return next((reason for reason in reasons if reason is not None), NOT_OFFERED)

    def preview(self, move: Move) -> Preview | None:
        """Return the visible effect of an offered move, or of an unfinished one."""
        return self.authority.preview(self.number, move)

    # Answering

    def send(self, move: Move) -> None:
        """Answer. What comes of it is news (`on_update`) or a refusal (`on_refusal`), maybe at
        once."""
        if self.pending is not None:
            self._refusals.tell(ALREADY_ANSWERED)
            return
        self.pending = move
        pauses = move.ask in self._clocks
        if not pauses or not any(offer.admits(move) for offer in self.asked[move.ask]):
            self._submit(move)

    def undo(self) -> None:
        """Take the own last move back. What comes of it is news or a refusal."""
        if self.pending is None:
            self._ask(self.authority.undo)

    def redo(self) -> None:
        """Play again the own move that was undone last, if it was the last thing done."""
        if self.redoable is not None:
            self.send(self.redoable)

    def concede(self) -> None:
        """Give the match up. What comes of it is news or a refusal."""
        self._ask(self.authority.concede)

    def refuse(self, reason: Reason) -> None:
        """Take in that the answer was refused: its question is the player's to answer again."""
        self.pending = None
        self._refusals.tell(reason)
        self._pass_overdue()

    def refuse_undo(self, reason: Reason) -> None:
        """Take in that the last move can't be taken back."""
        self._refusals.tell(reason)

    def _ask(self, do: Callable[[int], None]) -> None:
        try:
            do(self.number)
        except Illegal as illegal:
            self._refusals.tell(illegal.reason)

    def _submit(self, move: Move) -> None:
        try:
            self.authority.submit(self.number, move)
        except Illegal as illegal:
            self.refuse(illegal.reason)
        except Exception:  # of a disk, where a match writes at once: the answer is not on its way
            self.pending = None
            raise

    # News

    def take(self, message: Update | Reset) -> None:
        """Fold in an update, then notify the listeners.

        Raises:
            KeyError, IndexError, ValueError: the update belongs to another table.
        """
        self.fold_in(message)
        self.notify(message)

    def fold_in(self, message: Update | Reset) -> None:
        """Fold in an update; the listeners are still to be notified.

        Raises:
            KeyError, IndexError, ValueError: the update belongs to another table.
        """
        match message:
            case Reset(view=view, log=log):
                self.view = self._check_view(view)
                self.log = list(log)
            case Update(events=events):
                self.view = self._check_view(fold(self.view, events))
                self.log += (event for event in events if isinstance(event, Said))
        self.asked = message.offers
        self.undoable = message.undoable
        self.redoable = message.redo if isinstance(message.redo, Move) else None
        if self.pending is not None and not self._still_pending(message):
            self.pending = None
        if self._reacting is not None:
            self._attend()

    def notify(self, message: Update | Reset) -> None:
        """Notify the listeners of an update that was folded in."""
        self._listeners.tell(message)
        self._pass_overdue()

    def _still_pending(self, message: Update | Reset) -> bool:
        """Whether this news leaves the answer on its way. After a reset the table is as it is
        shown: what was sent to it before is not."""
        assert self.pending is not None
        ask = self.pending.ask
        return ask in self.asked and (ask in self._clocks or isinstance(message, Update))

    def reset(self) -> Reset:
        """The whole view, for somebody who is to see the same."""
        return Reset(self.view, tuple(self.log), self.asked, self.undoable, self.redoable or UNSET)

    def on_update(self, listener: Callable[[Update | Reset], None]) -> Callable[[], None]:
        """Call back after every change, once it is folded in; return a function that stops it."""
        return self._listeners.add(listener)

    def on_refusal(self, listener: Callable[[Reason], None]) -> Callable[[], None]:
        """Call back after every refusal; return a function that stops it."""
        return self._refusals.add(listener)

    def _check_view(self, view: State) -> State:
        """The view, if it can be one; a table of this process always is.

        Raises:
            ValueError: it can't be.
        """
        return view

    # Chances to react

    def react(self, reacting: ReactionSettings | None) -> None:
        """Treat chances to react as the player wishes from now on; None: ask about each."""
        self._give_up(tuple(self._clocks))
        self._reacting = reacting
        self._treatments.clear()
        self._overdue.clear()
        self._attend()

    def reconsider(self) -> None:
        """Treat the open chances again, after the player has chosen another policy."""
        kept = self.pending.ask if self.pending is not None else None
        self._give_up([number for number in self._clocks if number != kept])
        self._treatments = {n: each for n, each in self._treatments.items() if n in self._clocks}
        self._overdue.clear()
        self._attend()

    def _attend(self) -> None:
        """Treat new chances, forget closed ones."""
        reacting = self._reacting
        self._give_up([number for number in self._clocks if number not in self.asked])
        self._treatments = {n: each for n, each in self._treatments.items() if n in self.asked}
        self._overdue = {n: None for n in self._overdue if n in self.asked}
        if reacting is None:
            return
        for ask in self.view.asks:
            if ask.id not in self.asked or ask.id in self._treatments:
                continue
            theirs, meaning = self.asked[ask.id], reacting.meaning
            given = ASKED
            if is_chance(meaning, ask, theirs):
                given = treatment(meaning, self.view, ask, theirs, reacting.policy())
            self._treatments[ask.id] = given
            if given != ASKED:
                wait = reacting.pause() if given.paced else 0
                self._clocks[ask.id] = reacting.later(wait, partial(self._end_pause, ask.id))

    def _end_pause(self, number: int) -> None:
        """The pause is over: let the answer go out, or the pass."""
        del self._clocks[number]
        if self._treatments[number].passed:
            self._overdue[number] = None
        self._treatments[number] = ASKED  # should it be refused, its player sees it
        if self.pending is not None and self.pending.ask == number:
            self._overdue.pop(number, None)
            self._submit(self.pending)
        else:
            self._pass_overdue()

    def _pass_overdue(self) -> None:
        if self.pending is None and self._overdue:
            number = next(iter(self._overdue))
            del self._overdue[number]
            self.send(Move(number, PASS))

    def _passes(self, number: int) -> bool:
        """Whether this question is passed for the player."""
        pausing = number in self._clocks
        return number in self._overdue or (pausing and self._treatments[number].passed)

    def _give_up(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            self._clocks.pop(number)()
