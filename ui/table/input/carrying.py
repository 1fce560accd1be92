"""Carrying a card with the pointer: taken up, held over places, let go."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF

from tabletop.engine.model import Reason
from tabletop.games.layout import Rect
from tabletop.match import offer_matching as offered
from ui.table.input.drag import Drag
from ui.table.input.hand import Hand
from ui.table.items.card_item import CardItem
from ui.table.layout import geometry

NOT_THERE = Reason("You can't put it there.")


def lift(hand: Hand, item: CardItem, point: QPointF) -> bool:
    """Take a card up at this point, if anything can be done with it: to be played, or to be laid
    elsewhere among those of its own place. Gives whether it was."""
    if not item.known:
        return _lift_top(hand, item, point)
    offers = hand.answer.offers
    plays = hand.answer.gathering.wants(item.card) or offered.single(offers, item.card)
    if not plays and not hand.own.sortable(item.zone):
        _leave(hand, item)
        return False
    if hand.selection.item is not item:
        hand.cancel()
        if plays:
            hand.select(item)
    hand.selection.hovered = None
    hand.looked.emit(item.card)
    hand.drag = Drag(hand.stage, item, point, hand.lights)
    return True


def _lift_top(hand: Hand, item: CardItem, point: QPointF) -> bool:
    """Take up a card that lies face down on top of its place, if it may be carried from there."""
    moves = hand.selection.carried_from(item.zone)
    if not moves or item is not hand.stage.zones[item.zone][-1]:
        return False
    hand.cancel()
    hand.lights.show([move.choice for move in moves])
    hand.drag = Drag(hand.stage, item, point, hand.lights)
    return True


def _leave(hand: Hand, item: CardItem) -> None:
    """Leave a card that can do nothing now, and show the reason; not where a place is to be chosen,
    and the card only happens to be there."""
    if hand.lights and hand.selection.item is None and not hand.own.has(item.zone):
        return
    if hand.answer.offers and hand.reason_against(item) is not None:
        hand.cancel()
        hand.refuse_card(item)


def carry(hand: Hand, point: QPointF) -> None:
    """The pointer that holds a card is here now."""
    if hand.drag is not None:
        hand.drag.move(point)
        if not hand.drag.item.known:
            hand.lights.near(hand.drag.under)
        elif hand.lights:
            hand.selection.weigh(hand.drag.under)


def put_down(hand: Hand) -> None:
    """Let the carried card go where it is: it is played, put together, sorted, or goes home."""
    drag = hand.drag
    assert drag is not None
    item, zone, rect = drag.item, drag.under, drag.rect
    point = rect.center()
    hand.drag = None
    drag.end()
    hand.stage.rest(item)
    if not item.known:
        _put_down_top(hand, item, zone, rect)
        return
    chances = offered.single(hand.answer.offers, item.card)
    moves = offered.moves_to(chances, (item.card,), zone) if zone is not None else []
    if zone is not None and moves:
        hand.drop(item, zone, moves, point)
    elif zone is not None and hand.answer.gathering.wants(item.card):
        hand.arrange(item, zone)
    else:
        _go_home(hand, item, rect)


def _put_down_top(hand: Hand, item: CardItem, zone: str | None, rect: QRectF) -> None:
    """A card that lay on top goes where it was carried, or back."""
    moves = [move for move in hand.selection.carried_from(item.zone) if move.choice == zone]
    if moves:
        hand.play(moves[0])
    else:
        _go_home(hand, item, rect)
        hand.presenter.light_bare()


def _go_home(hand: Hand, item: CardItem, rect: QRectF) -> None:
    """A card was let go over `rect`, where it cannot be put: it is sorted, or goes back."""
    under = _zone_under(hand, rect)
    hand.let_go(relay=False)
    if hand.own.sortable(item.zone) and under in (item.zone, None):
        hand.own.lay_near(item, rect.center())
        hand.presenter.relay()
        return
    hand.presenter.relay()
    if under != item.zone:
        hand.refused.emit(hand.answer.why(item.card, under or "") or NOT_THERE)


def let_fall(hand: Hand) -> None:
    """Sort a carried card when an event comes while it is over its own place."""
    drag = hand.drag
    if drag is None or not hand.own.sortable(drag.home):
        return
    if _zone_under(hand, drag.rect) == drag.home:
        hand.own.lay_near(drag.item, drag.rect.center())


def _zone_under(hand: Hand, rect: QRectF) -> str | None:
    """The zone a card over `rect` covers most, whether it may lie there or not."""
    setting = hand.stage.setting
    assert setting is not None
    x, y = setting.card_units(rect.x(), rect.y())
    card = Rect(x, y, rect.width() / setting.unit, rect.height() / setting.unit)
    return geometry.drop_target(setting, card, list(setting.spreads))
