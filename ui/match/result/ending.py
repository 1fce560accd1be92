"""The end of a match at its table: the score sheet beside it, and what the bots find out about the
match while it is read."""

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
from ui.match.dock import EDGE
from ui.match.prompt.other_players import OtherPlayers
from ui.match.result.victory import Victory
from ui.match.seated_table import SeatedTable
from ui.match.table_frame import TableFrame
from ui.shell.search_thread import SearchThread

if TYPE_CHECKING:
    from tabletop.review.highlights import HighlightResult
    from tabletop.review.review import Feat
    from ui.match.result.score_sheet import ScoreSheet

SHARE = 0.36
"""The share of the window's width that the sheet may take."""


class Ending(QObject):
    """Brings the score sheet when the match is over, and takes it away when it goes on again."""

    asked = Signal(str)
    """A button of the sheet was pressed, by its name."""

    def __init__(self, seated: SeatedTable, switch: ViewerSwitch, frame: TableFrame) -> None:
        super().__init__(frame)
        self._context = frame.context
        self._seated, self._switch = seated, switch
        self._frame = frame
        self.others: OtherPlayers | None = None
        """The others at a table that several computers share."""
        self.victory = Victory(frame.context, seated.kit, frame)
        self.victory.over.connect(lambda: self._bring(enters=True))
        self._came = False
        """Whether the match came to its end here: one that was over already has been seen."""
        self._shown: Result | None = None
        """The result that the sheet shows now."""
        self._thinker: SearchThread | None = None
        self._thinking_of: Result | None = None
        """The end of the match that was looked through, or is."""
        self.highlight: HighlightResult | None = None

    @cached_property
    def sheet(self) -> ScoreSheet:
        """The score sheet, made when it is first wanted."""
        from ui.match.result.score_sheet import ScoreSheet

        sheet = ScoreSheet(self._context)
        sheet.setParent(self._frame.dock)  # with which it goes, though it may never be shown
        sheet.hide()
        sheet.asked.connect(self._ask)
        return sheet

    @property
    def feat(self) -> Feat | None:
        """The best move, once it has been found."""
        return self.highlight.feat if self.highlight is not None else None

    @property
    def shown(self) -> bool:
        """Whether the sheet shows the table's present result."""
        result = self._seated.view.result
        return result is not None and self._shown == result

    def show_when_heard(self) -> None:
        """Bring the sheet at the end of the match, once the last move was seen and heard."""
        if self._is_due:
            self._frame.spoken.announcer.run_when_read(self._show_if_due)

    def _show_if_due(self) -> None:
        if self._is_due:
            self.show()

    @property
    def _is_due(self) -> bool:
        switch = self._switch
        looks = switch.shown_seat is not None and not switch.is_animating
        return self._seated.over and looks and not self.shown

    def show(self) -> None:
        """Bring the score sheet beside the table, which then need not say it as well: once the
        winner was seen, where the match has just ended and things move."""
        self._frame.scene.animator.marks.silent = True
        self._offer()
        result = self._seated.view.result
        if result is None or self.victory.running:
            return
        if self._came and self._context.speed != "off":
            self.victory.begin(result, self._seated.players, self._frame.words)
        else:
            self._bring()
        self._came = False

    def _offer(self) -> None:
        if self.others is not None:
            self.sheet.offer(self.others.after)

    def _bring(self, enters: bool = False) -> None:
        result = self._seated.view.result
        if result is None:
            return
        self._shown = result
        self.reprint()
        frame = self._frame
        frame.side_sheet.widen(lambda wide: EDGE + self.sheet.wanted_width(round(SHARE * wide)))
        self.fit()
        frame.dock.lay_score_sheet(self.sheet)
        frame.side_sheet.refresh_appearance()
        frame.dock.bring("score")
        self.sheet.take_focus()
        frame.spoken.announcer.say(self.sheet.as_text)  # the keys have come with it
        if enters:
            self.sheet.enter()
        self._think(result)

    def reprint(self) -> None:
        """Print the current result again, in the words and colours of now."""
        words, players = self._frame.words, self._seated.players
        if self.victory.running and (result := self._seated.view.result) is not None:
            self.victory.tell(result, len(players), words)
        if self._shown is not None:
            self.sheet.show_result(self._shown, players, words)
            self._show_highlight()

    def fit(self) -> None:
        """The window has another width."""
        self.victory.fit()
        if self._shown is not None:
            self.sheet.cover(self._frame.side_sheet.over)

    def step_aside(self) -> None:
        """Uncover the table, as something is asked there."""
        if self._shown is not None:
            self._frame.side_sheet.close()

    def take_away(self) -> None:
        """Remove the result because the match goes on: its end is not true any more."""
        self._frame.scene.animator.marks.silent = False
        self._came = True
        self.victory.stop()
        if self._shown is None:
            return
        self.close()
        self._shown = self._thinking_of = self.highlight = None
        self._frame.dock.take_score_sheet(self.sheet)
        self._frame.side_sheet.refresh_appearance()
        self._frame.side_sheet.narrow()

    def _ask(self, name: str) -> None:
        if name == "table":
            self.step_aside()
        else:
            self.asked.emit(name)

    # Review and verdict

    def show_verdict(self) -> None:
        """Print on the score sheet whether shuffle and dice were fair, where that was checked; the
        match, all of which is known then, is looked through."""
        if self.others is not None:
            self.sheet.show_verdict(*self.others.verdict())
            self._offer()
            if self._shown is not None:
                self._think(self._shown)

    def _think(self, result: Result) -> None:
        if self._thinking_of == result:
            return
        source = self._record_reader()
        if source is None:
            return
        from tabletop.review.highlights import HighlightSearch

        self._stop_thinking()
        self._thinking_of, self.highlight = result, None
        thinker = SearchThread(HighlightSearch(source, self._context.bot_pool.submit))
        thinker.progressed.connect(self.sheet.feat.show_progress)
        thinker.found.connect(self._take)
        thinker.failed.connect(self._find_nothing)
        thinker.start()
        self._thinker = thinker
        self._show_highlight()

    def _record_reader(self) -> Callable[[], Record] | None:
        """Return a reader of the record, for a thread that may hold nothing of the window; None as
        long as a host has not sent all."""
        if self._seated.record.file is not None:
            return partial(read, self._seated.record.file)
        match = self._seated.recorded
        return partial(record_of, match, Path("match")) if match is not None else None

    def _find_nothing(self) -> None:
        self._stop_thinking()
        self.sheet.feat.hide()

    def _take(self, found: HighlightResult) -> None:
        self._stop_thinking()
        self.highlight = found
        self._show_highlight()

    def _show_highlight(self) -> None:
        highlight = self.highlight
        if highlight is None:
            if self._thinker is not None:
                self.sheet.think()
            return
        winners = self._shown.winners if self._shown is not None else ()
        if highlight.lead is not None:
            self.sheet.show_lead(lead_sentence(highlight.lead, winners, self._frame.words))
        self.sheet.show_feat(highlight.feat, self._frame.words)

    def close(self) -> None:
        """Stop thinking, and showing the winner."""
        self.victory.stop()
        self._stop_thinking()

    def _stop_thinking(self) -> None:
        thinker, self._thinker = self._thinker, None
        if thinker is not None:
            thinker.stop()
