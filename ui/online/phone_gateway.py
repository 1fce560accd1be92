"""Runs the web gateway for phones in a separate process while its table is visited.

If the process dies, it is restarted on the same port, and phones reconnect with their tokens.
"""

from __future__ import annotations

from urllib.parse import urlsplit

import msgspec
from PySide6.QtCore import QObject, QProcess, QTimer, Signal

from tabletop.background import faults
from ui.shell import own_process

DEFAULT_PORT = 18980
"""The default port of the web page for phones; if it is in use, the next free one is taken."""
MIN_RESTART_DELAY_MS, MAX_RESTART_DELAY_MS = 300, 5000
"""The first and the maximum delay, in milliseconds, before the gateway is restarted.

The first restart is immediate; afterwards the delay doubles each time.
"""
EXIT_TIMEOUT_MS = 2000
"""The time in milliseconds after which a gateway process that doesn't exit is killed."""
LINK_VARIABLE = "TABLETOP_WEB_LINK"
"""The environment variable that passes the invitation link to the gateway.

A command-line argument would be visible to all users in the process list.
"""


class PhoneGateway(QObject):
    """The web gateway of the table hosted by this window, with at most one process at a time."""

    changed = Signal()
    """The gateway has started, stopped or failed, or its addresses or visitors have changed."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: tuple[str, ...] = ()
        """The web addresses for phones with the table's code; empty until the gateway listens."""
        self.visitor_addresses: tuple[str, ...] = ()
        """The addresses of all devices that have connected."""
        self.error = ""
        """The system's message if the gateway couldn't run; "" otherwise."""
        self._link = ""
        self.is_encrypted = False
        """Whether the gateway serves HTTPS only."""
        self.preferred_address = ""
        """This computer's address to show first, to phones and to other computers."""
        self.port = DEFAULT_PORT
        """The port on which the gateway listens, or is to listen."""
        self._restart_delay = 0
        self._process: QProcess | None = None
        self._restart_timer = QTimer(self, singleShot=True)
        self._restart_timer.timeout.connect(self._start)

    @property
    def is_requested(self) -> bool:
        """Whether a gateway should be running."""
        return bool(self._link)

    @property
    def host_names(self) -> tuple[str, ...]:
        """The host name or IP address in each of `addresses`."""
        return tuple(urlsplit(each).hostname or "" for each in self.addresses)

    def start(self, link: str, encrypted: bool = False) -> None:
        """Start a gateway for the table of the invitation `link`, in place of the current gateway.

        `encrypted`: whether to serve HTTPS only, with this computer's certificate.
        """
        if (link, encrypted) == (self._link, self.is_encrypted):
            return
        self.stop()
        self._link, self.is_encrypted = link, encrypted
        self._start()
        self.changed.emit()

    def stop(self) -> None:
        """Stop the gateway, which tells phones that the table is closed."""
        self._restart_timer.stop()
        process, self._process = self._process, None
        self._link, self.addresses, self.visitor_addresses, self.error = "", (), (), ""
        self._restart_delay = 0
        if process is not None:
            process.readyReadStandardOutput.disconnect(self._read_output)
            process.finished.disconnect(self._restart)
            process.errorOccurred.disconnect(self._report_failure)
            process.closeWriteChannel()
            process.terminate()
            if not process.waitForFinished(EXIT_TIMEOUT_MS):
                process.kill()
                process.waitForFinished(EXIT_TIMEOUT_MS)
            process.deleteLater()
            self.changed.emit()

    def set_preferred_address(self, host: str) -> None:
        """Show `host`, an address of this computer, first."""
        self.preferred_address = host
        self.addresses = tuple(sorted(self.addresses, key=self._is_not_preferred))
        self.changed.emit()

    def _is_not_preferred(self, address: str) -> bool:
        return urlsplit(address).hostname != self.preferred_address

    def _start(self) -> None:
        self._process = process = QProcess(self)
        process.setProcessChannelMode(QProcess.ProcessChannelMode.ForwardedErrorChannel)
        process.readyReadStandardOutput.connect(self._read_output)
        process.finished.connect(self._restart)
        process.errorOccurred.connect(self._report_failure)
        arguments = ["web", "--port", str(self.port), "--with-parent"]
        if self.is_encrypted:
            arguments.append("--tls")
        own_process.start(process, arguments, {LINK_VARIABLE: self._link})

    def _read_output(self) -> None:
        """Parse the lines that the gateway has printed. A "listening" line resets the addresses."""
        process, updated = self._process, False
        while process is not None and process.canReadLine():
            line = bytes(process.readLine().data()).decode(errors="replace")
            word, _, rest = line.strip().partition(" ")
            match word:
                case "listening" if rest.isdecimal():
                    self.port, self._restart_delay = int(rest), 0
                    self.addresses, self.error = (), ""
                case "address":
                    self.addresses = tuple(
                        sorted((*self.addresses, rest), key=self._is_not_preferred)
                    )
                case "visitor" if rest not in self.visitor_addresses:
                    self.visitor_addresses = (*self.visitor_addresses, rest)
                case "trouble":
                    self.error = rest
                case "fault":
                    self._report_exception(rest)
                case _:
                    continue
            updated = True
        if updated:
            self.changed.emit()

    @staticmethod
    def _report_exception(trace: str) -> None:
        """Report an exception of the gateway process; `trace` is its traceback."""
        try:
            faults.report_remote_fault(msgspec.json.decode(trace, type=str), "the phones' page")
        except msgspec.MsgspecError:
            faults.report_remote_fault(trace, "the phones' page")

    def _report_failure(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart and self._process is not None:
            self.error = self._process.errorString()
            self._restart()

    def _restart(self) -> None:
        """Restart the gateway after it has exited unexpectedly, with an increasing delay."""
        process, self._process = self._process, None
        if process is not None:
            process.deleteLater()
        self._restart_timer.start(self._restart_delay)
        self._restart_delay = min(
            MAX_RESTART_DELAY_MS, max(MIN_RESTART_DELAY_MS, self._restart_delay * 2)
        )
        self.changed.emit()
