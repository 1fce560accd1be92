"""Announces events and questions at a table to screen readers, and the whole table on request.

The texts come from the viewer's log and question, and each is announced once. While a curtain
covers the table, only the curtain's text is announced.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

from tabletop.engine.events import Said
from tabletop.engine.model import AUDIENCE, Value
from tabletop.language import table_text
from tabletop.language.spoken_text import to_spoken_text
from tabletop.language.words import Words
from tabletop.match.seat import Seat
from tabletop.match.story import concerns_seat
from ui.shell.app_context import AppContext
from ui.table.scene import ShownState, TableScene
from ui.widgets.announcer import ScreenReaderAnnouncer

if TYPE_CHECKING:
    from ui.accessibility.table_report import TableReport

RECENT_LOG_LINES = 6
"""Number of the latest log lines in a report."""


class SpokenTable(QObject):
    """Announces what happens on a table screen."""

    def __init__(self, context: AppContext, screen: QWidget, scene: TableScene) -> None:
        super().__init__(screen)
        self._context, self._screen, self._scene = context, screen, scene
        self.announcer = ScreenReaderAnnouncer(screen)
        self._heard_lines: dict[int, int] = {}
        """The number of log lines announced to each viewer."""
        self._last_question: tuple[object, ...] = ()
        """The last question: its viewer, its text and the legal moves."""
        self._is_covered = False
        """Whether a curtain has covered the table since the last question."""
        self._last_descriptions: tuple[int, dict[str, str]] = (AUDIENCE, {})
        """The viewer, and the descriptions of drawings that the viewer last heard, by key."""
        self._first_ply: int | None = None
        """The ply (number of moves played) at which the table was first shown; None before."""
        self.report: TableReport | None = None

    def announce_news(self, seat: Seat, told: ShownState, words: Words, question: str) -> None:
        """Announce the log lines that the viewer hasn't heard yet, and `question` if it is new."""
        self._is_covered = False
        if self._first_ply is None:
            self._first_ply = told.view.ply
        # in a continued match, announce only new lines
        known = 0 if self._first_ply == 0 else len(told.log)
        known = min(self._heard_lines.get(seat.number, known), len(told.log))
        self._heard_lines[seat.number] = len(told.log)
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
            question = ""  # the score sheet announces the result
        changes = self._describe_changes(told, known, seat.number, words)
        if speech == "all":
            lines += [change for change in changes if change not in lines]
        asked = (seat.number, question, tuple(seat.offers))
        if asked != self._last_question:
            self._last_question = asked
            lines.append(question)
        self.speak(words.sentences(lines))

    def speak(self, text: str) -> None:
        """Announce `text` with its symbols spelled out."""
        self.announcer.say(to_spoken_text(text, self._scene.stage.pixmaps.words))

    def _describe_changes(self, told: ShownState, known: int, seat: int, words: Words) -> list[str]:
        """Return the descriptions of drawings that have changed since this viewer last heard them.

        Changes that log lines from index `known` on mention are left out.
        """
        (viewer, before), now = self._last_descriptions, words.descriptions(told.view, own=False)
        self._last_descriptions = (seat, now)
        if viewer != seat:
            return []
        heard, news, values = set(before.values()), told.log[known:], told.view.values
        return [
            sentence
            for key, sentence in now.items()
            if sentence not in heard
            and not any(_states_value(line, key, values[key]) for line in news)
        ]

    def announce_curtain(self, text: str) -> None:
        """Close the report, and announce a curtain with `text`.

        A screen reader reads the text of a new curtain by itself, because the curtain gets the
        keyboard focus. Only a changed text of an open curtain is announced here.
        """
        if self.report is not None:
            self.report.close()
        if self._last_question == (text,):
            return
        covered = self._is_covered
        self._last_question, self._is_covered = (text,), True
        if covered:
            self.announcer.say(text, urgent=True)
        else:
            self.announcer.clear_queue()

    def show_report(self, told: ShownState | None, words: Words) -> None:
        """Show the whole table as text in a dialog, which screen readers read."""
        from ui.accessibility.table_report import TableReport

        placed = self._scene.stage.placed
        if told is None or placed is None:
            return
        kit, log = self._scene.kit, told.log[-RECENT_LOG_LINES:]
        ground = self._scene.stage.background
        text = table_text.table_summary(
            told.view,
            words,
            kit.meaning,
            placed.zones,
            log,
            kit.layout.piece,
            {sign.seat: ground.plaque_texts(sign) for sign in placed.plaques},
            [ground.fill_text(each.text, each.gaps) for each in placed.texts],
        )
        self.report = TableReport(self._context, self._screen, to_spoken_text(text, words))
        self.report.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.report.destroyed.connect(self._forget)
        self.report.open()
        self.speak(words.sentences(text.splitlines()))

    def _forget(self) -> None:
        self.report = None


def _states_value(line: Said, key: str, value: Value) -> bool:
    """Return whether a log line states that the value of `key` is `value`.

    A number counts only if it belongs to a player whom the line names.
    """
    of = next((int(part) for part in key.split("/")[1:] if part.isdigit()), None)
    seats = {arg for name, arg in line.args.items() if name.startswith("seat")}
    if (of is None and isinstance(value, int)) or (of is not None and of not in seats):
        return False
    return any(arg == value for name, arg in line.args.items() if not name.startswith("seat"))
