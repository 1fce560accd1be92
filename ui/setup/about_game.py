"""A game's description beside its sheet: its box, its goal, how a turn goes."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from tabletop.catalogue.catalogue import Kit
from tabletop.language import labels
from ui.shell.app_context import AppContext
from ui.shell.language import other_title, title
from ui.widgets.box_layout import STRETCH, lay
from ui.widgets.box_thumbnail import front_of
from ui.widgets.game_box import seats_text
from ui.widgets.surface import grown, label

FRONT = QSize(74, 106)
LOW_FRONT = QSize(52, 74)
WIDE = 300
NARROW = 276
"""Width of all that is written here, in pixels."""


class AboutGame(QWidget):
    """A box about a game, as high as its texts; without any, its box and title alone."""

    def __init__(self, context: AppContext, kit: Kit) -> None:
        super().__init__()
        self._context = context
        self._kit = kit
        self._wide = WIDE
        self._front = label()
        self._title, self._second = label("heading", wrap=True), label("caption", wrap=True)
        self._goal_head, self._turn_head = label("strong"), label("strong")
        self._goal = label("reading", wrap=True)
        self._steps = [label("reading", wrap=True) for _ in kit.words.turn]
        head = lay(QVBoxLayout(), [self._title, self._second], spacing=4)
        front = (self._front, 0, Qt.AlignmentFlag.AlignTop)
        top = lay(QHBoxLayout(), [front, (head, 1)], spacing=14)
        top.setAlignment(head, Qt.AlignmentFlag.AlignTop)
        lay(
            QVBoxLayout(self),
            [top, 8, self._goal_head, self._goal, self._turn_head, *self._steps, STRETCH],
            spacing=4,
            margins=0,
        )
        self._goal_head.setVisible(bool(kit.words.goal))
        self._goal.setVisible(bool(kit.words.goal))
        self._turn_head.setVisible(bool(kit.words.turn))

    def set_narrow(self, narrow: bool) -> None:
        """Take up less room, or as much as usual."""
        wide = NARROW if narrow else WIDE
        if wide != self._wide:
            self._wide = wide
            self._fit()

    def apply_looks(self) -> None:
        """Show the texts in the chosen language."""
        words, kit = self._context.words, self._kit
        game = self._context.of(kit)
        self._title.setText(title(kit, words.language))
        facts = (
            other_title(kit, words.language),
            seats_text(words, kit.box.seats),
            words(labels.MINUTES, n=kit.box.minutes),
        )
        self._second.setText("\n".join(fact for fact in facts if fact))
        self._goal_head.setText(words("The goal"))
        self._goal.setText(game(kit.words.goal))
        self._turn_head.setText(words("How a turn goes"))
        for number, (line, text) in enumerate(zip(self._steps, kit.words.turn, strict=True), 1):
            line.setText(f"{number}. {game(text)}")
        self._fit()

    def _fit(self) -> None:
        """Give every text the height that it takes in this width."""
        wide = grown(self, self._wide)
        self.setFixedWidth(wide)
        usual = FRONT if self._wide == WIDE else LOW_FRONT
        front = QSize(grown(self, usual.width()), grown(self, usual.height()))
        self._front.setFixedSize(front)
        self._front.setPixmap(front_of(self._context, self._kit, front, self))
        beside = wide - front.width() - 14
        for each in (self._title, self._second):
            _set_width(each, beside)
        for each in (self._goal, *self._steps):
            _set_width(each, wide)


def _set_width(text: QLabel, wide: int) -> None:
    text.ensurePolished()
    text.setMinimumWidth(0)  # or its height would be for no less
    text.setFixedSize(wide, text.heightForWidth(wide))
