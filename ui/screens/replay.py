"""The replay screen: the table as anybody saw it, and time as a line to walk on."""

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractButton, QApplication, QMainWindow, QVBoxLayout

from tabletop.engine.events import Said
from tabletop.engine.model import AUDIENCE
from tabletop.reel import Reel, Watched
from tabletop.storage.frames import frames, viewers
from tabletop.storage.record import Journal, Record, agreed, kit_for
from tabletop.storage.trouble import BadFile, OtherRules, StorageError
from ui.screens.caption import Caption
from ui.screens.desk import Desk
from ui.screens.dock import Dock
from ui.screens.rehearsal import Rehearsal
from ui.screens.reviewer import Reviewer
from ui.screens.room import Room
from ui.screens.saves import seated
from ui.screens.surface import Surface
from ui.screens.timeline import COMMENT, KINDS, Legend, Pin, Stretch, Timeline
from ui.screens.transport import SPEEDS, Transport
from ui.table.scene import TableScene
from ui.table.view import TableView
from ui.words import title

PAUSES = {"slow": 1300, "normal": 650, "fast": 120}
"""Between two events while it plays, in milliseconds."""


class ReplayScreen(QMainWindow):
    """One record on the screen. It is a window within the window, so that its dock can move."""

    titled = Signal(str)
    allowed = Signal(object)
    asked = Signal(str)
    """What the window has to do: leave, save, picture, text, play_on, practise."""

    def __init__(self, room: Room, record: Record) -> None:
        """BadFile where the record cannot be watched."""
        super().__init__()
        self.room = room
        self.record = record = seated(room, record)
        self.kit = kit_for(record)
        self.reel = Reel(self.kit, record.header.players, frames(record))
        self.comments = dict(record.comments)
        self.viewers = viewers(record, self.reel.frames[-1].state)
        self.words = room.of(self.kit, self.reel.players)
        self.scene = TableScene(self.kit, room.art, self.words, room.theme)
        self.view = TableView(self.scene)
        self.desk = Desk(self.view)
        self.caption = Caption(room, self.desk)
        self.legend = Legend(room)
        self.timeline = Timeline(room)
        self.transport = Transport(room)
        self.dock = Dock(room, self.kit)
        self.reviewer = Reviewer(self)
        self.rehearsal = Rehearsal(self.scene, self.reel, self)
        self.speed = "normal"
        self.playing = False
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.timeout.connect(self._play_next)
        self.link = Watched(self.reel, self._first_viewer())
        self._lay_out()
        self._wire()
        self.dress()
        self.look(self.link.viewer)

    @property
    def refused(self) -> str:
        """Why it cannot be played on, in a sentence; empty where it can."""
        words = self.room.words
        try:
            agreed(self.record, self.kit)
        except OtherRules as other:
            only = words("It can be watched, not played on.")
            stripped = self.record.header.hidden == "stripped"  # of these the reason says so itself
            return words.reason(other.reason) + ("" if stripped else f" {only}")
        return ""

    @property
    def at(self) -> int:
        """The beat after which the table is seen."""
        return self.link.at

    def _first_viewer(self) -> int | None:
        """The one person's eyes, or what lies open to everybody."""
        players = self.reel.players
        people = [seat for seat, player in enumerate(players) if player.kind == "person"]
        return people[0] if len(people) == 1 and people[0] in self.viewers else AUDIENCE

    def _lay_out(self) -> None:
        self.setWindowFlags(Qt.WindowType.Widget)
        whole = Surface(self.room)
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.desk, 1)
        column.addWidget(self.legend)
        column.addWidget(self.timeline)
        column.addWidget(self.transport)
        self.setCentralWidget(whole)
        self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.dock)
        self.dock.tabs.setTabVisible(self.dock.tabs.indexOf(self.dock.actions), False)
        self.dock.bring("log")

    def _wire(self) -> None:
        self.timeline.wanted.connect(self.go)
        self.timeline.stepped.connect(lambda step: self.go(self.at + step))
        self.transport.asked.connect(self.do)
        self.transport.paced.connect(self.pace)
        self.transport.seen_by.connect(self.look)
        self.scene.settled.connect(self._rest)
        self.scene.focused.connect(self._look_at)
        self.scene.about.connect(self._tell_about)
        self.scene.ruled.connect(self.dock.turn_to)
        self.dock.log.chosen.connect(self._go_to_line)
        self.desk.resized.connect(self._place)
        self.view.sharpened.connect(self.rehearsal.begin)
        self.caption.resized.connect(self._place)
        self.caption.commented.connect(self.comment)
        self.caption.left.connect(self.view.setFocus)
        self.reviewer.marked.connect(self._show_marks)
        self.room.changed.connect(self.dress)
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

    # What the person does

    def do(self, name: str) -> None:
        """Do what a key, a button or a command of the menus says."""
        steps: dict[str, Callable[[], int]] = {
            "on": lambda: self.at + 1,
            "back": lambda: self.at - 1,
            "turn_on": lambda: self.reel.following_turn(self.at),
            "turn_back": lambda: self.reel.former_turn(self.at),
            "start": lambda: 0,
            "end": lambda: self.reel.last,
        }
        match name:
            case _ if name in steps:
                self.go(steps[name]())
            case "press":
                self._press()
            case "play":
                self.play(not self.playing)
            case "next_eyes":
                now = self.viewers.index(self.link.viewer)
                self.look(self.viewers[(now + 1) % len(self.viewers)])
            case "comment":
                self.play(False)
                self.caption.write()
            case "review":
                self.play(False)
                self.reviewer.begin()
            case "copy_log":
                self.dock.log.copy()
            case "card" | "log" | "score":
                self.dock.bring(name)
            case "zoom_in":
                self.view.zoom_in()
            case "zoom_out":
                self.view.zoom_out()
            case "zoom_usual":
                self.view.zoom_whole()
            case "reset_layout":
                self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.dock)
                self.dock.setFloating(False)
                self.dock.show()
                self.size_dock()
            case _:
                self.play(False)
                self.asked.emit(name)

    def go(self, at: int) -> None:
        """Stand after another beat; it no longer plays by itself."""
        self.play(False)
        self._go(at)

    def go_to_move(self, move: int) -> None:
        """Stand after so many moves that stand."""
        self.go(self.reel.after_frame(move))

    def play(self, playing: bool) -> None:
        """Let it play by itself, from the beginning where it was at its end; or stop it."""
        if playing == self.playing:
            return
        self.playing = playing
        self.transport.show_playing(playing)
        self._pause.stop()
        if playing and self.at == self.reel.last:
            self._go(0)
        elif playing:
            self._play_next()

    def pace(self, speed: str) -> None:
        """How fast it plays, and how fast things move."""
        self.speed = speed
        self.transport.show_speed(speed)
        self.scene.set_speed("off" if self.room.speed == "off" else speed)

    def look(self, viewer: int | None) -> None:
        """See the table with other eyes; None sees every card."""
        at = self.link.at
        self.scene.leave()
        self.link.close()
        self.link = Watched(self.reel, viewer, at)
        self.scene.sit(self.link)
        seat = self.link.seat
        said = [line for _, line in self.reel.log(viewer)]
        self.dock.log.show_lines(said, self.words, self.reel.players, seat)
        texts = [self._eyes(each) for each in self.viewers]
        self.transport.show_eyes(texts, self.viewers, self.viewers.index(viewer))
        self._tell()
        self.rehearsal.begin()

    def comment(self, text: str) -> None:
        """Say something on this position; it stays in the file."""
        move = self.reel.beats[self.at].frame
        try:
            journal = Journal(self.record.path)
            try:
                journal.comment(text, move)
            finally:
                journal.close()
        except (BadFile, StorageError) as error:
            self.room.tell(error.reason)
            return
        self.comments = {at: said for at, said in (self.comments | {move: text}).items() if said}
        self._show_marks()
        self._tell()

    def close_replay(self) -> None:
        """Leave for good."""
        self.play(False)
        self.rehearsal.stop()
        self.reviewer.stop()
        self.scene.leave()
        self.link.close()
        self.dock.clear()

    # How it goes on

    def _go(self, at: int) -> None:
        self.scene.skip()
        self.link.go(at)
        self._tell()

    def _play_next(self) -> None:
        if self.at >= self.reel.last:
            self.play(False)
        else:
            self._go(self.at + 1)

    def _rest(self) -> None:
        """Nothing moves: the next event follows after a while."""
        if self.playing:
            self._pause.start(PAUSES[self.speed])

    def _press(self) -> None:
        """Space presses the button that has the focus; anywhere else it plays."""
        focused = QApplication.focusWidget()
        if isinstance(focused, QAbstractButton):
            focused.click()
        else:
            self.do("play")

    def _go_to_line(self, row: int) -> None:
        self.go(self.reel.log(self.link.viewer)[row][0])

    def _look_at(self, card: int | None) -> None:
        if card is not None:
            self.dock.card.show_card(card, self.words)

    def _tell_about(self, card: int) -> None:
        self._look_at(card)
        self.dock.bring("card")

    # What it shows

    def _tell(self) -> None:
        """Tell where one stands, in every place that does."""
        at, view = self.at, self.link.view
        log = self.reel.log(self.link.viewer)
        row = next((n for n in range(len(log) - 1, -1, -1) if log[n][0] <= at), -1)
        said = log[row][1] if row >= 0 and log[row][0] == at else None
        self.dock.log.mark(row)
        self.dock.score.show_scores(view, self.reel.players, self.words)
        self.caption.show_beat(self._sentence(said), self.comments.get(self._move, ""))
        heading = self.words.heading(view)
        place = self.room.words("Event {n} of {last}", n=at, last=self.reel.last)
        self.transport.place.setText(place)
        self.timeline.stand(at, f"{heading}. {place}. {self.caption.text}")
        game = title(self.kit, self.room.words.language)
        self.titled.emit(
            self.room.words("Replay: {title}", title=f"<b>{game}</b>") + f"&nbsp;&nbsp; {heading}"
        )

    @property
    def _move(self) -> int:
        return self.reel.beats[self.at].frame

    def _sentence(self, said: Said | None) -> str:
        """What has just happened."""
        words = self.room.words
        if self.at == 0:
            return words("The table is laid out.")
        if said is not None:
            return self.words.said(said, self.link.seat)
        seat = self.reel.frames[self._move].seat
        if seat is None:
            return words("An answer is withdrawn.")
        return words("{name} has answered.", name=self.words.seat(seat))

    def _eyes(self, viewer: int | None) -> str:
        words = self.room.words
        if viewer is None:
            return words("All cards open")
        return words("Audience") if viewer == AUDIENCE else self.words.seat(viewer)

    def _show_marks(self) -> None:
        reel = self.reel
        rounds = [
            Stretch(at, self.words.round(reel.state(at)))
            for at in reel.rounds
            if len(reel.rounds) > 1
        ]
        pins = [
            Pin(mark.at, mark.kind, self._told(mark.kind, mark.said, mark.at))
            for mark in reel.marks
        ]
        pins += [
            Pin(reel.after_frame(move), COMMENT, text)
            for move, text in sorted(self.comments.items())
            if move < len(reel.frames)
        ]
        pins += self.reviewer.pins
        self.timeline.lay_out(reel.last, rounds, pins)
        self.legend.show_kinds([pin.kind for pin in pins])

    def _told(self, kind: str, said: Said | None, at: int) -> str:
        """A mark in words, as everybody could hear it."""
        log = self.reel.log(self.link.viewer)
        heard = next((line for n, line in log if n == at and said and line.text == said.text), None)
        return self.words.said(heard) if heard else self.room.words(KINDS[kind])

    def dress(self) -> None:
        """Put everything on anew in the room's language, theme and speed."""
        room = self.room
        self.words = room.of(self.kit, self.reel.players)
        self.scene.set_theme(room.theme, room.art)
        self.scene.set_words(self.words)
        self.pace(self.speed if self.speed in SPEEDS else "normal")
        self.dock.dress()
        self.dock.tabs.setTabVisible(self.dock.tabs.indexOf(self.dock.actions), False)
        self.transport.dress()
        play_on = self.transport.buttons["play_on"]
        play_on.setEnabled(not self.refused)
        self.transport.buttons["review"].setEnabled(bool(self.reviewer.seats))
        if self.refused:
            play_on.setToolTip(self.refused)
        self.reviewer.dress()
        self._show_marks()
        self.look(self.link.viewer)
        self.allowed.emit(self.commands())

    def commands(self) -> dict[str, bool]:
        """Which commands of the menus make sense here."""
        names = ("leave", "save", "card", "log", "score", "copy_log", "reset_layout")
        always = dict.fromkeys((*names, "zoom_in", "zoom_out", "zoom_usual"), True)
        return always | {"review": bool(self.reviewer.seats)}

    def size_dock(self) -> None:
        """Give the dock its usual width."""
        wide = max(248, min(340, self.width() // 4 - 20))
        self.resizeDocks([self.dock], [wide], Qt.Orientation.Horizontal)

    def _place(self) -> None:
        self.desk.lay_prompt(self.caption)
