"""Asks to which server a table is to move, by its address and its key."""

from collections.abc import Mapping

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QVBoxLayout, QWidget

from tabletop.language import labels
from tabletop.protocol.invitation import Address
from tabletop.text.phrases import phrase
from ui.setup.server_fields import server_at
from ui.shell.app_context import AppContext
from ui.shell.window_privacy import WindowPrivacy, set_privacy
from ui.widgets.box_layout import lay
from ui.widgets.form import NamedForm
from ui.widgets.styled_widgets import label, set_style_kind
from ui.widgets.text_fields import TextField

WIDE = 440


class MoveDialog(QDialog):
    """The server's address and key, with what becomes of those at the table."""

    def __init__(self, context: AppContext, parent: QWidget, servers: Mapping[str, str]) -> None:
        """`servers` are those that are known, each with its key, the latest last."""
        super().__init__(parent)
        set_privacy(self, WindowPrivacy.PUBLIC)
        words = context.words
        self._servers = servers
        self.setWindowTitle(words("Move the table to a server"))
        self.setMinimumWidth(WIDE)
        stays = words("Everyone moves along and keeps playing. You stay the host.")
        explanation = label(wrap=True, text=stays)
        self.address, self.key = TextField(), TextField()
        self.address.setPlaceholderText("cards.example.org")
        self.address.setText(next(reversed([*servers]), ""))
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        form = NamedForm()
        form.add_field(phrase("Address of the server"), self.address)
        form.add_field(phrase("Its key, if it needs one"), self.key)
        form.retranslate(words)
        buttons = QDialogButtonBox()
        self.go = buttons.addButton(words("Move the table"), QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(words(labels.CANCEL), QDialogButtonBox.ButtonRole.RejectRole)
        set_style_kind(self.go, "primary")
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        lay(QVBoxLayout(self), [explanation, form, buttons], spacing=12, margins=20)
        self.address.textChanged.connect(lambda _: self._check())
        self._check()

    @property
    def place(self) -> Address | None:
        """The server; None as long as what was typed is none."""
        return server_at(self.address.text())

    def _check(self) -> None:
        place = self.place
        self.go.setEnabled(place is not None)
        if place is not None and place.name in self._servers:
            self.key.setText(self._servers[place.name])
