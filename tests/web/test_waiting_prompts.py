"""What a phone says of a wish to undo, and while the table waits for somebody."""

from types import SimpleNamespace

import pytest

from tabletop.catalogue import catalogue
from tabletop.language.words import Words
from tabletop.match.match import Player
from tabletop.net.protocol import Pause, Wish
from tabletop.web import prompt

WORDS = Words("en", catalogue.load("sun"), (Player("Ann"), Player("Bea")))


def labels(buttons: tuple[object, ...]) -> list[str]:
    return [button.text for button in buttons]


def test_only_who_is_asked_answers_a_wish_to_undo() -> None:
    wish = Wish(0, (1,))
    asked, buttons = prompt._wish(wish, SimpleNamespace(seat=1), WORDS)
    assert asked.text == "Ann wants to undo the last move. Agree?"
    assert labels(buttons) == ["Agree", "No"]
    waits, buttons = prompt._wish(wish, SimpleNamespace(seat=0), WORDS)
    assert waits.text == "Bea is asked about the undo…"
    assert buttons == ()


@pytest.mark.parametrize(
    ("seat", "shown"),
    [(1, ["I am back"]), (0, ["Wait on", "Let a bot play", "End the match"])],
)
def test_a_pause_counts_its_seconds_down(seat: int, shown: list[str]) -> None:
    away = SimpleNamespace(host_here=False)
    text, buttons = prompt._pause(away, Pause((1,), 41.6), SimpleNamespace(seat=seat), WORDS)
    assert (text.text, text.seconds) == ("The table waits for Bea.", 42)
    assert labels(buttons) == shown
