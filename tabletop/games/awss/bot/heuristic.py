"""The heuristic of AWSSterra, which compares how likely each seat is to win each season.

Only the first-placed player in a season gains, namely the difference to the last. Tables are
therefore evaluated by the differences between seats in each season. During the draft, these are
estimated for the picks that players will have if they go on picking what helps them most
(`draft_play`). Once boards are filled, they are computed from the real scores (`fast_score`). Good
boards are found by random changes (`boards`).
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from functools import partial
from math import inf
from typing import Final

from msgspec.structs import replace

from tabletop.engine.heuristic import LatestResultCache, Past, every, finished, shares, some
from tabletop.engine.model import Ask, Move, Remark, Rng, State, TableReader
from tabletop.engine.mypyc_attr import mypyc_attr
from tabletop.engine.play import determinized
from tabletop.engine.sequential_halving import Deal, Try
from tabletop.games.awss.board import (
    APPEAL,
    BOARD,
    CELL_OF,
    CELLS,
    EMPTY,
    TILT,
    UPRIGHT,
    UPSIDE_DOWN,
    is_revealed,
    read_board,
)
from tabletop.games.awss.bot.boards import (
    BoardPlan,
    BoardPlanner,
    BoardToFill,
    Goal,
    rate_against,
    rate_alone,
)
from tabletop.games.awss.bot.draft_forecast import DraftForecast, Picks, picked_cards
from tabletop.games.awss.bot.draft_play import final_picks, make_draft, to_choice
from tabletop.games.awss.bot.fast_score import FastScorer
from tabletop.games.awss.bot.hidden_cards import Dealer, infer_hidden_cards
from tabletop.games.awss.deck import AUTUMN
from tabletop.games.awss.places import HAND, OLDER, PHASE, PICKED, POINTS, PUBLIC, SCORE, SEASONS
from tabletop.games.awss.rules import Rules
from tabletop.text.phrases import phrase

SPREAD: Final = 7.0
"""The lead in victory points that multiplies the odds of winning by e."""
DRAFTED, LAID_OUT, SEEN = 3.5, 1.5, 0.7
"""The lead in a season, in points, that still leaves the first place open: in the draft, before the
board check, and after it."""
MIN_RANKED_POINTS: Final = 0.5
"""The number of points in a season up to which a player isn't expected to be ranked."""

CAREFUL_BOARDS, RANDOM_BOARDS = 8, 16
"""The number of boards built with care to choose from, and of those built at random."""
CAREFUL_TRIES, PLAYOUT_TRIES, OPPONENT_TRIES = 90, 24, 12
"""The number of changes tried on a board: on one's own, in a playout, on another's hidden one."""
MAX_MOVES: Final = 48

CLAIM_SUCCESS_PROBABILITY: Final = 0.7
"""The probability of getting a public card that the player claims."""

CARDS_TO_GIVE: Final = 2
"""The number of cards in the hand, the least helpful ones, that are considered for giving away."""

MAX_WORLDS, MAX_BOARDS, MAX_COMPARED_BOARDS = 16, 200, 12
"""The number of worlds built against, of boards considered, of boards compared."""
MAX_FUTURES, MAX_PLACES = 24, 10
"""The number of futures in which places for a presented card are tried, and of these places."""

Presented = tuple[int, int, bool]
"""A card to be presented, its cell, and whether it is upside down."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Heuristic:
    """The heuristic of AWSSterra."""

    horizon = 0
    quiet = 0
    blur = 0.1

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.deck = rules.deck
        self.tally = FastScorer(rules.deck)
        self.drafting = DraftForecast(self.tally)
        self.planner = BoardPlanner(self.tally, self.drafting.value)
        self._hidden = LatestResultCache(partial(infer_hidden_cards, rules.deck))
        self._dealer = Dealer(self.drafting.pairs)

    # Value of a table

    def worth(self, table: TableReader) -> Sequence[float]:
        if table.result is not None:
            return finished(table.result, table.seats, SPREAD)
        if PHASE.of(table) in DRAFT_PHASES:
            fixed = [_cards_on_board(table, seat) for seat in range(table.seats)]
            return shares(self._hopes(final_picks(self.drafting, table), fixed), SPREAD)
        seats = range(table.seats)
        points = [float(score) for score in SCORE.all(table)]
        boards = [read_board(table, seat) for seat in seats]
        seasons = [
            self.tally.seasons(own, [other for other in boards if other is not own])
            for own in boards
        ]
        close = _open_lead(table)
        for season in range(len(SEASONS)):
            if POINTS[SEASONS[season], 0] not in table.values:
                strong = [float(own[season]) for own in seasons]
                for seat, gain in enumerate(_expected_gains(strong, close)):
                    points[seat] += gain
        return shares(points, SPREAD)

    def _hopes(self, picks: Picks, fixed: Sequence[Collection[int]]) -> list[float]:
        """Return the victory points that each seat is likely to gain with these picks.

        `fixed` is as in `DraftForecast.boards`.
        """
        drafting = self.drafting
        foreseen = drafting.boards(picks, fixed)
        points = [sum([drafting.used[card] for card in nine]) for nine, _ in foreseen]
        for season in range(len(SEASONS)):
            strong = [seasons[season] for _, seasons in foreseen]
            for seat, gain in enumerate(_expected_gains(strong, DRAFTED)):
                points[seat] += gain
        return points

    # Candidate moves

    def moves(self, table: TableReader, ask: Ask, chance: Rng) -> Sequence[Move]:
        match ask.what:
            case "order":
                good = [
                    self._order(table, ask, chance, CAREFUL_TRIES) for _ in range(CAREFUL_BOARDS)
                ]
                offers = self.rules.offers(table, ask)
                return list(dict.fromkeys([*good, *every(offers, ask.id, RANDOM_BOARDS, chance)]))
            case "lock":  # considered before
                return (Move(ask.id, "lock"),)
            case "pick":
                return self._rank_picks(table, ask)
            case _:
                return every(self.rules.offers(table, ask), ask.id, MAX_MOVES, chance)

    def answer(self, table: TableReader, ask: Ask, chance: Rng) -> Move:
        match ask.what:
            case "lock":
                return Move(ask.id, "lock")
            case "pick":
                return self._pick(table, ask, chance)
            case "order":
                return self._order(table, ask, chance, PLAYOUT_TRIES)
            case _:
                return some(self.rules.offers(table, ask), ask.id, chance)

    def _rank_picks(self, table: TableReader, ask: Ask) -> list[Move]:
        """Return moves for picks, the most attractive first.

        A claim may fail, because other players may want the same public card.
        """
        seat, cards, drafting = ask.seat, table.cards, self.drafting
        own = picked_cards(table, seat)
        wishes = sorted([(drafting.wish(card, own), card) for card in cards[HAND[seat]]])
        picks = [(wish, Move(ask.id, "pick", (card,), PICKED[seat])) for wish, card in wishes]
        for zone in PUBLIC:
            gained = drafting.wish(cards[zone][0], own)
            for wish, card in wishes[:CARDS_TO_GIVE]:
                tempting = wish + CLAIM_SUCCESS_PROBABILITY * (gained - wish)
                picks.append((tempting, Move(ask.id, "claim", (card,), zone)))
        return [move for _, move in sorted(picks, key=_gain_of, reverse=True)]

    def _pick(self, table: TableReader, ask: Ask, chance: Rng) -> Move:
        """Return a pick that is nearly the best.

        For a public card, the best card in the hand is given.
        """
        seat, cards, drafting = ask.seat, table.cards, self.drafting
        own = picked_cards(table, seat)
        best, most = -1, -inf
        for card in cards[HAND[seat]]:
            wish = drafting.wish(card, own) + chance.below(20) / 10
            if wish > most:
                best, most = card, wish
        for zone in PUBLIC:
            if drafting.wish(cards[zone][0], own) > most:
                return Move(ask.id, "claim", (best,), zone)
        return Move(ask.id, "pick", (best,), PICKED[seat])

    # Candidates of a longer search

    def searched_moves(
        self, view: State, ask: Ask, past: Past, chance: Rng, enough: Callable[[], bool]
    ) -> Sequence[Move]:
        match ask.what:
            case "order":
                return self._boards(view, ask, past, chance, enough)
            case "appeal":
                return self._rank_appeals(view, ask, past, chance, enough)
            case _:
                return self.moves(view, ask, chance)

    def _boards(
        self, view: State, ask: Ask, past: Past, chance: Rng, enough: Callable[[], bool]
    ) -> Sequence[Move]:
        """Return the orders that gain most against the boards that other players may build (6)."""
        tables: list[list[Sequence[int]]] = []
        while len(tables) < MAX_WORLDS and not (tables and enough()):
            world = self.determinize(view, past, chance)
            others = [_board_to_fill(world, seat) for seat in range(view.seats) if seat != ask.seat]
            tables.append(
                [
                    self.planner.built(own, rate_alone, chance, CAREFUL_TRIES).seasons
                    for own in others
                ]
            )
        own, goal = _board_to_fill(view, ask.seat), rate_against(tables)
        plans = self.planner.improved_boards(own, goal, chance, MAX_BOARDS, enough)
        return [_order_move(ask, plan, own.free) for plan in plans[:MAX_COMPARED_BOARDS]]

    def _rank_appeals(
        self, view: State, ask: Ask, past: Past, chance: Rng, enough: Callable[[], bool]
    ) -> Sequence[Move]:
        """Return the appeal that restricts the final board least (5.5).

        Candidates are the cards and positions that are most frequent on the boards that the seat
        may build in the end.
        """
        futures: list[tuple[BoardToFill, Goal]] = []
        votes: Counter[Presented] = Counter()
        year = view.cards[PICKED[ask.seat]]
        while len(futures) < MAX_FUTURES and not (futures and enough()):
            own, goal = self._future(self.determinize(view, past, chance), ask.seat)
            futures.append((own, goal))
            laid = self.planner.built(own, goal, chance, CAREFUL_TRIES).board
            votes.update(
                (laid.cards[cell], cell, laid.turned[cell])
                for cell in own.free
                if laid.cards[cell] in year
            )
        places = [place for place, _ in votes.most_common(MAX_PLACES)]
        if not places:
            return self.moves(view, ask, chance)
        card, cell, turned = self._most_open(places, futures, chance, enough)
        way = UPSIDE_DOWN if turned else UPRIGHT
        return (Move(ask.id, "appeal", (card,), BOARD[ask.seat][cell], way),)

    def _future(self, world: State, seat: int) -> tuple[BoardToFill, Goal]:
        """Return the picks and the board that the seat will have in this world,
        and a goal for filling it.
        """
        picks = final_picks(self.drafting, world)
        fixed = [_cards_on_board(world, other) for other in range(world.seats)]
        strengths = [seasons for _, seasons in self.drafting.boards(picks, fixed)]
        rivals = [[round(n) for n in s] for other, s in enumerate(strengths) if other != seat]
        board = _board_to_fill(world, seat).board
        free = [cell for cell in CELLS if board.cards[cell] == EMPTY]
        own = BoardToFill(board, free, [card for card in picks[seat] if card not in board.cards])
        return own, rate_against([rivals])

    def _most_open(
        self,
        places: Sequence[Presented],
        futures: Sequence[tuple[BoardToFill, Goal]],
        chance: Rng,
        enough: Callable[[], bool],
    ) -> Presented:
        """Return the candidate with the highest sum of board ratings over all `futures`."""
        good = dict.fromkeys(places, 0.0)
        for own, goal in futures:
            for place in places:
                good[place] += self.planner.built(
                    _with_presented(own, *place), goal, chance, CAREFUL_TRIES
                ).good
            if enough():
                break
        return max(places, key=lambda place: good[place])

    # Worth of picks, compared in the same worlds

    def dealer(
        self,
        view: State,
        ask: Ask,
        past: Past,
        chance: Rng,
        moves: Sequence[Move],
        margin: bool,
    ) -> Deal | None:
        if ask.what != "pick":
            return None
        seat, fixed = ask.seat, [_cards_on_board(view, other) for other in range(view.seats)]

        choices = [to_choice(move) for move in moves]

        def deal() -> Try:
            world = self.determinize(view, past, chance)
            opening = make_draft(self.drafting, world, chance.below(view.seats), watchful=True)
            chosen = opening.choices()

            def share(at: int) -> float:
                draft = opening.clone()
                chosen[seat] = choices[at]
                draft.play(chosen)
                draft.play_on()
                return shares(self._hopes(draft.picks, fixed), SPREAD)[seat]

            return share

        return deal

    # 6 Order: boards are built by trying changes

    def _order(self, table: TableReader, ask: Ask, chance: Rng, tries: int) -> Move:
        """Return an order with a high rating, found with `tries` random changes."""
        own = _board_to_fill(table, ask.seat)
        return _order_move(ask, self.planner.built(own, rate_alone, chance, tries), own.free)

    # Hidden cards

    def determinize(self, view: State, past: Past, chance: Rng) -> State:
        """Deal a world in which others hold the cards that were passed to them
        and have sensible boards.
        """
        cards = self._dealer.dealt(view, self._hidden(view, past), chance)
        world = determinized(self.rules, replace(view, cards=cards), chance)
        if PHASE.of(view) in DRAFT_PHASES:
            return world
        for seat in range(view.seats):
            if seat != view.viewer:
                world = self._sensible(view, world, seat, chance)
        return world

    def _sensible(self, view: State, world: State, seat: int, chance: Rng) -> State:
        """Return the world with a sensible board for this seat's hidden cards.

        Two boards are built quickly, and the one that is closer to the declared points for autumn
        is used.
        """
        hidden_cells = [cell for cell in CELLS if not is_revealed(view, seat, cell)]
        if not hidden_cells or any(APPEAL.of(view, seat, cell) for cell in hidden_cells):
            return world
        picks = [world.cards[BOARD[seat][cell]][0] for cell in hidden_cells]
        picks += world.cards[OLDER[seat]]
        own = BoardToFill(read_board(world, seat), hidden_cells, picks)
        # None means something other than 0
        declared = view.values.get(POINTS[SEASONS[AUTUMN], seat])
        plans = [self.planner.built(own, rate_alone, chance, OPPONENT_TRIES) for _ in range(2)]

        def doubt(plan: BoardPlan) -> float:
            return -plan.good if declared is None else abs(plan.seasons[AUTUMN] - int(declared))

        board = min(plans, key=doubt).board
        cards = dict(world.cards)
        laid = [board.cards[cell] for cell in hidden_cells]
        for cell, card in zip(hidden_cells, laid, strict=True):
            cards[BOARD[seat][cell]] = (card,)
            low, high = sorted(cards[TILT[seat][cell]])
            cards[TILT[seat][cell]] = (high, low) if board.turned[cell] else (low, high)
        cards[OLDER[seat]] = tuple(sorted(card for card in picks if card not in laid))
        return replace(world, cards=cards)

    def reason(self, view: State, ask: Ask, move: Move) -> Remark | None:
        match move.verb:
            case "pick" | "claim":
                card = move.cards[0] if move.verb == "pick" else view.cards[move.target][0]
                season = self.deck.season[card]
                own = self.drafting.sums(picked_cards(view, ask.seat))
                text = (
                    phrase("It makes your strongest season even stronger: {word_season}.")
                    if own[season] == max(own) and own[season]
                    else phrase("It's the most valuable card you can get ({word_season}).")
                )
                return Remark(text, {"word_season": SEASONS[season]}, (), "7.2")
            case "appeal":
                return Remark(
                    "It scores there, and gives the least away face up.", {}, (move.target,)
                )
            case "declare":
                return Remark("You can only declare the true total.", {}, (), "7.1")
            case "depart":
                return Remark("The pick that replaces it is worth more there.", {}, (move.target,))
            case "pass" if ask.what == "before":
                return Remark("This way the season scores you most.", {}, (), "7.5")
            case "pass":
                return Remark("It wouldn't help you.", {}, (), "7.5")
            case "use" | "aim" | "none" if ask.what != "before":
                return _use_remark(ask, move)
            case _:
                preview = self.rules.preview(view, ask, move)
                return preview.notes[0] if preview and preview.notes else None


DRAFT_PHASES: Final = ("draft", "appeal", "order")


def _gain_of(pair: tuple[float, Move]) -> float:
    return pair[0]


def _use_remark(ask: Ask, move: Move) -> Remark:
    """Return a remark on the use of a ◎ card, or of a ◆ card after scoring.

    ◎ cards must be used. Both mostly harm other players.
    """
    paragraph = "7.3" if ask.what == "marks" else "7.5"
    if move.verb == "none":
        return Remark("You have no ◎ card to use.", {}, (), paragraph)
    if not move.target:
        return Remark("You have to use it, and this order is best.", {}, (), paragraph)
    seat, _ = CELL_OF[move.target]
    if seat == ask.seat:
        return Remark("That card gains the most from it.", {}, (move.target,), paragraph)
    return Remark(
        "Of everything it reaches, this helps you most against {seat}.",
        {"seat": seat},
        (move.target,),
        paragraph,
    )


def _open_lead(table: TableReader) -> float:
    """Return the lead in a season, in points, that still leaves the first place open."""
    return LAID_OUT if PHASE.of(table) in ("autumn", "marks") else SEEN


def _expected_gains(strong: list[float], close: float) -> list[float]:
    """Return each seat's expected gain from a season with these points (7.2).

    Seats whose points are close share the gain, because they may still change places.
    """
    ranked = [points for points in strong if points > MIN_RANKED_POINTS]
    if not ranked:
        return [0.0] * len(strong)
    gain = max(ranked) - (min(ranked) if len(ranked) > 1 else 0.0)
    return [share * gain for share in shares(strong, close)]


def _cards_on_board(table: TableReader, seat: int) -> list[int]:
    return [card for cell in CELLS for card in table.cards[BOARD[seat][cell]]]


def _board_to_fill(table: TableReader, seat: int) -> BoardToFill:
    """Return the seat's board, its free cells, and the picks for them."""
    board = read_board(table, seat)
    free = [cell for cell in CELLS if not table.cards[BOARD[seat][cell]]]
    cards = tuple([EMPTY if cell in free else board.cards[cell] for cell in CELLS])
    return BoardToFill(board._replace(cards=cards), free, table.cards[OLDER[seat]])


def _with_presented(own: BoardToFill, card: int, cell: int, turned: bool) -> BoardToFill:
    """Return `own` after this pick has been presented in `cell`."""
    board = own.board
    return BoardToFill(
        board._replace(
            cards=tuple([card if c == cell else other for c, other in enumerate(board.cards)]),
            turned=tuple([turned if c == cell else way for c, way in enumerate(board.turned)]),
            appeal=tuple([1 if c == cell else year for c, year in enumerate(board.appeal)]),
        ),
        [c for c in own.free if c != cell],
        [pick for pick in own.picks if pick != card],
    )


def _order_move(ask: Ask, plan: BoardPlan, free: Sequence[int]) -> Move:
    """Return the answer that fills the `free` cells as in `plan`."""
    cards = tuple(plan.board.cards[cell] for cell in free)
    ways = "".join(UPSIDE_DOWN if plan.board.turned[cell] else UPRIGHT for cell in free)
    return Move(ask.id, "order", cards, choice=ways)
