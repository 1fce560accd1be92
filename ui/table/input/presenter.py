"""Cards as they lie during a decision: set aside, raised, turned, marked, lit."""

from __future__ import annotations

from PySide6.QtCore import QObject

from tabletop.engine.model import AUDIENCE, State
from tabletop.match import offer_matching as offered
from tabletop.match import tentative_cards as laid_aside
from tabletop.match.tentative_cards import TentativeCards
from ui.table.animation.animator import HOME_MS, NUDGE_MS, Animator
from ui.table.input.focus import Focus
from ui.table.input.odds import Odds
from ui.table.input.pending_answer import PendingAnswer
from ui.table.input.selection import CardSelection
from ui.table.items.card_item import DIMMED
from ui.table.items.stage import Stage


class Presenter(QObject):
    """Shows on the stage what a hand holds; it decides nothing."""

    def __init__(
        self,
        stage: Stage,
        animator: Animator,
        answer: PendingAnswer,
        selection: CardSelection,
        focus: Focus,
    ) -> None:
        super().__init__()
        self._stage = stage
        self._animator = animator
        self._answer = answer
        self._selection = selection
        self._focus = focus
        self.odds = Odds(stage)
        self.waits = False
        """Whether the pending answer is shown: its cards lie dimmed where they go."""

    @property
    def _aside(self) -> TentativeCards:
        view, link, chooser = self._stage.view, self._answer.link, self._selection.chooser
        assert view is not None
        return TentativeCards(
            view,
            self._stage.prints.kit,
            link.seat if link is not None else AUDIENCE,
            self._answer.pending if self.waits else None,
            self._answer.gathering.arrangement,
            self._selection.laid,
            chooser.angle if chooser is not None else None,
        )

    def shown(self) -> State:
        """The view with what this seat has put elsewhere for the time being; the stage turns what
        is turned, and draws the values that are foreseen."""
        stage = self._stage
        stage.turned = laid_aside.turned(self._aside)
        stage.foreseen = self._answer.gathering.foreseen(stage.foreseen, self._answer.preview)
        return laid_aside.shown(self._aside)

    def relay(self) -> None:
        """Bring every card to where it lies now, from wherever it is."""
        if self._stage.view is None or self._answer.link is None or self._animator.running:
            return
        self._stage.gather(self.shown())
        self._stage.raised = self._raised()
        self._glide(HOME_MS)
        self.mark()

    def rise(self) -> None:
        """The card under the pointer, else the focused or chosen one, is held up a little."""
        if self._animator.running or self._stage.view is None:
            return
        raised = self._raised()
        if raised != self._stage.raised:
            self._stage.raised = raised
            self._glide(NUDGE_MS)

    def _raised(self) -> dict[str, int]:
        raised = {}
        for item in (self._selection.item, self._focus.card, self._selection.hovered):
            items = self._stage.zones.get(item.zone, []) if item is not None else []
            if item is not None and item in items:
                raised[item.zone] = items.index(item)
        return raised

    def turn_laid(self) -> None:
        """Turn the card on its target as the choice being weighed would turn it."""
        turned = laid_aside.turned(self._aside)
        if self._stage.turned != turned:
            self._stage.turned = turned
            self._glide(NUDGE_MS)

    def _glide(self, length: float) -> None:
        self._stage.lay_out()
        self._animator.glide(self._stage.slots(), length)

    def mark(self) -> None:
        """Show which cards may be played, which are chosen and which wait."""
        if self._stage.view is None:
            return
        gathering = self._answer.gathering
        playable = offered.playable(self._answer.offers).difference(gathering.placed)
        chosen, turning = set(gathering.chosen), gathering.turning
        waiting = {card for card, _ in laid_aside.waiting(self._aside)}
        for item in self._stage.items:
            selected = item is self._selection.item or item.card in chosen
            turns = item.card in turning
            item.mark(playable=item.card in playable, selected=selected, turns=turns)
            item.setOpacity(DIMMED if item.card in waiting else 1.0)

    def light_bare(self) -> None:
        """Places that may be chosen without a card are lit while none is chosen."""
        if self._selection.item is not None or self._animator.running:
            return
        self._selection.light_bare()
        if self._answer.link is not None:
            self.odds.show(self._answer.link, self._answer.offers)
