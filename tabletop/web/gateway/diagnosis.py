"""HTTP routes that tell a page why it gets no WebSocket, although it was loaded."""

import re
from collections.abc import Callable

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from tabletop.language.words import Words
from tabletop.text.phrases import phrase
from tabletop.web.browser_requests import accepted_languages, choose_language
from tabletop.web.http_proxy import ProxyLog

ORIGIN_UNKNOWN = phrase(
    "The computer behind this page doesn't know the address {origin}. Whoever runs it has to start "
    "it with --origin {origin}."
)
FILES_MISSING = phrase(
    "A file of this page couldn't be loaded. Load the page again. If a proxy serves it, the proxy "
    "has to pass on every file."
)
NO_SOCKETS = phrase(
    "A proxy between this page and its computer blocks WebSockets. Whoever runs it has to let them "
    "through."
)
_ORIGIN = re.compile(r"https?://[A-Za-z0-9.:\[\]-]{1,255}")
NEEDS_UPGRADE = b"This address is for WebSockets only. A proxy must forward the header Upgrade.\n"


class Diagnosis:
    """Finds the cause if a page can't open its socket."""

    def __init__(self, is_own_origin: Callable[[str, str], bool], proxy_log: ProxyLog) -> None:
        """`is_own_origin`: returns whether a page of an origin, requested at a host, may open a
        socket.
        """
        self._is_own_origin = is_own_origin
        self._log = proxy_log

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/why", self._why),
            Route("/ws", self._refuse_request),
            Route("/#{code}", self._correct_link),
        ]

    async def _why(self, request: Request) -> Response:
        """Return two sentences: `files` says why the page's files can't be loaded, and `socket` why
        its socket can't be opened.
        """
        words = Words(choose_language("", accepted_languages(request)))
        origin, host = request.query_params.get("origin", ""), request.headers.get("host", "")
        refused = _is_origin(origin) and not self._is_own_origin(origin, host)
        why = words(ORIGIN_UNKNOWN, origin=origin) if refused else ""
        told = {"files": why or words(FILES_MISSING), "socket": why or words(NO_SOCKETS)}
        return Response(
            msgspec.json.encode(told),
            media_type="application/json",
            headers={"cache-control": "no-store"},
        )

    async def _refuse_request(self, request: Request) -> Response:
        """Refuse a plain request for the socket. A proxy may have removed its Upgrade header."""
        if "sec-websocket-key" in request.headers:
            self._log.warn("refused cause=upgrade; the proxy doesn't forward the header Upgrade")
        return Response(
            NEEDS_UPGRADE, 426, media_type="text/plain", headers={"upgrade": "websocket"}
        )

    async def _correct_link(self, request: Request) -> Response:
        """Redirect a link whose # was escaped to the page."""
        return RedirectResponse(f"./#{request.path_params['code']}")


def _is_origin(text: str) -> bool:
    """Return whether `text` is the origin of a web page."""
    return _ORIGIN.fullmatch(text) is not None
