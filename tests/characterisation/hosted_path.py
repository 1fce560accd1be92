"""The common part of the paths over a host that no window has: its tables, and who watches them."""

import asyncio
from abc import abstractmethod
from collections.abc import Callable, Coroutine, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from tabletop.engine.model import AUDIENCE, Reason, State
from tabletop.match.open_asks import awaited_seats
from tabletop.match.seat import Seat
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.guest.session import Guest
from tabletop.net.host.host import Host
from tabletop.net.host.table_disk import journal_path
from tabletop.protocol.messages import Notice, Refused, SeatConfig, TableInfo, TablePlan
from tabletop.table.connection_events import News
from tabletop.table.services import TableTiming
from tests.characterisation.scenarios import LEVEL, TABLE, Scenario
from tests.characterisation.table_path import MAX_WAIT_S, TablePath
from tests.characterisation.transcript import Transcript, facts, told
from tests.net.loopback import ROOMY, Friend

T = TypeVar("T")
TIMING = TableTiming(grace_s=3600, bot_delay_s=0, share_timeout_s=3600)
"""Bots answer at once, and no table pauses because a guest comes late."""
MARK = "mark {}"
"""The chat line after which everybody has heard all that was sent before."""


def table_plan(scenario: Scenario, options: dict[str, Any]) -> TablePlan:
    """Return the plan of the table of a match."""
    plans = (SeatConfig(),) * len(scenario.people) + (SeatConfig("bot", LEVEL),) * scenario.bots
    return TablePlan(scenario.game, plans, "characterised", options)


def follow_table(transcript: Transcript, news: News) -> None:
    """Write down what a guest is told besides the news of its seats."""
    match news:
        case TableInfo():
            transcript.add_once("table", facts(news))
        case Notice(reason=reason):
            transcript.add("notice", told(reason))
        case Refused(reason=reason, of=of, seat=seat):
            transcript.add("request_refused", {"of": of, "seat": seat, "reason": told(reason)})
        case _:
            pass


class HostedPath(TablePath):
    """A match at a host on loopback, opened by somebody who only watches it."""

    def __init__(self, scenario: Scenario, folder: Path) -> None:
        super().__init__(scenario, folder)
        self._runner = asyncio.Runner()
        self._marks = 0
        self.owner: Friend
        self.host: Host

    # What the script does

    def begin(self) -> None:
        self._run(self._begin())

    def settle(self) -> None:
        self._run(self._settle())
        self._note_shown()

    def _note_shown(self) -> None:
        """Write down what is shown while everything is at rest."""

    def stop_and_resume(self) -> None:
        self._run(self._stop_and_resume())

    def close(self) -> None:
        self.transcripts.mute(True)
        self._run(self._stop())
        self._runner.close()
        self.transcripts.mute(False)

    @property
    def audience(self) -> Seat:
        audience = self.owner.guest.audience
        assert audience is not None
        return audience

    @property
    def record(self) -> Path:
        return journal_path(self.folder, TABLE, 1)

    def asked(self) -> bool:
        info = self.info
        return bool((info.wish and info.wish.waiting) or (info.ending and info.ending.waiting))

    @property
    def info(self) -> TableInfo:
        info = self.owner.guest.info
        assert info is not None
        return info

    # What the guests do

    @abstractmethod
    async def _come(self) -> None:
        """Have everybody come to the new table, sit down and be ready."""

    @abstractmethod
    async def _come_back(self) -> None:
        """Have everybody come back to their seats at the host that was stopped."""

    @abstractmethod
    async def _leave(self) -> None:
        """Cut the lines of everybody but the owner."""

    @abstractmethod
    def _guests(self) -> Iterable[Guest]:
        """Return the guests at the table besides the owner."""

    @abstractmethod
    async def _show(self, marks: Sequence[str]) -> None:
        """Return once everybody shows these lines."""

    @abstractmethod
    def _follow_all(self) -> None:
        """Write down from now on what all seats are sent."""

    async def _begin(self) -> None:
        await self._start_host()
        self.owner = self._friend()
        self.owner.guest.open_table(table_plan(self.scenario, self.options))
        await self.owner.inside()
        self.owner.guest.watch()
        await self._come()
        owner = self.owner
        await owner.until(
            lambda: all(sitter.state in ("ready", "bot") for sitter in self.info.sitters)
        )
        owner.guest.start()
        await self._wait_until_shown()
        self._follow_everybody()

    async def _wait_until_shown(self) -> None:
        """Return once everybody is shown the table of the match."""
        await self.owner.until(lambda: self.owner.guest.audience)
        await self._wait_until(self._all_shown)

    def _follow_everybody(self) -> None:
        self.follow(self.audience)
        self._follow_all()

    def _all_shown(self) -> bool:
        return all(seat in guest.own_seats for guest in self._guests() for seat in guest.seats)

    async def _start_host(self) -> None:
        self.host = Host(self.folder, limits=ROOMY, timing=TIMING, bot_pool=self.bots)
        await self.host.start("127.0.0.1", 0)

    async def _stop(self) -> None:
        await self._leave()
        await self.owner.close()
        await self.host.close()

    async def _stop_and_resume(self) -> None:
        self.transcripts.mute(True)
        ticket = self.owner.guest.ticket
        await self._stop()
        await self._start_host()
        self.owner = self._friend(ticket)
        await self.owner.inside()
        self.owner.guest.watch()
        await self._come_back()
        await self._wait_until_shown()
        await self._settle()  # all have heard that the others are back
        self.transcripts.mute(False)
        self._follow_everybody()

    def _friend(self, ticket: Ticket | None = None) -> Friend:
        return Friend(self.host.port, self.host.certificate.fingerprint, ticket)

    async def _settle(self) -> None:
        while True:
            view, guests = self.audience.view, [*self._guests(), self.owner.guest]
            marks = []
            for guest in guests:  # each line is heard after all that its guest has asked for
                self._marks += 1
                marks.append(MARK.format(self._marks))
                guest.send_chat(marks[-1], AUDIENCE)
            for guest in guests:
                await self._wait_until(partial(has_heard, guest, marks))
            await self._show(marks)
            if waits_for_bot(self.info, self.audience.view):
                await self._wait_until(partial(self._has_changed, self.audience.view))
            elif self.audience.view is view and self.pauses.end_one() is None:
                return

    def _has_changed(self, view: State) -> bool:
        return self.audience.view is not view

    async def _wait_until(self, is_true: Callable[[], object]) -> None:
        async with asyncio.timeout(MAX_WAIT_S):
            while not is_true():
                await asyncio.sleep(0.0005)

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        async def limited() -> T:
            async with asyncio.timeout(2 * MAX_WAIT_S):
                return await work

        return self._runner.run(limited())

    async def _do(self, act: Callable[..., object], *args: object) -> None:
        act(*args)


def waits_for_bot(info: TableInfo, view: State) -> bool:
    """Return whether a bot of the host is about to answer."""
    bots = {seat for seat, sitter in enumerate(info.sitters) if sitter.state == "bot"}
    goes_on = info.phase == "playing" and info.pause is None and view.result is None
    return goes_on and bool(bots.intersection(awaited_seats(view)))


def has_heard(guest: Guest, marks: Sequence[str]) -> bool:
    """Return whether a guest has heard these chat lines, and so all that was sent before."""
    return set(marks) <= {line.text for line in guest.chat[-len(marks) :]}


def verdict_of(guest: Guest) -> Reason | None:
    """Return what a guest's check of the last proof says."""
    verdict = guest.check_proof(guest.proof) if guest.proof is not None else None
    return verdict.reason if verdict is not None else None
