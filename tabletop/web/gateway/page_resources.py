"""HTTP routes for card faces, pictures and rulebooks."""

from collections.abc import Mapping
from html import escape

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tabletop.caches.lru_cache import LruCache
from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.language.languages import supported_language
from tabletop.language.words import Words
from tabletop.text.language_code import LANGUAGE_CODE
from tabletop.web import rulebook
from tabletop.web.browser_requests import accepted_languages, cached_response, choose_language
from tabletop.web.drawer import BOX_KEY, THEMES, FaceOrder
from tabletop.web.pictures import Pictures
from tabletop.web.static_files import IMMUTABLE

FACE_WIDTHS = ("128", "192", "256", "384", "512")
"""The available widths of card face images, in pixels."""
REACH_PAGE = """<!doctype html>
<html lang="{}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Tabletop 卓</title>
<h1>✓ {}</h1>
<p>{}</p>
</html>
"""
MAX_CACHE_BYTES = 8 * 1024 * 1024
"""The maximum total size of cached rulebooks."""
CACHE_ONE_HOUR = "private, max-age=3600, immutable"


class PageResources:
    """Serves the resources that a page loads over HTTP."""

    def __init__(self, pictures: Pictures, art: str) -> None:
        """`art`: the version of the card images; empty if there are none."""
        self._pictures = pictures
        self._art = art
        self._rules: LruCache[tuple[str, str], bytes] = LruCache(MAX_CACHE_BYTES)

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/face/{name}", self._face),
            Route("/picture/{name}", self._picture),
            Route("/rules/{name}", self._rulebook),
            Route("/reach", self._reach),
        ]

    async def _face(self, request: Request) -> Response:
        """Serve the picture of a card's side or a box. The URL names the game, the side,
        the language and the version.
        """
        order = face_order(request.path_params["name"], self._art, request.query_params)
        drawn = await self._pictures.face(order) if order is not None else None
        if drawn is None:
            return Response(status_code=404)
        return cached_response(drawn.content, drawn.mime, IMMUTABLE)

    async def _picture(self, request: Request) -> Response:
        drawn = self._pictures.sent_picture(request.path_params["name"])
        if drawn is None:
            return Response(status_code=404)
        return cached_response(drawn.content, drawn.mime, CACHE_ONE_HOUR)

    async def _rulebook(self, request: Request) -> Response:
        """Serve a rulebook such as `sun.ja.json`, in English if the game has no translation."""
        game, _, rest = request.path_params["name"].partition(".")
        kit, wished = _kit_of(game), rest.removesuffix(".json")
        if kit is None or not LANGUAGE_CODE.fullmatch(wished):
            return Response(status_code=404)
        name = game, supported_language(kit, wished)
        if (nodes := self._rules.get(name)) is None:
            nodes = rulebook.rulebook_json(kit, name[1])
            self._rules.put(name, nodes, len(nodes))
        return cached_response(nodes, "application/json", "no-cache")

    async def _reach(self, request: Request) -> Response:
        """Serve a page that tells a phone's user that the phone can reach this computer."""
        language = choose_language("", accepted_languages(request))
        words = Words(language)
        lines = words("This phone reaches the computer."), words("Now scan the table's own code.")
        content = REACH_PAGE.format(language, *map(escape, lines))
        return cached_response(content, "text/html", "no-store")


def _kit_of(game: str) -> GameKit | None:
    """Return the game called `game`, which may be an old version; None if it can't be loaded."""
    if not catalogue.has_game(game):
        return None
    try:
        return catalogue.load(game)
    except LookupError:
        return None


def face_order(name: str, art: str, query: Mapping[str, str]) -> FaceOrder | None:
    """Return the order for the picture of a card's side or a box; None if no page links to this
    name and query.
    """
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
        or width not in FACE_WIDTHS
    ):
        return None
    language = supported_language(kit, language)
    if key == BOX_KEY:
        return FaceOrder(game, -1, -1, language, theme, int(width))
    if key[:1] not in ("k", "b") or not (key[1:].isascii() and key[1:].isdecimal()) or len(key) > 6:
        return None
    number = int(key[1:])
    faces = len(kit.deck) if key[0] == "k" else len(kit.back_names)
    if number >= faces:
        return None
    card, back = (number, -1) if key[0] == "k" else (-1, number)
    return FaceOrder(game, card, back, language, theme, int(width))
