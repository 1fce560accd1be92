"""Starts and stops the web gateway with which players hold their cards on phones."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialog, QVBoxLayout

from tabletop.language import labels
from tabletop.protocol.invitation import InviteLink, format_link
from ui.online.phone_gateway import PhoneGateway
from ui.online.phones_card import PhonesCard
from ui.online.phones_help import PhonesHelp
from ui.online.remote_table import RemoteTable
from ui.online.routes import OWN_HOST
from ui.shell.app_context import AppContext
from ui.shell.navigator import Navigator
from ui.widgets.question import ask_question
from ui.widgets.sheet_dialog import make_sheet

DIALOG_WIDTH_PX = 520


class HandsOnPhones(QObject):
    """Runs the web gateway for the visited table if the user hosts it and has asked for phones."""

    changed = Signal()
    """The gateway's state or the visited table has changed."""

    def __init__(self, context: AppContext, navigator: Navigator) -> None:
        super().__init__(navigator.window())
        self._context = context
        self._navigator = navigator
        self._remote: RemoteTable | None = None
        self.gateway = PhoneGateway()
        self.gateway.changed.connect(self.changed)
        self.is_requested = False
        """Whether phones are to be served at the current table, or at the table being opened."""
        context.changed.connect(self._on_settings_changed)

    def set_table(self, remote: RemoteTable | None) -> None:
        """Set the visited table, or None to stop the gateway.

        Must be called again after each change of the table, because its code may have changed.
        """
        self._remote = remote
        if remote is None:
            self.is_requested = False
            self.gateway.stop()
        elif self.is_requested:
            self.serve(remote)
        self.changed.emit()

    @property
    def join_url(self) -> str:
        """The address for phones while a seat is free; "" otherwise."""
        info = self._remote.info if self._remote is not None else None
        sitters = info.sitters if info is not None else ()
        free = any(sitter.state == "free" or sitter.vacant for sitter in sitters)
        return self.gateway.addresses[0] if free and self.gateway.addresses else ""

    def serve(self, remote: RemoteTable) -> None:
        """Request phones, and start the gateway if the invitation to the table is known already."""
        invitation, info = remote.guest.invitation, remote.info
        self.is_requested = True
        if invitation is not None and info is not None and remote.is_host:
            self.gateway.start(
                format_link(
                    InviteLink(
                        OWN_HOST,
                        invitation.port,
                        info.table,
                        invitation.code,
                        invitation.fingerprint,
                    )
                ),
                self._context.settings.phones_encrypted,
            )

    def show_dialog(self) -> None:
        """Show the invitation for phones to players who take a freed seat during a match."""
        if self._remote is None or not self._remote.is_host:
            return
        self.serve(self._remote)
        dialog = QDialog(self._navigator.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(self._context.words("Hands on phones"))
        card = PhonesCard(self._context, self.gateway)
        card.setProperty("kind", "")  # the dialog already has a paper background
        card.more_button.setText(self._context.words(labels.CLOSE))
        card.more_button.setProperty("kind", "primary")
        card.other_computers_requested.connect(dialog.accept)
        card.help_requested.connect(self.show_help)
        column = QVBoxLayout(dialog)
        column.addWidget(card)
        make_sheet(dialog)
        dialog.setFixedWidth(DIALOG_WIDTH_PX)
        dialog.open()

    def _on_settings_changed(self, changed: frozenset[str]) -> None:
        """Restart the gateway with another encryption, after a question if it has visitors."""
        context, gateway = self._context, self.gateway
        encrypted = context.settings.phones_encrypted
        if (
            "phones_encrypted" not in changed
            or self._remote is None
            or not gateway.is_requested
            or encrypted == gateway.is_encrypted
        ):
            return
        words, window = context.words, self._navigator.window()
        if gateway.visitor_addresses and not ask_question(
            words,
            window,
            words("Connected phones are cut off and must scan the new code. Change it now?"),
            words("Change it now"),
            words(labels.CANCEL),
        ):
            context.change_settings(phones_encrypted=gateway.is_encrypted)
            return
        self.serve(self._remote)

    def show_help(self) -> None:
        """Show the help page for phones that can't connect."""
        self._navigator.show_overlay(PhonesHelp(self._context, self.gateway))
