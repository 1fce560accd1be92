"""A match of this process whose changes are safe on the disk before anybody hears of them.

Nobody waits for the disk: the match stays as it is until a thread has written. What else is to
happen waits its turn.
"""

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from tabletop.engine.model import Reason
from tabletop.engine.play import Illegal
from tabletop.files.disk_pool import DiskPool
from tabletop.files.errors import StorageError
from tabletop.files.write_queue import WriteQueue
from tabletop.match.history import Entry
from tabletop.match.match import Change, Match
from tabletop.match.stand_ins import StandIn


class Act(NamedTuple):
    """Something that is to happen in a match."""

    entry: Callable[[], Entry | StandIn]
    """Returns its entry, or the change of a seat, once it is its turn. Raises Illegal where that
    can't happen."""
    done: Callable[[], None]
    """Called once it has happened."""
    refused: Callable[[Reason], None]
    """Called where the rules or the disk refused it; nothing has changed."""


class KeptMatch:
    """Makes the changes of a match one after the other, each once it is written."""

    def __init__(
        self,
        match: Match,
        pool: DiskPool,
        wake: Callable[[], None],
        unkept: Callable[[Reason], None],
    ) -> None:
        """`wake` has `settle` called in the match's own thread (`WriteQueue`); `unkept` hears why
        the disk refused something."""
        self._match = match
        self._unkept = unkept
        self._acts: deque[Act] = deque()
        self._change: tuple[Change | StandIn, Act] | None = None
        """The change that is being written."""
        self._writes = WriteQueue("journal", pool, wake, self._finish_write)
        self.settle = self._writes.settle
        self.finish = self._writes.finish

    @property
    def busy(self) -> bool:
        """Whether something is being written."""
        return self._change is not None

    def act(
        self,
        entry: Callable[[], Entry | StandIn],
        done: Callable[[], None] = lambda: None,
        refused: Callable[[Reason], None] = lambda reason: None,
    ) -> None:
        """Have something happen, after all that was asked for before (`Act`)."""
        self._acts.append(Act(entry, done, refused))
        self._go_on()

    def _go_on(self) -> None:
        while self._acts and self._change is None:
            act = self._acts.popleft()
            try:
                entry = act.entry()
                change = self._match.change(entry) if isinstance(entry, Entry) else entry
            except Illegal as illegal:
                act.refused(illegal.reason)
                continue
            journal = self._match.journal
            if journal is None:
                self._make(change, act)
                continue
            self._change = change, act
            if isinstance(change, StandIn):
                self._writes.add(partial(journal.write_stand_in, change))
            else:
                self._writes.add(partial(journal.write, change.entry, change.events))
            self.settle()  # no thread was available, or the write was done at once

    def _finish_write(self, count: int, trouble: StorageError | None) -> None:
        assert self._change is not None
        (change, act), self._change = self._change, None
        if trouble is None:
            self._make(change, act)
        else:
            self._unkept(trouble.reason)
            act.refused(trouble.reason)
        self._go_on()

    def _make(self, change: Change | StandIn, act: Act) -> None:
        if isinstance(change, StandIn):
            self._match.seat_stand_in(change)
        else:
            self._match.make(change)
        act.done()
