"""Boards and pieces as parts to print.

A board is a drawing in the layout that doesn't depend on the state of the match, or a grid of
single cards marked `board`. It is scaled to fit the printed cards on it; a board without cards fits
on one sheet. If each player has a board, one is printed per player.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tabletop.bots.random_bot import RandomBot
from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.mask import mask
from tabletop.engine.model import State
from tabletop.games.layout import Rect
from tabletop.match.match import Match, Player
from tabletop.match.seat import Seat
from ui.table.layout.geometry import lay_out_table
from ui.table.layout.placed_table import PlacedDrawing, PlacedPiece, PlacedTable

PX_PER_CARD = 100.0
"""The width of a card in pixels, for laying out a table before printing."""
MIN_BOARD_AREA = 2.0
"""The minimum area of a board, in squares with sides as wide as a card."""
GRID_GAP_MM = 1.0
"""The gap between the cells of a printed grid in millimetres, small enough
for nine cards on a sheet.
"""
MAX_SAMPLE_MOVES = 60
"""The maximum number of moves after which all pieces should have been on the table."""


class PrintedBoard(NamedTuple):
    """A board, measured in card widths of its table.
    `unit` is the number of millimetres per card width.
    """

    rect: Rect
    unit: float
    drawing: PlacedDrawing | None
    spots: tuple[Rect, ...]
    """The rectangles of the cards on the board."""
    seat: int | None
    """The seat that owns the board; None for the shared board."""

    @property
    def printed(self) -> Rect:
        """The part of the table that is printed. For a grid, it is the bounding box of `spots`."""
        if self.drawing is not None:
            return self.rect
        left, top = min(s.x for s in self.spots), min(s.y for s in self.spots)
        right, bottom = max(s.right for s in self.spots), max(s.bottom for s in self.spots)
        return Rect(left, top, right - left, bottom - top)


class PrintedPiece(NamedTuple):
    """A piece and its size in millimetres."""

    stand: PlacedPiece
    size: float


def boards_and_pieces(
    kit: GameKit, card: tuple[float, float], room: tuple[float, float]
) -> tuple[list[PrintedBoard], list[PrintedPiece]]:
    """Return the boards and pieces of a game for printed cards of the size `card`.

    `room`: the size of a sheet's printable area. Sizes are in millimetres.
    """
    layout = kit.layouts[0]
    size = (layout.table.size[0] * PX_PER_CARD, layout.table.size[1] * PX_PER_CARD)
    piece_count = sum(max(kit.box.seats) if piece.repeat else 1 for piece in layout.piece)
    settings: list[PlacedTable] = []
    boards: list[PrintedBoard] = []
    for state in _sample_states(kit):
        settings.append(lay_out_table((layout,), mask(state, 0), size))
        if not boards:
            boards = list(_boards(kit, state, size, card, room))
        if len(settings[-1].pieces) >= piece_count:
            break
    return boards, list(_pieces(max(settings, key=lambda each: len(each.pieces)), boards, card))


def _boards(
    kit: GameKit,
    state: State,
    size: tuple[float, float],
    card: tuple[float, float],
    room: tuple[float, float],
) -> Iterator[PrintedBoard]:
    """Yield the table's boards, then each player's boards. A board that lies on another one of the
    same owner is omitted, because it is printed as part of that board.
    """
    for seat in range(state.seats):
        setting = lay_out_table((kit.layouts[0],), mask(state, seat), size)
        boards = [*_drawn_boards(kit, setting, card, room, seat), *_grids(setting, card)]
        own = [board for board in boards if board.seat == seat or (board.seat is None and not seat)]
        for number, board in enumerate(own):
            others = [other for other in own[:number] if other.seat == board.seat]
            if not any(other.rect.contains(board.rect) for other in others):
                yield board


def _sample_states(kit: GameKit) -> Iterator[State]:
    """Yield the state after dealing for the largest player count, and after
    each of some random moves.
    """
    players = (Player("", kind="bot", level="random"),) * max(kit.box.seats)
    match = Match(kit, players, catalogue.options(kit), "print")
    yield match.state
    seats, bot = [Seat.at_table(match, seat) for seat in range(len(players))], RandomBot("print")
    for _ in range(MAX_SAMPLE_MOVES):
        asks = [ask for ask in match.state.asks if ask.id not in match.state.answers]
        ask = next((ask for ask in asks if not ask.optional), None)
        if ask is None or match.state.result is not None:
            return
        seats[ask.seat].send(bot.answer(seats[ask.seat], ask))
        yield match.state


def _drawn_boards(
    kit: GameKit,
    setting: PlacedTable,
    card: tuple[float, float],
    room: tuple[float, float],
    seat: int,
) -> Iterator[PrintedBoard]:
    """Yield the drawn boards that `seat` sees, except those in other players' panels."""
    still = {
        each.drawing
        for each in kit.layouts[0].drawing
        if not (each.values or each.cards or each.held or each.named)
        and each.level not in ("over", "aloft")
    }
    for picture in setting.drawings:
        rect = picture.rect
        if picture.drawing not in still or rect.w * rect.h < MIN_BOARD_AREA:
            continue
        if "seat" in picture.variables:  # in a panel of another player
            continue
        on_it = [s for s in setting.zones.values() if _is_on(s.rect, rect)]
        spots = tuple(o.rect for o in setting.outlines if rect.contains(o.rect))
        cells = [spot.w for spot in spots] or [s.place.card for s in on_it if s.place.form != "fan"]
        fitting = min(room[0] / rect.w, room[1] / rect.h, card[0])
        unit = card[0] / max(cells) if cells else fitting
        mine = bool(on_it) and all("{me}" in s.place.zone for s in on_it)
        yield PrintedBoard(rect, unit, picture, spots, seat if mine else None)


def _is_on(place: Rect, board: Rect) -> bool:
    """Return whether most of the area of `place` is on `board`."""
    w = min(place.right, board.right) - max(place.x, board.x)
    h = min(place.bottom, board.bottom) - max(place.y, board.y)
    return min(w, h) > 0 and w * h > place.w * place.h / 2


def _grids(setting: PlacedTable, card: tuple[float, float]) -> Iterator[PrintedBoard]:
    grids: dict[Rect, PrintedBoard] = {}
    for spread in setting.zones.values():
        place = spread.place
        if place.board and place.is_grid and place.form == "cell" and place.at not in grids:
            spots = [o.rect for o in setting.outlines if place.at.contains(o.rect)]
            if spots:
                unit = card[0] / place.card
                near = tuple(_close_up(spots, (card[0] / unit, card[1] / unit), GRID_GAP_MM / unit))
                grids[place.at] = PrintedBoard(place.at, unit, None, near, None)
    yield from grids.values()


def _close_up(spots: list[Rect], card: tuple[float, float], space: float) -> Iterator[Rect]:
    """Yield the cells of a grid resized to `card`, with gaps of `space`."""
    rows, columns = sorted({s.y for s in spots}), sorted({s.x for s in spots})
    for spot in spots:
        x = columns[0] + columns.index(spot.x) * (card[0] + space)
        y = rows[0] + rows.index(spot.y) * (card[1] + space)
        yield Rect(x, y, *card)


def _pieces(
    setting: PlacedTable, boards: list[PrintedBoard], card: tuple[float, float]
) -> Iterator[PrintedPiece]:
    """Yield the pieces of a table. Pieces of the same kind get the size of the largest one, because
    crowded pieces are drawn smaller.
    """
    standing = (*setting.pieces, *setting.markers)
    for stand in standing:
        size = max(o.size for o in standing if o.layers[0][0] == stand.layers[0][0])
        point = Rect(stand.x, stand.y, 0, 0)
        unit = next((b.unit for b in boards if b.rect.contains(point)), card[0])
        yield PrintedPiece(stand, size * unit)
