"""Local connection between a server and its owner's commands.

Both ends are on this computer, connected by a Unix socket in the server's folder. Python has no
Unix sockets on Windows: there the server listens on a loopback port, and a file in the folder
contains the port and a key. Anyone who can read the folder can control the server, since the
journals and the certificate are in the folder as well.
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
MAX_SOCKET_PATH_BYTES = 100
"""The longest socket path that every system supports."""
ANSWER_TIMEOUT_S = 30.0
"""The timeout for the server's answer, in seconds."""
HAS_UNIX_SOCKETS = sys.platform != "win32"
"""Whether Python supports Unix sockets on this system."""
LOOPBACK = "127.0.0.1"


class NoServer(Exception):
    """Raised if no server answers in a folder; the text says why."""


class Answer(Struct, frozen=True):
    """A server's HTTP response."""

    status: int
    body: bytes


class _LoopbackEndpoint(Struct, frozen=True):
    """The port and key in the server's file, on systems without Unix sockets."""

    port: int
    key: str


class FolderSocket:
    """The server's end of the connection, as a Unix socket in its folder."""

    def __init__(self, folder: Path) -> None:
        """Listen in `folder`, and replace the socket of a server that ran before.

        Raises:
            OSError: the socket can't be created.
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
        """Stop listening. If another server has replaced the socket, keep the replacement."""
        self.listener.close()
        with suppress(OSError):
            if self._path.stat().st_ino == self._made:
                self._path.unlink()

    def guard(self, app: ASGIApp) -> ASGIApp:
        """Return `app` unchanged: file permissions keep others away."""
        return app


class LoopbackSocket:
    """The server's end of the connection, as a loopback port. Any local program can connect, but
    needs the key.
    """

    def __init__(self, folder: Path) -> None:
        """Listen, and write port and key to a file in `folder`.

        Raises:
            OSError: no port can be used.
            StorageError: the file can't be written.
        """
        self._path = folder / KEY_FILE
        self.name = KEY_FILE
        self.listener = server_socket(LOOPBACK, 0)
        try:
            way = _LoopbackEndpoint(self.listener.getsockname()[1], secrets.token_hex(32))
            self._content = msgspec.json.encode(way)
            self._key = f"Bearer {way.key}".encode()
            write_atomically(self._path, self._content, private=True)
        except BaseException:
            self.listener.close()
            raise

    def close(self) -> None:
        """Stop listening. If another server has replaced the file, keep the replacement."""
        self.listener.close()
        with suppress(OSError):
            if self._path.read_bytes() == self._content:
                self._path.unlink()

    def guard(self, app: ASGIApp) -> ASGIApp:
        """Return `app`, protected by the key."""

        async def check_key(scope: Scope, receive: Receive, send: Send) -> None:
            keys = [value for name, value in scope["headers"] if name == b"authorization"]
            if len(keys) == 1 and secrets.compare_digest(keys[0], self._key):
                await app(scope, receive, send)
            else:
                await PlainTextResponse("The key is missing.\n", 403)(scope, receive, send)

        return check_key


def local_socket(folder: Path) -> FolderSocket | LoopbackSocket:
    """Return a listening socket for the commands of the server in `folder`.

    Raises:
        OSError: the server can't listen.
        StorageError: the file with the key can't be written.
    """
    return FolderSocket(folder) if HAS_UNIX_SOCKETS else LoopbackSocket(folder)


def send_request(folder: Path, what: str, order: bytes | None = None) -> Answer:
    """Send a GET request for the path `what`, or a POST request with `order`,
    to the server of `folder`.

    Raises:
        NoServer: no server answers.
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
    """Return a connection to the server of `folder`, and the authorisation header."""
    if HAS_UNIX_SOCKETS:
        return _FolderConnection(folder), {}
    way = msgspec.json.decode(read_regular(folder / KEY_FILE, KIB), type=_LoopbackEndpoint)
    line = HTTPConnection(LOOPBACK, way.port, timeout=ANSWER_TIMEOUT_S)
    return line, {"authorization": f"Bearer {way.key}"}


class _FolderConnection(HTTPConnection):
    def __init__(self, folder: Path) -> None:
        super().__init__("localhost", timeout=ANSWER_TIMEOUT_S)
        self._folder = folder

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(ANSWER_TIMEOUT_S)
        with _shorten(self._folder / FILE) as path:
            self.sock.connect(path)


@contextmanager
def _shorten(path: Path) -> Iterator[str]:
    """Yield `path` in a form short enough for a socket: on Linux, relative to the opened folder."""
    if len(os.fsencode(path)) <= MAX_SOCKET_PATH_BYTES or not sys.platform.startswith("linux"):
        yield str(path)
        return
    folder = os.open(path.parent, os.O_PATH | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)
