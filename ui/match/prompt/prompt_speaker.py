"""Decides when a prompt shows what, and which parts are read out."""

from PySide6.QtCore import QObject

from tabletop.engine.model import Ask
from tabletop.language.prompt import Prompt, game_prompt, prompts_before_game
from tabletop.language.spoken_ways import spoken_ways
from tabletop.language.table_status import TableStatus
from ui.accessibility.table_speech import SpokenQuestion
from ui.match.prompt.waiting_clock import WaitingClock
from ui.shell.app_context import AppContext
from ui.widgets.prompt_line import PromptLine


def _is_covered_by_sheet(status: TableStatus) -> bool:
    """Return whether the open score sheet replaces the prompt, which has no choices to offer."""
    return status.over and status.screen.is_sheet_open and not game_prompt(status).choices


def _is_replaced_by_result(status: TableStatus) -> bool:
    """Return whether the prompt only says that the match is over, which the score sheet says."""
    asked = status.screen.asks_undo or any(not each.notice for each in prompts_before_game(status))
    return status.over and not asked


class PromptSpeaker(QObject):
    """Shows a table's status in a prompt."""

    def __init__(self, context: AppContext, prompt: PromptLine) -> None:
        super().__init__(prompt)
        self._context = context
        self._prompt = prompt
        self.question: SpokenQuestion | None = None
        """The question to read out to the viewer, or None to read out nothing."""
        self._last_asks: tuple[Ask, ...] = ()
        """The viewer's questions when the prompt was last updated."""
        self._waiting_text = ""
        """The last text shown while the viewer only waited, or empty if the viewer had to act."""
        self._own_question_ids: tuple[int, ...] = ()
        """The IDs of the viewer's questions, including answered ones."""
        self._awaited_seats: frozenset[int] = frozenset()
        """The seats that had to answer when the status was last shown."""
        self.clock = WaitingClock(self)

    def show_status(self, status: TableStatus) -> None:
        """Show `status` in the prompt and update `question`."""
        self._forget_stale_reason(status)
        self._show_prompt(status)
        told = status.asks or self._reads_out_waiting(status)
        silent = status.pending or _is_replaced_by_result(status)
        self.question = self._spoken_question(status) if told and not silent else None

    def _spoken_question(self, status: TableStatus) -> SpokenQuestion | None:
        prompt = self._prompt
        if not prompt.spoken_text:
            return None
        ways = status.words.sentences(spoken_ways(status, ask) for ask in prompt.asks)
        asks = tuple(ask.id for ask in prompt.asks)
        return SpokenQuestion(status.looking, prompt.text, prompt.spoken_answers, ways, asks)

    def _forget_stale_reason(self, status: TableStatus) -> None:
        """Remove the reason for a refused move once it no longer applies.

        It no longer applies once the viewer has another question. If the viewer has none, it
        applies until another player has to answer.
        """
        own = tuple(ask.id for ask in status.view.asks if ask.seat == status.looking)
        awaited = frozenset(status.waiting)
        if own != self._own_question_ids or not (own or awaited <= self._awaited_seats):
            self._prompt.hide_reason()
        self._own_question_ids, self._awaited_seats = own, awaited

    def _reads_out_waiting(self, status: TableStatus) -> bool:
        """Return whether to read out which players the viewer is waiting for.

        If all events are read out, the moves of bots are heard anyway. Automatic passes and answers
        that are being sent are never read out.
        """
        speech = self._context.settings.speech
        own = status.passing or status.looking in status.waiting
        if own or (speech == "all" and status.waits_only_for_bots):
            return False
        return speech != "mine" or status.viewing.due or status.over

    def _show_prompt(self, status: TableStatus) -> None:
        prompt = self._prompt
        before = next((each for each in prompts_before_game(status) if not each.notice), None)
        # Hidden until the final move was animated, which the prompt would reveal or cover.
        unseen = status.over and status.viewing.moving
        prompt.setVisible(not unseen and (before is not None or not _is_covered_by_sheet(status)))
        still_asked = bool(self._last_asks) and status.asks[:1] == self._last_asks[:1]
        if before is None and status.viewing.moving and not still_asked:
            prompt.show_idle(self._waiting_text or status.words("Resolving…"))
            return
        self.clock.watch(status.awaited)
        game = game_prompt(status, self.clock.seconds)
        prompt.show_prompt(before or game, status.words)
        # an own answer has arrived once it is animated
        outdated = game.active or status.looking in status.waiting
        self._last_asks, self._waiting_text = status.asks, "" if outdated else game.text

    def silence(self) -> None:
        """Clear and hide the prompt, and stop the clock."""
        self.clock.watch(())
        self._last_asks, self._waiting_text, self.question = (), "", None
        self._prompt.show_prompt(Prompt(""))
        self._prompt.hide()
