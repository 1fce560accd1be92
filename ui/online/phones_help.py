"""Phones cannot connect? What to look at, and a test of whether this computer can be reached."""

from __future__ import annotations

import socket
from collections.abc import Callable
from html import escape
from threading import Thread
from urllib.parse import urlsplit

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from ui.online.phone_gateway import PORT, PhoneGateway
from ui.shell.app_context import AppContext
from ui.shell.window_thread import in_window_thread
from ui.widgets.qr_code import Code, typed
from ui.widgets.surface import button, label

WIDE, MARGIN, SIDE = 640, 28, 148
PATIENCE = 3.0
"""Seconds that an address has to answer."""


class PhonesHelp(QDialog):
    """A page of help, with a test where a page for phones is being served."""

    def __init__(
        self, context: AppContext, parent: QWidget, gateway: PhoneGateway | None = None
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._gateway = gateway
        words = context.words
        self.setWindowTitle(words("Phones can't connect?"))
        title, self.text = label("heading"), label(wrap=True)
        title.setText(words("Phones can't connect?"))
        self.text.setTextFormat(Qt.TextFormat.RichText)
        port = gateway.port if gateway is not None else PORT
        self.text.setText("".join(f"<p>{escape(part)}</p>" for part in paragraphs(context, port)))
        self.found = label(wrap=True)
        """What the test has found."""
        self.picture = Code(context, SIDE)
        self._try = label("caption", wrap=True)
        self.test, done = button(), button("primary")
        self.test.setText(words("Test it"))
        self.test.clicked.connect(self._test)
        done.setText(words("Close"))
        done.clicked.connect(self.accept)
        side = QVBoxLayout()
        side.addWidget(self._try)
        side.addWidget(self.found)
        side.addStretch()
        middle = QHBoxLayout()
        middle.setSpacing(16)
        middle.addLayout(side, 1)
        middle.addWidget(self.picture)
        buttons = QHBoxLayout()
        buttons.addWidget(self.test)
        buttons.addStretch()
        buttons.addWidget(done)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, 24, MARGIN, 20)
        column.setSpacing(10)
        column.addWidget(title)
        column.addWidget(self.text)
        column.addLayout(middle)
        column.addLayout(buttons)
        self.setFixedWidth(WIDE)
        if gateway is not None:
            gateway.changed.connect(self._tell)
        self._results: dict[str, bool] = {}
        self._tell()

    def showEvent(self, event: object) -> None:
        """Be as high as the text is in the style that it only now has."""
        inner = WIDE - 2 * MARGIN
        self.text.setFixedSize(inner, self.text.heightForWidth(inner))
        self.adjustSize()

    def _tell(self) -> None:
        """Say what is known of how phones come here."""
        words, gateway = self._context.words, self._gateway
        addresses = gateway.addresses if gateway is not None else ()
        self.picture.setVisible(bool(addresses))
        self.test.setEnabled(bool(addresses))
        if not addresses or gateway is None:
            self._try.setText(words("To test it, first open a table with “Hands on phones”."))
            return
        reach = addresses[0].partition("#")[0] + "reach"
        self.picture.show_text(reach)
        self._try.setText(
            words(
                "Scan this with your phone, or open {address}. The page tells you "
                "whether your phone can reach this computer.",
                address=typed(reach),
            )
        )
        lines = [
            words("{address}: answers from this computer.", address=place)
            if good
            else words("{address}: no answer, not even from this computer.", address=place)
            for place, good in self._results.items()
        ]
        if gateway.visitors:
            names = words(", ").join(gateway.visitors)
            lines.append(words("Connected so far: {names}.", names=names))
        elif self._results:
            lines.append(words("No phone has connected yet."))
        self.found.setText("\n".join(lines))

    def _test(self) -> None:
        """Knock at every address of the page, from this computer."""
        self._results = {}
        tell = in_window_thread(self._knocked)
        for address in self._gateway.addresses if self._gateway is not None else ():
            Thread(target=_knock, args=(address, tell), daemon=True).start()

    def _knocked(self, address: str, good: bool) -> None:
        self._results[typed(address.partition("#")[0])] = good
        self._tell()


def _knock(address: str, tell: Callable[..., None]) -> None:
    """Tell whether anything answers at this address; in any thread."""
    place = urlsplit(address)
    try:
        socket.create_connection((place.hostname or "", place.port or 80), PATIENCE).close()
    except OSError:
        tell(address, False)
    else:
        tell(address, True)


def paragraphs(context: AppContext, port: int) -> tuple[str, ...]:
    """What to look at, the likeliest first."""
    words = context.words
    return (
        words("Phone and computer must be on the same network: the same Wi-Fi, or its router."),
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
