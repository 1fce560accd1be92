"""Downloads a table's game from its host before the guest receives the table."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol, TypeVar

from tabletop.background.faults import WENT_WRONG
from tabletop.background.tasks import Tasks, run_in_thread
from tabletop.engine.model import Reason
from tabletop.engine.play import Illegal
from tabletop.net.guest.missing_game import (
    GameTransfer,
    MissingGame,
    as_known_here,
    put_on_shelf,
    take_in,
)
from tabletop.net.guest.session import Guest
from tabletop.protocol.game_files import GameFiles, GamePart
from tabletop.protocol.messages import Entered, Refused, TableInfo
from tabletop.table.connection_events import Event

T = TypeVar("T")


class Workplace(Protocol):
    """The guest's thread: an event loop, or the window's."""

    def call_soon(self, do: Callable[[], None]) -> None:
        """Call this soon."""

    def run_beside(
        self, work: Callable[[], T], take: Callable[[T], None], failed: Callable[[Exception], None]
    ) -> None:
        """Call `work` in another thread, and `take` with its result, or `failed` with an error that
        nobody foresaw, in this one. Both are bound methods."""


class LoopWorkplace:
    """The event loop that runs."""

    def __init__(self, tasks: Tasks) -> None:
        """`tasks`: those among which the work is."""
        self._tasks = tasks

    def call_soon(self, do: Callable[[], None]) -> None:
        asyncio.get_running_loop().call_soon(do)

    def run_beside(
        self, work: Callable[[], T], take: Callable[[T], None], failed: Callable[[Exception], None]
    ) -> None:
        async def run_and_take() -> None:
            take(await run_in_thread(work))

        self._tasks.start(run_and_take(), failed)


class GameDownload:
    """A filter of one guest's events."""

    def __init__(
        self,
        guest: Guest,
        takes: Callable[[MissingGame], bool],
        ready: Callable[[Event], None],
        failed: Callable[[Reason], None],
        came: Callable[[GameTransfer], None] = lambda _: None,
        workplace: Workplace | None = None,
    ) -> None:
        """`takes`: whether this game is to be downloaded; if not it has said why, or asks somebody
        and calls `take` later. `ready` gets the table's facts once its game is here, and `came`
        every part of it. Without a `workplace` the guest lives in the running event loop."""
        self._guest = guest
        self._takes = takes
        self._ready = ready
        self._failed = failed
        self._came = came
        self._workplace: Workplace = workplace or LoopWorkplace(Tasks())
        self._lacking: MissingGame | None = None
        """The game that is not here, with the last facts received about its table."""
        self._transfer: GameTransfer | None = None

    def admit(self, event: Event) -> Event | None:
        """Return the event if the guest is to receive it now, else None."""
        match event:
            case TableInfo():
                known = as_known_here(event, self._guest.info)
                if isinstance(known, TableInfo):
                    # it may have arrived over another connection
                    self._lacking = self._transfer = None
                    return known
                # otherwise it may not be a host at all
                if self._guest.connection_state == "inside":
                    self._note_lacking(known)
                return None
            case GameFiles() | GamePart() | Refused(of="ask_game" | "ask_game_part"):
                self._hear(event)
                return None
            case Entered() if self._transfer is not None:
                self._workplace.call_soon(self._go_on)
        return event

    def take(self) -> None:
        """Download the missing game, once.

        Raises:
            Illegal: the line is broken; it is taken after a reconnect.
        """
        if self._lacking is not None and self._transfer is None:
            self._transfer = GameTransfer(self._lacking, self._guest.say)
            self._transfer.go_on()

    def _note_lacking(self, lacking: MissingGame) -> None:
        first, self._lacking = self._lacking is None, lacking
        if first and self._takes(lacking):
            with suppress(Illegal):  # as in `_go_on`
                self.take()

    def _go_on(self) -> None:
        if self._transfer is not None:
            with suppress(Illegal):  # the line broke; the request is sent again after a reconnect
                self._transfer.go_on()

    def _hear(self, event: GameFiles | GamePart | Refused) -> None:
        transfer = self._transfer
        if transfer is None or transfer.over:
            return
        transfer.hear(event)
        self._came(transfer)
        if transfer.failed is not None:
            self._failed(transfer.failed)
        elif transfer.files is not None:
            lacking, files = transfer.lacking, transfer.files
            self._workplace.run_beside(
                lambda: (transfer, take_in(lacking, files)), self._finish, self._give_up
            )

    def _give_up(self, error: Exception) -> None:
        self._transfer = None  # the person may try again
        self._failed(WENT_WRONG)

    def _finish(self, taken: tuple[GameTransfer, Reason | None]) -> None:
        transfer, why = taken
        put_on_shelf(transfer.lacking)
        if transfer is not self._transfer:
            return  # the guest has newer facts of the table
        if why is not None:
            self._failed(why)  # and keep it so: the table's next message must not start another try
            return
        lacking, self._lacking, self._transfer = self._lacking, None, None
        assert lacking is not None
        self._ready(lacking.info)
        if self._guest.info is not None and self._guest.connection_state == "inside":
            self._guest.request_refresh()  # the updates since then were for a game unknown here
