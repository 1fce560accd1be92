"""What one browser shows: its language, and its socket while it is connected."""

from typing import Protocol

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Reason
from tabletop.games.drawing_names import BROKEN_DRAWING
from tabletop.language.languages import supported_language
from tabletop.language.names import sole_human
from tabletop.language.words import Words
from tabletop.match.match import Player
from tabletop.match.seat import Seat
from tabletop.net.guest.player_names import named_players
from tabletop.net.guest.session import Guest
from tabletop.web.frame_words import welcome
from tabletop.web.page import page_remark
from tabletop.web.send_queue import SendQueue
from tabletop.web.wire import (
    PictureRequest,
    RequestAnswer,
    ShowCodeForm,
    ShowFarewell,
    ShowLobby,
    ShowNotice,
    ShowPage,
    ToBrowser,
)


class ShownTable(Protocol):
    """The table that a browser shows."""

    guest: Guest

    @property
    def kit(self) -> GameKit | None:
        """The game of the table; None if it is unknown or can't be loaded."""
        ...

    @property
    def seat(self) -> Seat | None:
        """The seat whose view is shown."""
        ...


class BrowserScreen:
    """Sends texts, pages and notices to one browser, in its language."""

    def __init__(self, table: ShownTable, language: str) -> None:
        self.language = language
        self.send_queue: SendQueue | None = None
        """The queue to the browser's socket; None while there is none."""
        self.picture_request = PictureRequest(n=1)
        """The pictures that the browser has requested, if any."""
        self._table = table
        self._words: tuple[object, Words] | None = None
        self._code_form: tuple[Reason, bool, str] | None = None
        """The arguments of `show_code_form` if the form was shown last, instead of a table."""
        self._broken = ""
        """The error of a drawing that was shown last."""

    @property
    def attached(self) -> bool:
        """Whether a browser is connected."""
        return self.send_queue is not None

    @property
    def players(self) -> tuple[Player, ...]:
        """The players, with bots' names in the browser's language."""
        return named_players(self._table.guest.players, self.language)

    def words(self) -> Words:
        """Return the texts for the browser. The object stays the same until language, game or
        players change.
        """
        kit = self._table.kit
        made_of = self.language, kit, self._table.guest.players
        if self._words is None or self._words[0] != made_of:
            language = supported_language(kit, self.language) if kit else self.language
            players = self.players
            self._words = made_of, Words(language, kit, players, sole_human(players))
        return self._words[1]

    def send(self, message: ToBrowser) -> None:
        """Send `message` if a browser is connected."""
        if isinstance(message, ShowLobby | ShowPage):
            self._code_form = None
        if self.send_queue is not None:
            self.send_queue.put(message)

    def send_welcome(self) -> None:
        """Send the texts of the page's frame, such as tabs and buttons."""
        self.send(welcome(self.language))

    def show_code_form(
        self, reason: Reason, keeps_seat: bool = False, fingerprint: str = ""
    ) -> None:
        """Show the form for entering a table's code, and why it is shown.

        See `ShowCodeForm` for the other arguments.
        """
        self._code_form = reason, keeps_seat, fingerprint
        text = self.words().reason(reason)
        self.send(ShowCodeForm(text=text, keeps_seat=keeps_seat, fingerprint=fingerprint))

    def resend_code_form(self) -> None:
        """Show the form again to a browser that comes back, if no table was shown since."""
        if self._code_form is not None:
            self.show_code_form(*self._code_form)

    def show_farewell(self, reason: Reason) -> None:
        """Show `reason` and close the socket."""
        self.send(ShowFarewell(text=self.words().reason(reason)))

    def show_notice(self, reason: Reason, good: bool = False) -> None:
        """Show a notification."""
        shown = page_remark(reason, self.words(), self._table.seat)
        self.send(ShowNotice(text=shown.text, paragraph=shown.paragraph, good=good))

    def show_drawing_error(self, drawing: str) -> None:
        """Show the error of a drawing unless it was also the last one shown; ignore ""."""
        if drawing and drawing != self._broken:
            self._broken = drawing
            self.show_notice(Reason(BROKEN_DRAWING, {"told": self.words().fault(drawing)}))

    def confirm(self, to: int) -> None:
        """Confirm message number `to`."""
        self.send(RequestAnswer(to=to, taken=True))

    def answer_with_reason(self, to: int, reason: Reason) -> None:
        """Send `reason` as the answer to message number `to`: a refusal, or the explanation that
        the message requested.
        """
        shown = page_remark(reason, self.words(), self._table.seat)
        self.send(RequestAnswer(to=to, text=shown.text, paragraph=shown.paragraph))
