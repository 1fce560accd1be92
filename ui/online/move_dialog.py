"""A dialog that asks for the server to which a table is to be moved."""

from collections.abc import Mapping

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QVBoxLayout, QWidget

from tabletop.language import labels
from tabletop.protocol.invitation import Address
from tabletop.text.phrases import phrase
from ui.setup.server_fields import parse_server_or_none
from ui.shell.app_context import AppContext
from ui.shell.window_privacy import WindowPrivacy, set_privacy
from ui.widgets.box_layout import lay
from ui.widgets.form import NamedForm
from ui.widgets.sheet_dialog import make_sheet
from ui.widgets.styled_widgets import label, set_style_kind
from ui.widgets.text_fields import TextField

MIN_WIDTH_PX = 440


class MoveDialog(QDialog):
    """Asks for a server's address and key, and explains how a move affects the players."""

    def __init__(self, context: AppContext, parent: QWidget, servers: Mapping[str, str]) -> None:
        """`servers`: the key of each known server by its address, the latest server last."""
        super().__init__(parent)
        set_privacy(self, WindowPrivacy.PUBLIC)
        words = context.words
        self._servers = servers
        self.setWindowTitle(words("Move the table to a server"))
        self.setMinimumWidth(MIN_WIDTH_PX)
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
        self.move_button = buttons.addButton(
            words("Move the table"), QDialogButtonBox.ButtonRole.AcceptRole
        )
        buttons.addButton(words(labels.CANCEL), QDialogButtonBox.ButtonRole.RejectRole)
        set_style_kind(self.move_button, "primary")
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        lay(QVBoxLayout(self), [explanation, form, buttons], spacing=12, margins=20)
        make_sheet(self, with_title=True)
        self.address.textChanged.connect(lambda _: self._update_button())
        self._update_button()

    @property
    def server(self) -> Address | None:
        """The entered server's address; None if the text isn't a valid address."""
        return parse_server_or_none(self.address.text())

    def _update_button(self) -> None:
        place = self.server
        self.move_button.setEnabled(place is not None)
        if place is not None and place.name in self._servers:
            self.key.setText(self._servers[place.name])
