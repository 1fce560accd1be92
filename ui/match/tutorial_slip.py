"""The slip of a first game: the one rule that matters now, with its paragraph; used, it fades."""

from html import escape

from PySide6.QtCore import QPropertyAnimation, Signal
from PySide6.QtWidgets import QGraphicsOpacityEffect, QHBoxLayout, QLabel, QVBoxLayout

from tabletop.tutorial import Course, Lesson
from tabletop.words import Words
from ui.shell.app_context import AppContext, named
from ui.widgets.surface import Paper, anchor, button, label, link_label

FADES = 700
"""How long a lesson takes to go once its rule was used, in milliseconds; a tick stands on it."""


class LessonSlip(Paper):
    """Shows a lesson until it is learnt or put aside; hidden where there is none."""

    asked = Signal(str)
    """A paragraph of the rulebook is wanted."""
    put_by = Signal()
    """The lesson was put aside by hand."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._course: Course | None = None
        self._lesson: Lesson | None = None
        self._sign, self._heading = QLabel(), label("caption")
        self._text = label(wrap=True)
        self._place = link_label()
        self._place.linkActivated.connect(self.asked)
        self.understood, self.enough = button("quiet"), button("quiet")
        self.understood.clicked.connect(self._put_aside)
        self.enough.clicked.connect(self._put_all_aside)
        above = QHBoxLayout()
        above.setSpacing(6)
        above.addWidget(self._sign)
        above.addWidget(self._heading, 1)
        above.addWidget(self._place)
        below = QHBoxLayout()
        below.setSpacing(4)
        below.addWidget(self.understood)
        below.addStretch()
        below.addWidget(self.enough)
        for each in (self.understood, self.enough):
            each.setStyleSheet("QPushButton { padding: 1px 7px; font-size: 13px; }")
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 6)
        column.setSpacing(4)
        column.addLayout(above)
        column.addWidget(self._text)
        column.addLayout(below)
        self._ink = QGraphicsOpacityEffect(self)
        self._ink.setEnabled(False)
        self.setGraphicsEffect(self._ink)
        self._fading = QPropertyAnimation(self._ink, b"opacity", self)
        self._fading.setDuration(FADES)
        self._fading.setStartValue(1.0)
        self._fading.setEndValue(0.0)
        self._fading.finished.connect(self._be_gone)
        self._words = context.words
        self.hide()

    @property
    def fading(self) -> bool:
        """Whether a lesson that was learnt is just going."""
        return self._fading.state() is QPropertyAnimation.State.Running

    def take(self, course: Course | None) -> None:
        """Tell the lessons of this match; of most matches there are none."""
        self._course = course

    def show_lesson(self, words: Words) -> None:
        """Show what is to be told now; what was told and has been used fades first."""
        self._words = words
        course = self._course
        now = course.now() if course is not None else None
        if self.fading:
            return
        told, still = self._lesson, self._context.speed == "off"
        if course is None or told is None or still or not course.knows(told):
            self._print(now)
            return
        theme = self._context.theme
        self._sign.setPixmap(self._context.icon_pixmap("check", 18, theme.good))
        self._ink.setEnabled(True)
        self._fading.start()

    def _be_gone(self) -> None:
        self._ink.setEnabled(False)
        self._print(self._course.now() if self._course is not None else None)

    def _print(self, lesson: Lesson | None) -> None:
        course, context, words = self._course, self._context, self._words
        self._lesson = lesson
        if course is None or lesson is None:
            self.hide()
            return
        heading = context.words(
            "First game: {n} of {most}", n=course.learnt + 1, most=len(course.lessons)
        )
        self._sign.setPixmap(context.icon_pixmap("hint", 18, context.theme.accent))
        self._heading.setText(heading)
        self._text.setText(words(lesson.text))
        place = escape(context.words("Rules {n}", n=lesson.paragraph))
        shown = anchor(context, lesson.paragraph, place) if lesson.paragraph else ""
        self._place.setText(f'<span style="font-size:13px">{shown}</span>')
        self.understood.setText(context.words("Understood"))
        self.enough.setText(context.words("No more lessons"))
        named(self, heading, self._text.text())
        self.show()

    def _put_aside(self) -> None:
        if self._course is not None and self._lesson is not None and not self.fading:
            self._course.put_aside(self._lesson)
            self.put_by.emit()

    def _put_all_aside(self) -> None:
        if self._course is not None:
            self._course.put_all_aside()
            self.put_by.emit()
