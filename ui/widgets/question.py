"""Question dialogs in which the safe answer is the default."""

from collections.abc import Sequence
from typing import cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QMessageBox, QSpacerItem, QWidget
from shiboken6 import isValid

from tabletop.language.words import Words
from ui.style.line_breaks import wrap_for_width
from ui.widgets.sheet_dialog import make_sheet
from ui.widgets.styled_widgets import set_style_kind

MIN_TEXT_WIDTH_PX = 387
"""Minimum width of the text in pixels."""
MARGINS_PX = 8, 24, 24, 20
"""Left, top, right and bottom margins in pixels. The left one is smaller because Qt reserves space
for an icon.
"""


def ask_question(
    words: Words,
    parent: QWidget,
    text: str,
    yes: str,
    no: str,
    more: str = "",
    check: QCheckBox | None = None,
) -> bool:
    """Ask a yes/no question, and return whether the user chose `yes`.

    Args:
        yes: the label of the confirming button.
        no: the label of the refusing button, the default.
        more: additional text in small print.
        check: a check box to add to the dialog.

    Returns False if `parent` is destroyed meanwhile.
    """
    return ask_which(words, parent, text, (yes,), no, more, check) == 0


def ask_which(
    words: Words,
    parent: QWidget,
    text: str,
    acts: Sequence[str],
    no: str,
    more: str = "",
    check: QCheckBox | None = None,
) -> int:
    """Ask which of `acts` to do, and return its index, or -1 for `no`.

    Args:
        acts: the labels of the action buttons.
        no: the label of the refusing button, the default.
        more: additional text in small print.
        check: a check box to add to the dialog.

    Returns -1 if `parent` is destroyed meanwhile.
    """
    box = QMessageBox(parent.window())
    make_sheet(box)
    parent.destroyed.connect(box.reject)
    box.setIcon(QMessageBox.Icon.NoIcon)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setWindowTitle(words("Tabletop"))
    box.ensurePolished()
    metrics = box.fontMetrics()
    box.setText(wrap_for_width(text, metrics, MIN_TEXT_WIDTH_PX))
    # this creates the label; set its format, which Qt would otherwise guess
    box.setInformativeText(" " if more else "")
    read = {"qt_msgbox_label": text, "qt_msgbox_informativelabel": more}
    for each in box.findChildren(QLabel):
        # without the invisible word joiners
        each.setAccessibleName(read.get(each.objectName(), ""))
        each.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(wrap_for_width(more, metrics, MIN_TEXT_WIDTH_PX))
    if check is not None:
        box.setCheckBox(check)
    doing = [box.addButton(act, QMessageBox.ButtonRole.AcceptRole) for act in acts]
    set_style_kind(doing[0], "primary")
    refusing = box.addButton(no, QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(refusing)
    box.setEscapeButton(refusing)
    layout, question = box.layout(), box.findChild(QLabel, "qt_msgbox_label")
    if isinstance(layout, QGridLayout) and isinstance(question, QLabel):
        layout.setContentsMargins(*MARGINS_PX)
        # QMessageBox doesn't wrap the text of a label with a minimum width
        place = cast(tuple[int, ...], layout.getItemPosition(layout.indexOf(question)))
        width = QSpacerItem(MIN_TEXT_WIDTH_PX, 0)
        layout.addItem(width, layout.rowCount(), place[1], 1, place[3])
    box.exec()
    if not isValid(box):
        return -1  # the window has been destroyed
    box.deleteLater()
    chosen = box.clickedButton()
    return next((number for number, each in enumerate(doing) if each is chosen), -1)
