"""The operator's page: what whoever runs a server sees and does in a browser.

On an address of the loopback everybody at this computer may open it; elsewhere it speaks TLS by the
server's certificate, and asks for the key in the server's folder. Pages of other sites reach it as
little as the phones' gateway (`Doorway`).
"""

import base64
import binascii
from collections.abc import Sequence
from ipaddress import ip_address
from pathlib import Path

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from tabletop.net.limits import Tries, origin
from tabletop.net.operator.page_words import PAGE
from tabletop.net.table.seats import new_token, same
from tabletop.phrases import phrase
from tabletop.regular_file import KIB
from tabletop.storage.small_file import SmallFile
from tabletop.web.doorway import Doorway
from tabletop.web.static_files import StaticFiles
from tabletop.web.welcome import language_of
from tabletop.words import Words

FILES = Path(__file__).parent / "page"
KEY = "operator.key"
SHORTEST = 16
BROKEN = phrase('"{file}" was damaged and now lies beside as "{aside}": there is a new key.')
WRONG_KEYS, WINDOW = 10, 300
"""So many from one address, in so many seconds."""


class OperatorPage:
    """The page and what it asks, behind its doorway."""

    def __init__(self, app: ASGIApp, secure: bool) -> None:
        self._app = app
        self.secure = secure
        """Whether it is to be spoken to by TLS."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)


class Keyhole:
    """Lets in who says the key, as the password of any user (HTTP Basic)."""

    def __init__(self, app: ASGIApp, key: str) -> None:
        self._app = app
        self._key = key
        self._tries = Tries(WRONG_KEYS, WINDOW)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        client = scope.get("client")
        where = origin(client[0]) if client is not None else ""
        said = _password(Request(scope).headers.get("authorization", ""))
        if self._tries.exhausted(where):
            refused = Response("too many wrong keys\n", 429)
        elif same(said, self._key):
            await self._app(scope, receive, send)
            return
        else:
            if said:
                self._tries.fail(where)
            refused = Response("the key, please\n", 401, {"www-authenticate": 'Basic realm="key"'})
        await refused(scope, receive, send)


def operator_page(routes: Sequence[Route], folder: Path, address: str) -> OperatorPage:
    """The page at this address, with what it asks for (`routes`).

    Raises:
        StorageError: the key in the folder cannot be read or written.
    """
    static = StaticFiles(FILES)
    own = [
        Route("/", static.index),
        Route("/s/{digest}/{name:path}", static.file),
        Route("/words", _words),
    ]
    app: ASGIApp = Starlette(routes=[*own, *routes])
    secure = not ip_address(address).is_loopback
    if secure:
        app = Keyhole(app, key_in(folder))
    return OperatorPage(Doorway(app, secure=secure), secure)


def key_in(folder: Path) -> str:
    """The key of the operator's page, made when it is first wanted.

    Raises:
        StorageError: it cannot be read or written.
    """
    file = SmallFile(folder / KEY, _checked, str.encode, BROKEN, signed=False, most=KIB)
    return file.make(lambda: f"{new_token()}\n").strip()


def _checked(content: bytes) -> str:
    key = content.decode().strip()
    if len(key) < SHORTEST or not key.isascii():
        raise ValueError("too short for a key")
    return key


def _password(authorization: str) -> str:
    kind, _, said = authorization.partition(" ")
    if kind.lower() != "basic":
        return ""
    try:
        return base64.b64decode(said, validate=True).decode().partition(":")[2]
    except (binascii.Error, UnicodeDecodeError):
        return ""


async def _words(request: Request) -> Response:
    """The texts of the page, in the language of whoever asks."""
    language = language_of("", request.headers.get("accept-language", ""))
    words = Words(language)
    told = {"language": language} | {name: words(text) for name, text in PAGE.items()}
    return Response(msgspec.json.encode(told), media_type="application/json")
