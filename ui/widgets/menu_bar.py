"""The menu bar, built from the command definitions in the current language."""

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
from shiboken6 import isValid

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
from ui.widgets.key_repeats import drop_late_repeats
from ui.widgets.styled_widgets import RichLabel, ScalingMixin

BUTTON_STYLE = (
    "QToolButton { background: transparent; border: none; border-radius: 8px; margin: 2px 8px;"
    " padding: 4px 8px; min-height: 0px; icon-size: 22px; font-size: 13px; color: %s; }"
)
MIN_SPEED_TEXT_WIDTH_PX = 1100
"""Minimum window width in pixels at which the speed button shows its text."""
PACE_ICONS = {
    "slow": "pace-slow",
    "normal": "pace-calm",
    "fast": "pace-brisk",
    "off": "pace-once",
}
HOST_SUBMENUS = ("hand_over", "guests")
"""Submenus that are disabled unless this program hosts a table."""
HIDE_DELAY_MS = 1000
"""Time in ms after which the full-screen bar hides while the pointer isn't on it."""
REVEAL_EDGE_PX = 2
"""Height in pixels of the screen edge that reveals the hidden bar."""
SHOWN_SETTINGS = APPEARANCE_SETTINGS | {"animation", "keys", "sounds"}
"""Settings whose change updates the menus."""


class MenuBar(QMenuBar, ScalingMixin):
    """All menus, with the current game's title in the middle."""

    grows = True
    command_requested = Signal(str)
    """Request to run a command, by its name."""

    def __init__(self, context: AppContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._hides = False
        """Whether the window is full screen, so that the bar takes up no layout space and hides."""
        self._out = False
        """Whether the bar is shown on top of the page in full screen."""
        for_keys = QShortcut(QKeySequence(MENU_BAR_KEY), parent)
        for_keys.activated.connect(self._open_by_keys)
        self._edge = QWidget(parent)
        """The strip at the top of the screen that reveals the bar in full screen."""
        self._edge.installEventFilter(self)
        self._edge.hide()
        self._unvisited = QTimer(self, singleShot=True, interval=HIDE_DELAY_MS)
        self._unvisited.timeout.connect(self._hide_unvisited)
        self.commands: dict[str, QAction] = {}
        self._menus: list[tuple[QMenu, str]] = []
        self.submenus: dict[str, QMenu] = {}
        self._kit: GameKit | None = None
        """The game whose table is on screen and determines the bar's colours; None for the
        program's own colours.
        """
        self._focused_before: QWidget | None = None
        """The widget that had the focus before the bar was opened by its key."""
        self._titled = ("", "")
        self._title = RichLabel(self)
        self._title.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.pace = self._bare_button("change_pace")
        """The button that switches to the next speed."""
        self.sounds = self._bare_button("sounds")
        """The button that turns sounds on or off."""
        corner = QWidget(self)
        lay(QHBoxLayout(corner), [self.pace, self.sounds], spacing=0, margins=0)
        self.setCornerWidget(corner, Qt.Corner.TopRightCorner)
        for menu in MENUS:
            shown = self.addMenu("")
            shown.setToolTipsVisible(True)
            shown.aboutToShow.connect(partial(self._fit_menu, shown))
            shown.aboutToHide.connect(self._hide_unvisited)
            shown.aboutToHide.connect(self._leave_later)
            self._menus.append((shown, menu.title))
            for entry in menu.entries:
                match entry:
                    case None:
                        shown.addSeparator()
                    case str(name):
                        self.submenus[name] = shown.addMenu("")
                        self.submenus[name].setEnabled(name not in HOST_SUBMENUS)
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
        """Show the game's title and the match's state in the middle of the bar."""
        self._titled = (game, state)
        title = bar_title(game, state, self._context.table_theme(self._kit).table_soft)
        self._title.setText(title if game else "")
        self._place_title()

    def apply_table_colours(self, kit: GameKit | None) -> None:
        """Use the table colours of `kit`; None means the program's own colours."""
        if kit is not self._kit:
            self._kit = kit
            self._dress()
            self._update_sounds()
            self._update_pace()

    def allow(self, allowed: Mapping[str, bool]) -> None:
        """Enable or disable commands. `allowed` maps command names to whether they are enabled."""
        for name, may in allowed.items():
            self.commands[name].setEnabled(may)

    def set_full_screen(self, full_screen: bool) -> None:
        """Set whether the bar is hidden as in full screen, or permanently visible.

        In full screen the bar appears while the pointer is at the upper edge or a menu is open.
        Shortcuts keep working.
        """
        if full_screen != self._hides:
            self._hides, self._out = full_screen, False
            self.updateGeometry()
            self._show_bar(False)

    @property
    def is_auto_hidden(self) -> bool:
        """Whether the bar is currently hidden in full screen."""
        return self._hides and not self._out

    def sizeHint(self) -> QSize:
        size = super().sizeHint()
        return QSize(size.width(), 0) if self._hides else size

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint() if self._hides else super().minimumSizeHint()

    def heightForWidth(self, width: int) -> int:
        return 0 if self._hides else super().heightForWidth(width)

    def _open_by_keys(self) -> None:
        """Activate the first menu, so that the arrow keys navigate the bar."""
        self._focused_before = QApplication.focusWidget()
        self._show_bar(True)
        self.setFocus(Qt.FocusReason.MenuBarFocusReason)
        self.setActiveAction(self.actions()[0])

    def _leave_later(self) -> None:
        QTimer.singleShot(0, self, self._leave)

    def _leave(self) -> None:
        """Return the focus after Escape has closed a menu, which leaves Qt's bar active."""
        if not self.hasFocus() or QApplication.activePopupWidget() is not None:
            return
        escape = Qt.Key.Key_Escape
        QApplication.sendEvent(
            self, QKeyEvent(QEvent.Type.KeyPress, escape, Qt.KeyboardModifier.NoModifier)
        )
        before, self._focused_before = self._focused_before, None
        if before is not None and isValid(before):
            before.setFocus(Qt.FocusReason.MenuBarFocusReason)

    def _show_bar(self, shown: bool) -> None:
        """Show or hide the bar in full screen."""
        self._out = shown and self._hides
        if self._out:
            self._unvisited.start()
        if self._hides:
            self._keep_height()
            self._edge.setGeometry(0, 0, self.window().width(), REVEAL_EDGE_PX)
        self._edge.setVisible(self.is_auto_hidden)
        (self if self._out else self._edge).raise_()

    def _keep_height(self) -> None:
        """Restore the bar's full-screen height after the window's layout changed it."""
        self.resize(self.width(), super().heightForWidth(self.width()) if self._out else 0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QEnterEvent) and self._hides:
            # Qt also sends this when the edge is laid out, wherever the pointer is
            self._show_bar(self._edge.rect().contains(event.position().toPoint()))
        return False

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        if self._hides and QApplication.activePopupWidget() is None:
            self._show_bar(False)

    def _hide_unvisited(self) -> None:
        """Hide the full-screen bar unless the pointer is on it or a menu is open."""
        if self._hides and not self.underMouse() and QApplication.activePopupWidget() is None:
            self._show_bar(False)

    def disable_match_commands(self) -> None:
        """Disable the commands that need a match."""
        self.allow({name: not command.play for name, command in COMMANDS.items()})

    def refresh_appearance(self) -> None:
        """Update texts and shortcuts for the current language and settings."""
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

    def scale_to(self, window: QSize) -> None:
        """Scale the bar for a window of size `window`."""
        beside = window.width() >= MIN_SPEED_TEXT_WIDTH_PX
        style = Qt.ToolButtonStyle
        self.pace.setToolButtonStyle(
            style.ToolButtonTextBesideIcon if beside else style.ToolButtonIconOnly
        )
        if self.update_growth(window):
            self._dress()
            self.refresh_appearance()

    def _dress(self) -> None:
        """Apply the current scale and colours."""
        own = (
            ""
            if self._kit is None
            else make_menu_bar_stylesheet(self._context.table_theme(self._kit))
        )
        self.setStyleSheet(
            self.scaled_style_sheet(self._context.theme) + scale_lengths(own, self.growth)
        )
        self.show_title(*self._titled)
        for each in (self.pace, self.sounds):
            each.setStyleSheet(scale_lengths(BUTTON_STYLE % self._ink, self.growth))
        # the bar laid out its corner before these had a style, and does so again only on a resize
        QApplication.sendEvent(self, QResizeEvent(self.size(), self.size()))

    def _note_changed(self, changed: frozenset[str]) -> None:
        if changed & APPEARANCE_SETTINGS and (self.growth != 1.0 or self._kit is not None):
            self._dress()
        if changed & SHOWN_SETTINGS:
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
        """The colour of the bar's icons."""
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
        """Return a button with an icon that runs the command `name`."""
        made = QToolButton()
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # it has a shortcut key
        made.setCursor(Qt.CursorShape.PointingHandCursor)
        made.clicked.connect(lambda: self._ask(name))
        return made

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_title()
        self._edge.resize(event.size().width(), REVEAL_EDGE_PX)
        if self._hides:
            self._keep_height()

    def _action(self, command: Command, menu: QMenu) -> QAction:
        action = menu.addAction("")
        action.setObjectName(command.name)
        action.setCheckable(command.checked)
        action.setEnabled(not command.play)
        action.triggered.connect(lambda _=False, name=command.name: self._ask(name))
        drop_late_repeats(action)
        return action

    def _ask(self, name: str) -> None:
        if name == "change_pace":  # a setting, so it opens no dialog
            self._context.cycle_pace()
        else:
            self.command_requested.emit(name)

    def _fill_with_choice(
        self, name: str, texts: Mapping[str, str], current: Callable[[], str], setting: str
    ) -> Callable[[], None]:
        """Fill the submenu `name` with mutually exclusive entries. Return a function that updates
        their texts and the checked entry.

        Args:
            texts: an English phrase for each value.
            current: returns the current value.
            setting: the setting that a choice changes.
        """
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
        """Fill the language submenu, including languages that games on the shelf add."""
        self._list_languages(offered_languages())

    def _list_languages(self, names: Mapping[str, str]) -> None:
        """Fill the language submenu. `names` maps language codes to names."""
        menu = self.submenus["language"]
        menu.clear()
        for former in menu.findChildren(QActionGroup):  # one of its actions may still be running
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
        """Reduce the menu's line spacing if it doesn't fit below the bar."""
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
    """Return the screen height below `bar` in pixels."""
    top = bar.mapToGlobal(QPoint(0, bar.height())).y()
    return bar.screen().availableGeometry().bottom() - top


class TextFieldShortcutGuard(FocusFilter):
    """Event filter that blocks shortcuts while a text
    field has the focus, so that their keys type letters.
    """

    def accepts_widget(self, widget: QWidget) -> bool:
        return accepts_text(widget)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.ShortcutOverride:
            return False
        # this key doesn't type a letter either
        if QKeySequence(event.keyCombination()) == QKeySequence(MENU_BAR_KEY):
            return False
        event.accept()
        return True


def accepts_text(widget: QWidget) -> bool:
    """Return whether the user can type text into `widget`."""
    return not (isinstance(widget, QLabel) or is_drop_down(widget)) and widget.testAttribute(
        Qt.WidgetAttribute.WA_InputMethodEnabled
    )
