"""A group of sounds on the settings page, with a switch and a sample."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout

from tabletop.games.sounds import SoundName
from tabletop.text.phrases import phrase
from ui.shell.app_context import AppContext, name_widget
from ui.shell.sound import KINDS
from ui.widgets.box_layout import Part, lay
from ui.widgets.styled_widgets import Paper, button, label

SOUND_KINDS = {
    "cards": (phrase("Cards"), phrase("taken, laid, turned, shuffled")),
    "pieces": (phrase("Dice and pieces"), phrase("a roll, a step on the table")),
    "hits": (phrase("Hits and losses"), phrase("an attack, and what it costs")),
    "refusals": (phrase("Refusals"), phrase("a move that isn't legal")),
    "turns": (phrase("Your turn"), phrase("when it's up to you")),
    "phases": (phrase("Phases and scoring"), phrase("a new phase or round, the final count")),
    "victory": (phrase("Victory"), phrase("when a match is won")),
    "people": (phrase("People"), phrase("chat, joining and leaving")),
}
"""Name and description of each group of sounds."""
SAMPLES: dict[str, SoundName] = {kind: names[-1] for kind, names in KINDS.items()} | {
    "cards": "lay",
    "turns": "turn",
    "phases": "phase",
    "people": "chat",
}
"""The sound that is played as the sample of each group."""


class SoundKind(Paper):
    """The row of a group of sounds: the switch `heard`, and the button `sample` that plays one."""

    def __init__(self, context: AppContext, kind: str) -> None:
        super().__init__(kind="mat")
        self._context = context
        self._kind = kind
        self.switch, self.sample_button = QCheckBox(), button("quiet")
        self.sample_button.clicked.connect(self.play)
        self._when = label("caption", wrap=True)
        column = lay(QVBoxLayout(), [self.switch, self._when], spacing=0)
        row: list[Part] = [(column, 1), (self.sample_button, 0, Qt.AlignmentFlag.AlignVCenter)]
        lay(QHBoxLayout(self), row, spacing=4, margins=(12, 9, 4, 12))

    def play(self) -> None:
        """Play the group's sample."""
        self._context.sounds.play(SAMPLES[self._kind])

    def refresh_appearance(self, on: bool, audible: bool) -> None:
        """Update the texts and the switch.

        Args:
            on: whether this group is turned on.
            audible: whether sounds are turned on at all.
        """
        words, (name, when) = self._context.words, SOUND_KINDS[self._kind]
        self.switch.setText(words(name))
        self._when.setText(words(when))
        self.sample_button.setIcon(self._context.icon("play", self._context.theme.accent_2))
        name_widget(self.sample_button, words("Hear “{name}”", name=words(name)))
        self.sample_button.setToolTip(self.sample_button.accessibleName())
        self.switch.setChecked(on)
        self.switch.setEnabled(audible)
        self.sample_button.setEnabled(audible and on)
