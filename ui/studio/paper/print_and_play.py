"""A game to be printed, cut out and played on any table: cards with their backs, boards, pieces and
the rulebook, in one PDF.

Every sheet has two pages, so that the file can be printed on both sides as it is.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from tabletop.catalogue.catalogue import GameKit
from tabletop.catalogue.printed_box import SizeMm, parse_card_size, read_print_config
from tabletop.games.layout import CARD_HEIGHT
from tabletop.language.words import Words
from ui.pictures.shot import application
from ui.rulebook.printing import book_for, draw_page
from ui.shell.language import title
from ui.studio.paper.board_parts import PrintedBoard, PrintedPiece, parts
from ui.studio.paper.card_grid import PAPERS, CardGrid, CutSlot
from ui.studio.paper.pdf_sheets import INK, SOFT, SheetPdf
from ui.style.art import Art
from ui.style.broken_drawing import BrokenDrawing
from ui.style.theme import theme
from ui.table.items.card_pixmaps import CardPixmaps

CARD = (63.0, 88.0)
"""Width and height of a card that sleeves fit, in millimetres."""
MARGIN = 6.0
"""Free round parts of boards, in millimetres."""
TEXT_MARGIN = 20.0
"""Free round text."""
APART = 8.0
"""Between pieces."""
LEAST_LETTERS = 6.0
"""The least letters on boards, in hundredths of a card's width."""
SAMPLE = (240, 336)
"""The size in pixels at which a card is drawn to find the colour of its edge."""
INSIDE = 3
"""The distance from the edge, in pixels, at which an outline has ended."""


class Side(NamedTuple):
    """One side of a card: how it is drawn, and what distinguishes it."""

    key: object
    draw: Callable[[QPainter, QRectF], None]


Cards = Sequence[tuple[Side, Side]]
"""Faces with their backs."""


class Sheets:
    """The contents of a PDF, for one game in one language."""

    def __init__(
        self, kit: GameKit, words: Words, pdf: SheetPdf, card: SizeMm, bleed: float
    ) -> None:
        self._kit, self._words, self._press = kit, words, pdf
        self._card, self._bleed = card, bleed
        self._theme = theme("light")
        self._prints = CardPixmaps(kit, Art(self._theme), words, self._theme)
        self._prints.theme = self._theme  # on paper, not on the game's table
        self._edges: dict[object, QColor] = {}

    # Cards

    def cards(self) -> list[tuple[CardGrid, Cards]]:
        """Every card of the box as face and back, each copy of its own, on the grid of their size:
        the usual one first.

        Raises:
            DoesNotFit: a card is larger than the paper.
        """
        box, kit, prints = read_print_config(self._kit), self._kit, self._prints
        cards: dict[SizeMm, list[tuple[Side, Side]]] = {self._card: []}

        def side(of: Callable[..., None], card: int, key: object) -> Side:
            return Side(key, lambda painter, rect: of(painter, card, rect))

        def draw(path: str, variables: dict[str, object]) -> Side:
            return Side(
                (path, *variables.items()),
                lambda painter, rect: prints.paint(painter, path, rect, **variables),
            )

        for card in range(len(kit.deck)):
            back = kit.back_names[kit.backs[card]]
            if not kit.is_die(card) and back not in box.unprinted:
                face = side(prints.paint_face, card, ("face", card))
                whole = face, side(prints.paint_back, card, ("back", kit.backs[card]))
                cards.setdefault(box.card_size_for(back) or self._card, []).append(whole)
        for drawn in box.card:
            whole = draw(drawn.drawing, {**drawn.front}), draw(drawn.drawing, {**drawn.back})
            size = parse_card_size(drawn.size) if drawn.size else self._card
            cards.setdefault(size, []).append(whole)
        paper = self._press.paper
        return [(CardGrid(paper, size, self._bleed), some) for size, some in cards.items() if some]

    def put_cards(self, cards: Sequence[tuple[CardGrid, Cards]]) -> None:
        """A page of faces, and on its back the page of their backs, until all are printed."""
        sheets = [
            (grid, some[first : first + len(grid)])
            for grid, some in cards
            for first in range(0, len(some), len(grid))
        ]
        for number, (grid, some) in enumerate(sheets, 1):
            place = {"n": number, "all": len(sheets)}
            self._press.turn_sheet()
            for (face, _), slot in zip(some, grid.faces(), strict=False):
                self._put_card(face, slot, grid)
            for mark in grid.crop_marks():
                self._press.line(*mark)
            self._note(self._words("cards, sheet {n} of {all}: faces", **place), grid)
            self._press.turn_page()
            for (_, back), slot in zip(some, grid.backs(), strict=False):
                self._put_card(back, slot, grid)
            self._note(self._words("cards, sheet {n} of {all}: backs", **place), grid)

    def _put_card(self, side: Side, slot: CutSlot, grid: CardGrid) -> None:
        """A card as large as it is cut out, its edge's colour running on over the bleed."""
        bleed = grid.bleed
        whole = QRectF(slot.x, slot.y, slot.w, slot.h).adjusted(-bleed, -bleed, bleed, bleed)
        with self._press.keep_settings() as painter:
            painter.setClipRect(whole)
            painter.fillRect(whole, self._edge_colour(side))
            painter.translate(whole.center())
            painter.rotate(slot.turned)
            w, h = grid.card
            wide = min(w, h / CARD_HEIGHT)
            side.draw(painter, QRectF(-wide / 2, -wide * CARD_HEIGHT / 2, wide, wide * CARD_HEIGHT))

    def _edge_colour(self, side: Side) -> QColor:
        """The colour most of a card's edge has."""
        if side.key not in self._edges:
            image = QImage(*SAMPLE, QImage.Format.Format_ARGB32)
            image.fill(Qt.GlobalColor.transparent)
            w, h = SAMPLE
            with QPainter(image) as painter:
                side.draw(painter, QRectF(0, 0, w, h))
            across = [(x, y) for x in range(w // 8, w - w // 8) for y in (INSIDE, h - INSIDE)]
            down = [(x, y) for y in range(h // 8, h - h // 8) for x in (INSIDE, w - INSIDE)]
            colours = Counter(image.pixelColor(x, y).rgb() for x, y in (*across, *down))
            self._edges[side.key] = QColor(colours.most_common(1)[0][0])
        return self._edges[side.key]

    # Boards and pieces

    def put_boards(self, boards: Iterable[PrintedBoard]) -> None:
        """Each board, in parts to be glued together where it is larger than a sheet."""
        for board in boards:
            w, h = board.printed.w * board.unit, board.printed.h * board.unit
            room = _room(self._press.paper)
            turned = _tiles((h, w), room) < _tiles((w, h), room)
            size = (h, w) if turned else (w, h)
            columns, rows = (math.ceil(a / b - 1e-6) for a, b in zip(size, room, strict=True))
            for tile in range(columns * rows):
                self._press.turn_sheet()
                self._put_tile(board, turned, size, (columns, rows), tile)

    def _put_tile(
        self,
        board: PrintedBoard,
        turned: bool,
        size: tuple[float, float],
        grid: tuple[int, int],
        number: int,
    ) -> None:
        width, height = self._press.paper
        row, column = divmod(number, grid[0])
        w, h = size[0] / grid[0], size[1] / grid[1]
        part = QRectF((width - w) / 2, (height - h) / 2, w, h)
        with self._press.keep_settings() as painter:
            painter.setClipRect(part)
            painter.translate(part.x() - column * w, part.y() - row * h)
            if turned:
                painter.translate(size[0], 0)
                painter.rotate(90)
            self._draw_board(board, painter)
        for x in (part.left(), part.right()):
            self._press.line(x, part.top() - 6, x, part.top() - 1)
            self._press.line(x, part.bottom() + 1, x, part.bottom() + 6)
        for y in (part.top(), part.bottom()):
            self._press.line(part.left() - 6, y, part.left() - 1, y)
            self._press.line(part.right() + 1, y, part.right() + 6, y)
        parts = grid[0] * grid[1]
        notes = [self._words("board")]
        if parts > 1:
            place = {"row": row + 1, "column": column + 1, "all": parts}
            notes.append(self._words("part {row}.{column} of {all}", **place))
        if board.seat is not None:
            notes.append(self._words("for player {n}", n=board.seat + 1))
        self._note(self._words.join_list(notes))

    def _draw_board(self, board: PrintedBoard, painter: QPainter) -> None:
        """The whole board, its top left corner where the painter begins."""
        scale, rect = board.unit, board.printed
        whole = QRectF(0, 0, rect.w * scale, rect.h * scale)
        if board.drawing is not None:
            variables = {**board.drawing.variables, "least": LEAST_LETTERS}
            self._prints.paint(painter, board.drawing.drawing, whole, **variables)
        pen = QPen(QColor(SOFT), 0.35)
        pen.setDashPattern([6, 4])
        painter.setPen(pen)
        for spot in board.spots:
            place = QRectF(
                (spot.x - rect.x) * scale,
                (spot.y - rect.y) * scale,
                spot.w * scale,
                spot.h * scale,
            )
            painter.drawRoundedRect(place, 3, 3)

    def put_pieces(self, pieces: Sequence[PrintedPiece]) -> None:
        """All pieces side by side, each in a square to be cut out."""
        width, height = self._press.paper
        x, y, high, on_sheet = TEXT_MARGIN, TEXT_MARGIN, 0.0, False
        for piece in sorted(pieces, key=lambda each: -each.size):
            if x + piece.size > width - TEXT_MARGIN:
                x, y, high = TEXT_MARGIN, y + high + APART, 0.0
            if not on_sheet or y + piece.size > height - TEXT_MARGIN:
                self._press.turn_sheet()
                self._note(self._words("pieces"))
                x, y, high, on_sheet = TEXT_MARGIN, TEXT_MARGIN, 0.0, True
            self._put_piece(piece, QRectF(x, y, piece.size, piece.size))
            x, high = x + piece.size + APART, max(high, piece.size)

    def _put_piece(self, piece: PrintedPiece, place: QRectF) -> None:
        with self._press.keep_settings() as painter:
            pen = QPen(QColor(SOFT), 0.12)
            pen.setDashPattern([8, 6])
            painter.setPen(pen)
            painter.drawRect(place.adjusted(-1, -1, 1, 1))
            for drawing, variables, _ in piece.stand.layers:
                self._prints.paint(painter, drawing, place, **variables)

    # Text

    def put_cover(self, cards: Sequence[tuple[CardGrid, Cards]], boards: int, pieces: int) -> None:
        """Print the contents, the instructions, and a ruler for checking the scale."""
        words, pdf = self._words, self._press
        width, _ = pdf.paper
        pdf.turn_sheet()
        lines = []
        for grid, some in cards:
            sheets = math.ceil(len(some) / len(grid))
            w, h = (f"{side:g}" for side in grid.card)
            entry = words(
                "{n} cards of {w} x {h} mm, on {sheets} sheets",
                n=len(some), sheets=sheets, w=w, h=h,
            )  # fmt: skip
            lines.append(entry)
        if boards:
            lines.append(words("boards: {n}", n=boards))
        if pieces:
            lines.append(words("pieces: {n}", n=pieces))
        lines.append(words("the rulebook"))
        kit = self._kit
        faces = Counter(face["sides"] for card, face in enumerate(kit.deck) if kit.is_die(card))
        for sides, count in faces.items():
            entry = words(
                "you also need {n} dice with {sides} sides", sides=sides, n=count // sides
            )
            lines.append(entry)
        how = [
            words("Print at 100% (“actual size”), not fitted to the page."),
            words("Print on both sides, flipping on the long edge."),
            words("Cut along the marks at the edges with a ruler."),
            words("This line should be 100 mm long. If it isn't, the page was scaled:"),
        ]
        y = TEXT_MARGIN + 6

        def put(text: str, size: float, after: float, ink: str = INK, bold: bool = False) -> None:
            nonlocal y
            room = QRectF(TEXT_MARGIN, y, width - 2 * TEXT_MARGIN, 60)
            y += pdf.words(text, room, size, ink, bold) + after

        put(title(self._kit, words.language), 10, 2, bold=True)
        put(words(self._kit.box.feel), 4.2, 2, SOFT)
        put(words(self._kit.box.credit), 3.4, 12, SOFT)
        put(words("In this file"), 5, 2, bold=True)
        for line in lines:
            put(words("·  {line}", line=line), 4.2, 1.2)
        y += 8
        put(words("How to print it"), 5, 2, bold=True)
        for line in how:
            put(words("·  {line}", line=line), 4.2, 1.2)
        y += 4
        for tick in range(11):
            x = TEXT_MARGIN + tick * 10
            pdf.line(x, y, x, y + (5 if tick % 5 == 0 else 3), wide=0.2)
        pdf.line(TEXT_MARGIN, y, TEXT_MARGIN + 100, y, wide=0.2)

    def put_book(self) -> None:
        """The rulebook, page by page; nothing where the game has none."""
        if not (
            self._kit.text("rulebook.en.md")
            or self._kit.text(f"rulebook.{self._words.language}.md")
        ):
            return
        width, height = self._press.paper
        room = QRectF(0, 0, width, height).adjusted(
            TEXT_MARGIN, TEXT_MARGIN, -TEXT_MARGIN, -TEXT_MARGIN
        )
        broken: list[str] = []
        book = book_for(self._kit, self._words, (room.width(), room.height()), broken.append)
        count = book.pageCount()
        for number in range(count):
            (self._press.turn_page if number else self._press.turn_sheet)()
            with self._press.keep_settings() as painter:
                draw_page(book, painter, number, room)
            self._note(self._words("rulebook, page {n} of {all}", n=number + 1, all=count))
        if broken:
            raise BrokenDrawing(broken[0])

    def _note(self, text: str, grid: CardGrid | None = None) -> None:
        """Say at the foot of a page what it is, between the crop marks of its cards."""
        named = title(self._kit, self._words.language)
        wide = grid.card[0] if grid else self._card[0]
        self._press.note(self._words.join_facts((named, text)), wide - 4)


def print_and_play(
    kit: GameKit,
    out: Path,
    paper: str = "a4",
    card: SizeMm = CARD,
    bleed: float = 0.0,
    language: str = "en",
) -> int:
    """Write a game as a PDF to be printed; return the number of its pages. `card` is the width and
    height of a card that print.toml gives no other, and `bleed` what is printed round it, in
    millimetres.

    Raises:
        DoesNotFit: no card does on this paper.
        BrokenDrawing: something of the game cannot be drawn; nothing is written then.
        OSError: the file cannot be written.
    """
    application()
    words = Words(language, kit)
    boards, pieces = parts(kit, card, _room(PAPERS[paper], TEXT_MARGIN))
    pdf = SheetPdf(PAPERS[paper], title(kit, language))
    try:
        sheets = Sheets(kit, words, pdf, card, bleed)
        cards = sheets.cards()
        sheets.put_cover(cards, len(boards), len(pieces))
        sheets.put_cards(cards)
        sheets.put_boards(boards)
        sheets.put_pieces(pieces)
        sheets.put_book()
    finally:
        pdf.close()
    out.write_bytes(pdf.content)
    return pdf.pages


def _room(paper: tuple[float, float], margin: float = MARGIN) -> tuple[float, float]:
    return paper[0] - 2 * margin, paper[1] - 2 * margin


def _tiles(size: tuple[float, float], room: tuple[float, float]) -> int:
    return math.prod(math.ceil(a / b - 1e-6) for a, b in zip(size, room, strict=True))
