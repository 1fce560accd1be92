"""惑星姉妹, Planetary Sisters: use a sister, gain a sister, and house those that go well together.

Paragraph numbers refer to the rulebook; PS-nn are our interpretations of it. Seats count clockwise.
A turn is a single move: a card from the hand is used by laying it on the field card to gain.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from tabletop.engine.dry_run import DryRunTable
from tabletop.engine.model import (
    Ask,
    Move,
    Number,
    Offer,
    Pen,
    Preview,
    Reason,
    Remark,
    Result,
    ScoreLine,
    Sight,
    Step,
    TableReader,
    Value,
    Word,
    Zone,
    each,
    one,
)
from tabletop.engine.mypyc_attr import mypyc_attr
from tabletop.games.sisters.deck import Deck
from tabletop.text.phrases import phrase

ROUNDS: Final = 8
PAIRS: Final = (1, 2)
ONE_PAIR: Final = PAIRS[:1]
"""The pair of cards that each of three or four players uses and gains in a round; two players have
two pairs (6.2).
"""
HOUSING_ROUND: Final = 5
"""The round in which two players draw their last cards and start housing (PS-06)."""

FIELD: Final = ("field/0", "field/1", "field/2", "field/3")
FIELDS: Final = {2: FIELD, 3: FIELD[:3], 4: FIELD}
SEATS: Final = range(4)
HAND: Final = each("hand", SEATS)
STACK: Final = each("stack", SEATS)
HOUSE: Final = each("house", SEATS)
GUARD: Final = each("guard", SEATS)
USED: Final = tuple(each(own, PAIRS) for own in each("used", SEATS))
GAINED: Final = tuple(each(own, PAIRS) for own in each("gained", SEATS))
DIFFERENCE: Final = Number("difference/{seat}/{pair}")
SCORE: Final = Number("score/{seat}")
PLAYERS: Final = Number("players")
PHASE: Final = Word("phase")
"""The phase of the game: "contest" or "scoring"."""
CONDITION: Final = Word("condition")
CLOSE, FAR = "Close", "Far"
ROUND: Final = Number("round")
TURN: Final = Number("turn")
PARENT: Final = Number("parent")
TOKEN: Final = Word("token")
"""The zone beside which the parent's token lies."""

HOUSE_FIGURE: Final = each("home", SEATS)
"""The names in `Rules.figures` for what each open house scores by itself.

They aren't public values.
"""
SEAT: Final = tuple(f"seat_{seat}" for seat in SEATS)
SUM: Final = tuple(f"sum_{seat}" for seat in SEATS)

CATEGORIES: Final = (
    phrase("food lovers"),
    phrase("plant lovers"),
    phrase("animal lovers"),
    phrase("two-passion warriors"),
    phrase("one-passion warriors"),
    phrase("collectors"),
)
MULTIPLIERS: Final = (1, 2, 4, 2, 5, 4)
CATEGORY_PARAGRAPHS: Final = ("7.2", "7.2", "7.2", "7.3", "7.4", "7.5")
HOUSE_LOG: Final = {
    2: phrase("House, {word_category}: {seat_0}\u00a0{sum_0}, {seat_1}\u00a0{sum_1}."),
    3: phrase(
        "House, {word_category}: "
        "{seat_0}\u00a0{sum_0}, {seat_1}\u00a0{sum_1}, {seat_2}\u00a0{sum_2}."
    ),
    4: phrase(
        "House, {word_category}: {seat_0}\u00a0{sum_0}, "
        "{seat_1}\u00a0{sum_1}, {seat_2}\u00a0{sum_2}, {seat_3}\u00a0{sum_3}."
    ),
}
"""The log entry about a category in a house, by the number of players."""
FIELD_LOG: Final = {
    2: phrase("Field, {word_category}: {seat_0}\u00a0{sum_0}, {seat_1}\u00a0{sum_1}."),
    3: phrase(
        "Field, {word_category}: "
        "{seat_0}\u00a0{sum_0}, {seat_1}\u00a0{sum_1}, {seat_2}\u00a0{sum_2}."
    ),
    4: phrase(
        "Field, {word_category}: {seat_0}\u00a0{sum_0}, "
        "{seat_1}\u00a0{sum_1}, {seat_2}\u00a0{sum_2}, {seat_3}\u00a0{sum_3}."
    ),
}
"""The log entry about a category in the field, by the number of players."""
FORMULA_1_CATEGORIES: Final = 3
"""The number of categories that are scored by formula 1, which subtracts one harvester. Formula 2,
for the others, subtracts one from the production.
"""


class CategoryScore(NamedTuple):
    """The points for a category, and the formula that gives them."""

    points: int
    formula: str


@mypyc_attr(allow_interpreted_subclasses=True)
class Rules:
    """The rules of Planetary Sisters, for the deck in `cards.toml`.

    Raises:
        BrokenDeck: the deck doesn't match the published totals.
    """

    def __init__(self, deck: Sequence[Mapping[str, Any]]) -> None:
        self.deck = Deck(deck)
        self.rank = self.deck.rank

    # 3 Set-up, 6.1 Set-up for two

    def setup(self, table: Pen) -> None:
        seats = table.state.seats
        table.place(Zone("rest", Sight.NONE), tuple(range(len(self.rank))))
        table.shuffle("rest")
        for seat in range(seats):
            table.place(Zone(STACK[seat], Sight.NONE, seat))
            table.place(Zone(HAND[seat], Sight.OWNER, seat, loose=True))
            for pair in _pair_numbers(seats):
                table.place(Zone(USED[seat][pair - 1], owner=seat))
                table.place(Zone(GAINED[seat][pair - 1], owner=seat))
                DIFFERENCE.set(table, seat, pair, 0)
            table.place(Zone(HOUSE[seat], owner=seat, loose=True))
            if seats == 2:
                table.place(Zone(GUARD[seat], owner=seat, loose=True))
            SCORE.set(table, seat, 0)
        for seat in range(seats):
            table.draw("rest", STACK[seat], 10 if seats == 2 else 8)
        for place in FIELDS[seats]:
            table.place(Zone(place))
            table.draw("rest", place)
        # PS-02: the cards left over, 12 for two players and 9 for three, stay where they are
        PLAYERS.set(table, seats)
        PHASE.set(table, "contest")
        CONDITION.set(table, CLOSE)
        drawn = table.state.options.get("parent") != "first"
        parent = table.roll("parent", seats)[0] - 1 if drawn else 0  # PS-01
        self._move_parent_token(table, parent)
        table.say("{seat} is the first parent.", seat=parent)
        self._open_round(table, 1, parent)

    # 5.1 Drawing, 6.2 First half

    def _open_round(self, table: Pen, number: int, parent: int) -> None:
        seats = table.state.seats
        ROUND.set(table, number)
        TURN.set(table, 1)
        table.say(
            "Round {n}: {word_condition}.",
            n=number,
            word_condition=CONDITION.of(table.state),
        )
        if seats > 2 or number <= HOUSING_ROUND:
            full = number if seats > 2 else 2 * number
            for place in range(seats):
                seat = (parent + place) % seats
                # PS-09: the last starts with one card more, and draws one less the next time
                extra = 1 if number == 1 and place == seats - 1 else 0
                missing = full + extra - len(table.state.cards[HAND[seat]])
                if missing:
                    table.draw(STACK[seat], HAND[seat], missing)
        table.ask(parent, "trade")

    # 5.2 Your turn

    def offers(self, state: TableReader, ask: Ask) -> tuple[Offer, ...]:
        cards = state.cards
        lying = tuple([place for place in FIELDS[state.seats] if cards[place]])
        return (one("trade", cards[HAND[ask.seat]], lying),)

    def play(self, table: Pen, seat: int, move: Move) -> None:
        self._play_trade(table, seat, move)
        state = table.state
        turn = TURN.of(state)
        if turn < len(FIELDS[state.seats]):
            TURN.set(table, turn + 1)
            table.ask(_seat_of(state, turn + 1), "trade")
        else:
            self._close_round(table)

    def _play_trade(self, table: Pen, seat: int, move: Move) -> None:
        state = table.state
        pair = _turn_index(state)
        used, gained = move.cards[0], state.cards[move.target][0]
        difference = abs(self.rank[used] - self.rank[gained])
        # PS-03: the used card stays before its player, out of reach until the round is over
        table.move(used, HAND[seat], USED[seat][pair])
        table.say("{seat} uses {card}.", used, seat=seat)
        table.move(gained, move.target, GAINED[seat][pair])
        DIFFERENCE.set(table, seat, PAIRS[pair], difference)
        table.say(
            "{seat} gains {card}: difference {n}.", gained, tag="gain", seat=seat, n=difference
        )

    def resume(self, table: Pen, step: Step) -> None:
        """Do nothing, because this game has no planned steps."""

    # 5.3 The next parent, 6.3 The next parent of two

    def _next_parent(self, state: TableReader) -> int:
        """Return the seat with the smallest difference (Close)
        or the largest (Far) among those that moved.

        Two players compare their better differences first, then the others (PS-07). Of tied
        players, the one farthest downstream becomes the parent (PS-05); with two players, this is
        the child.
        """
        seats, parent, far = state.seats, PARENT.of(state), CONDITION.of(state) == FAR
        ranked: list[tuple[int, list[int]]] = []
        for place in range(seats - 1, -1, -1):
            seat = (parent + place) % seats
            differences = DIFFERENCE.row(state, seat, _pair_numbers(seats))
            moved = [difference for difference in differences if difference]
            if moved:
                moved.sort(reverse=far)
                ranked.append((seat, moved))
        count = min([len(moved) for _, moved in ranked])
        first, best = ranked[0]
        for seat, moved in ranked[1:]:
            own, most = moved[:count], best[:count]
            if own > most if far else own < most:
                first, best = seat, moved
        return first

    def _move_parent_token(self, table: Pen, parent: int) -> None:
        """Move the parent's token beside the parent's deck."""
        PARENT.set(table, parent)
        TOKEN.set(table, STACK[parent])

    # 5.4 End of the round, 6.4 Second half

    def _close_round(self, table: Pen) -> None:
        state = table.state
        seats, number = state.seats, ROUND.of(state)
        parent, far = self._next_parent(state), CONDITION.of(state) == FAR
        housing = seats == 2 and number >= HOUSING_ROUND
        first = PARENT.of(state)
        order = [((first + turn) % seats, turn // seats) for turn in range(len(FIELDS[seats]))]
        table.say(
            phrase("The largest difference makes {seat} the parent, who turns the card to Close.")
            if far
            else phrase(
                "The smallest difference makes {seat} the parent, who turns the card to Far."
            ),
            seat=parent,
        )
        self._move_parent_token(table, parent)
        for seat, pair in order:  # PS-04: only now
            gained = GAINED[seat][pair]
            table.move(table.state.cards[gained][0], gained, (HOUSE if housing else HAND)[seat])
        for (seat, pair), place in zip(order, FIELDS[seats], strict=True):
            used = USED[seat][pair]
            table.move(table.state.cards[used][0], used, place)
            DIFFERENCE.set(table, seat, PAIRS[pair], 0)
        CONDITION.set(table, CLOSE if far else FAR)  # PS-08: the parent may be the old one
        if number < ROUNDS:
            self._open_round(table, number + 1, parent)
        else:  # PS-10
            self._score(table)

    # 5.5 End of the contest, 6.5 End of the contest for two, 7 Scoring

    def _score(self, table: Pen) -> None:
        seats = table.state.seats
        PHASE.set(table, "scoring")
        for seat in range(seats):
            table.say("{seat} opens the hand.", seat=seat)
            for card in table.state.cards[HAND[seat]]:
                table.move(card, HAND[seat], (GUARD if seats == 2 else HOUSE)[seat])
        cards = table.state.cards
        field = tuple([cards[place][0] for place in FIELDS[seats]])
        homes, fields = [], []
        for seat in range(seats):
            homes.append(self.home(cards[HOUSE[seat]]))
            guards = cards[GUARD[seat]] if seats == 2 else ()
            fields.append(self.field(cards[HOUSE[seat]], field + guards))
        houses = [card for house in HOUSE[:seats] for card in cards[house]]
        guests = [*field, *cards[GUARD[0]], *cards[GUARD[1]]] if seats == 2 else field
        score = [0] * seats
        sheet = self._log_page(table, homes, houses, houses, score)
        home = tuple(score)
        sheet += self._log_page(table, fields, houses, guests, score)
        for seat in range(seats):
            table.say(
                "{seat}: house {home} + field {field} = {score} points.",
                seat=seat,
                home=home[seat],
                field=score[seat] - home[seat],
                score=score[seat],
            )
        table.end(_result(tuple(score), tuple(sheet)))

    def _log_page(
        self,
        table: Pen,
        scored: Sequence[Sequence[CategoryScore]],
        houses: Sequence[int],
        harvesting: Sequence[int],
        score: list[int],
    ) -> list[ScoreLine]:
        """Log a page of scoring by category, add its points to `score`,
        and return its score sheet lines.

        Harvesters are highlighted more brightly than cards that only produce.
        """
        own = houses is harvesting
        label = phrase("House: {word_category}") if own else phrase("Field: {word_category}")
        page = (HOUSE_LOG if own else FIELD_LOG)[len(score)]
        lines = []
        for place, category in enumerate(CATEGORIES):
            points, formulas = zip(*[theirs[place] for theirs in scored], strict=True)
            lines.append(ScoreLine(label, points, formulas, {"word_category": category}))
            args: dict[str, Any] = {}
            for seat, more in enumerate(points):
                args[SEAT[seat]] = seat
                args[SUM[seat]] = f"{formulas[seat]}\u00a0=\u00a0{more}"
            reapers, others = self.deck.parted(houses, harvesting, place)
            table.say(page, *reapers, *others, word_category=category, bright=len(reapers), **args)
            for seat, more in enumerate(points):
                if more:
                    score[seat] += more
                    SCORE.set(table, seat, score[seat])
        return lines

    def home(self, house: Sequence[int]) -> list[CategoryScore]:
        """Return the score of a house by itself in each category (7.1 to 7.5, PS-12, PS-13)."""
        scores = []
        made, reaped = self.deck.production(house), self.deck.harvesters(house)
        for place, (times, p, h) in enumerate(zip(MULTIPLIERS, made, reaped, strict=True)):
            if place < FORMULA_1_CATEGORIES:
                scores.append(CategoryScore(p * (h - 1) * times, f"{p}×({h}−1)×{times}"))
            else:
                scores.append(CategoryScore((p - 1) * h * times, f"({p}−1)×{h}×{times}"))
        return scores

    def field(self, house: Sequence[int], guests: Sequence[int]) -> list[CategoryScore]:
        """Return the score of a house in each category from the field and its own guardians (7.6).

        The harvesters among `guests` count, but not their production (PS-14).
        """
        made, reaped = self.deck.production(house), self.deck.harvesters(guests)
        return [
            CategoryScore(p * h * times, f"{p}×{h}×{times}")
            for times, p, h in zip(MULTIPLIERS, made, reaped, strict=True)
        ]

    # How far everybody is

    def figures(self, state: TableReader) -> dict[str, Value]:
        """Return what the open houses of two players score by themselves, with the score helper.

        With more players, houses are hidden.
        """
        seats = state.seats
        if not is_helper_on(state) or seats > 2 or ROUND.of(state) < HOUSING_ROUND:
            return {}
        return {
            HOUSE_FIGURE[seat]: _total_points(self.home(self._cards_of_house(state, seat)))
            for seat in range(seats)
        }

    def _cards_of_house(self, state: TableReader, seat: int) -> list[int]:
        """Return the cards of a house, including those that enter it at the end of the round."""
        zones = (HOUSE[seat], *GAINED[seat])
        return [card for zone in zones for card in state.cards[zone]]

    # Reasons and previews

    def why(self, state: TableReader, ask: Ask, card: int, to: str) -> Reason | None:
        seat, cards = ask.seat, state.cards
        if card in cards[HAND[seat]]:
            if to in FIELDS[state.seats]:
                if cards[to]:
                    return None
                return Reason("That card has already been gained: choose another.", {}, "5.2")
            if not to:
                return None
            return Reason("To use a card, lay it on the field card you want to gain.", {}, "5.2")
        match self._zone_parts(state, card):
            case ["field", *_]:
                return Reason("To gain this card, lay a card from your hand on it.", {}, "5.2")
            case ["used", *_]:
                return Reason("Used cards stay there until the round is over.", {}, "5.2")
            case ["gained", *_]:
                return Reason("Gained cards stay there until the round is over.", {}, "5.4")
            case ["house", *_]:
                return Reason("Cards in a house stay there until scoring.", {}, "6.4")
            case _:
                return Reason("You can only use a card from your own hand.", {}, "5.2")

    def _zone_parts(self, state: TableReader, card: int) -> list[str]:
        """Return the parts of the name of the zone with this visible card;
        [] if the card isn't visible.
        """
        return next((n.split("/") for n, held in state.cards.items() if card in held), [])

    def preview(self, state: TableReader, ask: Ask, move: Move) -> Preview | None:
        seat, seats = ask.seat, state.seats
        after = DryRunTable(state)
        self._play_trade(after, seat, move)
        pair = PAIRS[_turn_index(state)]
        difference, parent = DIFFERENCE.of(after, seat, pair), self._next_parent(after)
        paragraph = "6.3" if seats == 2 else "5.3"
        notes = [
            Remark("Difference: {n}.", {"n": difference}, (move.target,), "5.2"),
            Remark("As it stands, you will be the next start player.", {}, (), paragraph)
            if parent == seat
            else Remark(
                "As it stands, {seat} will be the next start player.",
                {"seat": parent},
                (),
                paragraph,
            ),
        ]
        if is_helper_on(state):
            notes.extend(self._house_remarks(state, after, seat))
        return Preview({DIFFERENCE[seat, pair]: difference}, tuple(notes))

    def _house_remarks(self, state: TableReader, then: TableReader, seat: int) -> Iterator[Remark]:
        """Yield remarks on the score of the house by itself, before and after the move."""
        if state.seats > 2:
            zones: tuple[str, ...] = (HAND[seat], *GAINED[seat][:1])
        elif ROUND.of(state) >= HOUSING_ROUND:
            zones = (HOUSE[seat], *GAINED[seat])
        else:  # 6.2: the cards of the first half are not housed yet
            return
        before, after = (
            self.home([card for zone in zones for card in look.cards[zone]])
            for look in (state, then)
        )
        yield Remark(
            "House: {before} → {after} points.",
            {"before": _total_points(before), "after": _total_points(after)},
            (),
            "7.1",
        )
        for place, (old, new) in enumerate(zip(before, after, strict=True)):
            yield Remark(
                "{word_category}: {before} → {after} ({formula})",
                {
                    "word_category": CATEGORIES[place],
                    "before": old.points,
                    "after": new.points,
                    "formula": new.formula,
                },
                (),
                CATEGORY_PARAGRAPHS[place],
            )


def is_helper_on(state: TableReader) -> bool:
    """Return whether the players have agreed on the score helper."""
    return state.options.get("helper") == "on"


# 5.2, 6.2 Whose turn it is


def _pair_numbers(seats: int) -> tuple[int, ...]:
    """Return the numbers of the pairs that a player uses and gains in a round,
    one for each turn.
    """
    return PAIRS if seats == 2 else ONE_PAIR


def _turn_index(state: TableReader) -> int:
    """Return the index of the active player's turn in this round."""
    return (TURN.of(state) - 1) // state.seats


def _seat_of(state: TableReader, turn: int) -> int:
    """Return the seat whose turn it is, clockwise from the parent; two players go round twice."""
    return (PARENT.of(state) + turn - 1) % state.seats


# 7, 8 The score, and the winner


def _total_points(scores: Sequence[CategoryScore]) -> int:
    return sum(score.points for score in scores)


def _result(scores: tuple[int, ...], sheet: tuple[ScoreLine, ...]) -> Result:
    winners = tuple(seat for seat, score in enumerate(scores) if score == max(scores))
    shared = phrase("Equal scores share the victory.") if len(winners) > 1 else ""  # PS-11
    return Result(winners, scores, sheet, shared)
