"""A connection to a server on this computer, for its owner alone.

Both ends are here. It is a socket in the server's folder. Python has none of those on Windows:
there it is a port of the loopback address, and a file in the folder holds the port and its key.
Anyone who can read that folder can control the server: the journals and the certificate are there
too.
"""

import os
import secrets
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import msgspec
from msgspec import Struct
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from tabletop.files.atomic_write import write_atomically
from tabletop.files.regular_file import KIB, read_regular
from tabletop.lan.interfaces import server_socket

FILE, KEY_FILE = "operator.sock", "operator.json"
LONGEST = 100
"""Bytes of a socket's path that every system takes."""
PATIENCE = 30.0
"""Seconds that an answer may take."""
IN_FOLDERS = sys.platform != "win32"
"""Whether Python has sockets in folders on this system."""
LOOPBACK = "127.0.0.1"


class NoServer(Exception):
    """No server answers in this folder; the text says why."""


class Answer(Struct, frozen=True):
    """A server's answer."""

    status: int
    body: bytes


class _Way(Struct, frozen=True):
    """A server's file where there are no sockets in folders."""

    port: int
    key: str


class FolderSocket:
    """A server's end, as a socket in its folder."""

    def __init__(self, folder: Path) -> None:
        """Listen in this folder; a server that ran there before is reached no more.

        Raises:
            OSError: there can be no socket.
        """
        self._path = folder / FILE
        self.name = FILE
        self.listener = socket.socket(socket.AF_UNIX)
        try:
            new = self._path.with_name(f".{FILE}.{os.getpid()}")
            new.unlink(missing_ok=True)
            with _shorten(new) as path:
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

    def guard(self, app: ASGIApp) -> ASGIApp:
        """The app as it may be served here: the system itself keeps others away."""
        return app


class LoopbackSocket:
    """A server's end, as a port of the loopback address: any program of this computer can connect,
    and is answered if it knows the key."""

    def __init__(self, folder: Path) -> None:
        """Listen, and write into this folder where. Raises OSError or StorageError."""
        self._path = folder / KEY_FILE
        self.name = KEY_FILE
        self.listener = server_socket(LOOPBACK, 0)
        try:
            way = _Way(self.listener.getsockname()[1], secrets.token_hex(32))
            self._content = msgspec.json.encode(way)
            self._key = f"Bearer {way.key}".encode()
            write_atomically(self._path, self._content, private=True)
        except BaseException:
            self.listener.close()
            raise

    def close(self) -> None:
        """Listen no more; the file of another server, that has taken its place, stays."""
        self.listener.close()
        with suppress(OSError):
            if self._path.read_bytes() == self._content:
                self._path.unlink()

    def guard(self, app: ASGIApp) -> ASGIApp:
        """The app, for requests with the key alone."""

        async def check_key(scope: Scope, receive: Receive, send: Send) -> None:
            keys = [value for name, value in scope["headers"] if name == b"authorization"]
            if len(keys) == 1 and secrets.compare_digest(keys[0], self._key):
                await app(scope, receive, send)
            else:
                await PlainTextResponse("The key is missing.\n", 403)(scope, receive, send)

        return check_key


def local_socket(folder: Path) -> FolderSocket | LoopbackSocket:
    """Listen as this system can.

    Raises:
        OSError, StorageError: it cannot.
    """
    return FolderSocket(folder) if IN_FOLDERS else LoopbackSocket(folder)


def ask(folder: Path, what: str, order: bytes | None = None) -> Answer:
    """Send a request, or an order, to the server of this folder.

    Raises:
        NoServer: none does.
    """
    line: HTTPConnection | None = None
    try:
        line, key = _connect_to(folder)
        line.request("GET" if order is None else "POST", what, order, {"host": "localhost"} | key)
        answer = line.getresponse()
        return Answer(answer.status, answer.read())
    except (FileNotFoundError, ConnectionRefusedError) as error:
        raise NoServer(f'No server runs in "{folder.name}".') from error
    except PermissionError as error:
        raise NoServer(f'The server in "{folder.name}" is another user\'s.') from error
    except TimeoutError as error:
        raise NoServer(f'The server in "{folder.name}" does not answer.') from error
    except (OSError, HTTPException, msgspec.MsgspecError) as error:
        raise NoServer(f'The server in "{folder.name}" ended while it was asked.') from error
    finally:
        if line is not None:
            line.close()


def _connect_to(folder: Path) -> tuple[HTTPConnection, dict[str, str]]:
    """A line to the server of this folder, and the header that it wants to see."""
    if IN_FOLDERS:
        return _FolderLine(folder), {}
    way = msgspec.json.decode(read_regular(folder / KEY_FILE, KIB), type=_Way)
    line = HTTPConnection(LOOPBACK, way.port, timeout=PATIENCE)
    return line, {"authorization": f"Bearer {way.key}"}


class _FolderLine(HTTPConnection):
    def __init__(self, folder: Path) -> None:
        super().__init__("localhost", timeout=PATIENCE)
        self._folder = folder

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(PATIENCE)
        with _shorten(self._folder / FILE) as path:
            self.sock.connect(path)


@contextmanager
def _shorten(path: Path) -> Iterator[str]:
    """The path, short enough for a socket: on Linux, a long one by its open folder."""
    if len(os.fsencode(path)) <= LONGEST or not sys.platform.startswith("linux"):
        yield str(path)
        return
    folder = os.open(path.parent, os.O_PATH | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)
