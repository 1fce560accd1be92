"""The text of a lesson, the one rule that matters now, with its paragraph; or of a hint."""

from msgspec import Struct
from PySide6.QtCore import Signal
from PySide6.QtGui import QKeyEvent, Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from tabletop.language.words import Words
from tabletop.match.tutorial import Lesson, ResolvedSubject
from ui.shell.app_context import AppContext, name_widget
from ui.style.rich_text import in_size, link
from ui.widgets.box_layout import STRETCH, lay
from ui.widgets.styled_widgets import (
    SMALL_BUTTON,
    button,
    label,
    link_label,
    scale_pixels,
    set_scaled_style,
)

SIGN = 18
"""Side of the sign before the heading, in pixels."""


class ShownHint(Struct, frozen=True):
    """A hint as its reader sees it: the advised move, and how the second best compares."""

    text: str
    """The move and its reason, as sentences."""
    second: str = ""
    """The second best move, and how much less it is worth; empty where only one is known."""
    spoken: ResolvedSubject = ResolvedSubject()
    """What it is about."""


class LessonPage(QWidget):
    """The text of a lesson or a hint and what can be done with it; Esc puts it aside."""

    asked = Signal(str)
    """A paragraph of the rulebook is wanted."""
    put_aside = Signal()
    put_all_aside = Signal()

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._sign, self._heading = label(), label("caption")
        self._text, self._second = label(wrap=True), label("caption", wrap=True)
        self._place = link_label()
        self._place.linkActivated.connect(self.asked)
        self.understood, self.enough = button("quiet"), button("quiet")
        self.understood.clicked.connect(self.put_aside)
        self.enough.clicked.connect(self.put_all_aside)
        above = lay(QHBoxLayout(), [self._sign, (self._heading, 1), self._place], spacing=6)
        below = lay(QHBoxLayout(), [self.understood, STRETCH, self.enough], spacing=4)
        self._column = lay(
            QVBoxLayout(self), [above, self._text, self._second, below], spacing=2, margins=0
        )

    @property
    def buttons(self) -> tuple[QPushButton, QPushButton]:
        """The buttons in the order of Tab."""
        return self.understood, self.enough

    @property
    def text(self) -> str:
        """What is told now; empty while nothing is."""
        return self._text.text()

    @property
    def aloud(self) -> str:
        """All that is told now, as it is read out."""
        words, texts = self._context.words, (self._text.text(), self._second.text())
        return words.with_label(self._heading.text(), words.sentences(texts))

    def print(self, lesson: Lesson, words: Words) -> None:
        """Put a lesson on the page, in the words of its game."""
        context = self._context
        self.enough.setVisible(True)
        self.enough.setText(context.words("No more lessons"))
        place = context.words("Rules {n}", n=lesson.paragraph)
        shown = link(lesson.paragraph, place, context.theme.accent_2)
        self._place.setText(in_size(scale_pixels(self, 13), shown) if lesson.paragraph else "")
        self._print(words, context.words("First game"), words(lesson.text))

    def print_hint(self, hint: ShownHint, words: Words) -> None:
        """Put a hint on the page, in the words of its game."""
        self.enough.setVisible(False)
        self._place.setText("")
        self._print(words, self._context.words("Hint"), hint.text, hint.second)

    def _print(self, words: Words, heading: str, text: str, second: str = "") -> None:
        context = self._context
        set_scaled_style(self._text, "font-size: 14px;")
        for each in self.buttons:
            set_scaled_style(each, SMALL_BUTTON)
        self._sign.setPixmap(
            context.icon_pixmap("hint", scale_pixels(self, SIGN), context.theme.accent)
        )
        self._heading.setText(heading)
        self._text.setText(text)
        self._second.setText(second)
        self._second.setVisible(bool(second))
        self.understood.setText(context.words("Understood"))
        self.understood.setToolTip(context.words("Esc, when the lesson has the focus"))
        name_widget(self._text, context.words.with_label(heading, text), second, words)
        name_widget(self._second, second, words=words)
        self._column.activate()  # else its rows would ask for the width of the texts before

    def tick(self) -> None:
        """Mark the lesson as learnt."""
        self._sign.setPixmap(
            self._context.icon_pixmap("check", scale_pixels(self, SIGN), self._context.theme.good)
        )

    def height_in(self, width: int) -> int:
        """Return its height at this width, in pixels."""
        return self._column.totalHeightForWidth(width)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.put_aside.emit()
        else:
            super().keyPressEvent(event)
