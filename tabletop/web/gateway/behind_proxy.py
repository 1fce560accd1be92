"""ASGI middleware that undoes what a trusted reverse proxy did to requests."""

from starlette.types import ASGIApp, Receive, Scope, Send

from tabletop.web.http_proxy import FORWARDED_FOR, PROXY_HEADERS, HttpProxy, ProxyLog


class BehindProxy:
    """Gives requests the browser's address, and paths without the page's public folder."""

    def __init__(self, app: ASGIApp, proxy: HttpProxy, proxy_log: ProxyLog) -> None:
        self._app = app
        self._proxy = proxy
        self._log = proxy_log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            path: str = scope["path"]
            folder = self._proxy.path
            if folder and path == folder and scope["type"] == "http":
                await _redirect(f"{folder}/", send)
                return
            if folder and path.startswith(f"{folder}/"):
                path = path.removeprefix(folder)
            scope = {**scope, "path": path, "client": self._client(scope)}
        await self._app(scope, receive, send)

    def _client(self, scope: Scope) -> tuple[str, int] | None:
        """Return the browser's address and port. The port is 0 if a proxy reported the address."""
        client: tuple[str, int] | None = scope.get("client")
        if client is None:
            return None
        address = self._proxy.client_address(client[0], scope["headers"])
        names = {name for name, _ in scope["headers"]}
        if FORWARDED_FOR in names and not self._proxy.is_trusted(client[0]):
            line = "X-Forwarded-For ignored: no --proxy for its sender address=%s"
            self._log.warn(line, client[0])
        elif names & PROXY_HEADERS and FORWARDED_FOR not in names:
            line = "proxy sends no X-Forwarded-For, so its browsers share one limit address=%s"
            self._log.warn(line, client[0])
        return client if address == client[0] else (address, 0)


async def _redirect(path: str, send: Send) -> None:
    headers = [(b"location", path.encode()), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 308, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
