"""What every bot is."""

from typing import Protocol

from tabletop.engine.model import Ask, Move
from tabletop.match.link import Link


class Bot(Protocol):
    """Answers for a seat; sees no more than the seat's link."""

    def answer(self, link: Link, ask: Ask) -> Move:
        """The answer to one of the link's open questions; an offer of it admits the move."""
        ...
