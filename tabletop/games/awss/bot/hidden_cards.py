"""Inference of hidden cards: what a seat knows about where they are, and worlds that agree with it.

After this seat has passed on a hand, each later holder has taken one card from it, unless that
player visibly gained a public card. The rest is with the current holder. Nobody knows who took
which card, but cards that help each other are more likely to be together.
"""

from collections.abc import Sequence
from math import exp
from typing import Final, NamedTuple

from tabletop.engine.events import Said, in_zone_order
from tabletop.engine.heuristic import Past
from tabletop.engine.mask import seen_faces
from tabletop.engine.model import AUDIENCE, Rng, State, hidden_card, is_face
from tabletop.games.awss.board import BOARD
from tabletop.games.awss.bot.draft_forecast import picked_cards
from tabletop.games.awss.deck import Deck
from tabletop.games.awss.places import (
    DIRECTION,
    HAND,
    OLDER,
    PHASE,
    PICKED,
    PICKS,
    PUBLIC,
    ROUND,
    YEAR,
)

BOND_PER_POINT: Final = 0.2
"""How much each point by which two cards help each other increases the log probability that one
player has both. It was fitted to the picks of hard bots.
"""
EXCHANGES_PER_CARD: Final = 3
"""The number of exchanges to try for each card in a group of hidden cards."""
PROBABILITY_STEPS: Final = 1 << 20
"""The number of equal steps in the random numbers that decide on exchanges."""
NOBODY: Final = -1
OWNER: Final = {zone: seat for zones in (PICKED, OLDER) for seat, zone in enumerate(zones)} | {
    zone: seat for seat, cells in enumerate(BOARD) for zone in cells
}
"""The seat that owns the picks in a zone. The holder of a hand doesn't own its cards."""


class Group(NamedTuple):
    """Cards that are distributed over `zones`. A zone is listed once for each card in it."""

    cards: tuple[int, ...]
    places: tuple[str, ...]


class HiddenKnowledge(NamedTuple):
    """What a player knows about hidden cards: groups of them, and the known cards of each seat."""

    groups: tuple[Group, ...]
    seen: tuple[tuple[int, ...], ...]


class PublicGain(NamedTuple):
    """A player's gain of a public card, as all players saw it."""

    seat: int
    year: int
    round: int


def infer_hidden_cards(deck: Deck, view: State, past: Past) -> HiddenKnowledge:
    """Return what the viewer knows about the creatures that are hidden in `view`."""
    viewer = view.viewer if view.viewer is not None else AUDIENCE
    seen = seen_faces(view, viewer)
    back = hidden_card(view.backs[deck.draw[0]])
    hidden_cards = {name: cards.count(back) for name, cards in view.cards.items()}
    unseen = [card for card in range(len(deck.season)) if card not in seen]
    drafts = [earlier for earlier in past.seen if PHASE.of(earlier) == "draft"]
    gains = _gains(past, drafts)
    groups = []
    for card in unseen:
        place = ""
        if card in gains:
            place = _zone_of_pick(view, hidden_cards, gains[card].seat, gains[card].year)
        elif card in deck.public and hidden_cards["wonders"]:
            place = "wonders"
        if place:
            hidden_cards[place] -= 1
            groups.append(Group((card,), (place,)))
    placed = {card for group in groups for card in group.cards}
    groups += _passed_cards(view, drafts, seen | placed, gains, hidden_cards)
    placed = {card for group in groups for card in group.cards}
    places = tuple([name for name, number in hidden_cards.items() for _ in range(number)])
    groups.append(Group(tuple([card for card in unseen if card not in placed]), places))
    own = [
        tuple([card for card in picked_cards(view, s) if is_face(card)]) for s in range(view.seats)
    ]
    return HiddenKnowledge(tuple(groups), tuple(own))


def _gains(past: Past, drafts: Sequence[State]) -> dict[int, PublicGain]:
    """Return the gains of public cards by card,
    each with the round in which the card was last in its slot.
    """
    last: dict[int, tuple[int, int]] = {}
    for earlier in drafts:
        at = YEAR.of(earlier), ROUND.of(earlier)
        for zone in PUBLIC:
            last.update(dict.fromkeys(earlier.cards[zone], at))
    gains: dict[int, PublicGain] = {}
    for entry in past.heard:
        match entry:
            case Said(text="{seat} gains {card}.", cards=(card,), args={"seat": int(seat)}):
                gains[card] = PublicGain(seat, *last.get(card, (0, 0)))
            case _:
                pass
    return gains


def _zone_of_pick(view: State, hidden_cards: dict[str, int], seat: int, year: int) -> str:
    """Return the hidden zone of a card that this player took in that year; "" if all are full."""
    zones = [OLDER[seat], *BOARD[seat]]
    zones.insert(0 if year == YEAR.of(view) else len(zones), PICKED[seat])
    return next((zone for zone in zones if hidden_cards[zone]), "")


def _passed_cards(
    view: State,
    drafts: Sequence[State],
    placed: set[int],
    gains: dict[int, PublicGain],
    hidden_cards: dict[str, int],
) -> list[Group]:
    """Return the groups of cards that the viewer saw in hands and passed on, one for each hand."""
    viewer = view.viewer if view.viewer is not None else AUDIENCE
    year, now = YEAR.of(view), ROUND.of(view)
    drafting = PHASE.of(view) == "draft"
    groups: list[Group] = []
    for earlier in drafts:
        then, passed = YEAR.of(earlier), ROUND.of(earlier)
        hand = earlier.cards[HAND[viewer]]
        left = [card for card in hand if card not in placed]
        still = then == year and drafting
        rounds = range(passed + 1, now if still else PICKS + 1)
        holders = [(viewer + (n - passed) * DIRECTION[then]) % view.seats for n in rounds]
        takers = [
            seat
            for seat, n in zip(holders, rounds, strict=True)
            if seat != viewer
            and PublicGain(seat, then, n) not in gains.values()
            and not _is_appeal_card(view, seat, hand)
        ]
        zones = [_zone_of_pick(view, hidden_cards, seat, then) for seat in takers]
        if still:
            holder = (viewer + (now - passed) * DIRECTION[then]) % view.seats
            zones += [HAND[holder]] * (len(left) - len(zones))
        places = []
        for zone in zones[: len(left)]:
            if hidden_cards.get(zone, 0):
                hidden_cards[zone] -= 1
                places.append(zone)
        groups.append(Group(tuple(left[: len(places)]), tuple(places)))
        placed |= {*left[: len(places)]}
    return groups


def _is_appeal_card(view: State, seat: int, hand: Sequence[int]) -> bool:
    """Return whether this player's pick from a hand is visible as an appeal card."""
    return any(card in hand for zone in BOARD[seat] for card in view.cards[zone])


class Dealer:
    """Deals hidden cards to the zones where they may be."""

    def __init__(self, pairs: Sequence[Sequence[float]]) -> None:
        self.pairs = pairs

    def dealt(
        self, view: State, hidden: HiddenKnowledge, chance: Rng
    ) -> dict[str, tuple[int, ...]]:
        """Return the zones of `view` with a creature in place of each hidden card."""
        owners: list[int] = []
        cards: list[int] = []
        ranges: list[tuple[int, int]] = []
        places: list[str] = []
        holding = [list(own) for own in hidden.seen]
        mine: list[int] = []
        begin = 0
        for group in hidden.groups:
            end = begin + len(group.cards)
            for card, place in zip(chance.shuffled(group.cards), group.places, strict=True):
                seat = OWNER.get(place, NOBODY)
                if seat != NOBODY:
                    holding[seat].append(card)
                    if len(group.cards) > 1:
                        mine.append(len(cards))
                cards.append(card)
                owners.append(seat)
                places.append(place)
                ranges.append((begin, end))
            begin = end
        if mine:
            for _ in range(EXCHANGES_PER_CARD * len(mine)):
                at = mine[chance.below(len(mine))]
                low, high = ranges[at]
                self._exchange(cards, owners, holding, at, low + chance.below(high - low), chance)
        return _put_into_zones(view, cards, places)

    def _exchange(
        self,
        cards: list[int],
        owners: list[int],
        holding: list[list[int]],
        at: int,
        other: int,
        chance: Rng,
    ) -> None:
        """Exchange two hidden cards, with the acceptance probability
        of the Metropolis algorithm.
        """
        one, two = owners[at], owners[other]
        if one == two:
            return
        ours, theirs = cards[at], cards[other]
        gain = self._bond(theirs, holding[one], ours) - self._bond(ours, holding[one], ours)
        if two != NOBODY:
            gain += self._bond(ours, holding[two], theirs) - self._bond(
                theirs, holding[two], theirs
            )
        if (
            gain < 0
            and chance.below(PROBABILITY_STEPS) >= exp(BOND_PER_POINT * gain) * PROBABILITY_STEPS
        ):
            return
        cards[at], cards[other] = theirs, ours
        holding[one][holding[one].index(ours)] = theirs
        if two != NOBODY:
            holding[two][holding[two].index(theirs)] = ours

    def _bond(self, card: int, own: list[int], without: int) -> float:
        """Return how many points `card` and the cards `own`, except `without`, give each other."""
        beside = self.pairs[card]
        total = 0.0
        for other in own:
            if other != without:
                total += beside[other]
        return total


def _put_into_zones(
    view: State, cards: Sequence[int], places: Sequence[str]
) -> dict[str, tuple[int, ...]]:
    """Return the zones of `view`, with each of `cards` in the zone at the same index
    of `places`.
    """
    dealt: dict[str, list[int]] = {}
    for card, place in zip(cards, places, strict=True):
        dealt.setdefault(place, []).append(card)
    zones = view.cards.copy()
    for name, cards in dealt.items():
        zones[name] = in_zone_order(
            view.zones[name], (*cards, *[card for card in zones[name] if is_face(card)])
        )
    return zones
