"""Print-and-play PDF of a game: cards with backs, boards, pieces and the rulebook.

Every sheet has two pages, so that the file can be printed in duplex mode as it is.
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
from ui.pictures.shot import ensure_application
from ui.rulebook.printing import draw_page, lay_out_book
from ui.shell.language import game_title
from ui.studio.paper.board_parts import PrintedBoard, PrintedPiece, boards_and_pieces
from ui.studio.paper.card_grid import PAPERS, CardGrid, CutSlot
from ui.studio.paper.pdf_sheets import INK, SOFT, SheetPdf
from ui.style.art import Art
from ui.style.broken_drawing import BrokenDrawing
from ui.style.theme import load_theme
from ui.table.items.card_pixmaps import CardPixmaps

CARD_SIZE_MM = (63.0, 88.0)
"""Width and height of a standard card in millimetres."""
BOARD_MARGIN_MM = 6.0
"""The page margin around parts of boards in millimetres."""
TEXT_MARGIN_MM = 20.0
"""The page margin around text and pieces in millimetres."""
PIECE_GAP_MM = 8.0
"""The gap between pieces in millimetres."""
MIN_FONT_SIZE = 6.0
"""The minimum font size on boards, in hundredths of a card's width."""
SAMPLE_SIZE_PX = (240, 336)
"""The size in pixels at which a card is drawn for detecting its edge colour."""
SAMPLE_INSET_PX = 3
"""The distance in pixels from the edge at which the colour is sampled, inside any outline."""


class Side(NamedTuple):
    """One side of a card: a function that draws it, and a key for caching."""

    key: object
    draw: Callable[[QPainter, QRectF], None]


Cards = Sequence[tuple[Side, Side]]
"""Pairs of a face and a back."""


class PrintAndPlayWriter:
    """Writes the pages of a game in one language."""

    def __init__(
        self, kit: GameKit, words: Words, pdf: SheetPdf, card: SizeMm, bleed: float
    ) -> None:
        self._kit, self._words, self._pdf = kit, words, pdf
        self._card, self._bleed = card, bleed
        self._theme = load_theme("light")
        self._prints = CardPixmaps(kit, Art(self._theme), words, self._theme)
        self._prints.theme = self._theme  # for paper, rather than for the game's table
        self._edges: dict[object, QColor] = {}

    # Cards

    def cards(self) -> list[tuple[CardGrid, Cards]]:
        """Return the grid and the cards for each card size, including copies. The standard size
        comes first.

        Raises:
            CardTooLarge: A card is larger than the paper.
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
            cards.setdefault(size, []).extend([whole] * drawn.copies)
        paper = self._pdf.paper
        return [(CardGrid(paper, size, self._bleed), some) for size, some in cards.items() if some]

    def write_cards(self, cards: Sequence[tuple[CardGrid, Cards]]) -> None:
        """Write the sheets of cards: each page of faces is followed by the page of their backs."""
        sheets = [
            (grid, some[first : first + len(grid)])
            for grid, some in cards
            for first in range(0, len(some), len(grid))
        ]
        for number, (grid, some) in enumerate(sheets, 1):
            place = {"n": number, "all": len(sheets)}
            self._pdf.start_sheet()
            for (face, _), slot in zip(some, grid.faces(), strict=False):
                self._draw_card(face, slot, grid)
            for mark in grid.crop_marks():
                self._pdf.draw_line(*mark)
            self._write_footer(self._words("cards, sheet {n} of {all}: faces", **place), grid)
            self._pdf.start_page()
            for (_, back), slot in zip(some, grid.backs(), strict=False):
                self._draw_card(back, slot, grid)
            self._write_footer(self._words("cards, sheet {n} of {all}: backs", **place), grid)

    def _draw_card(self, side: Side, slot: CutSlot, grid: CardGrid) -> None:
        """Draw a card at its cut size, and fill the bleed with its edge colour."""
        bleed = grid.bleed
        whole = QRectF(slot.x, slot.y, slot.w, slot.h).adjusted(-bleed, -bleed, bleed, bleed)
        with self._pdf.saved_settings() as painter:
            painter.setClipRect(whole)
            painter.fillRect(whole, self._edge_colour(side))
            painter.translate(whole.center())
            painter.rotate(slot.turned)
            w, h = grid.card
            width = min(w, h / CARD_HEIGHT)
            side.draw(
                painter, QRectF(-width / 2, -width * CARD_HEIGHT / 2, width, width * CARD_HEIGHT)
            )

    def _edge_colour(self, side: Side) -> QColor:
        """Return the most frequent colour along the edge of a card."""
        if side.key not in self._edges:
            image = QImage(*SAMPLE_SIZE_PX, QImage.Format.Format_ARGB32)
            image.fill(Qt.GlobalColor.transparent)
            w, h = SAMPLE_SIZE_PX
            with QPainter(image) as painter:
                side.draw(painter, QRectF(0, 0, w, h))
            across = [
                (x, y)
                for x in range(w // 8, w - w // 8)
                for y in (SAMPLE_INSET_PX, h - SAMPLE_INSET_PX)
            ]
            down = [
                (x, y)
                for y in range(h // 8, h - h // 8)
                for x in (SAMPLE_INSET_PX, w - SAMPLE_INSET_PX)
            ]
            colours = Counter(image.pixelColor(x, y).rgb() for x, y in (*across, *down))
            self._edges[side.key] = QColor(colours.most_common(1)[0][0])
        return self._edges[side.key]

    # Boards and pieces

    def write_boards(self, boards: Iterable[PrintedBoard]) -> None:
        """Write each board. A board larger than a sheet is split into parts for gluing together."""
        for board in boards:
            w, h = board.printed.w * board.unit, board.printed.h * board.unit
            room = _room(self._pdf.paper)
            turned = _tiles((h, w), room) < _tiles((w, h), room)
            size = (h, w) if turned else (w, h)
            columns, rows = (math.ceil(a / b - 1e-6) for a, b in zip(size, room, strict=True))
            for tile in range(columns * rows):
                self._pdf.start_sheet()
                self._draw_tile(board, turned, size, (columns, rows), tile)

    def _draw_tile(
        self,
        board: PrintedBoard,
        turned: bool,
        size: tuple[float, float],
        grid: tuple[int, int],
        number: int,
    ) -> None:
        width, height = self._pdf.paper
        row, column = divmod(number, grid[0])
        w, h = size[0] / grid[0], size[1] / grid[1]
        part = QRectF((width - w) / 2, (height - h) / 2, w, h)
        with self._pdf.saved_settings() as painter:
            painter.setClipRect(part)
            painter.translate(part.x() - column * w, part.y() - row * h)
            if turned:
                painter.translate(size[0], 0)
                painter.rotate(90)
            self._draw_board(board, painter)
        for x in (part.left(), part.right()):
            self._pdf.draw_line(x, part.top() - 6, x, part.top() - 1)
            self._pdf.draw_line(x, part.bottom() + 1, x, part.bottom() + 6)
        for y in (part.top(), part.bottom()):
            self._pdf.draw_line(part.left() - 6, y, part.left() - 1, y)
            self._pdf.draw_line(part.right() + 1, y, part.right() + 6, y)
        boards_and_pieces = grid[0] * grid[1]
        notes = [self._words("board")]
        if boards_and_pieces > 1:
            place = {"row": row + 1, "column": column + 1, "all": boards_and_pieces}
            notes.append(self._words("part {row}.{column} of {all}", **place))
        if board.seat is not None:
            notes.append(self._words("for player {n}", n=board.seat + 1))
        self._write_footer(self._words.join_list(notes))

    def _draw_board(self, board: PrintedBoard, painter: QPainter) -> None:
        """Draw the whole board with its top left corner at the painter's origin."""
        scale, rect = board.unit, board.printed
        whole = QRectF(0, 0, rect.w * scale, rect.h * scale)
        if board.drawing is not None:
            variables = {**board.drawing.variables, "least": MIN_FONT_SIZE}
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

    def write_pieces(self, pieces: Sequence[PrintedPiece]) -> None:
        """Write all pieces side by side, each in a dashed square for cutting out."""
        width, height = self._pdf.paper
        x, y, row_height, on_sheet = TEXT_MARGIN_MM, TEXT_MARGIN_MM, 0.0, False
        for piece in sorted(pieces, key=lambda each: -each.size):
            if x + piece.size > width - TEXT_MARGIN_MM:
                x, y, row_height = TEXT_MARGIN_MM, y + row_height + PIECE_GAP_MM, 0.0
            if not on_sheet or y + piece.size > height - TEXT_MARGIN_MM:
                self._pdf.start_sheet()
                self._write_footer(self._words("pieces"))
                x, y, row_height, on_sheet = TEXT_MARGIN_MM, TEXT_MARGIN_MM, 0.0, True
            self._draw_piece(piece, QRectF(x, y, piece.size, piece.size))
            x, row_height = x + piece.size + PIECE_GAP_MM, max(row_height, piece.size)

    def _draw_piece(self, piece: PrintedPiece, place: QRectF) -> None:
        with self._pdf.saved_settings() as painter:
            pen = QPen(QColor(SOFT), 0.12)
            pen.setDashPattern([8, 6])
            painter.setPen(pen)
            painter.drawRect(place.adjusted(-1, -1, 1, 1))
            for drawing, variables, _ in piece.stand.layers:
                self._prints.paint(painter, drawing, place, **variables)

    # Text

    def write_cover(
        self, cards: Sequence[tuple[CardGrid, Cards]], boards: int, pieces: int
    ) -> None:
        """Write a page with the contents, the printing instructions, and a
        ruler for checking the scale.
        """
        words, pdf = self._words, self._pdf
        width, _ = pdf.paper
        pdf.start_sheet()
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
        y = TEXT_MARGIN_MM + 6

        def put(text: str, size: float, after: float, ink: str = INK, bold: bool = False) -> None:
            nonlocal y
            room = QRectF(TEXT_MARGIN_MM, y, width - 2 * TEXT_MARGIN_MM, 60)
            y += pdf.write_text(text, room, size, ink, bold) + after

        put(game_title(self._kit, words.language), 10, 2, bold=True)
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
            x = TEXT_MARGIN_MM + tick * 10
            pdf.draw_line(x, y, x, y + (5 if tick % 5 == 0 else 3), width=0.2)
        pdf.draw_line(TEXT_MARGIN_MM, y, TEXT_MARGIN_MM + 100, y, width=0.2)

    def write_book(self) -> None:
        """Write the pages of the rulebook if the game has one.

        Raises:
            BrokenDrawing: A drawing in the rulebook is missing or broken.
        """
        if not (
            self._kit.read_text("rulebook.en.md")
            or self._kit.read_text(f"rulebook.{self._words.language}.md")
        ):
            return
        width, height = self._pdf.paper
        room = QRectF(0, 0, width, height).adjusted(
            TEXT_MARGIN_MM, TEXT_MARGIN_MM, -TEXT_MARGIN_MM, -TEXT_MARGIN_MM
        )
        broken: list[str] = []
        book = lay_out_book(self._kit, self._words, (room.width(), room.height()), broken.append)
        count = book.pageCount()
        for number in range(count):
            (self._pdf.start_page if number else self._pdf.start_sheet)()
            with self._pdf.saved_settings() as painter:
                draw_page(book, painter, number, room)
            self._write_footer(self._words("rulebook, page {n} of {all}", n=number + 1, all=count))
        if broken:
            raise BrokenDrawing(broken[0])

    def _write_footer(self, text: str, grid: CardGrid | None = None) -> None:
        """Write a footer with the game's title and `text`, between the crop marks."""
        named = game_title(self._kit, self._words.language)
        width = grid.card[0] if grid else self._card[0]
        self._pdf.write_footer(self._words.join_facts((named, text)), width - 4)


def print_and_play(
    kit: GameKit,
    out: Path,
    paper: str = "a4",
    card: SizeMm = CARD_SIZE_MM,
    bleed: float = 0.0,
    language: str = "en",
) -> int:
    """Write a game as a PDF to `out` and return the number of pages.

    Args:
        paper: A key of `PAPERS`.
        card: Width and height in millimetres of cards to which print.toml gives no size.
        bleed: The width of the printed border around each card in millimetres.

    Raises:
        CardTooLarge: A card is larger than the paper.
        BrokenDrawing: A drawing is missing or broken. No file is written.
        OSError: The file can't be written.
    """
    ensure_application()
    words = Words(language, kit)
    boards, pieces = boards_and_pieces(kit, card, _room(PAPERS[paper], TEXT_MARGIN_MM))
    pdf = SheetPdf(PAPERS[paper], game_title(kit, language))
    try:
        sheets = PrintAndPlayWriter(kit, words, pdf, card, bleed)
        cards = sheets.cards()
        sheets.write_cover(cards, len(boards), len(pieces))
        sheets.write_cards(cards)
        sheets.write_boards(boards)
        sheets.write_pieces(pieces)
        sheets.write_book()
    finally:
        pdf.close()
    out.write_bytes(pdf.content)
    return pdf.pages


def _room(paper: tuple[float, float], margin: float = BOARD_MARGIN_MM) -> tuple[float, float]:
    return paper[0] - 2 * margin, paper[1] - 2 * margin


def _tiles(size: tuple[float, float], room: tuple[float, float]) -> int:
    return math.prod(math.ceil(a / b - 1e-6) for a, b in zip(size, room, strict=True))
