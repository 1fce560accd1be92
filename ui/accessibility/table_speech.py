"""The order in which a table speaks: what happened, then the open question, once.

Screen readers may take seconds to read what has happened. A text that is out of date by then, such
as a question that was answered meanwhile, isn't spoken.
"""

from collections.abc import Callable, Collection
from typing import Literal

from msgspec import Struct

from tabletop.language.words import Words
from ui.widgets.utterance import Utterance

QuestionState = Literal["", "waiting", "spoken"]
"""Whether there is an open question, and whether a screen reader has received it."""


class SpokenQuestion(Struct, frozen=True):
    """A question to a viewer, or a sentence about what the viewer waits for."""

    viewer: int
    text: str
    answers: tuple[str, ...] = ()
    """The ways to answer, each with its key."""
    ways: str = ""
    """The other ways to answer: the cards and places on the table."""
    asks: tuple[int, ...] = ()
    """The IDs of the game's open questions; empty if the viewer only waits."""

    def full_text(self, words: Words) -> str:
        """Return the question with all ways to answer it."""
        return words.sentences((self.text, words.join_list(self.answers), self.ways))

    def is_same_as(self, other: "SpokenQuestion") -> bool:
        """Return whether both ask the same viewer the same, maybe with other answers."""
        return (self.viewer, self.text, self.asks) == (other.viewer, other.text, other.asks)


class TableSpeech:
    """The state of a table's speech.

    The open question is missing, waiting behind the events before it, or spoken. It is dropped
    from the queue as soon as it is closed or replaced. While the game keeps asking the same, only
    what is new about the question is spoken.
    """

    def __init__(self, send: Callable[[Utterance], None]) -> None:
        """`send`: queues an utterance behind all earlier ones."""
        self._send = send
        self.state: QuestionState = ""
        self._open: SpokenQuestion | None = None
        self._heard: SpokenQuestion | None = None
        """The last question that a screen reader has received, until the game asks another one."""
        self._number = self._epoch = 0
        """The serial numbers of the open question, and of the current version of the past."""

    def tell(self, text: str) -> None:
        """Queue what happened. It is dropped if it is undone before it was spoken."""
        epoch = self._epoch
        self._send(Utterance(text, is_current=lambda: self._epoch == epoch))

    def forget_events(self) -> None:
        """Drop the events that haven't been spoken yet, because they were undone."""
        self._epoch += 1

    def ask(
        self, question: SpokenQuestion, words: Words, is_open: Callable[[], bool] = lambda: True
    ) -> None:
        """Make `question` the open question, and queue what the viewer hasn't heard of it yet.

        `is_open`: returns whether the question can still be answered.
        """
        if question == self._open:
            return
        self._open = question
        self._number += 1
        number, self.state = self._number, "waiting"

        def on_read() -> None:
            if self._number == number:
                self.state, self._heard = "spoken", question

        text = self._unheard_text(question, words)
        if text:
            self._send(
                Utterance(
                    text, is_current=lambda: self._number == number and is_open(), on_read=on_read
                )
            )
        else:
            on_read()

    def _unheard_text(self, question: SpokenQuestion, words: Words) -> str:
        """Return the part of `question` that the viewer hasn't heard yet."""
        heard = self._heard
        if heard is None or not heard.is_same_as(question):
            return question.full_text(words)
        answers = [each for each in question.answers if each not in heard.answers]
        ways = question.ways if question.ways != heard.ways else ""
        return words.sentences((words.join_list(answers), ways))

    def close_question(self, still_asked: Collection[int] = ()) -> None:
        """Drop the open question from the queue, because it can't be answered now.

        `still_asked`: the IDs of the questions that the game keeps asking, for instance while an
        answer is on its way. What was heard of them isn't spoken again.
        """
        self._open, self.state = None, ""
        self._number += 1
        heard = self._heard
        if heard is None or not heard.asks or not set(heard.asks) <= set(still_asked):
            self._heard = None
