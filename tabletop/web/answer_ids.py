"""The ids of a browser's answers: lines break, and each answer counts once however often it is
said."""

from collections import deque
from collections.abc import Callable

from tabletop.engine.model import Move, Reason

MAX_REMEMBERED_IDS = 200
"""Answers of one browser whose ids are remembered."""


class SubmittedAnswer:
    """An answer as a browser said it, until it is confirmed."""

    def __init__(self, id: str, to: int, move: Move) -> None:
        self.id = id
        self.to = [to]
        """The numbers of the messages that said it: all are answered."""
        self.move = move


class AnswerTracker:
    """The answers of one session: at most one is unconfirmed."""

    def __init__(self, count: Callable[[int], None], refuse: Callable[[int, Reason], None]) -> None:
        """`count` says of a message that its answer counts, `refuse` why it does not."""
        self.unconfirmed: SubmittedAnswer | None = None
        self._count = count
        self._refuse = refuse
        self._counted: deque[str] = deque(maxlen=MAX_REMEMBERED_IDS)

    def is_counted(self, id: str) -> bool:
        """Whether this answer counts already."""
        return id in self._counted

    def confirm(self, answer: SubmittedAnswer) -> None:
        """Confirm an answer that the host has received, or that has been overtaken."""
        self.unconfirmed = None
        self._counted.append(answer.id)
        for number in answer.to:
            self._count(number)

    def refuse(self, answer: SubmittedAnswer, reason: Reason) -> None:
        """Refuse an answer."""
        self.unconfirmed = None
        for number in answer.to:
            self._refuse(number, reason)
