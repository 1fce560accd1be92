"""What a person holds: the chosen card, what may be done with it, the choice that is left.

Everything a person decides passes through here, whether by pointer or by key. It knows no rules:
what may be done comes as offers, why not as a reason, what would come of it as a preview.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QPointF, QRectF, Signal

from tabletop.engine.model import AUDIENCE, Move, Reason
from tabletop.engine.play import NOT_ASKED, NOT_OFFERED, Illegal
from tabletop.link import Link
from ui.table import aside, offered
from ui.table.animator import HOME_MS, NUDGE_MS, Animator
from ui.table.card_item import DIMMED, CardItem
from ui.table.chooser import Chooser
from ui.table.drag import Drag
from ui.table.focus import Focus
from ui.table.lights import Lights
from ui.table.odds import Odds
from ui.table.offered import Arrangement, Chance, Offers
from ui.table.stage import Stage

LEGAL_CAP = 300


class Hand(QObject):
    """The hand of who sits at the table."""

    refused = Signal(object)
    """Something could not be done: a Reason."""
    looked = Signal(object)
    """At the card of this number."""
    arranged = Signal(bool)
    """The cards put together so far are an answer, or are not yet."""
    acted = Signal(object)
    """A Move was sent."""

    def __init__(self, stage: Stage, animator: Animator) -> None:
        super().__init__()
        self.stage = stage
        self.animator = animator
        self.lights = Lights(stage)
        self.odds = Odds(stage)
        self.focus = Focus(stage, self.lights)
        self.link: Link | None = None
        self.offers: Offers = {}
        self.selected: CardItem | None = None
        self.chances: list[Chance] = []
        """What the chosen card alone may do."""
        self.chooser: Chooser | None = None
        self.laid: tuple[int, str] | None = None
        """The card that lies on a target while a choice is still open."""
        self.sent: Move | None = None
        """What was answered and has not been heard yet: its cards wait on their target."""
        self.drag: Drag | None = None
        self.hovered: CardItem | None = None
        self.arrangement: Arrangement | None = None
        self._held = False
        """Whether nothing can be done for the time being, whatever is offered."""

    def hold(self, held: bool) -> None:
        """Nothing can be done until the table goes on, or it goes on."""
        if held == self._held:
            return
        self._held = held
        self.let_go()
        self.offers = self._offered()
        self.mark()
        self.light_bare()

    def _offered(self) -> Offers:
        """What can be done now."""
        return {} if self._held or self.link is None else self.link.offers

    def take(self, link: Link | None) -> None:
        """Sit down with this link, or with None get up."""
        self.let_go(relay=False)
        self.odds.clear()
        self.focus.clear()
        self.link = link
        self.offers = self._offered()
        self.arrangement, self.sent = None, None

    # Deciding

    def play(self, move: Move) -> None:
        """Answer with this move. The cards wait on its target until the answer is heard."""
        if self.link is None:
            return
        seen = self.stage.view
        self.let_go(relay=False)
        self.sent = move
        try:
            self.link.send(move)
        except Illegal as illegal:
            self.refuse(illegal.reason)
            return
        if self.sent is not None:
            self.offers = {}  # nothing more can be done until the host has spoken
        self.acted.emit(move)
        if self.stage.view is seen and not self.animator.running:
            self.relay()

    def refuse(self, reason: Reason) -> None:
        """The answer was not taken: what waited goes back, and the reason is told."""
        self.sent = None
        self.offers = self._offered()
        self.relay()
        self.refused.emit(reason)

    def commit(self) -> None:
        """Send what was put together, where it is an answer."""
        moves = self.arrangement.moves() if self.arrangement else []
        if len(moves) == 1:
            self.play(moves[0])
        elif moves:
            self._choose(moves, QPointF(self.stage.size[0] / 2, self.stage.size[1] / 2))

    def light(self, move: Move) -> None:
        """Show a move without playing it: its cards, where they go, what would come of it."""
        self.cancel()
        items = [item for item in self.stage.items if item.card in move.cards]
        if items:
            self.select(items[0])
            for item in items[1:]:
                item.mark(selected=True)
        self.lights.show([move.target] if move.target else [])
        self.lights.near(move.target)
        if self.chooser is not None and move in self.chooser.moves:
            self.chooser.point(self.chooser.moves.index(move))

    def legal(self) -> list[Move]:
        """What may be done now, at most LEGAL_CAP moves of it."""
        return offered.listed(self.offers, LEGAL_CAP)

    def legal_of(self, card: int) -> list[Move]:
        """What may be done with this card alone."""
        chances = offered.single(self.offers, card)
        return [
            move
            for target in offered.targets(chances)
            for move in offered.moves_to(chances, (card,), target)
        ]

    def why(self, item: CardItem, to: str = "") -> Reason | None:
        """Why this card cannot go there (or anywhere); None where nothing is known against it."""
        if self.link is None:
            return None
        if not self.offers:
            return NOT_ASKED
        for ask in self.offers:
            reason = self.link.why(ask, item.card, to)
            if reason is not None:
                return reason
        return NOT_OFFERED

    def cancel(self) -> None:
        """Put down, choose nothing, close what is open."""
        self.let_go()
        self.light_bare()

    # Choosing a card, and where it goes

    def pick(self, item: CardItem) -> None:
        """Choose a card: light where it may go, or say why it may not."""
        self.cancel()
        if not item.known:
            return
        self.looked.emit(item.card)
        if self.gathers(item) and self.arrangement and not self.arrangement.placed:
            self.toggle(item)
        elif self.gathers(item) or offered.single(self.offers, item.card):
            self.select(item)
        elif self.mine(item) and self.offers:
            self.refuse_card(item)

    def refuse_card(self, item: CardItem) -> None:
        """This card can do nothing now: it tilts, and the reason is told."""
        self.animator.tilt(item)
        reason = self.why(item)
        if reason is not None:
            self.refused.emit(reason)

    def select(self, item: CardItem) -> None:
        """The card is chosen: all its targets light up."""
        self.selected = item
        self.chances = offered.single(self.offers, item.card)
        item.mark(selected=True)
        self.rise()
        self.odds.clear_places()
        targets = self.targets(item)
        self.lights.show(targets)
        places = offered.targets(self.chances)
        if places:
            moves = offered.moves_to(self.chances, (item.card,), places[0])
            verbs = self.stage.prints.kit.layout.get("verbs", {})
            if moves and verbs.get(moves[0].verb, {}).get("chooser") == "dial":
                self._open(moves, None)
                if len(moves) == 1 and self.chooser is not None:
                    self.chooser.point(0)

    def targets(self, item: CardItem) -> list[str]:
        """Where a card may go now."""
        zones = offered.targets(offered.single(self.offers, item.card))
        if self.gathers(item) and self.arrangement is not None:
            spot = self.arrangement.spot_of(item.card)
            zones += [zone for zone in self.arrangement.zones() if zone != spot]
            zones += [self.source(item.card)] if spot else []
        return zones

    def source(self, card: int) -> str:
        """The zone a card lies in as the view tells, wherever it has been put since."""
        view = self.stage.view
        zones = view.cards.items() if view else ()
        return next((zone for zone, cards in zones if card in cards), "")

    def act(self, zone: str, point: QPointF) -> bool:
        """Bring the chosen card (or, without one, the choice itself) to a lit place."""
        item = self.selected
        if item is not None:
            moves = offered.moves_to(self.chances, (item.card,), zone)
            if self.gathers(item) and not moves:
                self.arrange(item, zone)
                return True
            self.drop(item, zone, moves, point)
            return bool(moves)
        moves = self._moves_to(zone)
        if len(moves) == 1:
            self.play(moves[0])
        elif moves:
            self._choose(moves, point)
        return bool(moves)

    def _moves_to(self, zone: str) -> list[Move]:
        """What choosing this place would do: with the chosen card, those put together, or none."""
        if self.selected is not None:
            return offered.moves_to(self.chances, (self.selected.card,), zone)
        if self.arrangement is not None and self.gathering and self.arrangement.chosen:
            return self.arrangement.moves(zone)
        chances = [c for c in offered.all_of(self.offers) if not c.offer.least]
        return offered.moves_to(chances, (), zone)

    def drop(self, item: CardItem, zone: str, moves: list[Move], point: QPointF) -> None:
        """A card has come to a place that takes it: play, or let the rest be chosen."""
        if len(moves) == 1:
            self.play(moves[0])
        elif moves:
            self._unselect()
            self.selected, self.chances = item, offered.single(self.offers, item.card)
            self.laid = (item.card, item.zone if aside.stays(self, moves[0]) else zone)
            self.relay()
            item.mark(selected=True)
            self._choose(moves, point, self.stage.rect(zone) if zone else None)

    # Choosing what is left

    def weigh(self, zone: str | None) -> None:
        """The chosen card is over this lit place (or over none): tell what would come of it."""
        self.lights.near(zone)
        setting = self.stage.setting
        if zone is None and self.selected is None and self.laid is None:
            self._close_chooser()  # it may lie over another place that is lit
        if zone is None or self.laid is not None or setting is None:
            return
        if setting.surface.outlook is None or self.link is None:
            return
        moves = self._moves_to(zone)
        if not moves or (self.chooser is not None and self.chooser.moves == moves):
            return
        if any(self.link.preview(move) for move in moves):
            self._open(moves, None)
            if self.chooser is not None and len(moves) == 1:
                self.chooser.point(0)

    @property
    def decides(self) -> bool:
        """Whether a choice would decide, because the place is decided."""
        return self.laid is not None or len(offered.targets(self.chances)) < 2

    def _open(self, moves: list[Move], at: QPointF | None, beside: QRectF | None = None) -> None:
        self._close_chooser()
        if self.link is None:
            return
        self.chooser = Chooser(self.stage, self.link, moves, at=at, beside=beside)
        self.chooser.chosen.connect(self.play)
        self.chooser.weighed.connect(self.lights.make_room)
        self.chooser.weighed.connect(self._turn_laid)

    def _turn_laid(self) -> None:
        """The card that lies on its target turns as the choice being weighed would turn it."""
        turned = aside.turned(self)
        if self.stage.turned != turned:
            self.stage.turned = turned
            self.stage.lay_out()
            self.animator.glide(self.stage.slots(), NUDGE_MS)

    def _choose(self, moves: list[Move], point: QPointF, beside: QRectF | None = None) -> None:
        self._open(moves, point, beside)
        self.lights.clear()
        if self.chooser is not None:
            self.chooser.point(0)

    def _close_chooser(self) -> None:
        if self.chooser is not None:
            self.chooser.close()
            self.chooser = None

    # Putting several cards together

    @property
    def gathering(self) -> bool:
        """Whether cards are being put together; no longer once they have been sent."""
        return self.arrangement is not None and self.arrangement.chance.ask in self.offers

    def gathers(self, item: CardItem) -> bool:
        """Whether this card is one of those that are being put together."""
        arrangement = self.arrangement
        return (
            arrangement is not None
            and self.gathering
            and item.card in arrangement.chance.offer.cards
        )

    def toggle(self, item: CardItem) -> None:
        """Put a card with the others, or take it back."""
        arrangement = self.arrangement
        assert arrangement is not None
        arrangement.toggle(item.card)
        self._rearranged()
        if arrangement.chosen == [item.card] and offered.single(self.offers, item.card):
            self.select(item)  # this one alone is an answer too
        elif arrangement.ready:
            self.lights.show(arrangement.chance.offer.targets)

    def turns(self, item: CardItem) -> bool:
        """Whether this card lies where it may be turned before it is sent."""
        return self.gathers(item) and bool(self.arrangement and self.arrangement.turns(item.card))

    def turn(self, item: CardItem) -> None:
        """Lay a card that is being put together the next way round."""
        if self.turns(item) and self.arrangement is not None:
            self.arrangement.turn(item.card)
            self._rearranged()

    def arrange(self, item: CardItem, zone: str) -> None:
        """Put a card with the others at this place, or take it back to where it lies."""
        assert self.arrangement is not None
        if zone in self.arrangement.zones():
            self.arrangement.put(item.card, zone)
            self._rearranged()
        elif zone == self.source(item.card):
            self.arrangement.take(item.card)
            self._rearranged()
        else:
            self.relay()

    def _rearranged(self) -> None:
        arrangement = self.arrangement
        assert arrangement is not None
        focus = self.focus.card
        self.let_go(relay=False)
        self.relay()
        if focus is not None:
            self.focus.on_card(focus)
        self.arranged.emit(arrangement.ready)

    def take_up(self) -> None:
        """Have an arrangement while, and only while, a question asks for several cards."""
        chance = offered.several(self.offers)
        view = self.stage.view
        old = self.arrangement
        if chance is None:
            answered = old is not None and view is not None and old.chance.ask in view.answers
            if not answered:
                self.arrangement = None
        elif old is None or old.chance != chance:
            self.arrangement = Arrangement(chance)
        if (self.arrangement is None) != (old is None) or self.arrangement is not old:
            self.arranged.emit(self.arrangement is not None and self.arrangement.ready)

    def relay(self) -> None:
        """Bring every card to where it lies now, from wherever it is."""
        view = self.stage.view
        if view is None or self.link is None or self.animator.running:
            return
        self.stage.gather(aside.shown(self))
        self.stage.raised = self._raised()
        self.stage.lay_out()
        self.animator.glide(self.stage.slots(), HOME_MS)
        self.mark()

    def mark(self) -> None:
        """Show which cards may be played, which are chosen and which wait."""
        playable = offered.playable(self.offers)
        chosen = set(self.arrangement.chosen) if self.arrangement else set()
        placed = set(self.arrangement.placed) if self.arrangement else set()
        waiting = {card for card, _ in aside.waiting(self)}
        for item in self.stage.items:
            selected = item is self.selected or item.card in chosen
            free = item.card in playable and item.card not in placed
            item.mark(playable=free, selected=selected, turns=self.turns(item))
            item.setOpacity(DIMMED if item.card in waiting else 1.0)

    def light_bare(self) -> None:
        """Places that may be chosen without a card are lit while none is chosen."""
        if self.selected is None and not self.animator.running:
            self.lights.show(offered.bare_targets(self.offers))
            if self.link is not None:
                self.odds.show(self.link, self.offers)

    def rise(self) -> None:
        """The card under the pointer, else the focused or chosen one, is held up a little."""
        if self.animator.running or self.drag is not None or self.stage.view is None:
            return
        raised = self._raised()
        if raised != self.stage.raised:
            self.stage.raised = raised
            self.stage.lay_out()
            self.animator.glide(self.stage.slots(), NUDGE_MS)

    def _raised(self) -> dict[str, int]:
        raised = {}
        for item in (self.selected, self.focus.card, self.hovered):
            items = self.stage.zones.get(item.zone, []) if item is not None else []
            if item is not None and item in items:
                raised[item.zone] = items.index(item)
        return raised

    def mine(self, item: CardItem) -> bool:
        """Whether the card lies in a zone of the viewer's own."""
        view = self.stage.view
        return view is not None and view.zones[item.zone].owner == view.viewer != AUDIENCE

    def own(self) -> list[CardItem]:
        """The viewer's own cards, in the zone with most of those that may be played."""
        view, setting = self.stage.view, self.stage.setting
        if view is None or setting is None:
            return []
        placed = self.arrangement.placed if self.arrangement else []
        held = (
            [item for item in items if item.card not in placed]
            for zone, items in self.stage.zones.items()
            if view.zones[zone].owner == view.viewer and zone in setting.spreads
        )
        own = [items for items in held if items]
        playable = offered.playable(self.offers)
        return max(own, key=lambda items: sum(one.card in playable for one in items), default=[])

    def sort(self) -> None:
        """Lay the viewer's own cards in the order of the deck again."""
        view = self.stage.view
        if view is None:
            return
        self.let_go(relay=False)
        for zone in [name for name in self.stage.order if view.zones[name].owner == view.viewer]:
            del self.stage.order[zone]
        self.relay()

    def hear(self, offers: Offers) -> None:
        """Something has been told: whatever was begun is over, what was sent has been heard."""
        self.let_go(relay=False)
        self.odds.clear()
        self.offers = {} if self._held else offers
        self.sent = None

    def _unselect(self) -> None:
        if self.selected is not None:
            self.selected.mark(selected=False)
        self.selected, self.chances = None, []
        self._close_chooser()
        self.lights.clear()
        if self.focus.place is not None:
            self.focus.clear()

    def let_go(self, relay: bool = True) -> None:
        """End whatever a person has begun; with `relay`, what was moved goes back."""
        moved = self.laid is not None or self.drag is not None
        self.hovered = None
        if self.drag is not None:
            drag, self.drag = self.drag, None
            drag.end()
            self.stage.rest(drag.item)
        self._unselect()
        self.laid = None
        raised, self.stage.raised = self.stage.raised, {}
        if relay and (moved or raised):
            self.relay()
