"""The steps of a turn as cards side by side."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from tabletop.catalogue.catalogue import GameKit
from ui.shell.app_context import AppContext
from ui.widgets.box_layout import lay
from ui.widgets.styled_widgets import Paper, PlainLabel, label

GAP, BELOW_HEAD = 10, 6
"""The gaps between two cards, and between the heading and the cards, in pixels."""
EDGES = (14, 7, 12, 7)
"""The margins of a card: left, top, right and bottom, in pixels."""
LEAST = 0.9
"""The minimum width of a card, as a share of the average width."""


class TurnSteps(QWidget):
    """The steps of a turn; a longer step gets a wider card, so that all cards stay low."""

    def __init__(self, context: AppContext, kit: GameKit) -> None:
        super().__init__()
        self._context = context
        self._kit = kit
        self._head = label("strong")
        self._steps = [label("reading", wrap=True) for _ in kit.words.turn]
        self._numbers = [label("heading", text=str(n + 1)) for n in range(len(self._steps))]
        self._row = lay(QHBoxLayout(), map(_card, self._numbers, self._steps), spacing=GAP)
        lay(QVBoxLayout(self), [self._head, self._row], spacing=BELOW_HEAD, margins=(0, 2, 0, 0))

    def refresh_appearance(self) -> None:
        """Update texts and widths."""
        game = self._context.game_words(self._kit)
        self._head.setText(self._context.words("How a turn goes"))
        for step, text in zip(self._steps, self._kit.words.turn, strict=True):
            step.setText(game(text))
        for place, share in enumerate(self._shares):
            self._row.setStretch(place, share)

    @property
    def _shares(self) -> list[int]:
        """The relative widths of the cards."""
        lengths = [len(step.text()) for step in self._steps]
        usual = sum(lengths) / max(1, len(lengths))
        return [round(max(length, LEAST * usual)) for length in lengths]

    def needed_height(self, wide: int) -> int:
        """Return the height in pixels for the given width; Qt doesn't compute it for a hidden
        widget.
        """
        for each in (self._head, *self._numbers, *self._steps):
            each.ensurePolished()
        left, top, right, bottom = EDGES
        cards = wide - GAP * (len(self._steps) - 1)
        high = 0
        for step, number, share in zip(self._steps, self._numbers, self._shares, strict=True):
            before = left + number.sizeHint().width() + GAP
            text = cards * share // sum(self._shares) - before - right
            high = max(high, step.heightForWidth(text))
        return 2 + self._head.sizeHint().height() + BELOW_HEAD + top + high + bottom


def _card(number: PlainLabel, step: PlainLabel) -> Paper:
    card, top = Paper(kind="mat"), Qt.AlignmentFlag.AlignTop
    step.setAlignment(top)
    policy = step.sizePolicy()
    policy.setHorizontalPolicy(QSizePolicy.Policy.Ignored)  # its share alone decides
    step.setSizePolicy(policy)
    lay(QHBoxLayout(card), [(number, 0, top), (step, 1)], spacing=GAP, margins=EDGES)
    return card
