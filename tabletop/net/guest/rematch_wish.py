"""A guest's wish for another match, which only the host can start."""

from tabletop.engine.model import Reason
from tabletop.engine.play import Illegal
from tabletop.engine.refusals import NOT_ASKED
from tabletop.language.words import Words
from tabletop.net.guest.session import Guest
from tabletop.protocol.quick_words import quick_text

WISHED = Reason("You want another match. The host begins it.")


class RematchWish:
    """A wish announced in the chat, which readies the guest's seats when the players gather
    again.
    """

    def __init__(self, guest: Guest) -> None:
        self._guest = guest
        self.is_said = False

    def say(self, words: Words) -> bool:
        """Announce the wish in the chat, once. Return whether that is new.

        Raises:
            Illegal: no match is over, or the guest isn't connected.
        """
        guest, info = self._guest, self._guest.info
        # the result arrives before the facts of the table
        over = any(seat.view.result is not None for seat in guest.own_seats.values())
        if not over and (info is None or info.phase not in ("over", "gathering")):
            raise Illegal(NOT_ASKED)
        if self.is_said:
            return False
        for seat in guest.seats[:1]:
            guest.send_chat(quick_text("again", words), seat, "again")
        self.is_said = True
        return True

    def ready_if_gathering(self) -> bool:
        """Ready the guest's seats if the wish was announced and the table is gathering. Return
        whether it did.

        Raises:
            Illegal: the guest isn't connected.
        """
        info = self._guest.info
        if not self.is_said or info is None or info.phase != "gathering":
            return False
        self.is_said = False
        for seat in self._guest.seats:
            self._guest.set_ready(seat)
        return True
