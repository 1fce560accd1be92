"""The dock beside the table: its tabs, and what of them each viewer may see."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtWidgets import QDockWidget, QTabWidget, QVBoxLayout, QWidget

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import State
from tabletop.language import labels
from tabletop.language.race import race_at
from tabletop.language.words import Words
from tabletop.match.match import Player
from tabletop.text.phrases import phrase
from ui.match.actions_panel import ActionsPanel
from ui.match.card_panel import CardPanel
from ui.match.lesson.slip import LessonSlip
from ui.match.log_panel import LogPanel
from ui.match.now.closer_look import CardZoomOverlay
from ui.match.now.panel import NowPanel
from ui.match.now.race_rows import RaceRows
from ui.rulebook.rulebook_tab import RulebookTab
from ui.shell.app_context import AppContext, name_widget
from ui.table.items.stage import Stage
from ui.table.scene import ShownState
from ui.widgets.box_layout import lay
from ui.widgets.styled_widgets import button, scale_pixels

TITLES = {
    "now": phrase("Now"),
    "card": phrase("Card"),
    "log": labels.LOG,
    "score": labels.SCORE,
    "rules": labels.RULES,
    "actions": phrase("Actions"),
    "chat": labels.CHAT,
    "review": phrase("Review"),
    "notes": phrase("Notes"),
}
MIN_WIDTH_PX, MAX_MIN_WIDTH_PX = 248, 320
"""Bounds of the narrowest width of the dock, in pixels: between them all tabs are seen, whose width
depends on the system's style; of still more tabs, as in a review, some are scrolled to."""
TAB_PADDINGS_PX = (6, 5, 4, 3, 2, 1)
"""Free beside the name of a tab, in pixels: as much as lets all of them be seen."""
LEFT_EDGE_PX = 2
"""Width of the line at its left, in pixels."""
CHAT_TAB_INDEX = 3
"""Position of the tab of a chat or a review: beside the log."""


class ChatTab(QWidget):
    """A chat that may be put beside the log."""

    unread_changed = Signal(int)
    """So many lines were said since it was last looked at."""

    def __init__(self) -> None:
        super().__init__()
        self.speaker: int | None = None
        """The seat here that speaks; None: the first that sits here."""
        self.unread = 0

    def take_focus(self) -> None:
        """Let the person write."""


class Dock(QDockWidget):
    """What happens now, a card, log, score, rules and legal actions, in tabs; at the foot a lesson
    or a hint. A card that is looked at comes over the lower half, or over the log."""

    brought = Signal()
    """Somebody wants to see one of the tabs."""

    def __init__(self, context: AppContext, kit: GameKit, stage: Stage, parent: QWidget) -> None:
        """`stage` is that of the table it belongs to."""
        super().__init__(parent)
        self._context = context
        self._stage = stage
        self.setObjectName("dock")
        self.setTitleBarWidget(QWidget())
        self.setFeatures(QDockWidget.DockWidgetFeature.DockWidgetClosable)
        self.race = RaceRows(context)
        self.now = NowPanel(context, stage, self.race)
        self.card = CardPanel(context, stage.prints)
        self.log = LogPanel(context)
        self._log_page = QWidget()
        lay(QVBoxLayout(self._log_page), [self.log], margins=0)
        self._kit = kit
        self.rules = RulebookTab(context, kit)
        self.moves = ActionsPanel(context)
        self.card.asked.connect(self.turn_to)
        self.question = ""
        """The paragraph of the rulebook that the viewer's question rests on, else anybody's."""
        self._read_of = ""
        """That of the question at which the rules were opened last."""
        self._inside = inside = QWidget(self)
        inside.setObjectName("inside")
        self.tabs = QTabWidget(inside, documentMode=True)
        self.tabs.tabBar().setExpanding(False)
        self.tabs.setUsesScrollButtons(True)
        self.fold = button("quiet")
        self.fold.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.fold.clicked.connect(self.close)
        self.tabs.setCornerWidget(self.fold)
        self._panels: dict[str, QWidget] = {
            "now": self.now,
            "card": self.card,
            "log": self._log_page,
            "rules": self.rules,
            "actions": self.moves,
        }
        for panel in self._panels.values():
            self.tabs.addTab(panel, "")
        self.tabs.currentChanged.connect(self._note_front)
        self.now.log_room_changed.connect(self._place_log)
        self.slip = LessonSlip()
        lay(
            QVBoxLayout(inside),
            [(self.tabs, 1), self.slip],
            spacing=0,
            margins=(LEFT_EDGE_PX, 0, 0, 0),
        )
        self.setWidget(inside)
        self.closer_look = CardZoomOverlay(inside)
        self.chat: ChatTab | None = None
        self.refresh_appearance()

    def add_chat(self, chat: ChatTab) -> None:
        """Put the chat beside the log."""
        self.chat = chat
        self._add("chat", chat, CHAT_TAB_INDEX)
        chat.unread_changed.connect(self._mark_chat)
        self._mark_chat(chat.unread)

    def _widen_to_tabs(self) -> None:
        """All tabs are to be seen, however wide it was when letters were smaller."""
        bar, least, most = (
            self.tabs.tabBar(),
            scale_pixels(self, MIN_WIDTH_PX),
            scale_pixels(self, MAX_MIN_WIDTH_PX),
        )
        for pad in TAB_PADDINGS_PX:
            bar.setStyleSheet(f"QTabBar::tab {{ padding: 8px {scale_pixels(self, pad)}px; }}")
            wide = bar.sizeHint().width() + self.fold.sizeHint().width() + LEFT_EDGE_PX
            if wide <= most:
                break
        # a table must not move when somebody writes
        self.setMinimumWidth(most if self.chat is not None else min(max(wide, least), most))

    def add_review(self, review: QWidget) -> None:
        """Put a review beside the log."""
        self._add("review", review, CHAT_TAB_INDEX)

    def _add(self, name: str, panel: QWidget, place: int) -> None:
        """Put one more tab at this place; -1 is the last."""
        if name not in self._panels:
            self._panels[name] = panel
            self.tabs.insertTab(place, panel, self._context.words(TITLES[name]))

    def show_notes(self, notes: QWidget, shown: bool) -> None:
        """Put the notes on a match behind the other tabs, while there are any to be `shown`."""
        self._add("notes", notes, -1)
        self.tabs.setTabVisible(self.tabs.indexOf(notes), shown)

    def lay_score_sheet(self, sheet: QWidget) -> None:
        """Show the sheet with the final scores in a tab of its own, beside the log."""
        self._add("score", sheet, self.tabs.indexOf(self.rules))

    def take_score_sheet(self, sheet: QWidget) -> None:
        """Do without it again."""
        if self._panels.pop("score", None) is not None:
            self.tabs.removeTab(self.tabs.indexOf(sheet))
            sheet.hide()

    def do_without(self, name: str) -> None:
        """Hide the tab of this name for good."""
        self.tabs.setTabVisible(self.tabs.indexOf(self._panels[name]), False)

    def bring(self, name: str) -> None:
        """Show the tab of this name, opening the dock if it was closed. As long as there is no
        score sheet, the score is what the first tab says of the race."""
        self.show()
        self.brought.emit()
        self.tabs.setCurrentWidget(self._panels.get(name, self.now))
        if name == "actions":
            self.moves.take_focus()
        elif name == "chat" and self.chat is not None:
            self.chat.take_focus()

    @property
    def front(self) -> str:
        """The name of the tab that is in front."""
        now = self.tabs.currentWidget()
        return next(name for name, panel in self._panels.items() if panel is now)

    def titles(self) -> dict[str, str]:
        """The titles of the tabs that can be brought to the front, by their names."""
        words, tabs = self._context.words, self.tabs
        return {
            name: words(text)
            for name, text in TITLES.items()
            if name in self._panels and tabs.isTabVisible(tabs.indexOf(self._panels[name]))
        }

    def look_closer(self, card: int | None, note: str = "") -> bool:
        """Show a card large, with the reason why it can't be played, or with None none any more;
        whether there is room for that here."""
        if card is None:
            self.closer_look.let_go()
            return True
        tabs = self.tabs
        if not tabs.isVisible():
            return False
        if self.front == "card":
            self.card.show_card(card, note)
            return True
        inside = self._inside
        top = tabs.mapTo(inside, QPoint(0, tabs.tabBar().height())).y()
        bottom = tabs.geometry().bottom()
        room = QRect(0, top, inside.width(), bottom - top + 1)
        if self.log.isVisible():  # the story beside it stays in sight
            room.setLeft(self.log.mapTo(inside, QPoint(0, 0)).x())
        room.setTop(max(top, min((top + bottom) // 2, bottom - round(room.width() * 1.2))))
        prints = self._stage.prints
        self.closer_look.show_card(card, note, prints, prints.words, room)
        return True

    def turn_to(self, paragraph: str = "") -> None:
        """Open the rulebook at this paragraph, or where the present question is."""
        self.bring("rules")
        if not paragraph:  # by its key: to be read by keys
            self.rules.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if paragraph := paragraph or self.question:
            self.rules.turn_to(paragraph)

    def _note_front(self) -> None:
        """The rules come to the front: they open where the question is, if it is another one than
        when they were opened last; who goes back to the same one wants to read on."""
        self._place_log()
        if self.tabs.currentWidget() is self.rules and self.question not in ("", self._read_of):
            self._read_of = self.question
            self.rules.turn_to(self.question)

    def _place_log(self) -> None:
        """Put the log in its tab, or in the first one if that is in front and has room for it."""
        beside = self.tabs.currentWidget() is self.now and self.now.has_room_for_log
        place = self.now.log_place if beside else self._log_page
        layout = place.layout()
        if self.log.parentWidget() is not place and layout is not None:
            layout.addWidget(self.log)
            self.log.show()

    def refresh_appearance(self) -> None:
        """Show every text in the chosen language and theme."""
        words = self._context.words
        self.setWindowTitle(words("Sidebar"))
        for name, panel in self._panels.items():
            self.tabs.setTabText(self.tabs.indexOf(panel), words(TITLES[name]))
        self.fold.setIcon(self._context.icon("fold"))
        name_widget(self.fold, words("Fold the sidebar"))
        if self.chat is not None:
            self._mark_chat(self.chat.unread)
        else:
            self._widen_to_tabs()
        name_widget(self.tabs, words("Sidebar"))
        for panel in (self.now, self.card, self.log, self.rules, self.moves):
            panel.refresh_appearance()

    def show_table(self, players: Sequence[Player], viewer: int, told: ShownState) -> None:
        """Show what `viewer` has been told."""
        words = self._context.words_of(self._kit, players)
        self.log.show_lines(told.log, words, players, viewer)
        self.show_race(told.view, players, words)
        if self.chat is not None:
            self.chat.speaker = viewer

    def show_race(self, view: State, players: Sequence[Player], words: Words) -> None:
        """Show how far everybody is at this table."""
        self.race.show_race(race_at(self._kit, view, words), players, words)

    def _mark_chat(self, unread: int) -> None:
        """The chat's tab, with a mark where something was said that nobody here has seen."""
        if self.chat is None:
            return
        words = self._context.words
        place = self.tabs.indexOf(self.chat)
        text = words("Chat ●{n}", n=unread) if unread else words(labels.CHAT)
        self.tabs.setTabText(place, text)
        self.tabs.setTabToolTip(place, words("{n} unread", n=unread) if unread else "")
        self._widen_to_tabs()

    def clear(self) -> None:
        """Show nothing that belongs to anybody."""
        self.question = ""
        self.closer_look.forget()
        self.now.clear()
        self.card.show_card(None)
        self.log.clear()
        self.race.clear()
        self.moves.clear()
