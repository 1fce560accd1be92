"""Asks before going on with a host whose certificate is not known, or another than before."""

from PySide6.QtWidgets import QMessageBox, QWidget

from tabletop.engine.model import Reason
from ui.shell.app_context import AppContext


def welcome(context: AppContext, parent: QWidget, why: Reason, met: bool = True) -> bool:
    """Whether the person goes on all the same; nothing is sent before she has decided. `met`: the
    host showed another certificate before."""
    words = context.words
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.NoIcon)
    box.setWindowTitle(words("Tabletop"))
    box.setText(words.reason(why))
    if met:
        box.setInformativeText(words("Ask the host. If they reinstalled the program, continue."))
    trust = words("Continue anyway") if met else words("Trust this server")
    go = box.addButton(trust, QMessageBox.ButtonRole.AcceptRole)
    no = box.addButton(words("Don't connect"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(no)
    box.setEscapeButton(no)
    box.exec()
    box.deleteLater()
    return box.clickedButton() is go
