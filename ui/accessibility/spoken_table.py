"""A table read aloud: events and questions as they come; and all on demand.

The lines are those of its viewer's own log and question, each read once. Under a curtain it says
that the curtain is drawn and for whom.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

from tabletop.engine.events import Said
from tabletop.engine.model import AUDIENCE, Value
from tabletop.language import table_text
from tabletop.language.spoken_text import aloud
from tabletop.language.words import Words
from tabletop.match.seat import Seat
from tabletop.match.story import concerns_seat
from ui.shell.app_context import AppContext
from ui.table.scene import ShownState, TableScene
from ui.widgets.announcer import ScreenReaderAnnouncer

if TYPE_CHECKING:
    from ui.accessibility.table_report import TableReport

LATELY = 6
"""The number of log lines in a report."""


class SpokenTable(QObject):
    """Speaks for the screen of a table."""

    def __init__(self, context: AppContext, screen: QWidget, scene: TableScene) -> None:
        super().__init__(screen)
        self._context, self._screen, self._scene = context, screen, scene
        self.announcer = ScreenReaderAnnouncer(screen)
        self._heard: dict[int, int] = {}
        """The number of lines of the log that each viewer has heard."""
        self._asked: tuple[object, ...] = ()
        """The last question: the viewer it was put to, the way it was put, and the question
        itself."""
        self._covered = False
        """Whether a curtain has been drawn since this was asked."""
        self._known: tuple[int, dict[str, str]] = (AUDIENCE, {})
        """The viewer and the words last spoken for drawings."""
        self._first_ply: int | None = None
        """The ply at which the table was sat down at."""
        self.report: TableReport | None = None

    def hear(self, seat: Seat, told: ShownState, words: Words, question: str) -> None:
        """Say what this viewer has not heard yet, then what is asked now, if that is new."""
        self._covered = False
        if self._first_ply is None:
            self._first_ply = told.view.ply
        # in a continued match, only what is new
        known = 0 if self._first_ply == 0 else len(told.log)
        known = min(self._heard.get(seat.number, known), len(told.log))
        self._heard[seat.number] = len(told.log)
        if not self.announcer.screen_reader_active:
            return
        speech = self._context.settings.speech
        news = [
            line
            for line in told.log[known:]
            if speech == "all" or (speech == "turns" and concerns_seat(line, seat.number))
        ]
        lines = [words.log_line(line, seat.number) for line in news]
        if told.view.result is not None:
            question = ""  # the result is announced when the score sheet is shown
        changes = self._describe_changes(told, known, seat.number, words)
        if speech == "all":
            lines += [change for change in changes if change not in lines]
        asked = (seat.number, question, tuple(seat.offers))
        if asked != self._asked:
            self._asked = asked
            lines.append(question)
        self.say(words.sentences(lines))

    def say(self, text: str) -> None:
        """Say this of the table, with words for its signs."""
        self.announcer.say(aloud(text, self._scene.stage.prints.words))

    def _describe_changes(self, told: ShownState, known: int, seat: int, words: Words) -> list[str]:
        """The words for drawings that have changed since this viewer heard them, but for those that
        the log tells from its `known` lines on."""
        (viewer, before), now = self._known, words.descriptions(told.view, own=False)
        self._known = (seat, now)
        if viewer != seat:
            return []
        heard, news, values = set(before.values()), told.log[known:], told.view.values
        return [
            sentence
            for key, sentence in now.items()
            if sentence not in heard and not any(_says(line, key, values[key]) for line in news)
        ]

    def cover(self, text: str) -> None:
        """A curtain is drawn: leave nothing of the table open, and nothing of it to be said. The
        keys come to the curtain, so that readers read it out; say what is new on one that was drawn
        already."""
        if self.report is not None:
            self.report.close()
        if self._asked == (text,):
            return
        covered = self._covered
        self._asked, self._covered = (text,), True
        if covered:
            self.announcer.say(text, urgent=True)
        else:
            self.announcer.clear_queue()

    def show_report(self, told: ShownState | None, words: Words) -> None:
        """Show the whole table as a text, and say it."""
        from ui.accessibility.table_report import TableReport

        setting = self._scene.stage.setting
        if told is None or setting is None:
            return
        kit, log = self._scene.kit, told.log[-LATELY:]
        ground = self._scene.stage.ground
        text = table_text.summary(
            told.view,
            words,
            kit.meaning,
            setting.spreads,
            log,
            kit.layout.piece,
            {sign.seat: ground.figures(sign) for sign in setting.signs},
            [ground.fill_text(each.text, each.gaps) for each in setting.texts],
        )
        self.report = TableReport(self._context, self._screen, aloud(text, words))
        self.report.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.report.destroyed.connect(self._forget)
        self.report.open()
        self.say(words.sentences(text.splitlines()))

    def _forget(self) -> None:
        self.report = None


def _says(line: Said, key: str, value: Value) -> bool:
    """Whether a line of the log says that this value is so now. A number is only known for what it
    is where it belongs to a player, whom the line is about."""
    of = next((int(part) for part in key.split("/")[1:] if part.isdigit()), None)
    seats = {arg for name, arg in line.args.items() if name.startswith("seat")}
    if (of is None and isinstance(value, int)) or (of is not None and of not in seats):
        return False
    return any(arg == value for name, arg in line.args.items() if not name.startswith("seat"))
