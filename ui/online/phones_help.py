"""A help page for phones that can't connect, with a test of this computer's addresses."""

from __future__ import annotations

import socket
from functools import partial
from urllib.parse import urlsplit

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from tabletop.text.phrases import phrase
from ui.online.network_choice import NetworkChoice
from ui.online.phone_gateway import DEFAULT_PORT, PhoneGateway
from ui.shell.app_context import AppContext
from ui.shell.background_call import run_in_background
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.help_page import HelpPage
from ui.widgets.qr_code import QrCodeButton, address_to_type
from ui.widgets.styled_widgets import button, label

QR_SIDE_PX = 148
CONNECT_TIMEOUT_S = 3.0
"""The time in seconds within which a tested address must accept a connection."""


class PhonesHelp(HelpPage):
    """Help for phones that can't connect. If the gateway runs, its addresses are tested."""

    def __init__(self, context: AppContext, gateway: PhoneGateway | None = None) -> None:
        port = gateway.port if gateway is not None else DEFAULT_PORT
        heading = phrase("Phones can't connect?")
        super().__init__(context, heading, partial(paragraphs, context, port))
        self._gateway = gateway
        self.results_label = label(wrap=True)
        """A label with the results of the test."""
        self.picture = QrCodeButton(context, QR_SIDE_PX)
        self.instructions_label = label("caption", wrap=True)
        self.network = NetworkChoice(context, brief=True)
        """A menu button for the network by which phones connect."""
        self.test_button = button()
        self.test_button.clicked.connect(self._test_addresses)
        parts: list[Part] = [
            STRETCH,
            self.instructions_label,
            self.network,
            self.results_label,
            STRETCH,
        ]
        texts = lay(QVBoxLayout(), parts, spacing=6)
        middle = lay(QHBoxLayout(), [(texts, 1), self.picture], spacing=16)
        self.column.addLayout(middle)
        self.column.addWidget(self.test_button, 0, Qt.AlignmentFlag.AlignLeft)
        if gateway is not None:
            gateway.changed.connect(self._show_results)
            self.network.network_chosen.connect(gateway.set_preferred_address)
        self._results: dict[str, bool] = {}
        self.refresh_appearance()

    def refresh_appearance(self) -> None:
        super().refresh_appearance()
        self.test_button.setText(self.context.words("Test it"))
        self._show_results()

    def _show_results(self) -> None:
        words, gateway = self.context.words, self._gateway
        addresses = gateway.addresses if gateway is not None else ()
        self.picture.setVisible(bool(addresses))
        self.test_button.setEnabled(bool(addresses))
        if not addresses or gateway is None:
            self.instructions_label.setText(
                words("To test it, first open a table with “Hands on phones”.")
            )
            return
        self.network.show_addresses(gateway.host_names, gateway.port)
        test_address = addresses[0].partition("#")[0] + "reach"
        self.picture.show_text(test_address)
        self.instructions_label.setText(
            words(
                "Scan this with your phone, or open {address}. The page tells you "
                "whether your phone can reach this computer.",
                address=address_to_type(test_address),
            )
        )
        lines = [
            words("{address}: answers from this computer.", address=place)
            if good
            else words("{address}: no answer, not even from this computer.", address=place)
            for place, good in self._results.items()
        ]
        if gateway.visitor_addresses:
            names = words.join_list(gateway.visitor_addresses)
            lines.append(words("Connected so far: {names}.", names=names))
        elif self._results:
            lines.append(words("No phone has connected yet."))
        self.results_label.setText("\n".join(lines))

    def _test_addresses(self) -> None:
        self._results = {}
        for address in self._gateway.addresses if self._gateway is not None else ():
            run_in_background(partial(_try_connect, address), "address test", self._on_tested)

    def _on_tested(self, result: tuple[str, bool]) -> None:
        address, good = result
        self._results[address_to_type(address.partition("#")[0])] = good
        self._show_results()


def _try_connect(address: str) -> tuple[str, bool]:
    """Return `address` and whether it accepts a TCP connection."""
    place = urlsplit(address)
    try:
        socket.create_connection(
            (place.hostname or "", place.port or 80), CONNECT_TIMEOUT_S
        ).close()
    except OSError:
        return address, False
    return address, True


def paragraphs(context: AppContext, port: int) -> tuple[str, ...]:
    """Return a paragraph for each likely cause. `port` is the port of the gateway."""
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
