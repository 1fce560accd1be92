"""The banner is between the menu bar and the page, and covers no heading."""

from PySide6.QtCore import QPoint

from tests.ui.window_driver import Open, begin, settle
from ui.app import Window


def page_top(window: Window) -> int:
    return window.shelf.mapTo(window, QPoint(0, 0)).y()


def test_the_banner_pushes_the_page_down(opened: Open) -> None:
    window = opened()
    before = page_top(window)
    window.show_message("The disk is full. " * 12, "warning", "Try again", lambda: None)
    settle()
    assert page_top(window) > window.banner.geometry().bottom()
    assert window.banner.y() >= window.stack.y()
    window.banner.hide()
    settle()
    assert page_top(window) == before


def test_a_table_is_not_laid_out_again_for_the_banner(opened: Open) -> None:
    window = opened()
    screen = begin(window, 1)
    size = screen.view.size()
    window.show_message("The disk is full.")
    settle()
    assert window.banner.isVisible()
    assert screen.view.size() == size
    window.show_shelf()
    settle()
    window.show_message("The disk is full.")
    settle()
    assert page_top(window) > window.banner.geometry().bottom()
