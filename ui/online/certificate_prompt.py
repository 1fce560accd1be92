"""Asks before going on with a host whose certificate is another than before."""

from PySide6.QtWidgets import QMessageBox, QWidget

from tabletop.engine.model import Reason
from ui.shell.app_context import AppContext


def welcome(context: AppContext, parent: QWidget, why: Reason) -> bool:
    """Whether the person goes on all the same; nothing is sent before she has decided."""
    words = context.words
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.NoIcon)
    box.setWindowTitle(words("Tabletop"))
    box.setText(words.reason(why))
    box.setInformativeText(
        words("Ask the host's owner. If the program was set up anew there, go on.")
    )
    go = box.addButton(words("Go on all the same"), QMessageBox.ButtonRole.AcceptRole)
    no = box.addButton(words("Do not connect"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(no)
    box.setEscapeButton(no)
    box.exec()
    box.deleteLater()
    return box.clickedButton() is go
