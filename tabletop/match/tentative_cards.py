"""Cards that a seat has placed tentatively: shown at their targets, before the answer is sent or
confirmed. No Qt, no rules."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from tabletop.catalogue.catalogue import Kit
from tabletop.engine.model import Move, State
from tabletop.match import offer_matching as offered
from tabletop.match.offer_matching import Arrangement
from tabletop.text.phrases import filled


class TentativeCards(Struct, frozen=True):
    """A view with its seat's tentative cards."""

    view: State
    kit: Kit
    seat: int
    sent: Move | None = None
    """The answer that was sent and isn't confirmed yet."""
    arrangement: Arrangement | None = None
    laid: tuple[int, str] | None = None
    """The card on a target while a choice is still open."""
    angle: float | None = None
    """The angle of that card in degrees, where it is being chosen."""

    @property
    def answers(self) -> list[Move]:
        """The seat's answers that are not confirmed yet, or wait until all have answered."""
        view = self.view
        moves = [view.answers.get(ask.id) for ask in view.asks if ask.seat == view.viewer]
        return [move for move in (self.sent, *moves) if move is not None]


def shown(aside: TentativeCards) -> State:
    """The view with the tentative cards at their targets."""
    view = aside.arrangement.applied(aside.view) if aside.arrangement else aside.view
    for card, target in (*([aside.laid] if aside.laid else []), *waiting(aside)):
        if card in view.cards.get(target, ()):
            continue  # it is named at its own place
        view = replace(view, cards=offered.carried(view.cards, card, target))
    return view


def waiting(aside: TentativeCards) -> list[tuple[int, str]]:
    """Own cards that wait on their targets, with these."""
    return [laid for move in aside.answers for laid in _laid_by(aside, move)]


def _laid_by(aside: TentativeCards, move: Move) -> list[tuple[int, str]]:
    """Return the places where a move's cards wait: on its target, or where the layout says
    instead."""
    if stays(aside.kit, move):
        return []
    gesture = aside.kit.layout.gesture(move.verb)
    target = gesture.waits.get(move.target, move.target)
    return [(card, filled(target, {"me": aside.seat})) for card in move.cards if target]


def stays(kit: Kit, move: Move) -> bool:
    """Whether its card is only named, and stays at its place."""
    return kit.layout.gesture(move.verb).stays


def turned(aside: TentativeCards) -> Mapping[int, float]:
    """The tentatively turned cards, with their angles in degrees."""
    angles = dict(aside.arrangement.angles) if aside.arrangement else {}
    for move in aside.answers:
        angles |= dict.fromkeys(move.cards, angle_of(move, aside.kit))
    if aside.laid is not None and aside.angle is not None:
        angles[aside.laid[0]] = aside.angle
    return angles


def angle_of(move: Move, kit: Kit) -> float:
    """The angle in degrees at which a move's choice turns its card."""
    return kit.layout.gesture(move.verb).turns.get(move.choice, 0.0)
