"""Asks before something that cannot be undone, unless the person asked not to be asked."""

from PySide6.QtWidgets import QCheckBox, QMessageBox, QWidget

from tabletop.text.phrases import phrase
from ui.shell.app_context import AppContext

QUESTIONS = {
    "concede": phrase("Before conceding"),
    "forget": phrase("Before deleting a player's statistics"),
    "free": phrase("Before freeing a player's seat in a match"),
    "leave": phrase("Before leaving an online table"),
    "remove": phrase("Before removing a player from your table"),
    "unshelve": phrase("Before removing a game you got at a table"),
    "restart": phrase("Before restarting a match"),
}
"""What is asked before, by the names that the settings keep."""


def agreed(context: AppContext, parent: QWidget, name: str, text: str, act: str) -> bool:
    """Whether the person wants it: asked with `text`, agreed to with a button saying `act`. Where
    the `parent` goes before there is an answer, it is no."""
    if not context.settings.confirmations.get(name, True):
        return True
    words = context.words
    box = QMessageBox(parent.window())
    parent.destroyed.connect(box.reject)
    box.setIcon(QMessageBox.Icon.NoIcon)
    box.setWindowTitle(words("Tabletop"))
    box.setText(text)
    again = QCheckBox(words("Don't ask again"))
    box.setCheckBox(again)
    yes = box.addButton(act, QMessageBox.ButtonRole.AcceptRole)
    no = box.addButton(words("Cancel"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(no)
    box.setEscapeButton(no)
    box.exec()
    box.deleteLater()
    wanted = box.clickedButton() is yes
    if wanted and again.isChecked():
        context.remember(confirmations=context.settings.confirmations | {name: False})
    return wanted
