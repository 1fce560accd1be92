"""Labelled form fields, and combo boxes for values with translated texts."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from PySide6.QtCore import QSignalBlocker, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QFormLayout, QHBoxLayout, QLabel, QWidget

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Value
from tabletop.language.words import Words
from ui.shell.app_context import AppContext, name_widget
from ui.widgets.box_layout import lay
from ui.widgets.fields import ComboBox
from ui.widgets.styled_widgets import PlainLabel, label

MIN_OPTION_CHARS = 16
"""Minimum width of the combo box of an option, in characters."""


class ChoiceBox(ComboBox):
    """A combo box for `values`. `set_texts` sets the
    texts that represent them in the current language.
    """

    def __init__(self, values: Iterable[Value], chosen: Value | None = None) -> None:
        """Add `values` and select `chosen`; if that is None, the first value."""
        super().__init__()
        for value in values:
            self.addItem("", value)
        if chosen is not None:
            self.choose(chosen)

    def choose(self, value: Value) -> None:
        """Choose `value`."""
        self.setCurrentIndex(self.findData(value))

    def set_texts(self, texts: Iterable[str]) -> None:
        """Set the texts of the entries, in the order of the values."""
        for number, text in enumerate(texts):
            self.setItemText(number, text)


def set_choices(box: QComboBox, texts: Mapping[Any, str], chosen: Value | None) -> None:
    """Replace the entries of `box` without emitting a signal.

    Args:
        texts: the text of each value.
        chosen: the value to select. If `texts` lacks it, the first value is selected.

    Unchanged entries aren't recreated, because a screen reader may be reading one.
    """
    offered = [(box.itemData(row), box.itemText(row)) for row in range(box.count())]
    with QSignalBlocker(box):
        if offered != list(texts.items()):
            box.clear()
            for value, text in texts.items():
                box.addItem(text, value)
        box.setCurrentIndex(max(0, box.findData(chosen)))


class ExplanationLabel(PlainLabel):
    """A multi-line label whose preferred height is the height of its lines at the current width.

    A form gives it the preferred height, and Qt's default would leave empty space.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "caption")
        self.setWordWrap(True)

    def sizeHint(self) -> QSize:
        return QSize(1, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()


class NamedForm(QFormLayout):
    """A form layout whose field labels are also accessible names."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._named: list[tuple[QLabel, QWidget, str]] = []
        self._explanations: list[tuple[QLabel, str]] = []

    def add_field(self, text: str, field: QWidget, *beside: QWidget) -> None:
        """Add a row with a label, `field` and the widgets `beside`.

        `text` is the English text of the label; `retranslate` shows its translation.
        """
        name = label()
        self.addRow(name, lay(QHBoxLayout(), [(field, 1), *beside], spacing=8) if beside else field)
        self._named.append((name, field, text))

    def add_explanation(self, text: str) -> None:
        """Add an explanation below the last field. `text` is an English phrase."""
        line = ExplanationLabel()
        self.addRow("", line)
        self._explanations.append((line, text))

    @property
    def label_width(self) -> int:
        """The width of the widest label in pixels."""
        return max((name.sizeHint().width() for name, _, _ in self._named), default=0)

    def set_label_width(self, width: int) -> None:
        """Give all labels at least `width` pixels, so the fields of several forms line up."""
        for name, _, _ in self._named:
            name.setMinimumWidth(width)

    def retranslate(self, words: Words) -> None:
        """Show labels and explanations in the language of `words`."""
        for name, field, text in self._named:
            _name(name, field, words(text))
        for line, text in self._explanations:
            line.setText(words(text))


class OptionFields:
    """Form rows with a combo box for each option of a game."""

    def __init__(
        self, context: AppContext, kit: GameKit, form: QFormLayout, apart: bool = False
    ) -> None:
        """Add the rows to `form`, with default values.

        `apart`: whether each player uses a separate
        computer, which changes the default of some options.
        """
        self._context = context
        self._kit = kit
        self._form = form
        self._apart = apart
        self._rows: list[tuple[QLabel, ChoiceBox]] = []
        for option in kit.box.options:
            box = ChoiceBox([choice.value for choice in option.choices], option.default(apart))
            # use all the width, because a sheet that scrolls sideways hides its buttons
            box.setSizeAdjustPolicy(
                QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
            box.setMinimumContentsLength(MIN_OPTION_CHARS)
            name = label()
            form.addRow(name, box)
            self._rows.append((name, box))
            box.currentIndexChanged.connect(lambda _: self._show_choices())

    @property
    def values(self) -> dict[str, Value]:
        """The chosen values by option key. Options that don't apply have their defaults."""
        chosen = self._chosen
        offered = [option.key for option in self._kit.box.options if option.applies(chosen)]
        return catalogue.options(self._kit, {key: chosen[key] for key in offered}, self._apart)

    @property
    def _chosen(self) -> dict[str, Value]:
        return {
            option.key: box.currentData()
            for option, (_, box) in zip(self._kit.box.options, self._rows, strict=True)
        }

    def _show_choices(self) -> None:
        """Show the rows of the options that apply with the other choices.

        Does nothing until the form is in a window, because a field shown without a parent becomes a
        separate window.
        """
        if self._form.parentWidget() is None:
            return
        chosen = self._chosen
        for option, (_, box) in zip(self._kit.box.options, self._rows, strict=True):
            self._form.setRowVisible(box, option.applies(chosen))

    def connect_changed(self, heard: Callable[[], object]) -> None:
        """Call `heard` whenever a choice changes."""
        for _, box in self._rows:
            box.currentIndexChanged.connect(lambda _: heard())

    def choose(self, values: Mapping[str, Value]) -> None:
        """Select `values`, which maps option keys to values."""
        for option, (_, box) in zip(self._kit.box.options, self._rows, strict=True):
            if option.key in values:
                box.choose(values[option.key])

    def refresh_appearance(self) -> None:
        """Update texts and visible rows for the current language."""
        game = self._context.game_words(self._kit)
        for option, (name, box) in zip(self._kit.box.options, self._rows, strict=True):
            _name(name, box, game(option.label))
            box.set_texts(game(choice.label) for choice in option.choices)
        self._show_choices()

    def hide(self) -> None:
        """Hide the rows until `refresh_appearance` shows them again.

        The rows stay in the form, because PySide keeps a wrapper for the layout item of a removed
        row, and crashes when a new widget gets the same address.
        """
        for _, box in self._rows:
            self._form.setRowVisible(box, False)


def _name(name: QLabel, field: QWidget, text: str) -> None:
    name.setText(text)
    name_widget(field, text)
