"""Answers of a browser until the host has confirmed them; each counts once."""

from collections import deque
from collections.abc import Callable

from tabletop.engine.model import Move, Reason
from tabletop.engine.play import Illegal
from tabletop.engine.refusals import NOT_OFFERED
from tabletop.match.link import Link

IDS = 200
"""Answers of one browser whose ids are remembered."""


class SentAnswer:
    """A move that a browser sent, until it is known what came of it."""

    def __init__(self, id: str, to: int, move: Move) -> None:
        self.id = id
        self.to = [to]
        """The numbers of the messages that said it: all are answered."""
        self.move = move


class SentAnswers:
    """The answers of one session: at most one is under way."""

    def __init__(self, count: Callable[[int], None], refuse: Callable[[int, Reason], None]) -> None:
        """`count` says of a message that its answer counts, `refuse` why it does not."""
        self.open: SentAnswer | None = None
        """The answer that was sent and is not confirmed yet."""
        self._count = count
        self._refuse = refuse
        self._counted: deque[str] = deque(maxlen=IDS)

    def counted(self, id: str) -> bool:
        """Whether this answer counts already."""
        return id in self._counted

    def count(self, answer: SentAnswer) -> None:
        """Confirm an answer that the host has received, or that has been overtaken."""
        self.open = None
        self._counted.append(answer.id)
        for number in answer.to:
            self._count(number)

    def give(self, answer: SentAnswer, link: Link) -> None:
        """Send an answer to the host."""
        self.open = None
        offers = link.offers.get(answer.move.ask, ())
        if not any(offer.admits(answer.move) for offer in offers):
            cards = answer.move.cards or (-2,)
            reasons = (link.why(answer.move.ask, card, answer.move.target) for card in cards)
            self.refuse(answer, next(filter(None, reasons), NOT_OFFERED))
            return
        self.open = answer
        try:
            link.send(answer.move)
        except Illegal as illegal:
            self.refuse(answer, illegal.reason)

    def refuse(self, answer: SentAnswer, reason: Reason) -> None:
        """Refuse an answer."""
        self.open = None
        for number in answer.to:
            self._refuse(number, reason)
