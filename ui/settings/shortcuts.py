"""The keyboard shortcuts of all commands, in an editor and in an overview."""

from collections.abc import Sequence
from typing import TypeAlias

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QGridLayout,
    QKeySequenceEdit,
    QLineEdit,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ui.shell.app_context import AppContext, name_widget
from ui.shell.commands import (
    COMMANDS,
    REPLAY_KEYS,
    TABLE_KEYS,
    WINDOW_KEYS,
    command_with_key,
    shortcuts_of,
)
from ui.shell.shortcut_text import spoken_key
from ui.shell.spoken_role import speak_as_texts
from ui.widgets.box_layout import lay
from ui.widgets.page_screen import PageScreen
from ui.widgets.styled_widgets import (
    FittingScrollArea,
    button,
    label,
    scale_pixels,
    set_scaled_style,
)

MAX_WIDTH_PX, MAX_HEIGHT_PX = 1160, 1060
"""Maximum width and height of the overview in pixels."""
MIN_TWO_LISTS_WIDTH_PX = 1000
"""Minimum window width in pixels at which the menus' shortcuts and all others are side by side."""
MIN_KEYS_WIDTH_PX = 190
"""Minimum width in pixels of the column with the keys."""
KeySection: TypeAlias = tuple[str, Sequence[tuple[tuple[str, ...], str]]]
"""A heading, and for each command of the section its keys and its description."""
FIELD_SIZE = QSize(150, 34)
"""Size in pixels of the field for a shortcut."""
MIN_TWO_COLUMNS_WIDTH_PX, COLUMN_GAP_PX = 900, 32
"""Minimum width for two columns of fields, and gap between these columns, in pixels."""


class ShortcutsEditor(QWidget):
    """A row for each command, with its name, its shortcut and a button to restore the default."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._texts = {name: label(wrap=True) for name in COMMANDS}
        self.fields = {name: QKeySequenceEdit() for name in COMMANDS}
        self.usual = {name: button("quiet") for name in COMMANDS}
        self.fault = label("bad", wrap=True)
        self.fault.hide()
        half = -(-len(COMMANDS) // 2)
        names = list(COMMANDS)
        parts = [(self._list(part), 1) for part in (names[:half], names[half:])]
        self._columns = lay(
            QBoxLayout(QBoxLayout.Direction.TopToBottom), parts, spacing=COLUMN_GAP_PX, margins=0
        )
        lay(QVBoxLayout(self), [self.fault, self._columns], margins=(0, 16, 16, 16))

    def _list(self, names: Sequence[str]) -> QGridLayout:
        """Return a column with a row for each command in `names`."""
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(0, 1)
        for line, name in enumerate(names):
            field, usual = self.fields[name], self.usual[name]
            field.setMaximumSequenceLength(1)
            field.setClearButtonEnabled(True)
            field.editingFinished.connect(lambda name=name: self._choose(name))
            usual.clicked.connect(lambda _=False, name=name: self._reset(name))
            policy = usual.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            usual.setSizePolicy(policy)
            grid.addWidget(self._texts[name], line, 0)
            grid.addWidget(field, line, 1)
            grid.addWidget(usual, line, 2)
        grid.setRowStretch(len(names), 1)
        return grid

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        way = QBoxLayout.Direction
        beside = self.width() >= scale_pixels(self, MIN_TWO_COLUMNS_WIDTH_PX)
        self._columns.setDirection(way.LeftToRight if beside else way.TopToBottom)

    def refresh_appearance(self) -> None:
        """Update texts and shortcuts."""
        words, chosen = self._context.words, self._context.settings.keys
        for name, command in COMMANDS.items():
            text = words(command.text)
            own = shortcuts_of(command, chosen)
            self._texts[name].setText(text)
            set_scaled_style(self.fields[name], "QLineEdit { padding: 2px 8px; min-height: 26px; }")
            self.fields[name].setFixedSize(
                scale_pixels(self, FIELD_SIZE.width()), scale_pixels(self, FIELD_SIZE.height())
            )
            self.fields[name].setKeySequence(QKeySequence(own[0] if own else ""))
            for line in self.fields[name].findChildren(QLineEdit):
                line.setPlaceholderText(words("No key"))
            for clears in self.fields[name].findChildren(QToolButton):
                clears.setAccessibleName(words("No key for {command}", command=text))
            shown = _shown_key(own[0]) if own else words("No key")
            called = words("Key for {command}", command=text)
            name_widget(self.fields[name], called, spoken_key(shown, words))
            self.usual[name].setText(words("Default key"))
            name_widget(self.usual[name], words("Default key for {command}", command=text))
            self.usual[name].setVisible(name in chosen)

    def _choose(self, name: str) -> None:
        key = self.fields[name].keySequence().toString(QKeySequence.SequenceFormat.PortableText)
        chosen = self._context.settings.keys
        usual = shortcuts_of(COMMANDS[name], chosen)
        if key == (usual[0] if usual else ""):
            return
        other = command_with_key(key, name, chosen)
        words = self._context.words
        if other is not None:
            self._show_key_fault(
                words("{key} is already used for “{command}”.", key=key, command=words(other.text))
            )
            self.refresh_appearance()
            return
        self._show_key_fault("")
        self._context.change_settings(keys=chosen | {name: key})

    def _show_key_fault(self, fault: str) -> None:
        """Show `fault`, why a shortcut was refused, and scroll to it; "" hides the message."""
        self.fault.setText(fault)
        self.fault.setVisible(bool(fault))
        if fault:
            QTimer.singleShot(0, self, self._show_fault)

    def _show_fault(self) -> None:
        viewport = self.parentWidget()
        around = viewport.parentWidget() if viewport else None
        if isinstance(around, QScrollArea):
            around.ensureWidgetVisible(self.fault)

    def _reset(self, name: str) -> None:
        self._show_key_fault("")
        chosen = {key: value for key, value in self._context.settings.keys.items() if key != name}
        self._context.change_settings(keys=chosen)


class ShortcutsScreen(PageScreen):
    """A page with an overview of all shortcuts."""

    def __init__(self, context: AppContext) -> None:
        super().__init__(context, MAX_WIDTH_PX, MAX_HEIGHT_PX)
        self._roll = FittingScrollArea(QWidget())
        speak_as_texts(self._roll)
        self.lay_page(self._roll)
        self.refresh_appearance()

    def _note_changed(self, changed: frozenset[str]) -> None:
        super()._note_changed(changed)
        if "keys" in changed:
            self.refresh_appearance()

    def refresh_appearance(self) -> None:
        super().refresh_appearance()
        self.show_heading(self.context.words("Shortcuts"))
        name_widget(self._roll, self.title.text())
        self._roll.setWidget(self._list_keys())
        self._lay_columns()

    def take_focus(self) -> None:
        """Focus the list, so that the arrow keys scroll it."""
        self._roll.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._roll.setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_columns()

    def _lay_columns(self) -> None:
        """Lay out the two lists side by side, or above each other if the window is too narrow."""
        way, inside = QBoxLayout.Direction, self._roll.widget()
        columns = inside.layout() if inside is not None else None
        if isinstance(columns, QBoxLayout):
            beside = min(self.width(), self._sheet.maximumWidth()) >= scale_pixels(
                self, MIN_TWO_LISTS_WIDTH_PX
            )
            columns.setDirection(way.LeftToRight if beside else way.TopToBottom)

    def _list_keys(self) -> QWidget:
        """Return a widget that lists the menus' shortcuts and all other shortcuts."""
        words, chosen = self.context.words, self.context.settings.keys
        inside = QWidget()
        lines = [(shortcuts_of(command, chosen), command.text) for command in COMMANDS.values()]
        menus = self._list_parts([(words("In the menus"), [each for each in lines if each[0]])])
        others = self._list_parts(
            [
                (words("Everywhere"), WINDOW_KEYS),
                (words("At the table"), TABLE_KEYS),
                (words("In a replay"), REPLAY_KEYS),
            ]
        )
        columns = QBoxLayout(QBoxLayout.Direction.TopToBottom, inside)
        columns.setContentsMargins(0, 4, 12, 8)
        columns.setSpacing(scale_pixels(self, 24))
        for grid in (menus, others):
            grid.setColumnMinimumWidth(0, scale_pixels(self, MIN_KEYS_WIDTH_PX))
            columns.addLayout(grid, 1)
        return inside

    def _list_parts(self, parts: Sequence[KeySection]) -> QGridLayout:
        """Return a grid with the heading of each section, followed by its keys and descriptions."""
        words = self.context.words
        grid = QGridLayout()
        grid.setHorizontalSpacing(28)
        grid.setVerticalSpacing(8)
        line = 0
        for title, part in parts:
            heading = label("heading", text=title)
            grid.addWidget(heading, line, 0, 1, 2)
            line += 1
            for own, text in part:
                *most, last = [_shown_key(each) or words(each) for each in own]
                one = words.join_list(most)
                key = words("{one} or {other}", one=one, other=last) if most else last
                shown = label(text=key)
                name_widget(shown, spoken_key(key, words))
                does = label(wrap=True, text=words(text))
                shown.setBuddy(does)
                heading.setBuddy(does)
                grid.addWidget(shown, line, 0)
                grid.addWidget(does, line, 1)
                line += 1
            grid.setRowMinimumHeight(line, scale_pixels(self, 12))
            line += 1
        grid.setColumnStretch(1, 1)
        grid.setRowStretch(line, 1)
        return grid


def _shown_key(key: str) -> str:
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
