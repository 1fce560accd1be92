"""The order in which a table speaks, as a table: what is done with it, and what is heard then."""

from collections.abc import Callable

import pytest

from tabletop.language.words import Words
from ui.accessibility.table_speech import SpokenQuestion, TableSpeech
from ui.widgets.utterance import Utterance

WORDS = Words("en")
WEAPON = SpokenQuestion(0, "Choose a weapon", ("1: Skip the attack",), asks=(7,))
ARMED = SpokenQuestion(
    0, "Choose a weapon", ("1: Skip the attack", "Ctrl+Enter: Attack"), asks=(7,)
)
TARGET = SpokenQuestion(0, "Choose a target", asks=(7,))
NEXT = SpokenQuestion(0, "Choose a weapon", ("1: Skip the attack",), asks=(9,))
WAYS = SpokenQuestion(0, "Choose a weapon", ("1: Skip the attack",), "Cards: Hammer", (7,))
WAITING = SpokenQuestion(0, "Mugi to play…")
THEIRS = SpokenQuestion(1, "Choose a weapon", ("1: Skip the attack",), asks=(7,))
WHOLE = "Choose a weapon. 1: Skip the attack"


class Reader:
    """A simulated screen reader that speaks only on request."""

    def __init__(self) -> None:
        self.queue: list[Utterance] = []
        self.heard: list[str] = []
        self.is_open = True
        self.speech = TableSpeech(self.queue.append)

    def read(self) -> None:
        while self.queue:
            each = self.queue.pop(0)
            if each.is_current():
                self.heard.append(each.text)
                each.on_read()

    def ask(self, question: SpokenQuestion) -> None:
        self.speech.ask(question, WORDS, lambda: self.is_open)


Step = Callable[[Reader], object]


def ask(question: SpokenQuestion) -> Step:
    return lambda reader: reader.ask(question)


def tell(text: str) -> Step:
    return lambda reader: reader.speech.tell(text)


def close(*still_asked: int) -> Step:
    return lambda reader: reader.speech.close_question(still_asked)


def answer(reader: Reader) -> None:
    """The answer is given before the window has noticed anything."""
    reader.is_open = False


def undo(reader: Reader) -> None:
    reader.speech.forget_events()


read: Step = Reader.read


@pytest.mark.parametrize(
    ("steps", "heard"),
    [
        pytest.param((tell("A"), ask(WEAPON), read), ["A", WHOLE], id="events, then the question"),
        pytest.param((ask(WEAPON), ask(WEAPON), read, ask(WEAPON), read), [WHOLE], id="once"),
        pytest.param((ask(WEAPON), answer, read), [], id="answered before it was heard"),
        pytest.param(
            (tell("A"), ask(WEAPON), close(), tell("B"), read), ["A", "B"], id="closed unheard"
        ),
        pytest.param(
            (ask(WEAPON), read, close(), tell("B"), ask(NEXT), read),
            [WHOLE, "B", WHOLE],
            id="the same text is another question",
        ),
        pytest.param((ask(WEAPON), ask(TARGET), read), ["Choose a target"], id="replaced unheard"),
        pytest.param(
            (ask(WEAPON), read, ask(TARGET), ask(WEAPON), read), [WHOLE], id="back before it"
        ),
        pytest.param(
            (ask(WEAPON), read, ask(TARGET), read, ask(WEAPON), read),
            [WHOLE, "Choose a target", WHOLE],
            id="a step, and back",
        ),
        pytest.param(
            (ask(WEAPON), read, ask(ARMED), read), [WHOLE, "Ctrl+Enter: Attack"], id="a new answer"
        ),
        pytest.param(
            (ask(WEAPON), ask(ARMED), read), [f"{WHOLE}, Ctrl+Enter: Attack"], id="both unheard"
        ),
        pytest.param(
            (ask(ARMED), read, ask(WEAPON), read, ask(ARMED), read),
            [f"{WHOLE}, Ctrl+Enter: Attack", "Ctrl+Enter: Attack"],
            id="an answer comes and goes",
        ),
        pytest.param(
            (ask(WEAPON), read, close(7), ask(WEAPON), read), [WHOLE], id="refused, still asked"
        ),
        pytest.param(
            (ask(WEAPON), close(7), ask(WEAPON), read), [WHOLE], id="unheard, still asked"
        ),
        pytest.param(
            (ask(WEAPON), read, close(), ask(WEAPON), read), [WHOLE, WHOLE], id="asked again"
        ),
        pytest.param(
            (ask(WAITING), read, close(), ask(WAITING), read),
            [WAITING.text, WAITING.text],
            id="waiting again",
        ),
        pytest.param(
            (ask(WEAPON), read, ask(THEIRS), read), [WHOLE, WHOLE], id="another one's question"
        ),
        pytest.param(
            (ask(WEAPON), read, ask(WAYS), read), [WHOLE, "Cards: Hammer"], id="another way"
        ),
        pytest.param((ask(WAYS), read), [f"{WHOLE}. Cards: Hammer"], id="all ways"),
        pytest.param((tell("A"), undo, tell("B"), read), ["B"], id="undone unheard"),
    ],
)
def test_what_is_heard(steps: tuple[Step, ...], heard: list[str]) -> None:
    reader = Reader()
    for step in steps:
        step(reader)
    assert reader.heard == heard


def test_the_state_tells_whether_the_question_was_heard() -> None:
    reader = Reader()
    states = [reader.speech.state]
    for step in (ask(WEAPON), read, close(7), ask(WEAPON), ask(TARGET), close()):
        step(reader)
        states.append(reader.speech.state)
    assert states == ["", "waiting", "spoken", "", "spoken", "waiting", ""]
