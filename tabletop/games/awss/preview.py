"""Previews of moves."""

from collections.abc import Sequence

from tabletop.engine.dry_run import DryRunTable
from tabletop.engine.model import Ask, Move, Preview, Remark, TableReader, Value
from tabletop.games.awss import judging, marks
from tabletop.games.awss.board import BLANK, EMPTY, Board, read_board
from tabletop.games.awss.deck import Deck
from tabletop.games.awss.places import SEASONS, STRENGTH, other_boards
from tabletop.games.awss.scoring import season_parts, total_points, with_earlier_closed
from tabletop.text.phrases import phrase


def preview_move(deck: Deck, state: TableReader, ask: Ask, move: Move) -> Preview | None:
    """Return what an order or a plan of ◆ cards would score; None for other moves."""
    match move.verb:
        case "order":
            return _preview_order(deck, state, ask.seat, move)
        case "use" | "aim" | "combine" | "combine_self" if ask.what == "before":
            return _preview_plan(deck, state, ask, move)
        case _:
            return None


def _preview_order(deck: Deck, state: TableReader, seat: int, move: Move) -> Preview:
    """Return the points that the order would score in each season if no card changes.

    Other players' visible appeal cards are taken into account.
    """
    after = DryRunTable(state)
    judging.lay_order(after, seat, move)
    laid = _as_seen(read_board(after, seat))
    others = [_as_seen(board) for board in other_boards(state, seat)]
    points = [_expected_points(deck, laid, others, season) for season in range(4)]
    text = phrase(
        "As it stands: autumn {autumn}, winter {winter}, spring {spring}, summer {summer}."
    )
    note = Remark(text, dict(zip(SEASONS, points, strict=True)), (), "8.2")
    return Preview(
        {STRENGTH[season]: n for season, n in zip(SEASONS, points, strict=True)}, (note,)
    )


def _as_seen(board: Board) -> Board:
    """Return `board` with hidden cards as EMPTY, so that they don't count as face-down cards."""
    cards = [EMPTY if card == BLANK else card for card in board.cards]
    return board._replace(cards=tuple(cards))


def _expected_points(deck: Deck, board: Board, others: Sequence[Board], season: int) -> int:
    """Return the board's points for a season,
    after the cards of earlier seasons have been closed.
    """
    closed = [with_earlier_closed(deck, other, season) for other in others]
    return total_points(
        season_parts(deck, with_earlier_closed(deck, board, season), season, closed)
    )


def _preview_plan(deck: Deck, state: TableReader, ask: Ask, move: Move) -> Preview:
    """Return the board's points for the season with the plan and without it."""
    board, others = read_board(state, ask.seat), other_boards(state, ask.seat)
    season = SEASONS.index(str(ask.args[0]))
    now = total_points(season_parts(deck, board, season, others))
    for use in marks.parse_plan(board, move):
        board = marks.board_after(deck, board, use)
    points = total_points(season_parts(deck, board, season, others))
    values: dict[str, Value] = {"points": points, "now": now, "word_season": SEASONS[season]}
    return Preview({}, (Remark("{points} for {word_season} instead of {now}.", values, (), "8.2"),))
