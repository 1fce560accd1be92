"""A question with two answers or more, of which the cautious one is the default."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QLabel, QMessageBox, QWidget

from tabletop.language.words import Words


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
    box.setText(text)
    box.setInformativeText(" " if more else "")  # makes the label, whose format Qt would guess
    for each in box.findChildren(QLabel):
        each.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(more)
    if check is not None:
        box.setCheckBox(check)
    doing = [box.addButton(act, QMessageBox.ButtonRole.AcceptRole) for act in acts]
    refusing = box.addButton(no, QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(refusing)
    box.setEscapeButton(refusing)
    box.exec()
    box.deleteLater()
    chosen = box.clickedButton()
    return next((number for number, each in enumerate(doing) if each is chosen), -1)
