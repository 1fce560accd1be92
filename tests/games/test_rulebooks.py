"""What every rulebook keeps: both languages alike, and every paragraph that something points at."""

import ast
import re
from collections.abc import Iterator

import pytest

from tabletop.catalogue import catalogue
from tests.games.rulebook_text import LANGUAGES, Book

BOOKS = [pytest.param(Book(name), id=name) for name in catalogue.names()]
SHELVED = [pytest.param(Book(kit.id), id=kit.id) for kit in catalogue.shelf() if not kit.draft]
NUMBER = re.compile(r"\d+(\.\d+)*")


def pointed_at(game: str) -> Iterator[str]:
    """The paragraphs that a game's cards, words and rules name."""
    kit = catalogue.load(game)
    yield from (card["paragraph"] for card in kit.deck if "paragraph" in card)
    for ask in kit.words.asks.values():
        yield from filter(None, ask.paragraphs)  # those of a free table rest on none
    for file in kit.folder.iterdir():
        if file.name.endswith(".py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                match node:
                    case ast.Call(func=ast.Name(id="Reason" | "Remark"), args=args):
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


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("book", SHELVED)
def test_the_game_in_a_minute_comes_first_and_has_five_lines(book: Book, language: str) -> None:
    opening = book.text(language).split("\n## ")[1]
    assert not re.match(r"\d+(\.\d+)* ", opening)
    assert len(re.findall(r"^- ", opening, re.MULTILINE)) == 5


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("book", BOOKS)
def test_plain_markdown_without_html_or_references(book: Book, language: str) -> None:
    assert not re.search(r"<[A-Za-z/!]|https?:|\]\(", book.text(language))
