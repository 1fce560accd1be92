"""The buttons below a replay for steps, playback, speed, viewpoint and other commands."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from tabletop.language import labels
from tabletop.text.phrases import phrase
from ui.shell.app_context import AppContext, name_widget
from ui.shell.shortcut_text import spoken_key, with_key
from ui.style.rich_text import escape_mnemonics
from ui.widgets.box_layout import Part, lay
from ui.widgets.styled_widgets import Paper, label, scale_pixels, set_scaled_style

STEPS = (
    ("start", "first", phrase("First"), labels.TO_BEGINNING, "Home"),
    ("turn_back", "turn-back", phrase("Previous turn"), phrase("Previous turn"), "Ctrl+←"),
    ("back", "event-back", phrase("Step back"), phrase("Previous event"), "←"),
    ("play", "play", phrase("Play replay"), phrase("Play the replay"), "Space"),
    ("on", "event", phrase("Step forward"), phrase("Next event"), "→"),
    ("turn_on", "turn", phrase("Next turn"), phrase("Next turn"), "Ctrl+→"),
    ("end", "step", phrase("Last"), labels.TO_END, "End"),
)
"""Name, icon, label, tooltip and shortcut of each button that steps or plays."""
SPEEDS = {
    "slow": phrase("Slow"),
    "normal": phrase("Normal"),
    "fast": phrase("Fast"),
}
COMMANDS = (
    ("review", "hint", phrase("Review"), phrase("Review: your costliest moves")),
    ("comment", "chat", phrase("Comment"), phrase("Comment on the position")),
    ("play_on", "continue", phrase("Play on"), phrase("Play on from here…")),
    ("export", "save", phrase("Export"), phrase("Export")),
    ("leave", "arrow-left", phrase("Back"), phrase("Back")),
)
"""Name, icon, label and tooltip of each other button.

The last button, which leaves the replay, is set apart.
"""
EXPORTS = (
    ("save", phrase("As a replay file…")),
    ("picture", phrase("As an animated picture…")),
    ("text", phrase("As text…")),
    ("notes", phrase("The notes, with pictures…")),
)
MIN_POSITION_WIDTH_PX = 1180
"""Minimum width in pixels at which the bar shows the position as text."""
MIN_BUTTON_WIDTH_PX, MAX_VIEWER_WIDTH_PX, ICON_PX = 40, 96, 20
"""Minimum width of a button, maximum width of a viewer's name, and size of an icon, in pixels."""
BUTTON_STYLE = "QToolButton { padding: 3px 1px; font-size: 12px; border-radius: 10px; }"


class PlaybackBar(QWidget):
    """The buttons of a replay. A pressed button emits `asked` with its name."""

    command_requested = Signal(str)
    speed_requested = Signal(str)
    """Request for another speed: its name."""
    viewer_requested = Signal(object)
    """Request for another viewpoint: a seat, AUDIENCE, or None for open cards."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._playing = False
        self.buttons: dict[str, QToolButton] = {}
        steps = [self._button(name) for name, *_ in STEPS]
        self.speed_button, self.viewer_button = (
            self._menu_button("speed"),
            self._menu_button("eyes"),
        )
        self.place = label("caption")
        self.place.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        *acts, leave = (self._button(name) for name, *_ in COMMANDS)
        self.transport = _frame_buttons([*steps, self.speed_button])
        self.tools = _frame_buttons([self.viewer_button, *acts])
        parting = QFrame(frameShape=QFrame.Shape.VLine)
        groups: list[Part] = [self.transport, 6, (self.place, 1), self.tools]
        lay(QHBoxLayout(self), [*groups, 4, parting, 4, leave], spacing=2, margins=(4, 0, 4, 4))
        self._exports = QMenu(self)
        for name, _ in EXPORTS:
            action = self._exports.addAction("")
            action.triggered.connect(lambda _=False, name=name: self.command_requested.emit(name))
        self.buttons["export"].setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.buttons["export"].setMenu(self._exports)
        self.refresh_appearance()

    def set_notes_available(self, offered: bool) -> None:
        """Show the button that exports notes if `offered`, or hide it."""
        self._exports.actions()[[name for name, _ in EXPORTS].index("notes")].setVisible(offered)

    def show_playing(self, playing: bool) -> None:
        """Turn the play button into a pause button if `playing`, or back."""
        self._playing = playing
        self._update_play()

    def show_speed(self, speed: str) -> None:
        """Show the current `speed`, and fill the speed menu."""
        self.speed_button.setText(self._context.words(SPEEDS[speed]))
        chosen = [
            (
                self._context.words(text),
                name == speed,
                lambda name=name: self.speed_requested.emit(name),
            )
            for name, text in SPEEDS.items()
        ]
        self._fill(self.speed_button, chosen)

    def show_viewers(self, texts: Sequence[str], viewers: Sequence[object], now: int) -> None:
        """Show the current viewpoint, and fill the viewpoint menu.

        Args:
            texts: the label of each viewpoint.
            viewers: each label's viewpoint: a seat, AUDIENCE, or None for open cards.
            now: the index of the current viewpoint.
        """
        self.viewer_button.ensurePolished()
        metrics, side = self.viewer_button.fontMetrics(), Qt.TextElideMode.ElideRight
        self.viewer_button.setText(
            escape_mnemonics(
                metrics.elidedText(texts[now], side, scale_pixels(self, MAX_VIEWER_WIDTH_PX))
            )
        )
        name_widget(self.viewer_button, self._context.words("Viewpoint (V)"), texts[now])
        chosen = [
            (text, number == now, lambda viewer=viewer: self.viewer_requested.emit(viewer))
            for number, (text, viewer) in enumerate(zip(texts, viewers, strict=True))
        ]
        self._fill(self.viewer_button, chosen)

    def refresh_appearance(self) -> None:
        """Update icons and texts for the current language, theme and size."""
        words, context = self._context.words, self._context
        icon_side = scale_pixels(self, ICON_PX)
        for made in self.buttons.values():
            set_scaled_style(made, BUTTON_STYLE)
            made.setIconSize(QSize(icon_side, icon_side))
            made.setMinimumWidth(scale_pixels(self, MIN_BUTTON_WIDTH_PX))
        for name, icon, word, text, key in STEPS:
            if name != "play":
                self._label(name, icon, words(word), words(text), key)
        self._update_play()
        for name, icon, word, text in COMMANDS:
            self._label(name, icon, words(word), words(text))
        self._fit_place_text()
        for action, (_, text) in zip(self._exports.actions(), EXPORTS, strict=True):
            action.setText(words(text))
        self.viewer_button.setIcon(context.icon("eye"))
        self.speed_button.setIcon(context.icon("clock"))
        self.viewer_button.setToolTip(words("Viewpoint (V)"))
        self.speed_button.setToolTip(words("Playback speed"))
        name_widget(self.viewer_button, words("Viewpoint (V)"), self.viewer_button.text())
        name_widget(self.speed_button, words("Playback speed"), self.speed_button.text())

    def resizeEvent(self, event: object) -> None:
        self._fit_place_text()

    def _fit_place_text(self) -> None:
        """Hide the position's text if it doesn't fit. Its label still separates the buttons."""
        roomy = self.width() >= scale_pixels(self, MIN_POSITION_WIDTH_PX)
        self.place.setStyleSheet("" if roomy else "color: transparent")

    def _update_play(self) -> None:
        words = self._context.words
        word, text = (
            (words(labels.PAUSE), words(labels.PAUSE))
            if self._playing
            else (words("Play replay"), words("Play the replay"))
        )
        icon = "pause" if self._playing else "play"
        self._label("play", icon, word, text, words("Space"))

    def _label(self, name: str, icon: str, word: str, text: str, key: str = "") -> None:
        made = self.buttons[name]
        made.setIcon(self._context.icon(icon))
        made.setText(word)
        made.setToolTip(with_key(self._context.words, text, key))
        name_widget(made, text, spoken_key(key, self._context.words))

    def _button(self, name: str) -> QToolButton:
        made = QToolButton(toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        made.setProperty("kind", "quiet")
        made.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        made.setCursor(Qt.CursorShape.PointingHandCursor)
        made.clicked.connect(lambda _=False: self._ask(name))
        self.buttons[name] = made
        return made

    def _ask(self, name: str) -> None:
        if self.buttons[name].menu() is None:  # else the key that opened the menu was let go
            self.command_requested.emit(name)

    def _menu_button(self, name: str) -> QToolButton:
        made = self._button(name)
        made.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        made.setMenu(QMenu(made))
        return made

    def _fill(
        self, made: QToolButton, chosen: Sequence[tuple[str, bool, Callable[[], None]]]
    ) -> None:
        menu = made.menu()
        menu.clear()
        for text, now, choose in chosen:
            action = menu.addAction(escape_mnemonics(text))
            action.setCheckable(True)
            action.setChecked(now)
            action.triggered.connect(lambda _=False, choose=choose: choose())


def _frame_buttons(buttons: Sequence[QToolButton]) -> Paper:
    frame = Paper()
    lay(QHBoxLayout(frame), buttons, spacing=0, margins=(4, 1, 4, 1))
    return frame
