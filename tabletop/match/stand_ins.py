"""Bots that play for people who have left or conceded, and when a concession ends the match."""

from collections.abc import Collection

from msgspec import Struct

from tabletop.engine.model import Name, Reason, TableReader
from tabletop.engine.teams import teams_at

NOT_A_HUMAN_SEAT = Reason("Only a player's seat can be given to a bot.", code="bots_seat")
NO_STAND_IN = Reason("No bot plays at this seat.", code="no_stand_in")
PLAYED_BY_BOT = Reason("A bot plays at this seat already.", code="played_by_bot")


class StandIn(Struct, frozen=True):
    """A change of who plays at a person's seat: a bot from now on, or the person again."""

    seat: int
    level: Name = ""
    """The bot's; "" where the person plays again."""
    at: int = 0
    """The number of record entries before it."""


def concession_ends_match(table: TableReader, seat: int, people: Collection[int]) -> bool:
    """Whether the match is over as soon as this seat concedes; else a bot plays on there. `people`
    are the seats that persons play now.

    It is over between two players or two teams, and where only bots are left.
    """
    if table.seats <= 2 or len(teams_at(table)) == 2:
        return True
    return not set(people).difference({seat})
