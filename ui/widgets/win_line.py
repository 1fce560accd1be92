"""One line over the table: what the game is won by, and how far each player is."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from tabletop.catalogue.catalogue import Kit
from tabletop.engine.model import State
from tabletop.engine.teams import teams_at
from tabletop.language.words import Words
from tabletop.match.match import Player
from tabletop.text.phrases import filled
from ui.shell.app_context import AppContext, named
from ui.widgets.seat_badge import seat_badge
from ui.widgets.surface import grown, grown_font

LETTERS = 12
BADGE = 15
HIGH = 20
EDGE = 12
GAP = 14
"""Between two players; all in pixels."""


class WinLine(QWidget):
    """Names the players where there is room for that, else shows their symbols alone; hidden in a
    game that does not say what it is won by."""

    def __init__(self, context: AppContext, kit: Kit) -> None:
        super().__init__()
        self._context = context
        self._kit = kit
        self.text = ""
        """The goal of the game."""
        self.points: tuple[tuple[tuple[int, ...], str, str], ...] = ()
        """The seats, names and points of each team whose points are known."""
        self._players: Sequence[Player] = ()
        self._view: State | None = None
        self._words: Words | None = None
        """The words in which it was shown last."""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_progress(self, view: State, players: Sequence[Player], words: Words) -> None:
        """Show how far everybody is at this table."""
        win, score = self._kit.meaning.win, self._kit.meaning.score
        if win is None:
            return
        if view is self._view and words is self._words:  # as while a card is carried
            return
        self._view, self._words = view, words
        text = words.with_values(win.alone if win.alone and view.seats == 1 else win.text, view)
        scores = [
            (team, view.values.get(filled(score, {"seat": team[0]}))) for team in teams_at(view)
        ]
        points = tuple(
            (team, words.seats(team), str(each)) for team, each in scores if each is not None
        )
        self.text, self.points, self._players = text, points, players
        whole = [words.labelled(name, each) for _, name, each in points]
        self.setToolTip("\n".join((text, *whole)))
        named(self, text, words.listed(whole))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(0, grown(self, HIGH))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, badge, gap = self._context.theme, grown(self, BADGE), grown(self, GAP)
        font, bold = grown_font(self, LETTERS), grown_font(self, LETTERS, bold=True)
        metrics, thick = QFontMetricsF(font), QFontMetricsF(bold)
        space = metrics.horizontalAdvance(" ")
        base = (self.height() + metrics.capHeight()) / 2

        def wide(named: bool) -> float:
            return sum(
                gap
                + (badge + space) * len(team)
                + (metrics.horizontalAdvance(name) + space if named else 0)
                + thick.horizontalAdvance(points)
                for team, name, points in self.points
            )

        room = self.width() - 2 * EDGE
        with_names = metrics.horizontalAdvance(self.text) + wide(True) <= room
        left = room - wide(with_names)
        text = metrics.elidedText(self.text, Qt.TextElideMode.ElideRight, max(0.0, left))
        x = EDGE + max(0.0, left - metrics.horizontalAdvance(text)) / 2
        with QPainter(self) as painter:
            painter.setFont(font)
            painter.setPen(QColor(theme.ink_soft))
            painter.drawText(QPointF(x, base), text)
            x += metrics.horizontalAdvance(text)
            for team, name, points in self.points:
                x += gap
                for seat in team:
                    symbol = self._players[seat].symbol
                    picture = seat_badge(self._context, symbol, badge, self)
                    painter.drawPixmap(QPointF(x, (self.height() - badge) / 2), picture)
                    x += badge + space
                if with_names:
                    painter.setFont(font)
                    painter.setPen(QColor(theme.ink_soft))
                    painter.drawText(QPointF(x, base), name)
                    x += metrics.horizontalAdvance(name) + space
                painter.setFont(bold)
                painter.setPen(QColor(theme.ink))
                painter.drawText(QPointF(x, base), points)
                x += thick.horizontalAdvance(points)
