"""The end of a match at its table: the score sheet beside it, and what the bots find out about the
match while it is read."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from tabletop.engine.model import Result
from tabletop.engine.play import Illegal
from tabletop.language.words import Words
from tabletop.review.close_call import lead_sentence
from tabletop.storage.record import Record, read, record_of
from ui.match.dock import EDGE, Dock
from ui.match.result.victory import Victory
from ui.match.seats_here import SeatsHere
from ui.match.side_sheet import SideSheet
from ui.shell.app_context import AppContext
from ui.shell.thinker import Thinker

if TYPE_CHECKING:
    from tabletop.review.highlights import Highlight
    from tabletop.review.review import Feat
    from ui.match.result.score_sheet import ScoreSheet

SHARE = 0.36
"""Of the window's width, what the sheet may take of it."""


class Ending(QObject):
    """Brings the score sheet when the match is over, and takes it away when it goes on again."""

    asked = Signal(str)
    """A button of the sheet was pressed, by its name."""
    told = Signal(str)
    """The result, to be said: the sheet has come, and the keys with it."""

    def __init__(
        self,
        context: AppContext,
        seats_here: SeatsHere,
        dock: Dock,
        side_sheet: SideSheet,
        screen: QWidget,
    ) -> None:
        """`screen` is all that dims while the winner is shown."""
        super().__init__(dock)
        self._context = context
        self._seats_here = seats_here
        self._dock = dock
        self._side_sheet = side_sheet
        self.victory = Victory(context, seats_here.kit, screen)
        self.victory.over.connect(lambda: self._bring(enters=True))
        self._came = False
        """Whether the match came to its end here: one that was over already has been seen."""
        self._words = context.words_of(seats_here.kit, seats_here.players)
        self._shown: Result | None = None
        """The result that the sheet shows now."""
        self._thinker: Thinker | None = None
        self._thinking_of: Result | None = None
        """The end of the match that was looked through, or is."""
        self.highlight: Highlight | None = None

    @cached_property
    def sheet(self) -> ScoreSheet:
        """The score sheet, made when it is first wanted."""
        from ui.match.result.score_sheet import ScoreSheet  # no table begins with it

        sheet = ScoreSheet(self._context)
        sheet.setParent(self._dock)  # with which it goes, though it may never be shown
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
        result = self._seats_here.view.result
        return result is not None and self._shown == result

    def show(self, words: Words) -> None:
        """Print the score sheet in these words, and bring it beside the table: once the winner was
        seen, where the match has just ended and things move."""
        result = self._seats_here.view.result
        if result is None or self.victory.running:
            return
        self._words = words
        if self._came and self._context.speed != "off":
            self.victory.begin(result, self._seats_here.players, words)
        else:
            self._bring()
        self._came = False

    def _bring(self, enters: bool = False) -> None:
        result = self._seats_here.view.result
        if result is None:
            return
        self._shown = result
        self.reprint(self._words)
        self._side_sheet.widen(lambda wide: EDGE + self.sheet.wanted_width(round(SHARE * wide)))
        self.fit()
        self._dock.lay_score_sheet(self.sheet)
        self._side_sheet.apply_looks()
        self._dock.bring("score")
        self.sheet.take_focus()
        self.told.emit(self.sheet.as_text)
        if enters:
            self.sheet.enter()
        self._think(result)

    def reprint(self, words: Words) -> None:
        """Print the current result again, in these words and in the current colours."""
        if self.victory.running and (result := self._seats_here.view.result) is not None:
            self._words = words
            self.victory.tell(result, len(self._seats_here.players), words)
        if self._shown is not None:
            self._words = words
            self.sheet.show_result(self._shown, self._seats_here.players, words)
            self._show_highlight()

    def fit(self) -> None:
        """The window has another width."""
        self.victory.fit()
        if self._shown is not None:
            self.sheet.cover(self._side_sheet.over)

    def step_aside(self) -> None:
        """Uncover the table, as something is asked there."""
        if self._shown is not None:
            self._side_sheet.close()

    def take_away(self) -> None:
        """Remove the result because the match goes on: its end is not true any more."""
        self._came = True
        self.victory.stop()
        if self._shown is None:
            return
        self.close()
        self._shown = self._thinking_of = self.highlight = None
        self._dock.take_score_sheet(self.sheet)
        self._side_sheet.apply_looks()
        self._side_sheet.narrow()

    def _ask(self, name: str) -> None:
        if name == "table":
            self.step_aside()
        else:
            self.asked.emit(name)

    # Review and verdict

    def look_through(self) -> None:
        """Look the match through, if all of it is known now; once for each end."""
        if self._shown is not None:
            self._think(self._shown)

    def _think(self, result: Result) -> None:
        if self._thinking_of == result:
            return
        source = self._record_reader()
        if source is None:
            return
        from tabletop.review.highlights import Highlights

        self.close()
        self._thinking_of, self.highlight = result, None
        thinker = Thinker(Highlights(source, self._context.bot_pool.ponder))
        thinker.progressed.connect(self.sheet.feat.show_progress)
        thinker.found.connect(self._take)
        thinker.failed.connect(self._find_nothing)
        thinker.start()
        self._thinker = thinker
        self._show_highlight()

    def _record_reader(self) -> Callable[[], Record] | None:
        """Return a reader of the record, for a thread that may hold nothing of the window; None as
        long as a host has not sent all."""
        if self._seats_here.seating.file is not None:
            return partial(read, self._seats_here.seating.file)
        try:
            match = self._seats_here.seating.recorded
        except Illegal:  # the host's messages make no match: the sheet says so
            return None
        return partial(record_of, match, Path("match")) if match is not None else None

    def _find_nothing(self) -> None:
        self.close()
        self.sheet.feat.hide()

    def _take(self, found: Highlight) -> None:
        self.close()
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
            self.sheet.show_lead(lead_sentence(highlight.lead, winners, self._words))
        self.sheet.show_feat(highlight.feat, self._words)

    def close(self) -> None:
        """Stop thinking, and showing the winner."""
        self.victory.stop()
        thinker, self._thinker = self._thinker, None
        if thinker is not None:
            thinker.stop()
            thinker.deleteLater()
