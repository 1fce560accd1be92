"""The sign of a team: a letter on a tile, so that teams are recognisable without colours."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap

from tabletop.language.names import TEAM_LETTERS
from ui.style.fonts import make_font
from ui.style.theme import Theme

TEAM_COLOURS = (("accent_2", "on_accent_2"), ("ink", "paper"), ("accent", "on_accent"))
"""Names of the theme colours of tile and letter for each team, repeated if there are more teams."""
RIM_SHARE = 0.06
"""Width of the paper-coloured rim around the tile, as a share of its side."""


def make_team_sign(theme: Theme, team: int, side: float, ratio: float) -> QPixmap:
    """Return the sign of team number `team` (from 0), `side` pixels wide."""
    tile, letter = (getattr(theme, tone) for tone in TEAM_COLOURS[team % len(TEAM_COLOURS)])
    made = QPixmap(round(side * ratio), round(side * ratio))
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    place = QRectF(0, 0, side, side)
    with QPainter(made) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for colour, edge in ((theme.paper, 0.0), (tile, RIM_SHARE * side)):
            painter.setBrush(QColor(colour))
            inner = place.adjusted(edge, edge, -edge, -edge)
            painter.drawRoundedRect(inner, side * 0.24, side * 0.24)
        painter.setFont(make_font(max(7, side * 0.72), bold=True))
        painter.setPen(QColor(letter))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, TEAM_LETTERS[team])
    return made
