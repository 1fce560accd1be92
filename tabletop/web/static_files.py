"""Static files of the page, read once. Their URLs contain a digest, so
browsers can cache them forever.
"""

import mimetypes
from hashlib import sha256
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from tabletop.web.browser_requests import cached_response
from tabletop.web.http_proxy import came_through_proxy

BASE_PLACEHOLDER = b"@BASE@"
"""The placeholder in index.html for the path of the other files."""
IMMUTABLE = "public, max-age=31536000, immutable"
MIME_TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".html": "text/html",
    ".webmanifest": "application/manifest+json",
}


class StaticFiles:
    """Serves all files in a folder."""

    def __init__(self, folder: Path | None, prefix: str = "/s") -> None:
        """`folder`: None for a gateway without a page. Files are served under `prefix`, followed by
        the digest of all files.
        """
        self._prefix = prefix
        found = sorted(folder.rglob("*")) if folder is not None else []
        self._files = {
            file.relative_to(folder).as_posix(): file.read_bytes()
            for file in found
            if folder is not None and file.is_file() and not file.name.startswith(".")
        }
        digest = sha256()
        for name, content in self._files.items():
            digest.update(f"{name} {len(content)}\n".encode() + content)
        self.base = f"{prefix}/{digest.hexdigest()[:16]}"

    def index(self, request: Request) -> Response:
        """Return index.html, which browsers revalidate at each load. Through a proxy, the links of
        a page at the root are relative, because the proxy may serve the page from a folder.
        """
        relative = request.url.path == "/" and came_through_proxy(request.scope)
        base = self.base.removeprefix("/") if relative else self.base
        return self._answer("index.html", "no-cache", base)

    def file(self, request: Request) -> Response:
        """Return any other file, if the digest in its path is current."""
        if f"{self._prefix}/{request.path_params['digest']}" != self.base:
            return Response(status_code=404)
        return self._answer(request.path_params["name"], IMMUTABLE)

    def _answer(self, name: str, kept: str, base: str = "") -> Response:
        content = self._files.get(name)
        if content is None:
            return Response(status_code=404)
        mime = MIME_TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0]
        content = (
            content.replace(BASE_PLACEHOLDER, base.encode()) if name == "index.html" else content
        )
        return cached_response(content, mime or "application/octet-stream", kept)
