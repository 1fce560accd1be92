"""What one browser of a session is shown: its socket while there is one, in its language."""

from typing import Protocol

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Reason
from tabletop.games.drawing_names import BROKEN_DRAWING
from tabletop.language.languages import supported_language
from tabletop.language.words import Words
from tabletop.match.match import Player
from tabletop.match.seat import Seat
from tabletop.net.guest.player_names import named_players
from tabletop.net.guest.session import Guest
from tabletop.web.frame_words import welcome
from tabletop.web.page import remark
from tabletop.web.send_queue import SendQueue
from tabletop.web.wire import (
    AnswersBrowser,
    NotifiesBrowser,
    PictureRequest,
    ShowsCodeForm,
    SocketClosing,
    ToBrowser,
)


class ShownTable(Protocol):
    """The table that the browser shows."""

    guest: Guest

    @property
    def kit(self) -> GameKit | None:
        """The game of the table; None if it isn't known, or can't be read."""
        ...

    @property
    def seat(self) -> Seat | None:
        """The seat whose view is shown."""
        ...


class BrowserScreen:
    """The browser's end of a session."""

    def __init__(self, table: ShownTable, language: str) -> None:
        self.language = language
        self.send_queue: SendQueue | None = None
        """The queue to the browser's socket; None while there is none."""
        self.looks = PictureRequest(n=1)
        """How the browser looks at the table's picture, if at all."""
        self._table = table
        self._words: tuple[object, Words] | None = None
        self._broken = ""
        """The broken drawing that was shown last."""

    @property
    def attached(self) -> bool:
        """Whether there is a browser."""
        return self.send_queue is not None

    @property
    def players(self) -> tuple[Player, ...]:
        """The players with their names in the browser's language."""
        return named_players(self._table.guest.players, self.language)

    def words(self) -> Words:
        """The words for this browser: the same object as long as they would be equal."""
        kit = self._table.kit
        made_of = self.language, kit, self._table.guest.players
        if self._words is None or self._words[0] != made_of:
            language = supported_language(kit, self.language) if kit else self.language
            self._words = made_of, Words(language, kit, self.players)
        return self._words[1]

    def tell(self, message: ToBrowser) -> None:
        """Send the browser a message, if it's there."""
        if self.send_queue is not None:
            self.send_queue.tell(message)

    def welcome(self) -> None:
        """Send the browser the texts of its frame."""
        self.tell(welcome(self.language))

    def show_code_form(self, reason: Reason) -> None:
        """Show the form for a table's code, with the reason why."""
        self.tell(ShowsCodeForm(text=self.words().reason(reason)))

    def say_bye(self, reason: Reason) -> None:
        """Show why the browser is sent away."""
        self.tell(SocketClosing(text=self.words().reason(reason)))

    def note(self, reason: Reason, good: bool = False) -> None:
        """Show a notice."""
        shown = remark(reason, self.words(), self._table.seat)
        self.tell(NotifiesBrowser(text=shown.text, paragraph=shown.paragraph, good=good))

    def note_broken(self, drawing: str) -> None:
        """Show once what is wrong with a drawing; "" if nothing is."""
        if drawing and drawing != self._broken:
            self._broken = drawing
            self.note(Reason(BROKEN_DRAWING, {"told": self.words().fault(drawing)}))

    def confirm(self, to: int) -> None:
        """Confirm message number `to`."""
        self.tell(AnswersBrowser(to=to, taken=True))

    def say_why(self, to: int, reason: Reason) -> None:
        """Answer message number `to` with a reason: why it is refused, or what it asked for."""
        shown = remark(reason, self.words(), self._table.seat)
        self.tell(AnswersBrowser(to=to, text=shown.text, paragraph=shown.paragraph))
