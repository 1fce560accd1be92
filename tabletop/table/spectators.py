"""The spectators' view of a match, which may be delayed."""

from collections import deque
from collections.abc import Callable, Iterable

from tabletop.engine.model import AUDIENCE
from tabletop.match.match import Reset, Update
from tabletop.match.seat import Seat
from tabletop.protocol.messages import TableNews
from tabletop.table.seats import Timer


class SpectatorFeed:
    """Shows one match to spectators, if required with a fixed delay."""

    def __init__(
        self,
        delay: float,
        later: Callable[[float, Callable[[], None]], Timer],
        tell: Callable[[TableNews], None],
    ) -> None:
        """`delay`: in seconds; 0 for none. `tell`: sends a message to all connected spectators."""
        self._delay = delay
        self._later = later
        self._tell = tell
        self._coming: deque[tuple[Timer, TableNews]] = deque()
        """Delayed news in order, each with its timer. All news has the same delay."""
        self._seen: Seat | None = None
        """The match as spectators have seen it so far, if they are delayed."""
        self._at = 0
        """The number of entries in the match's record that spectators have seen."""

    @property
    def is_delayed(self) -> bool:
        """Whether spectators see the match later than the players."""
        return self._delay > 0

    def show(self, at: int, news: Update | Reset) -> None:
        """Show news of the match to spectators, immediately or after the delay."""
        message = TableNews(at, {AUDIENCE: news})
        if not self.is_delayed:
            self._reveal(message)
            return
        self._show_later(message)

    def _show_later(self, message: TableNews) -> None:
        timer = self._later(self._delay, lambda: self._reveal(self._coming.popleft()[1]))
        self._coming.append((timer, message))

    def view(self) -> TableNews | None:
        """Return the delayed match for a new spectator; None if nothing has been shown yet."""
        return TableNews(self._at, {AUDIENCE: self._seen.make_reset()}) if self._seen else None

    def catch_up(self) -> None:
        """Show all delayed news immediately, because the match is over."""
        for timer, message in self._clear():
            timer.cancel()
            self._reveal(message)

    def close(self) -> None:
        """Stop the timers until `reopen`."""
        for timer, _ in self._coming:
            timer.cancel()

    def reopen(self) -> None:
        """Continue after `close`, restarting the delay of each message."""
        for _, message in self._clear():
            self._show_later(message)

    def _clear(self) -> Iterable[tuple[Timer, TableNews]]:
        coming, self._coming = self._coming, deque()
        return coming

    def _reveal(self, message: TableNews) -> None:
        if self.is_delayed:
            self._at, news = message.at, message.what[AUDIENCE]
            if self._seen is not None:
                self._seen.receive(news)
            elif isinstance(news, Reset):
                self._seen = Seat(AUDIENCE, (), news)
        self._tell(message)
