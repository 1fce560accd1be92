"""A row with the boxes of all games and a player's wins."""

from collections.abc import Mapping

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.storage.statistics import PlayerStatistics
from ui.shell.app_context import AppContext
from ui.shell.language import game_title
from ui.shell.shelf_order import order_games
from ui.widgets.box_layout import lay
from ui.widgets.box_sides import FRONT, natural_size
from ui.widgets.box_thumbnail import front_picture
from ui.widgets.choice_button import ChoiceButton
from ui.widgets.styled_widgets import scale_pixels, scaled_font

MIN_FRONT_HEIGHT_PX, MAX_FRONT_HEIGHT_PX, MIN_LARGE_FRONT_HEIGHT_PX = 104, 264, 160
"""Minimum and maximum height of a front above statistics, in pixels.

The third value is the minimum height without statistics below the row.
"""
QT_MAX_HEIGHT = (1 << 24) - 1
"""Qt's maximum height for a widget whose height is unlimited."""
TEXT_HEIGHT_PX = 54
"""Height in pixels of the space above a front plus the texts below it."""
MAX_LARGE_FRONT_RATIO = 1.75
"""Maximum ratio of height to width of a large front."""
MAX_BOXES = 7
"""Maximum number of boxes in the row. Games that the player has played come first."""


class WonBox(ChoiceButton):
    """The front of a game's box, with the game's title and the player's wins."""

    def __init__(self, context: AppContext, kit: GameKit) -> None:
        super().__init__(context)
        self.kit = kit
        self._totals: PlayerStatistics | None = None
        self._large = False
        """Whether the box takes all available height."""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def accessible_press(self) -> None:
        """Click the button at the request of a screen reader.

        Without this method, screen readers present a checkable button as a check box.
        """
        self.click()

    @property
    def wins_text(self) -> str:
        """The number of wins as text."""
        words, totals = self._context.words, self._totals
        if totals is None:
            return words("not played yet")
        return words("won {won} of {played}", won=totals.won, played=totals.played)

    def show_wins(self, totals: PlayerStatistics | None, chosen: bool, large: bool) -> None:
        """Show the statistics `totals`, or that the game was never played if it is None.

        Args:
            chosen: whether this box is the selected one.
            large: whether the box takes all available height.
        """
        self._totals, self._large = totals, large
        self.setChecked(chosen)
        self.refresh_appearance()

    def refresh_appearance(self) -> None:
        """Update the texts for the current language."""
        self.setAccessibleName(game_title(self.kit, self._context.words.language))
        words = self._context.words
        chosen = words("chosen") if self.isChecked() else ""
        self.setAccessibleDescription(words.sentences((self.wins_text, chosen)))
        self.updateGeometry()
        self.update()

    @property
    def _usual_width(self) -> int:
        """The width in pixels of the widest front in the row.

        Because of rounding, some fronts are one pixel wider than others.
        """
        row = self.parentWidget()
        layout = row.layout() if row is not None else None
        return row.width() // layout.count() - 16 if row is not None and layout is not None else 0

    def sizeHint(self) -> QSize:
        high = MIN_LARGE_FRONT_HEIGHT_PX if self._large else MIN_FRONT_HEIGHT_PX
        return QSize(scale_pixels(self, 96), scale_pixels(self, high + TEXT_HEIGHT_PX))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def draw(self, painter: QPainter) -> None:
        theme = self._context.theme
        size = natural_size(self._context, self.kit, FRONT).toSize()
        most = QSize(self.width() - 12, self.height() - scale_pixels(self, TEXT_HEIGHT_PX))
        size.scale(most, Qt.AspectRatioMode.KeepAspectRatio)
        left, foot = (self.width() - size.width()) / 2, scale_pixels(self, 6) + most.height()
        if self._large:  # all stand on one line, as if equally wide
            foot = min(
                foot, scale_pixels(self, 6) + round(self._usual_width * MAX_LARGE_FRONT_RATIO)
            )
        front = front_picture(self._context, self.kit, size, self)
        painter.drawPixmap(round(left), foot - size.height(), front)
        y = foot + scale_pixels(self, 2)
        line = scale_pixels(self, 21)
        for text, font, colour in (
            (self.accessibleName(), scaled_font(self, 13, bold=True), theme.ink),
            (self.wins_text, scaled_font(self, 13), theme.ink_soft),
        ):
            painter.setFont(font)
            painter.setPen(QColor(colour))
            place = QRectF(2, y, self.width() - 4, line)
            shown = painter.fontMetrics().elidedText(
                text, Qt.TextElideMode.ElideRight, round(place.width())
            )
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, shown)
            y += line


class WonBoxes(QWidget):
    """A row of boxes. `chosen` is emitted with the `GameKit` of the pressed one."""

    game_chosen = Signal(object)

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        kits = order_games(catalogue.shelf(), context.settings.shelf)
        self.boxes = [WonBox(context, kit) for kit in kits]
        for box in self.boxes:
            box.clicked.connect(lambda _=False, kit=box.kit: self.game_chosen.emit(kit))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self._large = True
        lay(QHBoxLayout(self), [(box, 1) for box in self.boxes], spacing=6, margins=0)

    def show_wins(self, games: Mapping[str, PlayerStatistics], chosen: str = "") -> None:
        """Show the statistics in `games`, by game ID; `chosen` is the selected game's ID."""
        first = sorted(self.boxes, key=lambda box: box.kit.id not in games)[:MAX_BOXES]
        for box in self.boxes:
            box.show_wins(games.get(box.kit.id), box.kit.id == chosen, not games)
            box.setVisible(box in first)
        self._large = not games
        self._bound()

    def refresh_appearance(self) -> None:
        """Update the texts for the current language."""
        for box in self.boxes:
            box.refresh_appearance()
        self._bound()

    def _bound(self) -> None:
        """Limit the height of the row, or remove the limit if the fronts are large."""
        most = scale_pixels(self, MAX_FRONT_HEIGHT_PX + TEXT_HEIGHT_PX)
        self.setMaximumHeight(QT_MAX_HEIGHT if self._large else most)
