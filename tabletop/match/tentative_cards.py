"""Cards that a seat has placed tentatively: shown at their targets, before the answer is sent or
confirmed. No Qt, no rules."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Move, State
from tabletop.match.multi_selection import DraftMove, move_card
from tabletop.text.phrases import fill_gaps


class TentativeCards(Struct, frozen=True):
    """A view with its seat's tentative cards."""

    view: State
    kit: GameKit
    pending: Move | None = None
    """The answer that is on its way."""
    draft: DraftMove | None = None
    undecided: tuple[int, str] | None = None
    """The card on a target while a choice is still open."""
    angle: float | None = None
    """The angle of that card in degrees, where it is being chosen."""

    @property
    def _answers(self) -> list[Move]:
        """The seat's answers that are not confirmed yet, or wait until all have answered."""
        view = self.view
        moves = [view.answers.get(ask.id) for ask in view.asks if ask.seat == view.viewer]
        return [move for move in (self.pending, *moves) if move is not None]

    @property
    def cards_on_targets(self) -> list[tuple[int, str]]:
        """Own cards that wait on their targets, with these."""
        return [laid for move in self._answers for laid in self._targets_of_move(move)]

    def _targets_of_move(self, move: Move) -> list[tuple[int, str]]:
        """Return the places where a move's cards wait: on its target, or where the layout says
        instead; none where they are only named."""
        gesture = self.kit.layout.gesture(move.verb)
        waits = gesture.waits.get(move.target, move.target)
        target = fill_gaps(waits, {"me": self.view.viewer})
        return [(card, target) for card in move.cards if target and not gesture.stays]

    @property
    def shown(self) -> State:
        """The view with the tentative cards at their targets."""
        view = self.draft.apply_to(self.view) if self.draft else self.view
        for card, target in (*([self.undecided] if self.undecided else []), *self.cards_on_targets):
            if card not in view.cards.get(target, ()):  # else it is named at its own place
                view = replace(view, cards=move_card(view.cards, card, target))
        return view

    @property
    def card_angles(self) -> Mapping[int, float]:
        """The tentatively turned cards, with their angles in degrees."""
        angles = dict(self.draft.angles) if self.draft else {}
        for move in self._answers:
            angles |= dict.fromkeys(move.cards, angle_of(move, self.kit))
        if self.undecided is not None and self.angle is not None:
            angles[self.undecided[0]] = self.angle
        return angles


def angle_of(move: Move, kit: GameKit) -> float:
    """The angle in degrees at which a move's choice turns its card."""
    return kit.layout.gesture(move.verb).turns.get(move.choice, 0.0)
