"""A question with two answers, of which the cautious one is the default."""

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
    agreeing = box.addButton(yes, QMessageBox.ButtonRole.AcceptRole)
    refusing = box.addButton(no, QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(refusing)
    box.setEscapeButton(refusing)
    box.exec()
    box.deleteLater()
    return box.clickedButton() is agreeing
