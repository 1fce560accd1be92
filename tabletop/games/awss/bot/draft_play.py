"""A draft in numbers, so that many picks can be tried in many worlds.

A world is played to the end of the draft without the table's pens: everybody picks what she wants
most.
"""

from collections.abc import Sequence
from math import inf
from typing import Final

from tabletop.engine.model import Look, Move, as_number
from tabletop.games.awss.board import SEATS
from tabletop.games.awss.bot.draft_forecast import Drafting, Picks, held
from tabletop.games.awss.effects import SEASONS
from tabletop.games.awss.places import (
    CLAIM,
    DIRECTION,
    HAND,
    LAID,
    PICKS,
    PUBLIC,
    YEARS,
)

NORMAL: Final = -1
"""Of who picks from the hand, instead of the slot of a public card."""
Choice = tuple[int, int]
"""A card of the hand, and the slot of the public card that it is laid down for, or NORMAL."""

LEADING: Final = 0.25
MOST: Final = 3.0
"""For each point that one is ahead of the best other in a season a card of it is worth so much
more, and so much at the most."""

LYING: Final = tuple(
    ((LAID[seat], NORMAL), *[(claims[seat], slot) for slot, claims in enumerate(CLAIM)])
    for seat in SEATS
)
"""Where a seat's pick lies that may still be changed, and for which slot."""


class Draft:
    """A table while it drafts: card by card, nothing told."""

    def __init__(self, drafting: Drafting, seats: int, watchful: bool) -> None:
        self.drafting = drafting
        self.seats = seats
        self.watchful = watchful
        """Whether all see in every round where they are ahead, or only now, which is quicker."""
        self.year = 1
        self.round = 1
        self.first = 0
        """Who gains a public card that several want; the next one in the next round."""
        self.laid: dict[int, Choice] = {}
        """What the others have chosen already, in everybody's sight (A3)."""
        self.picks: Picks = []
        self.strong: list[list[float]] = []
        """Of each seat what its picks are worth beside each other, by season."""
        self.leads: list[list[float]] = []
        """How much more each seat wants a card of each season, for it is ahead there, or less."""
        self.hands: Picks = []
        self.public: list[int] = []
        self.deck: list[int] = []
        self.wonders: list[int] = []

    def clone(self) -> "Draft":
        twin = Draft(self.drafting, self.seats, self.watchful)
        twin.year, twin.round, twin.first = self.year, self.round, self.first
        twin.laid = self.laid
        twin.picks = [own[:] for own in self.picks]
        twin.strong = [own[:] for own in self.strong]
        twin.leads = self.leads
        twin.hands = [own[:] for own in self.hands]
        twin.public = self.public[:]
        twin.deck = self.deck[:]
        twin.wonders = self.wonders[:]
        return twin

    def play_on(self) -> None:
        """To the end, everybody picking what she wants most."""
        while self.year <= YEARS:
            if self.watchful:
                self.look_round()
            self.play(self.choices())

    def choices(self) -> list[Choice]:
        """Return what everybody picks in this round."""
        laid = self.laid
        return [laid[seat] if seat in laid else self._wanted(seat) for seat in range(self.seats)]

    def _wanted(self, seat: int) -> Choice:
        """Return what this seat wants most; what it lays down for a public card is what it wants
        least."""
        drafting, own, leads = self.drafting, self.picks[seat], self.leads[seat]
        season = drafting.deck.season
        best, least = -inf, inf
        most = worst = NORMAL
        for card in self.hands[seat]:
            wish = drafting.wish(card, own) + leads[season[card]]
            if wish > best:
                best, most = wish, card
            if wish < least:
                least, worst = wish, card
        for slot, card in enumerate(self.public):
            if drafting.wish(card, own) + leads[season[card]] > best:
                return worst, slot
        return most, NORMAL

    def look_round(self) -> None:
        """Everybody sees in which seasons she is ahead."""
        found: list[list[float]] = [[] for _ in range(self.seats)]
        for season in range(len(SEASONS)):
            most = second = -inf
            for strong in self.strong:
                points = strong[season]
                if points > most:
                    most, second = points, most
                elif points > second:
                    second = points
            for seat, strong in enumerate(self.strong):
                points = strong[season]
                lead = LEADING * (points - (most if points < most else second))
                found[seat].append(MOST if lead > MOST else -MOST if lead < -MOST else lead)
        self.leads = found

    def _take(self, seat: int, card: int) -> None:
        """A card more for this seat."""
        drafting, own = self.drafting, self.picks[seat]
        if self.watchful:
            self.strong[seat][drafting.deck.season[card]] += drafting.wish(card, own)
        own.append(card)

    def play(self, choices: Sequence[Choice]) -> None:
        """A round: all have chosen (5.2 to 5.4)."""
        seats, hands, normal = self.seats, self.hands, 0
        for seat in range(seats):
            card, slot = choices[seat]
            hands[seat].remove(card)
            if slot == NORMAL:
                self._take(seat, card)
                normal += 1
        if normal < seats:
            self._settle(choices)
        self.first = (self.first + 1) % seats
        self.laid = {}
        if self.round < PICKS:
            self.round += 1
            way = DIRECTION[self.year]
            self.hands = [hands[(seat - way) % seats] for seat in range(seats)]
        else:
            self.begin(self.year + 1)

    def _settle(self, choices: Sequence[Choice]) -> None:
        """The public cards find their owners (5.4)."""
        for slot, gained in enumerate(self.public):
            for step in range(self.seats):
                seat = (self.first + step) % self.seats
                card, wanted = choices[seat]
                if wanted == slot:
                    free = self.public[slot] == gained
                    self._take(seat, gained if free else card)
                    if free:
                        self.public[slot] = card

    def begin(self, year: int) -> None:
        """A year begins (5.1), or the draft is over."""
        self.year, self.round = year, 1
        if year <= YEARS:
            self.public = [self.wonders.pop() for _ in PUBLIC]
            self.hands = [[self.deck.pop() for _ in range(PICKS)] for _ in range(self.seats)]


def draft_of(drafting: Drafting, table: Look, first: int = 0, watchful: bool = False) -> Draft:
    """A whole table, in the midst of a round, in numbers; arguments as in `Draft`."""
    cards, seats = table.cards, table.seats
    draft = Draft(drafting, seats, watchful)
    draft.year, draft.round = as_number(table.values["year"]), as_number(table.values["round"])
    draft.first = first
    draft.picks = [held(table, seat) for seat in range(seats)]
    draft.hands = [list(cards[HAND[seat]]) for seat in range(seats)]
    for seat in range(seats):
        for zone, slot in LYING[seat]:
            for card in cards[zone]:
                draft.picks[seat].remove(card)
                draft.hands[seat].append(card)
                draft.laid[seat] = card, slot
    draft.public = [card for zone in PUBLIC for card in cards[zone]]
    draft.deck, draft.wonders = list(cards["deck"]), list(cards["wonders"])
    draft.strong = [drafting.strengths(own) for own in draft.picks]
    draft.look_round()
    return draft


def drafted(drafting: Drafting, table: Look) -> Picks:
    """Return what each seat will hold in the end, if all pick from now on what they want most."""
    if table.values["phase"] == "order":
        return [held(table, seat) for seat in range(table.seats)]
    draft = draft_of(drafting, table)
    if table.values["phase"] == "appeal":
        draft.begin(draft.year + 1)
    draft.play_on()
    return draft.picks


def choice_of(move: Move) -> Choice:
    """A pick or a claim as a choice."""
    return move.cards[0], PUBLIC.index(move.target) if move.verb == "claim" else NORMAL
