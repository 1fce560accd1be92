"""The scores of cards and seasons, and victory points (rulebook 7.2, 8.2)."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from tabletop.games.awss.board import (
    BLANK,
    CELLS,
    CENTRE,
    COLUMN,
    INCOMING,
    OTHERS,
    ROW,
    TIPS,
    Board,
)
from tabletop.games.awss.deck import Deck
from tabletop.games.awss.effects import (
    SEASONS,
    BonusIf,
    BonusPer,
    Condition,
    PointsFromTip,
    Selection,
    Spot,
)

CELLS_BY_ZONE: Final = {"tips": TIPS, "board": OTHERS, "row": ROW, "col": COLUMN}


class ScorePart(NamedTuple):
    """A part of a card's score: points, the symbol of their source,
    and the cell that they come from.
    """

    sign: str
    points: int
    cell: int


PRINTED, COUNTERS, SACRIFICE, ARROW, BONUS, AURA = "", "●", "◆", "▲", "✦", "❋"


def score_parts(deck: Deck, board: Board, cell: int, others: Sequence[Board]) -> list[ScorePart]:
    """Return the parts of the score of the face-up card in this cell (8.2, A15)."""
    card = board.cards[cell]
    scored = [ScorePart(PRINTED, deck.points[card], cell)]
    if board.counters[cell]:  # A26
        scored.append(ScorePart(COUNTERS, board.counters[cell], cell))
    if board.used[cell] and deck.sacrifice[card]:
        scored.append(ScorePart(SACRIFICE, deck.sacrifice[card], cell))
    for other, arrow in INCOMING[cell]:  # A13: whatever its season
        neighbour = board.cards[other]
        if neighbour >= 0:
            points = deck.arrows[board.turned[other]][neighbour][arrow]
            if points > 0 or (points and not deck.fearless[card]):
                scored.append(ScorePart(ARROW, points, other))
    for effect in deck.scored[card]:
        points = _bonus(deck, board, cell, others, effect)
        if points:
            scored.append(ScorePart(BONUS, points, cell))
    for other in OTHERS[cell]:
        neighbour = board.cards[other]
        if neighbour >= 0 and deck.auras[neighbour]:
            for aura in deck.auras[neighbour]:
                if cell in CELLS_BY_ZONE[aura.who.zone][other] and matches_selection(
                    deck, card, aura.who
                ):
                    scored.append(ScorePart(AURA, aura.points, other))
    return scored


def _bonus(
    deck: Deck,
    board: Board,
    cell: int,
    others: Sequence[Board],
    effect: BonusIf | BonusPer | PointsFromTip,
) -> int:
    match effect:
        case BonusIf(cond, points):
            return points if _holds(deck, board, cell, others, cond) else 0
        case BonusPer(count, points, most):
            total = points * count_matching(deck, board, cell, others, count)
            return total if most is None else min(total, most)
        case PointsFromTip(most):
            tips = [board.cards[tip] for tip in TIPS[cell]]
            printed = [deck.points[card] for card in tips if card >= 0]
            return min(max(printed, default=0), most)


def _holds(deck: Deck, board: Board, cell: int, others: Sequence[Board], cond: Condition) -> bool:
    if cond.sel is not None:
        count = count_matching(deck, board, cell, others, cond.sel)
        low, high = cond.min or 0, len(CELLS) if cond.max is None else cond.max
        return low <= count <= high
    return cond.spot is not None and is_placed(board, cell, cond.spot)


def is_placed(board: Board, cell: int, place: Spot) -> bool:
    """Return whether the card in this cell meets a condition on its position."""
    match place:
        case "centre":
            return cell == CENTRE
        case "corner":
            return cell != CENTRE and cell % 2 == 0
        case "edge":
            return cell % 2 == 1
        case "rotated":
            return board.turned[cell]
        case "appeal":
            return bool(board.appeal[cell])


def count_matching(
    deck: Deck, board: Board, cell: int, others: Sequence[Board], which: Selection
) -> int:
    """Return how many cards match a selection, relative to the card in this cell (8.1)."""
    match which.zone:
        case "kinds":
            return len({deck.season[card] for card in board.cards if card >= 0})
        case "same_position":
            return sum(matches_selection(deck, other.cards[cell], which) for other in others)
        case _:
            reach = CELLS_BY_ZONE[which.zone][cell]
            return sum(matches_selection(deck, board.cards[place], which) for place in reach)


def matches_selection(deck: Deck, card: int, which: Selection) -> bool:
    """Return whether a card matches a selection. A face-down card has no properties (A14)."""
    if card < 0:
        return card == BLANK and which.face == "down"
    season = SEASONS[deck.season[card]]
    return (
        which.face == "up"
        and which.season in (None, season)
        and which.not_season != season
        and which.stars in (None, deck.stars[card])
    )


def season_parts(
    deck: Deck, board: Board, season: int, others: Sequence[Board]
) -> list[tuple[int, list[ScorePart]]]:
    """Return the cells with a face-up card of the season, each with the parts of its score."""
    return [
        (cell, score_parts(deck, board, cell, others))
        for cell, card in enumerate(board.cards)
        if card >= 0 and deck.season[card] == season
    ]


def with_earlier_closed(deck: Deck, board: Board, season: int) -> Board:
    """Return the board as it is when this season is scored,
    with cards of earlier seasons closed (A24).
    """
    closes = deck.closes
    cards = [card if card < 0 or closes[card] >= season else BLANK for card in board.cards]
    return board._replace(cards=tuple(cards))


def total_points(scored: Sequence[tuple[int, Sequence[ScorePart]]]) -> int:
    """Return the sum of all scores, which may be negative (A15)."""
    return sum([part.points for _, card in scored for part in card])


def format_formula(scored: Sequence[ScorePart]) -> str:
    """Return a card's score as a formula, such as "3 ▲+1 ✦+2"."""
    printed, *more = scored
    return " ".join([str(printed.points), *(f"{part.sign}{part.points:+}" for part in more)])


def victory_points(points: Sequence[int], literal: bool) -> tuple[int, ...]:
    """Return each player's victory points for a season with these points.

    The first-placed player gets the difference to the last. Players with 0 points or less aren't
    ranked (7.2, A16).
    """
    ranked = [own for own in points if own > 0]
    if not ranked:
        return (0,) * len(points)
    last = min(ranked) if len(ranked) > 1 or literal else 0
    first = max(ranked)
    return tuple(first - last if own == first else 0 for own in points)
