"""The dock beside the table: its tabs, and what of them each viewer may see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDockWidget, QTabWidget, QVBoxLayout, QWidget

from tabletop.games.catalogue import Kit
from tabletop.phrases import phrase
from ui.screens.actions import ActionsPanel
from ui.screens.lesson_slip import LessonSlip
from ui.screens.panels import CardPanel, LogPanel, ScorePanel
from ui.screens.room import Room, named
from ui.screens.rulebook import Rulebook
from ui.screens.sitting import Sitting

if TYPE_CHECKING:
    from ui.screens.chat import ChatPanel
    from ui.screens.review_panel import ReviewPanel

TABS = (
    ("card", phrase("Card")),
    ("log", phrase("Log")),
    ("score", phrase("Score")),
    ("rules", phrase("Rules")),
    ("actions", phrase("Actions")),
)
REVIEW = phrase("Review")
WITH_CHAT = 280
"""The narrowest dock in which all tabs are seen where there is one more, in pixels."""
CHAT = 2
"""Where the tab of a chat or a review stands, where there is one: beside the log."""


class Dock(QDockWidget):
    """Card, log, score, rules and legal actions, in tabs."""

    rules_opened = Signal()
    """The rulebook has come to the front."""

    def __init__(self, room: Room, kit: Kit) -> None:
        super().__init__()
        self._room = room
        self.setObjectName("dock")
        self.card = CardPanel(room, kit)
        self.log = LogPanel(room)
        self.score = ScorePanel(room, kit)
        self.rules = Rulebook(room, kit)
        self.actions = ActionsPanel(room)
        self.card.asked.connect(self.turn_to)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setExpanding(False)
        self.tabs.setUsesScrollButtons(True)
        self.tabs.tabBar().setStyleSheet("QTabBar::tab { padding: 8px 4px; }")
        self.setStyleSheet("QDockWidget::title { padding: 3px 12px; }")
        self._panels: dict[str, QWidget] = {
            "card": self.card,
            "log": self.log,
            "score": self.score,
            "rules": self.rules,
            "actions": self.actions,
        }
        for panel in self._panels.values():
            self.tabs.addTab(panel, "")
        self.tabs.currentChanged.connect(self._note_front)
        self.slip = LessonSlip(room)
        self.slip.asked.connect(self.turn_to)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        beside = QVBoxLayout()
        beside.setContentsMargins(8, 0, 8, 0)
        beside.addWidget(self.slip)
        column.addLayout(beside)
        column.addWidget(self.tabs, 1)
        self.setWidget(inside)
        self.chat: ChatPanel | None = None
        self.setAllowedAreas(
            Qt.DockWidgetArea.LeftDockWidgetArea | Qt.DockWidgetArea.RightDockWidgetArea
        )
        self.dress()

    def add_chat(self, chat: ChatPanel) -> None:
        """Put the chat beside the log."""
        self.chat = chat
        self.tabs.insertTab(CHAT, chat, "")
        chat.unread_changed.connect(self._mark_chat)
        self._mark_chat(chat.unread)
        self.setMinimumWidth(WITH_CHAT)
        self.tabs.tabBar().setStyleSheet("QTabBar::tab { padding: 8px 1px; }")

    def add_review(self, review: ReviewPanel) -> None:
        """Put a review beside the log."""
        self._panels["review"] = review
        self.tabs.insertTab(CHAT, review, self._room.words(REVIEW))

    def bring(self, name: str) -> None:
        """Show the tab of this name, opening the dock if it was closed."""
        self.show()
        if name == "chat":
            if self.chat is not None:
                self.tabs.setCurrentWidget(self.chat)
                self.chat.take_focus()
            return
        self.tabs.setCurrentWidget(self._panels[name])
        if name == "actions":
            self.actions.sentences.setFocus(Qt.FocusReason.ShortcutFocusReason)
            if self.actions.sentences.currentRow() < 0:
                self.actions.sentences.setCurrentRow(0)

    def turn_to(self, paragraph: str) -> None:
        """Open the rulebook at this paragraph."""
        self.bring("rules")
        self.rules.turn_to(paragraph)

    def _note_front(self) -> None:
        if self.tabs.currentWidget() is self.rules:
            self.rules_opened.emit()

    def dress(self) -> None:
        """Put every text on in the room's language and theme."""
        words = self._room.words
        self.setWindowTitle(words("Beside the table"))
        for name, text in TABS:
            self.tabs.setTabText(self.tabs.indexOf(self._panels[name]), words(text))
        if "review" in self._panels:
            self.tabs.setTabText(self.tabs.indexOf(self._panels["review"]), words(REVIEW))
        if self.chat is not None:
            self._mark_chat(self.chat.unread)
        named(self.tabs, words("Beside the table"))
        for panel in (self.card, self.log, self.rules, self.actions):
            panel.dress()

    def show_table(self, sitting: Sitting) -> None:
        """Show what the viewer of this sitting may see."""
        link = sitting.link
        if link is None:
            self.clear()
            return
        words = self._room.of(sitting.kit, sitting.players)
        self.log.show_lines(link.log, words, sitting.players, link.seat)
        self.score.show_scores(link.view, sitting.players, words)
        if self.chat is not None:
            self.chat.speaker = link.seat

    def _mark_chat(self, unread: int) -> None:
        """The chat's tab, with a mark where something was said that nobody here has seen."""
        if self.chat is None:
            return
        words = self._room.words
        place = self.tabs.indexOf(self.chat)
        text = words("Chat ●{n}", n=unread) if unread else words("Chat")
        self.tabs.setTabText(place, text)
        self.tabs.setTabToolTip(place, words("{n} unread", n=unread) if unread else "")

    def clear(self) -> None:
        """Show nothing that belongs to anybody."""
        self.card.show_card(None, self._room.words)
        self.log.clear()
        self.score.clear()
        self.actions.clear()
