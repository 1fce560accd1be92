"""The shelf in windows of other shapes: two rows in upright ones, with everything level."""

from PySide6.QtGui import QColor

from tests.ui.window_driver import Open, settle


def test_an_upright_window_has_rows_of_three_and_two(opened: Open) -> None:
    window = opened()
    window.resize(1080, 1920)
    settle()
    board = window.shelf.board
    rows: dict[int, int] = {}
    for box in board.boxes:
        rows[box.y()] = rows.get(box.y(), 0) + 1
    assert list(rows.values()) == [3, 2]
    assert all(box.board_top >= 0.18 * window.height() for box in board.boxes)
    window.resize(1280, 800)
    settle()
    assert len({box.y() for box in board.boxes}) == 1


def test_the_facts_of_all_boxes_are_level(opened: Open) -> None:
    """Also beside a title of two lines, and of a game without a title in another language."""
    for language in ("en", "ja"):
        window = opened(language=language)
        for size in ((1280, 800), (1024, 600)):
            window.resize(*size)
            settle()
            boxes = window.shelf.board.boxes
            reserved = {box.min_titles_height for box in boxes}
            assert len(reserved) == 1
            assert max(box.titles_height(box.width()) for box in boxes) == reserved.pop()
        window.close()


def test_the_shadow_of_a_box_ends_before_the_widget(opened: Open) -> None:
    window = opened()
    window.resize(1280, 800)
    settle()
    box = window.shelf.board.boxes[0]
    box.setProperty("kind", "bare")
    picture = box.grab().toImage()
    y = round(box.board_top) - 4
    edge, inside = (QColor(picture.pixel(box.width() - x, y)) for x in (1, 10))
    assert inside != edge
    assert abs(edge.lightness() - QColor(picture.pixel(box.width() - 1, 10)).lightness()) < 4
