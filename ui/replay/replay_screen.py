"""The replay screen, with the table as one viewer saw it and a timeline."""

from bisect import bisect_right
from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractButton, QApplication, QToolBar, QVBoxLayout

from tabletop.engine.events import Said
from tabletop.engine.model import AUDIENCE, Move
from tabletop.files.errors import BadFile, RulesMismatch, StorageError
from tabletop.language import labels
from tabletop.language.spoken_text import to_spoken_text
from tabletop.language.words import Words
from tabletop.match.match import Player
from tabletop.match.playback import Playback, PlaybackSeat
from tabletop.match.stand_ins import StandIn
from tabletop.match.story import PlayerAct, acts_in_updates
from tabletop.review.review import Mistake, QuickLook
from tabletop.storage.journal import JournalFile
from tabletop.storage.plies import permitted_viewers, plies
from tabletop.storage.record import Record, check_playable, kit_for
from ui.match.prompt.prompt_fader import PromptFader
from ui.match.table_frame import TableFrame
from ui.replay.comment_bar import CommentBar
from ui.replay.note_session import NoteSession
from ui.replay.playback_bar import SPEEDS, PlaybackBar
from ui.replay.review_session import ReviewSession
from ui.replay.timeline import (
    COMMENT,
    MARK_NAMES,
    STAND_IN,
    Legend,
    Timeline,
    TimelineMark,
    TimelineRound,
)
from ui.shelf.stored_matches import with_valid_players
from ui.shell.app_context import APPEARANCE_SETTINGS, MOTION_SETTINGS, AppContext
from ui.shell.commands import reject_unknown_command
from ui.shell.language import game_title
from ui.table.scene import ShownState
from ui.widgets.box_layout import Part, lay
from ui.widgets.key_repeats import drop_late_repeats
from ui.widgets.styled_widgets import Screen

SESSION_COMMANDS = ("leave", "save", "picture", "text", "notes", "play_on", "practise")
"""The commands that `ReplaySession` runs instead of the screen."""
EVENT_PAUSES_MS = {"slow": 1300, "normal": 650, "fast": 120}
"""The time in milliseconds between two events, for each speed."""


class ReplayScreen(TableFrame):
    """The screen that shows one record.

    It emits `asked` for the commands in `SESSION_COMMANDS`, and runs all others.
    """

    def __init__(self, context: AppContext, record: Record) -> None:
        """Lay out the screen and show the start of the match in `record`.

        Raises:
            BadFile: the record can't be shown.
        """
        record = with_valid_players(context, record)
        playback = Playback(kit_for(record), record.header.players, plies(record))
        super().__init__(context, playback.kit, playback.players)
        self.record = record
        self.playback = playback
        self.comments = dict(record.comments)
        self.viewers = permitted_viewers(record, playback.plies[-1].state)
        self.comment_bar = CommentBar(context, self.table_area)
        self._yielding = PromptFader(self.comment_bar, self.view)
        self.legend = Legend(context)
        self.timeline = Timeline(context)
        self.playback_bar = PlaybackBar(context)
        self.reviewer = ReviewSession(context, playback, record, self._reviewable_seats(), self)
        self.notes = NoteSession(context, playback, record, self)
        self.speed = "normal"
        self.playing = False
        self._until = playback.last_beat
        """The beat at which playback stops."""
        self._pause = QTimer(self, singleShot=True)
        self._pause.timeout.connect(self._play_next)
        self.seat = PlaybackSeat(self.playback, self._first_viewer())
        self._lay_out()
        self._wire()
        self.refresh_appearance()
        self.set_viewer(self.seat.viewer)

    @property
    def refusal_text(self) -> str:
        """A sentence that says why the match can't be continued; "" if it can be."""
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
        """The index of the current beat."""
        return self.seat.at

    def _first_viewer(self) -> int | None:
        """Return the seat of the only person if they may be the viewer; otherwise AUDIENCE."""
        players = self.playback.players
        people = [seat for seat, player in enumerate(players) if player.kind == "person"]
        return people[0] if len(people) == 1 and people[0] in self.viewers else AUDIENCE

    def _reviewable_seats(self) -> list[int]:
        """Return the seats whose moves can be reviewed: the people's, or all if only bots played.

        The list is empty unless the match is finished and can be continued.
        """
        seats = [viewer for viewer in self.viewers if viewer is not None and viewer != AUDIENCE]
        people = [seat for seat in seats if self.playback.players[seat].kind == "person"]
        over = self.playback.plies[-1].state.result is not None
        return (people or seats) if over and not self.refusal_text else []

    def _lay_out(self) -> None:
        whole = Screen(self.context)
        rows: list[Part] = [(self.table_area, 1), self.legend, self.timeline]
        lay(QVBoxLayout(whole), rows, spacing=2, margins=0)
        self.setCentralWidget(whole)
        below = QToolBar(movable=False)  # across the dock too: its words need the width
        below.setObjectName("playback")
        below.addWidget(self.playback_bar)
        self.addToolBar(Qt.ToolBarArea.BottomToolBarArea, below)
        self.dock.hide_tab("actions")
        self.dock.show_tab("log")

    def _wire(self) -> None:
        self.timeline.beat_requested.connect(self.go_to_beat)
        self.timeline.step_requested.connect(lambda step: self.go_to_beat(self.at + step))
        self.playback_bar.command_requested.connect(self.do)
        self.playback_bar.speed_requested.connect(self.set_speed)
        self.playback_bar.viewer_requested.connect(self.set_viewer)
        self.scene.settled.connect(self._wait_for_next_event)
        self.scene.rule_requested.connect(self.dock.open_rulebook)
        self.dock.log.line_chosen.connect(self._go_to_line)
        self.dock.now.replay_requested.connect(self._play_back)
        self.table_area.set_floating_line(self.comment_bar)
        self.comment_bar.comment_written.connect(self.save_comment)
        self.comment_bar.editing_ended.connect(self.view.setFocus)
        self.reviewer.marks_changed.connect(self._show_marks)
        self.reviewer.panel_created.connect(self.dock.add_review)
        self.reviewer.started.connect(lambda: self.dock.show_tab("review"))
        self.reviewer.decision_requested.connect(self._show_finding)
        self.reviewer.play_on_requested.connect(lambda: self.command_requested.emit("practise"))
        self.notes.changed.connect(self._show_notes)
        self.notes.panel.beat_requested.connect(self.go_to_beat)
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
            drop_late_repeats(shortcut)

    # Actions

    def do(self, name: str) -> None:
        """Run the command `name` for a key, button or menu."""
        steps: dict[str, Callable[[], int]] = {
            "on": lambda: self.at + 1,
            "back": lambda: self.at - 1,
            "turn_on": lambda: self.playback.next_turn(self.at),
            "turn_back": lambda: self.playback.previous_turn(self.at),
            "start": lambda: 0,
            "end": lambda: self.playback.last_beat,
        }
        match name:
            case _ if name in steps:
                self.go_to_beat(steps[name]())
            case "press":
                self._press_or_play()
            case "play":
                self.set_playing(not self.playing)
            case "next_eyes":
                now = self.viewers.index(self.seat.viewer)
                self.set_viewer(self.viewers[(now + 1) % len(self.viewers)])
                self.spoken.speak(self._eyes(self.seat.viewer))
            case "tell":
                told = ShownState(self.seat.view, self.seat.log)
                self.spoken.show_report(told, self.words)
            case "comment":
                self.set_playing(False)
                self.comment_bar.start_editing()
            case "note":
                self.set_playing(False)
                self.notes.start_note(self.at, self.seat.viewer, self.words)
            case "review":
                self.set_playing(False)
                self.reviewer.start(self.seat.viewer, self.playback_bar.buttons["review"])
            case _ if name in self.view_commands:
                self.view_commands[name]()
            case _ if name in SESSION_COMMANDS:
                self.set_playing(False)
                self.command_requested.emit(name)
            case _:
                reject_unknown_command(name)

    def go_to_beat(self, at: int) -> None:
        """Stop playback and go to the beat with index `at`."""
        self.set_playing(False)
        self._go(at)

    def go_to_move(self, move: int) -> None:
        """Stop playback and go to the beat after `move` moves; undone moves don't count."""
        self.go_to_beat(self.playback.beat_after_ply(move))

    def set_playing(self, playing: bool) -> None:
        """Start or pause playback. At the end of the replay, it starts from the beginning."""
        if playing == self.playing:
            return
        self.playing = playing
        self._until = self.playback.last_beat
        self.playback_bar.show_playing(playing)
        self._pause.stop()
        if playing and self.at == self.playback.last_beat:
            self._go(0)
        elif playing:
            self._play_next()

    def set_speed(self, speed: str) -> None:
        """Set the speed of playback and animations."""
        self.speed = speed
        self.playback_bar.show_speed(speed)
        self.scene.set_speed("off" if self.context.animation_speed == "off" else speed)

    def set_viewer(self, viewer: int | None) -> None:
        """Show the table as `viewer` sees it: a seat, AUDIENCE, or None for open cards."""
        at = self.seat.at
        self.scene.clear_seat()
        self.seat.close()
        self.seat = PlaybackSeat(self.playback, viewer, at)
        self.scene.show_seat(self.seat)
        seat = self.seat.number
        lines = [line for _, line in self.playback.log(viewer)]
        self.dock.log.show_lines(lines, self.words, self.playback.players, seat)
        texts = [self._eyes(each) for each in self.viewers]
        self.playback_bar.show_viewers(texts, self.viewers, self.viewers.index(viewer))
        self._show_notes()
        self._show_position()

    def save_comment(self, text: str) -> None:
        """Save `text` as the comment on the current position; "" removes the comment."""
        move = self.playback.beats[self.at].ply
        if self.record.broken is not None:  # nothing may be added after the damage
            self.context.show_error(self.record.broken)
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
            self.context.show_error(error.reason)
            return
        self.comments = {at: kept for at, kept in (self.comments | {move: text}).items() if kept}
        self._show_marks()
        self._show_position()

    def close_replay(self) -> None:
        """Stop playback and reviewing, and release the table."""
        self.set_playing(False)
        self.reviewer.stop()
        self.scene.clear_seat()
        self.seat.close()
        self.dock.clear()

    # Playing on

    def _go(self, at: int) -> None:
        self.scene.skip_animations()
        heading = self.words.heading(self.seat.view)
        self.seat.go_to(at)
        self._show_position()
        turned = self.words.heading(self.seat.view)
        new = turned if turned != heading else ""
        bar = self.comment_bar
        self.spoken.speak(self.words.sentences((new, bar.text, bar.comment)))

    def _play_next(self) -> None:
        if self.at >= self._until:
            self.set_playing(False)
        else:
            self._go(self.at + 1)

    def _play_back(self, act: PlayerAct | None) -> None:
        """Replay the player's act `act` in the current turn, or the turn so far if it is None."""
        begun, at = self._turn_begun, self.at
        first, last = (act.first_update, act.last_update) if act is not None else (0, at - begun)
        self.go_to_beat(max(0, begun + first - 1))
        self.set_playing(True)
        self._until = begun + last

    @property
    def _turn_begun(self) -> int:
        """The index of the beat at which the current turn began."""
        turns = self.playback.turn_starts
        return turns[bisect_right(turns, self.at) - 1]

    def _show_turn(self) -> None:
        """Show what has happened in the current turn."""
        playback, viewer, begun = self.playback, self.seat.viewer, self._turn_begun
        beats = range(begun, self.at + 1)
        values = playback.state(max(0, begun - 1)).values
        told = [playback.events(beat, viewer) for beat in beats]
        done = acts_in_updates(told, AUDIENCE, self.kit.meaning, values)
        self.dock.now.show_story(done, AUDIENCE, playback.players, self.words)

    def _wait_for_next_event(self) -> None:
        """Schedule the next event after the animations have finished."""
        if self.playing:
            self._pause.start(EVENT_PAUSES_MS[self.speed])

    def _press_or_play(self) -> None:
        """Press the focused button, or start or pause playback if no button has the focus."""
        focused = QApplication.focusWidget()
        if isinstance(focused, QAbstractButton):
            focused.click()
        else:
            self.do("play")

    def _go_to_line(self, _: Said, row: int) -> None:
        self.go_to_beat(self.playback.log(self.seat.viewer)[row][0])

    def _show_finding(self, finding: Mistake | QuickLook) -> None:
        self.show_decision(self.reviewer.seat, finding.ply, finding.better)

    def show_decision(self, seat: int, ply: int, move: Move) -> None:
        """Show the position before move `ply`, as `seat` saw it, with `move` highlighted."""
        self.set_playing(False)
        if self.seat.viewer != seat:
            self.set_viewer(seat)
        self.go_to_beat(self.playback.beat_after_ply(ply - 1))
        self.scene.choice.show_advice(move)

    # Display

    def _show_position(self) -> None:
        at, view = self.at, self.seat.view
        log = self.playback.log(self.seat.viewer)
        row = next((n for n in range(len(log) - 1, -1, -1) if log[n][0] <= at), -1)
        event = log[row][1] if row >= 0 and log[row][0] == at else None
        self.dock.log.mark_reached(row)
        self.notes.panel.mark(at)
        self._show_turn()
        self.dock.show_race(view, self.playback.players, self.words)
        comment = self.comments.get(self._move, "")
        self.comment_bar.show_position(self._sentence(event), comment, self.words)
        heading = self.words.heading(view)
        place = self.context.words("Event {n} of {last}", n=at, last=self.playback.last_beat)
        self.playback_bar.place.setText(place)
        told = self.words.sentences((heading, place, self.comment_bar.text))
        self.timeline.show_beat(at, to_spoken_text(told, self.words))
        game = game_title(self.kit, self.context.words.language)
        name = self.context.words("Replay: {title}", title=game)
        self.title_changed.emit(name, heading)

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
            TimelineRound(at, self.words.round(playback.state(at)))
            for at in playback.round_starts
            if len(playback.round_starts) > 1
        ]
        pins = [
            TimelineMark(mark.at, mark.kind, self._pin_text(mark.kind, mark.said, mark.at))
            for mark in playback.marks
        ]
        pins += [
            TimelineMark(playback.beat_after_ply(move), COMMENT, text)
            for move, text in sorted(self.comments.items())
            if move < len(playback.plies)
        ]
        pins += [
            TimelineMark(playback.beat_after_ply(change.at), STAND_IN, self._who_plays(change))
            for _, change in self.record.stand_ins
            if change.at < len(playback.plies)
        ]
        pins += [*self.reviewer.pins, *self.notes.pins]
        self.timeline.set_contents(playback.last_beat, rounds, pins)
        self.legend.show_kinds([pin.kind for pin in pins])

    def _who_plays(self, change: StandIn) -> str:
        """Return a sentence about a bot that takes over from a player, or hands back."""
        name = self.words.seat(change.seat)
        if change.level:
            return self.context.words("A bot plays for {name} from here on.", name=name)
        return self.context.words("{name} plays again from here on.", name=name)

    def _show_notes(self) -> None:
        """Show the notes that the viewer may read, in the tab and on the timeline."""
        self.notes.show_for(self.seat.viewer, self.words)
        self.dock.show_notes(self.notes.panel, bool(self.notes.lines))
        self.playback_bar.set_notes_available(bool(self.notes.lines))
        self.notes.panel.mark(self.at)
        self._show_marks()

    def _pin_text(self, kind: str, event: Said | None, at: int) -> str:
        """Return the tooltip of a timeline mark: the log line of `event`, or the name of `kind`.

        The name is used if the viewer can't see the event.
        """
        log = self.playback.log(self.seat.viewer)
        heard = next(
            (line for n, line in log if n == at and event and line.text == event.text), None
        )
        return self.words.log_line(heard) if heard else self.context.words(MARK_NAMES[kind])

    def _make_words(self, players: Sequence[Player]) -> Words:
        return self.context.replay_words(self.kit, players)

    def refresh_appearance(self) -> None:
        """Update everything for the current language, theme and speed."""
        self._update_frame(self.playback.players)
        self.set_speed(self.speed if self.speed in SPEEDS else "normal")
        self.playback_bar.refresh_appearance()
        self.legend.fit()
        self.timeline.fit()
        play_on = self.playback_bar.buttons["play_on"]
        play_on.setEnabled(not self.refusal_text)
        self.playback_bar.buttons["review"].setEnabled(bool(self.reviewer.seats))
        if self.refusal_text:
            play_on.setToolTip(self.refusal_text)
        self.reviewer.refresh_appearance()
        self.set_viewer(self.seat.viewer)
        self.allowed_commands_changed.emit(self.commands())

    def _note_changed(self, changed: frozenset[str]) -> None:
        if changed & (APPEARANCE_SETTINGS | MOTION_SETTINGS):
            self.refresh_appearance()

    def commands(self) -> dict[str, bool]:
        """Return for the name of each menu command whether the command is enabled."""
        always = dict.fromkeys(("leave", "save", "note", "tell", *self.view_commands), True)
        return always | {"review": bool(self.reviewer.seats)}
