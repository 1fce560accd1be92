"""Where spectators stand: they see what the audience sees, at once or a while later."""

from collections.abc import Callable, Iterable

from tabletop.engine.events import Said, apply
from tabletop.engine.model import AUDIENCE
from tabletop.match import Reset, Update
from tabletop.net.protocol import Told
from tabletop.net.seats import Timer


class Balcony:
    """Shows spectators one match, so many seconds after it happened."""

    def __init__(
        self,
        delay: float,
        later: Callable[[float, Callable[[], None]], Timer],
        tell: Callable[[Told], None],
    ) -> None:
        """`tell` reaches all spectators that are there."""
        self._delay = delay
        self._later = later
        self._tell = tell
        self._coming: dict[int, tuple[Timer, Told]] = {}
        """What is still to be shown, in order, by a number."""
        self._number = 0
        self._seen: tuple[int, Reset] | None = None
        """What they have seen so far, and after how many entries of the record."""

    def show(self, at: int, news: Update | Reset) -> None:
        """Something happened at the table."""
        told = Told(at, {AUDIENCE: news})
        if not self._delay:
            self._reveal(told)
            return
        number = self._number = self._number + 1
        timer = self._later(self._delay, lambda: self._reveal(self._coming.pop(number)[1]))
        self._coming[number] = timer, told

    def view(self) -> Told | None:
        """What somebody sees who comes now."""
        if self._seen is None:
            return None
        at, reset = self._seen
        return Told(at, {AUDIENCE: reset})

    def catch_up(self) -> None:
        """The match is over: there is nothing to hold back any more."""
        for timer, told in self._clear():
            timer.cancel()
            self._reveal(told)

    def close(self) -> None:
        """Show nothing more."""
        for timer, _ in self._clear():
            timer.cancel()

    def _clear(self) -> Iterable[tuple[Timer, Told]]:
        coming, self._coming = self._coming, {}
        return coming.values()

    def _reveal(self, told: Told) -> None:
        news = told.what[AUDIENCE]
        match news:
            case Reset():
                self._seen = told.at, news
            case Update(events=events) if self._seen is not None and self._delay:
                seen = self._seen[1]
                view = seen.view
                for event in events:
                    view = apply(view, event)
                log = (*seen.log, *(event for event in events if isinstance(event, Said)))
                self._seen = told.at, Reset(view, log, news.offers, news.undoable)
        self._tell(told)
