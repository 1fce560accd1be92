"""The prompt of a table over time: after which moves were seen, how long others are waited for,
what another player did last."""

from collections.abc import Sequence

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from tabletop.engine.events import Said
from tabletop.engine.model import Ask
from tabletop.language.prompt import Prompt, before_game, of_game
from tabletop.language.table_status import TableStatus
from tabletop.match.open_asks import open_asks
from ui.match.prompt.last_turn import last_turn
from ui.match.prompt.waiting_clock import WaitingClock
from ui.match.recap import done_to
from ui.widgets.prompt_line import PromptLine


class PromptSpeaker(QObject):
    """Speaks of a table through one prompt."""

    pointed = Signal(object)
    """The person wants to see the lines of the log that the summary of another's turn came from."""

    def __init__(self, prompt: PromptLine) -> None:
        super().__init__(prompt)
        self._prompt = prompt
        self._asks: tuple[Ask, ...] = ()
        """The questions to the viewer as they were put last."""
        self._waiting = ""
        """The last text for a viewer who only waits; empty where they were to act."""
        self._turn: tuple[Said, ...] = ()
        self.clock = WaitingClock(self)
        prompt.turn_line.wanted.connect(lambda: self.pointed.emit(self._turn))

    def speak(self, status: TableStatus, log: Sequence[Said], since: Sequence[Said] = ()) -> None:
        """Say the state of the table. `since` are the lines since the last turn of the viewer."""
        prompt = self._prompt
        before = next((each for each in before_game(status) if not each.notice), None)
        # Hidden until the end has been seen, which it would give away or cover.
        prompt.setVisible(not (status.over and status.moving))
        still_asked = bool(self._asks) and status.asks[:1] == self._asks[:1]
        if before is None and status.moving and not still_asked:
            prompt.rest(self._waiting or status.words("Under way…"))
            return
        self._watch(status)
        game = of_game(replace(status, waited=self.clock.seconds))
        prompt.say(before or game)
        self._asks, self._waiting = status.asks, "" if game.active else game.text
        suffered = () if status.over else done_to(since, status.looking)
        last = () if status.over else last_turn(log, status.looking)
        self._turn = (*(said for said in suffered if said not in last), *last)
        prompt.tell_turn(
            [status.words.said(said, status.looking) for said in self._turn],
            {number for number, said in enumerate(self._turn) if said in suffered},
        )

    def fall_silent(self) -> None:
        """Leave nothing that was said to anybody, and wake up for nothing."""
        self.clock.watch(())
        self._turn, self._asks, self._waiting = (), (), ""
        self._prompt.say(Prompt(""))
        self._prompt.tell_turn(())
        self._prompt.hide()

    def _watch(self, status: TableStatus) -> None:
        """The clock runs while the viewer only waits."""
        waits = not (status.asks or status.due or status.over or status.reacting)
        others = [ask for ask in open_asks(status.view) if ask.seat != status.looking]
        self.clock.watch(others if waits and not status.hurried else ())
