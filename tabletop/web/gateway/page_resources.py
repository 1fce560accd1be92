"""Resources that a page loads beside its socket: faces, pictures of the table, the rulebook."""

from collections.abc import Mapping
from html import escape

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tabletop.caches.lru_cache import LruCache
from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.language.languages import known_language
from tabletop.language.words import Words
from tabletop.text.language_code import LANGUAGE_CODE
from tabletop.web import rulebook
from tabletop.web.browser_requests import accepted_languages, answer, language_of
from tabletop.web.drawer import THEMES, FaceOrder
from tabletop.web.pictures import Pictures
from tabletop.web.static_files import FOR_EVER

WIDTHS = ("128", "192", "256", "384", "512")
"""The widths in which a face is drawn, in pixels."""
REACHED = """<!doctype html>
<html lang="{}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Tabletop 卓</title>
<h1>✓ {}</h1>
<p>{}</p>
</html>
"""
MOST_BYTES = 8 * 1024 * 1024
"""The most bytes of all kept rulebooks."""
A_WHILE = "private, max-age=3600, immutable"


class PageResources:
    """The resources of one gateway."""

    def __init__(self, pictures: Pictures, art: str) -> None:
        """`art`: the version of the faces; empty where there are none."""
        self._pictures = pictures
        self._art = art
        self._rules: LruCache[tuple[str, str], bytes] = LruCache(MOST_BYTES)

    def routes(self) -> list[Route]:
        """The routes of these resources."""
        return [
            Route("/face/{name}", self._face),
            Route("/picture/{name}", self._picture),
            Route("/rules/{name}", self._rulebook),
            Route("/reach", self._reach),
        ]

    async def _face(self, request: Request) -> Response:
        """A face, by the name in pages: game, face, language, version."""
        order = face_order(request.path_params["name"], self._art, request.query_params)
        drawn = await self._pictures.face(order) if order is not None else None
        if drawn is None:
            return Response(status_code=404)
        return answer(drawn.content, drawn.mime, FOR_EVER)

    async def _picture(self, request: Request) -> Response:
        drawn = self._pictures.picture(request.path_params["name"])
        if drawn is None:
            return Response(status_code=404)
        return answer(drawn.content, drawn.mime, A_WHILE)

    async def _rulebook(self, request: Request) -> Response:
        """A rulebook: `sun.ja.json`; in English where the game doesn't have the language."""
        game, _, rest = request.path_params["name"].partition(".")
        kit, wished = _kit_of(game), rest.removesuffix(".json")
        if kit is None or not LANGUAGE_CODE.fullmatch(wished):
            return Response(status_code=404)
        name = game, known_language(kit, wished)
        if (nodes := self._rules.get(name)) is None:
            nodes = rulebook.nodes(kit, name[1])
            self._rules.put(name, nodes, len(nodes))
        return answer(nodes, "application/json", "no-cache")

    async def _reach(self, request: Request) -> Response:
        """A phone that shows this reaches this computer."""
        language = language_of("", accepted_languages(request))
        words = Words(language)
        lines = words("This phone reaches the computer."), words("Now scan the table's own code.")
        content = REACHED.format(language, *map(escape, lines))
        return answer(content, "text/html", "no-store")


def _kit_of(game: str) -> GameKit | None:
    """Return the game of an id in an address; None if it's missing or broken."""
    if game not in catalogue.names():
        return None
    try:
        return catalogue.load(game)
    except LookupError:
        return None


def face_order(name: str, art: str, query: Mapping[str, str]) -> FaceOrder | None:
    """The order for a face by its name and query; None if no page uses such a face."""
    parts = name.split(".", 3)
    if len(parts) != 4 or not art or parts[3] != art:
        return None
    game, key, language, _ = parts
    theme, width = query.get("t", "light"), query.get("w", "256")
    kit = _kit_of(game)
    if (
        kit is None
        or not LANGUAGE_CODE.fullmatch(language)
        or theme not in THEMES
        or width not in WIDTHS
        or key[:1] not in ("k", "b")
        or not (key[1:].isascii() and key[1:].isdecimal())
        or len(key) > 6
    ):
        return None
    number = int(key[1:])
    faces = len(kit.deck) if key[0] == "k" else len(kit.back_names)
    if number >= faces:
        return None
    card, back = (number, -1) if key[0] == "k" else (-1, number)
    return FaceOrder(game, card, back, known_language(kit, language), theme, int(width))
