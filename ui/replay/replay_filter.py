"""Search and filters for the list of replays: by game, player and month."""

import math
from collections.abc import Collection, Iterable
from datetime import date
from typing import Any

from msgspec import Struct
from PySide6.QtCore import QLocale, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from tabletop.text.phrases import phrase
from ui.shell.app_context import AppContext, name_widget
from ui.widgets.box_layout import lay
from ui.widgets.fields import ComboBox
from ui.widgets.text_fields import TextField

FILTERS = {
    "game": (phrase("Game"), phrase("All games")),
    "player": (phrase("Player"), phrase("All players")),
    "month": (phrase("Month"), phrase("All months")),
}
"""The label of each drop-down, and its first entry, which selects everything."""
MIN_CHARS = 9
"""Minimum width of a drop-down in characters. A first entry that is longer still fits."""


class ReplayFacets(Struct, frozen=True):
    """The properties by which replays are searched and filtered."""

    game: str
    """The game's title in the current language."""
    players: tuple[str, ...]
    month: date
    """The first day of the month in which the match ended."""
    text: str
    """The case-folded text of the replay's card, for the search."""


class ReplayFilter(QWidget):
    """A search field, and a drop-down for each filter."""

    changed = Signal()
    """The user changed the search or a filter."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self.search = TextField()
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(lambda _: self.changed.emit())
        self.choices = {name: ComboBox() for name in FILTERS}
        self._wanted: dict[str, object] = dict.fromkeys(FILTERS)
        """The user's choice for each filter. Its drop-down may lack it while the list loads."""
        for name, box in self.choices.items():
            box.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.currentIndexChanged.connect(lambda _, name=name: self._choose(name))
        lay(QHBoxLayout(self), [(self.search, 1), *self.choices.values()], spacing=8, margins=0)
        self.update_choices(())  # every field has its name before the list is loaded

    def update_choices(self, facets: Collection[ReplayFacets]) -> bool:
        """Fill the drop-downs with the values in `facets`, and keep the user's choices among them.

        Returns whether the effective filters have changed.
        """
        words = self._context.words
        before = self._chosen()
        self.search.setPlaceholderText(words("Search"))
        name_widget(self.search, words("Search"))
        months = sorted({each.month for each in facets}, reverse=True)
        self._fill("game", ((each, each) for each in sorted({each.game for each in facets})))
        players = {player for each in facets for player in each.players}
        self._fill("player", ((each, each) for each in sorted(players)))
        self._fill("month", ((month_text(each, words.language), each) for each in months))
        return self._chosen() != before

    def filter_mask(self, facets: Iterable[ReplayFacets]) -> list[bool]:
        """Return for each replay whether it matches the filters and every word of the search."""
        game, player, month = self._chosen()
        words = self.search.text().casefold().split()
        return [
            game in (None, each.game)
            and (player is None or player in each.players)
            and month in (None, each.month)
            and all(word in each.text for word in words)
            for each in facets
        ]

    def _chosen(self) -> list[Any]:
        return [self.choices[name].currentData() for name in FILTERS]

    def _choose(self, name: str) -> None:
        self._wanted[name] = self.choices[name].currentData()
        self.changed.emit()

    def _fill(self, name: str, entries: Iterable[tuple[str, object]]) -> None:
        box, words = self.choices[name], self._context.words
        called, every = FILTERS[name]
        name_widget(box, words(called))
        wanted = [(words(every), None), *entries]
        if wanted == [(box.itemText(row), box.itemData(row)) for row in range(box.count())]:
            return  # the person may be choosing while the list loads
        box.blockSignals(True)
        box.clear()
        width_of = box.fontMetrics().horizontalAdvance
        letters = math.ceil(width_of(words(every)) / width_of("X"))
        box.setMinimumContentsLength(max(MIN_CHARS, letters))
        for text, value in wanted:
            box.addItem(text, value)
            if value is not None and value == self._wanted[name]:
                box.setCurrentIndex(box.count() - 1)
        box.blockSignals(False)


def month_text(month: date, language: str) -> str:
    """Return `month` as text in `language`, such as "November 2026"."""
    locale = QLocale(language)
    if language == "ja":
        return f"{month.year}年{month.month}月"
    return f"{locale.standaloneMonthName(month.month)} {month.year}"
