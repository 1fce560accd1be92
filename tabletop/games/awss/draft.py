"""The draft, three years of gathering creatures (5).

Players pick from hands that are passed on, claim public cards, and present an appeal each year.
"""

from tabletop.engine.model import Move, Offer, Pen, TableReader, one
from tabletop.games.awss.board import APPEAL, BOARD, CELLS, reveal_card
from tabletop.games.awss.places import (
    CALL,
    CLAIM,
    CONTEST,
    DIRECTION,
    HAND,
    LAID,
    LOCKED,
    NEXT,
    OLDER,
    PHASE,
    PICKED,
    PICKS,
    PRIZE,
    PUBLIC,
    ROLLS,
    ROUND,
    SLOTS,
    YEAR,
    YEARS,
)
from tabletop.games.awss.steps import Appeal, Order, PassOn, Reveal, Round, Year

# 5.1 A year begins, 5.2 picking


def begin_year(table: Pen, year: int) -> None:
    """Start a year: draw two public cards, and four cards for each hand."""
    PHASE.set(table, "draft")
    YEAR.set(table, year)
    table.say("Year {n} begins.", n=year)
    for zone in PUBLIC:
        table.draw("wonders", zone)
    for seat in range(table.state.seats):
        table.draw("deck", HAND[seat], PICKS)
    table.then(Round(1))


def begin_round(table: Pen, number: int) -> None:
    """Start a round, in which each player picks a card from the hand or gives it
    for a public one.
    """
    ROUND.set(table, number)
    table.then(PassOn())
    for seat in range(table.state.seats):
        table.ask(seat, "pick", sealed=not are_picks_visible(table.state))


def claim_public_card(table: Pen, seat: int, card: int, slot: int) -> None:
    """Lay down a card from the hand to claim the public card in `slot`."""
    wanted = table.state.cards[PUBLIC[slot]][0]
    table.say("{seat} wants {card}.", wanted, seat=seat, lit=PUBLIC[slot])
    table.move(card, HAND[seat], CLAIM[slot][seat])


# 5.2 Picks that all see, and may change, until all have locked theirs (A3)


def are_picks_visible(state: TableReader) -> bool:
    """Return whether picks are visible at once and may be changed (A3)."""
    return state.options.get("wishes") == "open"


def _laid_zones(seat: int) -> tuple[str, ...]:
    """Return the zones where the player may have laid a card in this round."""
    return (LAID[seat], *(claims[seat] for claims in CLAIM))


def laid_card(state: TableReader, seat: int) -> tuple[str, tuple[int, ...]]:
    """Return the zone where the player has laid a card in this round, and the cards in it."""
    return next((zone, state.cards[zone]) for zone in _laid_zones(seat) if state.cards[zone])


def other_picks(state: TableReader, seat: int) -> tuple[Offer, ...]:
    """Return the offers to change the player's pick to another card or zone."""
    zone, (card,) = laid_card(state, seat)
    hand = state.cards[HAND[seat]]
    own = hand if zone == LAID[seat] else tuple(sorted((*hand, card)))
    places = zip(PUBLIC, (CLAIM[slot][seat] for slot in range(len(SLOTS))), strict=True)
    claims = [
        one("claim", hand if zone == place else tuple(sorted((*hand, card))), (public,))
        for public, place in places
    ]
    offered = [one("pick", own, (PICKED[seat],)), *claims]
    return tuple([offer for offer in offered if offer.cards])


def lay_visible_pick(table: Pen, seat: int, move: Move) -> None:
    """Lay a visible pick. An earlier one returns to the hand, and the pick must be locked again."""
    if any(table.state.cards[zone] for zone in _laid_zones(seat)):
        zone, (card,) = laid_card(table.state, seat)
        table.move(card, zone, HAND[seat])
    if move.verb == "claim":
        claim_public_card(table, seat, move.cards[0], PUBLIC.index(move.target))
    else:
        table.say("{seat} picks from the hand.", seat=seat)
        table.move(move.cards[0], HAND[seat], LAID[seat])
    if LOCKED.of(table.state, seat):
        LOCKED.set(table, seat, False)
    table.ask(seat, "lock")


def _close_picks(table: Pen) -> None:
    """Complete the picks after all players have locked them."""
    table.withdraw(*[ask.id for ask in table.state.asks if ask.what == "again"])
    for seat in range(table.state.seats):
        LOCKED.set(table, seat, False)
        for card in table.state.cards[LAID[seat]]:
            table.move(card, LAID[seat], PICKED[seat])


# 5.3 Passing the hands, before the public picks are settled (A4)


def pass_hands(table: Pen) -> None:
    """Pass the hands on and award the public cards, after all players have picked."""
    if are_picks_visible(table.state):
        _close_picks(table)
    state = table.state
    seats = state.seats
    number = ROUND.of(state)
    if number < PICKS:
        announce(table, "draft")
        way = DIRECTION[YEAR.of(state)]
        for seat in range(seats):
            for card in table.state.cards[HAND[seat]]:
                table.move(card, HAND[seat], NEXT[(seat + way) % seats])
    for slot in range(len(SLOTS)):  # A6: the first slot, then the second
        _settle(table, slot)
    if number < PICKS:
        for seat in range(seats):
            for card in table.state.cards[NEXT[seat]]:
                table.move(card, NEXT[seat], HAND[seat])
        table.then(Round(number + 1))
    else:
        table.then(Appeal())


# 5.4 Public picks


def _settle(table: Pen, slot: int) -> None:
    cards = table.state.cards
    wanting = [seat for seat in range(table.state.seats) if cards[CLAIM[slot][seat]]]
    if not wanting:
        return
    gained = cards[PUBLIC[slot]][0]
    winner = wanting[0]
    if len(wanting) > 1:
        PRIZE.set(table, gained)
        winner = roll_contest(table, wanting)
        PRIZE.set(table, "")
    for seat in wanting:
        declared = cards[CLAIM[slot][seat]][0]
        if seat == winner:
            lit = f"{PUBLIC[slot]} {CLAIM[slot][seat]}"
            table.say("{seat} gains {card}.", gained, tag="gain", seat=seat, lit=lit)
            table.move(gained, PUBLIC[slot], PICKED[seat])
            table.move(declared, CLAIM[slot][seat], PUBLIC[slot])
            table.say("{seat} lays {card} open for it.", declared, seat=seat)
        else:
            table.move(declared, CLAIM[slot][seat], PICKED[seat])
            table.say("{seat} fails and picks the declared card.", tag="miss", seat=seat)


def roll_contest(table: Pen, seats: list[int]) -> int:
    """Return the seat that wins a roll of 1D100. Ties are rolled again (A5)."""
    while len(seats) > 1:
        CONTEST.put(table, seats)
        rolls = table.roll("contest", *[100] * len(seats))
        ROLLS.put(table, rolls)
        for seat, die in zip(seats, rolls, strict=True):
            table.say("{seat} rolls {die}.", tag="roll", seat=seat, die=die)
        seats = [seat for seat, die in zip(seats, rolls, strict=True) if die == max(rolls)]
        ROLLS.put(table, ())
    CONTEST.put(table, ())
    return seats[0]


def announce(table: Pen, action: str) -> None:
    """Announce an action that all players take at the same time, before it happens."""
    CALL.set(table, action)
    CALL.set(table, "")


# 5.5 Appeal


def ask_appeals(table: Pen) -> None:
    """Ask all players to present one of this year's picks on their board."""
    PHASE.set(table, "appeal")
    ROUND.set(table, 0)
    for zone in PUBLIC:  # A30
        table.move(table.state.cards[zone][0], zone, "discard")
    table.then(Reveal())
    for seat in range(table.state.seats):
        table.ask(seat, "appeal", sealed=True)


def reveal_appeals(table: Pen) -> None:
    """Reveal all appeals at the same time, and end the year."""
    year = YEAR.of(table.state)
    announce(table, "appeal")
    cells = [
        next(cell for cell in CELLS if APPEAL.of(table.state, seat, cell) == year)
        for seat in range(table.state.seats)
    ]
    for seat, cell in enumerate(cells):
        reveal_card(table, seat, cell)
    for seat, cell in enumerate(cells):
        zone = BOARD[seat][cell]
        card = table.state.cards[zone][0]
        table.say("{seat} presents {card} on {zone}.", card, seat=seat, zone=zone, lit=zone)
    for seat in range(table.state.seats):
        for card in table.state.cards[PICKED[seat]]:
            table.move(card, PICKED[seat], OLDER[seat])
    if year < YEARS:
        table.then(Year(year + 1))
    else:
        table.then(Order())
