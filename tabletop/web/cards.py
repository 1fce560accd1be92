"""Builds the zones, cards and card faces of a page."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Sight, back_of, hidden_card, is_face
from tabletop.games.game_info import DIE
from tabletop.language.words import Words
from tabletop.match import offer_matching as offered
from tabletop.match.seat import Seat
from tabletop.match.tentative_cards import TentativeCards
from tabletop.web.answer_steps import AnswerSteps, zone_heading
from tabletop.web.drawer import PictureOrder
from tabletop.web.page_context import PageContext
from tabletop.web.page_parts import PageCard, PageFace, PageZone

MAX_SEPARATE_CARDS = 3
"""The maximum number of equal unplayable cards in a zone that are sent separately. More are sent as
one heap.
"""

_kinds: dict[str, tuple[int, ...]] = {}


def first_equal_cards(kit: GameKit) -> tuple[int, ...]:
    """Return, for each card of the game, the first card with the same face."""
    if kit.id not in _kinds:
        first: dict[str, int] = {}
        _kinds[kit.id] = tuple(
            first.setdefault(repr(sorted(face.items())), card) for card, face in enumerate(kit.deck)
        )
    return _kinds[kit.id]


@lru_cache(maxsize=256)  # enough for all phones, as every event makes new pages
def _labels(words: Words, zones: tuple[str, ...], viewer: int) -> Mapping[str, str]:
    """Return the names of the zones on the table.
    Zones without a name are in the box and never shown.
    """
    names = {name: zone_heading(name, words, viewer) for name in zones}
    return {name: label for name, label in names.items() if label != name}


class TableCards:
    """Builds the zones, cards and faces of a page, as one seat sees them."""

    def __init__(
        self, seat: Seat, context: PageContext, words: Words, answers: AnswerSteps
    ) -> None:
        self._kit = context.kit
        self._art = context.art_version
        self._words = words
        self._answers = answers
        self._seat = seat.number
        tentative = TentativeCards(seat.view, context.kit, seat.pending)
        self._waiting = dict(tentative.cards_on_targets)
        self._angles = tentative.card_angles
        self.view = tentative.shown
        """The table as the seat sees it, with its pending cards at their targets."""
        self._labels = _labels(words, tuple(self.view.zones), self.view.viewer)
        self._kinds = first_equal_cards(context.kit)
        self._listed = {name: self._list_cards(name) for name in self._labels}

    def cards(self) -> dict[int, PageCard]:
        """Return all visible cards by number, except those in heaps."""
        asked_offers = offered.multi_card_offers(self._answers.offers)
        gathered = {card for asked in asked_offers for card in asked.offer.cards}
        shown = (card for name in self._labels for card in self._listed[name])
        return {card: self._card(card, card in gathered) for card in sorted(set(shown))}

    def zones(self, cards: Mapping[int, PageCard]) -> tuple[PageZone, ...]:
        """Return all zones with cards, and the seat's own empty zones."""
        return tuple(
            self._zone(name, cards)
            for name in self._labels
            if self.view.cards[name] or self._owns(self.view.zones[name].owner)
        )

    def faces(self, zones: Iterable[PageZone], cards: Iterable[PageCard]) -> dict[str, PageFace]:
        """Return the faces of `cards` and the backs of `zones` by key."""
        keys = {card.face for card in cards} | {zone.back for zone in zones if zone.back}
        return {key: self._face(key) for key in sorted(keys)}

    def _owns(self, owner: int | None) -> bool:
        return owner is not None and owner == self._seat

    def _list_cards(self, name: str) -> tuple[int, ...]:
        """Return the cards of a zone; empty if they are a heap of equal face-down cards."""
        held = self.view.cards[name]
        if not held:
            return ()
        dark = not any(map(is_face, held)) and len({self._key(card) for card in held}) == 1
        return () if dark else held

    def _zone(self, name: str, cards: Mapping[int, PageCard]) -> PageZone:
        zone, held = self.view.zones[name], self.view.cards[name]
        shown = self._listed[name]
        own = self._owns(zone.owner)
        hand = own and zone.sight in (Sight.OWNER, Sight.OTHERS)
        idle: Mapping[str, int] = {}
        if len(shown) > MAX_SEPARATE_CARDS:
            idle = Counter(cards[card].face for card in shown if not cards[card].playable)
        return PageZone(
            name,
            self._labels[name],
            shown,
            heaps={face: count for face, count in idle.items() if count > MAX_SEPARATE_CARDS},
            hidden=len(held) - len(shown),
            back=self._key(held[0]) if held and not shown else "",
            hand=hand,
            near=bool(held) and (hand or any(cards[card].playable for card in shown)),
        )

    def _card(self, card: int, gathered: bool) -> PageCard:
        if not is_face(card):
            return PageCard(self._key(card))
        step = self._answers.card_step(card)
        return PageCard(
            self._key(card),
            playable=gathered or step is not None,
            together=gathered,
            step=step,
            laid=self._waiting.get(card, ""),
            angle=self._angles.get(card, 0),
            odds=self._answers.odds_of(card) if step else "",
        )

    def _key(self, card: int) -> str:
        if is_face(card):
            return f"k{self._kinds[card]}"
        back = back_of(card)
        return f"b{self._kit.back_names.index(DIE) if self._kit.is_die(card) else back}"

    def _face(self, key: str) -> PageFace:
        words, number = self._words, int(key[1:])
        art = picture_name(self._kit.id, key, words.language, self._art)
        if key[0] == "b":
            return PageFace(words.card(hidden_card(number)), picture=art)
        text = words(str(self._kit.deck[number].get("text", "")))
        return PageFace(words.card(number), text, art)


def picture_name(game: str, key: str, language: str, art_version: str) -> str:
    """Return the name of the picture of a card's side or a box, or "" without pictures."""
    return f"{game}.{key}.{language}.{art_version}" if art_version else ""


def picture_order(
    seat: Seat, context: PageContext, language: str, theme: str, size: tuple[int, int]
) -> PictureOrder:
    """Return the order for a picture of the table as the seat sees it, with
    pending cards at their targets.
    """
    tentative = TentativeCards(seat.view, context.kit, seat.pending)
    angles = tentative.card_angles
    waiting = tuple(card for card, _ in tentative.cards_on_targets)
    return PictureOrder(
        context.kit.id,
        tentative.shown,
        context.players,
        language,
        theme,
        *size,
        waiting,
        {card: angles[card] for card in waiting if angles.get(card)},
    )
