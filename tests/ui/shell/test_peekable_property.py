"""Properties that are made when they are first wanted."""

from tests.ui.window_driver import Open
from ui.app import Window
from ui.shell.peekable_property import PeekableCachedProperty


class Cupboard:
    @PeekableCachedProperty
    def cups(self) -> list[str]:
        return ["a cup"]


def test_looking_for_what_nobody_wanted_makes_nothing() -> None:
    cupboard = Cupboard()
    assert Cupboard.cups.peek(cupboard) is None
    cups = cupboard.cups
    assert Cupboard.cups.peek(cupboard) is cups is cupboard.cups


def test_a_window_that_only_goes_to_its_shelf_makes_no_session(opened: Open) -> None:
    window = opened()
    window.run_command("undo")
    window.show_shelf()
    sessions = (Window.matches, Window.online, Window.replays, Window.workshop, Window.exchange)
    assert [each.peek(window) for each in sessions] == [None] * len(sessions)
