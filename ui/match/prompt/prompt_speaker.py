"""The prompt of a table over time: after which moves were seen, how long others are waited for."""

from PySide6.QtCore import QObject

from tabletop.engine.model import Ask
from tabletop.language.prompt import Prompt, before_game, of_game
from tabletop.language.table_status import TableStatus
from ui.match.prompt.waiting_clock import WaitingClock
from ui.shell.app_context import AppContext
from ui.widgets.prompt_line import PromptLine


def _is_told_by_sheet(status: TableStatus) -> bool:
    """Whether the score sheet lies over the table and says it all."""
    return status.over and status.screen.sheet_over and not of_game(status).choices


class PromptSpeaker(QObject):
    """Speaks of a table through one prompt."""

    def __init__(self, context: AppContext, prompt: PromptLine) -> None:
        super().__init__(prompt)
        self._context = context
        self._prompt = prompt
        self.question = ""
        """What is asked, as it is read out; empty while others only play on."""
        self._asks: tuple[Ask, ...] = ()
        """The questions to the viewer as they were put last."""
        self._waiting = ""
        """The last text for a viewer who only waits; empty where they were to act."""
        self._own: tuple[int, ...] = ()
        """The numbers of the viewer's questions, also of answered ones."""
        self._awaited: frozenset[int] = frozenset()
        """The seats that had to answer."""
        self.clock = WaitingClock(self)

    def speak(self, status: TableStatus) -> None:
        """Say the state of the table."""
        self._note_question(status)
        self._write(status)
        told = status.asks or self._tells_of_others(status)
        self.question = self._prompt.spoken_text if told and not status.pending else ""

    def _note_question(self, status: TableStatus) -> None:
        """A reason has had its day with the question it was about: once the viewer is asked another
        one, or, while they only wait, another player is to answer."""
        own = tuple(ask.id for ask in status.view.asks if ask.seat == status.looking)
        awaited = frozenset(status.waiting)
        if own != self._own or not (own or awaited <= self._awaited):
            self._prompt.hide_reason()
        self._own, self._awaited = own, awaited

    def _tells_of_others(self, status: TableStatus) -> bool:
        """Whether it is read out who is waited for: where all is told, bots are heard to play.
        What goes by without a question is none to be heard, nor that an answer is being sent."""
        speech = self._context.settings.speech
        own = status.passing or status.looking in status.waiting
        if own or (speech == "all" and status.bots_wait):
            return False
        return speech != "mine" or status.viewing.due or status.over

    def _write(self, status: TableStatus) -> None:
        prompt = self._prompt
        before = next((each for each in before_game(status) if not each.notice), None)
        # Hidden until the end has been seen, which it would give away or cover.
        unseen = status.over and status.viewing.moving
        prompt.setVisible(not unseen and (before is not None or not _is_told_by_sheet(status)))
        still_asked = bool(self._asks) and status.asks[:1] == self._asks[:1]
        if before is None and status.viewing.moving and not still_asked:
            prompt.show_idle(self._waiting or status.words("Under way…"))
            return
        self.clock.watch(status.awaited)
        game = of_game(status, self.clock.seconds)
        prompt.show_prompt(before or game, status.words)
        self._asks, self._waiting = status.asks, "" if game.active else game.text

    def fall_silent(self) -> None:
        """Leave nothing that was said to anybody, and wake up for nothing."""
        self.clock.watch(())
        self._asks, self._waiting, self.question = (), "", ""
        self._prompt.show_prompt(Prompt(""))
        self._prompt.hide()
