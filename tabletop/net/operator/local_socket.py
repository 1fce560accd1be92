"""The way to a server that runs on this computer: a socket in its folder, its owner's alone.

Both ends stand here. Whoever may write into the folder may steer the server: the journals, the
certificate and the key lie there as well.
"""

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from msgspec import Struct

FILE = "operator.sock"
LONGEST = 100
"""Bytes of a socket's path that every system takes."""
PATIENCE = 30.0
"""Seconds that an answer may take."""
HERE = sys.platform != "win32"
"""Whether this system has such sockets in its Python."""


class NoServer(Exception):
    """No server answers in this folder; the text says why."""


class Answer(Struct, frozen=True):
    """A server's answer."""

    status: int
    body: bytes


class LocalSocket:
    """A server's end."""

    def __init__(self, folder: Path) -> None:
        """Listen in this folder; a server that ran there before is reached no more.

        Raises:
            OSError: there can be no socket.
        """
        self._path = folder / FILE
        self.listener = socket.socket(socket.AF_UNIX)
        try:
            new = self._path.with_name(f".{FILE}.{os.getpid()}")
            new.unlink(missing_ok=True)
            with _short(new) as path:
                self.listener.bind(path)
            new.chmod(0o600)
            self.listener.listen()
            os.replace(new, self._path)
            self._made = self._path.stat().st_ino
        except OSError:
            self.listener.close()
            raise

    def close(self) -> None:
        """Listen no more; another server's socket, that has taken its place, stays."""
        self.listener.close()
        with suppress(OSError):
            if self._path.stat().st_ino == self._made:
                self._path.unlink()


def ask(folder: Path, what: str, order: bytes | None = None) -> Answer:
    """What the server of this folder says to a path, or to an order given there.

    Raises:
        NoServer: none does.
    """
    if not HERE:
        raise NoServer("A running server can't be reached this way on Windows.")
    line = _LocalLine(folder)
    try:
        line.request("GET" if order is None else "POST", what, order, {"host": "localhost"})
        answer = line.getresponse()
        return Answer(answer.status, answer.read())
    except (FileNotFoundError, ConnectionRefusedError) as error:
        raise NoServer(f'No server runs in "{folder.name}".') from error
    except PermissionError as error:
        raise NoServer(f'The server in "{folder.name}" is another user\'s.') from error
    except TimeoutError as error:
        raise NoServer(f'The server in "{folder.name}" does not answer.') from error
    except (OSError, HTTPException) as error:
        raise NoServer(f'The server in "{folder.name}" ended while it was asked.') from error
    finally:
        line.close()


class _LocalLine(HTTPConnection):
    """A line to the socket in a folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__("localhost", timeout=PATIENCE)
        self._folder = folder

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(PATIENCE)
        with _short(self._folder / FILE) as path:
            self.sock.connect(path)


@contextmanager
def _short(path: Path) -> Iterator[str]:
    """The path in as few signs as a socket's may have: on Linux, a long one by its open folder."""
    if len(os.fsencode(path)) <= LONGEST or not sys.platform.startswith("linux"):
        yield str(path)
        return
    folder = os.open(path.parent, os.O_PATH | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)
