"""Helpers for browsers' HTTP requests: address, language and cached responses."""

from starlette.requests import HTTPConnection
from starlette.responses import Response

from tabletop.language.languages import LANGUAGES
from tabletop.net.limits import origin
from tabletop.text.language_code import LANGUAGE_CODE


def connection_origin(connection: HTTPConnection) -> str:
    """Return the origin that limits count the browser under; "" if it has disconnected."""
    return origin(connection.client.host) if connection.client is not None else ""


def accepted_languages(connection: HTTPConnection) -> str:
    """Return the browser's `Accept-Language` header."""
    return connection.headers.get("accept-language", "")


def choose_language(wished: str, accepted: str) -> str:
    """Return the language of a page: `wished` if it is a language code, even one that only a game
    supports; otherwise the first supported language in `accepted`, an `Accept-Language` header;
    otherwise English.
    """
    if LANGUAGE_CODE.fullmatch(wished):
        return wished
    first = (part.split(";")[0].strip().lower()[:2] for part in accepted[:200].split(","))
    return next((each for each in first if each in LANGUAGES), "en")


def cached_response(content: bytes | str, mime: str, kept: str, status: int = 200) -> Response:
    """Return a response with the `Cache-Control` header `kept`."""
    return Response(content, status, {"cache-control": kept}, mime)
