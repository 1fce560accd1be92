"""The web gateway as the window holds it: a process of its own that starts and ends with a table.

A gateway that dies takes nothing along: a new one is started on the same port, and every phone is
back at its question by its own token.
"""

from __future__ import annotations

from urllib.parse import urlsplit

import msgspec
from PySide6.QtCore import QObject, QProcess, QTimer, Signal

from tabletop.background import faults
from ui.shell import own_process

PORT = 18980
"""The port of the phones' page; if it is taken, the next free one."""
SOON, LATER = 300, 5000
"""A gateway that has died is restarted at once; if it fails again, after the first of these, then
after twice the wait each time, at most the second; in milliseconds."""
PATIENCE = 2000
"""Milliseconds that a gateway has to end by itself."""
LINK = "TABLETOP_WEB_LINK"
"""The environment variable with the table's link: a process list would show an argument to
everybody."""


class PhoneGateway(QObject):
    """At most one gateway, for the table that this window hosts."""

    changed = Signal()
    """The gateway has started, stopped or failed."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: tuple[str, ...] = ()
        """The addresses for phones, each with the table's code; none until the gateway listens."""
        self.visitors: tuple[str, ...] = ()
        """The addresses from which browsers have come so far."""
        self.trouble = ""
        """Why the gateway doesn't run, as the system puts it."""
        self._link = ""
        self._encrypted = False
        self.preferred = ""
        """The address of this computer by which others are to come: phones, and other computers."""
        self.port = PORT
        """The port on which it listens, once it does."""
        self._pause = 0
        self._process: QProcess | None = None
        self._again = QTimer(self, singleShot=True)
        self._again.timeout.connect(self._start)

    @property
    def wanted(self) -> bool:
        """Whether a gateway is to run."""
        return bool(self._link)

    @property
    def hosts(self) -> tuple[str, ...]:
        """The addresses of this computer by which phones may come, as in `addresses`."""
        return tuple(urlsplit(each).hostname or "" for each in self.addresses)

    def begin(self, link: str, encrypted: bool = False) -> None:
        """Have a gateway to the table of this invitation link; another one ends. `encrypted`: it
        speaks TLS, by this computer's certificate, and nothing else."""
        if (link, encrypted) == (self._link, self._encrypted):
            return
        self.end()
        self._link, self._encrypted = link, encrypted
        self._start()
        self.changed.emit()

    def end(self) -> None:
        """End the gateway; phones are notified that the table is gone."""
        self._again.stop()
        process, self._process = self._process, None
        self._link, self.addresses, self.visitors, self.trouble = "", (), (), ""
        self._pause = 0
        if process is not None:
            process.readyReadStandardOutput.disconnect(self._read)
            process.finished.disconnect(self._restart)
            process.errorOccurred.disconnect(self._report_failure)
            process.closeWriteChannel()
            process.terminate()
            if not process.waitForFinished(PATIENCE):
                process.kill()
                process.waitForFinished(PATIENCE)
            process.deleteLater()
            self.changed.emit()

    def prefer(self, host: str) -> None:
        """Name this address of the computer first."""
        self.preferred = host
        self.addresses = tuple(sorted(self.addresses, key=self._is_other))
        self.changed.emit()

    def _is_other(self, address: str) -> bool:
        return urlsplit(address).hostname != self.preferred

    def _start(self) -> None:
        self._process = process = QProcess(self)
        process.setProcessChannelMode(QProcess.ProcessChannelMode.ForwardedErrorChannel)
        process.readyReadStandardOutput.connect(self._read)
        process.finished.connect(self._restart)
        process.errorOccurred.connect(self._report_failure)
        serving = ["web", "--port", str(self.port), "--with-parent"]
        if self._encrypted:
            serving.append("--tls")
        own_process.start(process, serving, {LINK: self._link})

    def _read(self) -> None:
        """Take what it has printed; a place that it prints once more is another one."""
        process, heard = self._process, False
        while process is not None and process.canReadLine():
            line = bytes(process.readLine().data()).decode(errors="replace")
            word, _, rest = line.strip().partition(" ")
            match word:
                case "listening" if rest.isdecimal():
                    self.port, self._pause = int(rest), 0
                    self.addresses, self.trouble = (), ""
                case "address":
                    self.addresses = tuple(sorted((*self.addresses, rest), key=self._is_other))
                case "visitor" if rest not in self.visitors:
                    self.visitors = (*self.visitors, rest)
                case "trouble":
                    self.trouble = rest
                case "fault":
                    self._relay(rest)
                case _:
                    continue
            heard = True
        if heard:
            self.changed.emit()

    @staticmethod
    def _relay(trace: str) -> None:
        """Report a fault of the gateway as one of this program."""
        try:
            faults.report_remote_fault(msgspec.json.decode(trace, type=str), "the phones' page")
        except msgspec.MsgspecError:
            faults.report_remote_fault(trace, "the phones' page")

    def _report_failure(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart and self._process is not None:
            self.trouble = self._process.errorString()
            self._restart()

    def _restart(self) -> None:
        """Restart a gateway that ended by itself."""
        process, self._process = self._process, None
        if process is not None:
            process.deleteLater()
        self._again.start(self._pause)
        self._pause = min(LATER, max(SOON, self._pause * 2))
        self.changed.emit()
