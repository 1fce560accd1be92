"""General reasons for refusing moves. A game's own reasons come from its `why`."""

from typing import Final

from tabletop.engine.types import Reason

NOT_ASKED: Final = Reason("It's not your turn.", code="not_asked")
NOT_OFFERED: Final = Reason("The rules do not allow this now.", code="not_offered")
ALREADY_ANSWERED: Final = Reason(
    "You have already answered; the others are still choosing.", code="already_answered"
)
GAME_OVER: Final = Reason("The game is over.", code="game_over")
NOTHING_WAITS: Final = Reason("None of your answers is waiting.", code="nothing_waits")
