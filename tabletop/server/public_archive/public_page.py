"""Public page of a server, served by its gateway:
the list of tables, and replays of public matches.

Users can't open tables or take seats here; for that the page links to the page for phones.
"""

from collections.abc import Awaitable, Callable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tabletop.catalogue import catalogue
from tabletop.engine.model import Reason
from tabletop.language.languages import supported_language
from tabletop.language.words import Words
from tabletop.net.limits import LeakyBuckets
from tabletop.protocol.archive import MatchId, parse_match_id
from tabletop.protocol.invitation import Address
from tabletop.server.public_archive.page_words import PAGE_TEXTS, page_texts
from tabletop.server.public_archive.replay_page import Eyes, WatchedMatch
from tabletop.server.public_archive.server_archive import TOO_MANY, ServerArchive
from tabletop.web.browser_requests import (
    accepted_languages,
    cached_response,
    choose_language,
    connection_origin,
)
from tabletop.web.drawer import THEMES, Drawer
from tabletop.web.static_files import StaticFiles

A_SECOND, AT_ONCE = 20, 200
"""The rate limit for requests from one address."""
DRAWN_A_SECOND, DRAWN_AT_ONCE = 4, 40
"""The rate limit for pictures requested from one address."""
ALL_DRAWN_A_SECOND, ALL_DRAWN_AT_ONCE = 12, 80
"""The rate limit for pictures overall, because phones share the picture queue."""
SIZES = range(240, 1681, 60)
"""The allowed side lengths of a picture, in pixels."""
A_WHILE = "private, max-age=3600"
SUFFIX = ".tabletop"

NO_SUCH = Reason("There is no such page here.")
TOO_FAST = Reason("Too much was asked for from your address at once. One moment, please.")
NOT_DRAWN = Reason("The table cannot be drawn here.")

Handler = Callable[[Request, WatchedMatch], Awaitable[Response]]


class PublicPage:
    """Serves the public page of one gateway."""

    def __init__(
        self,
        place: Callable[[], Address],
        trusts: Callable[[str], bool],
        drawer: Drawer,
        badges: str,
    ) -> None:
        """`badges`: the URL path of the player symbols."""
        self._archive = ServerArchive(place, trusts)
        self._drawer = drawer
        self._badges = badges
        self._static = StaticFiles(
            Path(str(files("tabletop.server.public_archive") / "page")), "/p"
        )
        self._asked = LeakyBuckets(A_SECOND, AT_ONCE)
        self._drawn = LeakyBuckets(DRAWN_A_SECOND, DRAWN_AT_ONCE)
        self._all_drawn = LeakyBuckets(ALL_DRAWN_A_SECOND, ALL_DRAWN_AT_ONCE)

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/tables", self._static.index),
            Route("/replay/{match}", self._static.index),
            Route("/p/{digest}/{name:path}", self._static.file),
            Route("/tables/list.json", self._list),
            Route("/replay/{match}/match.json", self._of_match(self._match)),
            Route("/replay/{match}/record.tabletop", self._of_match(self._record)),
            Route("/replay/{match}/{at:int}.json", self._of_match(self._beat)),
            Route("/replay/{match}/{at:int}/picture", self._of_match(self._picture)),
        ]

    async def _list(self, request: Request) -> Response:
        """Serve the page's texts, and the lists of tables and matches."""
        language = _language(request)
        words = Words(language)
        if not self._asked.try_fill(connection_origin(request)):
            return _sentence_response(words, TOO_FAST, 429)
        content: dict[str, Any] = {"language": language, "words": page_texts(words)}
        lists = await self._archive.lists()
        if isinstance(lists, Reason):
            return _json_response({**content, "told": words.reason(lists)}, "no-store")
        running, finished = lists
        content["running"] = [
            {**msgspec.to_builtins(each), **self._game(each.game, language)} for each in running
        ]
        content["finished"] = [
            {
                **msgspec.to_builtins(each),
                **self._game(each.game, language),
                "match": str(each.match),
            }
            for each in finished
            if each.open
        ]
        return _json_response(content, "no-store")

    def _game(self, game: str, language: str) -> dict[str, str]:
        try:
            kit = catalogue.load(game)
        except LookupError:
            return {"title": game, "back": ""}
        art = self._drawer.version
        language = supported_language(kit, language)
        back = f"{game}.b0.{language}.{art}" if art and kit.back_names else ""
        return {"title": Words(language, kit)(kit.box.title), "back": back}

    def _of_match(self, handle: Handler) -> Callable[[Request], Awaitable[Response]]:
        """Return a handler that passes the match in the URL to `handle`, or
        responds with a refusal.
        """

        async def respond(request: Request) -> Response:
            words = Words(_language(request))
            match: MatchId | None = parse_match_id(request.path_params["match"])
            if match is None:
                return _sentence_response(words, NO_SUCH, 404)
            if not self._asked.try_fill(connection_origin(request)):
                return _sentence_response(words, TOO_FAST, 429)
            watched = await self._archive.match(match, connection_origin(request))
            if isinstance(watched, Reason):
                status = 429 if watched.code == TOO_MANY.code else 404
                return _sentence_response(words, watched, status)
            return await handle(request, watched)

        return respond

    async def _match(self, request: Request, watched: WatchedMatch) -> Response:
        language = _language(request)
        content = {
            **msgspec.to_builtins(watched.page(language, _viewer_of(request))),
            "words": page_texts(Words(language)),
            "badges": self._badges,
            "drawn": bool(self._drawer.version),
        }
        return _json_response(content, A_WHILE)

    async def _record(self, request: Request, watched: WatchedMatch) -> Response:
        headers = {
            "cache-control": A_WHILE,
            "content-disposition": f'attachment; filename="{watched.match}{SUFFIX}"',
        }
        return Response(watched.file, headers=headers, media_type="application/octet-stream")

    async def _beat(self, request: Request, watched: WatchedMatch) -> Response:
        at = request.path_params["at"]
        if at > watched.playback.last_beat:
            return _sentence_response(Words(_language(request)), NO_SUCH, 404)
        content = watched.beat(at, _language(request), _viewer_of(request))
        return _json_response(msgspec.to_builtins(content), A_WHILE)

    async def _picture(self, request: Request, watched: WatchedMatch) -> Response:
        query, at = request.query_params, request.path_params["at"]
        words = Words(_language(request))
        theme = query.get("theme", "light")
        size = _side(query, "width"), _side(query, "height")
        if at > watched.playback.last_beat or theme not in THEMES or not all(size):
            return _sentence_response(words, NO_SUCH, 404)
        address = connection_origin(request)
        if self._drawn.wait_s(address) or self._all_drawn.wait_s(""):
            return _sentence_response(words, TOO_FAST, 429)
        self._drawn.fill(address, 1)
        self._all_drawn.fill("", 1)
        order = watched.picture(at, words.language, _viewer_of(request), theme, size)
        drawn = await self._drawer.picture(order)
        if drawn is None:
            return _sentence_response(words, NOT_DRAWN, 404)
        return cached_response(drawn.content, drawn.mime, A_WHILE)


def _language(request: Request) -> str:
    return choose_language(request.query_params.get("language", ""), accepted_languages(request))


def _viewer_of(request: Request) -> Eyes:
    wished = request.query_params.get("eyes", "")
    return next((eyes for eyes in get_args(Eyes) if eyes == wished), "all")


def _side(query: Mapping[str, str], name: str) -> int:
    """Return the side length of a picture in pixels; 0 if the requested length isn't allowed."""
    text = query.get(name, "")
    side = int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else 0
    return side if side in SIZES else 0


def _sentence_response(words: Words, reason: Reason, status: int) -> Response:
    """Return a response that contains a sentence instead of the requested content."""
    content = msgspec.json.encode({"told": words.reason(reason), "back": words(PAGE_TEXTS["back"])})
    return cached_response(content, "application/json", "no-store", status)


def _json_response(value: Mapping[str, Any], kept: str) -> Response:
    headers = {"cache-control": kept, "vary": "accept-language"}
    return Response(msgspec.json.encode(value), headers=headers, media_type="application/json")
