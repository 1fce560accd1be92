"""Rulebooks: both languages alike, and every paragraph that something points at."""

import ast
import re
from collections.abc import Iterator

import pytest

from tabletop.catalogue import catalogue
from tabletop.match import tutorial
from tabletop.studio.translation.translation_check import texts_in_folder, translated_texts
from tabletop.text.phrases import GAP, PROGRAM_FOLDER
from tests.games.rulebook_text import LANGUAGES, Book

BOOKS = [pytest.param(Book(name), id=name) for name in catalogue.names()]
SHELVED = [pytest.param(Book(kit.id), id=kit.id) for kit in catalogue.shelf() if not kit.is_draft]
NUMBER = re.compile(r"\d+(\.\d+)*")
RULINGS = {
    "awss": [f"A{n}" for n in range(1, 31)],
    "chains": [f"CH-{n:02}" for n in range(1, 14)],
    "royale": [f"S{n}" for n in range(1, 31)] + ["S18b", "S18c"],
    "sisters": [f"PS-{n:02}" for n in range(1, 15)],
    "sun": [f"CS-{n:02}" for n in range(1, 19)],
}
NOTES = {
    *("A2", "A4", "A28", "A30", "CH-01", "CH-04", "CH-07", "CH-11", "S30"),
    *("PS-03", "PS-09", "PS-10", "PS-12", "PS-13"),
    *("CS-01", "CS-02", "CS-03", "CS-06", "CS-09", "CS-10", "CS-11", "CS-12", "CS-13"),
    "CS-14",
}
"""Rulings that the original states, or that follow from it; all others are our readings."""
RULED = [pytest.param(Book(game), id=game) for game in RULINGS]
MARK = {"en": ("Our reading", "Note"), "ja": ("本ソフトでの解釈", "補足")}


def pointed_at(game: str) -> Iterator[str]:
    """The paragraphs that a game's cards, words, lessons and rules name."""
    kit = catalogue.load(game)
    yield from (card["paragraph"] for card in kit.deck if "paragraph" in card)
    for ask in kit.words.asks.values():
        yield from filter(None, ask.paragraphs)  # those of a free table rest on none
    yield from (lesson.paragraph for lesson in getattr(tutorial.load_first_game(kit), "lesson", ()))
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
def test_no_paragraph_is_empty(book: Book, language: str) -> None:
    paragraphs = book.paragraphs(language)
    empty = [number for number, body in paragraphs.items() if not body.strip()]
    assert [number for number in empty if f"{number}.1" not in paragraphs] == []


@pytest.mark.parametrize("book", RULED)
def test_each_ruling_is_marked_once_and_in_the_same_paragraph(book: Book) -> None:
    places: dict[str, list[tuple[str, str]]] = {}
    for language, (reading, note) in MARK.items():
        line = re.compile(
            rf"^({reading}|{note}) ?[(（]([A-Z]+-?\d+\w?)[)）][:：] ?\S", re.MULTILINE
        )
        marked = [
            (number, word == note, ruling)
            for number, body in book.paragraphs(language).items()
            for word, ruling in line.findall(body)
        ]
        assert sorted(ruling for *_, ruling in marked) == sorted(RULINGS[book.game])
        assert {ruling for _, noted, ruling in marked if noted} == NOTES & {*RULINGS[book.game]}
        places[language] = sorted((number, ruling) for number, _, ruling in marked)
    assert places["en"] == places["ja"]


@pytest.mark.parametrize("book", [Book("royale"), Book("sisters")])
def test_each_reading_is_named_where_the_rules_decide_it(book: Book) -> None:
    folder = PROGRAM_FOLDER / "games" / book.game
    source = "".join(file.read_text("utf-8") for file in sorted(folder.rglob("*.py")))
    decided = [code for code in RULINGS[book.game] if code not in NOTES]
    assert [code for code in decided if not re.search(rf"\b{code}\b", source)] == []


@pytest.mark.parametrize("book", RULED)
def test_every_text_has_its_japanese_and_nothing_is_left_over(book: Book) -> None:
    folder = PROGRAM_FOLDER / "games" / book.game
    said, known, common = (
        texts_in_folder(folder),
        translated_texts(folder, "ja"),
        translated_texts(PROGRAM_FOLDER, "ja"),
    )
    assert known.keys() <= said.keys() <= known.keys() | common.keys()
    for english, japanese in known.items():
        assert set(GAP.findall(english)) == set(GAP.findall(japanese)), english


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


CREDITS = {
    "awss": ("なびるな", "十月十日+十人十色", "2023"),
    "chains": ("チェーンズ・多人数拡張",),
    "sisters": ("はくし", "空理計画", "2022", "和泉葛城", "いもぎん", "aki"),
    "sun": ("はくし", "空理計画", "2021"),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", CREDITS)
def test_the_credit_names_author_and_origin(game: str, language: str) -> None:
    credit = [*Book(game).paragraphs(language).values()][-1]
    assert [name for name in CREDITS[game] if name not in credit] == []


def test_the_credit_of_chains_names_its_model_and_wording() -> None:
    for language, named in (
        ("en", ("Pairs", "wording of this rulebook is ours")),
        ("ja", ("ペアーズ", "このソフトのために書いた")),
    ):
        assert all(name in Book("chains").paragraphs(language)["12"] for name in named)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("book", BOOKS)
def test_plain_markdown_without_html_or_references(book: Book, language: str) -> None:
    assert not re.search(r"<[A-Za-z/!]|https?:|\]\(", book.text(language))
