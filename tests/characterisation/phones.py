"""The path of phones: each person has a browser at the gateway before the host."""

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec

from tabletop.engine.model import Move
from tabletop.match.seat import Seat
from tabletop.net.guest.session import Guest
from tabletop.web import browser_session
from tabletop.web.browser_session import BrowserSession
from tabletop.web.gateway.gateway import Gateway
from tabletop.web.gateway.sessions import Sessions
from tests.characterisation.hosted_path import HostedPath, follow_table
from tests.characterisation.scenarios import Scenario, player_name
from tests.characterisation.transcript import follow_seat
from tests.net.loopback import place_of
from tests.web.gateways import Browser, Json

SPOKEN = frozenset({"moving", "verdict", "chat"})
"""The parts of a page that differ from run to run, or come when they are ready."""


class PhonesPath(HostedPath):
    name = "phones"

    def __init__(self, scenario: Scenario, folder: Path) -> None:
        super().__init__(scenario, folder)
        self._browsers: dict[int, Browser] = {}

    # Sitting down

    async def _open_gateway(self) -> None:
        self._sessions = Sessions(place_of(self.host), pause=0)
        self._gateway = Gateway(self._sessions)
        await self._gateway.start("127.0.0.1", 0)

    async def _come(self) -> None:
        self.owner.guest.listen(lambda news: follow_table(self.transcripts["table"], news))
        await self._open_gateway()
        for seat in self.scenario.people:
            browser = Browser(self._gateway.port, code=self.info.code)
            self._browsers[seat] = await browser.start()
            await browser.sit(seat, player_name(seat))
            await self._choose_way(seat)

    async def _come_back(self) -> None:
        self.owner.guest.listen(lambda news: follow_table(self.transcripts["table"], news))
        await self._open_gateway()
        for seat, before in tuple(self._browsers.items()):
            browser = Browser(self._gateway.port, token=before.token)
            self._browsers[seat] = await browser.start()
            await browser.until(lambda browser=browser: browser.page)
            await self._choose_way(seat)

    async def _choose_way(self, seat: int) -> None:
        policies = self.scenario.policies
        self._browsers[seat].send("way", way=policies[seat] if policies else "ask")
        await self._browsers[seat].ask("why")  # has been heard after it

    async def _leave(self) -> None:
        for browser in self._browsers.values():
            await browser.stop()
        await self._gateway.close()

    def _session(self, seat: int) -> BrowserSession:
        return next(each for each in self._sessions._sessions if each.seat_number == seat)

    def _guests(self) -> Iterable[Guest]:
        return [self._session(seat).guest for seat in self._browsers]

    @property
    def seats(self) -> Mapping[int, Seat]:
        sitters = self.info.sitters
        own = {seat: self._session(seat).guest.own_seats for seat in self._browsers}
        return {s: seats[s] for s, seats in own.items() if sitters[s].state != "bot" and s in seats}

    def _follow_all(self) -> None:
        for number in self._browsers:
            seat = self._session(number).guest.own_seats[number]
            if self._followed.get(number) is not seat:  # its session treats reactions itself
                self._followed[number] = seat
                follow_seat(self.transcripts[f"seat {number}"], seat)

    # What the script does

    def begin(self) -> None:
        with self._held_pauses():
            super().begin()

    def settle(self) -> None:
        with self._held_pauses():
            super().settle()

    def stop_and_resume(self) -> None:
        with self._held_pauses():
            super().stop_and_resume()

    @contextmanager
    def _held_pauses(self) -> Iterator[None]:
        """Let the script end the pauses of sessions."""

        def later(_: int, act: Callable[[], None]) -> Callable[[], None]:
            assert isinstance(act, partial)  # of the seat's method
            return self.pauses.later(act.func.__self__.number, act)  # type: ignore[attr-defined]

        with patch.object(browser_session, "_call_later", later):
            yield

    def play(self, seat: int, move: Move) -> None:
        plain = msgspec.to_builtins(move)
        self._tap(seat, "move", id=secrets.token_hex(8), move=plain)

    def ask_undo(self, seat: int) -> None:
        self._tap(seat, "undo")

    def redo(self, seat: int) -> None: ...  # a page has no such button

    def concede(self, seat: int) -> None:
        self._tap(seat, "concede")

    def answer(self, agree: bool) -> None:
        what = "" if self.info.wish is not None else "end"
        asked = self.info.wish or self.info.ending
        assert asked is not None
        for seat in asked.waiting[: None if agree else 1]:
            self._tap(seat, "consent", agree=agree, what=what)
            self.settle()

    def stand_in(self, seat: int, bot: bool) -> None:
        self._tap(seat, "away" if bot else "back")
        self.settle()
        if bot:
            self._run(self._do(self.owner.guest.decide, "bot"))

    def _tap(self, seat: int, kind: str, **fields: Any) -> None:
        """Send a browser's message, and write down what it is answered."""

        async def send() -> Json:
            return await self._browsers[seat].ask(kind, **fields)

        with self._held_pauses():
            said = self._run(send())
        answer = {name: value for name, value in said.items() if name not in ("to", "kind", "n")}
        self.transcripts[f"phone {seat}"].add("answer", {"kind": kind, **answer})

    # What they show

    async def _show(self, marks: Sequence[str]) -> None:
        for browser in self._browsers.values():
            await browser.until(partial(_shows, browser, marks))

    def _note_shown(self) -> None:
        for seat, browser in self._browsers.items():
            page = browser.page
            assert page is not None
            shown = {name: part for name, part in page.items() if name not in SPOKEN}
            self.transcripts[f"phone {seat}"].add_once("page", outline(shown))
            self.transcripts[f"words {seat}"].add_once("page", shown)
            notes, browser.notes = browser.notes, []
            for text in notes:
                self.transcripts[f"words {seat}"].add("note", text)


def _shows(browser: Browser, marks: Sequence[str]) -> bool:
    page = browser.page
    shown = {line["text"] for line in page["chat"][-len(marks) :]} if page is not None else set()
    return set(marks) <= shown


WORDS = frozenset(
    (
        *("text", "label", "sentence", "odds", "prompt", "title", "heading", "look", "name"),
        *(
            "told",
            "points",
            "race",
            "log",
            "notes",
            "faces",
            "face",
            "back",
            "places",
            "count",
            "turned",
        ),
        *("decided", "sheet", "confirm", "group", "lain"),
    )
)
"""The fields of a page that hold what is read, and not what can be done."""


def outline(part: Any) -> Any:
    """Return a page, or a part of one, without its words."""
    match part:
        case dict():
            task = {"active": part["active"]} if "active" in part else {}
            kept = {name: outline(each) for name, each in part.items() if name not in WORDS}
            if isinstance(prompt := part.get("prompt"), dict):
                kept["prompt"] = outline(prompt)
            return kept | task
        case list():
            return [outline(each) for each in part]
        case _:
            return part
