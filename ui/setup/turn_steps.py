"""The steps of a turn, shown as cards side by side."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from tabletop.catalogue.catalogue import GameKit
from ui.shell.app_context import AppContext
from ui.widgets.box_layout import lay
from ui.widgets.styled_widgets import Paper, PlainLabel, label

CARD_GAP_PX, HEADING_GAP_PX = 10, 6
CARD_MARGINS_PX = (14, 7, 12, 7)
"""The left, top, right and bottom margins of a card, in pixels."""


class TurnSteps(QWidget):
    """The steps of a turn, on cards of equal width."""

    def __init__(self, context: AppContext, kit: GameKit) -> None:
        super().__init__()
        self._context = context
        self._kit = kit
        self._heading = label("strong")
        self._steps = [label("reading", wrap=True) for _ in kit.words.turn]
        self._numbers = [label("heading", text=str(n + 1)) for n in range(len(self._steps))]
        cards = [(_card(*each), 1) for each in zip(self._numbers, self._steps, strict=True)]
        self._row = lay(QHBoxLayout(), cards, spacing=CARD_GAP_PX)
        lay(
            QVBoxLayout(self),
            [self._heading, self._row],
            spacing=HEADING_GAP_PX,
            margins=(0, 2, 0, 0),
        )

    def refresh_appearance(self) -> None:
        """Update texts."""
        game = self._context.game_words(self._kit)
        self._heading.setText(self._context.words("How a turn goes"))
        for step, text in zip(self._steps, self._kit.words.turn, strict=True):
            step.setText(game(text))

    def needed_height(self, width: int) -> int:
        """Return the height in pixels for `width`, which Qt doesn't compute for a hidden widget."""
        for each in (self._heading, *self._numbers, *self._steps):
            each.ensurePolished()
        left, top, right, bottom = CARD_MARGINS_PX
        cards = width - CARD_GAP_PX * (len(self._steps) - 1)
        height = 0
        for step, number in zip(self._steps, self._numbers, strict=True):
            before = left + number.sizeHint().width() + CARD_GAP_PX
            text = cards // len(self._steps) - before - right
            height = max(height, step.heightForWidth(text))
        return 2 + self._heading.sizeHint().height() + HEADING_GAP_PX + top + height + bottom


def _card(number: PlainLabel, step: PlainLabel) -> Paper:
    card, top = Paper(kind="mat"), Qt.AlignmentFlag.AlignTop
    step.setAlignment(top)
    policy = step.sizePolicy()
    policy.setHorizontalPolicy(
        QSizePolicy.Policy.Ignored
    )  # its stretch factor alone sets the width
    step.setSizePolicy(policy)
    lay(
        QHBoxLayout(card),
        [(number, 0, top), (step, 1)],
        spacing=CARD_GAP_PX,
        margins=CARD_MARGINS_PX,
    )
    return card
