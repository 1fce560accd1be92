"""Origin check of the gateway, against cross-site requests and DNS rebinding.

A page of another site can make a browser send requests to any address, or to a host name that the
site resolves to this computer. So the `Host` header must name this computer, and a socket's
`Origin` must be this gateway.
"""

import re
import socket
from collections.abc import Callable, Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tabletop.language.words import Words
from tabletop.text.phrases import phrase
from tabletop.web.browser_requests import accepted_languages, choose_language
from tabletop.web.http_proxy import NO_PROXY, HttpProxy, ProxyLog

SECURITY_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}


MAX_NOTED_ADDRESSES = 1000
_HOST_NAME = re.compile(r"[a-z0-9_-][a-z0-9._-]{0,252}")
NAME_REFUSED = phrase(
    'This page can\'t be opened under the name "{name}". Open it by its IP address, or ask whoever '
    "runs it to start it with --name {name}."
)
REQUEST_REFUSED = phrase("This request didn't come from this page. Open the page itself.")


TLS_HEADERS = {"cross-origin-opener-policy": "same-origin"}
"""Headers that browsers accept over TLS only, and warn about otherwise."""


def content_security_policy(host: str, secure: bool, public: str = "") -> str:
    """Return the page's content security policy, which allows only this gateway and its public
    origin.

    The socket's URL is listed for Safari up to 15.3, whose 'self' excludes sockets. A policy can't
    contain an IPv6 address.
    """
    line = "" if host.startswith("[") else f" {'wss' if secure else 'ws'}://{host}"
    if public and "[" not in public:
        line += " " + public.replace("http", "ws", 1)
    return (
        f"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        f"font-src 'self'; connect-src 'self'{line}; manifest-src 'self'; base-uri 'none'; "
        f"form-action 'none'; frame-ancestors 'none'"
    )


def own_host_names() -> frozenset[str]:
    """Return the names of this computer on its local network."""
    name = socket.gethostname().lower().partition(".")[0]
    return frozenset(("localhost", name, f"{name}.local", f"{name}.lan", f"{name}.home"))


class OriginCheck:
    """ASGI middleware that refuses requests from other sites, and adds security headers."""

    def __init__(
        self,
        app: ASGIApp,
        names: Iterable[str] = (),
        secure: bool = False,
        visited: Callable[[str], None] = lambda address: None,
        proxy: HttpProxy = NO_PROXY,
        proxy_log: ProxyLog | None = None,
    ) -> None:
        """`names`: further names of the gateway; IP addresses are always accepted. `visited` is
        called once with each client address. `proxy`: its public origin is accepted, too.
        """
        self._app = app
        public = {proxy.host} if proxy.host else set()
        self._names = own_host_names() | {name.lower() for name in names} | public
        self._secure = secure
        self._public = proxy.origin
        self._log = proxy_log or ProxyLog()
        self._visited = visited
        self._came: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        sent = [(name.decode("latin-1"), value) for name, value in scope["headers"]]
        hosts = [value.decode("latin-1") for name, value in sent if name == "host"]
        origins = [value.decode("latin-1") for name, value in sent if name == "origin"]
        host = hosts[0] if len(hosts) == 1 else ""
        if not self._knows(host) or not self._from_here(scope["type"], host, origins):
            self._log_refusal(host, origins)
            await _refuse(scope, send)
            return
        self._note(scope)
        more = TLS_HEADERS if self._secure or self._public.startswith("https:") else {}
        headers = (
            SECURITY_HEADERS
            | more
            | {"content-security-policy": content_security_policy(host, self._secure, self._public)}
        )
        added = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], *added]}
            await send(message)

        await self._app(scope, receive, with_headers)

    def _note(self, scope: Scope) -> None:
        client = scope.get("client")
        address = client[0].removeprefix("::ffff:") if client is not None else ""
        if address and address not in self._came and len(self._came) < MAX_NOTED_ADDRESSES:
            self._came.add(address)
            self._visited(address)

    def _knows(self, host: str) -> bool:
        """Return whether `host` names this gateway."""
        if not host or any(sign in host for sign in "/?#@ ;,'\"\\") or not host.isascii():
            return False
        try:
            parts = urlsplit(f"//{host}")
            name, _ = parts.hostname or "", parts.port
        except ValueError:
            return False
        try:
            ip_address(name.partition("%")[0])
        except ValueError:
            return name in self._names
        return True

    def _from_here(self, kind: str, host: str, origins: list[str]) -> bool:
        """Return whether a request comes from the gateway's own page. Requests without an origin
        are accepted, except for WebSockets.
        """
        if kind == "websocket" and len(origins) != 1:
            return False
        return all(self.is_own_origin(origin, host) for origin in origins)

    def is_own_origin(self, origin: str, host: str) -> bool:
        """Return whether a page of `origin` is the gateway's own page, requested at `host`."""
        here = f"{'https' if self._secure else 'http'}://{host}".lower()
        return origin.lower() in (here, self._public or here)

    def _log_refusal(self, host: str, origins: list[str]) -> None:
        if not self._knows(host):
            self._log.warn("refused cause=host; start with --name or --origin host=%r", host[:80])
        else:
            line = "refused cause=origin; for a proxy, start with --origin origin=%r host=%r"
            self._log.warn(line, ", ".join(origins)[:80], host)


async def _refuse(scope: Scope, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    request = HTTPConnection(scope)
    words = Words(choose_language("", accepted_languages(request)))
    name = request.headers.get("host", "").lower().partition(":")[0]
    is_named = bool(_HOST_NAME.fullmatch(name)) and "origin" not in request.headers
    text = words(NAME_REFUSED, name=name) if is_named else words(REQUEST_REFUSED)
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-language", words.language.encode()),
        (b"x-content-type-options", b"nosniff"),
    ]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": f"{text}\n".encode()})
