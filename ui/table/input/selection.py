"""The card that is chosen, the places that light up for it, and the choice that is left."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QPointF, QRectF, Signal

from tabletop.engine.model import Move
from tabletop.match import offer_matching as offered
from tabletop.match.offer_matching import AskedOffer
from ui.table.input.chooser import Chooser
from ui.table.input.lights import Lights
from ui.table.input.pending_answer import PendingAnswer
from ui.table.items.card_item import CardItem
from ui.table.items.stage import Stage


class CardSelection(QObject):
    """At most one card at a time. It knows where it may go; the hand does what comes of it."""

    chosen = Signal(object)
    """The Move that was chosen from what was left."""
    listed = Signal()
    """A list of choices has come or gone."""
    weighed = Signal(object)
    """The Preview of the choice being weighed, or None."""
    half_made = Signal()
    """A choice is open that decides (`choosing`), or is not any more."""

    def __init__(self, stage: Stage, answer: PendingAnswer, lights: Lights) -> None:
        super().__init__()
        self._stage = stage
        self._answer = answer
        self._lights = lights
        self.item: CardItem | None = None
        self.hovered: CardItem | None = None
        """The card under the pointer."""
        self.chances: list[AskedOffer] = []
        """The offers of the chosen card alone."""
        self.chooser: Chooser | None = None
        self.laid: tuple[int, str] | None = None
        """The card on a target while a choice is still open."""
        self.choosing = ""
        """The verb of the moves one of which is to be chosen; empty where none is."""

    def take(self, item: CardItem) -> None:
        """This card is the chosen one."""
        self.item = item
        self.chances = offered.single(self._answer.offers, item.card)
        item.mark(selected=True)

    def light(self) -> None:
        """Light all places for the chosen card; what turns may be turned from here on."""
        item = self.item
        assert item is not None
        self._lights.show(self.targets(item))
        places = offered.targets(self.chances)
        moves = offered.moves_to(self.chances, (item.card,), places[0]) if places else []
        layout = self._stage.prints.kit.layout
        if moves and layout.gesture(moves[0].verb).chooser == "dial":
            self._show(moves)

    def light_bare(self) -> None:
        """Light the places that may be chosen without a card."""
        chances = offered.bare(self._answer.offers)
        gesture = self._stage.prints.kit.layout.gesture
        loud = {t for c in chances if not gesture(c.offer.verb).quiet for t in c.offer.targets}
        places = dict.fromkeys(target for chance in chances for target in chance.offer.targets)
        self._lights.show(places, quiet=places.keys() - loud, bare=True)

    def clear(self) -> None:
        """No card is chosen; nothing is lit for one."""
        if self.item is not None:
            self.item.mark(selected=False)
        self.item, self.chances = None, []
        self._close()
        self._lights.clear()

    def targets(self, item: CardItem) -> list[str]:
        """Return the zones where a card may go now."""
        zones = offered.targets(offered.single(self._answer.offers, item.card))
        return zones + self._answer.gathering.targets(item.card, self.source(item.card))

    def source(self, card: int) -> str:
        """The zone of a card in the view, no matter where it has been put since."""
        view = self._stage.view
        cards = view.cards if view is not None else {}
        return next((zone for zone, held in cards.items() if card in held), "")

    def moves_to(self, zone: str) -> list[Move]:
        """Return the moves to this place: with the chosen card, those put together, or none."""
        if self.item is not None:
            return offered.moves_to(self.chances, (self.item.card,), zone)
        if self._answer.gathering.active and self._answer.gathering.chosen:
            return self._answer.gathering.moves(zone)
        return self.bare_moves_to(zone)

    def bare_moves_to(self, zone: str) -> list[Move]:
        """Return the moves to this place without any card."""
        return offered.moves_to(offered.bare(self._answer.offers), (), zone)

    def carried_from(self, zone: str) -> list[Move]:
        """The moves that carry the top card of this place to another."""
        gesture = self._stage.prints.kit.layout.gesture
        return [move for move in self.bare_moves_to(zone) if gesture(move.verb).carries]

    def is_listed(self, moves: Sequence[Move]) -> bool:
        """Whether these are chosen from a list, be it of one."""
        gesture = self._stage.prints.kit.layout.gesture
        return len(moves) > 1 or any(gesture(move.verb).menu for move in moves)

    # Choosing what is left

    def weigh(self, zone: str | None) -> None:
        """Preview the chosen card's move to this lit place; None: it is over none."""
        self._lights.near(zone)
        if self.laid is not None:
            return
        if zone is None:
            if self.item is None:
                self._close()  # it may lie over another place that is lit
            return
        moves = self.moves_to(zone) if self._has_outlook else []
        if self.chooser is not None and self.chooser.moves == moves:
            return
        if any(self._answer.preview(move) for move in moves):
            self._show(moves)

    @property
    def _has_outlook(self) -> bool:
        """Whether the layout has room for what would come of a move."""
        setting = self._stage.setting
        return setting is not None and setting.surface.outlook is not None

    @property
    def decides(self) -> bool:
        """Whether a choice would decide, because the place is decided."""
        return self.laid is not None or len(offered.targets(self.chances)) < 2

    def choose(self, moves: list[Move], point: QPointF, beside: QRectF | None = None) -> None:
        """Let one of these be chosen, at this point or beside this place."""
        self._open(moves, point, beside)
        self.choosing = moves[0].verb
        self.half_made.emit()
        self._lights.clear()
        if self.chooser is not None:
            self.chooser.point(0)

    def _show(self, moves: list[Move]) -> None:
        """Preview these moves; a single one at once."""
        self._open(moves, None)
        if len(moves) == 1 and self.chooser is not None:
            self.chooser.point(0)

    def _open(self, moves: list[Move], at: QPointF | None, beside: QRectF | None = None) -> None:
        self._close()
        if self._answer.link is None:
            return
        self.chooser = Chooser(self._stage, self._answer.link, moves, at=at, beside=beside)
        self.chooser.chosen.connect(self.chosen)
        self.chooser.weighed.connect(self._lights.make_room)
        self.chooser.weighed.connect(self.weighed)
        self.listed.emit()

    def _close(self) -> None:
        if self.chooser is not None:
            self.chooser.close()
            self.chooser = None
            self.listed.emit()
        if self.choosing:
            self.choosing = ""
            self.half_made.emit()
