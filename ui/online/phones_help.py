"""Phones cannot connect? What to look at, and a test of whether this computer can be reached."""

from __future__ import annotations

import socket
from functools import partial
from urllib.parse import urlsplit

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from tabletop.text.phrases import phrase
from ui.online.network_choice import NetworkChoice
from ui.online.phone_gateway import PORT, PhoneGateway
from ui.shell.app_context import AppContext
from ui.shell.background_call import run_in_background
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.help_page import HelpPage
from ui.widgets.qr_code import QrCodeButton, address_to_type
from ui.widgets.styled_widgets import button, label

SIDE = 148
PATIENCE = 3.0
"""Seconds that an address has to answer."""


class PhonesHelp(HelpPage):
    """The page on phones that can't connect, with a test while the page for phones is served."""

    def __init__(self, context: AppContext, gateway: PhoneGateway | None = None) -> None:
        port = gateway.port if gateway is not None else PORT
        heading = phrase("Phones can't connect?")
        super().__init__(context, heading, partial(paragraphs, context, port))
        self._gateway = gateway
        self.found = label(wrap=True)
        """The results of the test."""
        self.picture = QrCodeButton(context, SIDE)
        self.how = label("caption", wrap=True)
        self.network = NetworkChoice(context, brief=True)
        """The network that phones come by, and the choice of another."""
        self.test = button()
        self.test.clicked.connect(self._test_addresses)
        parts: list[Part] = [STRETCH, self.how, self.network, self.found, STRETCH]
        texts = lay(QVBoxLayout(), parts, spacing=6)
        middle = lay(QHBoxLayout(), [(texts, 1), self.picture], spacing=16)
        self.column.addLayout(middle)
        self.column.addWidget(self.test, 0, Qt.AlignmentFlag.AlignLeft)
        if gateway is not None:
            gateway.changed.connect(self._show_results)
            self.network.chosen.connect(gateway.prefer)
        self._results: dict[str, bool] = {}
        self.refresh_appearance()

    def refresh_appearance(self) -> None:
        super().refresh_appearance()
        self.test.setText(self.context.words("Test it"))
        self._show_results()

    def _show_results(self) -> None:
        words, gateway = self.context.words, self._gateway
        addresses = gateway.addresses if gateway is not None else ()
        self.picture.setVisible(bool(addresses))
        self.test.setEnabled(bool(addresses))
        if not addresses or gateway is None:
            self.how.setText(words("To test it, first open a table with “Hands on phones”."))
            return
        self.network.show_addresses(gateway.hosts, gateway.port)
        reach = addresses[0].partition("#")[0] + "reach"
        self.picture.show_text(reach)
        self.how.setText(
            words(
                "Scan this with your phone, or open {address}. The page tells you "
                "whether your phone can reach this computer.",
                address=address_to_type(reach),
            )
        )
        lines = [
            words("{address}: answers from this computer.", address=place)
            if good
            else words("{address}: no answer, not even from this computer.", address=place)
            for place, good in self._results.items()
        ]
        if gateway.visitors:
            names = words.join_list(gateway.visitors)
            lines.append(words("Connected so far: {names}.", names=names))
        elif self._results:
            lines.append(words("No phone has connected yet."))
        self.found.setText("\n".join(lines))

    def _test_addresses(self) -> None:
        self._results = {}
        for address in self._gateway.addresses if self._gateway is not None else ():
            run_in_background(partial(_knock, address), "knock", self._show_knock)

    def _show_knock(self, knocked: tuple[str, bool]) -> None:
        address, good = knocked
        self._results[address_to_type(address.partition("#")[0])] = good
        self._show_results()


def _knock(address: str) -> tuple[str, bool]:
    """The address, and whether anything answers there."""
    place = urlsplit(address)
    try:
        socket.create_connection((place.hostname or "", place.port or 80), PATIENCE).close()
    except OSError:
        return address, False
    return address, True


def paragraphs(context: AppContext, port: int) -> tuple[str, ...]:
    """The likely causes, the most likely first."""
    words = context.words
    return (
        words(
            "Your phone and this computer must be on the same network: the same Wi-Fi or router."
        ),
        words(
            "Guest Wi-Fi often isolates devices: use another Wi-Fi. A phone on mobile "
            "data or a VPN is on another network."
        ),
        words("This computer's firewall must allow TCP port {port}.", port=port),
        words(
            "If the browser searches instead of opening the page, type {scheme}:// in "
            "front of the address.",
            scheme="https" if context.settings.phones_encrypted else "http",
        ),
    )
