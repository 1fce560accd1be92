"""A place card: who sits at a seat, by name, symbol and kind."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QPushButton,
    QWidget,
)

from tabletop.bots.decision import LEVELS
from tabletop.language import labels
from tabletop.match.match import Player
from tabletop.text.phrases import phrase
from tabletop.text.symbol_names import SYMBOL_NAMES
from ui.setup.lineup import USUAL
from ui.shell.app_context import AppContext, name_widget
from ui.shell.language import offered_languages, own_name
from ui.shell.player_names import LONGEST, clean_name, persona, translate_given
from ui.style.rich_text import literal
from ui.widgets.box_layout import Part, lay
from ui.widgets.form import ChoiceBox
from ui.widgets.seat_badge import offer_symbols, seat_badge, wear_team_sign
from ui.widgets.surface import Paper, PlainLabel, button, label, menu_button, scale_pixels, wear
from ui.widgets.text_fields import TextField

BADGE, LARGE_BADGE = 32, 52
"""The sides of a small and a large badge, in pixels."""
LEVEL_TEXTS = {"easy": phrase("Easy"), "normal": phrase("Normal"), "hard": phrase("Hard")}
TEAM = 20
"""Side of a team's sign, in pixels."""
ARROW = 84
"""Width of a choice's arrow and frame, in pixels."""
NARROW = 640
"""Width of a card, in pixels, below which it has fewer icons."""
SMALL = 30
"""Width of the buttons that move a card, in pixels."""


class Grip(PlainLabel):
    """The grip by which a place card is dragged to another seat."""

    moved = Signal(int)
    """Pixels it was dragged downwards since it was taken."""
    let_go = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._from: QPoint | None = None
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setCursor(Qt.CursorShape.OpenHandCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._from = event.globalPosition().toPoint()
            self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._from is not None:
            self.moved.emit(event.globalPosition().toPoint().y() - self._from.y())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._from = None
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.let_go.emit()


class PlaceCard(Paper):
    """One seat of a new game."""

    edited = Signal()
    symbol_wanted = Signal(str)
    bot_wanted = Signal()
    """A bot joins here that has no name yet."""
    person_wanted = Signal()
    """A person is to sit here, of whom no name is known."""
    up = Signal()
    down = Signal()
    away = Signal()

    def __init__(self, context: AppContext, player: Player, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._symbol = player.symbol
        self._person = "" if player.kind == "bot" else player.name
        """The name of the person who may sit here."""
        self._number, self._large = 1, False
        self.grip = Grip()
        self._order = label("caption")
        self._team = label()
        self._team.hide()
        self._badge = menu_button()
        self.name = TextField(player.name, longest=LONGEST)
        self.name.textChanged.connect(lambda _: self.edited.emit())
        self.name.textChanged.connect(lambda _: self._show_language())
        self.language = menu_button()
        self.person, self.bot = _choice(), _choice()
        kinds = QButtonGroup(self)
        for kind in (self.person, self.bot):
            kinds.addButton(kind)
        (self.bot if player.kind == "bot" else self.person).setChecked(True)
        self.bot.toggled.connect(lambda _: self._change_kind())
        self.level = ChoiceBox(LEVELS)
        self.level.choose(player.level if player.level in LEVELS else USUAL)
        self.level.activated.connect(lambda _: self.edited.emit())
        self.up_button, self.down_button, self.away_button = (button("quiet") for _ in range(3))
        for each, signal in (
            (self.up_button, self.up),
            (self.down_button, self.down),
            (self.away_button, self.away),
        ):
            each.clicked.connect(signal)
        self._badge.setStyleSheet("QToolButton { padding: 2px; }")
        seat: list[Part] = [self.grip, self._order, self._team, self._badge, (self.name, 1)]
        who = [self.language, self.person, self.bot, self.level]
        row = [*seat, *who, self.up_button, self.down_button, self.away_button]
        lay(QHBoxLayout(self), row, spacing=4, margins=(8, 3, 8, 3))
        self.level.setVisible(player.kind == "bot")
        self.language.setVisible(player.kind != "bot")

    @property
    def player(self) -> Player:
        """The player of this seat, as written."""
        bot = self.bot.isChecked()
        return Player(
            clean_name(self.name.text()),
            self._symbol,
            "bot" if bot else "person",
            self.level.currentData() if bot else "",
        )

    @property
    def symbol(self) -> str:
        return self._symbol

    @symbol.setter
    def symbol(self, symbol: str) -> None:
        self._symbol = symbol
        self._show_symbol()

    def place(self, number: int, last: int, removable: bool, large: bool = False) -> None:
        """Show that this is the `number`-th of `last` seats; `large`: with a larger sign."""
        self._number, self._large = number, large
        self._order.setText(str(number))
        self.up_button.setEnabled(number > 1)
        self.down_button.setEnabled(number < last)
        self.away_button.setVisible(removable)
        self.apply_looks()

    def show_team(self, team: int | None) -> None:
        """Show the sign of the team of this number; None where nobody has a partner."""
        wear_team_sign(self._context, self._team, team, scale_pixels(self, TEAM))

    def offer(self, symbols: Sequence[str]) -> None:
        """The symbols to choose from."""
        offer_symbols(self._context, self._badge.menu(), symbols, self.symbol_wanted.emit)

    def apply_looks(self) -> None:
        """Show texts and icons in the chosen language and theme."""
        words, context = self._context.words, self._context
        ink = context.theme.ink_soft
        self._fit_sizes()
        self.grip.setPixmap(context.icon_pixmap("grip", scale_pixels(self, 20), ink))
        self.grip.setToolTip(words("Drag to another seat"))
        self._show_symbol()
        self.name.setText(translate_given(words, self.name.text(), self.bot.isChecked()))
        n = self._number
        self.name.setPlaceholderText(words(labels.NAME))
        self._tell_character()
        self._offer_languages()
        name_widget(self.name, words("Name of player {n}", n=n))
        name_widget(
            self._badge, words("Symbol of player {n}", n=n), words(SYMBOL_NAMES[self._symbol])
        )
        self._badge.setToolTip(words("Choose a symbol"))
        self.person.setText(words("Person"))
        self.bot.setText(words(labels.BOT))
        self._show_icons()
        name_widget(self.person, words("Player {n} is a person", n=n))
        name_widget(self.bot, words("Player {n} is a bot", n=n))
        levels = [words(LEVEL_TEXTS[level]) for level in LEVELS]
        self.level.set_texts(levels)
        self.level.ensurePolished()
        longest = max(self.level.fontMetrics().horizontalAdvance(text) for text in levels)
        self.level.setFixedWidth(longest + scale_pixels(self, ARROW))
        name_widget(self.level, words("Player {n}'s level", n=n))
        for each, icon, text in (
            (self.up_button, "up", words("Move player {n} up", n=n)),
            (self.down_button, "down", words("Move player {n} down", n=n)),
            (self.away_button, "cross", words("Remove player {n}", n=n)),
        ):
            if icon == "cross":
                each.setIcon(context.icon(icon, ink))
            else:
                each.setText("↑" if icon == "up" else "↓")
            each.setToolTip(text)
            name_widget(each, text)

    @property
    def _sign_size(self) -> int:
        return scale_pixels(self, LARGE_BADGE if self._large else BADGE)

    def _fit_sizes(self) -> None:
        """Let what has a size of its own be as large as all else."""
        self.grip.setFixedSize(scale_pixels(self, 24), scale_pixels(self, 36))
        self._order.ensurePolished()
        self._order.setMinimumWidth(self._order.fontMetrics().horizontalAdvance("12"))
        self._badge.setIconSize(QSize(self._sign_size, self._sign_size))
        self.name.setMinimumWidth(scale_pixels(self, 96))
        self.language.setFixedWidth(scale_pixels(self, 44))
        for each in (self.up_button, self.down_button, self.away_button):
            each.setFixedWidth(scale_pixels(self, SMALL))
            wear(each, "QPushButton { padding: 4px 0px; border-radius: 14px; }")
        for kind in (self.person, self.bot):
            wear(kind, "QPushButton { padding: 4px 11px; border-radius: 14px; }")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_icons()

    def _show_icons(self) -> None:
        """Person and bot have icons where there is room."""
        narrow = self.width() < scale_pixels(self, NARROW)
        for each, icon in ((self.person, "person"), (self.bot, "bot")):
            each.setIcon(QIcon() if narrow else self._context.icon(icon))

    def seat_bot(self) -> None:
        """Let a bot sit here instead of the person."""
        if not self.bot.isChecked():
            self.bot.setChecked(True)

    def call(self, name: str) -> None:
        """Set the name of this seat's player."""
        self.name.setText(name)
        self._tell_character()

    def _change_kind(self) -> None:
        bot = self.bot.isChecked()
        if bot != self.level.isHidden():  # nothing changes
            return
        self.level.setVisible(bot)
        self.language.setVisible(not bot)
        name = clean_name(self.name.text())
        if bot:
            self._person = name  # kept for when the person comes back
            self.bot_wanted.emit()
        elif (not name or persona(name)) and self._person:
            self.call(self._person)
        elif not name or persona(name):
            self.person_wanted.emit()
        self._tell_character()
        self.edited.emit()

    def _tell_character(self) -> None:
        """Show a word about the bot, if it is one of ours."""
        character = persona(clean_name(self.name.text())) if self.bot.isChecked() else None
        self.name.setToolTip(self._context.words(character.temper) if character else "")

    def _offer_languages(self) -> None:
        """Show this player's language, for several at one computer who read different ones."""
        words = self._context.words
        menu = self.language.menu()
        menu.clear()
        for value, text in ((None, words("Same as the window")), *offered_languages().items()):
            action = menu.addAction(literal(text))
            action.triggered.connect(lambda _=False, value=value: self._set_language(value))
        self._show_language()

    def _set_language(self, language: str | None) -> None:
        """The person of this name reads this language from now on."""
        name = clean_name(self.name.text())
        others = {n: v for n, v in self._context.settings.languages.items() if n != name}
        self._context.remember(languages=others | ({name: language} if language else {}))
        self._show_language()

    def _show_language(self) -> None:
        words, name = self._context.words, clean_name(self.name.text())
        own = self._context.language_of(name)
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

    def _show_symbol(self) -> None:
        self._badge.setIcon(seat_badge(self._context, self._symbol, self._sign_size, self))
        self._badge.setAccessibleDescription(self._context.words(SYMBOL_NAMES[self._symbol]))


def _choice() -> QPushButton:
    made = button()
    made.setCheckable(True)
    # its group makes it exclusive, so that screen readers don't call it a check box
    made.setAutoExclusive(True)
    made.setAutoDefault(False)
    return made
