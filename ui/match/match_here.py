"""A match of this process in the window: its table, the pace of its bots, and its file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from weakref import ref

from PySide6.QtCore import QObject, Signal

from tabletop.bots.personas import persona_of
from tabletop.engine.model import Reason
from tabletop.language.table_status import Capabilities, TablePeople, people_at
from tabletop.match.match import Match, MatchSnapshot
from tabletop.protocol.messages import Notice, Refused
from tabletop.table.connection_events import News
from tabletop.table.services import BotDone, BotPace, BotTask
from tabletop.table.table_bots import TableBots
from tabletop.table.table_here import InProcessTable
from ui.match.seated_table import NoteReader, SeatedTable
from ui.shell.app_context import AppContext
from ui.shell.call_later import call_later
from ui.shell.window_thread import call_in_gui_thread

PACE = frozenset({"animation", "bot_pause"})
"""The settings by which bots pause."""
OF_SEATS = ("play", "take_back")
"""The requests whose refusals the seat itself shows."""


class MatchHere(QObject):
    """The record of a match of this process (`seated_table.MatchRecord`)."""

    unkept = Signal(object)
    """The match's file couldn't be written, or had to be written again: a Reason."""

    def __init__(
        self,
        context: AppContext,
        match: Match,
        bots_play: bool = True,
        trial: bool = False,
    ) -> None:
        """`trial`: one person plays all seats, and the match can't be saved, as its rules may
        differ tomorrow."""
        super().__init__()
        self._trial = trial
        self._context = context
        # threads of the disk and of bots may hold the table a little longer than the window does
        unkept = call_in_gui_thread(self._tell_unkept)
        pool = TableBots(lambda: context.bot_pool, call_in_gui_thread(self._call))
        self.table = InProcessTable(
            match,
            pool=context.disk_pool,
            wake=call_in_gui_thread(self._settle),
            later=call_later,
            bots=pool if bots_play else NoBots(),
            bot_pace=_PersonaPace(self),
            on_write_error=unkept,
        )
        self._stop = self.table.client.listen(self._hear)
        context.changed.connect(self._note_changed)
        self.table.start()
        self.seated = SeatedTable(context, match.kit, self.table.client, self, open_table=trial)

    @property
    def match(self) -> Match:
        return self.table.match

    @property
    def snapshot(self) -> MatchSnapshot:
        return self.table.snapshot

    @property
    def recorded(self) -> Match | None:
        return None if self._trial else self.table.match

    @property
    def _may_agree_to_undo(self) -> bool:
        """Whether people here can undo moves if all agree."""
        match, people = self.match, self.table.client.active_seats
        # from the end: the early plies of a long match need not be played out for that
        moved = any(ply.seat in people for ply in reversed(match.plies))
        return moved and match.can_undo(None)

    @property
    def file(self) -> Path | None:
        return self.table.journal.file

    @property
    def key(self) -> str:
        return self.file.stem if self.file else ""

    @property
    def table_people(self) -> TablePeople:
        client = self.table.client
        return people_at(
            client.info,
            client.seats,
            features=client.features,
            hosts=client.is_host,
            undoable=self._may_agree_to_undo,
        )

    @property
    def capabilities(self) -> Capabilities:
        kept = not self._trial
        return Capabilities(save=kept, restart=kept, review=kept, hurry=True)

    @property
    def hurried(self) -> bool:
        return self.table.hosted.bot_pace.is_hurried

    def hurry(self, hurried: bool) -> None:
        self.table.hurry_bots(hurried)

    def rest(self, resting: bool) -> None:
        self.table.hold_bots(not resting)

    def note_reader(self, seat: int) -> NoteReader | None:
        return None

    def refuse(self, reason: Reason) -> None:
        self._context.tell(reason)

    def close(self) -> None:
        self._context.changed.disconnect(self._note_changed)
        self._stop()
        self.table.close()

    def pause_of(self, seat: int) -> float:
        """Return the seconds that a bot pauses, counted from when what happened before it has been
        seen: each persona has a pace of its own."""
        words = self._context.words
        character = persona_of(words.player(self.match.players[seat]).name, words)
        return (character.pace if character else 1.0) * self._context.bot_pause / 1000

    def _hear(self, news: News) -> None:
        match news:
            case Notice(reason=reason):
                self._context.tell(reason)
            case Refused(of=of, reason=reason) if of not in OF_SEATS:
                self._context.tell(reason)
            case _:
                pass

    def _note_changed(self, changed: frozenset[str]) -> None:
        if changed & PACE:
            self.table.change_bot_pace()

    def _settle(self) -> None:
        self.table.process_saved()

    def _call(self, act: Callable[[], None]) -> None:
        act()

    def _tell_unkept(self, reason: Reason) -> None:
        self.unkept.emit(reason)


def trial_table(context: AppContext, match: Match, bots_play: bool) -> SeatedTable:
    """Return a table at which a game is tried out: nothing of its match is kept."""
    return MatchHere(context, match, bots_play, trial=True).seated


class _PersonaPace(BotPace):
    """Each bot pauses as its persona does."""

    def __init__(self, here: MatchHere) -> None:
        super().__init__(0)
        self._here = ref(here)

    def min_delay_s(self, seat: int) -> float:
        here = self._here()
        return 0.0 if self.is_hurried or here is None else here.pause_of(seat)


class NoBots:
    """Bots that never answer: a person plays for them."""

    def think(self, task: BotTask, done: BotDone) -> Callable[[], None]:
        return lambda: None
