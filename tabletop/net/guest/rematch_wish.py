"""A guest's wish for another match, which only the host can start."""

from tabletop.engine.model import Reason
from tabletop.engine.play import Illegal
from tabletop.engine.refusals import NOT_ASKED
from tabletop.language.words import Words
from tabletop.net.guest.session import Guest
from tabletop.protocol.quick_words import quick_text

WISHED = Reason("You want another match. The host begins it.")


class RematchWish:
    """A wish that is announced in the chat.

    It marks the guest's seats as ready once players gather again.
    """

    def __init__(self, guest: Guest) -> None:
        self._guest = guest
        self.is_said = False

    def say(self, words: Words) -> bool:
        """Announce the wish in the chat, unless it was announced already.

        Return whether it was announced.

        Raises:
            Illegal: the match isn't over, or the guest isn't connected.
        """
        guest, info = self._guest, self._guest.info
        # the result arrives before the table's new phase
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
        """Mark the guest's seats as ready if the wish was announced and players are gathering.

        Returns:
            Whether the seats were marked.

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
