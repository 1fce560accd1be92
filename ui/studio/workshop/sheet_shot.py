"""A contact sheet of a game's tables: every player count, three window sizes, and each language."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.language.languages import LANGUAGES, OWN_NAMES
from tabletop.language.words import Words
from tabletop.table.random_match import random_match
from ui.match.local_match import trial_table
from ui.pictures.shot import ensure_application, render_to_image, write_png
from ui.pictures.window_shot import seat_one_person, staged_window
from ui.shell.language import game_title
from ui.style.fonts import load_fonts, make_font
from ui.style.theme import load_theme

WINDOW_SIZES_PX = ((1024, 600), (1280, 800), (2560, 1440))
"""The window sizes in pixels."""
TABLE_WIDTH_PX, GAP_PX, TITLE_HEIGHT_PX, CAPTION_HEIGHT_PX = 600, 24, 72, 30
"""Width of a table, gap around it, and heights of the title and of a caption, in pixels."""


def draw_table_sheet(kit: GameKit, out: Path, seed: str = "1", ply: int = 0) -> int:
    """Draw all tables of a game after `ply` random moves as a PNG file.
    Return the number of tables.

    Raises:
        OSError: The file can't be written.
        BrokenDrawing: A drawing of the game is missing or broken.
        Any error of the game's rules.
    """
    ensure_application()
    load_fonts()
    seats, columns = kit.box.seats, [(lang, size) for lang in LANGUAGES for size in WINDOW_SIZES_PX]
    height = max(_height_for(size) for size in WINDOW_SIZES_PX)
    sheet = QImage(
        GAP_PX + len(columns) * (TABLE_WIDTH_PX + GAP_PX),
        TITLE_HEIGHT_PX + len(seats) * (CAPTION_HEIGHT_PX + height + GAP_PX),
        QImage.Format.Format_RGB32,
    )
    colours = load_theme("light")
    sheet.fill(QColor(colours.mat))
    with QPainter(sheet) as painter:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.setPen(QColor(colours.ink))
        painter.setFont(make_font(30, bold=True))
        head = QRect(GAP_PX, 0, sheet.width() - 2 * GAP_PX, TITLE_HEIGHT_PX)
        painter.drawText(head, Qt.AlignmentFlag.AlignVCenter, game_title(kit, LANGUAGES[0]))
        painter.setFont(make_font(17))
        for language in LANGUAGES:
            words = Words(language)
            with staged_window(kit, language, colours.name) as window:
                for row, players in enumerate(seats):
                    options = catalogue.options(kit)
                    match = random_match(kit, players, seed, options, ply)
                    seat_one_person(match, 0, words)
                    table = trial_table(window.context, match, bots_play=False)
                    window.matches.show_table(table).start()
                    for size in WINDOW_SIZES_PX:
                        window.resize(*size)
                        QApplication.processEvents()
                        column = columns.index((language, size))
                        x = GAP_PX + column * (TABLE_WIDTH_PX + GAP_PX)
                        y = TITLE_HEIGHT_PX + row * (CAPTION_HEIGHT_PX + height + GAP_PX)
                        many = words("{n} players", n=players)
                        shape = f"{size[0]} x {size[1]}"
                        caption = words.join_facts((many, shape, OWN_NAMES[language]))
                        place = QRect(x, y, TABLE_WIDTH_PX, CAPTION_HEIGHT_PX)
                        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, caption)
                        picture = render_to_image(window, 1.0).scaled(
                            TABLE_WIDTH_PX,
                            _height_for(size),
                            Qt.AspectRatioMode.IgnoreAspectRatio,
                            Qt.TransformationMode.SmoothTransformation,
                        )
                        painter.drawImage(x, y + CAPTION_HEIGHT_PX, picture)
    write_png(sheet, out)
    return len(seats) * len(columns)


def _height_for(size: tuple[int, int]) -> int:
    return round(TABLE_WIDTH_PX * size[1] / size[0])
