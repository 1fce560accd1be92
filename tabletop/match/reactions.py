"""Chances to react, and an attendant that passes for a player as they wish.

Timing is information. A pass that is made because nothing else is possible goes out after a pause,
and the player's own answer doesn't go out before it is over: nobody can distinguish the two. A pass
that doesn't depend on the hand may go out at once. Bots do the same: they answer after their pause,
and think no longer than that.

A game names its chances under `[reactions]` of meaning.toml: "any" is a question to bystanders,
"own" one about the player: own dice, an attack on them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from tabletop.engine.model import Ask, Look, Move, Offer, Preview, Reason, State
from tabletop.match.listeners import Listeners
from tabletop.text.phrases import phrase

if TYPE_CHECKING:  # the settings name a player's wish, and are read before there is any match
    from tabletop.engine.events import Said
    from tabletop.games.meaning import Meaning
    from tabletop.match.link import Link
    from tabletop.match.match import Player, Reset, Update

PASS = "pass"
"""The verb of an answer that lets a chance to react go by."""

WITHIN = 0.7
"""The part of its pause that a bot may think about a chance to react; the rest is for delivery."""

PassPolicy = Literal["ask", "able", "own", "pass"]

POLICIES: dict[PassPolicy, str] = {
    "ask": phrase("Always ask me"),
    "able": phrase("Only ask me when I could answer"),
    "own": phrase("Pass until my turn, except when it's about me"),
    "pass": phrase("Pass until my turn"),
}
"""The ways in which a player may wish to be asked."""

Asking = Literal["usual", "ask", "able", "own", "pass"]
"""A wish, or none: then it depends on the other players of the table."""

NO_WISH = phrase("As usual")
"""No wish (`usual_policy`)."""

Later = Callable[[int, Callable[[], None]], Callable[[], None]]
"""Runs a call after a number of milliseconds; returns the function that cancels it."""


class Care(Struct, frozen=True):
    """The treatment of a reaction chance: whether it is passed for the player, whether the pause is
    kept."""

    passed: bool
    paced: bool


ASKED, PASSED = Care(False, False), Care(True, False)


def usual_policy(alone: bool) -> PassPolicy:
    """Return the policy for players without a wish: a person `alone` among bots, to whom no pause
    reveals anything, is asked only when there is something to answer."""
    return "able" if alone else "ask"


def has_chances(meaning: Meaning) -> bool:
    """Whether there are chances to react in this game."""
    return bool(meaning.reactions)


def is_chance(meaning: Meaning, ask: Ask, offers: Sequence[Offer]) -> bool:
    """Whether the question is a chance to react, which may be passed."""
    marked = ask.what in meaning.reactions
    return marked and any(offer.admits(Move(ask.id, PASS)) for offer in offers)


def able(ask: Ask, offers: Sequence[Offer]) -> bool:
    """Whether something else than a pass is possible."""
    return any(move.verb != PASS for offer in offers for move in offer.moves(ask.id))


def thinking_time(
    meaning: Meaning, ask: Ask, offers: Sequence[Offer], usual: float, pause: float
) -> float:
    """Seconds of thought for a bot with a `pause` of so many seconds: no longer than the pause at a
    chance to react, so that its answer takes equally long whether or not it could react."""
    return min(usual, WITHIN * pause) if is_chance(meaning, ask, offers) else usual


def unasked(meaning: Meaning, look: Look, ask: Ask, policy: PassPolicy) -> bool:
    """Whether the player wishes not even to be asked, whatever their hand."""
    if policy not in ("own", "pass") or look.values.get(meaning.turn) == ask.seat:
        return False
    return policy == "pass" or meaning.reactions[ask.what] == "any"


def care(
    meaning: Meaning, look: Look, ask: Ask, offers: Sequence[Offer], policy: PassPolicy
) -> Care:
    """Return the handling of a chance to react that only its player sees."""
    if policy == "ask":
        return ASKED
    if unasked(meaning, look, ask, policy):
        return PASSED
    return Care(not able(ask, offers), True)


class Attendant:
    """A link that handles its chances to react; the player isn't shown the passed ones."""

    def __init__(
        self,
        link: Link,
        meaning: Meaning,
        policy: Callable[[], PassPolicy],
        pause: Callable[[], int],
        later: Later,
        players: tuple[Player, ...] | None = None,
    ) -> None:
        """`players` are their names at this table, if they differ from the link's."""
        self._link = link
        self._players = players
        self._meaning = meaning
        self._policy = policy
        self._pause = pause
        self._later = later
        self._cares: dict[int, Care] = {}
        """The handling of each open question, by its number."""
        self._clocks: dict[int, Callable[[], None]] = {}
        """The functions that cancel the running pauses."""
        self._kept: dict[int, Move] = {}
        """Answers that came before the pause was over."""
        self._sent: set[int] = set()
        """The questions whose pass is on its way; a remote table takes its time."""
        self._listeners: Listeners[Update | Reset] = Listeners()
        self._stop = link.on_update(self._hear)
        self._attend()

    @property
    def seat(self) -> int:
        return self._link.seat

    @property
    def players(self) -> tuple[Player, ...]:
        return self._link.players if self._players is None else self._players

    @property
    def view(self) -> State:
        return self._link.view

    @property
    def offers(self) -> dict[int, tuple[Offer, ...]]:
        offers = self._link.offers
        return {n: theirs for n, theirs in offers.items() if not self._closed(n)}

    @property
    def log(self) -> list[Said]:
        return self._link.log

    @property
    def undoable(self) -> bool:
        return self._link.undoable

    @property
    def passing(self) -> bool:
        """Whether a pass is being made for the player."""
        return any(number in self._clocks and care.passed for number, care in self._cares.items())

    def keeps(self, ask: int) -> bool:
        """Whether an answer waits for the end of its pause."""
        return ask in self._kept

    def send(self, move: Move) -> None:
        if move.ask in self._clocks and any(
            offer.admits(move) for offer in self.offers.get(move.ask, ())
        ):
            self._kept[move.ask] = move
        else:
            self._link.send(move)

    def undo(self) -> None:
        self._link.undo()

    def why(self, ask: int, card: int, to: str = "") -> Reason | None:
        return self._link.why(ask, card, to)

    def preview(self, move: Move) -> Preview | None:
        return self._link.preview(move)

    def on_update(self, listener: Callable[[Update | Reset], None]) -> Callable[[], None]:
        return self._listeners.add(listener)

    def close(self) -> None:
        """Stop. The seat's own link stays open, because others may use it."""
        self._stop()
        self._give_up(tuple(self._clocks))
        self._listeners.clear()

    def refused(self) -> None:
        """The sent answer was refused: open questions are the player's to answer."""
        self._sent.clear()

    def reconsider(self) -> None:
        """Handle the open chances again, after the player has chosen another policy."""
        self._give_up([number for number in self._clocks if number not in self._kept])
        self._cares = {n: care for n, care in self._cares.items() if n in self._clocks}
        self._attend()

    def _hear(self, message: Update | Reset) -> None:
        self._attend()
        self._listeners.tell(message)

    def _attend(self) -> None:
        """Handle new chances, forget closed ones."""
        offers, view = self._link.offers, self._link.view
        self._give_up([number for number in self._clocks if number not in offers])
        self._cares = {n: care for n, care in self._cares.items() if n in offers}
        self._sent &= offers.keys()
        for ask in view.asks:
            if ask.id not in offers or ask.id in self._cares:
                continue
            theirs = offers[ask.id]
            chance = is_chance(self._meaning, ask, theirs)
            cared = care(self._meaning, view, ask, theirs, self._policy()) if chance else ASKED
            self._cares[ask.id] = cared
            if cared != ASKED:
                wait = self._pause() if cared.paced else 0
                self._clocks[ask.id] = self._later(wait, partial(self._due, ask.id))

    def _due(self, number: int) -> None:
        """Send the answer or the pass after the pause."""
        del self._clocks[number]
        passed = self._cares[number].passed
        self._cares[number] = ASKED  # should it be refused, its player sees it
        move = self._kept.pop(number, Move(number, PASS) if passed else None)
        if move is None:
            return
        from tabletop.engine.play import Illegal  # loaded with any link

        self._sent.add(number)
        try:
            self._link.send(move)
        except Illegal:
            self._sent.discard(number)

    def _closed(self, number: int) -> bool:
        """Whether the player has nothing to answer here any more, or never had."""
        if number in self._kept or number in self._sent:
            return True
        return number in self._clocks and self._cares[number].passed

    def _give_up(self, numbers: Sequence[int]) -> None:
        for number in numbers:
            self._clocks.pop(number)()
            self._kept.pop(number, None)
