"""Handles the taps by which a phone arranges several cards for one answer."""

from collections.abc import Sequence

from tabletop.match import offer_matching as offered
from tabletop.match.multi_selection import DraftMove, MultiSelection
from tabletop.match.offer_matching import AskedOffer
from tabletop.web.answer_steps import MAX_MOVES, AnswerSteps
from tabletop.web.page_parts import ArrangedCards
from tabletop.web.wire import ArrangeRequest


def apply_arrangement_tap(answers: AnswerSteps, tap: ArrangeRequest) -> ArrangedCards | None:
    """Return the arrangement after `tap`, with the answer that it makes; None if no question takes
    several cards.
    """
    asked_offers = offered.multi_card_offers(answers.offers)
    if not asked_offers:
        return None
    gathering = MultiSelection(lambda: answers.offers)
    gathering.draft = _arrange(asked_offers, tap)
    held = _apply_tap(gathering, tap)
    arrangement = gathering.draft
    cards = arrangement.cards
    alone = cards[0] if arrangement.chosen and len(cards) == 1 else None
    known = alone is not None and bool(offered.single_card_offers(answers.offers, alone))
    return ArrangedCards(
        at=asked_offers.index(arrangement.asked),
        chosen=tuple(arrangement.chosen),
        spots=tuple(arrangement.placed),
        signs=arrangement.choice,
        turns={
            card: arrangement.turn_counts[card] for card in cards if card in arrangement.turn_counts
        },
        held=held,
        turnable=held is not None and arrangement.placed[held] in gathering.turnable_cards,
        card=alone if known else None,
        step=answers.first_step(gathering.all_moves()[:MAX_MOVES]),
        begun=None
        if all(card is None for card in arrangement.placed)
        else arrangement.partial_move,
    )


def _arrange(asked_offers: Sequence[AskedOffer], tap: ArrangeRequest) -> DraftMove:
    """Return the arrangement before the tap, without cards that are no longer legal."""
    before = {card for card in (*tap.chosen, *tap.spots) if card is not None}
    likely = [*asked_offers[tap.at : tap.at + 1], *asked_offers]
    fitting = (asked for asked in likely if before <= set(asked.offer.cards))
    asked = next(fitting, asked_offers[0])
    arrangement, taken = DraftMove(asked), asked.offer.cards
    for spot, card in enumerate(tap.spots[: len(arrangement.placed)]):
        if card in taken and card not in arrangement.placed:
            arrangement.placed[spot] = card
    if not arrangement.placed:
        chosen = dict.fromkeys(card for card in tap.chosen if card in taken)
        arrangement.chosen = list(chosen)[: asked.offer.most]
    arrangement.turn_counts = dict(tap.turns)
    return arrangement


def _apply_tap(gathering: MultiSelection, tap: ArrangeRequest) -> int | None:
    """Apply a tap to `gathering`. Return the selected spot after it; None for no spot."""
    arrangement = gathering.draft
    assert arrangement is not None
    placed = arrangement.placed
    held = tap.held if tap.held is not None and tap.held < len(placed) else None
    match tap.does:
        case "card" if (joined := gathering.switch_draft(tap.card)) is not None:
            arrangement = joined
            placed = arrangement.placed
            if not placed:
                arrangement.toggle(tap.card)
            elif tap.card in placed:
                return _spot_tapped(arrangement, held, placed.index(tap.card))
            elif held is not None or None in placed:
                arrangement.put_in_spot(tap.card, placed.index(None) if held is None else held)
                return None
        case "spot" if tap.spot < len(placed):
            return _spot_tapped(arrangement, held, tap.spot)
        case "take" if held is not None and (card := placed[held]) is not None:
            arrangement.remove(card)
            return None
        case "turn" if held is not None and (card := placed[held]) is not None:
            arrangement.turn(card)
    return held if held is not None and held < len(placed) else None


def _spot_tapped(arrangement: DraftMove, held: int | None, spot: int) -> int | None:
    """Select or deselect `spot`, or swap its card with the one at the selected spot `held`. Return
    the selected spot afterwards.
    """
    placed = arrangement.placed
    if held is None or placed[held] == placed[spot]:
        return None if held == spot else spot
    target, here = (spot, held) if placed[held] is not None else (held, spot)
    card = placed[here]
    assert card is not None
    arrangement.put_in_spot(card, target)
    return None
