"""Downloading a table's game from its host if the game isn't installed."""

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
    install_game,
    register_game,
    resolve_game,
)
from tabletop.net.guest.session import Guest
from tabletop.protocol.game_files import GameFiles, GamePart
from tabletop.protocol.messages import Refused, TableInfo, TableJoined
from tabletop.table.connection_events import Event

T = TypeVar("T")


class BackgroundRunner(Protocol):
    """Runs blocking work in another thread, and callbacks in the guest's thread."""

    def call_soon(self, callback: Callable[[], None]) -> None:
        """Call `callback` in the guest's thread, after the current event."""

    def run_in_background(
        self,
        work: Callable[[], T],
        on_done: Callable[[T], None],
        on_error: Callable[[Exception], None],
    ) -> None:
        """Call `work` in a worker thread.

        Afterwards `on_done` is called with the result, or `on_error` with an unexpected exception,
        in the guest's thread. Both must be bound methods.
        """


class EventLoopRunner:
    """Runs background work for guests in an asyncio event loop."""

    def __init__(self, tasks: Tasks) -> None:
        """`tasks`: the owner of the background tasks."""
        self._tasks = tasks

    def call_soon(self, callback: Callable[[], None]) -> None:
        asyncio.get_running_loop().call_soon(callback)

    def run_in_background(
        self,
        work: Callable[[], T],
        on_done: Callable[[T], None],
        on_error: Callable[[Exception], None],
    ) -> None:
        async def run_and_report() -> None:
            on_done(await run_in_thread(work))

        self._tasks.start(run_and_report(), on_error)


class GameDownload:
    """A filter for one guest's events.

    It holds the table's state back while the game is missing.
    """

    def __init__(
        self,
        guest: Guest,
        should_download: Callable[[MissingGame], bool],
        on_ready: Callable[[Event], None],
        on_error: Callable[[Reason], None],
        on_progress: Callable[[GameTransfer], None] = lambda _: None,
        runner: BackgroundRunner | None = None,
    ) -> None:
        """All callbacks are called in the guest's thread.

        Args:
            guest: The guest whose game may be missing.
            should_download: Returns whether to download a game immediately. It may instead return
                False, ask the user, and call `start` later.
            on_ready: Called with the table's state once its game is installed.
            on_error: Called with the reason if the download fails.
            on_progress: Called after each message of the download.
            runner: Runs blocking work; by default for the running event loop.
        """
        self._guest = guest
        self._should_download = should_download
        self._on_ready = on_ready
        self._on_error = on_error
        self._on_progress = on_progress
        self._runner: BackgroundRunner = runner or EventLoopRunner(Tasks())
        self._missing: MissingGame | None = None
        """The missing game, with the table's latest state."""
        self._transfer: GameTransfer | None = None

    def filter(self, event: Event) -> Event | None:
        """Return `event`, or None to hold it back from the guest."""
        match event:
            case TableInfo():
                known = resolve_game(event, self._guest.info)
                if isinstance(known, TableInfo):
                    # it may have arrived over another connection
                    self._missing = self._transfer = None
                    return known
                # otherwise the sender may not be the right host
                if self._guest.connection_state == "inside":
                    self._on_missing_game(known)
                return None
            case GameFiles() | GamePart() | Refused(of="ask_game" | "ask_game_part"):
                self._receive(event)
                return None
            case TableJoined() if self._transfer is not None:
                self._runner.call_soon(self._resume)
        return event

    def start(self) -> None:
        """Start to download the missing game, unless a download is already running.

        Raises:
            Illegal: the guest isn't connected. The download then starts after a reconnect.
        """
        if self._missing is not None and self._transfer is None:
            self._transfer = GameTransfer(self._missing, self._guest.say)
            self._transfer.request_next()

    def _on_missing_game(self, missing: MissingGame) -> None:
        first, self._missing = self._missing is None, missing
        if first and self._should_download(missing):
            with suppress(Illegal):  # as in `_resume`
                self.start()

    def _resume(self) -> None:
        if self._transfer is not None:
            with suppress(Illegal):  # not connected: the request is repeated after a reconnect
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
            missing, files = transfer.missing, transfer.files
            self._runner.run_in_background(
                lambda: (transfer, install_game(missing, files)),
                self._on_installed,
                self._on_install_error,
            )

    def _on_install_error(self, error: Exception) -> None:
        self._transfer = None  # the user may try again
        self._on_error(WENT_WRONG)

    def _on_installed(self, result: tuple[GameTransfer, Reason | None]) -> None:
        transfer, reason = result
        register_game(transfer.missing)
        if transfer is not self._transfer:
            return  # the download was replaced or is no longer needed
        if reason is not None:
            self._on_error(reason)  # `_missing` stays, so the next message won't retry
            return
        missing, self._missing, self._transfer = self._missing, None, None
        assert missing is not None
        self._on_ready(missing.info)
        if self._guest.info is not None and self._guest.connection_state == "inside":
            self._guest.request_refresh()  # updates in the meantime were dropped
