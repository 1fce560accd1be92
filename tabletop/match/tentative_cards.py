"""A seat's cards shown at their targets before the answer is sent or confirmed."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Move, State
from tabletop.match.multi_selection import DraftMove, move_card
from tabletop.text.phrases import fill_gaps


class TentativeCards(Struct, frozen=True):
    """A view combined with its seat's unsent or unconfirmed moves."""

    view: State
    kit: GameKit
    pending: Move | None = None
    """The answer that was sent but isn't confirmed yet."""
    draft: DraftMove | None = None
    undecided: tuple[int, str] | None = None
    """A card and the target zone it is shown in while the player chooses among its moves."""
    angle: float | None = None
    """The angle of the `undecided` card in degrees, while its orientation is being chosen."""

    @property
    def _answers(self) -> list[Move]:
        """The seat's answers that are unconfirmed, or sealed until all players have answered."""
        view = self.view
        moves = [view.answers.get(ask.id) for ask in view.asks if ask.seat == view.viewer]
        return [move for move in (self.pending, *moves) if move is not None]

    @property
    def cards_on_targets(self) -> list[tuple[int, str]]:
        """The cards of unconfirmed answers, with the zones they are shown in."""
        return [laid for move in self._answers for laid in self._targets_of_move(move)]

    def _targets_of_move(self, move: Move) -> list[tuple[int, str]]:
        """Return (card, zone) for each card of `move`; the layout may replace the target.

        Return an empty list if the cards stay where they are.
        """
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
        """The angles of tentatively turned cards, in degrees."""
        angles = dict(self.draft.angles) if self.draft else {}
        for move in self._answers:
            angles |= dict.fromkeys(move.cards, angle_of(move, self.kit))
        if self.undecided is not None and self.angle is not None:
            angles[self.undecided[0]] = self.angle
        return angles


def angle_of(move: Move, kit: GameKit) -> float:
    """Return the angle in degrees at which the choice of `move` turns its card."""
    return kit.layout.gesture(move.verb).turns.get(move.choice, 0.0)
