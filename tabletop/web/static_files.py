"""The files of the page: read and packed once, named by their content, kept by browsers."""

import gzip
import mimetypes
from hashlib import sha256
from pathlib import Path

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

BASE = b"@BASE@"
"""The placeholder in index.html for the path of the other files."""
FOR_EVER = "public, max-age=31536000, immutable"
TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".html": "text/html",
    ".webmanifest": "application/manifest+json",
}
PACKED = ("text/", "application/", "image/svg")
LEAST = 400
"""Bytes below which packing saves nothing."""


class StaticFile(Struct, frozen=True):
    """One file, as it is and packed."""

    content: bytes
    mime: str
    packed: bytes = b""


class StaticFiles:
    """All files of a folder."""

    def __init__(self, folder: Path | None, prefix: str = "/s") -> None:
        """None: there is no page here, only its socket. Under `prefix` and a digest they are
        found."""
        self._prefix = prefix
        self._files: dict[str, StaticFile] = {}
        found = sorted(folder.rglob("*")) if folder is not None else []
        contents = {
            file.relative_to(folder).as_posix(): file.read_bytes()
            for file in found
            if folder is not None and file.is_file() and not file.name.startswith(".")
        }
        digest = sha256()
        for name, content in contents.items():
            digest.update(f"{name} {len(content)}\n".encode() + content)
        self.base = f"{prefix}/{digest.hexdigest()[:16]}"
        for name, content in contents.items():
            whole = content.replace(BASE, self.base.encode()) if name == "index.html" else content
            self._files[name] = _file(name, whole)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._files)

    def index(self, request: Request) -> Response:
        """The page itself, requested again each time."""
        return self._answer(request, "index.html", "no-cache")

    def file(self, request: Request) -> Response:
        """Another file, by the digest of all and its own name."""
        if f"{self._prefix}/{request.path_params['digest']}" != self.base:
            return Response(status_code=404)
        return self._answer(request, request.path_params["name"], FOR_EVER)

    def _answer(self, request: Request, name: str, kept: str) -> Response:
        file = self._files.get(name)
        if file is None:
            return Response(status_code=404)
        headers = {"cache-control": kept, "vary": "accept-encoding"}
        if file.packed and "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
            return Response(file.packed, headers=headers, media_type=file.mime)
        return Response(file.content, headers=headers, media_type=file.mime)


def packed(content: bytes) -> bytes:
    """The content made small; empty where that saves nothing."""
    small = gzip.compress(content, 9, mtime=0) if len(content) >= LEAST else content
    return small if len(small) < len(content) else b""


def _file(name: str, content: bytes) -> StaticFile:
    suffix = Path(name).suffix
    mime = TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    return StaticFile(content, mime, packed(content) if mime.startswith(PACKED) else b"")
