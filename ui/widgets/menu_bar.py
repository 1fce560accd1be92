"""The menu bar: built from the commands, worded in the chosen language."""

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QEnterEvent,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLabel,
    QMenu,
    QMenuBar,
    QToolButton,
    QWidget,
)

from tabletop.catalogue.catalogue import GameKit
from tabletop.language.languages import OWN_NAMES
from ui.shell.app_context import APPEARANCE_SETTINGS, AppContext
from ui.shell.commands import (
    COMMANDS,
    MENU_BAR_KEY,
    MENUS,
    PACES,
    SUBMENUS,
    THEMES,
    Command,
    shortcuts_of,
)
from ui.shell.language import offered_languages
from ui.shell.shortcut_text import shortcut_text, with_key
from ui.style.rich_text import bar_title, escape_mnemonics
from ui.style.theme import make_menu_bar_stylesheet, scale_lengths
from ui.widgets.box_layout import lay
from ui.widgets.drop_down_keys import is_drop_down
from ui.widgets.focus_filter import FocusFilter
from ui.widgets.styled_widgets import Growing, RichLabel

BARE = (
    "QToolButton { background: transparent; border: none; border-radius: 8px; margin: 2px 8px;"
    " padding: 4px 8px; min-height: 0px; icon-size: 22px; font-size: 13px; color: %s; }"
)
WORDED = 1100
"""The width of a window, in pixels, from which on a word beside its picture says how fast it is."""
PACE_ICONS = {
    "slow": "pace-slow",
    "normal": "pace-calm",
    "fast": "pace-brisk",
    "off": "pace-once",
}
OF_HOSTS = ("hand_over", "guests")
"""Submenus for who hosts a table, disabled until then."""
UNVISITED = 1000
"""Milliseconds after which a bar hides again that the pointer has not come to."""
EDGE = 2
"""Height of the upper edge at which a hidden bar comes, in pixels."""
SHOWN = APPEARANCE_SETTINGS | {"animation", "keys", "sounds"}
"""The settings that the menus show."""


class MenuBar(QMenuBar, Growing):
    """All menus, and in the middle what is played."""

    grows = True
    asked = Signal(str)
    """A command was chosen: its name."""

    def __init__(self, context: AppContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._hides = False
        """Whether the bar takes no room of the page, and is hidden while nobody points at it."""
        self._out = False
        """Whether it has come all the same, over the page."""
        for_keys = QShortcut(QKeySequence(MENU_BAR_KEY), parent)
        for_keys.activated.connect(self._open_by_keys)
        self._edge = QWidget(parent)
        """The upper edge of a full screen."""
        self._edge.installEventFilter(self)
        self._edge.hide()
        self._unvisited = QTimer(self, singleShot=True, interval=UNVISITED)
        self._unvisited.timeout.connect(self._hide_unvisited)
        self.commands: dict[str, QAction] = {}
        self._menus: list[tuple[QMenu, str]] = []
        self.submenus: dict[str, QMenu] = {}
        self._kit: GameKit | None = None
        """The game whose table is below, and whose colours it wears."""
        self._titled = ("", "")
        self._title = RichLabel(self)
        self._title.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.pace = self._bare_button("change_pace")
        """The next pace, in one click."""
        self.sounds = self._bare_button("sounds")
        """Off, or on again, in one click."""
        corner = QWidget(self)
        lay(QHBoxLayout(corner), [self.pace, self.sounds], spacing=0, margins=0)
        self.setCornerWidget(corner, Qt.Corner.TopRightCorner)
        for menu in MENUS:
            shown = self.addMenu("")
            shown.setToolTipsVisible(True)
            shown.aboutToShow.connect(partial(self._fit_menu, shown))
            shown.aboutToHide.connect(self._hide_unvisited)
            self._menus.append((shown, menu.title))
            for entry in menu.entries:
                match entry:
                    case None:
                        shown.addSeparator()
                    case str(name):
                        self.submenus[name] = shown.addMenu("")
                        self.submenus[name].setEnabled(name not in OF_HOSTS)
                    case Command():
                        self.commands[entry.name] = self._action(entry, shown)
        self._choices = (
            self._fill_with_choice("pace", PACES, lambda: context.settings.animation, "animation"),
            self._fill_with_choice("theme", THEMES, lambda: context.theme_name, "theme"),
        )
        self.submenus["language"].aboutToShow.connect(self._list_all_languages)
        context.changed.connect(self._note_changed)
        self._dress()
        self.refresh_appearance()

    def show_title(self, game: str, state: str) -> None:
        """Show the game and its state in the middle of the bar."""
        self._titled = (game, state)
        title = bar_title(game, state, self._context.table_theme(self._kit).table_soft)
        self._title.setText(title if game else "")
        self._place_title()

    def wear(self, kit: GameKit | None) -> None:
        """Take the colours of the table of this game; with None, the program's own."""
        if kit is not self._kit:
            self._kit = kit
            self._dress()
            self._update_sounds()
            self._update_pace()

    def allow(self, allowed: Mapping[str, bool]) -> None:
        """Enable and disable commands by name."""
        for name, may in allowed.items():
            self.commands[name].setEnabled(may)

    def show_in(self, full_screen: bool) -> None:
        """In a full screen the bar is hidden; it comes while the pointer is at the upper edge, or
        one of its menus is open. Its keys hold all the same."""
        if full_screen != self._hides:
            self._hides, self._out = full_screen, False
            self.updateGeometry()
            self._show_bar(False)

    @property
    def hidden(self) -> bool:
        """Whether it is hidden in a full screen."""
        return self._hides and not self._out

    def sizeHint(self) -> QSize:
        size = super().sizeHint()
        return QSize(size.width(), 0) if self._hides else size

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint() if self._hides else super().minimumSizeHint()

    def heightForWidth(self, width: int) -> int:
        return 0 if self._hides else super().heightForWidth(width)

    def _open_by_keys(self) -> None:
        """Open the first menu, from which the arrows lead on."""
        self._show_bar(True)
        self.setFocus(Qt.FocusReason.MenuBarFocusReason)
        self.setActiveAction(self.actions()[0])

    def _show_bar(self, shown: bool) -> None:
        """Bring the bar of a full screen over the page, or let it go."""
        self._out = shown and self._hides
        if self._out:
            self._unvisited.start()
        if self._hides:
            self._keep_height()
            self._edge.setGeometry(0, 0, self.window().width(), EDGE)
        self._edge.setVisible(self.hidden)
        (self if self._out else self._edge).raise_()

    def _keep_height(self) -> None:
        """Be as high as is right in a full screen, whatever the window's layout has set."""
        self.resize(self.width(), super().heightForWidth(self.width()) if self._out else 0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QEnterEvent) and self._hides:
            # such an event also comes when the edge is laid out, wherever the pointer is
            self._show_bar(self._edge.rect().contains(event.position().toPoint()))
        return False

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        if self._hides and QApplication.activePopupWidget() is None:
            self._show_bar(False)

    def _hide_unvisited(self) -> None:
        """Hide the bar after a menu, or one that nobody came to, unless the pointer is on it."""
        if self._hides and not self.underMouse() and QApplication.activePopupWidget() is None:
            self._show_bar(False)

    def leave_table(self) -> None:
        """Disable the commands that need a match."""
        self.allow({name: not command.play for name, command in COMMANDS.items()})

    def refresh_appearance(self) -> None:
        """Show texts and keys in the chosen language, as the settings have them."""
        words, chosen = self._context.words, self._context.settings.keys
        for menu, title in self._menus:
            menu.setTitle(words(title))
        for name, menu in self.submenus.items():
            menu.setTitle(words(SUBMENUS[name]))
        for name, action in self.commands.items():
            command = COMMANDS[name]
            action.setText(words(command.text))
            action.setShortcuts([QKeySequence(key) for key in shortcuts_of(command, chosen)])
            key = shortcut_text(self._context, name)
            action.setToolTip(with_key(words, words(command.text).rstrip("…"), key))
        for retranslate in self._choices:
            retranslate()
        self._list_languages(OWN_NAMES)
        self._update_sounds()
        self._update_pace()
        self._place_title()

    def fit(self, window: QSize) -> None:
        """Be as large as all else is in a window of this size."""
        beside = window.width() >= WORDED
        style = Qt.ToolButtonStyle
        self.pace.setToolButtonStyle(
            style.ToolButtonTextBesideIcon if beside else style.ToolButtonIconOnly
        )
        if self.grow(window):
            self._dress()
            self.refresh_appearance()

    def _dress(self) -> None:
        """Take the current size and colours."""
        own = (
            ""
            if self._kit is None
            else make_menu_bar_stylesheet(self._context.table_theme(self._kit))
        )
        self.setStyleSheet(self.grown_sheet(self._context.theme) + scale_lengths(own, self.growth))
        self.show_title(*self._titled)
        for each in (self.pace, self.sounds):
            each.setStyleSheet(scale_lengths(BARE % self._ink, self.growth))
        # the bar laid out its corner before these had a style, and does so again only on a resize
        QApplication.sendEvent(self, QResizeEvent(self.size(), self.size()))

    def _note_changed(self, changed: frozenset[str]) -> None:
        if changed & APPEARANCE_SETTINGS and (self.growth != 1.0 or self._kit is not None):
            self._dress()
        if changed & SHOWN:
            self.refresh_appearance()

    def _update_sounds(self) -> None:
        words, on = self._context.words, self._context.settings.sounds
        self.commands["sounds"].setChecked(on)
        ink = self._ink if on else self._context.table_theme(self._kit).table_soft
        self.sounds.setIcon(self._context.icon("sound" if on else "mute", ink))
        tip = words("Turn the sounds off") if on else words("Turn the sounds on")
        self.sounds.setToolTip(with_key(words, tip, shortcut_text(self._context, "sounds")))
        self.sounds.setAccessibleName(tip)

    @property
    def _ink(self) -> str:
        """The ink of its pictures."""
        if self._kit is None:
            return self._context.theme.accent_2
        return self._context.table_theme(self._kit).table_ink

    def _update_pace(self) -> None:
        pace = self._context.settings.animation
        tip = self._context.words("Speed: {pace}", pace=self._context.words(PACES[pace]))
        self.pace.setIcon(self._context.icon(PACE_ICONS[pace], self._ink))
        self.pace.setText(self._context.words(PACES[pace]))
        self.pace.setToolTip(
            with_key(self._context.words, tip, shortcut_text(self._context, "change_pace"))
        )
        self.pace.setAccessibleName(tip)

    def _bare_button(self, name: str) -> QToolButton:
        """A picture that does what a command does."""
        made = QToolButton()
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # there is a key for it
        made.setCursor(Qt.CursorShape.PointingHandCursor)
        made.clicked.connect(lambda: self._ask(name))
        return made

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_title()
        self._edge.resize(event.size().width(), EDGE)
        if self._hides:
            self._keep_height()

    def _action(self, command: Command, menu: QMenu) -> QAction:
        action = menu.addAction("")
        action.setObjectName(command.name)
        action.setCheckable(command.checked)
        action.setEnabled(not command.play)
        action.triggered.connect(lambda _=False, name=command.name: self._ask(name))
        return action

    def _ask(self, name: str) -> None:
        if name == "change_pace":  # as with the choices beside it: a setting, so nothing to ask
            self._context.cycle_pace()
        else:
            self.asked.emit(name)

    def _fill_with_choice(
        self, name: str, texts: Mapping[str, str], current: Callable[[], str], setting: str
    ) -> Callable[[], None]:
        """Fill a submenu with one choice among several; return a function that renames it."""
        group = QActionGroup(self)
        actions = {}
        for value in texts:
            actions[value] = self.submenus[name].addAction("")
            actions[value].setCheckable(True)
            group.addAction(actions[value])
            actions[value].triggered.connect(
                lambda _=False, value=value: self._context.change_settings(**{setting: value})
            )

        def retranslate() -> None:
            for value, action in actions.items():
                action.setText(self._context.words(texts[value]))
                action.setChecked(value == current())

        return retranslate

    def _list_all_languages(self) -> None:
        """A game that came to the shelf may bring a language."""
        self._list_languages(offered_languages())

    def _list_languages(self, names: Mapping[str, str]) -> None:
        """Fill the submenu with these names of languages, by their codes."""
        menu = self.submenus["language"]
        menu.clear()
        for former in menu.findChildren(QActionGroup):  # one of its choices may still be running
            former.deleteLater()
        group = QActionGroup(menu)
        for code, name in names.items():
            action = group.addAction(escape_mnemonics(name))
            action.setCheckable(True)
            action.setChecked(code == self._context.words.language)
            action.triggered.connect(
                lambda _=False, code=code: self._context.change_settings(language=code)
            )
        menu.addActions(group.actions())

    def _fit_menu(self, menu: QMenu) -> None:
        """Set the entries closer where the whole menu has no room below the bar."""
        room = room_below(self)
        for tight in (False, True):
            menu.setProperty("tight", tight)
            menu.style().unpolish(menu)
            menu.style().polish(menu)
            if menu.sizeHint().height() <= room:
                return

    def _place_title(self) -> None:
        self._title.adjustSize()
        actions = self.actions()
        left = self.actionGeometry(actions[-1]).right() + 24 if actions else 0
        x = max(left, (self.width() - self._title.width()) // 2)
        self._title.move(QPoint(x, (self.height() - self._title.height()) // 2))
        context = self.width() - self.sounds.sizeHint().width() - self.pace.sizeHint().width() - 8
        self._title.setVisible(x + self._title.width() <= context)


def room_below(bar: QWidget) -> int:
    """The height that a menu has below a bar on its screen, in pixels."""
    top = bar.mapToGlobal(QPoint(0, bar.height())).y()
    return bar.screen().availableGeometry().bottom() - top


class TextFieldShortcutGuard(FocusFilter):
    """Keeps shortcuts off while a text field has the focus: its keys are letters then."""

    def wants(self, widget: QWidget) -> bool:
        return writes(widget)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.ShortcutOverride:
            return False
        # this key types no letter either
        if QKeySequence(event.keyCombination()) == QKeySequence(MENU_BAR_KEY):
            return False
        event.accept()
        return True


def writes(widget: QWidget) -> bool:
    """Whether text is written in this widget."""
    return not (isinstance(widget, QLabel) or is_drop_down(widget)) and widget.testAttribute(
        Qt.WidgetAttribute.WA_InputMethodEnabled
    )
