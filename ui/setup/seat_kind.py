"""Controls for the kind of player at a seat: a local person, anyone who joins, or a bot."""

from typing import Protocol

from PySide6.QtCore import QObject, Qt, Signal, SignalInstance
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QButtonGroup, QPushButton, QWidget

from tabletop.bots.decision import LEVELS
from tabletop.language import labels
from tabletop.text.phrases import phrase
from ui.setup.lineup import DEFAULT_LEVEL
from ui.shell.app_context import AppContext, name_widget
from ui.shell.language import offered_languages, own_name
from ui.style.rich_text import escape_mnemonics
from ui.widgets.form import ChoiceBox
from ui.widgets.styled_widgets import button, menu_button, scale_pixels, set_scaled_style

LOCAL, OPEN = "here", "open"
"""The kinds of seats without a bot: for a local person, or open to others."""
LEVEL_TEXTS = {"easy": phrase("Easy"), "normal": phrase("Normal"), "hard": phrase("Hard")}
LEVEL_NAMES = {
    "easy": phrase("Easy bot"),
    "normal": phrase("Normal bot"),
    "hard": phrase("Hard bot"),
}
KIND_TEXTS = {
    LOCAL: phrase("At this computer"),
    OPEN: phrase("Open to others"),
    **LEVEL_NAMES,
}
MIN_BOX_WIDTH_PX = 210
LEVEL_FRAME_WIDTH_PX = 84
"""The width of a drop-down for levels without its text, in pixels."""


def level_name(level: str) -> str:
    """Return the name for a bot of `level`, as an English phrase."""
    return LEVEL_NAMES.get(level, labels.BOT)


class KindChoice(Protocol):
    """A control that selects the kind of a seat: `LOCAL`, `OPEN` or a bot's level."""

    widgets: tuple[QWidget, ...]
    """The control's widgets, in layout order."""

    @property
    def kind(self) -> str: ...

    def seat_bot(self) -> None: ...

    def set_level(self, level: str) -> None:
        """Set the level of this seat's bot, or of a bot that is seated later."""

    @property
    def kind_changed(self) -> SignalInstance: ...

    def refresh_appearance(self, number: int, name: str) -> None:
        """Update the texts for seat `number`, from 1, and its player `name`."""

    def set_player_name(self, name: str) -> None:
        """Update the texts that contain the player's name."""

    def set_narrow(self, narrow: bool) -> None:
        """Hide icons if `narrow`."""


class KindBox(ChoiceBox):
    """A drop-down list with all kinds of seats."""

    def __init__(self, context: AppContext, kind: str) -> None:
        super().__init__(KIND_TEXTS, kind)
        self._context = context
        self.widgets: tuple[QWidget, ...] = (self,)

    @property
    def kind(self) -> str:
        return str(self.currentData())

    @property
    def kind_changed(self) -> SignalInstance:
        return self.currentIndexChanged

    def refresh_appearance(self, number: int, name: str) -> None:
        words = self._context.words
        self.setMinimumWidth(scale_pixels(self, MIN_BOX_WIDTH_PX))
        self.set_texts(words(text) for text in KIND_TEXTS.values())
        name_widget(self, words("Who has seat {n}", n=number))

    def seat_bot(self) -> None:
        self.choose(DEFAULT_LEVEL)

    def set_level(self, level: str) -> None:
        if self.kind in LEVELS:
            self.choose(level)

    def set_player_name(self, name: str) -> None: ...

    def set_narrow(self, narrow: bool) -> None: ...


class KindButtons(QObject):
    """A button for a person and one for a bot, then the person's language or the bot's level."""

    kind_changed = Signal()

    def __init__(self, context: AppContext, kind: str) -> None:
        super().__init__()
        self._context = context
        self.language = menu_button()
        self.person, self.bot = _exclusive_button(), _exclusive_button()
        self.level = ChoiceBox(LEVELS)
        self.widgets: tuple[QWidget, ...] = (self.language, self.person, self.bot, self.level)
        self._name = ""
        group = QButtonGroup(self)
        for each in (self.person, self.bot):
            group.addButton(each)
        (self.person if kind == LOCAL else self.bot).setChecked(True)
        self.level.choose(kind if kind in LEVELS else DEFAULT_LEVEL)
        (self.level if kind == LOCAL else self.language).hide()
        self.bot.toggled.connect(lambda _: self._on_kind_toggled())
        self.level.activated.connect(lambda _: self.kind_changed.emit())

    @property
    def kind(self) -> str:
        return str(self.level.currentData()) if self.bot.isChecked() else LOCAL

    def seat_bot(self) -> None:
        self.bot.setChecked(True)

    def set_level(self, level: str) -> None:
        self.level.choose(level)

    def refresh_appearance(self, number: int, name: str) -> None:
        words, n = self._context.words, number
        self.language.setFixedWidth(scale_pixels(self.language, 44))
        for each in (self.person, self.bot):
            set_scaled_style(each, "QPushButton { padding: 4px 11px; border-radius: 14px; }")
        self.person.setText(words("Person"))
        self.bot.setText(words(labels.BOT))
        name_widget(self.person, words("Player {n} is a person", n=n))
        name_widget(self.bot, words("Player {n} is a bot", n=n))
        levels = [words(LEVEL_TEXTS[level]) for level in LEVELS]
        self.level.set_texts(levels)
        self.level.ensurePolished()
        longest = max(self.level.fontMetrics().horizontalAdvance(text) for text in levels)
        self.level.setFixedWidth(longest + scale_pixels(self.level, LEVEL_FRAME_WIDTH_PX))
        name_widget(self.level, words("Player {n}'s level", n=n))
        self._offer_languages()
        self.set_player_name(name)

    def set_narrow(self, narrow: bool) -> None:
        for each, icon in ((self.person, "person"), (self.bot, "bot")):
            each.setIcon(QIcon() if narrow else self._context.icon(icon))

    def set_player_name(self, name: str) -> None:
        self._name = name
        words, own = self._context.words, self._context.language_of(name)
        language = own_name(own) if own else words("Same as the window")
        text = words("{name}'s language: {language}", name=name, language=language)
        self.language.setEnabled(bool(name))
        self.language.setIcon(self._context.icon("language", self._context.theme.ink_soft))
        self.language.setText(own.upper() if own else "")
        style = Qt.ToolButtonStyle
        self.language.setToolButtonStyle(
            style.ToolButtonTextOnly if own else style.ToolButtonIconOnly
        )
        self.language.setToolTip(text)
        name_widget(self.language, text)

    def _offer_languages(self) -> None:
        """Fill the language menu, because people at one computer may read different languages."""
        words, menu = self._context.words, self.language.menu()
        menu.clear()
        for value, text in ((None, words("Same as the window")), *offered_languages().items()):
            action = menu.addAction(escape_mnemonics(text))
            action.triggered.connect(lambda _=False, value=value: self._set_language(value))

    def _set_language(self, language: str | None) -> None:
        """Save the language of the person at this seat."""
        languages = self._context.settings.languages
        others = {name: value for name, value in languages.items() if name != self._name}
        self._context.store_settings(
            languages=others | ({self._name: language} if language else {})
        )
        self.set_player_name(self._name)

    def _on_kind_toggled(self) -> None:
        self.level.setVisible(self.bot.isChecked())
        self.language.setVisible(self.person.isChecked())
        self.kind_changed.emit()


def _exclusive_button() -> QPushButton:
    exclusive = button()
    exclusive.setCheckable(True)
    # its group makes it exclusive, so that screen readers don't call it a check box
    exclusive.setAutoExclusive(True)
    exclusive.setAutoDefault(False)
    return exclusive
