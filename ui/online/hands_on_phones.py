"""Hands on phones, at the table that this window hosts: when the gateway begins and ends."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialog, QVBoxLayout

from tabletop.language import labels
from tabletop.protocol.invitation import InviteLink, format_link
from ui.online.phone_gateway import PhoneGateway
from ui.online.phones_card import PhonesCard
from ui.online.phones_help import PhonesHelp
from ui.online.remote_table import RemoteTable
from ui.online.routes import HERE
from ui.shell.app_context import AppContext
from ui.shell.navigator import Navigator

WIDE = 520
"""The width of the dialog, in pixels."""


class HandsOnPhones(QObject):
    """Whether phones are served, and the way they come."""

    changed = Signal()
    """The use of phones has changed."""

    def __init__(self, context: AppContext, navigator: Navigator) -> None:
        super().__init__(navigator.window())
        self._context = context
        self._navigator = navigator
        self._remote: RemoteTable | None = None
        self.gateway = PhoneGateway()
        self.gateway.changed.connect(self.changed)
        self.wanted = False
        """Whether the table that is being opened is one for phones."""
        context.changed.connect(self._note_changed)

    def follow(self, remote: RemoteTable | None) -> None:
        """Follow the table that is visited, or a change in it: with the table the gateway ends,
        with its code it changes."""
        self._remote = remote
        if remote is None:
            self.wanted = False
            self.gateway.end()
        elif self.wanted:
            self.begin(remote)
        self.changed.emit()

    @property
    def invited(self) -> str:
        """The address that a phone opens, as long as there is a free seat; else empty."""
        info = self._remote.info if self._remote is not None else None
        sitters = info.sitters if info is not None else ()
        free = any(sitter.state == "free" or sitter.vacant for sitter in sitters)
        return self.gateway.addresses[0] if free and self.gateway.addresses else ""

    def begin(self, remote: RemoteTable) -> None:
        """Serve phones at this table, once all that brings them there is known."""
        invitation, info = remote.guest.invitation, remote.info
        self.wanted = True
        if invitation is not None and info is not None and remote.hosts:
            self.gateway.begin(
                format_link(
                    InviteLink(
                        HERE, invitation.port, info.table, invitation.code, invitation.fingerprint
                    )
                ),
                self._context.settings.phones_encrypted,
            )

    def show_dialog(self) -> None:
        """Invite more phones while the match runs: a freed seat is open to them."""
        if self._remote is None or not self._remote.hosts:
            return
        self.begin(self._remote)
        dialog = QDialog(self._navigator.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(self._context.words("Hands on phones"))
        card = PhonesCard(self._context, self.gateway)
        card.setProperty("kind", "")  # the dialog is of paper itself
        card.more.setText(self._context.words(labels.CLOSE))
        card.more.setProperty("kind", "primary")
        card.others.connect(dialog.accept)
        card.unseen.connect(self.show_help)
        column = QVBoxLayout(dialog)
        column.addWidget(card)
        dialog.setFixedWidth(WIDE)
        dialog.open()

    def _note_changed(self, changed: frozenset[str]) -> None:
        if "phones_encrypted" in changed and self._remote is not None and self.gateway.wanted:
            self.begin(self._remote)

    def show_help(self) -> None:
        """Explain why phones may not find the page, and try what can be tried."""
        self._navigator.show_over(PhonesHelp(self._context, self.gateway))
