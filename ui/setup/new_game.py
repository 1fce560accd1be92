"""The form for a new local match: the game, its seats and its options."""

import secrets

from msgspec.structs import replace
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QButtonGroup,
    QCheckBox,
    QFormLayout,
    QHBoxLayout,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from tabletop.bots.decision import LEVELS
from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.match import tutorial
from tabletop.match.match import Player
from tabletop.match.reactions import has_reactions
from tabletop.protocol.messages import SeatConfig, TablePlan
from ui.setup import lineup
from ui.setup.encryption_switch import EncryptionSwitch
from ui.setup.game_description import GameDescription
from ui.setup.host_sheet import HostRequest
from ui.setup.lineup import MatchSetup
from ui.setup.planned_seats import PlannedSeats
from ui.setup.seat_kind import LEVEL_TEXTS
from ui.setup.table_form import NO_DESCRIPTION_BELOW_PX, TableForm
from ui.setup.turn_steps import TurnSteps
from ui.shell.app_context import AppContext, name_widget
from ui.shell.language import game_title
from ui.shell.player_names import find_name_error
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.form import ChoiceBox
from ui.widgets.popup_menu import open_for_keys
from ui.widgets.reactions_menu import reactions_menu
from ui.widgets.seat_badge import show_badge
from ui.widgets.styled_widgets import (
    FittingScrollArea,
    Paper,
    button,
    label,
    scale_pixels,
)

ROW_GAP_PX = 8
MAX_FREE_HEIGHT_PX = 48
"""The greatest free height in pixels below the settings when all seats are taken."""
MIXED_LEVELS = ""
"""The level shown while the bots have different levels."""


class NewGame(TableForm):
    """The form for a new local match of one game."""

    start_requested = Signal(object)
    """A request to start a match: a MatchSetup."""
    table_requested = Signal(object)
    """A request to open a table at which players hold their cards on phones: a HostRequest."""

    def __init__(self, context: AppContext, kit: GameKit) -> None:
        last = lineup.last_setup(context, kit)
        super().__init__(context, kit, PlannedSeats(context, last.players))
        self.drawn_order: tuple[Player, ...] = ()
        self._tutorial = tutorial.load_first_game(kit)
        self._offers_tutorial = self._tutorial is not None and context.shelf_statistics.is_new(
            kit.id
        )
        """Whether the game has a tutorial and hasn't been played to the end on this computer."""
        self._about = GameDescription(context, kit)
        self._turn = TurnSteps(context, kit)
        self.fill_button = button("quiet", flush=True)
        self.fill_button.clicked.connect(self.seats.seat_bots)
        self.level_box = ChoiceBox((MIXED_LEVELS, *LEVELS))
        self.level_box.activated.connect(lambda _: self._choose_level())
        self.phones_box, self._phones_caption = QCheckBox(), label("caption", wrap=True)
        self.phones_box.toggled.connect(lambda _: self._reset_draw())
        self.encryption = EncryptionSwitch(context)
        self._order_label = label("strong")
        self.as_seated, self.draw_lots = QRadioButton(), QRadioButton()
        self.as_seated.setChecked(True)
        order_group = QButtonGroup(self)
        for choice in (self.as_seated, self.draw_lots):
            order_group.addButton(choice)
        order_group.buttonClicked.connect(lambda _: self._reset_draw())
        # a screen reader toggles without a click
        self.draw_lots.toggled.connect(lambda _: self._reset_draw())
        self.draw_result = DrawOrder(context)
        self._form = QFormLayout()
        self.reactions_button = button("quiet")
        self.reactions_button.clicked.connect(self._choose_reactions)
        self.tutorial_button = button("" if self._offers_tutorial else "quiet")
        self.tutorial_button.clicked.connect(self._start_tutorial)
        self.tutorial_banner = Paper(kind="mat")
        self._learn_text = label(wrap=True)
        """A label that describes the tutorial, shown while the game hasn't been played."""
        self._choose_game(kit, self._form, kit.box.seats, last.options)
        self._lay_out()
        # after they were added to the sheet, or they would become windows
        self.tutorial_button.setVisible(self._tutorial is not None)
        self.seat_count.setVisible(len(kit.box.seats) > 1)
        self.refresh_appearance()
        self._follow_edits()

    def showEvent(self, event: QShowEvent) -> None:
        self.start_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _fit_to_room(self, narrow: bool, low: bool) -> None:
        self._about.set_compact(narrow, low)
        direction = QBoxLayout.Direction
        self._row.setDirection(
            direction.BottomToTop
            if self.width() < NO_DESCRIPTION_BELOW_PX
            else direction.LeftToRight
        )
        edge = 8 if narrow else 16
        self._sheet.column.setContentsMargins(edge + 12, edge, edge + 12, edge)
        self.setContentsMargins(0, edge - 16, 0, edge - 16)

    def refresh_appearance(self) -> None:
        super().refresh_appearance()
        words = self.context.words
        self._about.refresh_appearance()
        self._turn.refresh_appearance()
        game = game_title(self.kit, words.language)
        name_widget(self, words("New game: {title}", title=game))
        self.fill_button.setText(words("Fill with bots"))
        self.fill_button.setIcon(self.context.icon("bot", self.context.theme.accent_2))
        self.fill_button.setToolTip(words("Bots take every seat without a name"))
        levels = [words("Bots: {level}", level=words(text)) for text in LEVEL_TEXTS.values()]
        self.level_box.set_texts([words("Bots: mixed"), *levels])
        name_widget(self.level_box, words("Level of all bots"))
        self.phones_box.setText(words("Hands on phones"))
        self.phones_box.setToolTip(
            words("This screen shows the table. Everyone holds their cards on a phone.")
        )
        self._phones_caption.setText(
            words("Everyone takes a seat before the match, with a phone or at this screen.")
        )
        self.encryption.refresh_appearance()
        self._name_start()
        self.draw_lots.setText(words("Draw lots"))
        self.reactions_button.setText(words("Reactions…"))
        self.reactions_button.setToolTip(words("How each player is asked for reactions"))
        self.tutorial_button.setText(words("Learn to play"))
        self.tutorial_button.setIcon(self.context.icon("hint", self.context.theme.accent_2))
        self._learn_text.setText(words("Learn by playing: a real game against bots, with lessons."))
        self.tutorial_button.setToolTip("" if self._offers_tutorial else self._learn_text.text())
        self.draw_result.refresh_appearance()
        self._check()

    def _lay_out(self) -> None:
        """Put the settings into a scroll area, with the buttons below."""
        inside = QWidget()
        self._settings_layout = self._lay_out_settings()
        below: list[Part] = [self._settings_layout, self._turn, STRETCH, self.tutorial_banner]
        row: list[Part] = [self._about, (lay(QVBoxLayout(), below, spacing=ROW_GAP_PX), 1)]
        self._row = lay(QHBoxLayout(inside), row, spacing=24, margins=0)
        self._roll = FittingScrollArea(inside)
        inside.installEventFilter(self)
        self._sheet.column.addWidget(self._roll, 1)
        if self._offers_tutorial:
            parts: list[Part] = [(self._learn_text, 1), self.tutorial_button]
            lay(QHBoxLayout(self.tutorial_banner), parts, spacing=12, margins=(16, 6, 8, 6))
        ends = (
            [self._back_button, self.start_button]
            if self._offers_tutorial
            else [self._back_button, self.tutorial_button, self.start_button]
        )
        self._lay_sheet(*ends)

    def _lay_out_settings(self) -> QVBoxLayout:
        """Return the layout of all settings."""
        bots = (
            [self.fill_button, self.reactions_button]
            if has_reactions(self.kit.meaning)
            else [self.fill_button]
        )
        under = lay(QHBoxLayout(), [*bots, self.level_box, STRETCH, self.phones_box], margins=0)
        choices = lay(
            QHBoxLayout(), [self._order_label, 12, self.as_seated, 12, self.draw_lots, STRETCH]
        )
        column: list[Part] = [self.head, self.seats, under, self._phones_caption, self.encryption]
        column += [choices, self.draw_result]
        if self.kit.box.options:
            column.append(self._form)
        return lay(QVBoxLayout(), column, spacing=ROW_GAP_PX)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._show_turn()
        return super().eventFilter(watched, event)

    def _show_turn(self) -> None:
        """Show the steps of a turn below the settings, or beside them if they don't fit."""
        beside = self._row.direction() is QBoxLayout.Direction.LeftToRight
        # the width without scroll bar and steps, so that the result doesn't depend on the last one
        width = self._roll.width() - self._about.maximumWidth() - self._row.spacing()
        need = self._settings_height(width) + ROW_GAP_PX + self._turn.needed_height(width)
        around = self._sheet.sizeHint().height() - self._roll.sizeHint().height()
        margins = self.contentsMargins().top() + self.contentsMargins().bottom() + 2 * 16
        room = min(self.height() - margins, super()._max_height) - around
        below = beside and bool(self.kit.words.turn) and need <= room
        self._turn.setVisible(below)
        self._about.show_turn_steps(not below)
        self._sheet.setMaximumHeight(self._max_height)

    def _settings_height(self, width: int) -> int:
        """Return the height in pixels that everything but the steps of a turn takes at `width`."""
        settings = self._settings_layout
        height = settings.totalHeightForWidth(width)  # -1 if no visible text wraps
        need = height if height >= 0 else settings.totalSizeHint().height()
        if not self.tutorial_banner.isHidden():
            need += ROW_GAP_PX + self.tutorial_banner.sizeHint().height()
        return need

    @property
    def _max_height(self) -> int:
        """The height in pixels that the settings of a full table take, so that no hole gapes."""
        seats = self.seats
        width = self._roll.width() - self._about.maximumWidth() - self._row.spacing()
        need = self._settings_height(width) + ROW_GAP_PX + self._turn.needed_height(width)
        need += seats.height_for(max(self.kit.box.seats)) - seats.height_for(len(seats.rows))
        around = self._sheet.sizeHint().height() - self._roll.sizeHint().height()
        free = scale_pixels(self, MAX_FREE_HEIGHT_PX)
        return min(super()._max_height, need + around + free)

    def _check(self) -> None:
        players = self.seats.players
        if self.drawn_order and set(self.drawn_order) != set(players):
            self._reset_draw()
        super()._check()
        words, phones = self.context.words, self.phones_box.isChecked()
        begin = words("Draw lots") if self._must_draw else words("Start")
        self.start_button.setText(words("Open the table") if phones else begin)
        self._phones_caption.setVisible(phones)
        self.encryption.setVisible(phones)
        self.tutorial_button.setVisible(self._tutorial is not None and not phones)
        self.tutorial_banner.setVisible(self._offers_tutorial and not phones)
        self._name_start()
        for widget in (self._order_label, self.as_seated, self.draw_lots):
            widget.setVisible(len(players) > 1 and not phones)
        self.fill_button.setEnabled(bool(self.seats.unnamed_rows))
        levels = self.seats.levels
        self.level_box.setVisible(len(levels) > 1)
        if levels:
            self.level_box.choose(levels[0] if len(set(levels)) == 1 else MIXED_LEVELS)
        self.seats.set_min_count(min(self.kit.box.seats))

    def _find_error(self) -> str:
        names = [player.name for player in self.seats.players]
        return "" if self.phones_box.isChecked() else find_name_error(names)

    def _name_start(self) -> None:
        """Update texts that depend on whether the first player starts the game."""
        words, starts = self.context.words, self.kit.box.first_seat_begins(self._options.values)
        self._order_label.setText(words("Starting player") if starts else words("Order of seats"))
        seated = words("As seated: the first player starts") if starts else words("As seated")
        self.as_seated.setText(seated)
        self.draw_result.set_first_starts(starts)

    def _choose_level(self) -> None:
        """Apply the chosen level to all bots."""
        level = self.level_box.currentData()
        if level != MIXED_LEVELS:
            self.seats.set_level(level)
        self._check()

    @property
    def _must_draw(self) -> bool:
        """Whether the starting player is to be drawn and hasn't been yet."""
        drawing = self.draw_lots.isChecked() and not self.phones_box.isChecked()
        return drawing and not self.drawn_order and len(self.seats.players) > 1

    def _choose_reactions(self) -> None:
        """Open the menu for when each local player is asked for reactions."""
        persons = [player for player in self.seats.players if player.kind == "person"]
        names = [player.name for player in persons if player.name]
        if names:
            menu = reactions_menu(self.context, names, len(persons) == 1, self)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            below = self.reactions_button.rect().bottomLeft()
            open_for_keys(menu, self.reactions_button.mapToGlobal(below))

    def _reset_draw(self) -> None:
        self.drawn_order = ()
        self.draw_result.hide()
        self._check()

    def _begin(self) -> None:
        players = self.seats.players
        if self.phones_box.isChecked():
            self.table_requested.emit(self._shared_table(players))
            return
        if self._must_draw:
            first = secrets.randbelow(len(players))
            self.drawn_order = players[first:] + players[:first]
            self.draw_result.show_draw(self.drawn_order)
            self._check()
            return
        agreed = MatchSetup(self.kit, players, self._options.values)
        lineup.save_setup(self.context, agreed)
        self.start_requested.emit(replace(agreed, players=self.drawn_order or players))

    def _shared_table(self, players: tuple[Player, ...]) -> HostRequest:
        """Return the request for a table with the bots among `players`, and other seats open."""
        bots = (player.level if player.kind == "bot" else "" for player in players)
        seats = tuple(SeatConfig("bot", level) if level else SeatConfig("open") for level in bots)
        options = catalogue.options(self.kit, self._options.values)
        name = game_title(self.kit, self.context.words.language)
        return HostRequest(TablePlan(self.kit.id, seats, name, options), (), phones=True)

    def _start_tutorial(self) -> None:
        """Start the tutorial with a person at the first seat and bots at the others."""
        if self._tutorial is None:
            return
        setup = lineup.setup_lessons(self.context, self.kit, self._tutorial, self.seats.players)
        self.start_requested.emit(setup)


class DrawOrder(QWidget):
    """The result of drawing the starting player: the players' badges in turn order."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._players: tuple[Player, ...] = ()
        self._starts = True
        self._badges = [label() for _ in range(12)]
        self._text = label()
        lay(QHBoxLayout(self), [*self._badges, (self._text, 1)], margins=(0, 4, 0, 4))
        self.hide()

    @property
    def text(self) -> str:
        """The result as text."""
        return self._text.text()

    def show_draw(self, players: tuple[Player, ...]) -> None:
        """Show `players` in turn order."""
        self._players = players
        self.refresh_appearance()
        self.show()

    def set_first_starts(self, starts: bool) -> None:
        """Set whether the first player starts the game or only sits first."""
        self._starts = starts
        self.refresh_appearance()

    def refresh_appearance(self) -> None:
        """Update text and badges."""
        if not self._players:
            return
        for place, badge in enumerate(self._badges):
            taken = place < len(self._players)
            badge.setVisible(taken)
            if taken:
                size = 44 if place == 0 else 26
                symbol = self._players[place].symbol
                show_badge(self._context, badge, symbol, size)
        words, name = self._context.words, self._players[0].name
        first = words("{name} starts.", name=name)
        self._text.setText(first if self._starts else words("{name} sits first.", name=name))
