"""Downloads a table's game from its host before the guest receives the table."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol, TypeVar

from tabletop.background.faults import WENT_WRONG
from tabletop.background.tasks import Tasks, in_thread
from tabletop.engine.model import Reason
from tabletop.engine.play import Illegal
from tabletop.net.guest.missing_game import (
    GameTransfer,
    MissingGame,
    install_game,
    register_game,
    resolve_game,
)
from tabletop.net.guest.session import Guest
from tabletop.protocol.game_files import GameFiles, GamePart
from tabletop.protocol.messages import Entered, Refused, TableInfo
from tabletop.table.connection_events import Event

T = TypeVar("T")


class BackgroundRunner(Protocol):
    """The guest's thread: an event loop, or the window's."""

    def call_soon(self, callback: Callable[[], None]) -> None:
        """Call this soon."""

    def run_in_background(
        self,
        work: Callable[[], T],
        on_done: Callable[[T], None],
        on_error: Callable[[Exception], None],
    ) -> None:
        """Call `work` in another thread, and `on_done` with its result, or `on_error` with an error that
        nobody foresaw, in this one. Both are bound methods."""


class EventLoopRunner:
    """The event loop that runs."""

    def __init__(self, tasks: Tasks) -> None:
        """`tasks`: those among which the work is."""
        self._tasks = tasks

    def call_soon(self, callback: Callable[[], None]) -> None:
        asyncio.get_running_loop().call_soon(callback)

    def run_in_background(
        self,
        work: Callable[[], T],
        on_done: Callable[[T], None],
        on_error: Callable[[Exception], None],
    ) -> None:
        async def run_and_take() -> None:
            on_done(await in_thread(work))

        self._tasks.start(run_and_take(), on_error)


class GameDownload:
    """A filter of one guest's events."""

    def __init__(
        self,
        guest: Guest,
        should_download: Callable[[MissingGame], bool],
        on_ready: Callable[[Event], None],
        on_error: Callable[[Reason], None],
        on_progress: Callable[[GameTransfer], None] = lambda _: None,
        runner: BackgroundRunner | None = None,
    ) -> None:
        """`should_download`: whether this game is to be downloaded; if not it has said why, or asks somebody
        and calls `take` later. `on_ready` gets the table's facts once its game is here, and `on_progress`
        every part of it. Without a `runner` the guest lives in the running event loop."""
        self._guest = guest
        self._should_download = should_download
        self._on_ready = on_ready
        self._on_error = on_error
        self._on_progress = on_progress
        self._runner: BackgroundRunner = runner or EventLoopRunner(Tasks())
        self._missing: MissingGame | None = None
        """The game that is not here, with the last facts received about its table."""
        self._transfer: GameTransfer | None = None

    def filter(self, event: Event) -> Event | None:
        """Return the event if the guest is to receive it now, else None."""
        match event:
            case TableInfo():
                known = resolve_game(event, self._guest.info)
                if isinstance(known, TableInfo):
                    # it may have arrived over another connection
                    self._missing = self._transfer = None
                    return known
                # otherwise it may not be a host at all
                if self._guest.connection_state == "inside":
                    self._on_missing_game(known)
                return None
            case GameFiles() | GamePart() | Refused(of="ask_game" | "ask_game_part"):
                self._receive(event)
                return None
            case Entered() if self._transfer is not None:
                self._runner.call_soon(self._resume)
        return event

    def start(self) -> None:
        """Download the missing game, once.

        Raises:
            Illegal: the line is broken; it is taken after a reconnect.
        """
        if self._missing is not None and self._transfer is None:
            self._transfer = GameTransfer(self._missing, self._guest.say)
            self._transfer.request_next()

    def _on_missing_game(self, lacking: MissingGame) -> None:
        first, self._missing = self._missing is None, lacking
        if first and self._should_download(lacking):
            with suppress(Illegal):  # as in `_go_on`
                self.start()

    def _resume(self) -> None:
        if self._transfer is not None:
            with suppress(Illegal):  # the line broke; the request is sent again after a reconnect
                self._transfer.request_next()

    def _receive(self, event: GameFiles | GamePart | Refused) -> None:
        transfer = self._transfer
        if transfer is None or transfer.is_over:
            return
        transfer.receive(event)
        self._on_progress(transfer)
        if transfer.error is not None:
            self._on_error(transfer.error)
        elif transfer.files is not None:
            lacking, files = transfer.missing, transfer.files
            self._runner.run_in_background(
                lambda: (transfer, install_game(lacking, files)),
                self._on_installed,
                self._on_install_error,
            )

    def _on_install_error(self, error: Exception) -> None:
        self._transfer = None  # the person may try again
        self._on_error(WENT_WRONG)

    def _on_installed(self, taken: tuple[GameTransfer, Reason | None]) -> None:
        transfer, why = taken
        register_game(transfer.missing)
        if transfer is not self._transfer:
            return  # the guest has newer facts of the table
        if why is not None:
            self._on_error(
                why
            )  # and keep it so: the table's next message must not start another try
            return
        lacking, self._missing, self._transfer = self._missing, None, None
        assert lacking is not None
        self._on_ready(lacking.info)
        if self._guest.info is not None and self._guest.connection_state == "inside":
            self._guest.request_refresh()  # the updates since then were for a game unknown here
