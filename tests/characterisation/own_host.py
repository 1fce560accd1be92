"""The path of a window that hosts: a guest of its own host, with all its people."""

from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tabletop.engine.model import AUDIENCE, Reason, State
from tabletop.language.prompt import ChoiceKind, PromptChoice
from tabletop.net.guest.reconnect_policy import Destination
from tabletop.net.host.host import Host
from tabletop.net.host.table_disk import journal_path
from tabletop.protocol.invitation import Address
from tabletop.table.connection_events import News
from tests.characterisation.hosted_path import (
    MARK,
    TIMING,
    follow_table,
    has_heard,
    table_plan,
    verdict_of,
    waits_for_bot,
)
from tests.characterisation.people_here import PeopleHere
from tests.characterisation.scenarios import TABLE, Scenario, player_name
from tests.characterisation.transcript import told
from tests.characterisation.window_path import WindowPath
from tests.net.loopback import ROOMY
from ui.match.seated_table import SeatedTable
from ui.online import network_thread
from ui.online.network_thread import NetworkThread, QtConnection
from ui.online.people_choices import people_handlers
from ui.online.remote_table import RemoteTable
from ui.online.shared_record import SharedRecord


def quick_host(folder: Path, **more: Any) -> Host:
    """Return a window's host, without its limits, whose bots don't pause."""
    return Host(folder, **more | {"limits": ROOMY, "timing": TIMING, "is_announced": False})


class OwnHostPath(WindowPath):
    name = "own host"

    def __init__(self, scenario: Scenario, folder: Path) -> None:
        super().__init__(scenario, folder)
        self._marks = 0

    def begin(self) -> None:
        self._start_host()
        guest = self._remote.guest
        guest.open_table(table_plan(self.scenario, self.options), self._network.key)
        self._call()
        self.wait_until(lambda: guest.connection_state == "inside" and guest.info)
        for seat in self.scenario.people:
            guest.sit(seat, player_name(seat))
            self.wait_until(lambda seat=seat: seat in guest.seats)
            guest.set_ready(seat)
        guest.start()
        self._sit()

    def _start_host(self) -> None:
        """Host in a thread of its own, as the window does."""
        self._place: Address | None = None
        with patch.object(network_thread, "Host", quick_host):
            self._network = NetworkThread(self.folder, self.bots)
            self._network.hosting_started.connect(self._note_place)
            self._network.start_hosting()
            self.wait_until(lambda: self._place)
        self._remote = RemoteTable()
        self._remote.guest.listen(self._note_news)

    def _note_place(self, place: Address) -> None:
        self._place = place

    def _note_news(self, news: News) -> None:
        follow_table(self.transcripts["table"], news)

    def _call(self) -> None:
        assert self._place is not None
        destination = Destination(self._place, is_returning=True)
        self._remote.connection = QtConnection(self._network, destination)
        self._remote.connection.event_received.connect(self._remote.handle_event)
        remote = self._remote
        for name, signal in (
            ("noted", remote.notice_posted),
            ("announced", remote.announcement_received),
            ("warned", remote.deal_warning_received),
            ("ended", remote.connection_ended),
        ):
            signal.connect(partial(self._note_shown, name))

    def _note_shown(self, name: str, reason: Reason) -> None:
        self.transcripts["window"].add(name, told(reason))

    def _sit(self) -> None:
        self.wait_until(lambda: self._remote.is_playing)
        kit = self._remote.kit
        assert kit is not None
        record = SharedRecord(self._context, self._remote, kit)
        table = SeatedTable(self._context, kit, self._remote.guest, record)
        self.sit(PeopleHere(table))

    @property
    def record(self) -> Path:
        return journal_path(self.folder, TABLE, 1)

    # What the script does

    def concede(self, seat: int) -> None:
        self.here.seat(seat).concede()

    def asked(self) -> bool:
        info = self._remote.info
        assert info is not None
        waiting = [*(info.wish.waiting if info.wish else ())]
        waiting += info.ending.waiting if info.ending else ()
        return bool(self.here.consent.question or waiting)

    def answer(self, agree: bool) -> None:
        consent = self.here.consent
        if consent.question:
            (consent.undo if agree else self._forget)()
            return
        info = self._remote.info
        assert info is not None
        choices: tuple[ChoiceKind, ChoiceKind] = ("consent", "dissent")
        if info.wish is None:
            choices = ("end_by_consent", "play_on")
        kind = choices[0] if agree else choices[1]
        people_handlers(self._remote)[kind](PromptChoice(kind, ""))

    def _forget(self) -> None:
        self.here.consent.ask("")

    def stand_in(self, seat: int, bot: bool) -> None:
        self._remote.request(self._remote.guest.set_absent, seat, bot)
        self.settle()
        if bot:
            self._remote.request(self._remote.guest.decide, "bot")

    def stop_and_resume(self) -> None:
        self.transcripts.mute(True)
        ticket = self._remote.guest.ticket
        self._leave()
        self._start_host()
        self._remote.guest.watch()
        self._remote.guest.join(ticket)
        self._call()
        self.wait_until(lambda: self._remote.is_playing)
        self.transcripts.mute(False)
        self._sit()

    def close(self) -> None:
        reason = verdict_of(self._remote.guest)
        self.transcripts["verdict"].add("verdict", told(reason) if reason is not None else None)
        if reason is not None:
            match = self.here.table.record.saveable_match
            record = match.record if match is not None else None
            self.transcripts["verdict"].add("recorded", record)
        self.transcripts.mute(True)
        self._leave()
        self.transcripts.mute(False)

    def _leave(self) -> None:
        self.here.close()
        self._remote.close()
        self._network.close()
        self.process_events()

    # What it waits for

    def _rest(self) -> None:
        while True:
            self._marks += 1
            mark = MARK.format(self._marks)
            guest, view = self._remote.guest, self.here.view
            guest.send_chat(mark, AUDIENCE)
            self.wait_until(partial(has_heard, guest, (mark,)))
            self.process_events()
            self.here.see_all()
            assert guest.info is not None
            if waits_for_bot(guest.info, self.here.view):
                self.wait_until(partial(self._has_changed, self.here.view))
            elif self.here.view is view:
                return

    def _has_changed(self, view: State) -> bool:
        return self.here.view is not view
