"""The row of buttons under a replay: steps, playing and its speed, whose eyes, and what to do."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QSizePolicy, QWidget

from tabletop.phrases import phrase
from ui.shell.app_context import AppContext, named
from ui.widgets.surface import button, label

STEPS = (
    ("start", "first", phrase("To the beginning"), "Home"),
    ("turn_back", "turn-back", phrase("A turn back"), "Ctrl+←"),
    ("back", "event-back", phrase("One event back"), "←"),
    ("play", "play", phrase("Play the replay"), "Space"),
    ("on", "event", phrase("One event on"), "→"),
    ("turn_on", "turn", phrase("A turn on"), "Ctrl+→"),
    ("end", "step", phrase("To the end"), "End"),
)
"""Name, icon, text and key of what steps through a replay."""
SPEEDS = {
    "slow": phrase("Slow"),
    "normal": phrase("Normal"),
    "fast": phrase("Fast"),
}
ACTS = (
    ("review", "hint", phrase("Review")),
    ("comment", "chat", phrase("Comment…")),
    ("play_on", "continue", phrase("Play on from here…")),
    ("export", "save", phrase("Export")),
    ("leave", "arrow-left", phrase("Back")),
)
EXPORTS = (
    ("save", phrase("As a replay file…")),
    ("picture", phrase("As an animated picture…")),
    ("text", phrase("As text…")),
)
ROOM_FOR_TEXTS = 1120
"""Width of the row, in pixels, from which its buttons to the right have texts."""
ROOM_FOR_PLACE = 860
"""And from which it tells where one stands."""


class PlaybackBar(QWidget):
    """Each of its buttons is told of by name."""

    asked = Signal(str)
    paced = Signal(str)
    """Another speed is wanted."""
    seen_by = Signal(object)
    """Another viewpoint is wanted: a seat, AUDIENCE, or None for all open."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._playing = False
        self.buttons: dict[str, QPushButton] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 8, 6)
        row.setSpacing(2)
        for name, *_ in STEPS:
            row.addWidget(self._button(name))
            self.buttons[name].setFixedSize(40, 36)
        row.addSpacing(8)
        self.speed = self._menu_button("speed")
        row.addWidget(self.speed)
        self.eyes = self._menu_button("eyes")
        row.addWidget(self.eyes)
        self.place = label("caption")
        self.place.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row.addSpacing(8)
        row.addWidget(self.place, 1)
        for name, *_ in ACTS:
            row.addWidget(self._button(name))
        self._exports = QMenu(self)
        for name, _ in EXPORTS:
            action = self._exports.addAction("")
            action.triggered.connect(lambda _=False, name=name: self.asked.emit(name))
        self.buttons["export"].setMenu(self._exports)
        self.dress()

    def show_playing(self, playing: bool) -> None:
        """Whether it plays: the button then says to pause."""
        self._playing = playing
        self._dress_play()

    def show_speed(self, speed: str) -> None:
        """At which speed it plays, and that there are others."""
        self.speed.setText(self._context.words(SPEEDS[speed]))
        chosen = [
            (self._context.words(text), name == speed, lambda name=name: self.paced.emit(name))
            for name, text in SPEEDS.items()
        ]
        self._fill(self.speed, chosen)

    def show_eyes(self, texts: Sequence[str], viewers: Sequence[object], now: int) -> None:
        """Who may look, and who does."""
        self.eyes.setText(texts[now])
        chosen = [
            (text, number == now, lambda viewer=viewer: self.seen_by.emit(viewer))
            for number, (text, viewer) in enumerate(zip(texts, viewers, strict=True))
        ]
        self._fill(self.eyes, chosen)

    def dress(self) -> None:
        """Put icons and texts on in the chosen language and theme."""
        words, context = self._context.words, self._context
        for name, icon, text, key in STEPS:
            if name != "play":
                self._dress(self.buttons[name], icon, words(text), f"{words(text)} ({key})")
        self._dress_play()
        for name, icon, text in ACTS:
            self._dress(self.buttons[name], icon, words(text), words(text))
        self._fit()
        for action, (_, text) in zip(self._exports.actions(), EXPORTS, strict=True):
            action.setText(words(text))
        self.eyes.setIcon(context.icon("eye"))
        self.speed.setIcon(context.icon("clock"))
        self.eyes.setToolTip(words("Whose eyes (V)"))
        self.speed.setToolTip(words("How fast it plays"))
        named(self.eyes, words("Whose eyes (V)"), self.eyes.text())
        named(self.speed, words("How fast it plays"), self.speed.text())

    def resizeEvent(self, event: object) -> None:
        self._fit()

    def _fit(self) -> None:
        """Leave out what there is no room for."""
        wide = self.width() >= ROOM_FOR_TEXTS
        for name, _, text in ACTS:
            self.buttons[name].setText(self._context.words(text) if wide else "")
        told = self.width() >= ROOM_FOR_PLACE
        colour = "" if told else "color: transparent"  # it still takes the room between the buttons
        self.place.setStyleSheet(colour)

    def _dress_play(self) -> None:
        words = self._context.words
        text = words("Pause") if self._playing else words("Play the replay")
        icon = "pause" if self._playing else "play"
        self._dress(self.buttons["play"], icon, text, f"{text} ({words('Space')})")

    def _dress(self, made: QPushButton, icon: str, text: str, tip: str) -> None:
        made.setIcon(self._context.icon(icon))
        made.setToolTip(tip)
        named(made, text)

    def _button(self, name: str) -> QPushButton:
        made = button("quiet")
        made.setStyleSheet("QPushButton { padding: 5px 8px; }")
        made.setIconSize(QSize(20, 20))
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        made.clicked.connect(lambda _=False: self.asked.emit(name))
        self.buttons[name] = made
        return made

    def _menu_button(self, name: str) -> QPushButton:
        made = self._button(name)
        made.setMenu(QMenu(made))
        return made

    def _fill(
        self, made: QPushButton, chosen: Sequence[tuple[str, bool, Callable[[], None]]]
    ) -> None:
        menu = made.menu()
        menu.clear()
        for text, now, choose in chosen:
            action = menu.addAction(text)
            action.setCheckable(True)
            action.setChecked(now)
            action.triggered.connect(lambda _=False, choose=choose: choose())
