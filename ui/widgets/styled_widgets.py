"""Surfaces under the screens: the table with its grain, sheets of paper."""

import re
from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from tabletop.catalogue.catalogue import GameKit
from tabletop.language import labels
from tabletop.language.words import Words
from ui.shell.app_context import APPEARANCE_SETTINGS, AppContext
from ui.shell.spoken_role import speak_as_texts
from ui.style.line_breaks import bind_phrases, bind_words
from ui.style.rich_text import escape_mnemonics, paragraphs
from ui.style.table_look import GRAIN_PX, table_pixmap
from ui.style.theme import Theme, make_stylesheet, scale_lengths
from ui.widgets.box_layout import lay
from ui.widgets.fading_bars import FadingBars

SMALL_BUTTON = "QPushButton { padding: 1px 7px; font-size: 13px; }"
"""The style sheet of a button beside small letters, to be worn (`wear`)."""


def draw_table(
    widget: QWidget, painter: QPainter, context: AppContext, kit: GameKit | None = None
) -> None:
    """Paint the bare table over a whole widget, that of a game or the program's own; it runs on
    from widget to widget."""
    look = context.table_theme(kit)
    if kit is not None:
        whole = widget.window().size()
        table = table_pixmap(context.art, look, kit.id, whole, widget.devicePixelRatioF())
        origin = widget.mapTo(widget.window(), QPoint(0, 0))
        painter.drawPixmap(-origin, table)
        return
    painter.fillRect(widget.rect(), QColor(look.table))
    if look.name == "contrast":
        return
    origin = widget.mapTo(widget.window(), QPoint(0, 0))
    grain = context.art.pixmap("common/grain.svg", GRAIN_PX, GRAIN_PX, widget.devicePixelRatioF())
    painter.drawTiledPixmap(QRectF(widget.rect()), grain, QPointF(origin))


ROOMY = QSize(1600, 900)
"""The size of a screen, in pixels, above which what grows with it begins to; turned, that of an
upright one."""
STEP, PACE, MOST = 0.1, 0.9, 2.4
"""Growth goes by such steps, slower than the window, and no further than this."""


LEAST = QSize(1024, 600)
"""The size of a screen, in pixels, on which everything has room without being enlarged."""


def growth_in(size: QSize) -> float:
    """The factor by which things are enlarged on a screen of this size: the system's larger letters
    are followed as far as all of it still has room."""
    roomy = ROOMY if size.width() >= size.height() else ROOMY.transposed()
    more = min(size.width() / roomy.width(), size.height() / roomy.height()) - 1
    room = min(size.width() / LEAST.width(), size.height() / LEAST.height())
    grown = 1 + STEP * max(0, int(min(more * PACE, room - 1) / STEP))
    larger = STEP * int(min(grown * Growing.text_scale, room) / STEP + 1e-6)
    return min(MOST, max(grown, larger))


class Growing:
    """A widget's base class in which letters, and all that is measured by `scale_pixels`, may grow
    with a large window."""

    text_scale = 1.0
    """The factor of letters that the system asks for; one for all."""
    grows = False
    """Whether they do."""
    growth = 1.0
    """The factor by which everything is enlarged."""

    def grow(self, size: QSize) -> bool:
        """Set the factor for a window of this size; return whether it changed."""
        before = self.growth
        self.growth = growth_in(size) if self.grows else 1.0
        return self.growth != before

    def grown_sheet(self, theme: Theme) -> str:
        """The style sheet of its own in the colours of a theme; none where nothing is enlarged."""
        return make_stylesheet(theme, self.growth) if self.growth != 1.0 else ""


class Screen(QWidget, Growing):
    """A screen: the bare table, on which the rest is laid out. Its texts and colours follow the
    context. It has its heading for its name, which a screen reader says as the keys come to it."""

    ground: GameKit | None = None
    """The game on whose table it is laid; None for the program's own."""
    left = Signal()
    """Request to go back: Esc was pressed, in a field with text for the second time."""

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        context.changed.connect(self._note_changed)

    def refresh_appearance(self) -> None:
        """Show every text and picture in the chosen language, theme and size."""
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self.grow(event.size()):
            self.setStyleSheet(self.grown_sheet(self.context.theme))
            self.refresh_appearance()
        super().resizeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        field = self.focusWidget()
        if event.key() == Qt.Key.Key_Escape and isinstance(field, QLineEdit) and field.text():
            self.setFocus()  # Esc first ends the typing
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _note_changed(self, changed: frozenset[str]) -> None:
        if changed & APPEARANCE_SETTINGS:
            if self.growth != 1.0:
                self.setStyleSheet(self.grown_sheet(self.context.theme))  # in the current colours
            self.refresh_appearance()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            draw_table(self, painter, self.context, self.ground)


def scale_pixels(widget: QWidget, pixels: float) -> int:
    """This number of pixels, enlarged like everything on the widget's screen."""
    return round(pixels * growth_of(widget))


def scale_size(widget: QWidget, size: QSize) -> QSize:
    """This size in pixels, enlarged like everything on the widget's screen."""
    return QSize(scale_pixels(widget, size.width()), scale_pixels(widget, size.height()))


def grown_font(widget: QWidget, pixels: float, bold: bool = False) -> QFont:
    """A widget's font in this size, enlarged like everything on its screen."""
    font = QFont(widget.font())
    font.setPixelSize(scale_pixels(widget, pixels))
    font.setBold(bold)
    return font


def wear(widget: QWidget, sheet: str) -> None:
    """Give a widget a style sheet of its own, in the size of its surroundings."""
    widget.setStyleSheet(scale_lengths(sheet, growth_of(widget)))


def growth_of(widget: QWidget) -> float:
    """The factor by which everything around this widget is enlarged."""
    at: QWidget | None = widget
    while at is not None and not (isinstance(at, Growing) and at.grows):
        at = at.parentWidget()
    return at.growth if at is not None else 1.0


class Paper(QFrame):
    """A sheet of paper with a hairline round it."""

    def __init__(self, parent: QWidget | None = None, kind: str = "paper") -> None:
        super().__init__(parent)
        self.setProperty("kind", kind)


class Roll(QScrollArea):
    """Scrolls what is in it, and wants to be so large that nothing needs to be scrolled."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(inside)
        FadingBars(self)

    def sizeHint(self) -> QSize:
        frame, inside = 2 * self.frameWidth() + 1, self.widget()
        return (inside.sizeHint() if inside else QSize(0, 0)) + QSize(frame, frame)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


class TextRoll(Roll):
    """Scrolls what is to be read, by the keys too: it is as high as its lines are at its width."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__(inside)
        speak_as_texts(self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def sizeHint(self) -> QSize:
        inside, hint = self.widget(), super().sizeHint()
        if inside is None or self.width() < hint.width() // 2:
            return hint
        return QSize(hint.width(), max(hint.height(), self._needed_height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest and watched is self.widget():
            self.fit()
        return super().eventFilter(watched, event)

    def fit(self) -> None:
        """Give what is inside the height that its lines need."""
        inside = self.widget()
        layout = inside.layout() if inside is not None else None
        if inside is None or layout is None:
            return
        layout.activate()  # asking a layout for heights keeps it from activating itself
        high = self._needed_height()
        if inside.minimumHeight() != high:
            inside.setMinimumHeight(high)
            self.updateGeometry()

    def _needed_height(self) -> int:
        inside = self.widget()
        wide = self.viewport().width()
        return max(0, inside.heightForWidth(wide)) if inside is not None else 0


class Sheet(Paper):
    """The sheet of a screen where something is agreed on: `column`, and `end_with` at its foot."""

    def __init__(self, widest: int) -> None:
        """`widest` is its greatest width, in pixels."""
        super().__init__()
        self.setMaximumWidth(widest)
        self.column = lay(QVBoxLayout(self), spacing=8, margins=(28, 16, 28, 16))

    def end_with(self, message: QLabel, *buttons: QPushButton) -> None:
        """Lay the last line: a message about the settings agreed on, and the buttons."""
        row = lay(QHBoxLayout(), [(message, 1)], spacing=12)
        for each in buttons:  # the buttons stay in place with any number of lines
            row.addWidget(each, 0, Qt.AlignmentFlag.AlignBottom)
        self.column.addLayout(row)


def discard(widget: QWidget, layout: QLayout) -> None:
    """Take a widget out of its layout, and away from the screen for good."""
    layout.removeWidget(widget)
    widget.hide()
    widget.deleteLater()


def lay_middle(screen: QWidget, sheet: QWidget, rows: tuple[int, int, int]) -> None:
    """Lay a sheet in the middle of its screen; `rows` share the height that is left over: above the
    sheet, the sheet itself, below it."""
    whole = QGridLayout(screen)
    whole.setContentsMargins(24, 16, 24, 16)
    for row, share in enumerate(rows):
        whole.setRowStretch(row, share)
    for column, share in enumerate((1, 1000, 1)):
        whole.setColumnStretch(column, share)
    whole.addWidget(sheet, 1, 1)


def dialog_size(window: QWidget, usual: QSize) -> QSize:
    """The size of a dialog: its usual one, and never larger than the window below it."""
    return usual.boundedTo(window.size() - QSize(80, 40))


MOST_BY_PHRASES = 2
"""Lines of Japanese that are broken between phrases."""


PAUSES = re.compile("[。、](?=[^」』）])")
"""Where a Japanese text that is read gets a space: Orca passes over texts of less than three words
as it comes to a screen, and takes what has no spaces for one."""
BUTTON_SIGN = re.compile(" ?[(（]⋯[)）]")
"""The sign of a button that a text speaks of."""


class RichLabel(QLabel):
    """A label of what `rich_text.py` makes; Qt never guesses whether a text is rich."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.RichText)


def _read_out(text: str) -> str:
    """A text of a label as it is read: without dots between facts, and without the signs of
    buttons, which have names."""
    return PAUSES.sub(r"\g<0> ", BUTTON_SIGN.sub("", text).replace(" · ", ", "))


class PlainLabel(QLabel):
    """A label of plain text. Japanese is wrapped between phrases; a paragraph of more lines is
    wrapped between words, so that none of its lines is half empty."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._text = ""
        self._read = ""
        """The text for screen readers, where nobody has given the widget a name."""

    def setText(self, text: str) -> None:
        self._text = text
        super().setText(bind_phrases(text))
        if self.accessibleName() == self._read:  # without the joints between phrases
            self._read = _read_out(text)
            self.setAccessibleName(self._read)
        if self.wordWrap() and self.isVisible():
            self.break_for(self.width())

    def break_for(self, width: int) -> None:
        """Break the lines as it is best in this width, in pixels."""
        shown = self._broken_for(width)
        if shown != super().text():
            super().setText(shown)

    def heightForWidth(self, width: int) -> int:
        """The height of the lines as they will be in this width, not as they are broken now."""
        shown = self._broken_for(width) if self.wordWrap() else super().text()
        if shown == super().text():
            return super().heightForWidth(width)
        edges = self.contentsMargins()
        room = width - edges.left() - edges.right()
        return self._height_of(shown, room) + edges.top() + edges.bottom() + 2 * self.margin()

    def _broken_for(self, width: int) -> str:
        """The text with its joints, as it is best in this width."""
        joined = bind_phrases(self._text)
        if joined == self._text:
            return joined
        lines = round(self._height_of(joined, width) / self.fontMetrics().lineSpacing())
        return joined if lines <= MOST_BY_PHRASES else bind_words(self._text)

    def _height_of(self, text: str, width: int) -> int:
        room = QRect(0, 0, width - 2 * self.margin(), 1 << 20)
        flag = Qt.TextFlag.TextWordWrap
        return self.fontMetrics().boundingRect(room, flag, text).height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.wordWrap():
            self.break_for(self.width())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange and self.wordWrap():
            self.break_for(self.width())

    def clear(self) -> None:
        self.setText("")

    def text(self) -> str:
        return self._text


def label(
    kind: str = "", wrap: bool = False, parent: QWidget | None = None, text: str = ""
) -> PlainLabel:
    """A plain-text label in one of the style sheet's kinds."""
    made = PlainLabel(parent)
    made.setWordWrap(wrap)
    if kind:
        made.setProperty("kind", kind)
    if text:
        made.setText(text)
    return made


def rich_label(texts: Iterable[str]) -> RichLabel:
    """A label of plain paragraphs that wrap, Japanese between phrases."""
    made = RichLabel()
    made.setText(paragraphs(texts))
    made.setWordWrap(True)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made


class Shortened(QLabel):
    """A line of plain text that is shortened where it finds no room; its tool tip has all of it."""

    def __init__(self, kind: str = "") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        if kind:
            self.setProperty("kind", kind)

    def setText(self, text: str) -> None:
        super().setText(text)
        self.setAccessibleName(_read_out(text))

    def paintEvent(self, event: QPaintEvent) -> None:
        metrics, context = self.fontMetrics(), self.contentsRect()
        shown = metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, context.width())
        whole = shown == self.text()
        self.setToolTip("" if whole else self.text())
        with QPainter(self) as painter:
            painter.setPen(self.palette().color(self.foregroundRole()))
            painter.drawText(context, self.alignment(), shown)


class PlainButton(QPushButton):
    """A push button whose text is shown letter by letter: no "&" makes a key of the next one."""

    def setText(self, text: str) -> None:
        super().setText(escape_mnemonics(text))

    def text(self) -> str:
        return super().text().replace("&&", "&")


class PaintedButton(QAbstractButton):
    """A button that paints its text itself, letter by letter, as `PlainButton`."""

    def setText(self, text: str) -> None:
        super().setText(escape_mnemonics(text))

    def text(self) -> str:
        return super().text().replace("&&", "&")


def button(
    kind: str = "", parent: QWidget | None = None, text: str = "", flush: bool = False
) -> QPushButton:
    """A push button in one of the style sheet's kinds, that Enter presses too. `flush`: a quiet one
    whose text begins at its edge, under the texts above it."""
    made = PlainButton(parent)
    made.setAutoDefault(True)
    made.setText(text)
    made.setCursor(Qt.CursorShape.PointingHandCursor)
    if kind:
        made.setProperty("kind", kind)
    made.setProperty("flush", flush)
    return made


def done_button(dialog: QDialog, words: Words) -> QPushButton:
    """The "Close" button of a dialog."""
    made = button("primary", text=words(labels.CLOSE))
    made.clicked.connect(dialog.accept)
    return made


def change_kind(widget: QWidget, kind: str) -> None:
    """Give a widget another one of the style sheet's kinds."""
    if widget.property("kind") != kind:
        widget.setProperty("kind", kind)
        if widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
            widget.style().unpolish(widget)
            widget.style().polish(widget)


def menu_button() -> QToolButton:
    """A quiet button that opens a menu of its own, empty at first."""
    made = QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
    made.setProperty("kind", "quiet")
    made.setMenu(QMenu(made))
    return made


def link_label() -> RichLabel:
    """A label whose text may hold links, followed by mouse or keyboard."""
    made = RichLabel()
    made.setTextInteractionFlags(
        Qt.TextInteractionFlag.LinksAccessibleByMouse
        | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
    )
    return made


def give_own_viewport(area: QScrollArea) -> None:
    """Give a scroll area a viewport like Qt's own, whose class PySide would look for among all
    classes of widgets: to load them takes an eighth of the time of a bare window."""
    viewport = QWidget()
    viewport.setBackgroundRole(QPalette.ColorRole.NoRole)
    viewport.setAutoFillBackground(True)
    area.setViewport(viewport)


def make_transparent(widget: QWidget) -> None:
    """Make a scroll area's viewport transparent."""
    palette = widget.palette()
    palette.setColor(QPalette.ColorRole.Window, QColor(Qt.GlobalColor.transparent))
    widget.setPalette(palette)
    widget.setAutoFillBackground(False)
