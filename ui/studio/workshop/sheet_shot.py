"""One picture of all tables of a game: for as many as can play, in three sizes of the window, in
both languages."""

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

SIZES = ((1024, 600), (1280, 800), (2560, 1440))
"""The sizes of the window, in pixels."""
WIDE, EDGE, HEAD, CAPTION = 600, 24, 72, 30
"""The width of a table; the gap round it; the heights of the title and of a caption: all in
pixels."""


def table_sheet(kit: GameKit, out: Path, seed: str = "1", ply: int = 0) -> int:
    """Draw a PNG of all tables of a game after this many random moves; return how many there are.

    Raises:
        OSError: the file cannot be written.
        BrokenDrawing: a drawing of the game cannot be drawn.
        Any error of the rules.
    """
    ensure_application()
    load_fonts()
    seats, columns = kit.box.seats, [(lang, size) for lang in LANGUAGES for size in SIZES]
    high = max(_height_for(size) for size in SIZES)
    sheet = QImage(
        EDGE + len(columns) * (WIDE + EDGE),
        HEAD + len(seats) * (CAPTION + high + EDGE),
        QImage.Format.Format_RGB32,
    )
    colours = load_theme("light")
    sheet.fill(QColor(colours.mat))
    with QPainter(sheet) as painter:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.setPen(QColor(colours.ink))
        painter.setFont(make_font(30, bold=True))
        head = QRect(EDGE, 0, sheet.width() - 2 * EDGE, HEAD)
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
                    for size in SIZES:
                        window.resize(*size)
                        QApplication.processEvents()
                        column = columns.index((language, size))
                        x = EDGE + column * (WIDE + EDGE)
                        y = HEAD + row * (CAPTION + high + EDGE)
                        many = words("{n} players", n=players)
                        shape = f"{size[0]} x {size[1]}"
                        caption = words.join_facts((many, shape, OWN_NAMES[language]))
                        place = QRect(x, y, WIDE, CAPTION)
                        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, caption)
                        picture = render_to_image(window, 1.0).scaled(
                            WIDE,
                            _height_for(size),
                            Qt.AspectRatioMode.IgnoreAspectRatio,
                            Qt.TransformationMode.SmoothTransformation,
                        )
                        painter.drawImage(x, y + CAPTION, picture)
    write_png(sheet, out)
    return len(seats) * len(columns)


def _height_for(size: tuple[int, int]) -> int:
    return round(WIDE * size[1] / size[0])
