"""The text of a lesson or hint, with its buttons."""

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

ICON_PX = 18
"""The side of the icon beside the heading."""


class ShownHint(Struct, frozen=True):
    """A hint's texts and subject: the advised move, and how the second best move compares."""

    text: str
    """The advised move and the reason for it, in sentences."""
    second_best: str = ""
    """The second best move and how much worse it is, or empty if only one move is known."""
    subject: ResolvedSubject = ResolvedSubject()
    """The cards and zones to highlight."""


class LessonPage(QWidget):
    """A widget with the text of a lesson or hint and its buttons. Esc dismisses it."""

    rule_requested = Signal(str)
    """The user followed a link to the rulebook. The argument is the paragraph's number."""
    dismiss_requested = Signal()
    dismiss_all_requested = Signal()

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._sign, self._heading = label(), label("caption")
        self._text, self._second = label(wrap=True), label("caption", wrap=True)
        self._place = link_label()
        self._place.linkActivated.connect(self.rule_requested)
        self.dismiss_button, self.dismiss_all_button = button("quiet"), button("quiet")
        self.dismiss_button.clicked.connect(self.dismiss_requested)
        self.dismiss_all_button.clicked.connect(self.dismiss_all_requested)
        above = lay(QHBoxLayout(), [self._sign, (self._heading, 1), self._place], spacing=6)
        below = lay(
            QHBoxLayout(), [self.dismiss_button, STRETCH, self.dismiss_all_button], spacing=4
        )
        self._column = lay(
            QVBoxLayout(self), [above, self._text, self._second, below], spacing=2, margins=0
        )

    @property
    def buttons(self) -> tuple[QPushButton, QPushButton]:
        """The buttons in tab order."""
        return self.dismiss_button, self.dismiss_all_button

    @property
    def text(self) -> str:
        """The text of the current lesson or hint, or an empty string before the first."""
        return self._text.text()

    @property
    def spoken_text(self) -> str:
        """All texts of the page, for screen readers."""
        words, texts = self._context.words, (self._text.text(), self._second.text())
        return words.with_label(self._heading.text(), words.sentences(texts))

    def show_lesson(self, lesson: Lesson, words: Words) -> None:
        """Show `lesson`, translated by `words`."""
        context = self._context
        self.dismiss_all_button.setVisible(True)
        self.dismiss_all_button.setText(context.words("Stop the lessons"))
        place = context.words("Rules {n}", n=lesson.paragraph)
        shown = link(lesson.paragraph, place, context.theme.accent_2)
        self._place.setText(in_size(scale_pixels(self, 13), shown) if lesson.paragraph else "")
        self._print(words, context.words("Learn to play"), words(lesson.text))

    def show_hint(self, hint: ShownHint, words: Words) -> None:
        """Show `hint`, whose texts are translated already."""
        self.dismiss_all_button.setVisible(False)
        self._place.setText("")
        self._print(words, self._context.words("Hint"), hint.text, hint.second_best)

    def _print(self, words: Words, heading: str, text: str, second: str = "") -> None:
        context = self._context
        set_scaled_style(self._text, "font-size: 14px;")
        for each in self.buttons:
            set_scaled_style(each, SMALL_BUTTON)
        self._sign.setPixmap(
            context.icon_pixmap("hint", scale_pixels(self, ICON_PX), context.theme.accent)
        )
        self._heading.setText(heading)
        self._text.setText(text)
        self._second.setText(second)
        self._second.setVisible(bool(second))
        self.dismiss_button.setText(context.words("Got it"))
        self.dismiss_button.setToolTip(context.words("Esc, when the lesson has the focus"))
        name_widget(self._text, context.words.with_label(heading, text), second, words)
        name_widget(self._second, second, words=words)
        self._column.activate()  # or its rows would keep the size of the previous texts

    def show_tick(self) -> None:
        """Replace the icon by a tick, which marks the lesson as learnt."""
        self._sign.setPixmap(
            self._context.icon_pixmap(
                "check", scale_pixels(self, ICON_PX), self._context.theme.good
            )
        )

    def height_for(self, width: int) -> int:
        """Return the height that the page needs at `width`, in pixels."""
        return self._column.totalHeightForWidth(width)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss_requested.emit()
        else:
            super().keyPressEvent(event)
