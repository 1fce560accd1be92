"""Styled base widgets: screens, paper, scroll areas,
labels and buttons that scale with the window.
"""

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
"""Style sheet of a small button, to be set with `set_scaled_style`."""


def draw_table(
    widget: QWidget, painter: QPainter, context: AppContext, kit: GameKit | None = None
) -> None:
    """Paint the table of the game `kit` over all of `widget`; None means the program's own table.

    The pattern is aligned with the window, so that it continues from widget to widget.
    """
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


GROWTH_START_SIZE = QSize(1600, 900)
"""Window size in pixels above which content is
enlarged; transposed for windows in portrait format.
"""
GROWTH_STEP, GROWTH_RATE, MAX_GROWTH = 0.1, 0.9, 2.4
"""Step of the scale factor, growth of the scale factor
relative to the window's, and maximum scale factor.
"""


MIN_SCREEN_SIZE = QSize(1024, 600)
"""Window size in pixels at which everything fits unscaled."""


def scale_factor_in(size: QSize) -> float:
    """Return the scale factor for a window of `size` pixels.

    It includes the system's text scale as long as everything still fits.
    """
    roomy = GROWTH_START_SIZE if size.width() >= size.height() else GROWTH_START_SIZE.transposed()
    more = min(size.width() / roomy.width(), size.height() / roomy.height()) - 1
    room = min(size.width() / MIN_SCREEN_SIZE.width(), size.height() / MIN_SCREEN_SIZE.height())
    grown = 1 + GROWTH_STEP * max(0, int(min(more * GROWTH_RATE, room - 1) / GROWTH_STEP))
    larger = GROWTH_STEP * int(min(grown * ScalingMixin.text_scale, room) / GROWTH_STEP + 1e-6)
    return min(MAX_GROWTH, max(grown, larger))


class ScalingMixin:
    """Mixin for widgets whose fonts, and sizes from
    `scale_pixels`, are enlarged in a large window.
    """

    text_scale = 1.0
    """The system's text scale factor, shared by all widgets."""
    grows = False
    """Whether the widget scales."""
    growth = 1.0
    """The current scale factor."""

    def update_growth(self, size: QSize) -> bool:
        """Set the scale factor for a window of `size`, and return whether it changed."""
        before = self.growth
        self.growth = scale_factor_in(size) if self.grows else 1.0
        return self.growth != before

    def scaled_style_sheet(self, theme: Theme) -> str:
        """Return the scaled style sheet in the colours of `theme`; empty at scale 1."""
        return make_stylesheet(theme, self.growth) if self.growth != 1.0 else ""


class Screen(QWidget, ScalingMixin):
    """A screen with the table as background, which adapts to language, theme and size.

    Its accessible name is its heading, which screen readers say when the focus enters.
    """

    ground: GameKit | None = None
    """The game whose table is the background; None for the program's own."""
    left = Signal()
    """Request to go back, by Esc. In a text field with content, the first Esc only ends editing."""

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        context.changed.connect(self._note_changed)

    def refresh_appearance(self) -> None:
        """Update texts and pictures for the current language, theme and size."""
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self.update_growth(event.size()):
            self.setStyleSheet(self.scaled_style_sheet(self.context.theme))
            self.refresh_appearance()
        super().resizeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        field = self.focusWidget()
        if event.key() == Qt.Key.Key_Escape and isinstance(field, QLineEdit) and field.text():
            self.setFocus()  # the first Esc only ends editing
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _note_changed(self, changed: frozenset[str]) -> None:
        if changed & APPEARANCE_SETTINGS:
            if self.growth != 1.0:
                self.setStyleSheet(
                    self.scaled_style_sheet(self.context.theme)
                )  # in the current colours
            self.refresh_appearance()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            draw_table(self, painter, self.context, self.ground)


def scale_pixels(widget: QWidget, pixels: float) -> int:
    """Return `pixels`, scaled like the other content of the widget's screen."""
    return round(pixels * scale_factor_of(widget))


def scale_size(widget: QWidget, size: QSize) -> QSize:
    """Return `size`, scaled like the other content of the widget's screen."""
    return QSize(scale_pixels(widget, size.width()), scale_pixels(widget, size.height()))


def scaled_font(widget: QWidget, pixels: float, bold: bool = False) -> QFont:
    """Return the widget's font at `pixels`, scaled like the other content of its screen."""
    font = QFont(widget.font())
    font.setPixelSize(scale_pixels(widget, pixels))
    font.setBold(bold)
    return font


def set_scaled_style(widget: QWidget, sheet: str) -> None:
    """Set the style sheet of `widget` to `sheet`, with its pixel sizes scaled."""
    widget.setStyleSheet(scale_lengths(sheet, scale_factor_of(widget)))


def scale_factor_of(widget: QWidget) -> float:
    """Return the scale factor that applies to `widget`."""
    at: QWidget | None = widget
    while at is not None and not (isinstance(at, ScalingMixin) and at.grows):
        at = at.parentWidget()
    return at.growth if at is not None else 1.0


class Paper(QFrame):
    """A frame styled as a sheet of paper."""

    def __init__(self, parent: QWidget | None = None, kind: str = "paper") -> None:
        super().__init__(parent)
        self.setProperty("kind", kind)


class FittingScrollArea(QScrollArea):
    """A scroll area whose size hint fits all of its content."""

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


class TextScrollArea(FittingScrollArea):
    """A scroll area for text, as tall as its lines
    at the current width. The arrow keys scroll it.
    """

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
        """Set the height of the content to the height of its lines."""
        inside = self.widget()
        layout = inside.layout() if inside is not None else None
        if inside is None or layout is None:
            return
        layout.activate()  # a layout asked for heights doesn't activate itself any longer
        high = self._needed_height()
        if inside.minimumHeight() != high:
            inside.setMinimumHeight(high)
            self.updateGeometry()

    def _needed_height(self) -> int:
        inside = self.widget()
        wide = self.viewport().width()
        return max(0, inside.heightForWidth(wide)) if inside is not None else 0


class Sheet(Paper):
    """The main sheet of a screen: `column` has its content, `add_bottom_row` adds the last row."""

    def __init__(self, widest: int) -> None:
        """Create the sheet with a maximum width of `widest` pixels."""
        super().__init__()
        self.setMaximumWidth(widest)
        self.column = lay(QVBoxLayout(self), spacing=8, margins=(28, 16, 28, 16))

    def add_bottom_row(self, message: QLabel, *buttons: QPushButton) -> None:
        """Add the bottom row: `message` on the left, `buttons` on the right."""
        row = lay(QHBoxLayout(), [(message, 1)], spacing=12)
        for each in buttons:  # the buttons stay in place with any number of lines
            row.addWidget(each, 0, Qt.AlignmentFlag.AlignBottom)
        self.column.addLayout(row)


def remove_widget(widget: QWidget, layout: QLayout) -> None:
    """Remove `widget` from `layout`, hide it, and delete it later."""
    layout.removeWidget(widget)
    widget.hide()
    widget.deleteLater()


def centre_sheet(screen: QWidget, sheet: QWidget, rows: tuple[int, int, int]) -> None:
    """Centre `sheet` on `screen`.

    `rows` are the vertical stretch factors above, of and below `sheet`.
    """
    whole = QGridLayout(screen)
    whole.setContentsMargins(24, 16, 24, 16)
    for row, share in enumerate(rows):
        whole.setRowStretch(row, share)
    for column, share in enumerate((1, 1000, 1)):
        whole.setColumnStretch(column, share)
    whole.addWidget(sheet, 1, 1)


def dialog_size(window: QWidget, usual: QSize) -> QSize:
    """Return `usual`, limited to somewhat less than the size of `window`."""
    return usual.boundedTo(window.size() - QSize(80, 40))


MAX_PHRASE_LINES = 2
"""Maximum number of lines of Japanese text that wraps
between phrases; longer text wraps between words.
"""


PUNCTUATION = re.compile("[。、](?=[^」』）])")
"""Matches Japanese punctuation, after which the accessible text gets a space.

When a screen opens, Orca skips texts of fewer than three words, and takes a text without spaces for
one word.
"""
BUTTON_SYMBOL = re.compile(" ?[(（]⋯[)）]")
"""Matches the symbol of a button quoted in a text."""


class RichLabel(QLabel):
    """A label for rich text from `rich_text.py`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.RichText)


def _read_out(text: str) -> str:
    """Return `text` for screen readers: with commas for " · " and without button symbols."""
    return PUNCTUATION.sub(r"\g<0> ", BUTTON_SYMBOL.sub("", text).replace(" · ", ", "))


class PlainLabel(QLabel):
    """A plain-text label with better line breaks in Japanese.

    Short texts wrap between phrases, longer ones between words, to avoid half-empty lines.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._text = ""
        self._read = ""
        """The accessible name set by this class. A name set by other code is kept."""

    def setText(self, text: str) -> None:
        self._text = text
        super().setText(bind_phrases(text))
        if self.accessibleName() == self._read:  # without the invisible word joiners
            self._read = _read_out(text)
            self.setAccessibleName(self._read)
        if self.wordWrap() and self.isVisible():
            self.wrap_for(self.width())

    def wrap_for(self, width: int) -> None:
        """Choose the line breaks for a width of `width` pixels."""
        shown = self._broken_for(width)
        if shown != super().text():
            super().setText(shown)

    def heightForWidth(self, width: int) -> int:
        """Return the height of the text with its line
        breaks for `width`, instead of the current ones.
        """
        shown = self._broken_for(width) if self.wordWrap() else super().text()
        if shown == super().text():
            return super().heightForWidth(width)
        edges = self.contentsMargins()
        room = width - edges.left() - edges.right()
        return self._height_of(shown, room) + edges.top() + edges.bottom() + 2 * self.margin()

    def _broken_for(self, width: int) -> str:
        """Return the text with its break points for a width of `width` pixels."""
        joined = bind_phrases(self._text)
        if joined == self._text:
            return joined
        lines = round(self._height_of(joined, width) / self.fontMetrics().lineSpacing())
        return joined if lines <= MAX_PHRASE_LINES else bind_words(self._text)

    def _height_of(self, text: str, width: int) -> int:
        room = QRect(0, 0, width - 2 * self.margin(), 1 << 20)
        flag = Qt.TextFlag.TextWordWrap
        return self.fontMetrics().boundingRect(room, flag, text).height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.wordWrap():
            self.wrap_for(self.width())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange and self.wordWrap():
            self.wrap_for(self.width())

    def clear(self) -> None:
        self.setText("")

    def text(self) -> str:
        return self._text


def label(
    kind: str = "", wrap: bool = False, parent: QWidget | None = None, text: str = ""
) -> PlainLabel:
    """Return a plain-text label. `kind` is a kind of the style sheet."""
    made = PlainLabel(parent)
    made.setWordWrap(wrap)
    if kind:
        made.setProperty("kind", kind)
    if text:
        made.setText(text)
    return made


def rich_label(texts: Iterable[str]) -> RichLabel:
    """Return a word-wrapped label with the paragraphs `texts`; Japanese wraps between phrases."""
    made = RichLabel()
    made.setText(paragraphs(texts))
    made.setWordWrap(True)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made


class ElidedLabel(QLabel):
    """A single-line label that elides text that is too
    long, and then shows the full text as a tooltip.
    """

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
    """A push button without mnemonics: "&" is displayed literally."""

    def setText(self, text: str) -> None:
        super().setText(escape_mnemonics(text))

    def text(self) -> str:
        return super().text().replace("&&", "&")


class PaintedButton(QAbstractButton):
    """A base class for buttons that paint themselves. Like `PlainButton`, it has no mnemonics."""

    def setText(self, text: str) -> None:
        super().setText(escape_mnemonics(text))

    def text(self) -> str:
        return super().text().replace("&&", "&")


def button(
    kind: str = "", parent: QWidget | None = None, text: str = "", flush: bool = False
) -> QPushButton:
    """Return a push button that can also be pressed with Enter.

    Args:
        kind: a kind of the style sheet.
        parent: the parent widget.
        text: the label.
        flush: whether to align the text of a quiet button with the texts above it.
    """
    made = PlainButton(parent)
    made.setAutoDefault(True)
    made.setText(text)
    made.setCursor(Qt.CursorShape.PointingHandCursor)
    if kind:
        made.setProperty("kind", kind)
    made.setProperty("flush", flush)
    return made


def close_button(dialog: QDialog, words: Words) -> QPushButton:
    """Return the "Close" button of `dialog`."""
    made = button("primary", text=words(labels.CLOSE))
    made.clicked.connect(dialog.accept)
    return made


def set_style_kind(widget: QWidget, kind: str) -> None:
    """Change the style sheet kind of `widget` to `kind`."""
    if widget.property("kind") != kind:
        widget.setProperty("kind", kind)
        if widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
            widget.style().unpolish(widget)
            widget.style().polish(widget)


def menu_button() -> QToolButton:
    """Return a quiet button that opens a menu, which is initially empty."""
    made = QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
    made.setProperty("kind", "quiet")
    made.setMenu(QMenu(made))
    return made


def link_label() -> RichLabel:
    """Return a label whose links can be followed by mouse or keyboard."""
    made = RichLabel()
    made.setTextInteractionFlags(
        Qt.TextInteractionFlag.LinksAccessibleByMouse
        | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
    )
    return made


def give_own_viewport(area: QScrollArea) -> None:
    """Give `area` a viewport like Qt's default one.

    For the default one, PySide would search all widget classes, and loading them takes an eighth of
    the time of opening an empty window.
    """
    viewport = QWidget()
    viewport.setBackgroundRole(QPalette.ColorRole.NoRole)
    viewport.setAutoFillBackground(True)
    area.setViewport(viewport)


def make_transparent(widget: QWidget) -> None:
    """Make `widget`, the content or viewport of a scroll area, transparent."""
    palette = widget.palette()
    palette.setColor(QPalette.ColorRole.Window, QColor(Qt.GlobalColor.transparent))
    widget.setPalette(palette)
    widget.setAutoFillBackground(False)
