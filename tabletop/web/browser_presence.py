"""Reports to the host whether the user of a browser is present.

A session's connection to the host outlives the browser's socket, so the host can't notice by itself
that the user has gone.
"""

import asyncio
from contextlib import suppress
from typing import Literal

from msgspec import Struct

from tabletop.engine.model import AUDIENCE
from tabletop.engine.play import Illegal
from tabletop.net.guest.session import Guest


class PresenceTiming(Struct, frozen=True):
    """How long a user counts as present after the browser's socket is closed, in seconds."""

    sleep_grace_s: float = 60.0
    """After a lost connection. The screen may only be asleep."""
    close_grace_s: float = 10.0
    """After the page was closed during a match. It may only be reloading."""


class BrowserPresence:
    """The presence of one browser's user at the table.

    "here": a browser is attached. "unseen": the browser is detached, and a grace period runs.
    "gone": the grace period is over, and the host counts the user as away.
    """

    def __init__(self, guest: Guest, timing: PresenceTiming) -> None:
        self.state: Literal["here", "unseen", "gone"] = "here"
        self._guest = guest
        self._timing = timing
        self._timer: asyncio.TimerHandle | None = None
        self._reported: int | None = None
        """The seat that was reported as away."""
        self._was_ready = False

    def on_attached(self) -> bool:
        """Report the user as back if they were reported as away. Return whether they were ready."""
        self.close()
        self.state = "here"
        seat, self._reported = self._reported, None
        was_ready, self._was_ready = self._was_ready, False
        if seat is not None and seat in self._guest.seats:
            with suppress(Illegal):  # disconnected: the host counts a reconnected player as back
                self._guest.set_absent(seat, False)
        return was_ready

    def on_detached(self, closed: bool) -> None:
        """Start the grace period. `closed`: whether the page was closed, and not only cut off."""
        self.close()
        self.state = "unseen"
        info = self._guest.info
        if not closed:
            grace_s = self._timing.sleep_grace_s
        elif info is not None and info.phase == "gathering":
            grace_s = 0.0  # the match may start at any moment; a reloaded page is ready again
        else:
            grace_s = self._timing.close_grace_s
        if grace_s:
            self._timer = asyncio.get_running_loop().call_later(grace_s, self._on_gone)
        else:
            self._on_gone()

    def update(self) -> None:
        """Report an absent user as away if the host counts them as present. The host does so after
        each reconnect.
        """
        info, seat = self._guest.info, next(iter(self._guest.seats), AUDIENCE)
        if self.state != "gone" or info is None or seat == AUDIENCE:
            return
        state = info.sitters[seat].state
        if state not in ("here", "ready"):  # away on their own account, or a bot plays
            return
        with suppress(Illegal):  # disconnected: reported after the reconnect
            self._guest.set_absent(seat)
            self._reported = seat
            self._was_ready = self._was_ready or state == "ready"

    def close(self) -> None:
        """Cancel the grace period."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _on_gone(self) -> None:
        self._timer = None
        self.state = "gone"
        self.update()
