"""Announces events and questions at a table to screen readers, and the whole table on request.

The texts come from the viewer's log and question, and each is announced once, in the order of
`TableSpeech`. While a curtain covers the table, only the curtain's text is announced.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

from tabletop.engine.events import Said
from tabletop.engine.model import AUDIENCE, Value
from tabletop.language import table_text
from tabletop.language.spoken_text import to_spoken_text
from tabletop.language.words import Words
from tabletop.match.seat import Seat
from tabletop.match.story import concerns_seat
from ui.accessibility.table_speech import SpokenQuestion, TableSpeech
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
        self.speech = TableSpeech(self.announcer.send)
        self._curtain_text = ""
        """The text of the closed curtain; empty while the curtain is open."""
        self._last_descriptions: tuple[int, dict[str, str]] = (AUDIENCE, {})
        """The viewer, and the descriptions of drawings that the viewer last heard, by key."""
        self._phases: list[str] = []
        """The announcements of phases that are due after the events that led to them."""
        self._first_ply: int | None = None
        """The ply (number of moves played) at which the table was first shown; None before."""
        self.report: TableReport | None = None

    def announce_news(self, seat: Seat, told: ShownState, words: Words) -> None:
        """Announce the log lines that the viewer hasn't heard yet."""
        self._curtain_text = ""
        if self._first_ply is None:
            self._first_ply = told.view.ply
        # in a continued match, announce only new lines
        known = 0 if self._first_ply == 0 else len(told.log)
        known = self._heard_lines.get(seat.number, known)
        if known > len(told.log):
            known = len(told.log)
            self.speech.forget_events()
        self._heard_lines[seat.number] = len(told.log)
        phases, self._phases = self._phases, []
        if not self.announcer.screen_reader_active:
            return
        speech = self._context.settings.speech
        news = [
            line
            for line in told.log[known:]
            if speech == "all" or (speech == "turns" and concerns_seat(line, seat.number))
        ]
        lines = [words.log_line(line, seat.number) for line in news]
        changes = self._describe_changes(told, known, seat.number, words)
        if speech == "all":
            lines += [change for change in changes if change not in lines]
        if text := words.sentences(lines + phases):
            self.speech.tell(self._spoken(text))

    def announce_phase(self, text: str) -> None:
        """Announce a phase or round after the events that led to it, with the next news."""
        self._phases.append(text)

    def announce_question(self, seat: Seat, question: SpokenQuestion | None, words: Words) -> None:
        """Announce `question` after the news, unless the viewer knows it.

        A missing question drops the last one from the queue.
        """
        asked = {ask.id for ask in seat.view.asks if ask.id not in seat.view.answers}
        if question is None:
            self.speech.close_question(asked)
            return
        own = [ask for ask in question.asks if ask in seat.open_offers]

        def is_open() -> bool:
            return seat.pending is None and all(ask in seat.open_offers for ask in own)

        answers = tuple(map(self._spoken, question.answers))
        text, ways = self._spoken(question.text), self._spoken(question.ways)
        spoken = replace(question, text=text, answers=answers, ways=ways)
        self.speech.ask(spoken, words, is_open)

    def speak(self, text: str) -> None:
        """Announce `text` with its symbols spelled out."""
        self.announcer.say(self._spoken(text))

    def _spoken(self, text: str) -> str:
        return to_spoken_text(text, self._scene.stage.pixmaps.words)

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
        before, self._curtain_text = self._curtain_text, text
        if text == before:
            return
        self.speech.close_question()
        if before:
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
