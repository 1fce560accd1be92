"""What every rulebook keeps: both languages alike, and every paragraph that something points at."""

import ast
import re
from collections.abc import Iterator

import pytest

from tabletop.games import catalogue
from tests.games.books import LANGUAGES, Book

BOOKS = [pytest.param(Book(name), id=name) for name in catalogue.names()]
NUMBER = re.compile(r"\d+(\.\d+)*")


def pointed_at(game: str) -> Iterator[str]:
    """The paragraphs that a game's cards, layout and rules name."""
    kit = catalogue.load(game)
    yield from (card["paragraph"] for card in kit.deck if "paragraph" in card)
    asks = kit.layout.get("asks", {}).values()
    yield from (ask["paragraph"] for ask in asks if "paragraph" in ask)
    for file in kit.folder.iterdir():
        if file.name.endswith(".py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                match node:
                    case ast.Call(func=ast.Name(id="Reason" | "Note"), args=args):
                        words = [a.value for a in args[2:] if isinstance(a, ast.Constant)]
                        yield from (w for w in words if isinstance(w, str) and w)


@pytest.mark.parametrize("book", BOOKS)
def test_both_languages_have_the_same_headings_in_the_same_order(book: Book) -> None:
    assert book.numbers("en") == book.numbers("ja")
    assert len(book.headings("en")) == len(book.headings("ja"))
    assert book.numbers("en")


@pytest.mark.parametrize("book", BOOKS)
def test_tables_are_alike_and_each_row_fills_its_table(book: Book) -> None:
    shapes = book.shapes("en")
    assert shapes == book.shapes("ja")
    assert all(len(set(rows)) == 1 for _, rows in shapes)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("book", BOOKS)
def test_what_is_pointed_at_is_there(book: Book, language: str) -> None:
    named = set(pointed_at(book.game))
    assert all(NUMBER.fullmatch(number) for number in named), named
    assert named <= set(book.numbers(language))
