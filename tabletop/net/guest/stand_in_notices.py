"""Merging the host's notices about bots that take over from players.

A host sends one notice per bot, even if several bots take over at the same time.
"""

from tabletop.engine.model import Reason
from tabletop.protocol.messages import FromHost, Notice, TableInfo

CARRIED_ON = "carried_on"
"""The reason code of a notice that a bot now plays for a player."""
TWO_BOTS = Reason("Bots play for {seat} and {seat_2} now.")
SEVERAL_BOTS = Reason("Bots play for {seat}, {seat_2} and {n} more players now.")


class StandInNotices:
    """Collects the seats that bots have taken over since the table's state was last received."""

    def __init__(self) -> None:
        self._seats: list[int] = []

    def merge(self, message: FromHost) -> FromHost:
        """Return `message`, or one notice about all bots so far if it is about a single bot."""
        match message:
            case Notice(reason=Reason(code=code, args={"seat": int(seat)})) if code == CARRIED_ON:
                self._seats.append(seat)
                return Notice(_of_all(message.reason, self._seats))
            case TableInfo():
                self._seats.clear()
        return message


def _of_all(one: Reason, seats: list[int]) -> Reason:
    match seats:
        case [_]:
            return one
        case [first, second]:
            return TWO_BOTS.with_args(seat=first, seat_2=second)
        case [first, second, *more]:
            return SEVERAL_BOTS.with_args(seat=first, seat_2=second, n=len(more))
    raise ValueError(seats)
