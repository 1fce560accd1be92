"""A sheet on the score sheet with the best move of the match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout

from tabletop.language.words import Words
from ui.shell.app_context import AppContext, name_widget
from ui.shell.spoken_role import speak_as
from ui.widgets.box_layout import Part, lay
from ui.widgets.styled_widgets import (
    SMALL_BUTTON,
    Paper,
    button,
    label,
    set_scaled_style,
    set_style_kind,
)

if TYPE_CHECKING:
    from tabletop.review.review import Feat


class FeatSlip(Paper):
    """A sheet that shows the best move, or the progress of the search for it."""

    replay_requested = Signal()
    """The user wants to see the move in a replay."""

    def __init__(self, context: AppContext) -> None:
        super().__init__(kind="entry")
        self._context = context
        self._heading, self._text = label("reading", wrap=True), label("reading", wrap=True)
        self._why = label("caption", wrap=True)
        self.progress_bar = QProgressBar(textVisible=False)
        self.progress_bar.setFixedHeight(4)
        # The slip has all text in its name, and progress would interrupt the result.
        for each in (self._heading, self._text, self._why):
            speak_as(each, QAccessible.Role.Paragraph)
        speak_as(self.progress_bar, QAccessible.Role.Graphic)
        self.show_button = button("quiet")
        self.show_button.clicked.connect(self.replay_requested)
        show_it = (self.show_button, 0, Qt.AlignmentFlag.AlignTop)
        head = lay(QHBoxLayout(), [(self._heading, 1), show_it], spacing=4)
        rows: list[Part] = [head, self._text, self._why, self.progress_bar]
        lay(QVBoxLayout(self), rows, spacing=4, margins=(12, 7, 8, 8))
        self.hide()

    @property
    def text(self) -> str:
        """All visible text of the sheet."""
        lines = (self._heading, self._text, self._why)
        return self._context.words.sentences(line.text() for line in lines if not line.isHidden())

    def show_searching(self) -> None:
        """Show that the search for the best move is running."""
        words = self._context.words
        set_scaled_style(self.show_button, SMALL_BUTTON)
        self._say("caption", words("Looking for the best move of the game…"))
        self.progress_bar.setRange(0, 0)
        self.progress_bar.show()
        self.show_button.hide()
        name_widget(self.progress_bar, words("Best move"))

    def show_progress(self, done: int, of: int) -> None:
        """Show that `done` of `of` positions have been analysed."""
        self.progress_bar.setRange(0, of)
        self.progress_bar.setValue(done)

    def show_feat(self, feat: Feat | None, words: Words) -> None:
        """Show the best move `feat`, or say that no single move was decisive if it is None."""
        self.progress_bar.hide()
        if feat is None:
            self._say("caption", words("No single move decided this game."))
            self.show_button.hide()
            return
        seat, view = feat.ask.seat, feat.view
        name, place = words.seat(seat), words.heading(view)
        heading = words.join_facts((words("Best move: {name}", name=name), place))
        why = words(
            "Any other move would have cut the chance of winning by about {n} points.",
            n=round(100 * feat.gain),
        )
        if feat.reason and (reason := words.note(feat.reason, seat)):
            why = words.sentences((reason, why))
        self._say("strong", heading, words.move(feat.played, seat, view), why, words)
        self.show_button.setText(words("Show it"))
        self.show_button.show()
        heard = words.sentences((words("Best move: {name}", name=name), place))
        name_widget(self._heading, heard, words=words)
        name_widget(self, heard, words.sentences((self._text.text(), why)), words)
        name_widget(self.show_button, words("Show it"), self._text.text(), words)

    def _say(
        self, kind: str, heading: str, text: str = "", why: str = "", words: Words | None = None
    ) -> None:
        set_style_kind(self._heading, kind)
        for line, said in ((self._heading, heading), (self._text, text), (self._why, why)):
            line.setText(said)
            line.setVisible(bool(said))
            name_widget(line, said, words=words)
        name_widget(self, heading, self._context.words.sentences((text, why)))
        self.show()
