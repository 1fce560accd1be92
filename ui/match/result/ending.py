"""The end of a match: the winner's announcement, the score sheet and the best move."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from tabletop.engine.model import Result
from tabletop.match.viewer_switch import ViewerSwitch
from tabletop.review.close_call import lead_sentence
from tabletop.storage.record import Record, read, record_of
from ui.match.dock import LEFT_EDGE_PX
from ui.match.prompt.other_players import OtherPlayers
from ui.match.result.victory import VictoryOverlay
from ui.match.seated_table import SeatedTable
from ui.match.table_frame import TableFrame
from ui.shell.search_thread import SearchThread

if TYPE_CHECKING:
    from tabletop.review.highlights import HighlightResult
    from tabletop.review.review import Feat
    from ui.match.result.score_sheet import ScoreSheet

MAX_WIDTH_SHARE = 0.36
"""The greatest width of the score sheet, as a share of the window's width."""


class Ending(QObject):
    """Shows the score sheet at the end of a match, and removes it if the match continues."""

    command_requested = Signal(str)
    """A button of the score sheet was pressed. The argument is its name."""

    def __init__(self, seated: SeatedTable, switch: ViewerSwitch, frame: TableFrame) -> None:
        super().__init__(frame)
        self._context = frame.context
        self._seated, self._switch = seated, switch
        self._frame = frame
        self.other_players: OtherPlayers | None = None
        """The players on other computers, or None at a local table."""
        self.victory = VictoryOverlay(frame.context, seated.kit, frame)
        self.victory.finished.connect(self._show_sheet_after_victory)
        self._is_running_match = False
        """Whether the match has been running at this table.

        Only then is the winner announced, not if the match was over when its table opened.
        """
        self._shown_result: Result | None = None
        """The result on the score sheet, or None while the sheet is hidden."""
        self._search: SearchThread | None = None
        self._searched_result: Result | None = None
        """The result for which the search for the best move was last started, or None."""
        self.highlight: HighlightResult | None = None

    @cached_property
    def sheet(self) -> ScoreSheet:
        """The score sheet, created on first use."""
        from ui.match.result.score_sheet import ScoreSheet

        sheet = ScoreSheet(self._context)
        sheet.setParent(self._frame.dock)  # the owner that deletes it, even if it is never shown
        sheet.hide()
        sheet.command_requested.connect(self._on_sheet_command)
        return sheet

    @property
    def feat(self) -> Feat | None:
        """The best move of the match, or None if none was found yet."""
        return self.highlight.feat if self.highlight is not None else None

    @property
    def is_shown(self) -> bool:
        """Whether the score sheet shows the table's current result."""
        result = self._seated.view.result
        return result is not None and self._shown_result == result

    def show_after_announcement(self) -> None:
        """Show the score sheet of a finished match once the last move was read out."""
        if self._is_due:
            self._frame.spoken.announcer.run_when_read(self._show_if_due)

    def _show_if_due(self) -> None:
        if self._is_due:
            self.show()

    @property
    def _is_due(self) -> bool:
        switch = self._switch
        looks = switch.shown_seat is not None and not switch.is_animating
        return self._seated.is_over and looks and not self.is_shown

    def show(self) -> None:
        """Announce the winner if the match has just ended, then show the score sheet."""
        self._frame.scene.animator.marks.lights_only = True
        self._update_buttons()
        result = self._seated.view.result
        if result is None or self.victory.is_running:
            return
        celebrates = self._is_running_match and self._context.animation_speed != "off"
        # a screen reader would stop speaking when the focus moves to the announcement and on
        is_heard = self._frame.spoken.announcer.screen_reader_active
        if is_heard or not celebrates:
            self._show_sheet()
        if celebrates:
            self.victory.start(
                result, self._seated.players, self._frame.words, takes_focus=not is_heard
            )
        self._is_running_match = False

    def _show_sheet_after_victory(self) -> None:
        if not self.is_shown:
            self._show_sheet(enters=True)

    def _update_buttons(self) -> None:
        if self.other_players is not None:
            self.sheet.set_available_buttons(self.other_players.score_sheet_buttons)

    def _show_sheet(self, enters: bool = False) -> None:
        """Show the score sheet in the sidebar. If `enters`, animate its entry."""
        result = self._seated.view.result
        if result is None:
            return
        self._shown_result = result
        self.refresh_result()
        frame = self._frame
        frame.side_sheet.widen(
            lambda width: LEFT_EDGE_PX + self.sheet.preferred_width(round(MAX_WIDTH_SHARE * width))
        )
        self.fit_window()
        frame.dock.add_score_sheet(self.sheet)
        frame.side_sheet.refresh_appearance()
        frame.dock.show_tab("score")
        self.sheet.focus_first_button()
        frame.spoken.announcer.say(self.sheet.spoken_text)  # the sheet has just got keyboard focus
        if enters:
            self.sheet.animate_entry()
        # the search would keep the window from answering the screen reader in time
        frame.spoken.announcer.run_when_heard(self._search_if_shown)

    def _search_if_shown(self) -> None:
        if self._shown_result is not None:
            self._start_search(self._shown_result)

    def refresh_result(self) -> None:
        """Update the displayed result for the current language and theme."""
        words, players = self._frame.words, self._seated.players
        if self.victory.is_running and (result := self._seated.view.result) is not None:
            self.victory.set_result(result, len(players), words)
        if self._shown_result is not None:
            self.sheet.show_result(self._shown_result, players, words)
            self._show_highlight()

    def fit_window(self) -> None:
        """Adapt the announcement and score sheet to the window's new size."""
        self.victory.cover_parent()
        if self._shown_result is not None:
            self.sheet.set_covering(self._frame.side_sheet.overlays_table)

    def uncover_table(self) -> None:
        """Close the sidebar if it covers the table."""
        if self._shown_result is not None:
            self._frame.side_sheet.close_tabs()

    def remove_result(self) -> None:
        """Remove the announcement and the score sheet, because the match continues."""
        self._frame.scene.animator.marks.lights_only = False
        self._is_running_match = True
        self.victory.stop()
        if self._shown_result is None:
            return
        self.close()
        self._shown_result = self._searched_result = self.highlight = None
        self._frame.dock.remove_score_sheet(self.sheet)
        self._frame.side_sheet.refresh_appearance()
        self._frame.side_sheet.reset_width()

    def _on_sheet_command(self, name: str) -> None:
        if name == "table":
            self.uncover_table()
        else:
            self.command_requested.emit(name)

    # Review and verdict

    def show_fairness_verdict(self) -> None:
        """Show on the score sheet whether shuffles and dice were fair.

        By then the host has sent the whole match, so the search for the best move starts too.
        """
        if self.other_players is not None:
            self.sheet.show_verdict(*self.other_players.fairness_verdict())
            self._update_buttons()
            self._frame.spoken.announcer.run_when_heard(self._search_if_shown)

    def _start_search(self, result: Result) -> None:
        if self._searched_result == result:
            return
        source = self._record_reader()
        if source is None:
            return
        from tabletop.review.highlights import HighlightSearch

        self._stop_search()
        self._searched_result, self.highlight = result, None
        thinker = SearchThread(HighlightSearch(source, self._context.bot_pool.submit))
        thinker.progressed.connect(self.sheet.feat.show_progress)
        thinker.result_found.connect(self._on_highlight_found)
        thinker.failed.connect(self._on_search_failed)
        thinker.start()
        self._search = thinker
        self._show_highlight()

    def _record_reader(self) -> Callable[[], Record] | None:
        """Return a function that reads the record in a thread. It has no references to the window.

        Return None if the host hasn't sent the whole match yet.
        """
        if self._seated.record.file is not None:
            return partial(read, self._seated.record.file)
        match = self._seated.saveable_match
        return partial(record_of, match, Path("match")) if match is not None else None

    def _on_search_failed(self) -> None:
        self._stop_search()
        self.sheet.feat.hide()

    def _on_highlight_found(self, found: HighlightResult) -> None:
        self._stop_search()
        self.highlight = found
        self._show_highlight()

    def _show_highlight(self) -> None:
        highlight = self.highlight
        if highlight is None:
            if self._search is not None:
                self.sheet.show_searching()
            return
        winners = self._shown_result.winners if self._shown_result is not None else ()
        if highlight.lead is not None:
            self.sheet.show_lead(lead_sentence(highlight.lead, winners, self._frame.words))
        self.sheet.show_feat(highlight.feat, self._frame.words)

    def close(self) -> None:
        """Stop the search and the announcement."""
        self.victory.stop()
        self._stop_search()

    def _stop_search(self) -> None:
        thinker, self._search = self._search, None
        if thinker is not None:
            thinker.stop()
