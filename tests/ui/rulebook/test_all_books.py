"""Help's search looks through all rulebooks."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tabletop.catalogue import catalogue
from tests.ui.window_driver import Open, page
from ui.rulebook.reader import RulebookReader
from ui.rulebook.rulebook_screen import RulebookScreen


def opened_books(opened: Open, language: str = "en") -> RulebookScreen:
    window = opened((1280, 800), language=language)
    shown = page(window, "rules")
    assert isinstance(shown, RulebookScreen)
    return shown


def counted(dialog: RulebookScreen) -> list[str]:
    texts = [dialog.game_selector.itemText(n) for n in range(dialog.game_selector.count())]
    return [text for text in texts if text.endswith((")", "）"))]


def test_a_word_of_another_game_is_found_there(opened: Open) -> None:
    dialog = opened_books(opened)
    first = dialog.reader
    first.search_field.setText("knockout")
    assert first.browser.hit_position == (0, 0)
    assert [text.partition(" (")[0] for text in counted(dialog)] == ["Sister Royale"]
    QTest.keyClick(first.search_field, Qt.Key.Key_Return)
    assert dialog.reader is not first
    assert dialog.game_selector.currentText().startswith("Sister Royale")
    assert dialog.reader.browser.hit_position[0] == 1
    assert dialog.reader.search_field.text() == "knockout"


def test_the_search_goes_round_all_books_and_back(opened: Open) -> None:
    dialog = opened_books(opened)
    dialog.reader.search_field.setText("start player")
    seen: list[str] = []
    total = sum(reader.browser.hit_position[1] for reader in dialog._readers)
    books = sum(bool(reader.browser.hit_position[1]) for reader in dialog._readers)
    assert books > 1
    for _ in range(total):
        QTest.keyClick(dialog.reader.search_field, Qt.Key.Key_Return)
        if dialog.game_selector.currentText() not in seen:
            seen.append(dialog.game_selector.currentText())
    assert len(seen) == books
    here = dialog.game_selector.currentText()
    for _ in range(total):
        QTest.keyClick(
            dialog.reader.search_field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier
        )
    assert dialog.game_selector.currentText() == here


def test_without_a_word_no_book_is_counted(opened: Open) -> None:
    dialog = opened_books(opened, "ja")
    dialog.reader.search_field.setText("カード")
    assert len(counted(dialog)) == 5
    dialog.reader.search_field.clear()
    assert counted(dialog) == []
    assert all(reader.browser.hit_position == (0, 0) for reader in dialog._readers)


def test_at_a_table_the_search_stays_in_its_book(opened: Open) -> None:
    window = opened((1280, 800))
    window.matches.start_bot_match(catalogue.load("sun"))
    window.table.dock.open_rulebook()
    reader = window.table.dock.rules.findChild(RulebookReader)
    reader.search_field.setText("ghost")
    hits = reader.browser.hit_position
    QTest.keyClick(reader.search_field, Qt.Key.Key_Return)
    assert reader.browser.hit_position[1] == hits[1] > 1
