"""Asks before the Python of a game's folder runs for the first time, or after a change."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from tabletop.catalogue import agreements, catalogue
from tabletop.catalogue.catalogue import BrokenGame, Kit, NotAgreed, UnknownGame
from tabletop.engine.model import Reason
from tabletop.files.errors import StorageError
from ui.shell.app_context import AppContext
from ui.shell.language import title


def agreed_kit(context: AppContext, parent: QWidget, kit: Kit) -> Kit | None:
    """The game that may run from now on; None where the person does not want it to, or where it
    cannot, which she is told."""
    if not _agrees(context, parent, kit):
        return None
    try:
        agreements.agree(kit.waits_for, kit.box.title)
        catalogue.reread(kit.id)
        return catalogue.load(kit.id)
    except NotAgreed as error:  # it was changed while the question was open
        return agreed_kit(context, parent, error.kit)
    except (BrokenGame, UnknownGame) as error:
        context.tell(Reason("{told}", {"told": str(error)}))
    except StorageError as error:
        context.tell(error.reason)
    return None


def _agrees(context: AppContext, parent: QWidget, kit: Kit) -> bool:
    words = context.words
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.NoIcon)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setWindowTitle(words("Tabletop"))
    box.setText(words(agreements.MEANS, title=title(kit, words.language)))
    box.setInformativeText(f"{kit.folder}\n{kit.waits_for[:32]}\n{kit.waits_for[32:]}")
    go = box.addButton(words("I agree"), QMessageBox.ButtonRole.AcceptRole)
    no = box.addButton(words("Leave it closed"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(no)
    box.setEscapeButton(no)
    box.exec()
    box.deleteLater()
    return box.clickedButton() is go
