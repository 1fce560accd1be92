"""Requests of browsers: their origin and language, and answers that say how long they are kept."""

from starlette.requests import HTTPConnection
from starlette.responses import Response

from tabletop.language.languages import LANGUAGES
from tabletop.net.limits import origin
from tabletop.text.language_code import LANGUAGE_CODE


def connection_origin(connection: HTTPConnection) -> str:
    """The origin by which a browser is counted; "" if it has gone already."""
    return origin(connection.client.host) if connection.client is not None else ""


def accepted_languages(connection: HTTPConnection) -> str:
    """The languages that a browser accepts, as its header has them."""
    return connection.headers.get("accept-language", "")


def choose_language(wished: str, accepted: str) -> str:
    """Choose a browser's language: the one chosen there, which may be one that only a game has;
    else the first of the program's that the browser accepts (its header), else English."""
    if LANGUAGE_CODE.fullmatch(wished):
        return wished
    first = (part.split(";")[0].strip().lower()[:2] for part in accepted[:200].split(","))
    return next((each for each in first if each in LANGUAGES), "en")


def cached_response(content: bytes | str, mime: str, kept: str, status: int = 200) -> Response:
    """A response with this content; `kept` says whether and how long caches keep it."""
    return Response(content, status, {"cache-control": kept}, mime)
