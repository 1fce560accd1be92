"""AWSSterra: players gather creatures in secret for three years, then present nine to the jury.

Paragraph numbers refer to the rulebook; A1 to A30 are our interpretations of it. Seats count
clockwise, so the next seat is the left neighbour (A2). Other modules: `draft` (the years),
`judging` (order, seasons, winner), `board` (nine cells, and how the rotation of hidden cards stays
secret), `effects` and `texts` (what cards do and say), `deck`, `places`, `scoring`, `marks` (◎ and
◆), `refusals` and `preview`.

All 60 creatures have the same back, because ★★★ cards with a back of their own would be
recognizable on a hidden board (A8).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final

from tabletop.engine.model import (
    Ask,
    Move,
    Offer,
    Pen,
    Preview,
    Reason,
    Sight,
    Step,
    TableReader,
    Value,
    Zone,
    one,
)
from tabletop.engine.mypyc_attr import mypyc_attr
from tabletop.games.awss import draft, judging, marks, race
from tabletop.games.awss.board import (
    APPEAL,
    BOARD,
    CELL_OF,
    CELLS,
    NEEDLES,
    ROTATIONS,
    TILT,
    UPRIGHT,
    UPSIDE_DOWN,
    lay_card,
    read_board,
)
from tabletop.games.awss.deck import AUTUMN, Deck
from tabletop.games.awss.places import (
    AWARD,
    CALL,
    CLAIM,
    CONTEST,
    HAND,
    LAID,
    LOCKED,
    NEXT,
    OLDER,
    PICKED,
    PRIZE,
    PUBLIC,
    ROLLS,
    SCORE,
    SEASONS,
    YEAR,
    free_cells,
)
from tabletop.games.awss.preview import preview_move
from tabletop.games.awss.refusals import explain_refusal
from tabletop.games.awss.scoring import total_points
from tabletop.games.awss.steps import (
    After,
    Appeal,
    Autumn,
    Before,
    Check,
    Close,
    Marks,
    Order,
    PassOn,
    Reveal,
    Round,
    Score,
    ScoreAutumn,
    Year,
)

FREE_CELLS: Final = 6
ROTATION_COMBINATIONS: Final = tuple(
    "".join(UPSIDE_DOWN if number >> place & 1 else UPRIGHT for place in range(FREE_CELLS))
    for number in range(2**FREE_CELLS)
)
"""All combinations of rotations of six cards, with one character for each card."""


STEPS: Final[dict[type[Step], Callable[[Deck, Pen, Any], None]]] = {
    Year: lambda deck, table, step: draft.begin_year(table, step.number),
    Round: lambda deck, table, step: draft.begin_round(table, step.number),
    PassOn: lambda deck, table, step: draft.pass_hands(table),
    Appeal: lambda deck, table, step: draft.ask_appeals(table),
    Reveal: lambda deck, table, step: draft.reveal_appeals(table),
    Order: lambda deck, table, step: judging.ask_order(table),
    Autumn: lambda deck, table, step: judging.ask_autumn(table),
    ScoreAutumn: lambda deck, table, step: judging.award_autumn(table),
    Marks: lambda deck, table, step: judging.ask_marks(table, step.seat),
    After: lambda deck, table, step: judging.ask_after(deck, table, step.seat),
    Check: lambda deck, table, step: judging.reveal_boards(deck, table),
    Before: lambda deck, table, step: judging.begin_season(deck, table, step.season),
    Score: lambda deck, table, step: judging.score_season(deck, table, step.season),
    Close: lambda deck, table, step: judging.close_season(deck, table, step.season),
}
"""The function that runs a planned step, by type of step."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Rules:
    """The rules of AWSSterra, for the deck in `cards.toml`.

    Raises:
        BrokenDeck: the deck doesn't belong to this game.
    """

    steps: ClassVar = tuple(STEPS)

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
            SCORE.set(table, seat, 0)
            AWARD.set(table, seat, "")
        for shown in (CALL, CONTEST, ROLLS, PRIZE):
            shown.set(table, "")
        table.place(Zone("box", Sight.NONE), self.deck.needles[18 * len(seats) :])
        table.then(Year(1))

    # Moves on offer

    def offers(self, state: TableReader, ask: Ask) -> tuple[Offer, ...]:
        seat = ask.seat
        match ask.what:
            case "pick":
                hand = state.cards[HAND[seat]]
                return (one("pick", hand, (PICKED[seat],)), one("claim", hand, PUBLIC))
            case "lock":
                return (Offer("lock"), *draft.other_picks(state, seat))
            case "again":
                return draft.other_picks(state, seat)
            case "appeal":
                return (
                    one("appeal", state.cards[PICKED[seat]], free_cells(state, seat), ROTATIONS),
                )
            case "order":  # A11: all six or nothing
                free = free_cells(state, seat)
                picks = state.cards[OLDER[seat]]
                return (
                    Offer("order", picks, (), ROTATION_COMBINATIONS, FREE_CELLS, FREE_CELLS, free),
                )
            case "declare":
                points = total_points(judging.season_scores(self.deck, state, seat, AUTUMN))
                return (Offer("declare", choices=(str(points),)),)
            case "marks":  # A19: all must be used, so only a player without any may say so
                cells = marks.usable_cells(self.deck, state, seat, "◎")
                if cells:
                    return tuple([marks.use_offer(self.deck, state, seat, cell) for cell in cells])
                return (Offer("none"),)
            case "before":
                return marks.plan_offers(self.deck, state, seat, SEASONS.index(str(ask.args[0])))
            case _:
                cells = judging.cells_usable_after_scoring(self.deck, state, seat)
                used = [marks.use_offer(self.deck, state, seat, cell) for cell in cells]
                return (*used, Offer("pass"))

    # Effects of moves and planned steps

    def play(self, table: Pen, seat: int, move: Move) -> None:
        match move.verb:
            case "pick" | "claim" if draft.are_picks_visible(table.state):
                draft.lay_visible_pick(table, seat, move)
            case "pick":
                table.say("{seat} picks from the hand.", seat=seat)
                table.move(move.cards[0], HAND[seat], move.target)
            case "claim":
                draft.claim_public_card(table, seat, move.cards[0], PUBLIC.index(move.target))
            case "lock":
                LOCKED.set(table, seat, True)
                table.say("{seat} has locked the pick.", seat=seat)
                table.ask(seat, "again", optional=True)
            case "appeal":
                cell = CELL_OF[move.target][1]
                lay_card(table, seat, cell, move.cards[0], PICKED[seat], move.choice)
                APPEAL.set(table, seat, cell, YEAR.of(table.state))
            case "order":
                judging.lay_order(table, seat, move)
            case "declare":
                judging.record_points(table, seat, AUTUMN, int(move.choice))
            case "pass" | "none":
                pass
            case "combine" | "combine_self":
                for use in marks.parse_plan(read_board(table.state, seat), move):
                    marks.perform_use(self.deck, table, seat, use.cell, (seat, use.on))
            case "depart":
                marks.replace_by_pick(
                    table, seat, CELL_OF[move.target][1], move.cards[0], move.choice
                )
                table.then(Marks(seat))
            case _:
                judging.use_card(self.deck, table, seat, move)

    def resume(self, table: Pen, step: Step) -> None:
        STEPS[type(step)](self.deck, table, step)

    # How far everybody is

    def figures(self, state: TableReader) -> dict[str, Value]:
        return race.standings_figures(self.deck, state)

    # Reasons and previews

    def why(self, state: TableReader, ask: Ask, card: int, to: str) -> Reason | None:
        return explain_refusal(state, ask, card, to, self.offers(state, ask))

    def preview(self, state: TableReader, ask: Ask, move: Move) -> Preview | None:
        return preview_move(self.deck, state, ask, move)
