"""A question with two answers or more, of which the cautious one is the default."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QLabel, QMessageBox, QWidget
from shiboken6 import isValid

from tabletop.language.words import Words
from ui.style.line_breaks import bind_phrases
from ui.widgets.styled_widgets import change_kind

LEAST = 400
"""The least width of the text, in pixels."""
MARGINS = 16, 24, 24, 20
"""Round the question at the left, top, right and bottom, in pixels: Qt parts the text from a place
for a sign at the left."""


def ask_question(
    words: Words,
    parent: QWidget,
    text: str,
    yes: str,
    no: str,
    more: str = "",
    check: QCheckBox | None = None,
) -> bool:
    """Ask a question; True if the person chose `yes`, False also if the parent went away. `more` is
    shown below the text in small letters."""
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
    """Ask which of these to do; return its number, -1 for `no` or if the parent went away. `more`
    is shown below the text in small letters."""
    box = QMessageBox(parent.window())
    parent.destroyed.connect(box.reject)
    box.setIcon(QMessageBox.Icon.NoIcon)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setWindowTitle(words("Tabletop"))
    box.setText(bind_phrases(text))
    # creates the label, whose format Qt would otherwise guess
    box.setInformativeText(" " if more else "")
    read = {"qt_msgbox_label": text, "qt_msgbox_informativelabel": more}
    for each in box.findChildren(QLabel):
        # without the joints between phrases
        each.setAccessibleName(read.get(each.objectName(), ""))
        each.setTextFormat(Qt.TextFormat.PlainText)
        each.setMinimumWidth(LEAST if each.text().strip() else 0)
    box.setInformativeText(bind_phrases(more))
    if check is not None:
        box.setCheckBox(check)
    doing = [box.addButton(act, QMessageBox.ButtonRole.AcceptRole) for act in acts]
    change_kind(doing[0], "primary")
    refusing = box.addButton(no, QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(refusing)
    box.setEscapeButton(refusing)
    if (layout := box.layout()) is not None:
        layout.setContentsMargins(*MARGINS)
    box.exec()
    if not isValid(box):
        return -1  # its window is gone
    box.deleteLater()
    chosen = box.clickedButton()
    return next((number for number, each in enumerate(doing) if each is chosen), -1)
