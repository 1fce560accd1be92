"""The menu bar: built from the commands, worded in the room's language."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QMenuBar, QToolButton, QWidget

from tabletop.words import LANGUAGES
from ui.screens.commands import COMMANDS, MENUS, SPEEDS, SUBMENUS, THEMES, Command, keys
from ui.screens.room import Room
from ui.screens.surface import label
from ui.words import OWN_NAMES

BARE = (
    "QToolButton { background: transparent; border: none; border-radius: 8px; margin: 2px 8px;"
    " padding: 4px 8px; min-height: 0px; icon-size: 22px; }"
)


class Menus(QMenuBar):
    """All menus, and in the middle what is played."""

    asked = Signal(str)
    """A command was chosen: its name."""

    def __init__(self, room: Room) -> None:
        super().__init__()
        self._room = room
        self.commands: dict[str, QAction] = {}
        self._menus: list[tuple[QMenu, str]] = []
        self.submenus: dict[str, QMenu] = {}
        self._title = label(parent=self)
        self._title.setTextFormat(Qt.TextFormat.RichText)
        self._title.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.sounds = QToolButton(self)
        """Off, or on again, in one click."""
        self.sounds.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keyboard has a key for it
        self.sounds.setCursor(Qt.CursorShape.PointingHandCursor)
        self.sounds.setStyleSheet(BARE)
        self.sounds.clicked.connect(lambda: self.asked.emit("sounds"))
        self.setCornerWidget(self.sounds, Qt.Corner.TopRightCorner)
        for menu in MENUS:
            shown = self.addMenu("")
            self._menus.append((shown, menu.title))
            for entry in menu.entries:
                match entry:
                    case None:
                        shown.addSeparator()
                    case str(name):
                        self.submenus[name] = shown.addMenu("")
                    case Command():
                        self.commands[entry.name] = self._action(entry, shown)
        self._choices = (
            self._exclusive("speed", SPEEDS, lambda: room.settings.animation, "animation"),
            self._exclusive("theme", THEMES, lambda: room.settings.theme, "theme"),
            self._exclusive(
                "language",
                {code: OWN_NAMES[code] for code in LANGUAGES},
                lambda: room.words.language,
                "language",
            ),
        )
        room.changed.connect(self.dress)
        self.dress()

    def show_title(self, text: str) -> None:
        """Rich text in the middle of the bar: the game, and where it stands."""
        self._title.setText(text)
        self._place_title()

    def allow(self, allowed: Mapping[str, bool]) -> None:
        """Enable and disable commands by name."""
        for name, may in allowed.items():
            self.commands[name].setEnabled(may)

    def leave_table(self) -> None:
        """No match is on the screen: what needs one cannot be chosen."""
        self.allow({name: not command.play for name, command in COMMANDS.items()})

    def dress(self) -> None:
        """Put texts and keys on in the room's language, as the settings have them."""
        words, chosen = self._room.words, self._room.settings.keys
        for menu, title in self._menus:
            menu.setTitle(words(title))
        for name, menu in self.submenus.items():
            menu.setTitle(words(SUBMENUS[name]))
        for name, action in self.commands.items():
            command = COMMANDS[name]
            action.setText(words(command.text))
            action.setShortcuts([QKeySequence(key) for key in keys(command, chosen)])
        for dress in self._choices:
            dress()
        self._dress_sounds()
        self._place_title()

    def _dress_sounds(self) -> None:
        words, on = self._room.words, self._room.settings.sounds
        action = self.commands["sounds"]
        action.setChecked(on)
        ink = self._room.theme.accent_2 if on else self._room.theme.ink_soft
        self.sounds.setIcon(self._room.icon("sound" if on else "mute", ink))
        told = words("Turn the sounds off") if on else words("Turn the sounds on")
        key = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        self.sounds.setToolTip(f"{told} ({key})" if key else told)
        self.sounds.setAccessibleName(told)

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)
        self._place_title()

    def _action(self, command: Command, menu: QMenu) -> QAction:
        action = menu.addAction("")
        action.setObjectName(command.name)
        action.setCheckable(command.checked)
        action.setEnabled(not command.play)
        action.triggered.connect(lambda _=False, name=command.name: self.asked.emit(name))
        return action

    def _exclusive(
        self, name: str, texts: Mapping[str, str], current: Callable[[], str], setting: str
    ) -> Callable[[], None]:
        """Fill a submenu with one choice among several; gives what dresses it."""
        group = QActionGroup(self)
        actions = {}
        for value in texts:
            actions[value] = self.submenus[name].addAction("")
            actions[value].setCheckable(True)
            group.addAction(actions[value])
            actions[value].triggered.connect(
                lambda _=False, value=value: self._room.change(**{setting: value})
            )

        def dress() -> None:
            for value, action in actions.items():
                own = name == "language"
                action.setText(texts[value] if own else self._room.words(texts[value]))
                action.setChecked(value == current())

        return dress

    def _place_title(self) -> None:
        self._title.adjustSize()
        actions = self.actions()
        left = self.actionGeometry(actions[-1]).right() + 24 if actions else 0
        x = max(left, (self.width() - self._title.width()) // 2)
        self._title.move(QPoint(x, (self.height() - self._title.height()) // 2))
        room = self.width() - self.sounds.sizeHint().width() - 8
        self._title.setVisible(x + self._title.width() <= room)


class TextFirst(QObject):
    """Keeps shortcuts off while a text field has the focus: its keys are letters then."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        program = QApplication.instance()
        assert isinstance(program, QApplication)
        program.focusChanged.connect(self._follow)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return False

    def _follow(self, before: QWidget | None, now: QWidget | None) -> None:
        if before is not None:
            before.removeEventFilter(self)
        if now is not None and writes(now):
            now.installEventFilter(self)


def writes(widget: QWidget) -> bool:
    """Whether text is written in this widget."""
    return not isinstance(widget, QLabel) and widget.testAttribute(
        Qt.WidgetAttribute.WA_InputMethodEnabled
    )
