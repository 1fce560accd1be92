"""What a hand has laid aside for the time being: it lies where it would lie, though nothing has
been answered yet, or the answer has not been heard."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from tabletop.engine.model import AUDIENCE, Move, State, Value
from ui.table import offered
from ui.table.chooser import angle_of

if TYPE_CHECKING:
    from ui.table.hand import Hand


def shown(hand: Hand) -> State:
    """The view with what this seat has put elsewhere for the time being."""
    view = hand.stage.view
    assert view is not None
    hand.stage.turned = turned(hand)
    hand.stage.foreseen = _foreseen(hand)
    if hand.arrangement is not None:
        view = hand.arrangement.applied(view)
    for card, target in (*([hand.laid] if hand.laid else []), *waiting(hand)):
        view = replace(view, cards=offered.carried(view.cards, card, target))
    return view


def _answers(hand: Hand) -> list[Move]:
    """The viewer's answers that are not heard yet, or wait until all have answered."""
    view = hand.stage.view
    asks = view.asks if view else ()
    moves = [view.answers.get(ask.id) for ask in asks if view and ask.seat == view.viewer]
    return [move for move in (hand.sent, *moves) if move is not None]


def waiting(hand: Hand) -> list[tuple[int, str]]:
    """Own cards that wait on their targets, and where."""
    return [laid for move in _answers(hand) for laid in _laid_by(hand, move)]


def _laid_by(hand: Hand, move: Move) -> list[tuple[int, str]]:
    """Where the cards of a move wait: on its target, or where the layout says instead."""
    if stays(hand, move):
        return []
    verb = hand.stage.prints.kit.layout.get("verbs", {}).get(move.verb, {})
    there = str(verb.get("waits", {}).get(move.target, move.target))
    seat = hand.link.seat if hand.link else AUDIENCE
    return [(card, there.format(me=seat)) for card in move.cards if there]


def stays(hand: Hand, move: Move) -> bool:
    """Whether its card is only named, and stays where it lies."""
    verb = hand.stage.prints.kit.layout.get("verbs", {}).get(move.verb, {})
    return bool(verb.get("stays"))


def _foreseen(hand: Hand) -> Mapping[str, Value]:
    """The values that what is put together so far would bring; kept once it has been sent."""
    if hand.link is None or hand.arrangement is None:
        return {}
    if not hand.gathering:
        return hand.stage.foreseen
    moves = hand.arrangement.moves()
    if not moves and hand.arrangement.placed:
        moves = [hand.arrangement.begun]
    preview = hand.link.preview(moves[0]) if len(moves) == 1 else None
    return preview.values if preview else {}


def turned(hand: Hand) -> Mapping[int, float]:
    """The cards that lie turned for the time being, and by how many degrees."""
    angles = dict(hand.arrangement.angles) if hand.arrangement else {}
    for move in _answers(hand):
        angles |= dict.fromkeys(move.cards, angle_of(move, hand.stage.prints.kit))
    if hand.laid is not None and hand.chooser is not None:
        angles[hand.laid[0]] = hand.chooser.angle
    return angles
