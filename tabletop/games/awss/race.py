"""The standings: each player's publicly known points for each season."""

from tabletop.engine.model import TableReader, Value
from tabletop.games.awss.board import BLANK, BOARD, CELLS, DOWN, EMPTY, Board, read_board
from tabletop.games.awss.deck import Deck
from tabletop.games.awss.places import POINTS, SEASONS
from tabletop.games.awss.scoring import season_parts, total_points, with_earlier_closed


def standings_figures(deck: Deck, state: TableReader) -> dict[str, Value]:
    """Return each player's points for each season: declared,
    or else scored by the revealed cards.
    """
    boards = [_as_seen(state, seat) for seat in range(state.seats)]
    found: dict[str, Value] = {}
    for season, name in enumerate(SEASONS):
        closed = [with_earlier_closed(deck, board, season) for board in boards]
        for seat, board in enumerate(closed):
            declared = state.values.get(POINTS[name, seat])  # 0 may have been declared, too
            others = [*closed[:seat], *closed[seat + 1 :]]
            found[f"open/{name}/{seat}"] = (
                total_points(season_parts(deck, board, season, others))
                if declared is None
                else declared
            )
    return found


def _as_seen(state: TableReader, seat: int) -> Board:
    """Return the player's board with hidden cards as EMPTY,
    so that they don't count as face-down cards.
    """
    board, turned = read_board(state, seat), DOWN.row(state, seat, CELLS)
    cards = [
        EMPTY if card == BLANK and not (state.cards[zone] and down) else card
        for card, zone, down in zip(board.cards, BOARD[seat], turned, strict=True)
    ]
    return board._replace(cards=tuple(cards))
