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
from tabletop.match.reactions import (
    ASKED,
    PASS,
    PassPolicy,
    ReactionHandling,
    is_reaction_chance,
    reaction_handling,
)

if TYPE_CHECKING:
    from tabletop.games.game_semantics import GameSemantics

WATCHED = Reason("This is a replay: you can't play in it.")

StartTimer = Callable[[int, Callable[[], None]], Callable[[], None]]
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

    def explain_refusal(self, seat: int, ask: int, card: int, to: str = "") -> Reason | None:
        """Why this card can't go there (or, with no place, anywhere) now."""

    def preview(self, seat: int, move: Move) -> Preview | None:
        """Return the visible effect of an offered move, or of an unfinished one."""


class SharedTable(Authority, Protocol):
    """An authority that sends its news itself: a match in this process."""

    @property
    def players(self) -> tuple[Player, ...]: ...

    def make_reset(self, viewer: int) -> Reset:
        """The whole table for this viewer."""
        ...

    def add_listener(
        self, viewer: int, listener: Callable[[Update | Reset], None]
    ) -> Callable[[], None]:
        """Send this listener all of the viewer's updates; return the function that stops it."""
        ...


class WatchOnlyAuthority:
    """The authority of a table that is only watched."""

    def submit(self, seat: int, move: Move) -> None:
        raise Illegal(WATCHED)

    def undo(self, seat: int) -> None:
        raise Illegal(WATCHED)

    def concede(self, seat: int) -> None:
        raise Illegal(WATCHED)

    def explain_refusal(self, seat: int, ask: int, card: int, to: str = "") -> Reason | None:
        return WATCHED

    def preview(self, seat: int, move: Move) -> Preview | None:
        return None


class ReactionSettings(Struct, frozen=True):
    """How the chances to react of a seat are treated, as its player wishes."""

    semantics: GameSemantics
    get_policy: Callable[[], PassPolicy]
    get_pause_ms: Callable[[], int]
    """Milliseconds in which nobody can tell an answer from a pass."""
    start_timer: StartTimer


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
        self.authority = authority or WatchOnlyAuthority()
        self.view = self._check_view(shown.view)
        self.log = list(shown.log)
        self.open_offers = shown.offers
        """The offers of each open question to this seat, by the ask's number."""
        self.undoable = shown.undoable
        self.redoable = shown.redo if isinstance(shown.redo, Move) else None
        """The own move that was undone last and can be played again."""
        self.pending: Move | None = None
        """The answer that is on its way: nothing else can be done before it has come back."""
        self._reactions: ReactionSettings | None = None
        self._handling: dict[int, ReactionHandling] = {}
        """The treatment of each open question, by its number."""
        self._pauses: dict[int, Callable[[], None]] = {}
        """The functions that cancel the running pauses."""
        self._overdue: dict[int, None] = {}
        """Questions to pass as soon as no answer is pending."""
        self._listeners = Listeners[Update | Reset]()
        self._refusals = Listeners[Reason]()
        self._stop: Callable[[], None] = lambda: None

    @classmethod
    def at_table(cls, table: SharedTable, viewer: int = AUDIENCE) -> Seat:
        """Sit down at a table of this process."""
        seat = cls(viewer, table.players, table.make_reset(viewer), table)
        seat._stop = table.add_listener(viewer, seat.receive)
        return seat

    def close(self) -> None:
        """Get up: nobody is notified any more, nothing is passed."""
        self._stop()
        self.set_reactions(None)
        self._listeners.clear()
        self._refusals.clear()

    # What may be done now

    @property
    def offers(self) -> dict[int, tuple[Offer, ...]]:
        """The offers that may be answered now, by the ask's number."""
        if self.pending is not None:
            return {}
        if not self._pauses and not self._overdue:
            return self.open_offers
        return {
            number: offers
            for number, offers in self.open_offers.items()
            if not self._is_auto_passed(number)
        }

    @property
    def is_passing(self) -> bool:
        """Whether a pass is being made for the player."""
        return any(map(self._is_auto_passed, self._pauses))

    def explain_refusal(self, card: int, to: str = "") -> Reason:
        """Why this card can't go there (or, with no place, anywhere) now."""
        if not self.offers:
            return NOT_ASKED
        reasons = (
            self.authority.explain_refusal(self.number, ask, card, to) for ask in self.offers
        )
        return next((reason for reason in reasons if reason is not None), NOT_OFFERED)

    def preview(self, move: Move) -> Preview | None:
        """Return the visible effect of an offered move, or of an unfinished one."""
        return self.authority.preview(self.number, move)

    # Answering

    def send(self, move: Move) -> None:
        """Answer. What comes of it is news (`on_update`) or a refusal (`on_refusal`), maybe at
        once."""
        if self.pending is not None:
            self._refusals.notify(ALREADY_ANSWERED)
            return
        self.pending = move
        pauses = move.ask in self._pauses
        if not pauses or not any(offer.admits(move) for offer in self.open_offers[move.ask]):
            self._submit(move)

    def undo(self) -> None:
        """Take the own last move back. What comes of it is news or a refusal."""
        if self.pending is None:
            self._request(self.authority.undo)

    def redo(self) -> None:
        """Play again the own move that was undone last, if it was the last thing done."""
        if self.redoable is not None:
            self.send(self.redoable)

    def concede(self) -> None:
        """Give the match up. What comes of it is news or a refusal."""
        self._request(self.authority.concede)

    def refuse(self, reason: Reason) -> None:
        """Take in that the answer was refused: its question is the player's to answer again."""
        self.pending = None
        self._refusals.notify(reason)
        self._pass_overdue()

    def refuse_undo(self, reason: Reason) -> None:
        """Take in that the last move can't be taken back."""
        self._refusals.notify(reason)

    def _request(self, do: Callable[[int], None]) -> None:
        try:
            do(self.number)
        except Illegal as illegal:
            self._refusals.notify(illegal.reason)

    def _submit(self, move: Move) -> None:
        try:
            self.authority.submit(self.number, move)
        except Illegal as illegal:
            self.refuse(illegal.reason)
        except Exception:  # of a disk, where a match writes at once: the answer is not on its way
            self.pending = None
            raise

    # News

    def receive(self, message: Update | Reset) -> None:
        """Fold in an update, then notify the listeners.

        Raises:
            KeyError, IndexError, ValueError: the update belongs to another table.
        """
        self.apply(message)
        self.notify(message)

    def apply(self, message: Update | Reset) -> None:
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
        self.open_offers = message.offers
        self.undoable = message.undoable
        self.redoable = message.redo if isinstance(message.redo, Move) else None
        if self.pending is not None and not self._still_pending(message):
            self.pending = None
        if self._reactions is not None:
            self._handle_new_chances()

    def notify(self, message: Update | Reset) -> None:
        """Notify the listeners of an update that was folded in."""
        self._listeners.notify(message)
        self._pass_overdue()

    def _still_pending(self, message: Update | Reset) -> bool:
        """Whether this news leaves the answer on its way. After a reset the table is as it is
        shown: what was sent to it before is not."""
        assert self.pending is not None
        ask = self.pending.ask
        return ask in self.open_offers and (ask in self._pauses or isinstance(message, Update))

    def make_reset(self) -> Reset:
        """The whole view, for somebody who is to see the same."""
        return Reset(
            self.view, tuple(self.log), self.open_offers, self.undoable, self.redoable or UNSET
        )

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

    def set_reactions(self, reacting: ReactionSettings | None) -> None:
        """Treat chances to react as the player wishes from now on; None: ask about each."""
        self._cancel_pauses(tuple(self._pauses))
        self._reactions = reacting
        self._handling.clear()
        self._overdue.clear()
        self._handle_new_chances()

    def reapply_pass_policy(self) -> None:
        """Treat the open chances again, after the player has chosen another policy."""
        kept = self.pending.ask if self.pending is not None else None
        self._cancel_pauses([number for number in self._pauses if number != kept])
        self._handling = {n: each for n, each in self._handling.items() if n in self._pauses}
        self._overdue.clear()
        self._handle_new_chances()

    def _handle_new_chances(self) -> None:
        """Treat new chances, forget closed ones."""
        reacting = self._reactions
        self._cancel_pauses([number for number in self._pauses if number not in self.open_offers])
        self._handling = {n: each for n, each in self._handling.items() if n in self.open_offers}
        self._overdue = {n: None for n in self._overdue if n in self.open_offers}
        if reacting is None:
            return
        for ask in self.view.asks:
            if ask.id not in self.open_offers or ask.id in self._handling:
                continue
            theirs, meaning = self.open_offers[ask.id], reacting.semantics
            given = ASKED
            if is_reaction_chance(meaning, ask, theirs):
                given = reaction_handling(meaning, self.view, ask, theirs, reacting.get_policy())
            self._handling[ask.id] = given
            if given != ASKED:
                wait = reacting.get_pause_ms() if given.pauses else 0
                self._pauses[ask.id] = reacting.start_timer(wait, partial(self._end_pause, ask.id))

    def _end_pause(self, number: int) -> None:
        """The pause is over: let the answer go out, or the pass."""
        del self._pauses[number]
        if self._handling[number].passes:
            self._overdue[number] = None
        self._handling[number] = ASKED  # should it be refused, its player sees it
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

    def _is_auto_passed(self, number: int) -> bool:
        """Whether this question is passed for the player."""
        pausing = number in self._pauses
        return number in self._overdue or (pausing and self._handling[number].passes)

    def _cancel_pauses(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            self._pauses.pop(number)()
