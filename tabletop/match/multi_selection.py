"""The cards a player arranges for a question that asks for several. Uses neither Qt nor rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from tabletop.engine.model import NO_CARD, Move, Offer, Preview, State, Value
from tabletop.match.offer_matching import AskedOffer, Offers, moves_to, multi_card_offers


class DraftMove:
    """An unsent move of several cards, which are placed into spots or simply chosen."""

    def __init__(self, asked: AskedOffer) -> None:
        self.asked = asked
        self.placed: list[int | None] = [None] * len(asked.offer.spots)
        """The card in each spot; an empty list for an offer without spots."""
        self.chosen: list[int] = []
        """The cards in the order they were chosen, for an offer without spots."""
        self._turn_letters = turn_letters_by_spot(asked.offer)
        self.turn_counts: dict[int, int] = {}
        """How many times each card was turned."""

    @classmethod
    def from_cards(cls, asked: AskedOffer, chosen: Sequence[int]) -> DraftMove | None:
        """Return a draft with the `chosen` cards, or None if the offer doesn't accept all."""
        offer = asked.offer
        if offer.spots or len(chosen) > offer.most or not set(chosen) <= set(offer.cards):
            return None
        arrangement = cls(asked)
        arrangement.chosen = list(chosen)
        return arrangement

    @property
    def cards(self) -> tuple[int, ...]:
        """The placed or chosen cards so far, in the order in which a move lists them."""
        if self.placed:
            return tuple(card for card in self.placed if card is not None)
        return tuple(sorted(self.chosen, key=self.asked.offer.cards.index))

    @property
    def is_complete(self) -> bool:
        """Whether the cards make an answer."""
        if self._turn_letters and self.choice not in self.asked.offer.choices:
            return False
        filled = [card is not None for card in self.placed]
        gap = False in filled and any(filled[filled.index(False) :])
        offer = self.asked.offer
        return not gap and offer.least <= len(self.cards) <= offer.most and bool(self.cards)

    def moves(self, target: str = "") -> list[Move]:
        """Return the answers that the cards make with `target`; several if a choice is open."""
        moves = moves_to([self.asked], self.cards, target) if self.is_complete else []
        return [move for move in moves if not self._turn_letters or move.choice == self.choice]

    @property
    def partial_move(self) -> Move:
        """The unfinished move, with NO_CARD at empty spots."""
        ask, offer = self.asked
        cards = tuple(NO_CARD if card is None else card for card in self.placed)
        return Move(ask, offer.verb, cards, "", self.choice)

    @property
    def choice(self) -> str:
        """The choice of the move: the orientation letters of all spots, joined."""
        turned = [self.turn_counts.get(card, 0) if card is not None else 0 for card in self.placed]
        return "".join(
            ways[n % len(ways)] for n, ways in zip(turned, self._turn_letters, strict=False)
        )

    def can_turn(self, card: int) -> bool:
        """Return whether `card` is at a spot with more than one orientation."""
        if not self._turn_letters or card not in self.placed:
            return False
        return len(self._turn_letters[self.placed.index(card)]) > 1

    def turn(self, card: int) -> None:
        """Rotate `card` to its next orientation."""
        self.turn_counts[card] = self.turn_counts.get(card, 0) + 1

    @property
    def angles(self) -> dict[int, float]:
        """The angles of the cards in spots, in degrees."""
        degrees = {}
        for card, ways in zip(self.placed, self._turn_letters, strict=False):
            if card is not None:
                degrees[card] = self.turn_counts.get(card, 0) % len(ways) * 360 / len(ways)
        return degrees

    @property
    def state_key(self) -> tuple[object, ...]:
        """A hashable value that changes whenever the draft changes."""
        return self.asked, *self.placed, *self.chosen, *self.turn_counts.items()

    def spot_zones(self) -> list[str]:
        """Return the zones of the spots, without duplicates."""
        return list(dict.fromkeys(self.asked.offer.spots))

    def zone_holding(self, card: int) -> str | None:
        """Return the zone of the spot that holds `card`, or None."""
        spots = zip(self.placed, self.asked.offer.spots, strict=False)
        return next((zone for placed, zone in spots if placed == card), None)

    def put_in_zone(self, card: int, zone: str) -> None:
        """Put `card` into the first free spot of `zone`.

        If all spots are occupied, replace the last card.
        """
        here = [i for i, name in enumerate(self.asked.offer.spots) if name == zone]
        if here and self.zone_holding(card) != zone:
            free = [i for i in here if self.placed[i] is None]
            self.put_in_spot(card, free[0] if free else here[-1])

    def put_in_spot(self, card: int, spot: int) -> None:
        """Put `card` into the spot at index `spot`.

        A card in that spot swaps places with `card`, or is taken back.
        """
        if card in self.placed:
            self.placed[self.placed.index(card)] = self.placed[spot]
        self.placed[spot] = card
        self._close_gaps()

    def remove(self, card: int) -> None:
        """Take `card` out of the draft."""
        if card in self.placed:
            self.placed[self.placed.index(card)] = None
            self._close_gaps()
        if card in self.chosen:
            self.chosen.remove(card)

    def toggle(self, card: int) -> None:
        """Add `card` to the draft, in the first free spot if there are spots, or take it back."""
        if card in self.placed or card in self.chosen:
            self.remove(card)
        elif None in self.placed:
            self.placed[self.placed.index(None)] = card
        elif not self.placed and len(self.chosen) < self.asked.offer.most:
            self.chosen.append(card)

    def apply_to(self, view: State) -> State:
        """Return `view` with the cards in their spots."""
        cards = dict(view.cards)
        for card, zone in zip(self.placed, self.asked.offer.spots, strict=False):
            if card is not None:
                cards = move_card(cards, card, zone)
        return replace(view, cards=cards)

    def _close_gaps(self) -> None:
        """Move the cards of each zone forward to the zone's first spots."""
        spots = self.asked.offer.spots
        for zone in set(spots):
            here = [i for i, name in enumerate(spots) if name == zone]
            cards = [self.placed[i] for i in here if self.placed[i] is not None]
            for place, i in enumerate(here):
                self.placed[i] = cards[place] if place < len(cards) else None


class MultiSelection:
    """The draft of several cards at one seat, kept until the sent answers are revealed."""

    def __init__(self, offers: Callable[[], Offers]) -> None:
        """`offers`: returns the offers that the seat can answer now."""
        self._get_offers = offers
        self.draft: DraftMove | None = None

    @property
    def is_active(self) -> bool:
        """Whether cards can be selected; False once the answer has been sent."""
        return self.draft is not None and self.draft.asked.ask in self._get_offers()

    @property
    def is_complete(self) -> bool:
        """Whether the selected cards make an answer."""
        return bool(self._complete_drafts)

    @property
    def verbs(self) -> tuple[str, ...]:
        """The verbs with which the selected cards can be sent."""
        return tuple(dict.fromkeys(each.asked.offer.verb for each in self._complete_drafts))

    @property
    def chosen(self) -> list[int]:
        """The chosen cards, in the order they were chosen."""
        return self.draft.chosen if self.draft else []

    @property
    def placed(self) -> list[int | None]:
        """The card in each spot; None for an empty spot."""
        return self.draft.placed if self.draft else []

    @property
    def turnable_cards(self) -> frozenset[int]:
        """The cards that can still be rotated before they are sent."""
        if self.draft is None or not self.is_active:
            return frozenset()
        return frozenset(filter(self.draft.can_turn, self.draft.cards))

    @property
    def _equivalent_drafts(self) -> list[DraftMove]:
        """The current draft, and drafts with the same cards for other offers that accept them."""
        current = self.draft
        if current is None or current.placed:
            return [current] if current is not None else []
        others = [
            asked for asked in multi_card_offers(self._get_offers()) if asked != current.asked
        ]
        alike = (DraftMove.from_cards(asked, current.chosen) for asked in others)
        return [current, *(each for each in alike if each is not None)]

    @property
    def _complete_drafts(self) -> list[DraftMove]:
        return (
            [each for each in self._equivalent_drafts if each.is_complete] if self.is_active else []
        )

    def update_draft(self, view: State | None) -> bool:
        """Create a draft if the offers ask for several cards, otherwise drop it.

        Return whether the draft was replaced.

        The draft of a sent answer stays until all answers are revealed.
        """
        asked_offers, old = multi_card_offers(self._get_offers()), self.draft
        if not asked_offers:
            if not (old is not None and view is not None and old.asked.ask in view.answers):
                self.draft = None
        elif old is None or old.asked not in asked_offers:
            self.draft = DraftMove(asked_offers[0])
        return self.draft is not old

    def draft_accepting(self, card: int) -> DraftMove | None:
        """Return a draft that `card` can be added to, or None if no offer for several accepts it.

        The result is the current draft if possible, else one for another offer with the same chosen
        cards, else a new one.
        """
        current = self.draft
        if current is None or not self.is_active:
            return None
        if card in current.cards or (current.placed and card in current.asked.offer.cards):
            return current
        asked_offers = [
            asked for asked in multi_card_offers(self._get_offers()) if card in asked.offer.cards
        ]
        asked_offers.sort(key=lambda asked: asked != current.asked)
        for asked in asked_offers:
            if asked != current.asked and DraftMove.from_cards(asked, [*current.chosen, card]):
                return DraftMove.from_cards(asked, current.chosen)
            if asked == current.asked and len(current.chosen) < asked.offer.most:
                return current
        if not asked_offers or current.asked in asked_offers:
            return current if asked_offers else None
        return DraftMove(asked_offers[0])

    def switch_draft(self, card: int) -> DraftMove | None:
        """Make the draft that accepts `card` the current one and return it.

        Return None if there isn't any.
        """
        joined = self.draft_accepting(card)
        self.draft = joined or self.draft
        return joined

    def targets(self) -> list[str]:
        """Return the zones that the selected cards can go to."""
        return list(
            dict.fromkeys(
                zone for each in self._complete_drafts for zone in each.asked.offer.targets
            )
        )

    def moves(self, target: str = "", verb: str = "") -> list[Move]:
        """Return the answers that the selected cards make with `target` (and `verb`, if given)."""
        answers = [move for each in self._equivalent_drafts for move in each.moves(target)]
        return [move for move in answers if verb in ("", move.verb)]

    def all_moves(self) -> list[Move]:
        """Return the answers that the selected cards make with any target."""
        places = dict.fromkeys(["", *self.targets()])
        return [move for target in places for move in self.moves(target)]

    def move_to_preview(self) -> Move | None:
        """Return the answer that the selected cards make without a target, if it is the only one.
        Cards in spots count as an unfinished answer.
        """
        arrangement = self.draft
        if arrangement is None or not self.is_active:
            return None
        moves = self.moves()
        if not moves and arrangement.placed:
            return arrangement.partial_move
        return moves[0] if len(moves) == 1 else None

    def preview_values(
        self, before: Mapping[str, Value], preview: Callable[[Move], Preview | None]
    ) -> Mapping[str, Value]:
        """Return the public values that the selected cards would lead to.

        `before`: the values previewed last, which are returned once the cards have been sent.
        """
        if self.draft is not None and not self.is_active:
            return before
        move = self.move_to_preview()
        foreseen = preview(move) if move is not None else None
        return foreseen.values if foreseen else {}


def turn_letters_by_spot(offer: Offer) -> tuple[str, ...]:
    """Return the orientation letters for each spot; empty if its choices aren't orientations."""
    spots = len(offer.spots)
    if not spots or not offer.choices or any(len(choice) != spots for choice in offer.choices):
        return ()
    return tuple("".join(dict.fromkeys(signs)) for signs in zip(*offer.choices, strict=True))


def move_card(
    cards: Mapping[str, tuple[int, ...]], card: int, target: str
) -> dict[str, tuple[int, ...]]:
    """Return the cards of all zones after `card` was moved to the end of `target`."""
    moved = {zone: tuple(c for c in held if c != card) for zone, held in cards.items()}
    if target in moved:
        moved[target] = (*moved[target], card)
    return moved
