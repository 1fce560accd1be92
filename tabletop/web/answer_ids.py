"""IDs of a browser's answers, so that a repeated answer counts only once."""

from collections import deque
from collections.abc import Callable

from tabletop.engine.model import Move, Reason

MAX_REMEMBERED_IDS = 200
"""The maximum number of answer IDs to remember for one browser."""


class SubmittedAnswer:
    """An answer from a browser, until the host confirms or refuses it."""

    def __init__(self, id: str, to: int, move: Move) -> None:
        self.id = id
        self.to = [to]
        """The numbers of all messages that held the answer."""
        self.move = move


class AnswerTracker:
    """The answers of one session, at most one of them unconfirmed."""

    def __init__(
        self, on_confirmed: Callable[[int], None], on_refused: Callable[[int, Reason], None]
    ) -> None:
        """`on_confirmed` and `on_refused` are called with the number of each
        message that held the answer.
        """
        self.unconfirmed: SubmittedAnswer | None = None
        self._on_confirmed = on_confirmed
        self._on_refused = on_refused
        self._counted: deque[str] = deque(maxlen=MAX_REMEMBERED_IDS)

    def is_counted(self, id: str) -> bool:
        """Return whether the answer with this `id` has been confirmed."""
        return id in self._counted

    def confirm(self, answer: SubmittedAnswer) -> None:
        """Confirm an answer that the host has received, or that is obsolete."""
        self.unconfirmed = None
        self._counted.append(answer.id)
        for number in answer.to:
            self._on_confirmed(number)

    def refuse(self, answer: SubmittedAnswer, reason: Reason) -> None:
        """Refuse `answer` with `reason`."""
        self.unconfirmed = None
        for number in answer.to:
            self._on_refused(number, reason)
