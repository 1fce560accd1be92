"""Takes the game of a table from its host for a guest without a window: a bot, a phone."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from tabletop.bots.processes import in_thread
from tabletop.engine.model import Reason
from tabletop.engine.play import Illegal
from tabletop.net.game_files import GameFiles, GamePart
from tabletop.net.guest.connection import Event
from tabletop.net.guest.lacking_game import (
    GameTransfer,
    LackingGame,
    as_known_here,
    put_on_shelf,
    take_in,
)
from tabletop.net.guest.session import Guest
from tabletop.net.protocol import Entered, Refused, TableInfo


class GameTaking:
    """Stands before one guest, in the loop of its line."""

    def __init__(
        self,
        guest: Guest,
        takes: Callable[[LackingGame], bool],
        told: Callable[[Event], None],
        failed: Callable[[Reason], None],
    ) -> None:
        """`takes`: whether this game is to be taken; who says no has told why. `told` hears of the
        table once its game is here."""
        self._guest = guest
        self._takes = takes
        self._told = told
        self._failed = failed
        self._withheld: TableInfo | None = None
        """What was told last of a table whose game is not here."""
        self._transfer: GameTransfer | None = None
        self._work: asyncio.Task[None] | None = None

    def passed(self, event: Event) -> Event | None:
        """What the guest is to hear of what its line tells; None: nothing, for now."""
        match event:
            case TableInfo():
                known = as_known_here(event, self._guest.info)
                if isinstance(known, TableInfo):
                    return known
                if (
                    self._guest.connection_state == "inside"
                ):  # else it has not proved to be the host
                    self._lack(known)
                return None
            case GameFiles() | GamePart() | Refused(of="ask_game" | "ask_game_part"):
                self._hear(event)
                return None
            case Entered() if self._transfer is not None:
                asyncio.get_running_loop().call_soon(self._go_on)
        return event

    def _lack(self, lacking: LackingGame) -> None:
        first, self._withheld = self._withheld is None, lacking.info
        if first and self._takes(lacking):
            self._transfer = GameTransfer(lacking, self._guest.say)
            self._go_on()

    def _go_on(self) -> None:
        if self._transfer is not None:
            with suppress(Illegal):  # the line broke: once it stands again this is said again
                self._transfer.go_on()

    def _hear(self, event: GameFiles | GamePart | Refused) -> None:
        transfer = self._transfer
        if transfer is None or transfer.over:
            return
        transfer.hear(event)
        if transfer.failed is not None:
            self._failed(transfer.failed)
        elif transfer.files is not None:
            self._work = asyncio.get_running_loop().create_task(self._take_in(transfer))

    async def _take_in(self, transfer: GameTransfer) -> None:
        files = transfer.files or {}
        why = await in_thread(lambda: take_in(transfer.lacking, files))
        put_on_shelf(transfer.lacking)
        info, self._withheld, self._transfer = self._withheld, None, None
        if why is not None:
            self._failed(why)
        elif info is not None:
            self._told(info)
            if self._guest.connection_state == "inside":
                self._guest.look_afresh()  # what was told meanwhile was of a game unknown here
