"""The judging of nine cards: their order on the board, four seasons, and the winner (6, 7, 9)."""

from collections.abc import Sequence
from typing import Final

from tabletop.engine.model import NO_CARD, Move, Pen, Result, ScoreLine, TableReader
from tabletop.games.awss import marks
from tabletop.games.awss.board import (
    BOARD,
    CELL_OF,
    CELLS,
    DOWN,
    is_up,
    lay_card,
    read_board,
    reveal_card,
)
from tabletop.games.awss.deck import AUTUMN, Deck
from tabletop.games.awss.draft import announce, roll_contest
from tabletop.games.awss.places import (
    AWARD,
    GAIN,
    OLDER,
    PHASE,
    POINTS,
    SCORE,
    SEASONS,
    SUMMER,
    VICTORY,
    WITH_THE_SUM,
    YEAR,
    other_boards,
)
from tabletop.games.awss.scoring import (
    ARROW,
    AURA,
    BONUS,
    COUNTERS,
    SACRIFICE,
    ScorePart,
    format_formula,
    season_parts,
    total_points,
    victory_points,
)
from tabletop.games.awss.steps import After, Autumn, Before, Check, Close, Marks, Score, ScoreAutumn
from tabletop.text.phrases import phrase

SOURCE_TEXTS: Final = {
    ARROW: phrase("▲ {n}: arrow of {card}"),
    AURA: phrase("❋ {n}: effect of {card}"),
    BONUS: phrase("✦ {n}: own effect"),
    COUNTERS: phrase("● {n}: counters"),
    SACRIFICE: phrase("◆ {n}: sacrifice"),
}
"""The log entries for points that aren't printed on a card, by the symbol of their source."""


# 6 Order


def ask_order(table: Pen) -> None:
    """Ask all players to fill their boards in secret."""
    PHASE.set(table, "order")
    YEAR.set(table, 0)
    table.say("The boards are filled in secret.")
    table.then(Autumn())
    for seat in range(table.state.seats):
        table.ask(seat, "order", sealed=True)


def lay_order(table: Pen, seat: int, move: Move) -> None:
    """Lay the picks in the move on the free cells. In previews, there may be fewer than six."""
    free = [cell for cell in CELLS if not table.state.cards[BOARD[seat][cell]]]
    for cell, card, way in zip(free, move.cards, move.choice, strict=True):
        if card != NO_CARD:
            lay_card(table, seat, cell, card, OLDER[seat], way)
    table.say("{seat} is ready.", seat=seat)


# 7.1 Autumn is declared from hidden boards


def ask_autumn(table: Pen) -> None:
    """Ask all players to declare their points for autumn.

    The points aren't computed, because only the owner may reveal the value of a hidden board.
    """
    PHASE.set(table, SEASONS[AUTUMN])
    announce(table, SEASONS[AUTUMN])
    table.then(ScoreAutumn())
    for seat in range(table.state.seats):
        table.ask(seat, "declare")


def season_scores(
    deck: Deck, state: TableReader, seat: int, season: int
) -> list[tuple[int, list[ScorePart]]]:
    """Return the player's cells with a card of this season, each with the parts of its score."""
    others = () if season == AUTUMN else other_boards(state, seat)  # A29: all are hidden
    return season_parts(deck, read_board(state, seat), season, others)


def record_points(table: Pen, seat: int, season: int, points: int) -> None:
    """Record a player's points for a season, whether declared or computed."""
    POINTS.set(table, SEASONS[season], seat, points)
    table.say(
        "{seat} declares {points} for {word_season}.",
        seat=seat,
        points=points,
        word_season=SEASONS[season],
    )


def award_autumn(table: Pen) -> None:
    """Award the victory points for autumn, and continue with the ◎ cards."""
    _award(table, AUTUMN)
    PHASE.set(table, "marks")
    table.then(Check())
    plan_turns(table, AUTUMN, Marks)


# 7.2 Victory points


def declared_points(state: TableReader, season: int) -> list[int]:
    """Return each player's declared points for the season."""
    return [POINTS.of(state, SEASONS[season], seat) for seat in range(state.seats)]


def _award(table: Pen, season: int) -> None:
    state = table.state
    points = declared_points(state, season)
    won = victory_points(points, state.options.get("sole_scorer") == "literal")  # A16
    for seat, gained in enumerate(won):
        VICTORY.set(table, SEASONS[season], seat, gained)
    for seat, gained in enumerate(won):
        if gained:
            GAIN.set(table, seat, gained)
            AWARD.set(table, seat, season)
            AWARD.set(table, seat, WITH_THE_SUM)
            SCORE.add(table, seat, gained)
            AWARD.set(table, seat, "")
            table.say("{seat} gains {points} victory points.", tag="win", seat=seat, points=gained)


def _log_scores(table: Pen, seat: int, scored: Sequence[tuple[int, Sequence[ScorePart]]]) -> None:
    """Log each card's score and its sources, highlighting the cells that the points come from."""
    cards = table.state.cards
    for cell, own in scored:
        zone = BOARD[seat][cell]
        table.say(
            "{card} scores {points}: {formula}.",
            cards[zone][0],
            points=sum([part.points for part in own]),
            formula=format_formula(own),
            lit=" ".join([BOARD[seat][part.cell] for part in own]),
            lines=len(own) - 1,
        )
        for part in own[1:]:
            giver = cards[BOARD[seat][part.cell]][0]
            table.say(SOURCE_TEXTS[part.sign], giver, n=f"{part.points:+}")


# 7.3 ◎, and ◆ after scoring: from the fewest points up


def plan_turns(table: Pen, season: int, step: type[Marks | After]) -> None:
    """Plan a step for each player, from the one with the fewest points in the season up (A17).

    Of tied players, the one farthest to the left of the first-placed player goes first. The
    first-placed player goes last; if there are several, they roll for it.
    """
    points = declared_points(table.state, season)
    seats = range(len(points))
    firsts = [seat for seat in seats if points[seat] == max(points)]
    first = roll_contest(table, firsts)
    for seat in sorted(seats, key=lambda s: (-points[s], (s - first) % len(seats))):
        table.then(step(seat))


def ask_marks(table: Pen, seat: int) -> None:
    """Ask a player to use ◎ cards (A18).

    Players without one are asked too, because a hidden board mustn't reveal whether it has any.
    """
    table.ask(seat, "marks")


def cells_usable_after_scoring(deck: Deck, state: TableReader, seat: int) -> list[int]:
    """Return the player's cells with ◆ cards that can be used after scoring (A23)."""
    return [
        cell
        for cell in marks.usable_cells(deck, state, seat, "post")
        if SEASONS[deck.season[state.cards[BOARD[seat][cell]][0]]] == PHASE.of(state)
        and marks.choosable_targets(deck, state, seat, cell)
    ]


def ask_after(deck: Deck, table: Pen, seat: int) -> None:
    """Ask the player to use a ◆ card after scoring, if there is one."""
    if cells_usable_after_scoring(deck, table.state, seat):
        table.ask(seat, "after")


def use_card(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Use a card, and ask its player to use further ones."""
    state = table.state
    cell = next(c for c in CELLS if state.cards[BOARD[seat][c]] == move.cards)
    target = CELL_OF[move.target] if move.target else None
    match deck.moment[move.cards[0]]:
        case "◎":
            table.then(Marks(seat))
        case "post":
            table.then(After(seat))
    marks.perform_use(deck, table, seat, cell, target)


# 7.4 Board check


def reveal_boards(deck: Deck, table: Pen) -> None:
    """Reveal all cards that are face up on the boards."""
    PHASE.set(table, "check")
    table.say("All face-up cards are opened.")
    for seat in range(table.state.seats):
        for cell in CELLS:
            if is_up(table.state, seat, cell):  # A22: the others stay as unknown as they were
                reveal_card(table, seat, cell)
    close_season(deck, table, AUTUMN)


# 7.5 Winter, spring and summer


def begin_season(deck: Deck, table: Pen, season: int) -> None:
    """Start a season: players plan their ◆ cards, then the season is scored."""
    PHASE.set(table, SEASONS[season])
    announce(table, SEASONS[season])
    table.then(Score(season))
    for seat in range(table.state.seats):  # A23: in secret, all at once
        if any(marks.possible_uses(deck, read_board(table.state, seat), season)):
            table.ask(seat, "before", SEASONS[season], sealed=True)


def score_season(deck: Deck, table: Pen, season: int) -> None:
    """Score a season card by card, and award its victory points."""
    seats = range(table.state.seats)
    for seat in seats:
        scored = season_scores(deck, table.state, seat, season)
        _log_scores(table, seat, scored)
        record_points(table, seat, season, total_points(scored))
    _award(table, season)
    table.then(Close(season))
    if any(cells_usable_after_scoring(deck, table.state, seat) for seat in seats):
        plan_turns(table, season, After)


# 7.6 Closing


def close_season(deck: Deck, table: Pen, season: int) -> None:
    """Turn down all cards of this season,
    and cards of earlier seasons that stayed up until now (A24).
    """
    for seat in range(table.state.seats):
        for cell, card in enumerate(read_board(table.state, seat).cards):
            if card >= 0 and deck.closes[card] <= season:
                DOWN.set(table, seat, cell, True)
    if season < SUMMER:
        table.then(Before(season + 1))
    else:
        table.end(_result(table.state))


# 9 Who wins


def _result(state: TableReader) -> Result:
    """Return the result: the highest total wins, then the highest single season;
    else victory is shared (A25).
    """
    seats = range(state.seats)
    sheet = tuple(_score_line(state, season) for season in range(len(SEASONS)))
    scores = tuple(SCORE.all(state))
    ranks = [(scores[seat], max(line.points[seat] for line in sheet)) for seat in seats]
    winners = tuple(seat for seat in seats if ranks[seat] == max(ranks))
    decided = ""
    if scores.count(max(scores)) > 1:
        decided = (
            phrase("Equal victory points: the best single season decides.")
            if len(winners) == 1
            else phrase("Equal victory points and equal best seasons: the victory is shared.")
        )
    return Result(winners, scores, sheet, decided)


def _score_line(state: TableReader, season: int) -> ScoreLine:
    """Return a season's score sheet line: "17 − 2" for the first-placed player,
    points for the others.
    """
    seats = range(state.seats)
    points = declared_points(state, season)
    won = tuple(VICTORY.of(state, SEASONS[season], seat) for seat in seats)
    formulas = tuple(
        f"{own} − {own - gained}" if gained else f"({own})"
        for own, gained in zip(points, won, strict=True)
    )
    return ScoreLine(
        "Victory points in {word_season}", won, formulas, {"word_season": SEASONS[season]}
    )
