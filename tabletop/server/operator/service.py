"""HTTP service of a running server for its operator's commands and for Prometheus.

GET /health /metrics                         for machines, as text
GET /status /tables /guests                  as JSON (`overview`)
POST /kick /ban /close /announce ...         an order as JSON, answered by an `OrderResult`
"""

from collections.abc import Callable
from importlib.util import find_spec
from time import time
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tabletop.engine.model import Reason
from tabletop.engine.play import Illegal
from tabletop.language.languages import LANGUAGES
from tabletop.language.words import Words
from tabletop.server.operator import overview
from tabletop.server.operator.actions import NeedsConfirmation, OperatorActions
from tabletop.server.server import TableServer

MAX_ORDER_BYTES = 4096
"""The maximum size of an order."""
METRICS_LIBRARY = "prometheus_client"
NO_FIGURES = Reason(
    "Figures for Prometheus need prometheus-client: pip install 'tabletop-taku[server]'"
)
NO_ORDER = Reason("The server can't understand this command.")


class Kick(Struct, frozen=True, forbid_unknown_fields=True):
    who: str


class Ban(Struct, frozen=True, forbid_unknown_fields=True):
    who: str
    lift: bool = False
    alone: bool = False
    """Whether to ask for confirmation before other guests are sent away, too."""


class Close(Struct, frozen=True, forbid_unknown_fields=True):
    table: str


class Announce(Struct, frozen=True, forbid_unknown_fields=True):
    text: str
    table: str = ""
    """The table; empty for all tables."""


class Drain(Struct, frozen=True, forbid_unknown_fields=True):
    pass


class RotateKey(Struct, frozen=True, forbid_unknown_fields=True):
    pass


ORDERS: dict[str, tuple[type[Struct], Callable[..., Reason]]] = {
    "kick": (Kick, OperatorActions.kick),
    "ban": (Ban, OperatorActions.ban),
    "close": (Close, OperatorActions.close),
    "announce": (Announce, OperatorActions.announce),
    "drain": (Drain, OperatorActions.drain),
    "rotate-key": (RotateKey, OperatorActions.rotate_key),
}
"""The type of each order and the method that carries it out, by the order's name."""


class OrderResult(Struct, frozen=True, omit_defaults=True):
    """The result of an order, or with status 409 the reason why nothing was done."""

    told: str
    """A sentence in the requested language."""
    asks: bool = False
    """Whether the order is carried out if it is repeated with confirmation."""


def has_metrics_library() -> bool:
    """Return whether the Prometheus library is installed."""
    return find_spec(METRICS_LIBRARY) is not None


class OperatorService:
    """The service of one running server."""

    def __init__(self, host: TableServer) -> None:
        self._host = host
        self._actions = OperatorActions(host)
        self._since = time()
        self._figures: Callable[[bool], bytes] | None = None

    def for_machines(self) -> list[Route]:
        """Return the routes that reveal no names and change nothing."""
        return [Route("/health", self._health), Route("/metrics", self._metrics)]

    def for_owner(self) -> list[Route]:
        """Return all routes, for clients that may read the server's folder."""
        return [
            *self.for_machines(),
            Route("/status", self._status),
            Route("/tables", self._tables),
            Route("/guests", self._guests),
            *(Route(f"/{name}", self._order, methods=["POST"]) for name in ORDERS),
        ]

    # For machines

    async def _health(self, request: Request) -> Response:
        status, text = await self._host.health.report()
        return Response(text, status, media_type="text/plain")

    async def _metrics(self, request: Request) -> Response:
        if self._figures is None:
            if not has_metrics_library():
                return Response(f"{NO_FIGURES.text}\n", 501, media_type="text/plain")
            from tabletop.server.operator.figures import CONTENT_TYPE, MetricsCollector

            self._figures, self._type = MetricsCollector(self._host).text, CONTENT_TYPE
        trouble = await self._host.health.trouble()
        return Response(self._figures(trouble is None), headers={"content-type": self._type})

    # For people

    async def _status(self, request: Request) -> Response:
        trouble = await self._host.health.trouble()
        sentence = _words(request).reason(trouble) if trouble is not None else ""
        return _json_response(overview.status(self._host, self._since, sentence))

    async def _tables(self, request: Request) -> Response:
        return _json_response(overview.tables(self._host))

    async def _guests(self, request: Request) -> Response:
        return _json_response(overview.guests(self._host))

    async def _order(self, request: Request) -> Response:
        words = _words(request)
        try:
            kind, carry_out = ORDERS[request.url.path[1:]]
            order = msgspec.json.decode(await _read_body(request), type=kind)
            answer = carry_out(self._actions, **asdict(order))
        except (ValueError, msgspec.MsgspecError):
            return _json_response(OrderResult(words.reason(NO_ORDER)), 400)
        except Illegal as illegal:
            asks = isinstance(illegal, NeedsConfirmation)
            return _json_response(OrderResult(words.reason(illegal.reason), asks), 409)
        return _json_response(OrderResult(words.reason(answer)))


async def _read_body(request: Request) -> bytes:
    """Return the request's body.

    Raises:
        ValueError: the body is larger than `MAX_ORDER_BYTES`.
    """
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > MAX_ORDER_BYTES:
            raise ValueError("too large for an order")
    return body


def _words(request: Request) -> Words:
    wanted = request.headers.get("accept-language", "")[:2]
    return Words(wanted if wanted in LANGUAGES else LANGUAGES[0])


def _json_response(content: Any, status: int = 200) -> Response:
    return Response(
        msgspec.json.encode(content),
        status,
        media_type="application/json",
        headers={"cache-control": "no-store"},
    )
