"""AWSSterra: three years of gathering creatures in secret, then nine of them before the jury.

Paragraph numbers are those of the rulebook; A1 to A30 are our readings of it. Seats count
clockwise, so that the left neighbour of a seat is the next one (A2). The parts of the game that
are more than its course lie beside this file: `board` (what lies on nine cells, and how the way up
of a hidden card stays a secret), `effects` and `texts` (what cards can do, and say), `deck`,
`scoring` and `marks` (◎ and ◆).

All 60 creatures share one back: with a back of their own the ★★★ cards would be known on a hidden
board (A8).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.engine.model import (
    NO_CARD,
    Ask,
    Line,
    Look,
    Move,
    Note,
    Offer,
    Pen,
    Preview,
    Reason,
    Result,
    Sight,
    Step,
    Value,
    Zone,
    one,
)
from tabletop.games.awss import marks
from tabletop.games.awss.board import (
    APPEAL,
    BOARD,
    CELL_OF,
    CELLS,
    DOWN,
    EMPTY,
    NEEDLES,
    SEATS,
    TILT,
    UPRIGHT,
    UPSIDE_DOWN,
    WAYS,
    Board,
    is_up,
    lay,
    read,
    uncover,
)
from tabletop.games.awss.deck import AUTUMN, Deck
from tabletop.games.awss.scoring import (
    ARROW,
    AURA,
    BONUS,
    COUNTERS,
    SACRIFICE,
    Part,
    as_closed,
    formula,
    season_parts,
    total,
    victory_points,
)

SEASONS = ("autumn", "winter", "spring", "summer")
"""As in `effects`, but here they are words of sentences and get translated."""
SUMMER = 3

YEARS = 3
PICKS = 4
DIRECTION = {1: 1, 2: -1, 3: 1}
"""Hands go to the left in the first and third year, to the right in the second (A2)."""
SLOTS = (1, 2)
PUBLIC = tuple(f"public/{slot}" for slot in SLOTS)
HAND = tuple(f"hand/{seat}" for seat in SEATS)
NEXT = tuple(f"next/{seat}" for seat in SEATS)
LAID = tuple(f"laid/{seat}" for seat in SEATS)
"""Where a pick lies that may still be changed (A3)."""
PICKED = tuple(f"picks/{seat}" for seat in SEATS)
OLDER = tuple(f"older/{seat}" for seat in SEATS)
CLAIM = tuple(tuple(f"claim/{slot}/{seat}" for seat in SEATS) for slot in SLOTS)
POINTS = tuple(tuple(f"points/{season}/{seat}" for seat in SEATS) for season in SEASONS)
VICTORY = tuple(tuple(f"victory/{season}/{seat}" for seat in SEATS) for season in SEASONS)
SCORE = tuple(f"score/{seat}" for seat in SEATS)
LOCKED = tuple(f"locked/{seat}" for seat in SEATS)
AWARD = tuple(f"award/{seat}" for seat in SEATS)
GAIN = tuple(f"gain/{seat}" for seat in SEATS)
"""What somebody has just gained, and whether it still lies with the season or with the sum."""
WITH_THE_SUM = len(SEASONS)
STRENGTH = tuple(f"strength/{season}" for season in SEASONS)
"""What the own board would bring: told by previews of the order alone, no value of the table."""

SOURCES = {
    ARROW: "▲ {n}: arrow of {card}",
    AURA: "❋ {n}: effect of {card}",
    BONUS: "✦ {n}: own effect",
    COUNTERS: "● {n}: counters",
    SACRIFICE: "◆ {n}: sacrifice",
}
"""What points beside the printed ones come from."""

FREE = 6
LAID_OUT = tuple(
    "".join(UPSIDE_DOWN if number >> place & 1 else UPRIGHT for place in range(FREE))
    for number in range(2**FREE)
)
"""The ways up of six cards, one sign each."""


class Rules:
    """The rules of the game, over the deck of cards.toml.

    Raises:
        BrokenDeck: the deck is not this game's.
    """

    def __init__(self, deck: Sequence[Mapping[str, Any]]) -> None:
        self.deck = Deck(deck)

    # 3 Set-up

    def setup(self, table: Pen) -> None:
        table.place(Zone("deck", Sight.NONE), self.deck.draw)
        table.place(Zone("wonders", Sight.NONE), self.deck.public)
        table.shuffle("deck")
        table.shuffle("wonders")
        for zone in (*PUBLIC, "discard"):
            table.place(Zone(zone))
        seats = range(table.state.seats)
        for seat in seats:
            for own in (HAND, PICKED, OLDER):
                table.place(Zone(own[seat], Sight.OWNER, seat, loose=True))
            table.place(Zone(LAID[seat], Sight.OWNER, seat))
            table.place(Zone(NEXT[seat], Sight.NONE, seat, loose=True))
            for claims in CLAIM:
                table.place(Zone(claims[seat], Sight.OWNER, seat))
            needles = self.deck.needles[18 * seat : 18 * (seat + 1)]
            table.place(Zone(NEEDLES[seat], Sight.OWNER, seat, loose=True), needles)
            for cell in CELLS:
                table.place(Zone(BOARD[seat][cell], Sight.OWNER, seat))
                table.place(Zone(TILT[seat][cell], Sight.OWNER, seat))
            table.set(SCORE[seat], 0)
            table.set(AWARD[seat], "")
        for shown in ("call", "contest", "rolls", "prize"):  # of small scenes, while they last
            table.set(shown, "")
        table.place(Zone("box", Sight.NONE), self.deck.needles[18 * len(seats) :])
        table.then("year", 1)

    # What may be answered

    def offers(self, state: Look, ask: Ask) -> tuple[Offer, ...]:
        seat = ask.seat
        match ask.what:
            case "pick":
                hand = state.cards[HAND[seat]]
                return (one("pick", hand, (PICKED[seat],)), one("claim", hand, PUBLIC))
            case "lock":
                return (Offer("lock"), *self._other_picks(state, seat))
            case "again":
                return self._other_picks(state, seat)
            case "appeal":
                return (one("appeal", state.cards[PICKED[seat]], _free(state, seat), WAYS),)
            case "order":  # A11: all six or nothing
                free = _free(state, seat)
                picks = state.cards[OLDER[seat]]
                return (Offer("order", picks, (), LAID_OUT, FREE, FREE, free),)
            case "declare":
                points = total(self._season(state, seat, AUTUMN))
                return (Offer("declare", choices=(str(points),)),)
            case "marks":  # A19: all must be used, so only who has none may say so
                cells = marks.usable(self.deck, state, seat, "◎")
                if cells:
                    return tuple([marks.offer(self.deck, state, seat, cell) for cell in cells])
                return (Offer("none"),)
            case "before":
                return marks.plan_offers(self.deck, state, seat, SEASONS.index(str(ask.args[0])))
            case _:
                cells = self._after_cards(state, seat)
                used = [marks.offer(self.deck, state, seat, cell) for cell in cells]
                return (*used, Offer("pass"))

    def play(self, table: Pen, seat: int, move: Move) -> None:
        match move.verb:
            case "pick" | "claim" if _open(table.state):
                self._lay_open(table, seat, move)
            case "pick":
                table.say("{seat} picks from the hand.", seat=seat)
                table.move(move.cards[0], HAND[seat], move.target)
            case "claim":
                self._claim(table, seat, move.cards[0], PUBLIC.index(move.target))
            case "lock":
                table.set(LOCKED[seat], 1)
                table.say("{seat} has locked the pick.", seat=seat)
                table.ask(seat, "again", optional=True)
            case "appeal":
                cell = CELL_OF[move.target][1]
                lay(table, seat, cell, move.cards[0], PICKED[seat], move.choice)
                table.set(APPEAL[seat][cell], table.state.values["year"])
            case "order":
                self._lay_out(table, seat, move)
            case "declare":
                self._declare(table, seat, AUTUMN, int(move.choice))
            case "pass" | "none":
                pass
            case "combine" | "combine_self":
                for use in marks.planned(read(table.state, seat), move):
                    marks.use(self.deck, table, seat, use.cell, (seat, use.on))
            case "depart":
                marks.depart(table, seat, CELL_OF[move.target][1], move.cards[0], move.choice)
                table.then("marks", seat)
            case _:
                self._use_one(table, seat, move)

    def resume(self, table: Pen, step: Step) -> None:
        match step.name:
            case "year":
                self._year(table, int(step.args[0]))
            case "round":
                self._round(table, int(step.args[0]))
            case "pass on":
                self._pass_on(table)
            case "appeal":
                self._appeal(table)
            case "reveal":
                self._reveal(table)
            case "order":
                self._order(table)
            case "autumn":
                self._autumn(table)
            case "declared":
                self._declared(table)
            case "marks":
                self._marks(table, int(step.args[0]))
            case "after":
                self._after(table, int(step.args[0]))
            case "check":
                self._check(table)
            case "before":
                self._before(table, int(step.args[0]))
            case "score":
                self._score(table, int(step.args[0]))
            case _:
                self._close(table, int(step.args[0]))

    # 5.1 A year begins

    def _year(self, table: Pen, year: int) -> None:
        table.set("phase", "draft")
        table.set("year", year)
        table.say("Year {n} begins.", n=year)
        for zone in PUBLIC:
            table.draw("wonders", zone)
        for seat in range(table.state.seats):
            table.draw("deck", HAND[seat], PICKS)
        table.then("round", 1)

    # 5.2 Picking

    def _round(self, table: Pen, number: int) -> None:
        table.set("round", number)
        table.then("pass on")
        for seat in range(table.state.seats):
            table.ask(seat, "pick", sealed=not _open(table.state))

    def _claim(self, table: Pen, seat: int, card: int, slot: int) -> None:
        wanted = table.state.cards[PUBLIC[slot]][0]
        table.say("{seat} wants {card}.", wanted, seat=seat, lit=PUBLIC[slot])
        table.move(card, HAND[seat], CLAIM[slot][seat])

    # 5.2 Picks that all see, and may change, until all have locked theirs (A3)

    def _other_picks(self, state: Look, seat: int) -> tuple[Offer, ...]:
        """Every card of the hand, and the card that lies there already, for every other place."""
        zone, (card,) = _lying(state, seat)
        hand = state.cards[HAND[seat]]
        own = hand if zone == LAID[seat] else tuple(sorted((*hand, card)))
        places = zip(PUBLIC, (CLAIM[slot][seat] for slot in range(len(SLOTS))), strict=True)
        claims = [
            one("claim", hand if zone == there else tuple(sorted((*hand, card))), (public,))
            for public, there in places
        ]
        offered = [one("pick", own, (PICKED[seat],)), *claims]
        return tuple([offer for offer in offered if offer.cards])

    def _lay_open(self, table: Pen, seat: int, move: Move) -> None:
        """What lay there before goes back to the hand, and a pick that was locked is so no more."""
        if any(table.state.cards[zone] for zone in _spots(seat)):
            zone, (card,) = _lying(table.state, seat)
            table.move(card, zone, HAND[seat])
        if move.verb == "claim":
            self._claim(table, seat, move.cards[0], PUBLIC.index(move.target))
        else:
            table.say("{seat} picks from the hand.", seat=seat)
            table.move(move.cards[0], HAND[seat], LAID[seat])
        if table.state.values.get(LOCKED[seat]):
            table.set(LOCKED[seat], 0)
        table.ask(seat, "lock")

    def _close_picks(self, table: Pen) -> None:
        """All have locked: what lies there counts."""
        table.withdraw(*[ask.id for ask in table.state.asks if ask.what == "again"])
        for seat in range(table.state.seats):
            table.set(LOCKED[seat], 0)
            for card in table.state.cards[LAID[seat]]:
                table.move(card, LAID[seat], PICKED[seat])

    # 5.3 Passing the hands, before the public picks are settled (A4)

    def _pass_on(self, table: Pen) -> None:
        if _open(table.state):
            self._close_picks(table)
        state = table.state
        seats = state.seats
        number = int(state.values["round"])
        if number < PICKS:
            self._call(table, "draft")
            way = DIRECTION[int(state.values["year"])]
            for seat in range(seats):
                for card in table.state.cards[HAND[seat]]:
                    table.move(card, HAND[seat], NEXT[(seat + way) % seats])
        for slot in range(len(SLOTS)):  # A6: the first slot, then the second
            self._settle(table, slot)
        if number < PICKS:
            for seat in range(seats):
                for card in table.state.cards[NEXT[seat]]:
                    table.move(card, NEXT[seat], HAND[seat])
            table.then("round", number + 1)
        else:
            table.then("appeal")

    # 5.4 Public picks

    def _settle(self, table: Pen, slot: int) -> None:
        cards = table.state.cards
        wanting = [seat for seat in range(table.state.seats) if cards[CLAIM[slot][seat]]]
        if not wanting:
            return
        gained = cards[PUBLIC[slot]][0]
        winner = wanting[0]
        if len(wanting) > 1:
            table.set("prize", gained)
            winner = self._contest(table, wanting)
            table.set("prize", "")
        for seat in wanting:
            declared = cards[CLAIM[slot][seat]][0]
            if seat == winner:
                lit = f"{PUBLIC[slot]} {CLAIM[slot][seat]}"
                table.say("{seat} gains {card}.", gained, seat=seat, lit=lit)
                table.move(gained, PUBLIC[slot], PICKED[seat])
                table.move(declared, CLAIM[slot][seat], PUBLIC[slot])
                table.say("{seat} lays {card} open for it.", declared, seat=seat)
            else:
                table.move(declared, CLAIM[slot][seat], PICKED[seat])
                table.say("{seat} fails and picks the declared card.", seat=seat)

    def _contest(self, table: Pen, seats: list[int]) -> int:
        """The highest of 1D100; those who tie for it roll again (A5)."""
        while len(seats) > 1:
            table.set("contest", _row(seats))
            rolls = table.roll("contest", *[100] * len(seats))
            table.set("rolls", _row(rolls))
            for seat, die in zip(seats, rolls, strict=True):
                table.say("{seat} rolls {die}.", seat=seat, die=die)
            seats = [seat for seat, die in zip(seats, rolls, strict=True) if die == max(rolls)]
            table.set("rolls", "")
        table.set("contest", "")
        return seats[0]

    def _call(self, table: Pen, what: str) -> None:
        """Something that all do at the same moment is called out first."""
        table.set("call", what)
        table.set("call", "")

    # 5.5 Appeal

    def _appeal(self, table: Pen) -> None:
        table.set("phase", "appeal")
        table.set("round", 0)
        for zone in PUBLIC:  # A30
            table.move(table.state.cards[zone][0], zone, "discard")
        table.then("reveal")
        for seat in range(table.state.seats):
            table.ask(seat, "appeal", sealed=True)

    def _reveal(self, table: Pen) -> None:
        year = int(table.state.values["year"])
        self._call(table, "appeal")
        values = table.state.values
        cells = [
            next(cell for cell in CELLS if values.get(APPEAL[seat][cell]) == year)
            for seat in range(table.state.seats)
        ]
        for seat, cell in enumerate(cells):
            uncover(table, seat, cell)
        for seat, cell in enumerate(cells):
            zone = BOARD[seat][cell]
            card = table.state.cards[zone][0]
            table.say("{seat} presents {card} on {zone}.", card, seat=seat, zone=zone, lit=zone)
        for seat in range(table.state.seats):
            for card in table.state.cards[PICKED[seat]]:
                table.move(card, PICKED[seat], OLDER[seat])
        if year < YEARS:
            table.then("year", year + 1)
        else:
            table.then("order")

    # 6 Order

    def _order(self, table: Pen) -> None:
        table.set("phase", "order")
        table.set("year", 0)
        table.say("The boards are filled in secret.")
        table.then("autumn")
        for seat in range(table.state.seats):
            table.ask(seat, "order", sealed=True)

    def _lay_out(self, table: Pen, seat: int, move: Move) -> None:
        free = [cell for cell in CELLS if not table.state.cards[BOARD[seat][cell]]]
        for cell, card, way in zip(free, move.cards, move.choice, strict=True):
            lay(table, seat, cell, card, OLDER[seat], way)
        table.say("{seat} is ready.", seat=seat)

    # 7.1 Autumn is declared from hidden boards

    def _autumn(self, table: Pen) -> None:
        """The sums are asked for, not worked out by the table: what a hidden board is worth is for
        its owner to tell, and nothing else may come of cards that nobody else sees."""
        table.set("phase", SEASONS[AUTUMN])
        self._call(table, SEASONS[AUTUMN])
        table.then("declared")
        for seat in range(table.state.seats):
            table.ask(seat, "declare")

    def _season(self, state: Look, seat: int, season: int) -> list[tuple[int, list[Part]]]:
        """The seat's cards of a season, and what each scores."""
        others = () if season == AUTUMN else _others(state, seat)  # A29: all are hidden
        return season_parts(self.deck, read(state, seat), season, others)

    def _declare(self, table: Pen, seat: int, season: int, points: int) -> None:
        table.set(POINTS[season][seat], points)
        table.say(
            "{seat} declares {points} for {word_season}.",
            seat=seat,
            points=points,
            word_season=SEASONS[season],
        )

    def _declared(self, table: Pen) -> None:
        self._award(table, AUTUMN)
        table.set("phase", "marks")
        table.then("check")
        self._in_turn(table, AUTUMN, "marks")

    # 7.2 Victory points

    def _award(self, table: Pen, season: int) -> None:
        state = table.state
        points = _declared_points(state, season)
        won = victory_points(points, state.options.get("sole_scorer") == "literal")  # A16
        for seat, gained in enumerate(won):
            table.set(VICTORY[season][seat], gained)
        for seat, gained in enumerate(won):
            if gained:
                table.set(GAIN[seat], gained)
                table.set(AWARD[seat], season)
                table.set(AWARD[seat], WITH_THE_SUM)
                table.set(SCORE[seat], int(table.state.values[SCORE[seat]]) + gained)
                table.set(AWARD[seat], "")
                table.say("{seat} gains {points} victory points.", seat=seat, points=gained)

    def _explain(self, table: Pen, seat: int, scored: Sequence[tuple[int, Sequence[Part]]]) -> None:
        """Card by card, with the cells that its points come from lit up, and each of them named."""
        cards = table.state.cards
        for cell, own in scored:
            zone = BOARD[seat][cell]
            table.say(
                "{card} scores {points}: {formula}.",
                cards[zone][0],
                points=sum([part.points for part in own]),
                formula=formula(own),
                lit=" ".join([BOARD[seat][part.cell] for part in own]),
                lines=len(own) - 1,
            )
            for part in own[1:]:
                giver = cards[BOARD[seat][part.cell]][0]
                table.say(SOURCES[part.sign], giver, n=f"{part.points:+}")

    # 7.3 ◎, and ◆ after scoring: from the fewest points up

    def _in_turn(self, table: Pen, season: int, step: str) -> None:
        """Plan who may use marked cards when: from the fewest points of the season up (A17).

        Of equal ones the farthest to the left of the first-placed goes first, and the first-placed
        herself last; several firsts roll for it.
        """
        points = _declared_points(table.state, season)
        seats = range(len(points))
        firsts = [seat for seat in seats if points[seat] == max(points)]
        first = self._contest(table, firsts)
        for seat in sorted(seats, key=lambda s: (-points[s], (s - first) % len(seats))):
            table.then(step, seat)

    def _marks(self, table: Pen, seat: int) -> None:
        """A18: one after the other. Also who has none is asked, and says so: whether a hidden board
        holds a ◎ is for its owner to tell."""
        table.ask(seat, "marks")

    def _after_cards(self, state: Look, seat: int) -> list[int]:
        """The cells of the seat's ◆ cards that it may use after scoring, all in the open (A23)."""
        return [
            cell
            for cell in marks.usable(self.deck, state, seat, "post")
            if SEASONS[self.deck.season[state.cards[BOARD[seat][cell]][0]]] == state.values["phase"]
            and marks.chosen(self.deck, state, seat, cell)
        ]

    def _after(self, table: Pen, seat: int) -> None:
        if self._after_cards(table.state, seat):
            table.ask(seat, "after")

    def _use_one(self, table: Pen, seat: int, move: Move) -> None:
        state = table.state
        cell = next(c for c in CELLS if state.cards[BOARD[seat][c]] == move.cards)
        target = CELL_OF[move.target] if move.target else None
        match self.deck.moment[move.cards[0]]:
            case "◎":
                table.then("marks", seat)
            case "post":
                table.then("after", seat)
        marks.use(self.deck, table, seat, cell, target)

    # 7.4 Board check

    def _check(self, table: Pen) -> None:
        table.set("phase", "check")
        table.say("All face-up cards are opened.")
        for seat in range(table.state.seats):
            for cell in CELLS:
                if is_up(table.state, seat, cell):  # A22: the others stay as unknown as they were
                    uncover(table, seat, cell)
        self._close(table, AUTUMN)

    # 7.5 Winter, spring and summer

    def _before(self, table: Pen, season: int) -> None:
        table.set("phase", SEASONS[season])
        self._call(table, SEASONS[season])
        table.then("score", season)
        for seat in range(table.state.seats):  # A23: in secret, all at once
            if any(marks.uses(self.deck, read(table.state, seat), season)):
                table.ask(seat, "before", SEASONS[season], sealed=True)

    def _score(self, table: Pen, season: int) -> None:
        seats = range(table.state.seats)
        for seat in seats:
            scored = self._season(table.state, seat, season)
            self._explain(table, seat, scored)
            self._declare(table, seat, season, total(scored))
        self._award(table, season)
        table.then("close", season)
        if any(self._after_cards(table.state, seat) for seat in seats):
            self._in_turn(table, season, "after")

    # 7.6 Closing

    def _close(self, table: Pen, season: int) -> None:
        """A24: all cards of this season, and of earlier ones that stayed up until now."""
        for seat in range(table.state.seats):
            for cell, card in enumerate(read(table.state, seat).cards):
                if card >= 0 and self.deck.closes[card] <= season:
                    table.set(DOWN[seat][cell], 1)
        if season < SUMMER:
            table.then("before", season + 1)
        else:
            table.end(_result(table.state))

    # What a player may read before moving

    def why(self, state: Look, ask: Ask, card: int, to: str) -> Reason | None:
        seat, cards = ask.seat, state.cards
        match ask.what:
            case "pick" | "lock" | "again" if any(card in cards[zone] for zone in PUBLIC):
                return Reason(
                    "To gain a public card, lay a card of your hand beside it.", {}, "5.2"
                )
            case "lock" | "again" if card in _lying(state, seat)[1]:
                return Reason("It lies there already.", {}, "5.2")
            case "pick" | "lock" | "again" if card not in cards[HAND[seat]]:
                return Reason("Only a card of your own hand can be picked or laid down.", {}, "5.2")
            case "pick" | "lock" | "again" if to and to not in (*PUBLIC, PICKED[seat]):
                return Reason("A card is picked, or laid beside a public card.", {}, "5.2")
            case "appeal" if card not in cards[PICKED[seat]]:
                return Reason("Only one of this year's four picks can be presented.", {}, "5.5")
            case "order" if card not in cards[OLDER[seat]]:
                return Reason("The board is filled with the nine picks you still hold.", {}, "6")
            case "appeal" | "order" if to in BOARD[seat] and cards[to]:
                return Reason("A presented card stays where it is: choose a free cell.", {}, "5.5")
            case "appeal" | "order" if to and to not in BOARD[seat]:
                return Reason("Cards are laid on the free cells of your own board.", {}, "6")
            case "order" if not to:
                return Reason("All six free cells have to be filled.", {}, "6")
            case "marks" | "before" | "after":
                return self._why_not_used(state, ask, card, to)
            case _:
                return None

    def _why_not_used(self, state: Look, ask: Ask, card: int, to: str) -> Reason | None:
        offered = [offer for offer in self.offers(state, ask) if card in offer.cards]
        if not offered and ask.what == "marks":
            return Reason("Each of your face-up ◎ cards is used once, and nothing else.", {}, "7.3")
        if not offered:
            return Reason("Only a ◆ card of this season is used now, and only once.", {}, "7.5")
        if to and not any(to in offer.targets for offer in offered):
            paragraph = "8.4" if ask.what == "marks" else "8.5"
            return Reason("The effect of this card does not reach there.", {}, paragraph)
        return None

    def preview(self, state: Look, ask: Ask, move: Move) -> Preview | None:
        match move.verb:
            case "order":
                return self._preview_order(state, ask.seat, move)
            case "use" | "aim" | "combine" | "combine_self" if ask.what == "before":
                return self._preview_plan(state, ask, move)
            case _:
                return None

    def _preview_order(self, state: Look, seat: int, move: Move) -> Preview:
        """What the four seasons would bring if nothing happened to anybody's cards."""
        board = read(state, seat)
        cards, turned = list(board.cards), list(board.turned)
        free = [cell for cell in CELLS if not state.cards[BOARD[seat][cell]]]
        for cell, card, way in zip(free, move.cards, move.choice, strict=True):
            cards[cell] = EMPTY if card == NO_CARD else card
            turned[cell] = way == UPSIDE_DOWN
        laid = board._replace(cards=tuple(cards), turned=tuple(turned))
        points = [
            total(season_parts(self.deck, as_closed(self.deck, laid, season), season, ()))
            for season in range(4)
        ]
        text = "As it lies: autumn {autumn}, winter {winter}, spring {spring}, summer {summer}."
        note = Note(text, dict(zip(SEASONS, points, strict=True)), (), "8.2")
        return Preview(dict(zip(STRENGTH, points, strict=True)), (note,))

    def _preview_plan(self, state: Look, ask: Ask, move: Move) -> Preview:
        """What the season would bring, compared with what it brings as the cards lie."""
        board, others = read(state, ask.seat), _others(state, ask.seat)
        season = SEASONS.index(str(ask.args[0]))
        now = total(season_parts(self.deck, board, season, others))
        for use in marks.planned(board, move):
            board = marks.foreseen(self.deck, board, use)
        points = total(season_parts(self.deck, board, season, others))
        told: dict[str, Value] = {"points": points, "now": now, "word_season": SEASONS[season]}
        return Preview({}, (Note("{points} for {word_season} instead of {now}.", told, (), "8.2"),))


def _row(numbers: Sequence[int]) -> str:
    """Numbers as one value."""
    return ",".join(map(str, numbers))


def _open(state: Look) -> bool:
    """Whether picks are seen as soon as they are laid, and may be changed (A3)."""
    return state.options.get("wishes") == "open"


def _spots(seat: int) -> tuple[str, ...]:
    """Where the seat may have laid a card this round."""
    return (LAID[seat], *(claims[seat] for claims in CLAIM))


def _lying(state: Look, seat: int) -> tuple[str, tuple[int, ...]]:
    """The card that the seat has laid this round, and where."""
    return next((zone, state.cards[zone]) for zone in _spots(seat) if state.cards[zone])


def _free(state: Look, seat: int) -> tuple[str, ...]:
    return tuple([zone for zone in BOARD[seat] if not state.cards[zone]])


def _declared_points(state: Look, season: int) -> list[int]:
    return [int(state.values[POINTS[season][seat]]) for seat in range(state.seats)]


def _others(state: Look, seat: int) -> list[Board]:
    return [read(state, other) for other in range(state.seats) if other != seat]


# 9 Who wins


def _result(state: Look) -> Result:
    """The highest total; then the highest single season; then a shared victory (A25)."""
    seats = range(state.seats)
    sheet = tuple(_line(state, season) for season in range(len(SEASONS)))
    scores = tuple(int(state.values[SCORE[seat]]) for seat in seats)
    ranks = [(scores[seat], max(line.points[seat] for line in sheet)) for seat in seats]
    winners = tuple(seat for seat in seats if ranks[seat] == max(ranks))
    decided = ""
    if scores.count(max(scores)) > 1:
        decided = (
            "Equal victory points: the best single season decides."
            if len(winners) == 1
            else "Equal victory points and equal best seasons: the victory is shared."
        )
    return Result(winners, scores, sheet, decided)


def _line(state: Look, season: int) -> Line:
    """A season on the score sheet: "17 − 2" for its first, what they declared for the others."""
    seats = range(state.seats)
    points = _declared_points(state, season)
    won = tuple(int(state.values[VICTORY[season][seat]]) for seat in seats)
    formulas = tuple(
        f"{own} − {own - gained}" if gained else f"({own})"
        for own, gained in zip(points, won, strict=True)
    )
    return Line("Victory points in {word_season}", won, formulas, {"word_season": SEASONS[season]})
