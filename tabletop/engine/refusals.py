"""General refusals of moves; those of a game are in its `why`, mostly in its `refusals.py`."""

from typing import Final

from tabletop.engine.types import Reason

NOT_ASKED: Final = Reason("It is not your turn to answer this.", code="not_asked")
NOT_OFFERED: Final = Reason("The rules do not allow this now.", code="not_offered")
ALREADY_ANSWERED: Final = Reason(
    "You have already answered; the others are still choosing.", code="already_answered"
)
GAME_OVER: Final = Reason("The game is over.", code="game_over")
NOTHING_WAITS: Final = Reason("No answer of yours waits to be opened.", code="nothing_waits")
