"""Stand-in bots for humans who left or conceded, and when a concession ends the match."""

from collections.abc import Collection

from msgspec import Struct

from tabletop.engine.model import Name, Reason, TableReader
from tabletop.engine.teams import teams_at

NOT_A_HUMAN_SEAT = Reason("Only a player's seat can be given to a bot.", code="bots_seat")
NO_STAND_IN = Reason("No bot plays at this seat.", code="no_stand_in")
PLAYED_BY_BOT = Reason("A bot plays at this seat already.", code="played_by_bot")


class StandIn(Struct, frozen=True):
    """A change at a human's seat: a bot takes over, or the human returns."""

    seat: int
    level: Name = ""
    """The bot's level, or "" if the human plays again."""
    at: int = 0
    """The length of the record at the time of the change."""


def concession_ends_match(table: TableReader, seat: int, people: Collection[int]) -> bool:
    """Return whether the match ends when `seat` concedes. Otherwise a bot takes the seat over.

    `people` are the seats that humans currently play. The match ends if it is between two players
    or two teams, or if only bots would remain.
    """
    if table.seats <= 2 or len(teams_at(table)) == 2:
        return True
    return not set(people).difference({seat})
