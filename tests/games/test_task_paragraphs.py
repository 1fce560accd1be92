"""The rulebook opens where the question rests: where the rules, refusing an answer, point to."""

from collections import Counter
from collections.abc import Iterator

import pytest

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.mask import mask
from tabletop.engine.model import NO_CARD, Ask, State, is_face
from tabletop.studio.laws.random_games import open_asks, tables_of_game, turns
from tests.games.golden.playthrough import FOLDER, replayed
from tests.games.rulebook_text import Book

GAMES = 16
"""So many random games are played at most to be asked everything."""
ENOUGH = 20
"""So often one question is looked at."""
SHORT = 500
"""Answers of a game: what is asked later was asked before."""
CARDS = 40
"""So many cards in sight are tried at a question."""


def tables(name: str) -> Iterator[State]:
    """Tables of random games, at every number of seats in turn; and of the written playthroughs of
    Sister Royale, in which everything is asked."""
    settings = tables_of_game(name)
    for game in range(GAMES):
        setting = settings[game % len(settings)]
        yield from (turn.after for turn in turns(setting, f"tasks {game}", longest=SHORT))
    for file in sorted(FOLDER.glob("royale-*.txt")) if name == "royale" else ():
        yield from (state for state, *_ in replayed(file.read_text("utf-8")).turns)


def asked(name: str) -> Iterator[tuple[Ask, State]]:
    """Questions with what who is asked sees."""
    for state in tables(name):
        for ask in open_asks(state):
            yield ask, mask(state, ask.seat)


def refused(kit: GameKit, ask: Ask, view: State) -> set[str]:
    """The paragraphs that the rules name against what could be tried at this question."""
    cards = [card for held in view.cards.values() for card in held if is_face(card)]
    tried = [(NO_CARD, to) for to in ("", *view.zones)] + [(card, "") for card in cards[:CARDS]]
    reasons = (kit.rules.why(view, ask, card, to) for card, to in tried)
    return {reason.paragraph for reason in reasons if reason is not None and reason.paragraph}


def tells_of(book: Book, paragraph: str, named: set[str]) -> bool:
    """Whether one of these is the paragraph, or one that it sends its reader to."""
    body = book.paragraphs("en")[paragraph]
    return any(each == paragraph or f"({each})" in body for each in named)


@pytest.mark.parametrize("name", catalogue.names())
def test_the_book_opens_where_refusals_point(name: str) -> None:
    kit, book = catalogue.load(name), Book(name)
    met: Counter[tuple[str, str]] = Counter()
    for ask, view in asked(name):
        wording = kit.words.asks[ask.what]
        paragraph = wording.paragraph_for(view.values)
        if met[ask.what, paragraph] == ENOUGH:
            continue
        named = refused(kit, ask, view)
        if not named:
            continue  # here everything that can be tried may be done
        assert tells_of(book, paragraph, named), (ask.what, paragraph, named)
        met[ask.what, paragraph] += 1
        if met.keys() == wanted(kit):
            break
    assert met.keys() == wanted(kit)


def wanted(kit: GameKit) -> set[tuple[str, str]]:
    """Every question with every paragraph it may rest on; those of a free table rest on none."""
    asks = kit.words.asks.items()
    return {(what, each) for what, ask in asks for each in ask.paragraphs if each}


def test_the_siege_and_the_analysis_have_paragraphs_of_their_own() -> None:
    place = catalogue.load("sun").words.asks["place"]
    assert place.paragraph_for({"phase": "siege"}) == "5.1"
    assert place.paragraph_for({"phase": "analysis"}) == "6.1"
