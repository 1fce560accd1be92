"""Moderation requests from a table's host."""

from collections.abc import Callable

from tabletop.protocol.messages import FromGuest
from tabletop.protocol.moderation import Admit, Mute, Remove, RenewCode, SetKnock
from tabletop.protocol.seat_codes import FreeSeat


class Moderator:
    """The requests of one guest, for a host that understands them (`Guest.moderates`).

    Every request raises Illegal where the line is broken.
    """

    def __init__(self, say: Callable[[FromGuest], None]) -> None:
        self._say = say

    def remove(self, seat: int, ban: bool = False) -> None:
        """Send a player away, and let nobody in from there any more."""
        self._say(Remove(seat, ban))

    def free_seat(self, seat: int) -> None:
        """Free a seat in a match, for anyone who takes it (`Guest.codes_known`)."""
        self._say(FreeSeat(seat))

    def mute(self, seat: int, muted: bool = True) -> None:
        """Let nothing be heard from a seat, or from all spectators, in the chat."""
        self._say(Mute(seat, muted))

    def renew_code(self) -> None:
        """Make a new code."""
        self._say(RenewCode())

    def set_knock(self, knock: bool) -> None:
        """Let guests with the code in by hand from now on, or at once again."""
        self._say(SetKnock(knock))

    def admit(self, knock: int, admitted: bool = True) -> None:
        """Let in who knocks, or not."""
        self._say(Admit(knock, admitted))
