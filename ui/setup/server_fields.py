"""Form fields for the host of a shared table, which is this computer or a server."""

from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QLineEdit

from tabletop.language.words import Words
from tabletop.protocol.invitation import Address, BadInvitation, parse_server
from tabletop.text.phrases import phrase
from ui.widgets.form import ChoiceBox, NamedForm
from ui.widgets.text_fields import TextField

LISTING = {
    "none": phrase("Not on the server's list"),
    "code": phrase("Listed; joining needs the code"),
    "open": phrase("Listed; anyone can join"),
}
RECORDS = {
    "players": phrase("Who played"),
    "link": phrase("Anyone with the link"),
}
PLACES = {"here": phrase("On this computer"), "server": phrase("On a server")}


def parse_server_or_none(text: str) -> Address | None:
    """Return the server address in `text`; None if there is no valid one."""
    try:
        return parse_server(text)
    except BadInvitation:
        return None


class ServerFields(QObject):
    """The rows of a form that select the host of a table."""

    edited = Signal()

    def __init__(self, form: NamedForm, servers: Mapping[str, str]) -> None:
        """`servers`: the key of each known server by its address, the latest server last."""
        super().__init__()
        self._form = form
        self._servers = servers
        self.where = ChoiceBox(PLACES)
        self.address, self.key = TextField(), TextField()
        self.address.setText(next(reversed([*servers]), ""))
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        form.add_field(phrase("Hosted on"), self.where)
        form.add_field(phrase("Address of the server"), self.address)
        form.add_field(phrase("Its key, if it needs one"), self.key)
        self.listing = ChoiceBox(LISTING)
        form.add_field(phrase("Who can find the table"), self.listing)
        self.records = ChoiceBox(RECORDS)
        form.add_field(phrase("Who can download finished matches"), self.records)
        self._fill_in_key()
        self.where.currentIndexChanged.connect(lambda _: self._on_host_chosen())
        self.address.textEdited.connect(lambda _: self._fill_in_key())
        for field in (self.address, self.key):
            field.textChanged.connect(lambda _: self.edited.emit())

    @property
    def is_here(self) -> bool:
        """Whether this computer hosts the table."""
        return bool(self.where.currentData() == "here")

    @property
    def server(self) -> Address | None:
        """The server's address; None if this computer hosts or the text isn't an address."""
        return None if self.is_here else parse_server_or_none(self.address.text())

    @property
    def error(self) -> str:
        """The error in the fields as an English sentence; "" if they are valid."""
        if not self.is_here and self.server is None:
            return phrase("Please type the address of the server.")
        return ""

    def show_rows(self) -> None:
        """Show only the rows that apply. Must be called once the form is in a window."""
        for field in (self.address, self.key, self.listing, self.records):
            self._form.setRowVisible(field, not self.is_here)

    def retranslate(self, words: Words) -> None:
        """Update all texts."""
        self.where.set_texts(words(text) for text in PLACES.values())
        self.listing.set_texts(words(text) for text in LISTING.values())
        self.records.set_texts(words(text) for text in RECORDS.values())
        self.address.setPlaceholderText("cards.example.org")

    def _on_host_chosen(self) -> None:
        self.show_rows()
        self.edited.emit()
        if not self.is_here:
            self.address.setFocus()

    def _fill_in_key(self) -> None:
        """Fill in the stored key if the entered server is known."""
        place = self.server
        name = place.name if place is not None else self.address.text()
        self.key.setText(self._servers.get(name, ""))
