"""A match that runs in this process, with its table, bots and file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from weakref import ref

from PySide6.QtCore import QObject, Signal

from tabletop.bots.personas import find_persona
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

PACE_SETTINGS = frozenset({"animation", "bot_pause"})
"""Names of the settings that decide how long bots pause."""
SEAT_REQUESTS = ("play", "take_back")
"""Requests whose refusal is shown by the seat that made them."""


class LocalMatch(QObject):
    """A match that runs in this process (implements `seated_table.MatchRecord`)."""

    write_failed = Signal(object)
    """The match's file couldn't be written, or only when repeated. The argument is a Reason."""

    def __init__(
        self,
        context: AppContext,
        match: Match,
        bots_play: bool = True,
        trial: bool = False,
    ) -> None:
        """Start the match.

        Args:
            bots_play: Whether bots play at their seats. Otherwise a person plays these too.
            trial: Whether a designer is trying the game out. One person then plays all seats, and
                the match can't be saved, because the game's rules may change at any time.
        """
        super().__init__()
        self._is_trial = trial
        self._context = context
        # callbacks must not keep the window: disk and bot threads may outlive it
        unkept = call_in_gui_thread(self._report_write_error)
        pool = TableBots(lambda: context.bot_pool, call_in_gui_thread(self._run_in_gui_thread))
        self.table = InProcessTable(
            match,
            pool=context.disk_pool,
            wake=call_in_gui_thread(self._settle_table),
            later=call_later,
            bots=pool if bots_play else NoBots(),
            bot_pace=_PersonaPace(self),
            on_write_error=unkept,
        )
        self._stop_listening = self.table.client.listen(self._on_news)
        context.changed.connect(self._on_settings_changed)
        self.table.start()
        self.seated = SeatedTable(context, match.kit, self.table.client, self, open_table=trial)

    @property
    def match(self) -> Match:
        return self.table.match

    @property
    def snapshot(self) -> MatchSnapshot:
        return self.table.snapshot

    @property
    def saveable_match(self) -> Match | None:
        return None if self._is_trial else self.table.match

    @property
    def _may_agree_to_undo(self) -> bool:
        """Whether a local player's move could be undone with everyone's agreement."""
        match, people = self.match, self.table.client.active_seats
        # search from the end, so that the early plies of a long match needn't be computed
        moved = any(ply.seat in people for ply in reversed(match.plies))
        return moved and match.can_undo(None)

    @property
    def file(self) -> Path | None:
        return self.table.journal.file

    @property
    def statistics_key(self) -> str:
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
        kept = not self._is_trial
        return Capabilities(save=kept, restart=kept, review=kept, hurry=True)

    @property
    def hurried(self) -> bool:
        return self.table.hosted.bot_pace.is_hurried

    def set_bots_hurried(self, hurried: bool) -> None:
        self.table.hurry_bots(hurried)

    def set_resting(self, resting: bool) -> None:
        self.table.hold_bots(not resting)

    def note_reader(self, seat: int) -> NoteReader | None:
        return None

    def show_refusal(self, reason: Reason) -> None:
        self._context.show_error(reason)

    def close(self) -> None:
        self._context.changed.disconnect(self._on_settings_changed)
        self._stop_listening()
        self.table.close()

    def bot_pause_s(self, seat: int) -> float:
        """Return how long the bot at `seat` pauses before it answers, in seconds.

        The pause depends on the bot's persona and on the user's setting.
        """
        words = self._context.words
        character = find_persona(words.player(self.match.players[seat]).name, words)
        return (character.pace if character else 1.0) * self._context.bot_pause_ms / 1000

    def _on_news(self, news: News) -> None:
        match news:
            case Notice(reason=reason):
                self._context.show_error(reason)
            case Refused(of=of, reason=reason) if of not in SEAT_REQUESTS:
                self._context.show_error(reason)
            case _:
                pass

    def _on_settings_changed(self, changed: frozenset[str]) -> None:
        if changed & PACE_SETTINGS:
            self.table.change_bot_pace()

    def _settle_table(self) -> None:
        self.table.process_saved()

    def _run_in_gui_thread(self, act: Callable[[], None]) -> None:
        act()

    def _report_write_error(self, reason: Reason) -> None:
        self.write_failed.emit(reason)


def trial_table(context: AppContext, match: Match, bots_play: bool) -> SeatedTable:
    """Return a table for trying out a game. Its match isn't saved."""
    return LocalMatch(context, match, bots_play, trial=True).seated


class _PersonaPace(BotPace):
    """Makes each bot pause for as long as its persona does."""

    def __init__(self, here: LocalMatch) -> None:
        super().__init__(0)
        self._here = ref(here)

    def min_delay_s(self, seat: int) -> float:
        here = self._here()
        return 0.0 if self.is_hurried or here is None else here.bot_pause_s(seat)


class NoBots:
    """Bots that never answer, because a person plays at their seats."""

    def think(self, task: BotTask, done: BotDone) -> Callable[[], None]:
        return lambda: None
