"""Rows of the join screen for discovered tables and for finished matches on servers."""

from datetime import UTC, datetime

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy

from tabletop import __version__
from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import BrokenGame, GameKit, UnknownGame
from tabletop.lan.discovery import DiscoveredTable
from tabletop.language import labels
from tabletop.language.spoken_text import to_spoken_text
from tabletop.protocol.archive import FinishedMatch
from tabletop.protocol.invitation import DEFAULT_PORT, Address
from ui.shell.app_context import AppContext
from ui.shell.language import game_title, when_text
from ui.style.theme import SMOOTH_HINTS, with_opacity
from ui.widgets.box_thumbnail import front_picture
from ui.widgets.focus_ring import has_ring
from ui.widgets.styled_widgets import PaintedButton, scale_pixels, scale_size, scaled_font

ROW_HEIGHT_PX = 72
FRONT_SIZE = QSize(38, 54)


class TableRow(PaintedButton):
    """A clickable row with the game's box, a name above a detail line, and a note at the right."""

    def __init__(self, context: AppContext, name: str, game: str) -> None:
        super().__init__()
        self._context = context
        self._name = name
        self._kit = _load_kit(game)
        self._game = game
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def refresh_appearance(self) -> None:
        """Update the row's texts and its description for screen readers."""
        self.setText(self._name or self._title_text())
        self.setAccessibleName(self.text())
        chosen = self._context.words("chosen") if self.isChecked() else ""
        descriptions = filter(None, (self._detail_text(), self._right_text(), chosen))
        text = self._context.words.sentences(descriptions).replace(" · ", ", ")
        self.setAccessibleDescription(to_spoken_text(text, self._context.words))
        self.update()

    def _detail_text(self) -> str:
        """Return the text below the name."""
        raise NotImplementedError

    def _right_text(self) -> str:
        """Return the note at the right; "" if there is none."""
        raise NotImplementedError

    def _title_text(self) -> str:
        return game_title(self._kit, self._context.words.language) if self._kit else self._game

    def sizeHint(self) -> QSize:
        return QSize(420, scale_pixels(self, ROW_HEIGHT_PX))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._context.theme
        place = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        with QPainter(self) as painter:
            painter.setRenderHints(SMOOTH_HINTS)
            chosen = self.isChecked() or has_ring(self)
            pen = QPen(QColor(theme.accent_2 if chosen else theme.line), 2 if chosen else 1)
            painter.setPen(pen)
            share = 0.7 if self.isChecked() else 0.35 if self.underMouse() else 0.0
            painter.setBrush(with_opacity(theme.mat, share))
            painter.drawRoundedRect(place, 12, 12)
            x = 16.0
            if self._kit is not None:
                front = scale_size(self, FRONT_SIZE)
                painter.setOpacity(1.0 if self.isEnabled() else 0.5)
                picture = front_picture(self._context, self._kit, front, self)
                y = (self.height() - front.height()) / 2
                painter.drawPixmap(QRectF(x, y, 0, 0).topLeft(), picture)
                painter.setOpacity(1.0)
                x += front.width() + 14
            self._draw_texts(painter, x)

    def _draw_texts(self, painter: QPainter, x: float) -> None:
        theme = self._context.theme
        large, small = scaled_font(self, 16, bold=True), scaled_font(self, 13)
        right = self._right_text()
        free = QFontMetrics(small).horizontalAdvance(right) + 18
        width = self.width() - x - free - 12
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.setFont(large)
        painter.setPen(QColor(theme.ink if self.isEnabled() else theme.ink_soft))
        name = QFontMetrics(large).elidedText(self.text(), Qt.TextElideMode.ElideRight, int(width))
        painter.drawText(
            QRectF(x, scale_pixels(self, 9), width, scale_pixels(self, 26)), left, name
        )
        painter.setFont(small)
        painter.setPen(QColor(theme.ink_soft))
        under = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
        below = scale_pixels(self, 36)
        painter.drawText(
            QRectF(x, below, width, self.height() - below - 2), under, self._detail_text()
        )
        painter.setPen(QColor(theme.accent_2 if self.isEnabled() else theme.ink_soft))
        painter.drawText(
            QRectF(self.width() - free - 6, 0, free - 8, self.height()),
            Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
            right,
        )


class FoundTableRow(TableRow):
    """A row for a discovered table: its name, host and free seats."""

    def __init__(
        self,
        context: AppContext,
        found: DiscoveredTable,
        *,
        twice: bool,
        own: bool,
        outdated: bool,
    ) -> None:
        """Create the row of `found`.

        `twice`: whether another computer announces the same table. `own`: whether the user has a
        seat at the table. `outdated`: whether the host has restarted since and no longer announces
        the table.
        """
        super().__init__(context, found.listed.name, found.listed.game)
        self.found = found
        self._twice = twice
        self._own = own
        self._outdated = outdated
        self.setCheckable(True)
        self.setEnabled(found.is_compatible)
        self.toggled.connect(lambda _: self.refresh_appearance())
        self.refresh_appearance()

    def accessible_press(self) -> None:
        """Select the table at the request of a screen reader.

        Without this method, screen readers present a checkable button as a check box.
        """
        self.click()

    def refresh_appearance(self) -> None:
        super().refresh_appearance()
        if self._twice:
            self.setToolTip(
                self._context.words(
                    "Two computers offer a table with this name. Only the one that "
                    "matches your code lets you in; the other learns nothing."
                )
            )

    def _detail_text(self) -> str:
        words, found = self._context.words, self.found
        if not found.is_compatible:
            return words(
                "Version {theirs}; you have {ours}. Update the older one.",
                theirs=found.program,
                ours=__version__,
            )
        parts = (
            self._title_text(),
            words("on {computer}", computer=found.host.removesuffix(f":{DEFAULT_PORT}"))
            if found.host
            else "",
            words("your seat is kept") if self._own else "",
            self._state_text(),
            "" if found.listed.needs_code else words("no code needed"),
            words("⚠ another computer offers it too")
            if self._twice
            else words("version {version}", version=found.program)
            if found.program not in ("", __version__)
            else "",
            words("game not installed") if self._kit is None else "",
        )
        return words.join_facts(parts)

    def _state_text(self) -> str:
        """Return the table's state, which helps to tell apart tables of the same host."""
        words, listed = self._context.words, self.found.listed
        if not self.found.is_reachable:
            return words("the host isn't responding")
        if self._outdated:
            return words("from before the host was restarted")
        playing = words("match under way") if listed.playing else ""
        return words.join_facts((playing, "" if listed.host_here else words("the host is away")))

    def _right_text(self) -> str:
        words, listed = self._context.words, self.found.listed
        if not self.found.is_compatible:
            return ""
        if listed.free == 0:
            return words("full") if listed.spectators == "none" else words("watch only")
        return words(labels.SEATS_FREE, free=listed.free, seats=listed.seats)


class FinishedMatchRow(TableRow):
    """A row for a match finished on a server: the server, the time and the winner."""

    def __init__(self, context: AppContext, place: Address, match: FinishedMatch) -> None:
        super().__init__(context, match.name, match.game)
        self.place = place
        self.match = match
        self.setEnabled(self._kit is not None)
        self.refresh_appearance()

    def _detail_text(self) -> str:
        words, match = self._context.words, self.match
        names = [name or words(labels.BOT) for name in match.players]
        won = words.join_list(names[seat] for seat in match.winners if seat < len(names))
        parts = (
            self._title_text(),
            words("on {computer}", computer=self.place.name.removesuffix(f":{DEFAULT_PORT}")),
            when_text(words, datetime.fromtimestamp(match.ended, UTC)),
            words(labels.WON, names=won) if won else words("nobody won"),
        )
        return words.join_facts(parts)

    def _right_text(self) -> str:
        return self._context.words(labels.WATCH_AGAIN)


def _load_kit(game: str) -> GameKit | None:
    try:
        return catalogue.load(game)
    except (UnknownGame, BrokenGame):
        return None
