"""Check of the texts in the window at a game's table:
prompt, buttons, nameplates, captions, score sheet.

The window is shown at its smallest size with every player count, and its texts are measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QGraphicsSimpleTextItem,
    QLabel,
    QWidget,
)

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.language.languages import LANGUAGES, languages_of
from tabletop.match.match import Match
from tabletop.studio.workshop.source_lines import full_text, locate_text
from tabletop.table.random_match import random_answers, random_match
from ui.app import Window
from ui.match.local_match import trial_table
from ui.match.screen.table_screen import TableScreen
from ui.pictures.window_shot import seat_one_person, staged_window
from ui.style.broken_drawing import BrokenDrawing

WINDOW_SIZE_PX = (1024, 600)
"""The size of the window in pixels."""
SEED = "1"
MOVES = 8
"""After how many random moves tables are checked, in addition to the score sheet."""
ELLIPSIS = "…"


def find_cut_window_texts(kit: GameKit) -> Iterator[str]:
    """Yield a message for every text that is cut off in any language, and
    for every broken drawing.
    """
    try:
        yield from _cut_texts_in_window(kit)
    except BrokenDrawing as error:
        yield str(error)


def _cut_texts_in_window(kit: GameKit) -> Iterator[str]:
    reported: set[tuple[str, str]] = set()
    options = catalogue.options(kit)
    over = {seats: random_match(kit, seats, SEED, options) for seats in kit.box.seats}
    with staged_window(kit, LANGUAGES[0], "light") as window:
        window.resize(*WINDOW_SIZE_PX)
        for language in languages_of(kit):
            window.context.change_settings(language=language)
            for seats in kit.box.seats:
                for screen in _screens_to_check(kit, over[seats], partial(_show_table, window)):
                    for text in (*_cut_widgets(screen), *_cut_items(screen)):
                        if (text, language) in reported:
                            continue
                        reported.add((text, language))
                        place = locate_text(kit, text, language)
                        where = f"{place}: " if place else ""
                        whole = full_text(kit, text, language)
                        size = "{} x {}".format(*WINDOW_SIZE_PX)
                        yield (
                            f"{where}{seats} players ({language}, a window of {size}): "
                            f'"{whole}" has no room'
                        )


def _show_table(window: Window, match: Match) -> TableScreen:
    seat_one_person(match, 0, window.context.words)
    trial = trial_table(window.context, match, bots_play=False)
    screen = window.matches.show_table(trial)
    screen.start()
    return screen


def _screens_to_check(
    kit: GameKit, over: Match, shown: Callable[[Match], TableScreen]
) -> Iterator[TableScreen]:
    """Yield the table after each of the first moves, then the score sheet of a finished match."""
    match = random_match(kit, len(over.players), SEED, catalogue.options(kit), 0)
    screen, answers = shown(match), random_answers(match, SEED)
    for _ in range(MOVES):
        QApplication.processEvents()
        yield screen
        if next(answers, None) is None:
            break
    screen = shown(over)
    screen.ending.show()
    QApplication.processEvents()
    yield screen


def _cut_widgets(screen: TableScreen) -> Iterator[str]:
    if screen.prompt.crowded:  # the prompt covers the table
        yield screen.prompt.text
    names = {player.name for player in screen.seated.players}  # players choose their own names
    for root in (screen.prompt, screen.ending.sheet):
        shown = [each for each in root.findChildren(QWidget) if each.isVisible()]
        labels = (each for each in shown if isinstance(each, QLabel) and each.text() not in names)
        yield from (each.text() for each in labels if _is_cut(each))
        buttons = (each for each in shown if isinstance(each, QAbstractButton) and each.text())
        yield from (each.text() for each in buttons if _lacks_width(each))


def _is_cut(label: QLabel) -> bool:
    if label.wordWrap():
        return label.heightForWidth(label.width()) > label.height() + 1
    return bool(label.text()) and _lacks_width(label)


def _lacks_width(widget: QWidget) -> bool:
    return widget.sizeHint().width() > widget.width() + 1


def _cut_items(screen: TableScreen) -> Iterator[str]:
    names = [player.name for player in screen.seated.players]  # players choose their own names
    lines = (each for each in screen.scene.items() if isinstance(each, QGraphicsSimpleTextItem))
    for text in (each.text() for each in lines if each.isVisible()):
        if text.endswith(ELLIPSIS) and not any(name.startswith(text[:-1]) for name in names):
            yield text
