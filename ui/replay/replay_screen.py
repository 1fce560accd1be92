"""The replay screen: the table as anybody saw it, and time as a line to walk on."""

from bisect import bisect_right
from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractButton, QApplication, QToolBar, QVBoxLayout

from tabletop.engine.events import Said
from tabletop.engine.model import AUDIENCE, Move
from tabletop.files.errors import BadFile, RulesMismatch, StorageError
from tabletop.language import labels
from tabletop.language.spoken_text import aloud
from tabletop.match.playback import Playback, Watched
from tabletop.match.stand_ins import StandIn
from tabletop.match.story import PlayerAct, acts
from tabletop.review.review import Mistake, QuickLook
from tabletop.storage.journal import JournalFile
from tabletop.storage.plies import permitted_viewers, plies
from tabletop.storage.record import Record, check_playable, kit_for
from ui.match.prompt.prompt_yield import PromptYield
from ui.match.table_frame import TableFrame
from ui.replay.comment_bar import CommentBar
from ui.replay.note_session import NoteSession
from ui.replay.playback_bar import SPEEDS, PlaybackBar
from ui.replay.review_session import ReviewSession
from ui.replay.timeline import COMMENT, KINDS, STAND_IN, Legend, Pin, Stretch, Timeline
from ui.shelf.stored_matches import make_showable
from ui.shell.app_context import LOOKS, MOTION, AppContext
from ui.shell.commands import refuse_unknown
from ui.shell.language import title
from ui.table.scene import ShownState
from ui.widgets.box_layout import Part, lay
from ui.widgets.styled_widgets import Screen

OF_SESSION = ("leave", "save", "picture", "text", "notes", "play_on", "practise")
"""The commands of a replay that its session does."""
PAUSES = {"slow": 1300, "normal": 650, "fast": 120}
"""The pause between two events at each speed, in milliseconds."""


class ReplayScreen(TableFrame):
    """One record on the screen. `asked` of the window: leave, save, picture, text, play_on,
    practise."""

    def __init__(self, context: AppContext, record: Record) -> None:
        """Lay the record out, and go to its beginning.

        Raises:
            BadFile: the record cannot be watched.
        """
        record = make_showable(context, record)
        playback = Playback(kit_for(record), record.header.players, plies(record))
        super().__init__(context, playback.kit, playback.players)
        self.record = record
        self.playback = playback
        self.comments = dict(record.comments)
        self.viewers = permitted_viewers(record, playback.plies[-1].state)
        self.comment_bar = CommentBar(context, self.table_area)
        self._yielding = PromptYield(self.comment_bar, self.view)
        self.legend = Legend(context)
        self.timeline = Timeline(context)
        self.playback_bar = PlaybackBar(context)
        self.reviewer = ReviewSession(context, playback, record, self._reviewable_seats(), self)
        self.notes = NoteSession(context, playback, record, self)
        self.speed = "normal"
        self.playing = False
        self._until = playback.last
        """The beat at which it stops playing by itself."""
        self._pause = QTimer(self, singleShot=True)
        self._pause.timeout.connect(self._play_next)
        self.seat = Watched(self.playback, self._first_viewer())
        self._lay_out()
        self._wire()
        self.refresh_appearance()
        self.look(self.seat.viewer)

    @property
    def refused(self) -> str:
        """Why it cannot be played on, in a sentence; empty where it can."""
        words = self.context.words
        try:
            check_playable(self.record, self.kit)
        except RulesMismatch as other:
            only = words("You can watch it, but not continue it.")
            # for these, the reason itself says so
            stripped = self.record.header.hidden == "stripped"
            return words.reason(other.reason) + ("" if stripped else f" {only}")
        return ""

    @property
    def at(self) -> int:
        """The beat after which the table is seen."""
        return self.seat.at

    def _first_viewer(self) -> int | None:
        """The one person's eyes, or the audience's."""
        players = self.playback.players
        people = [seat for seat, player in enumerate(players) if player.kind == "person"]
        return people[0] if len(people) == 1 and people[0] in self.viewers else AUDIENCE

    def _reviewable_seats(self) -> list[int]:
        """The seats whose moves may be looked at, once the match is over: those of people, or all
        seats where only bots played."""
        seats = [viewer for viewer in self.viewers if viewer is not None and viewer != AUDIENCE]
        people = [seat for seat in seats if self.playback.players[seat].kind == "person"]
        over = self.playback.plies[-1].state.result is not None
        return (people or seats) if over and not self.refused else []

    def _lay_out(self) -> None:
        whole = Screen(self.context)
        rows: list[Part] = [(self.table_area, 1), self.legend, self.timeline]
        lay(QVBoxLayout(whole), rows, spacing=2, margins=0)
        self.setCentralWidget(whole)
        below = QToolBar(movable=False)  # across the dock too: its words need the width
        below.setObjectName("playback")
        below.addWidget(self.playback_bar)
        self.addToolBar(Qt.ToolBarArea.BottomToolBarArea, below)
        self.dock.do_without("actions")
        self.dock.bring("log")

    def _wire(self) -> None:
        self.timeline.wanted.connect(self.go)
        self.timeline.stepped.connect(lambda step: self.go(self.at + step))
        self.playback_bar.asked.connect(self.do)
        self.playback_bar.paced.connect(self.pace)
        self.playback_bar.seen_by.connect(self.look)
        self.scene.settled.connect(self._wait_for_next_event)
        self.scene.ruled.connect(self.dock.turn_to)
        self.dock.log.chosen.connect(self._go_to_line)
        self.dock.now.played.connect(self._play_back)
        self.table_area.take_line(self.comment_bar)
        self.comment_bar.commented.connect(self.comment)
        self.comment_bar.left.connect(self.view.setFocus)
        self.reviewer.marked.connect(self._show_marks)
        self.reviewer.made.connect(self.dock.add_review)
        self.reviewer.started.connect(lambda: self.dock.bring("review"))
        self.reviewer.shown.connect(self._show_finding)
        self.reviewer.played_on.connect(lambda: self.asked.emit("practise"))
        self.notes.changed.connect(self._show_notes)
        self.notes.panel.wanted.connect(self.go)
        self.context.changed.connect(self._note_changed)
        for keys, act in (
            ("Right", "on"),
            ("Left", "back"),
            ("Ctrl+Right", "turn_on"),
            ("Ctrl+Left", "turn_back"),
            ("Home", "start"),
            ("End", "end"),
            ("Space", "press"),
            ("V", "next_eyes"),
            ("C", "comment"),
            ("R", "review"),
            ("Esc", "leave"),
        ):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(lambda act=act: self.do(act))

    # Actions

    def do(self, name: str) -> None:
        """Do what a key, a button or a command of the menus says."""
        steps: dict[str, Callable[[], int]] = {
            "on": lambda: self.at + 1,
            "back": lambda: self.at - 1,
            "turn_on": lambda: self.playback.following_turn(self.at),
            "turn_back": lambda: self.playback.former_turn(self.at),
            "start": lambda: 0,
            "end": lambda: self.playback.last,
        }
        match name:
            case _ if name in steps:
                self.go(steps[name]())
            case "press":
                self._press_or_play()
            case "play":
                self.play(not self.playing)
            case "next_eyes":
                now = self.viewers.index(self.seat.viewer)
                self.look(self.viewers[(now + 1) % len(self.viewers)])
                self.spoken.say(self._eyes(self.seat.viewer))
            case "tell":
                told = ShownState(self.seat.view, self.seat.log)
                self.spoken.show_report(told, self.words)
            case "comment":
                self.play(False)
                self.comment_bar.write()
            case "note":
                self.play(False)
                self.notes.write(self.at, self.seat.viewer, self.words)
            case "review":
                self.play(False)
                self.reviewer.begin(self.seat.viewer, self.playback_bar.buttons["review"])
            case _ if name in self.arranging:
                self.arranging[name]()
            case _ if name in OF_SESSION:
                self.play(False)
                self.asked.emit(name)
            case _:
                refuse_unknown(name)

    def go(self, at: int) -> None:
        """Go to another beat; it no longer plays by itself."""
        self.play(False)
        self._go(at)

    def go_to_move(self, move: int) -> None:
        """Go to the beat after this many moves, undone ones not counted."""
        self.go(self.playback.after_ply(move))

    def play(self, playing: bool) -> None:
        """Play, from the beginning if it was at its end; or pause."""
        if playing == self.playing:
            return
        self.playing = playing
        self._until = self.playback.last
        self.playback_bar.show_playing(playing)
        self._pause.stop()
        if playing and self.at == self.playback.last:
            self._go(0)
        elif playing:
            self._play_next()

    def pace(self, speed: str) -> None:
        """Set the speed of playing and of movements."""
        self.speed = speed
        self.playback_bar.show_speed(speed)
        self.scene.set_speed("off" if self.context.speed == "off" else speed)

    def look(self, viewer: int | None) -> None:
        """See the table with other eyes; None sees every card."""
        at = self.seat.at
        self.scene.leave()
        self.seat.close()
        self.seat = Watched(self.playback, viewer, at)
        self.scene.sit(self.seat)
        seat = self.seat.number
        lines = [line for _, line in self.playback.log(viewer)]
        self.dock.log.show_lines(lines, self.words, self.playback.players, seat)
        texts = [self._eyes(each) for each in self.viewers]
        self.playback_bar.show_eyes(texts, self.viewers, self.viewers.index(viewer))
        self._show_notes()
        self._show_position()

    def comment(self, text: str) -> None:
        """Say something on this position; it stays in the file."""
        move = self.playback.beats[self.at].ply
        if self.record.broken is not None:  # nothing may be added after the damage
            self.context.tell(self.record.broken)
            return
        try:
            journal = JournalFile(self.record.path)
            try:
                marked = journal.has_closing_mark
                journal.write_comment(text, move)
                if marked:
                    journal.write_closing_mark()
            finally:
                journal.close()
        except (BadFile, StorageError) as error:
            self.context.tell(error.reason)
            return
        self.comments = {at: kept for at, kept in (self.comments | {move: text}).items() if kept}
        self._show_marks()
        self._show_position()

    def close_replay(self) -> None:
        """Leave for good."""
        self.play(False)
        self.reviewer.stop()
        self.scene.leave()
        self.seat.close()
        self.dock.clear()

    # Playing on

    def _go(self, at: int) -> None:
        self.scene.skip()
        heading = self.words.heading(self.seat.view)
        self.seat.go(at)
        self._show_position()
        turned = self.words.heading(self.seat.view)
        new = turned if turned != heading else ""
        bar = self.comment_bar
        self.spoken.say(self.words.sentences((new, bar.text, bar.comment)))

    def _play_next(self) -> None:
        if self.at >= self._until:
            self.play(False)
        else:
            self._go(self.at + 1)

    def _play_back(self, act: PlayerAct | None) -> None:
        """Play an act of the present turn again, or with None all of the turn so far."""
        begun, at = self._turn_begun, self.at
        first, last = (act.first, act.last) if act is not None else (0, at - begun)
        self.go(max(0, begun + first - 1))
        self.play(True)
        self._until = begun + last

    @property
    def _turn_begun(self) -> int:
        """The beat with which the present turn began."""
        turns = self.playback.turns
        return turns[bisect_right(turns, self.at) - 1]

    def _show_turn(self) -> None:
        """Show what has been done in the present turn."""
        playback, viewer, begun = self.playback, self.seat.viewer, self._turn_begun
        beats = range(begun, self.at + 1)
        values = playback.state(max(0, begun - 1)).values
        told = [playback.events(beat, viewer) for beat in beats]
        done = acts(told, AUDIENCE, self.kit.meaning, values)
        self.dock.now.show_story(done, AUDIENCE, playback.players, self.words)

    def _wait_for_next_event(self) -> None:
        """Wait for the next event, once nothing moves."""
        if self.playing:
            self._pause.start(PAUSES[self.speed])

    def _press_or_play(self) -> None:
        """Space presses the button that has the focus; anywhere else it plays."""
        focused = QApplication.focusWidget()
        if isinstance(focused, QAbstractButton):
            focused.click()
        else:
            self.do("play")

    def _go_to_line(self, _: Said, row: int) -> None:
        self.go(self.playback.log(self.seat.viewer)[row][0])

    def _show_finding(self, finding: Mistake | QuickLook) -> None:
        self.show_decision(self.reviewer.seat, finding.ply, finding.better)

    def show_decision(self, seat: int, ply: int, move: Move) -> None:
        """Go to where a decision led to this ply, with the player's eyes, a move lit."""
        self.play(False)
        if self.seat.viewer != seat:
            self.look(seat)
        self.go(self.playback.after_ply(ply - 1))
        self.scene.choice.advise(move)

    # Display

    def _show_position(self) -> None:
        at, view = self.at, self.seat.view
        log = self.playback.log(self.seat.viewer)
        row = next((n for n in range(len(log) - 1, -1, -1) if log[n][0] <= at), -1)
        event = log[row][1] if row >= 0 and log[row][0] == at else None
        self.dock.log.mark(row)
        self.notes.panel.mark(at)
        self._show_turn()
        self.dock.show_race(view, self.playback.players, self.words)
        comment = self.comments.get(self._move, "")
        self.comment_bar.show_beat(self._sentence(event), comment, self.words)
        heading = self.words.heading(view)
        place = self.context.words("Event {n} of {last}", n=at, last=self.playback.last)
        self.playback_bar.place.setText(place)
        told = self.words.sentences((heading, place, self.comment_bar.text))
        self.timeline.stand(at, aloud(told, self.words))
        game = title(self.kit, self.context.words.language)
        name = self.context.words("Replay: {title}", title=game)
        self.titled.emit(name, heading)

    @property
    def _move(self) -> int:
        return self.playback.beats[self.at].ply

    def _sentence(self, event: Said | None) -> str:
        words = self.context.words
        if self.at == 0:
            return words("The table is set up.")
        if event is not None:
            return self.words.log_line(event, self.seat.number)
        seat = self.playback.plies[self._move].seat
        if seat is None:
            return words("An answer was withdrawn.")
        return words("{name} has answered.", name=self.words.seat(seat))

    def _eyes(self, viewer: int | None) -> str:
        words = self.context.words
        if viewer is None:
            return words(labels.ALL_OPEN)
        return words("Audience") if viewer == AUDIENCE else self.words.seat(viewer)

    def _show_marks(self) -> None:
        playback = self.playback
        rounds = [
            Stretch(at, self.words.round(playback.state(at)))
            for at in playback.rounds
            if len(playback.rounds) > 1
        ]
        pins = [
            Pin(mark.at, mark.kind, self._pin_text(mark.kind, mark.said, mark.at))
            for mark in playback.marks
        ]
        pins += [
            Pin(playback.after_ply(move), COMMENT, text)
            for move, text in sorted(self.comments.items())
            if move < len(playback.plies)
        ]
        pins += [
            Pin(playback.after_ply(change.at), STAND_IN, self._who_plays(change))
            for _, change in self.record.stand_ins
            if change.at < len(playback.plies)
        ]
        pins += [*self.reviewer.pins, *self.notes.pins]
        self.timeline.lay_out(playback.last, rounds, pins)
        self.legend.show_kinds([pin.kind for pin in pins])

    def _who_plays(self, change: StandIn) -> str:
        """A change of who plays at a seat, in words."""
        name = self.words.seat(change.seat)
        if change.level:
            return self.context.words("A bot plays for {name} from here on.", name=name)
        return self.context.words("{name} plays again from here on.", name=name)

    def _show_notes(self) -> None:
        """Show the notes that this viewer may read, in their tab and on the timeline."""
        self.notes.look(self.seat.viewer, self.words)
        self.dock.show_notes(self.notes.panel, bool(self.notes.lines))
        self.playback_bar.offer_notes(bool(self.notes.lines))
        self.notes.panel.mark(self.at)
        self._show_marks()

    def _pin_text(self, kind: str, event: Said | None, at: int) -> str:
        """A mark in words, as everybody could hear it."""
        log = self.playback.log(self.seat.viewer)
        heard = next(
            (line for n, line in log if n == at and event and line.text == event.text), None
        )
        return self.words.log_line(heard) if heard else self.context.words(KINDS[kind])

    def refresh_appearance(self) -> None:
        """Update everything for the chosen language, theme and speed."""
        self._update_frame(self.playback.players)
        self.pace(self.speed if self.speed in SPEEDS else "normal")
        self.playback_bar.refresh_appearance()
        self.legend.fit()
        self.timeline.fit()
        play_on = self.playback_bar.buttons["play_on"]
        play_on.setEnabled(not self.refused)
        self.playback_bar.buttons["review"].setEnabled(bool(self.reviewer.seats))
        if self.refused:
            play_on.setToolTip(self.refused)
        self.reviewer.refresh_appearance()
        self.look(self.seat.viewer)
        self.allowed.emit(self.commands())

    def _note_changed(self, changed: frozenset[str]) -> None:
        if changed & (LOOKS | MOTION):
            self.refresh_appearance()

    def commands(self) -> dict[str, bool]:
        """Which commands of the menus make sense here."""
        always = dict.fromkeys(("leave", "save", "note", "tell", *self.arranging), True)
        return always | {"review": bool(self.reviewer.seats)}
