"""The sidebar beside the table: its tabs and their contents."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtWidgets import QDockWidget, QTabWidget, QVBoxLayout, QWidget

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import State
from tabletop.language import labels
from tabletop.language.race import make_race
from tabletop.language.words import Words
from tabletop.match.match import Player
from tabletop.text.phrases import phrase
from ui.match.actions_panel import ActionsPanel
from ui.match.card_panel import CardPanel
from ui.match.lesson.frames import LessonSlip
from ui.match.log_panel import LogPanel
from ui.match.now.card_zoom_overlay import CardZoomOverlay
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
MIN_WIDTH_PX = 248
"""The lower bound of the sidebar's minimum width."""
MAX_MIN_WIDTH_PX = 320
"""The upper bound of the sidebar's minimum width.

Within both bounds, the minimum width is chosen so that all tab titles fit, whose width depends on
the system's style.
"""
TAB_PADDINGS_PX = (6, 5, 4, 3, 2, 1)
"""The paddings beside a tab's title to try, from the widest, until all titles fit."""
LEFT_EDGE_PX = 2
"""The width of the line at the sidebar's left edge."""
CHAT_TAB_INDEX = 3
"""The index at which the chat or review tab is inserted, next to the log."""


class ChatTab(QWidget):
    """The base class of chats that can be added to the sidebar."""

    unread_changed = Signal(int)
    """The number of unread messages changed. The argument is the new number."""

    def __init__(self) -> None:
        super().__init__()
        self.sender_seat: int | None = None
        """The local seat that sends messages, or None to use the first local seat."""
        self.unread = 0

    def focus_input(self) -> None:
        """Give the text field keyboard focus."""


class Dock(QDockWidget):
    """The sidebar. Its tabs have the current events, a card, the log, the rulebook and the actions.

    Lessons and hints appear below the tabs. The card under the pointer is shown enlarged over them.
    """

    tab_requested = Signal()
    """A tab was requested, so the sidebar must become visible."""

    def __init__(self, context: AppContext, kit: GameKit, stage: Stage, parent: QWidget) -> None:
        """`stage`: the table beside the sidebar."""
        super().__init__(parent)
        self._context = context
        self._stage = stage
        self.setObjectName("dock")
        self.setTitleBarWidget(QWidget())
        self.setFeatures(QDockWidget.DockWidgetFeature.DockWidgetClosable)
        self.race = RaceRows(context)
        self.now = NowPanel(context, stage, self.race)
        self.card = CardPanel(context, stage.pixmaps)
        self.log = LogPanel(context)
        self._log_page = QWidget()
        lay(QVBoxLayout(self._log_page), [self.log], margins=0)
        self._kit = kit
        self.rules = RulebookTab(context, kit)
        self.moves = ActionsPanel(context)
        self.card.rule_requested.connect(self.open_rulebook)
        self.question_paragraph = ""
        """The rulebook paragraph about the viewer's or else another player's question."""
        self._last_opened_paragraph = ""
        """The last `question_paragraph` at which the rulebook was opened automatically."""
        self._inside = inside = QWidget(self)
        inside.setObjectName("inside")
        self.tabs = QTabWidget(inside, documentMode=True)
        self.tabs.tabBar().setExpanding(False)
        self.tabs.setUsesScrollButtons(True)
        self.collapse_button = button("quiet")
        self.collapse_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.collapse_button.clicked.connect(self.close)
        self.tabs.setCornerWidget(self.collapse_button)
        self._panels: dict[str, QWidget] = {
            "now": self.now,
            "card": self.card,
            "log": self._log_page,
            "rules": self.rules,
            "actions": self.moves,
        }
        for panel in self._panels.values():
            self.tabs.addTab(panel, "")
        self.tabs.currentChanged.connect(self._on_tab_changed)
        self.now.log_room_changed.connect(self._place_log)
        self.lesson_slip = LessonSlip()
        lay(
            QVBoxLayout(inside),
            [(self.tabs, 1), self.lesson_slip],
            spacing=0,
            margins=(LEFT_EDGE_PX, 0, 0, 0),
        )
        self.setWidget(inside)
        self.zoom_overlay = CardZoomOverlay(inside)
        self.chat: ChatTab | None = None
        self.refresh_appearance()

    def add_chat(self, chat: ChatTab) -> None:
        """Insert the chat tab next to the log."""
        self.chat = chat
        self._add_tab("chat", chat, CHAT_TAB_INDEX)
        chat.unread_changed.connect(self._show_unread)
        self._show_unread(chat.unread)

    def _fit_min_width_to_tabs(self) -> None:
        """Set the tab padding and the minimum width so that all tab titles fit."""
        bar, min_width, max_width = (
            self.tabs.tabBar(),
            scale_pixels(self, MIN_WIDTH_PX),
            scale_pixels(self, MAX_MIN_WIDTH_PX),
        )
        for pad in TAB_PADDINGS_PX:
            bar.setStyleSheet(f"QTabBar::tab {{ padding: 8px {scale_pixels(self, pad)}px; }}")
            width = bar.sizeHint().width() + self.collapse_button.sizeHint().width() + LEFT_EDGE_PX
            if width <= max_width:
                break
        # a fixed width, because the table must not move when a message arrives
        self.setMinimumWidth(
            max_width if self.chat is not None else min(max(width, min_width), max_width)
        )

    def add_review(self, review: QWidget) -> None:
        """Insert the review tab next to the log."""
        self._add_tab("review", review, CHAT_TAB_INDEX)

    def _add_tab(self, name: str, panel: QWidget, place: int) -> None:
        """Insert the tab `name` at the index `place` (-1: at the end), unless it exists already."""
        if name not in self._panels:
            self._panels[name] = panel
            self.tabs.insertTab(place, panel, self._context.words(TITLES[name]))

    def show_notes(self, notes: QWidget, shown: bool) -> None:
        """Add the notes tab at the end if it is missing, and set whether it is visible."""
        self._add_tab("notes", notes, -1)
        self.tabs.setTabVisible(self.tabs.indexOf(notes), shown)

    def add_score_sheet(self, sheet: QWidget) -> None:
        """Insert the score sheet as a tab before the rulebook."""
        self._add_tab("score", sheet, self.tabs.indexOf(self.rules))

    def remove_score_sheet(self, sheet: QWidget) -> None:
        """Remove the tab of the score sheet."""
        if self._panels.pop("score", None) is not None:
            self.tabs.removeTab(self.tabs.indexOf(sheet))
            sheet.hide()

    def hide_tab(self, name: str) -> None:
        """Hide the tab `name` permanently."""
        self.tabs.setTabVisible(self.tabs.indexOf(self._panels[name]), False)

    def show_tab(self, name: str) -> None:
        """Open the sidebar if it was closed, and select the tab `name`.

        If there is no score sheet, "score" selects the first tab, which shows the standings.
        """
        self.show()
        self.tab_requested.emit()
        self.tabs.setCurrentWidget(self._panels.get(name, self.now))
        if name == "actions":
            self.moves.focus_list()
        elif name == "chat" and self.chat is not None:
            self.chat.focus_input()

    @property
    def current_tab(self) -> str:
        """The name of the current tab."""
        now = self.tabs.currentWidget()
        return next(name for name, panel in self._panels.items() if panel is now)

    def titles(self) -> dict[str, str]:
        """Return the titles of the visible tabs, by tab name."""
        words, tabs = self._context.words, self.tabs
        return {
            name: words(text)
            for name, text in TITLES.items()
            if name in self._panels and tabs.isTabVisible(tabs.indexOf(self._panels[name]))
        }

    def zoom_card(self, card: int | None, note: str = "") -> bool:
        """Show `card` enlarged, or hide the enlarged card if `card` is None.

        `note` says why the card can't be played.

        Returns:
            False if nothing can be shown because the sidebar's tabs are hidden.
        """
        if card is None:
            self.zoom_overlay.hide_soon()
            return True
        tabs = self.tabs
        if not tabs.isVisible():
            return False
        if self.current_tab == "card":
            self.card.show_card(card, note)
            return True
        inside = self._inside
        top = tabs.mapTo(inside, QPoint(0, tabs.tabBar().height())).y()
        bottom = tabs.geometry().bottom()
        room = QRect(0, top, inside.width(), bottom - top + 1)
        if self.log.isVisible():  # keep the story beside the log visible
            room.setLeft(self.log.mapTo(inside, QPoint(0, 0)).x())
        room.setTop(max(top, min((top + bottom) // 2, bottom - round(room.width() * 1.2))))
        prints = self._stage.pixmaps
        self.zoom_overlay.show_card(card, note, prints, prints.words, room)
        return True

    def open_rulebook(self, paragraph: str = "") -> None:
        """Open the rulebook at `paragraph`, by default the one about the current question."""
        self.show_tab("rules")
        if not paragraph:  # opened by its shortcut, so give it keyboard focus
            self.rules.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if paragraph := paragraph or self.question_paragraph:
            self.rules.open_paragraph(paragraph)

    def _on_tab_changed(self) -> None:
        """Place the log. If the rulebook was opened, scroll to the current question's paragraph.

        This happens once for each question, so that readers who come back find the page they left.
        """
        self._place_log()
        if self.tabs.currentWidget() is self.rules and self.question_paragraph not in (
            "",
            self._last_opened_paragraph,
        ):
            self._last_opened_paragraph = self.question_paragraph
            self.rules.open_paragraph(self.question_paragraph)

    def _place_log(self) -> None:
        """Move the log into the Now tab if that is current and has room, or else into its own."""
        beside = self.tabs.currentWidget() is self.now and self.now.has_room_for_log
        place = self.now.log_place if beside else self._log_page
        layout = place.layout()
        if self.log.parentWidget() is not place and layout is not None:
            layout.addWidget(self.log)
            self.log.show()

    def refresh_appearance(self) -> None:
        """Update all texts and icons for the chosen language and theme."""
        words = self._context.words
        self.setWindowTitle(words("Sidebar"))
        for name, panel in self._panels.items():
            self.tabs.setTabText(self.tabs.indexOf(panel), words(TITLES[name]))
        self.collapse_button.setIcon(self._context.icon("fold"))
        name_widget(self.collapse_button, words("Fold the sidebar"))
        if self.chat is not None:
            self._show_unread(self.chat.unread)
        else:
            self._fit_min_width_to_tabs()
        name_widget(self.tabs, words("Sidebar"))
        for panel in (self.now, self.card, self.log, self.rules, self.moves):
            panel.refresh_appearance()

    def show_table(
        self, players: Sequence[Player], viewer: int, told: ShownState, words: Words
    ) -> None:
        """Show the log and standings up to what `viewer` has seen of the match, which is `told`."""
        self.log.show_lines(told.log, words, players, viewer)
        self.show_race(told.view, players, words)
        if self.chat is not None:
            self.chat.sender_seat = viewer

    def show_race(self, view: State, players: Sequence[Player], words: Words) -> None:
        """Show the standings computed from `view`."""
        self.race.show_race(make_race(self._kit, view, words), players, words)

    def _show_unread(self, unread: int) -> None:
        """Show the number of unread messages in the title of the chat tab."""
        if self.chat is None:
            return
        words = self._context.words
        place = self.tabs.indexOf(self.chat)
        text = words("Chat ●{n}", n=unread) if unread else words(labels.CHAT)
        self.tabs.setTabText(place, text)
        self.tabs.setTabToolTip(place, words("{n} unread", n=unread) if unread else "")
        self._fit_min_width_to_tabs()

    def clear(self) -> None:
        """Remove everything that the last viewer could see."""
        self.question_paragraph = ""
        self.zoom_overlay.hide_now()
        self.now.clear()
        self.card.show_card(None)
        self.log.clear()
        self.race.clear()
        self.moves.clear()
