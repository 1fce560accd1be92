"""Rulebooks and faces by their addresses: what strangers invent is answered, and not kept."""

import json

import pytest
from starlette.requests import Request

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import BrokenGame
from tabletop.language.words import Words
from tabletop.text import translations
from tabletop.web.drawer import NoDrawer
from tabletop.web.gateway import page_resources
from tabletop.web.gateway.page_resources import PageResources, face_order
from tabletop.web.pictures import Pictures

INVENTED = [f"{one}{other}x" for one in "abcdefghijkl" for other in "abcdefghijkl"]


@pytest.fixture
def resources() -> PageResources:
    return PageResources(Pictures(NoDrawer()), "")


async def rulebook(resources: PageResources, name: str) -> tuple[int, bytes]:
    """The status and the body of a rulebook's answer."""
    answer = await resources._rulebook(Request({"type": "http", "path_params": {"name": name}}))
    return answer.status_code, bytes(answer.body)


async def test_invented_languages_are_answered_in_english_and_not_kept(
    resources: PageResources,
) -> None:
    """2,000 of them took 50 MiB for ever."""
    _, english = await rulebook(resources, "sun.en.json")
    _, japanese = await rulebook(resources, "sun.ja.json")
    assert json.loads(english) != json.loads(japanese)
    for language in INVENTED:
        assert await rulebook(resources, f"sun.{language}.json") == (200, english)
    assert len(resources._rules) == 2


async def test_rulebooks_stay_within_their_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_resources, "MAX_CACHE_BYTES", 40_000)
    resources = PageResources(Pictures(NoDrawer()), "")
    for game in catalogue.names():
        for language in ("en", "ja"):
            await rulebook(resources, f"{game}.{language}.json")
            assert resources._rules.size <= 40_000


async def test_what_is_no_rulebook_is_not_found(
    resources: PageResources, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("sun", "sun.EN.json", "sun.../etc.json", "moon.en.json"):
        assert (await rulebook(resources, name))[0] == 404

    def broken(name: str) -> None:
        raise BrokenGame(name, ValueError("x"))

    monkeypatch.setattr(catalogue, "load", broken)
    assert (await rulebook(resources, "sun.en.json"))[0] == 404
    assert face_order("sun.k0.en.art", "art", {}) is None


def test_faces_in_invented_languages_are_the_english_ones() -> None:
    """Each was drawn and kept by itself."""
    english, japanese = (face_order(f"sun.k0.{each}.art", "art", {}) for each in ("en", "ja"))
    assert english is not None
    assert english != japanese
    assert {face_order(f"sun.k0.{each}.art", "art", {}) for each in INVENTED} == {english}


def test_a_box_has_a_picture_beside_those_of_its_cards() -> None:
    order = face_order("sun.x.ja.art", "art", {"w": "384"})
    assert order is not None
    assert order.is_box
    assert (order.game, order.language, order.width) == ("sun", "ja", 384)
    assert face_order("sun.x0.ja.art", "art", {}) is None


def test_words_of_invented_languages_keep_no_catalogues() -> None:
    Words("en", catalogue.load("sun"))("Settings")
    before = len(translations._cache)
    for language in INVENTED:
        assert Words(language, catalogue.load("sun"))("Settings") == "Settings"
    assert len(translations._cache) == before
