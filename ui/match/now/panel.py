"""The Now tab, with the standings and what the others did since the viewer's last turn."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from tabletop.engine.model import AUDIENCE
from tabletop.language import labels
from tabletop.language.words import Words
from tabletop.match.match import Player
from tabletop.match.story import PlayerAct
from ui.match.now.race_rows import RaceRows
from ui.match.now.story_list import StoryList
from ui.shell.app_context import AppContext, name_widget
from ui.table.items.stage import Stage
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.styled_widgets import SMALL_BUTTON, button, label, scale_pixels, set_scaled_style

MARGIN_PX = 8
TITLE_GAPS_PX = 8 + 4 + 3 * 2
"""The spaces around the story's title, in pixels."""
INDENT_PX = 13
"""The left indent of texts, which aligns them with the texts in the lists."""
MAX_RACE_SHARE = 0.55
"""The greatest height of the standings, as a share of the tab's height, while the story below needs
the rest. If higher, they scroll.
"""
MIN_STORY_HEIGHT_PX = 120
"""The height that the story keeps below the standings however short it is."""
MAX_LARGE_RACE_SHARE = 0.6
"""The greatest height of standings with large rows, as a share of the tab's height."""
WIDE_ASPECT_RATIO = 1.4
"""The tab's width divided by its height above which the story is beside the standings."""
LOG_HALF_MIN_SIZE_PX = (680, 330)
"""The least width and height of the tab at which the log takes up half of it."""
LOG_THIRD_MIN_WIDTH_PX = 780
"""The least width of the tab at which the standings, the story and the log are side by side."""


class NowPanel(QWidget):
    """The standings, the story of the latest acts and, if there is room, the log."""

    replay_requested = Signal(object)
    """The user wants a replay. The argument is the PlayerAct to replay, or None for all of them."""
    log_room_changed = Signal()
    """The value of `has_room_for_log` changed."""

    def __init__(self, context: AppContext, stage: Stage, race: RaceRows) -> None:
        """`race`: the widget with the standings."""
        super().__init__()
        self._context = context
        self._viewer = AUDIENCE
        self._title = label("strong")
        self.replay_button = button("quiet")
        self.replay_button.clicked.connect(lambda: self.replay_requested.emit(None))
        self.story = StoryList(context, stage)
        self.story.act_chosen.connect(self.replay_requested)
        self._empty_text = label("caption", wrap=True)
        self._empty_text.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._race = race
        race.race_changed.connect(self._fit_race)
        above = lay(
            QHBoxLayout(), [(self._title, 1), self.replay_button], margins=(INDENT_PX, 0, 0, 0)
        )
        told: list[Part] = [8, above, self._empty_text, 4, (self.story, 1), STRETCH]
        parts = [lay(QVBoxLayout(), [race, STRETCH]), lay(QVBoxLayout(), told, spacing=2)]
        self._race_and_story = lay(QBoxLayout(QBoxLayout.Direction.TopToBottom), parts, spacing=2)
        self.log_place = QWidget()
        """The container into which the log is put while there is room for it."""
        self._log_title = label("strong")
        self._log_title.setContentsMargins(INDENT_PX + MARGIN_PX, 0, 0, 0)
        lay(QVBoxLayout(self.log_place), [self._log_title], spacing=2, margins=(0, MARGIN_PX, 0, 0))
        self.log_place.hide()
        whole: list[Part] = [(self._race_and_story, 1), (self.log_place, 1)]
        self._columns = lay(QHBoxLayout(self), whole, spacing=2, margins=MARGIN_PX)
        self._empty_text.setContentsMargins(INDENT_PX, 0, INDENT_PX, 0)
        self.refresh_appearance()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_race()

    def _fit_race(self) -> None:
        width, height, race = self.width() - 2 * MARGIN_PX, self.height(), self._race
        race.set_form("usual")
        least_wide, least_high, third = (
            scale_pixels(self, each) for each in (*LOG_HALF_MIN_SIZE_PX, LOG_THIRD_MIN_WIDTH_PX)
        )
        halves = width >= least_wide and height >= least_high
        halves = halves and race.height_for(width // 2) <= height * MAX_RACE_SHARE
        thirds = width >= third and race.height_for(width // 3) <= height - 2 * MARGIN_PX
        broad = not halves and (thirds or width > height * WIDE_ASPECT_RATIO)
        if (halves or thirds) != self.has_room_for_log:
            self.log_place.setVisible(halves or thirds)
            self.log_room_changed.emit()
        self._columns.setStretch(0, 2 if broad else 1)
        directions = QBoxLayout.Direction
        self._race_and_story.setDirection(
            directions.LeftToRight if broad else directions.TopToBottom
        )
        self._race_and_story.setStretch(0, int(broad))
        self._race_and_story.setStretch(1, 1)
        if halves:
            self._enlarge_race(width // 2, height)
        elif broad:
            race.fit_to(width // (3 if thirds else 2), height - 2 * MARGIN_PX)
        else:
            race.fit_to(width, max(round(height * MAX_RACE_SHARE), height - self._story_height))
        race.fit_row_heights()
        for layout in (self._columns, self._race_and_story):
            layout.activate()  # else the story is painted once over the standings that have grown

    @property
    def _story_height(self) -> int:
        """The height in pixels of the story below the standings, with its title and margins."""
        title = max(self._title.sizeHint().height(), self.replay_button.sizeHint().height())
        rows = self.story.content_height if self.story.shown.acts else 0
        least = scale_pixels(self, MIN_STORY_HEIGHT_PX)
        return max(rows + title + TITLE_GAPS_PX, least) + 2 * MARGIN_PX

    def _enlarge_race(self, width: int, height: int) -> None:
        """Show the standings in large rows if they fit into this size in pixels, else normally."""
        self._race.set_form("large")
        large = self._race.height_for(width) <= height * MAX_LARGE_RACE_SHARE
        if not large:
            self._race.set_form("usual")
        self._race.fit_to(
            width, round(height * (MAX_LARGE_RACE_SHARE if large else MAX_RACE_SHARE))
        )

    @property
    def has_room_for_log(self) -> bool:
        """Whether the tab is large enough to contain the log."""
        return not self.log_place.isHidden()

    def show_story(
        self, acts: Sequence[PlayerAct], viewer: int, players: Sequence[Player], words: Words
    ) -> None:
        """List `acts` as worded for `viewer`."""
        self._viewer = viewer
        self.story.show_acts(acts, viewer, words, [player.symbol for player in players])
        self._update_story_texts()

    @property
    def spoken_text(self) -> str:
        """The title and all acts as sentences, for screen readers."""
        story = self.story
        acts = [story.spoken_text_of(act) for act in story.shown.acts]
        return self._context.words.sentences(
            (self._title.text(), *(acts or [self._empty_text.text()]))
        )

    def clear(self) -> None:
        """Remove all acts."""
        self.show_story((), AUDIENCE, (), self._context.words)

    @property
    def concerns_viewer(self) -> bool:
        """Whether any listed act affects the viewer."""
        return any(act.concerns_viewer for act in self.story.shown.acts)

    def refresh_appearance(self) -> None:
        """Update the fixed texts. The caller must then call `show_story` to list the acts again."""
        set_scaled_style(self.replay_button, SMALL_BUTTON)
        self.replay_button.setIcon(self._context.icon("play"))
        self._update_story_texts()

    def _update_story_texts(self) -> None:
        words, told = self._context.words, bool(self.story.shown.acts)
        title = words("This turn") if self._viewer == AUDIENCE else words("Since your last turn")
        self._title.setText(title)
        name_widget(self.story, title)
        self.replay_button.setText(words("Play back"))
        self._log_title.setText(words(labels.LOG))
        self._empty_text.setText(words("Nothing yet."))
        self._empty_text.setVisible(not told)
        self.story.setVisible(told)
        self.replay_button.setVisible(told)
        self._fit_race()
