"""The rulebook in the window: contents that follow, search, pictures that are the table's own."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontInfo, QPainter, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.catalogue.illustrations import read_illustrations
from tabletop.engine.model import Reason
from tabletop.language.languages import LANGUAGES
from tabletop.storage.settings import Settings
from tests.ui.pdf_text import characters_in, glyphs_without_character
from tests.ui.window_driver import Open, click, key, page, saving_to, settle
from ui.rulebook import printing
from ui.rulebook.illustrator import Illustrator
from ui.rulebook.printing import write_pdf
from ui.rulebook.reader import CONTENTS_BESIDE_MIN_WIDTH_PX, RulebookReader
from ui.rulebook.rulebook_screen import RulebookScreen
from ui.shell.app_context import AppContext
from ui.shell.shelf_order import order_games
from ui.style.line_breaks import WORD_JOINER
from ui.style.theme import load_theme
from ui.table.items.plaque_item import PlaqueItem
from ui.table.scene import TableScene

KITS = catalogue.shelf()


def reader(kit: GameKit, width: int = 900, **changes: object) -> RulebookReader:
    shown = RulebookReader(AppContext(Settings(**{"language": "en"} | changes)), kit)
    shown.resize(width, 700)
    shown.show()
    settle()
    return shown


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    """Nothing stays open."""
    yield
    for each in QApplication.topLevelWidgets():
        if isinstance(each, RulebookReader):
            each.close()
            each.deleteLater()


@pytest.fixture
def chains(home: Path, qapp: QApplication) -> RulebookReader:
    return reader(catalogue.load("chains"))


def numbers(shown: RulebookReader) -> list[str]:
    return [heading.number for heading in shown.browser.book.headings]


def test_a_book_opens_with_cards_and_no_frame(opened: Open) -> None:
    shown = page(opened((1280, 800)), "rules")
    assert isinstance(shown, RulebookScreen)
    book = shown.reader.browser
    assert book.hasFocus()
    (_, _, first), *_ = book.book.pictures()
    assert first == "cover"
    wide, high = book.book.illustrator.picture_size(first, book.viewport().width())
    assert wide < 0.45 * book.viewport().width()
    block = book.book.findBlock(book.book.headings[0].position)
    assert book.book.documentLayout().blockBoundingRect(block).top() < high, "text is beside it"
    picture, paper = book.grab().toImage(), shown.context.theme.paper.lower()
    edge = [picture.pixelColor(x, picture.height() // 2).name() for x in range(4)]
    assert edge == [paper] * 4, "keys bring the ring"


# Lines


def test_japanese_is_joined_in_phrases_and_still_found(home: Path, qapp: QApplication) -> None:
    shown = reader(catalogue.load("chains"), language="ja")
    text = shown.browser.book.toPlainText()
    assert WORD_JOINER in text
    assert WORD_JOINER.join("終端カード") in text
    assert (
        shown.browser.search("終端カード") == text.replace(WORD_JOINER, "").count("終端カード") > 10
    )
    assert not any(WORD_JOINER in heading.text for heading in shown.browser.book.headings)
    assert "10\u3000ひとりで遊ぶ" in [heading.text for heading in shown.browser.book.headings]
    assert WORD_JOINER not in reader(catalogue.load("chains")).browser.book.toPlainText()


# Contents


def test_the_contents_open_every_section(chains: RulebookReader) -> None:
    row = numbers(chains).index("5.4")
    item = chains.contents.item(row)
    assert item.text().strip() == "5.4 Complete a chain"
    chains.contents.scrollToItem(item)
    place = chains.contents.visualItemRect(item).center()
    click(chains.contents.viewport(), place)
    assert chains.browser.textCursor().block().text().startswith("5.4")
    assert chains.browser.current_heading == chains.browser.book.headings[row]


def test_what_is_read_is_followed_in_the_contents(chains: RulebookReader) -> None:
    bar = chains.browser.verticalScrollBar()
    followed = []
    for value in range(0, bar.maximum(), 150):
        bar.setValue(value)
        row = chains.contents.currentRow()
        followed.append(row)
        assert chains.sections.currentIndex() == max(row, 0)
    assert followed == sorted(followed)
    assert len(set(followed)) > len(chains.browser.book.headings) / 2


def test_text_is_larger_than_its_soft_contents(chains: RulebookReader) -> None:
    assert QFontInfo(chains.browser.book.defaultFont()).pixelSize() == 15
    assert QFontInfo(chains.contents.font()).pixelSize() == 13
    chains.open_paragraph("4")
    items = [chains.contents.item(row) for row in range(chains.contents.count())]
    (current,) = (item for item in items if item.font().bold())
    assert current is chains.contents.currentItem()
    soft = {item.foreground().color().name() for item in items if item is not current}
    assert soft == {load_theme("light").ink_soft.lower()}


def test_where_it_is_narrow_the_contents_are_a_list_to_open(home: Path, qapp: QApplication) -> None:
    shown = reader(catalogue.load("sun"), CONTENTS_BESIDE_MIN_WIDTH_PX - 1)
    assert shown.contents.isHidden()
    assert shown.sections.isVisible()
    row = numbers(shown).index("6.2")
    shown.sections.setCurrentIndex(row)
    shown.sections.activated.emit(row)
    assert shown.browser.textCursor().block().text().startswith("6.2")
    shown.resize(CONTENTS_BESIDE_MIN_WIDTH_PX, 700)
    settle()
    assert shown.contents.isVisible()
    assert shown.sections.isHidden()


# Searching


def test_search_counts_lights_and_goes_round(chains: RulebookReader) -> None:
    chains.activateWindow()
    key_to(chains, Qt.Key.Key_F)
    assert QApplication.focusWidget() is chains.search_field
    QTest.keyClicks(chains.search_field, "terminal card")
    one, of = chains.browser.hit_position
    assert of > 10
    assert chains.hit_count.text() == f"{one} of {of}"
    assert len(chains.browser.extraSelections()) == of
    seen = {chains.browser.textCursor().position()}
    for _ in range(of - 1):
        QTest.keyClick(chains.search_field, Qt.Key.Key_Return)
        seen.add(chains.browser.textCursor().position())
    assert len(seen) == of
    QTest.keyClick(chains.search_field, Qt.Key.Key_Return)
    assert chains.browser.hit_position == (one, of)
    QTest.keyClick(chains.search_field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert chains.browser.hit_position[0] in (one - 1, of)
    click(chains.next_button)
    assert chains.browser.hit_position == (one, of)


def test_each_hit_is_brought_into_sight(chains: RulebookReader) -> None:
    chains.search_field.setText("number")
    for _ in range(chains.browser.hit_position[1]):
        place = chains.browser.cursorRect()
        assert chains.browser.viewport().rect().contains(place.center())
        chains.browser.step_hit(1)


def test_what_is_nowhere_is_told_and_esc_ends_the_search(chains: RulebookReader) -> None:
    chains.activateWindow()
    chains.focus_search()
    QTest.keyClicks(chains.search_field, "xyzzy")
    assert chains.hit_count.text() == "not found"
    assert not chains.next_button.isEnabled()
    QTest.keyClick(chains.search_field, Qt.Key.Key_Escape)
    assert chains.search_field.text() == chains.hit_count.text() == ""
    assert chains.browser.extraSelections() == []
    assert QApplication.focusWidget() is chains.browser


def key_to(shown: RulebookReader, letter: Qt.Key) -> None:
    """Ctrl and a letter while the book has the focus."""
    shown.browser.setFocus()
    QTest.keyClick(shown.browser, letter, Qt.KeyboardModifier.ControlModifier)
    settle()


# Pictures


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.id)
def test_every_picture_stands_in_its_paragraph_and_is_drawn(
    home: Path, qapp: QApplication, kit: GameKit, language: str
) -> None:
    shown = reader(kit, language=language)
    text, written = shown.browser.book, read_illustrations(kit)
    found = [name for _, _, name in text.pictures()]
    wanted = {"cover", *(f"cards-{row.paragraph}" for row in written.cards)}
    wanted |= {f"example-{each.paragraph}" for each in written.example}
    wanted |= {f"sign-{number}" for number in range(len(written.symbol))}
    assert sorted(found) == sorted(wanted)
    assert len(written.symbol) >= 8
    for position, _, name in text.pictures():
        kind, _, paragraph = name.partition("-")
        before = [each for each in text.headings if each.position < position]
        assert kind == "sign" or (before[-1].number == paragraph if before else name == "cover")
        wide, high = text.illustrator.picture_size(name, 400)
        drawn = text.illustrator.pixmap(name, wide, 1.0)
        assert drawn.size() == QSize(wide, high)
        colours = colours_of(drawn)
        assert colours > (3 if kind == "sign" else 40), name


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.id)
def test_no_name_is_cut_in_an_example(
    home: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch, kit: GameKit
) -> None:
    cut: list[PlaqueItem] = []
    render = TableScene.render

    def look(scene: TableScene, painter: QPainter, target: QRectF, source: QRectF) -> None:
        seen = [item for item in scene.items(source) if isinstance(item, PlaqueItem)]
        cut.extend(item for item in seen if not source.contains(item.path().boundingRect()))
        render(scene, painter, target, source)

    monkeypatch.setattr(TableScene, "render", look)
    text = reader(kit).browser.book
    for _, _, name in text.pictures():
        if name.startswith("example"):
            text.illustrator.pixmap(name, 400, 1.0)
    assert cut == []


def colours_of(picture: QPixmap) -> int:
    image = picture.toImage()
    spots = ((x, y) for x in range(0, image.width(), 2) for y in range(0, image.height(), 2))
    return len({image.pixel(x, y) for x, y in spots})


def test_an_example_is_drawn_when_it_comes_in_sight_and_once(
    home: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    table = Illustrator._draw_table_part

    def noted(self: Illustrator, example: object, *args: object) -> QPixmap:
        drawn.append(example.paragraph)
        return table(self, example, *args)

    monkeypatch.setattr(Illustrator, "_draw_table_part", noted)
    shown = reader(catalogue.load("chains"))
    assert drawn == [], "opening draws no table"
    shown.open_paragraph("5.4")
    shown.grab()
    shown.open_paragraph("1")
    shown.open_paragraph("5.4")
    shown.grab()
    assert drawn.count("5.4") == 1


def test_pictures_fit_into_the_dock_and_wear_the_theme(home: Path, qapp: QApplication) -> None:
    context = AppContext(Settings(language="en"))
    shown = RulebookReader(context, catalogue.load("sun"))
    shown.resize(300, 600)
    shown.show()
    settle()
    for _, _, name in shown.browser.book.pictures():
        assert shown.browser.book.illustrator.picture_size(name, shown.browser._width)[0] < 300
    assert shown.browser.horizontalScrollBar().maximum() == 0 or shown.browser._width < 300
    light = shown.browser.book.illustrator.pixmap("example-6.2", 200, 1.0).toImage()
    shown.open_paragraph("6.2")
    context.change_settings(theme="dark", language="ja")
    shown.refresh_appearance()
    assert shown.browser.current_heading.number == "6.2", "who reads stays where she was"
    dark = shown.browser.book.illustrator.pixmap("example-6.2", 200, 1.0).toImage()
    assert light.pixelColor(3, 3).lightness() > dark.pixelColor(3, 3).lightness() + 5
    assert shown.browser.book.headings[-1].text == "記号"


# At the table, in a window of its own, on paper


def test_it_is_laid_out_when_it_is_first_looked_at(opened: Open) -> None:
    window = opened()
    window.matches.start_bot_match(catalogue.load("chains"))
    settle()
    rules = window.table.dock.rules
    assert not rules.findChildren(RulebookReader)
    window.table.dock.open_rulebook("5.4")
    assert rules.reader.browser.textCursor().block().text().startswith("5.4")


def test_all_books_lie_in_the_dialog(opened: Open) -> None:
    window = opened((1024, 600))
    dialog = page(window, "rules")
    assert isinstance(dialog, RulebookScreen)
    for number, kit in enumerate(order_games(KITS, ())):
        dialog.game_selector.setCurrentIndex(number)
        settle()
        assert dialog.reader.browser.book.headings[0].number in ("", "1"), kit.id
        assert dialog.reader.contents.isVisible()
    dialog.reader.focus_search()
    key(Qt.Key.Key_Return)
    assert window.stack.page is dialog, "Enter belongs to the search"


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.id)
def test_a_pdf_holds_the_whole_book(
    home: Path, qapp: QApplication, tmp_path: Path, kit: GameKit
) -> None:
    context = AppContext(Settings(language="en", theme="dark"))
    file = tmp_path / "rules.pdf"
    write_pdf(context, kit, file)
    content = file.read_bytes()
    assert content.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", content)) >= 3
    pictures = sum(1 for _ in reader(kit).browser.book.pictures())
    assert len(re.findall(rb"/Subtype\s*/Image", content)) >= min(pictures, 8)
    assert b"/FontFile" in content, "words are words, and can be searched"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.id)
def test_all_text_of_a_pdf_can_be_found_and_copied(
    home: Path, qapp: QApplication, tmp_path: Path, kit: GameKit, language: str
) -> None:
    context = AppContext(Settings(language=language))
    file = tmp_path / "rules.pdf"
    write_pdf(context, kit, file)
    content = file.read_bytes()
    book = printing.lay_out_book(kit, context.game_words(kit), (600, 840), lambda _: None)
    wanted, *fallbacks = sorted(characters_in(content), key=len, reverse=True)
    assert glyphs_without_character(content) == []
    assert len(wanted) > 60
    drawn = set().union(*(each.values() for each in (wanted, *fallbacks))) - {"\0"}
    assert drawn - set(book.toPlainText()) <= set(" \u00a0•"), "spaces and bullets are added"


def test_a_pdf_that_cannot_be_written_is_named(
    home: Path, qapp: QApplication, tmp_path: Path
) -> None:
    context = AppContext(Settings(language="en"))
    errors: list[Reason] = []
    context.error_reported.connect(errors.append)
    (file := tmp_path / "rules.pdf").mkdir()
    write_pdf(context, KITS[0], file)
    assert [error.args["file"] for error in errors] == ["rules.pdf"]


def test_without_a_printer_ctrl_p_asks_for_a_file(
    chains: RulebookReader, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "chains.pdf"
    saving_to(monkeypatch, file)
    monkeypatch.setattr(printing.QPrinterInfo, "availablePrinterNames", staticmethod(list))
    chains.activateWindow()
    key_to(chains, Qt.Key.Key_P)
    assert file.read_bytes().startswith(b"%PDF")
