"""A match looked through for one seat: thought out beside the window, shown beside the table."""

from __future__ import annotations

from concurrent.futures import CancelledError
from threading import Thread
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QMenu

from tabletop.phrases import phrase
from tabletop.review import Finding, Review, decisions
from ui.screens.review_panel import ReviewPanel, Slip
from ui.screens.timeline import REVIEW, Pin

if TYPE_CHECKING:
    from ui.screens.replay import ReplayScreen

WELL_PLAYED = phrase("No move has cost {name} much. Well played!")
NO_CHOICE = phrase("{name} has decided nothing in this match.")


class Thinker(QObject):
    """Runs one review in a thread of its own; what it tells arrives in the window's."""

    progressed = Signal(int, int)
    found = Signal(object)
    """The findings, the worst first."""

    def __init__(self, review: Review) -> None:
        super().__init__()
        self._review = review
        self._thread = Thread(target=self._run, name="review", daemon=True)

    def start(self) -> None:
        """Begin to think."""
        self._thread.start()

    def stop(self) -> None:
        """Stop at once; nothing more is told."""
        self.blockSignals(True)
        self._review.cancel()
        self._thread.join()

    def _run(self) -> None:
        try:
            self.found.emit(self._review.run(self.progressed.emit))
        except CancelledError:
            return  # nobody wants to know any more


class Reviewer(QObject):
    """A replay screen's review: whose moves, how far it is, and what was found."""

    marked = Signal()
    """There are other marks for the timeline."""

    def __init__(self, screen: ReplayScreen) -> None:
        super().__init__(screen)
        self._screen = screen
        self._room = screen.room
        self._thinker: Thinker | None = None
        self.panel: ReviewPanel | None = None
        self.seat = -1
        self.findings: tuple[Finding, ...] = ()

    @property
    def seats(self) -> tuple[int, ...]:
        """Whose moves may be looked at once a match is over: the persons', or where only bots
        played, anybody's."""
        screen = self._screen
        seats = [viewer for viewer in screen.viewers if viewer is not None and viewer >= 0]
        people = [seat for seat in seats if screen.reel.players[seat].kind == "person"]
        over = screen.reel.frames[-1].state.result is not None
        return tuple(people or seats) if over and not screen.refused else ()

    @property
    def pins(self) -> list[Pin]:
        """Marks for what was found."""
        return [
            Pin(self._before(finding), REVIEW, self._slip(number, finding).better)
            for number, finding in enumerate(self.findings, start=1)
        ]

    def begin(self) -> None:
        """Look at the moves of whoever's eyes are lent; else ask whose."""
        seats, viewer = self.seats, self._screen.link.viewer
        if viewer in seats:
            self.look_at(int(viewer or 0))
        elif len(seats) == 1:
            self.look_at(seats[0])
        elif seats:
            button = self._screen.transport.buttons["review"]
            menu = QMenu(button)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            for seat in seats:
                action = menu.addAction(self._screen.words.seat(seat))
                action.triggered.connect(lambda _=False, seat=seat: self.look_at(seat))
            over = QPoint(0, -menu.sizeHint().height())
            menu.popup(button.mapToGlobal(over))

    def look_at(self, seat: int) -> None:
        """Look through this seat's moves."""
        screen = self._screen
        self.stop()
        self.seat, self.findings = seat, ()
        self.marked.emit()
        panel = self._panel()
        panel.begin(screen.words.seat(seat))
        screen.dock.bring("review")
        made = decisions(screen.reel, screen.record.entries, seat)
        if not made:
            panel.conclude(self._room.words(NO_CHOICE, name=screen.words.seat(seat)), [])
            return
        thinker = Thinker(Review(made, self._room.minds.ponder))
        thinker.progressed.connect(panel.show_progress)
        thinker.found.connect(self._take)
        self._thinker = thinker
        thinker.start()

    def stop(self) -> None:
        """Think no more; what was found stays."""
        thinker, self._thinker = self._thinker, None
        if thinker is not None:
            thinker.stop()
            thinker.deleteLater()

    def show(self, number: int) -> None:
        """Go to where this decision was made, with the player's eyes, the better move lit."""
        finding, screen = self.findings[number], self._screen
        screen.play(False)
        if screen.link.viewer != self.seat:
            screen.look(self.seat)
        screen.go(self._before(finding))
        screen.scene.light(finding.better)
        if self.panel is not None:
            self.panel.mark(number)

    def play_on(self, number: int) -> None:
        """Play this position on, against bots."""
        self.show(number)
        self._screen.asked.emit("practise")

    def dress(self) -> None:
        """Put everything on anew in the room's language and theme."""
        if self.panel is not None:
            self.panel.dress()
            if self.findings:
                self._conclude()

    def _panel(self) -> ReviewPanel:
        if self.panel is None:
            self.panel = ReviewPanel(self._room)
            self.panel.shown.connect(self.show)
            self.panel.played_on.connect(self.play_on)
            self.panel.stopped.connect(self._give_up)
            self._screen.dock.add_review(self.panel)
        return self.panel

    def _give_up(self) -> None:
        """The person does not want to wait."""
        self.stop()
        if self.panel is not None:
            self.panel.conclude(self._room.words("The review was stopped."), [])

    def _take(self, findings: tuple[Finding, ...]) -> None:
        self.stop()
        self.findings = findings
        self._conclude()
        self.marked.emit()

    def _conclude(self) -> None:
        words, name = self._room.words, self._screen.words.seat(self.seat)
        slips = [self._slip(n, finding) for n, finding in enumerate(self.findings, start=1)]
        text = words("What cost {name} most, by the bots' estimate:", name=name)
        if self.panel is not None:
            self.panel.conclude(text if slips else words(WELL_PLAYED, name=name), slips)

    def _before(self, finding: Finding) -> int:
        """The beat at which the decision was to be made."""
        return self._screen.reel.after_frame(finding.frame - 1)

    def _slip(self, number: int, finding: Finding) -> Slip:
        words, seat, view = self._screen.words, self.seat, finding.view
        return Slip(
            f"{number}. {words.heading(view)}",
            self._room.words("about {n} % less chance to win", n=round(100 * finding.cost)),
            self._room.words("Played: {move}.", move=words.move(finding.played, seat, view)),
            self._room.words("Better: {move}.", move=words.move(finding.better, seat, view)),
            words.note(finding.reason, seat) if finding.reason else "",
        )
