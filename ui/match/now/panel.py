"""The Now tab: who is ahead, and what the others did since the viewer's last turn."""

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

MARGIN = 8
INDENT = 13
"""What is free on the left of a text, in pixels, so that all texts begin below each other."""
MOST_RACE = 0.55
"""The share of the tab's height that the race takes at most; more of it is scrolled to."""
MOST_LARGE = 0.6
"""The same share where its rows are large."""
BROAD = 1.4
"""Width of the tab, in its heights, from which the story is beside the race."""
HALF = (680, 330)
"""Width and height of the tab, in pixels, from which the log has half of it."""
THIRD = 780
"""Width of the tab, in pixels, from which race, story and log are side by side."""


class NowPanel(QWidget):
    """The race and the story of the last turn; where there is more room, the log beside them."""

    played = Signal(object)
    """A PlayerAct is to be played back, or with None all of them."""
    log_room_changed = Signal()
    """There is room for the log now, or none any more."""

    def __init__(self, context: AppContext, stage: Stage, race: RaceRows) -> None:
        """`race` says who is ahead."""
        super().__init__()
        self._context = context
        self._viewer = AUDIENCE
        self._title = label("strong")
        self.play_back = button("quiet")
        self.play_back.clicked.connect(lambda: self.played.emit(None))
        self.story = StoryList(context, stage)
        self.story.chosen.connect(self.played)
        self._none = label("caption", wrap=True)
        self._none.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._race = race
        race.changed.connect(self._fit_race)
        above = lay(QHBoxLayout(), [(self._title, 1), self.play_back], margins=(INDENT, 0, 0, 0))
        told: list[Part] = [8, above, self._none, 4, (self.story, 1), STRETCH]
        parts = [lay(QVBoxLayout(), [race, STRETCH]), lay(QVBoxLayout(), told, spacing=2)]
        self._parts = lay(QBoxLayout(QBoxLayout.Direction.TopToBottom), parts, spacing=2)
        self.log_place = QWidget()
        """Where the log is put while there is room for it."""
        self._log_title = label("strong")
        self._log_title.setContentsMargins(INDENT + MARGIN, 0, 0, 0)
        lay(QVBoxLayout(self.log_place), [self._log_title], spacing=2, margins=(0, MARGIN, 0, 0))
        self.log_place.hide()
        whole: list[Part] = [(self._parts, 1), (self.log_place, 1)]
        self._whole = lay(QHBoxLayout(self), whole, spacing=2, margins=MARGIN)
        self._none.setContentsMargins(INDENT, 0, INDENT, 0)
        self.refresh_appearance()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_race()

    def _fit_race(self) -> None:
        wide, high, race = self.width() - 2 * MARGIN, self.height(), self._race
        race.take_form("usual")
        least_wide, least_high, third = (scale_pixels(self, each) for each in (*HALF, THIRD))
        halves = wide >= least_wide and high >= least_high
        halves = halves and race.height_in(wide // 2) <= high * MOST_RACE
        thirds = wide >= third and race.height_in(wide // 3) <= high - 2 * MARGIN
        broad = not halves and (thirds or wide > high * BROAD)
        if (halves or thirds) != self.has_room_for_log:
            self.log_place.setVisible(halves or thirds)
            self.log_room_changed.emit()
        self._whole.setStretch(0, 2 if broad else 1)
        directions = QBoxLayout.Direction
        self._parts.setDirection(directions.LeftToRight if broad else directions.TopToBottom)
        self._parts.setStretch(0, int(broad))
        self._parts.setStretch(1, 1)
        if halves:
            self._enlarge_race(wide // 2, high)
        elif broad:
            race.fit(wide // (3 if thirds else 2), high - 2 * MARGIN)
        else:
            race.fit(wide, round(high * MOST_RACE))
        race.fit_rows()

    def _enlarge_race(self, wide: int, high: int) -> None:
        """Give the race large rows where there is room for them in this width and height, in
        pixels."""
        self._race.take_form("large")
        large = self._race.height_in(wide) <= high * MOST_LARGE
        if not large:
            self._race.take_form("usual")
        self._race.fit(wide, round(high * (MOST_LARGE if large else MOST_RACE)))

    @property
    def has_room_for_log(self) -> bool:
        """Whether it has room for the log."""
        return not self.log_place.isHidden()

    def show_story(
        self, acts: Sequence[PlayerAct], viewer: int, players: Sequence[Player], words: Words
    ) -> None:
        """Show these acts to this viewer."""
        self._viewer = viewer
        self.story.tell(acts, viewer, words, [player.symbol for player in players])
        self._show_state()

    def clear(self) -> None:
        """Show nothing that belongs to anybody."""
        self.show_story((), AUDIENCE, (), self._context.words)

    @property
    def concerned(self) -> bool:
        """Whether something was done to the viewer."""
        return any(act.concerns_viewer for act in self.story.told.acts)

    def refresh_appearance(self) -> None:
        """Show the texts in the chosen language; `show_story` fills in the story again."""
        set_scaled_style(self.play_back, SMALL_BUTTON)
        self.play_back.setIcon(self._context.icon("play"))
        self._show_state()

    def _show_state(self) -> None:
        words, told = self._context.words, bool(self.story.told.acts)
        title = words("This turn") if self._viewer == AUDIENCE else words("Since your last turn")
        self._title.setText(title)
        name_widget(self.story, title)
        self.play_back.setText(words("Play back"))
        self._log_title.setText(words(labels.LOG))
        self._none.setText(words("Nothing yet."))
        self._none.setVisible(not told)
        self.story.setVisible(told)
        self.play_back.setVisible(told)
