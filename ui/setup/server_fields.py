"""The place of a new shared table: this computer, or a server, by its address and key."""

from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QLineEdit

from tabletop.language.words import Words
from tabletop.protocol.invitation import Address, BadInvitation, read_server
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


def server_at(text: str) -> Address | None:
    """The server of an address that was typed; None if it isn't an address."""
    try:
        return read_server(text)
    except BadInvitation:
        return None


class ServerFields(QObject):
    """The rows of a form that say where a table is opened."""

    edited = Signal()

    def __init__(self, form: NamedForm, servers: Mapping[str, str]) -> None:
        """`servers` are those where tables were opened, each with its key, the latest last."""
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
        self._bring_key()
        self.where.currentIndexChanged.connect(lambda _: self._show_choice())
        self.address.textEdited.connect(lambda _: self._bring_key())
        for field in (self.address, self.key):
            field.textChanged.connect(lambda _: self.edited.emit())

    @property
    def is_here(self) -> bool:
        """Whether the table is opened on this computer."""
        return bool(self.where.currentData() == "here")

    @property
    def place(self) -> Address | None:
        """The server; None where the table is opened here, or what was typed is none."""
        return None if self.is_here else server_at(self.address.text())

    @property
    def wrong(self) -> str:
        """Return why no table can be opened there, as an English sentence; empty where it can."""
        if not self.is_here and self.place is None:
            return phrase("Please type the address of the server.")
        return ""

    def show_rows(self) -> None:
        """Show the rows that matter, once the form is in a window."""
        for field in (self.address, self.key, self.listing, self.records):
            self._form.setRowVisible(field, not self.is_here)

    def retranslate(self, words: Words) -> None:
        """Show the texts."""
        self.where.set_texts(words(text) for text in PLACES.values())
        self.listing.set_texts(words(text) for text in LISTING.values())
        self.records.set_texts(words(text) for text in RECORDS.values())
        self.address.setPlaceholderText("cards.example.org")

    def _show_choice(self) -> None:
        self.show_rows()
        self.edited.emit()
        if not self.is_here:
            self.address.setFocus()

    def _bring_key(self) -> None:
        """A server that is known already needs its key not typed again."""
        place = self.place
        name = place.name if place is not None else self.address.text()
        self.key.setText(self._servers.get(name, ""))
