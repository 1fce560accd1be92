"""A seat at a table: its view, log and offers, and the answer being sent.

`Seat` works the same for a match in this process, a remote host and a replay. A sent answer is
pending until an update or a refusal arrives. Meanwhile the seat can't send anything else.
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
"""Starts a timer, given milliseconds and a callback. Returns a function that cancels it."""


class Authority(Protocol):
    """Interface that accepts or refuses a seat's answers, such as a match or a remote host.

    Accepted answers reach the seat as updates (`Seat.receive`), immediately or later. A refusal is
    either raised as `Illegal` or reported later with `Seat.refuse`.
    """

    def submit(self, seat: int, move: Move) -> None:
        """Play `move` for `seat`."""

    def undo(self, seat: int) -> None:
        """Undo the last move of `seat`."""

    def concede(self, seat: int) -> None:
        """Concede the match for `seat`."""

    def explain_refusal(self, seat: int, ask: int, card: int, to: str = "") -> Reason | None:
        """Return why `seat` can't move `card` to zone `to` ("" for anywhere); None if unknown."""

    def preview(self, seat: int, move: Move) -> Preview | None:
        """Return the visible effect of a finished or unfinished move, or None."""


class SharedTable(Authority, Protocol):
    """An authority that pushes updates to its listeners, such as a match in this process."""

    @property
    def players(self) -> tuple[Player, ...]: ...

    def make_reset(self, viewer: int) -> Reset:
        """Return the whole table for `viewer`."""
        ...

    def add_listener(
        self, viewer: int, listener: Callable[[Update | Reset], None]
    ) -> Callable[[], None]:
        """Call `listener` with every update for `viewer`.

        Return a function that removes the listener.
        """
        ...


class WatchOnlyAuthority:
    """The authority of a table that can only be watched. It refuses every answer."""

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
    """How to handle a seat's reaction chances."""

    semantics: GameSemantics
    get_policy: Callable[[], PassPolicy]
    get_pause_ms: Callable[[], int]
    """Returns the pause, in milliseconds, that makes the timing of answers and passes equal."""
    start_timer: StartTimer


class Seat:
    """A seat at a table, or its audience: view, log, offers and at most one pending answer."""

    def __init__(
        self,
        number: int,
        players: Sequence[Player],
        shown: Reset,
        authority: Authority | None = None,
    ) -> None:
        """Create a seat that starts with the table `shown`.

        Without an `authority` it can only watch.

        Raises:
            ValueError: `shown` can't be this seat's view.
        """
        self.number = number
        """The seat's number at its table, or AUDIENCE."""
        self.players = tuple(players)
        self.authority = authority or WatchOnlyAuthority()
        self.view = self._check_view(shown.view)
        self.log = list(shown.log)
        self.open_offers = shown.offers
        """The offers of each open question to this seat, by ask ID.

        They stay while an answer is pending.
        """
        self.undoable = shown.undoable
        self.redoable = shown.redo if isinstance(shown.redo, Move) else None
        """The seat's last undone move, if it can be replayed."""
        self.pending: Move | None = None
        """The answer that was sent and is neither accepted nor refused yet.

        It blocks further answers.
        """
        self._reactions: ReactionSettings | None = None
        self._handling: dict[int, ReactionHandling] = {}
        """How each open question is handled, by ask ID."""
        self._pauses: dict[int, Callable[[], None]] = {}
        """The functions that cancel running pauses, by ask ID."""
        self._overdue: dict[int, None] = {}
        """The IDs of questions to pass as soon as no answer is pending, in order."""
        self._listeners = Listeners[Update | Reset]()
        self._refusals = Listeners[Reason]()
        self._stop: Callable[[], None] = lambda: None

    @classmethod
    def at_table(cls, table: SharedTable, viewer: int = AUDIENCE) -> Seat:
        """Return a seat for `viewer` that receives the updates of a table in this process."""
        seat = cls(viewer, table.players, table.make_reset(viewer), table)
        seat._stop = table.add_listener(viewer, seat.receive)
        return seat

    def close(self) -> None:
        """Unsubscribe from the table, cancel automatic passes and remove all listeners."""
        self._stop()
        self.set_reactions(None)
        self._listeners.clear()
        self._refusals.clear()

    # Offers

    @property
    def offers(self) -> dict[int, tuple[Offer, ...]]:
        """The offers that can be answered now, by ask ID; empty while an answer is pending."""
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
        """Whether an automatic pass is scheduled and waits for its pause to end."""
        return any(map(self._is_auto_passed, self._pauses))

    def explain_refusal(self, card: int, to: str = "") -> Reason:
        """Return why `card` can't move to zone `to` ("" for anywhere)."""
        if not self.offers:
            return NOT_ASKED
        reasons = (
            self.authority.explain_refusal(self.number, ask, card, to) for ask in self.offers
        )
        return next((reason for reason in reasons if reason is not None), NOT_OFFERED)

    def preview(self, move: Move) -> Preview | None:
        """Return the visible effect of a finished or unfinished move, or None."""
        return self.authority.preview(self.number, move)

    # Answering

    def send(self, move: Move) -> None:
        """Send `move` as an answer.

        The result arrives as an update or a refusal, possibly immediately.
        """
        if self.pending is not None:
            self._refusals.notify(ALREADY_ANSWERED)
            return
        self.pending = move
        pauses = move.ask in self._pauses
        if not pauses or not any(offer.admits(move) for offer in self.open_offers[move.ask]):
            self._submit(move)

    def undo(self) -> None:
        """Undo the seat's last move. The result arrives as an update or a refusal."""
        if self.pending is None:
            self._request(self.authority.undo)

    def redo(self) -> None:
        """Replay the seat's last undone move, if it can still be replayed."""
        if self.redoable is not None:
            self.send(self.redoable)

    def concede(self) -> None:
        """Concede the match. The result arrives as an update or a refusal."""
        self._request(self.authority.concede)

    def refuse(self, reason: Reason) -> None:
        """Record that the pending answer was refused with `reason`, and reopen its question."""
        self.pending = None
        self._refusals.notify(reason)
        self._pass_overdue()

    def refuse_undo(self, reason: Reason) -> None:
        """Notify listeners that the last move can't be undone."""
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
        except Exception:  # for example a journal that cannot be written
            self.pending = None
            raise

    # Updates

    def receive(self, message: Update | Reset) -> None:
        """Apply `message` to the view, then notify the listeners.

        Raises:
            KeyError, IndexError, ValueError: `message` doesn't fit this table.
        """
        self.apply(message)
        self.notify(message)

    def apply(self, message: Update | Reset) -> None:
        """Apply `message` to the view without notifying the listeners.

        Raises:
            KeyError, IndexError, ValueError: `message` doesn't fit this table.
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
        """Notify the listeners of `message`, which was already applied, and send overdue passes."""
        self._listeners.notify(message)
        self._pass_overdue()

    def _still_pending(self, message: Update | Reset) -> bool:
        """Return whether the answer is still pending after `message`.

        After a reset, only an answer that is still held back by a pause stays pending. An answer
        sent before the reset was lost.
        """
        assert self.pending is not None
        ask = self.pending.ask
        return ask in self.open_offers and (ask in self._pauses or isinstance(message, Update))

    def make_reset(self) -> Reset:
        """Return the seat's current view and offers as a message, to initialize another seat."""
        return Reset(
            self.view, tuple(self.log), self.open_offers, self.undoable, self.redoable or UNSET
        )

    def on_update(self, listener: Callable[[Update | Reset], None]) -> Callable[[], None]:
        """Call `listener` after every applied update.

        Return a function that removes the listener.
        """
        return self._listeners.add(listener)

    def on_refusal(self, listener: Callable[[Reason], None]) -> Callable[[], None]:
        """Call `listener` after every refusal. Return a function that removes the listener."""
        return self._refusals.add(listener)

    def _check_view(self, view: State) -> State:
        """Return `view` if it is plausible for this seat.

        A seat in this process accepts every view.

        Raises:
            ValueError: a subclass found that `view` isn't plausible.
        """
        return view

    # Reaction chances

    def set_reactions(self, reactions: ReactionSettings | None) -> None:
        """Handle reaction chances according to `reactions` from now on.

        With None, ask the player each time.
        """
        self._cancel_pauses(tuple(self._pauses))
        self._reactions = reactions
        self._handling.clear()
        self._overdue.clear()
        self._handle_new_chances()

    def reapply_pass_policy(self) -> None:
        """Handle the open reaction chances again after the player's pass policy has changed."""
        kept = self.pending.ask if self.pending is not None else None
        self._cancel_pauses([number for number in self._pauses if number != kept])
        self._handling = {n: each for n, each in self._handling.items() if n in self._pauses}
        self._overdue.clear()
        self._handle_new_chances()

    def _handle_new_chances(self) -> None:
        """Start handling new reaction chances, and drop closed ones."""
        reactions = self._reactions
        self._cancel_pauses([number for number in self._pauses if number not in self.open_offers])
        self._handling = {n: each for n, each in self._handling.items() if n in self.open_offers}
        self._overdue = {n: None for n in self._overdue if n in self.open_offers}
        if reactions is None:
            return
        for ask in self.view.asks:
            if ask.id not in self.open_offers or ask.id in self._handling:
                continue
            theirs, semantics = self.open_offers[ask.id], reactions.semantics
            given = ASKED
            if is_reaction_chance(semantics, ask, theirs):
                given = reaction_handling(semantics, self.view, ask, theirs, reactions.get_policy())
            self._handling[ask.id] = given
            if given != ASKED:
                wait = reactions.get_pause_ms() if given.pauses else 0
                self._pauses[ask.id] = reactions.start_timer(wait, partial(self._end_pause, ask.id))

    def _end_pause(self, number: int) -> None:
        """Send the pending answer or automatic pass of question `number` after its pause."""
        del self._pauses[number]
        if self._handling[number].passes:
            self._overdue[number] = None
        self._handling[number] = ASKED  # if the answer is refused, the player decides
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
        """Return whether question `number` is being passed automatically."""
        pausing = number in self._pauses
        return number in self._overdue or (pausing and self._handling[number].passes)

    def _cancel_pauses(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            self._pauses.pop(number)()
