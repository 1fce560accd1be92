"""Queue of messages to one socket. Only the latest page is kept."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from tabletop.web.wire import (
    ShowCodeForm,
    ShowFarewell,
    ShowLobby,
    ShowPage,
    ShowPicture,
    ToBrowser,
    encode,
)

MAX_QUEUED = 256
"""The maximum number of queued messages. Beyond it, the browser reads too slowly,
and its socket is closed.
"""

Screen = ShowCodeForm | ShowLobby | ShowPage
"""A message that replaces everything that the browser shows."""


class SendQueue:
    """The queue of one socket."""

    def __init__(self, write: Callable[[bytes], Awaitable[None]]) -> None:
        self._write = write
        self._lines: deque[ToBrowser] = deque()
        self._screen: Screen | None = None
        self._picture: ShowPicture | None = None
        self._bye: ShowFarewell | None = None
        self._woken = asyncio.Event()
        self._n = 0
        self.shown: Screen | None = None
        """The screen that the browser shows, or will show once it has read the queue."""

    @property
    def has_picture(self) -> bool:
        """Whether a picture is queued. The next picture builds on it,
        and so must not replace it.
        """
        return self._picture is not None

    def put(self, message: ToBrowser) -> None:
        """Queue a message, unless the browser already shows the same page."""
        match message:
            case ShowFarewell():
                self._bye = self._bye or message
            case ShowPicture():
                self._picture = message
            case ShowCodeForm() | ShowLobby() | ShowPage():
                if message == self.shown and not isinstance(message, ShowCodeForm):
                    return  # the form says each time why a code was refused, in the same words too
                self._screen = self.shown = message
            case _:
                self._lines.append(message)
                if len(self._lines) > MAX_QUEUED:
                    self._lines.clear()
                    self._bye = self._bye or ShowFarewell(text="", again=True)
        self._woken.set()

    async def run(self) -> None:
        """Write messages until the farewell is written or `write` raises.

        Answers are written before the page that shows their effect.
        """
        while True:
            await self._woken.wait()
            self._woken.clear()
            while (message := self._next_message()) is not None:
                self._n += 1
                await self._write(encode(message, self._n))
                if isinstance(message, ShowFarewell):
                    return

    def _next_message(self) -> ToBrowser | None:
        if self._lines:
            return self._lines.popleft()
        if self._bye is not None:
            return self._bye
        if self._screen is not None:
            screen, self._screen = self._screen, None
            return screen
        picture, self._picture = self._picture, None
        return picture
