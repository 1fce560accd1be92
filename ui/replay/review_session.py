"""Reviews one player's moves in a replay, in the background, and shows the results."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from tabletop.background.faults import WENT_WRONG
from tabletop.engine.model import AUDIENCE
from tabletop.language.words import Words
from tabletop.match.playback import Playback
from tabletop.review.review import (
    Mistake,
    QuickLook,
    Review,
    played_moves,
    restore_mistake,
    restore_quick_look,
    to_stored_finding,
)
from tabletop.storage import review_file
from tabletop.storage.record import Record
from tabletop.storage.review_file import SeatFindings
from tabletop.text.phrases import phrase
from ui.replay.review_panel import CostlyMove, MoveChance, ReviewPanel
from ui.replay.timeline import REVIEW, TimelineMark
from ui.shell.app_context import AppContext
from ui.shell.search_thread import SearchThread
from ui.style.rich_text import escape_mnemonics
from ui.widgets.popup_menu import open_for_keys

WELL_PLAYED = phrase("No move cost {name} much. Well played!")
NO_CHOICE = phrase("{name} had no choices to make in this match.")


class ReviewSession(QObject):
    """Runs the review of a player's moves, stores the results and shows them."""

    marks_changed = Signal()
    """The timeline marks have changed."""
    panel_created = Signal(object)
    """The `ReviewPanel` was created."""
    started = Signal()
    """A review has started."""
    decision_requested = Signal(object)
    """Request to show the position of a decision: its `Mistake` or `QuickLook`."""
    play_on_requested = Signal()
    """Request to continue the match from the displayed position."""

    def __init__(
        self,
        context: AppContext,
        playback: Playback,
        record: Record,
        seats: Sequence[int],
        parent: QObject,
    ) -> None:
        """Prepare reviews; `seats` are the seats whose moves can be reviewed."""
        super().__init__(parent)
        self._context = context
        self._playback = playback
        self._record = record
        self.seats = tuple(seats)
        self._thinker: SearchThread | None = None
        self.panel: ReviewPanel | None = None
        self.seat = AUDIENCE
        self.findings: tuple[Mistake, ...] = ()
        """The costly moves; empty until the review has finished."""
        self.chances: tuple[QuickLook, ...] = ()
        """The estimates for all decisions; empty until the review has finished."""
        self._review: Review | None = None

    @property
    def _words(self) -> Words:
        return self._context.replay_words(self._playback.kit, self._playback.players)

    @property
    def pins(self) -> list[TimelineMark]:
        """The timeline marks for the costly moves."""
        return [
            TimelineMark(
                self.beat_before(finding), REVIEW, self._costly_move(number, finding).better
            )
            for number, finding in enumerate(self.findings, start=1)
        ]

    def start(self, viewer: int | None, button: QWidget) -> None:
        """Review the moves of `viewer`, or of the only seat that can be reviewed.

        If several seats can be reviewed, the user picks one from a menu at `button`.
        """
        if viewer is not None and viewer in self.seats:
            self.review_seat(viewer)
        elif len(self.seats) == 1:
            self.review_seat(self.seats[0])
        elif self.seats:
            menu = QMenu(button)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            for seat in self.seats:
                action = menu.addAction(escape_mnemonics(self._words.seat(seat)))
                action.triggered.connect(lambda _=False, seat=seat: self.review_seat(seat))
            over = QPoint(0, -menu.sizeHint().height())
            open_for_keys(menu, button.mapToGlobal(over))

    def review_seat(self, seat: int) -> None:
        """Review the moves of `seat`, or show the stored results of an earlier review."""
        self.stop()
        self.seat, self.findings, self.chances = seat, (), ()
        self.marks_changed.emit()
        panel, name = self._panel(), self._words.seat(seat)
        panel.show_started(name)
        self.started.emit()
        if self._show_kept_findings(seat):
            return
        made = played_moves(self._playback, seat)
        if not made:
            panel.show_results(self._context.words(NO_CHOICE, name=name), self._words)
            return
        self._review = Review(made, self._context.bot_pool.submit)
        thinker = SearchThread(self._review)
        thinker.progressed.connect(panel.show_progress)
        thinker.result_found.connect(self._take)
        thinker.failed.connect(self._fail)
        thinker.start()
        self._thinker = thinker

    def _show_kept_findings(self, seat: int) -> bool:
        """Show the stored results for `seat`, and return whether there are any."""
        record, plies = self._record, self._playback.plies
        kept = review_file.read_findings(record.path, record.entries).seats.get(seat)
        if kept is None:
            return False
        try:
            self.findings = tuple(restore_mistake(plies, each) for each in kept.mistakes)
            self.chances = tuple(restore_quick_look(plies, each) for each in kept.looks)
        except LookupError:  # the findings are of another match
            return False
        self._conclude()
        self.marks_changed.emit()
        return True

    def stop(self) -> None:
        """Stop the review, but keep earlier results."""
        thinker, self._thinker = self._thinker, None
        if thinker is not None:
            thinker.stop()

    def show(self, number: int) -> None:
        """Show the position of the costly move at index `number`."""
        finding = self.findings[number]
        self.decision_requested.emit(finding)
        self._mark(finding.ply)

    def show_move(self, place: int) -> None:
        """Show the position of the decision at index `place`."""
        chance = self.chances[place]
        self.decision_requested.emit(chance)
        self._mark(chance.ply)

    def _mark(self, ply: int) -> None:
        if self.panel is not None:
            places = (
                [each.ply for each in decisions] for decisions in (self.findings, self.chances)
            )
            self.panel.mark(*(plies.index(ply) if ply in plies else -1 for plies in places))

    def play_on(self, number: int) -> None:
        """Continue the match against bots from the costly move at index `number`."""
        self.show(number)
        self.play_on_requested.emit()

    def refresh_appearance(self) -> None:
        """Update everything for the current language and theme."""
        if self.panel is not None:
            self.panel.refresh_appearance()
            if self.findings or self.chances:
                self._conclude()

    def _panel(self) -> ReviewPanel:
        if self.panel is None:
            self.panel = ReviewPanel(self._context)
            self.panel.entry_requested.connect(self.show)
            self.panel.play_on_requested.connect(self.play_on)
            self.panel.move_requested.connect(self.show_move)
            self.panel.stop_requested.connect(self._give_up)
            self.panel_created.emit(self.panel)
        return self.panel

    def _fail(self) -> None:
        self.stop()
        if self.panel is not None:
            self.panel.show_results(self._context.words.reason(WENT_WRONG), self._words)

    def _give_up(self) -> None:
        """Stop the review because the user has asked for that, and say so."""
        self.stop()
        if self.panel is not None:
            self.panel.show_results(self._context.words("The review was stopped."), self._words)

    def _take(self, findings: tuple[Mistake, ...]) -> None:
        self.stop()
        self.findings = findings
        self.chances = self._review.quick_looks if self._review is not None else ()
        record = self._record
        kept = SeatFindings(
            tuple(map(to_stored_finding, findings)), tuple(map(to_stored_finding, self.chances))
        )
        review_file.save_seat_findings(record.path, record.entries, self.seat, kept)
        self._conclude()
        self.marks_changed.emit()

    def _conclude(self) -> None:
        words, name = self._context.words, self._words.seat(self.seat)
        findings = [
            self._costly_move(n, finding) for n, finding in enumerate(self.findings, start=1)
        ]
        text = words("{name}'s costliest moves, as the bots see it:", name=name)
        if self.panel is not None:
            chances = [self._chance(each) for each in self.chances]
            text = text if findings else words(WELL_PLAYED, name=name)
            self.panel.show_results(text, self._words, findings, chances)

    def beat_before(self, finding: Mistake) -> int:
        """Return the index of the beat before the decision of `finding`."""
        return self._playback.beat_after_ply(finding.ply - 1)

    def _chance(self, chance: QuickLook) -> MoveChance:
        words = self._context.words
        text = words(
            "{share} · {move}",
            move=self._words.move(chance.played, self.seat, chance.view),
            share=words.percent(chance.worth),
        )
        costly = any(finding.ply == chance.ply for finding in self.findings)
        return MoveChance(text, chance.worth, costly)

    def _costly_move(self, number: int, finding: Mistake) -> CostlyMove:
        words, seat, view = self._words, self.seat, finding.view
        return CostlyMove(
            words.number(number, words.heading(view)),
            self._context.words(
                "about {n} points less chance of winning", n=round(100 * finding.cost)
            ),
            self._context.words("Played: {move}.", move=words.move(finding.played, seat, view)),
            self._context.words("Better: {move}.", move=words.move(finding.better, seat, view)),
            words.note(finding.reason, seat) if finding.reason else "",
        )
