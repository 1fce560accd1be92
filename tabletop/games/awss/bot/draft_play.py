"""Fast simulation of the draft, which makes it possible to try many picks in many worlds.

A world is played to the end of the draft without a table. Each player picks what helps them most.
"""

from collections.abc import Sequence
from math import inf
from typing import Final

from tabletop.engine.model import Move, TableReader
from tabletop.games.awss.board import SEATS
from tabletop.games.awss.bot.draft_forecast import DraftForecast, Picks, picked_cards
from tabletop.games.awss.effects import SEASONS
from tabletop.games.awss.places import (
    CLAIM,
    DIRECTION,
    HAND,
    LAID,
    PHASE,
    PICKS,
    PUBLIC,
    ROUND,
    YEAR,
    YEARS,
)

NORMAL: Final = -1
"""The slot number of a pick that doesn't claim a public card."""
Choice = tuple[int, int]
"""A card from the hand, and the slot of the public card that it claims, or NORMAL."""

LEAD_BONUS_PER_POINT: Final = 0.25
MAX_LEAD_BONUS: Final = 3.0
"""The extra worth of a season's card for each point of lead over the best opponent,
and its limit.
"""

LYING: Final = tuple(
    ((LAID[seat], NORMAL), *[(claims[seat], slot) for slot, claims in enumerate(CLAIM)])
    for seat in SEATS
)
"""The zones of a pick that can still be changed, each with its slot, by seat."""


class FastDraft:
    """The state of a draft, without a table or events."""

    def __init__(self, drafting: DraftForecast, seats: int, watchful: bool) -> None:
        self.drafting = drafting
        self.seats = seats
        self.watchful = watchful
        """Whether leads are updated in every round, instead of only once, which is faster."""
        self.year = 1
        self.round = 1
        self.first = 0
        """The seat that wins a contested public card in this round; it moves on every round."""
        self.laid: dict[int, Choice] = {}
        """The visible choices made so far in this round, by seat (A3)."""
        self.picks: Picks = []
        self.strong: list[list[float]] = []
        """The combined worth of each seat's picks, by season."""
        self.leads: list[list[float]] = []
        """The extra worth of a card to each seat, by season: positive where the seat leads."""
        self.hands: Picks = []
        self.public: list[int] = []
        self.deck: list[int] = []
        self.wonders: list[int] = []

    def clone(self) -> "FastDraft":
        twin = FastDraft(self.drafting, self.seats, self.watchful)
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
        """Play to the end of the draft; each player picks what helps them most."""
        while self.year <= YEARS:
            if self.watchful:
                self.look_round()
            self.play(self.choices())

    def choices(self) -> list[Choice]:
        """Return each player's choice in this round."""
        laid = self.laid
        return [laid[seat] if seat in laid else self._best_pick(seat) for seat in range(self.seats)]

    def _best_pick(self, seat: int) -> Choice:
        """Return the choice that helps this player most.

        For a public card, the least useful card is given.
        """
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
        """Update the additional worth of seasons in which seats lead."""
        leads: list[list[float]] = [[] for _ in range(self.seats)]
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
                lead = LEAD_BONUS_PER_POINT * (points - (most if points < most else second))
                leads[seat].append(
                    MAX_LEAD_BONUS
                    if lead > MAX_LEAD_BONUS
                    else -MAX_LEAD_BONUS
                    if lead < -MAX_LEAD_BONUS
                    else lead
                )
        self.leads = leads

    def _take(self, seat: int, card: int) -> None:
        """Add a card to a player's picks."""
        drafting, own = self.drafting, self.picks[seat]
        if self.watchful:
            self.strong[seat][drafting.deck.season[card]] += drafting.wish(card, own)
        own.append(card)

    def play(self, choices: Sequence[Choice]) -> None:
        """Play a round in which each player makes the given choice (5.2 to 5.4)."""
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
        """Award the public cards claimed by these choices (5.4)."""
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
        """Start a year (5.1), or end the draft."""
        self.year, self.round = year, 1
        if year <= YEARS:
            self.public = [self.wonders.pop() for _ in PUBLIC]
            self.hands = [[self.deck.pop() for _ in range(PICKS)] for _ in range(self.seats)]


def make_draft(
    drafting: DraftForecast, table: TableReader, first: int = 0, watchful: bool = False
) -> FastDraft:
    """Return the draft on a fully known table, which may be in the middle of a round.

    `first` and `watchful` are as in `FastDraft`.
    """
    cards, seats = table.cards, table.seats
    draft = FastDraft(drafting, seats, watchful)
    draft.year, draft.round = YEAR.of(table), ROUND.of(table)
    draft.first = first
    draft.picks = [picked_cards(table, seat) for seat in range(seats)]
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


def final_picks(drafting: DraftForecast, table: TableReader) -> Picks:
    """Return each seat's picks at the end, if all players go on picking what helps them most."""
    if PHASE.of(table) == "order":
        return [picked_cards(table, seat) for seat in range(table.seats)]
    draft = make_draft(drafting, table)
    if PHASE.of(table) == "appeal":
        draft.begin(draft.year + 1)
    draft.play_on()
    return draft.picks


def to_choice(move: Move) -> Choice:
    """Convert a move with the verb "pick" or "claim"."""
    return move.cards[0], PUBLIC.index(move.target) if move.verb == "claim" else NORMAL
