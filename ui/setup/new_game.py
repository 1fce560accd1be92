"""A new game: one sheet with what the game is, the seats, and the options of the box."""

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
from ui.setup.about_game import AboutGame
from ui.setup.encryption_switch import EncryptionSwitch
from ui.setup.host_sheet import HostRequest
from ui.setup.lineup import MatchSetup
from ui.setup.planned_seats import PlannedSeats
from ui.setup.seat_kind import LEVEL_TEXTS
from ui.setup.table_form import NARROWEST, TableForm
from ui.setup.turn_steps import TurnSteps
from ui.shell.app_context import AppContext, name_widget
from ui.shell.language import title
from ui.shell.player_names import clean_name, fault
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.form import ChoiceBox
from ui.widgets.reactions_menu import reactions_menu
from ui.widgets.seat_badge import show_badge
from ui.widgets.styled_widgets import (
    FittingScrollArea,
    Paper,
    button,
    label,
)

GAP = 8
"""The gap between two lines of what is agreed on, in pixels."""
MIXED = ""
"""Stands for bots of several levels."""


class NewGame(TableForm):
    """The sheet for one kit."""

    started = Signal(object)
    """All is agreed: a `MatchSetup`."""
    shared = Signal(object)
    """All is agreed for a table at which people hold their cards on phones: a HostRequest."""

    def __init__(self, context: AppContext, kit: GameKit) -> None:
        last = lineup.recall(context, kit)
        super().__init__(context, kit, PlannedSeats(context, last.players))
        self.drawn: tuple[Player, ...] = ()
        self._first = tutorial.load_first_game(kit)
        self._new = self._first is not None and context.box_counts.is_new(kit.id)
        """It can be learnt, and nobody here has played it to its end."""
        self._about = AboutGame(context, kit)
        self._turn = TurnSteps(context, kit)
        self.fill = button("quiet", flush=True)
        self.fill.clicked.connect(self.places.fill)
        self.level = ChoiceBox((MIXED, *LEVELS))
        self.level.activated.connect(lambda _: self._choose_level())
        self.phones, self._phones_caption = QCheckBox(), label("caption", wrap=True)
        self.phones.toggled.connect(lambda _: self._forget_lot())
        self.encryption = EncryptionSwitch(context)
        self._begins = label("strong")
        self.seated, self.lot = QRadioButton(), QRadioButton()
        self.seated.setChecked(True)
        begins = QButtonGroup(self)
        for choice in (self.seated, self.lot):
            begins.addButton(choice)
        begins.buttonClicked.connect(lambda _: self._forget_lot())
        # a screen reader toggles without a click
        self.lot.toggled.connect(lambda _: self._forget_lot())
        self.lots = DrawOrder(context)
        self._form = QFormLayout()
        self.reactions = button("quiet")
        self.reactions.clicked.connect(self._choose_reactions)
        self.learn = button("" if self._new else "quiet")
        self.learn.clicked.connect(self._begin_first)
        self.banner = Paper(kind="mat")
        self._learn_text = label(wrap=True)
        """What the first game is, the first time."""
        self._choose_game(kit, self._form, kit.box.seats, last.options)
        self._lay_out()
        # only once they are in the sheet
        self.learn.setVisible(self._first is not None)
        self.count.setVisible(len(kit.box.seats) > 1)
        self.refresh_appearance()
        self._follow_edits()

    def showEvent(self, event: QShowEvent) -> None:
        self.start.setFocus(Qt.FocusReason.OtherFocusReason)

    def _give_room(self, narrow: bool, low: bool) -> None:
        self._about.set_room(narrow, low)
        way = QBoxLayout.Direction
        self._row.setDirection(way.BottomToTop if self.width() < NARROWEST else way.LeftToRight)
        edge = 8 if narrow else 16
        self._sheet.column.setContentsMargins(edge + 12, edge, edge + 12, edge)
        self.setContentsMargins(0, edge - 16, 0, edge - 16)

    def refresh_appearance(self) -> None:
        super().refresh_appearance()
        words = self.context.words
        self._about.refresh_appearance()
        self._turn.refresh_appearance()
        game = title(self.kit, words.language)
        name_widget(self, words("New game: {title}", title=game))
        self.fill.setText(words("Fill with bots"))
        self.fill.setIcon(self.context.icon("bot", self.context.theme.accent_2))
        self.fill.setToolTip(words("Bots take every seat without a name"))
        levels = [words("Bots: {level}", level=words(text)) for text in LEVEL_TEXTS.values()]
        self.level.set_texts([words("Bots: mixed"), *levels])
        name_widget(self.level, words("Level of all bots"))
        self.phones.setText(words("Hands on phones"))
        self.phones.setToolTip(
            words("This screen shows the table. Everyone holds their cards on a phone.")
        )
        self._phones_caption.setText(
            words("Everyone takes a seat before the match, with a phone or at this screen.")
        )
        self.encryption.refresh_appearance()
        self._name_start()
        self.lot.setText(words("Draw lots"))
        self.reactions.setText(words("Reactions…"))
        self.reactions.setToolTip(words("How each player is asked for reactions"))
        self.learn.setText(words("First game"))
        self.learn.setIcon(self.context.icon("hint", self.context.theme.accent_2))
        self._learn_text.setText(words("Learn by playing: a real game against bots, with lessons."))
        self.learn.setToolTip("" if self._new else self._learn_text.text())
        self.lots.refresh_appearance()
        self._check()

    def _lay_out(self) -> None:
        """Let the settings scroll where they must; the buttons stay in sight."""
        inside = QWidget()
        self._agreed = self._agreement()
        below: list[Part] = [self._agreed, self._turn, STRETCH, self.banner]
        row: list[Part] = [self._about, (lay(QVBoxLayout(), below, spacing=GAP), 1)]
        self._row = lay(QHBoxLayout(inside), row, spacing=24, margins=0)
        self._roll = FittingScrollArea(inside)
        inside.installEventFilter(self)
        self._sheet.column.addWidget(self._roll, 1)
        if self._new:
            told: list[Part] = [(self._learn_text, 1), self.learn]
            lay(QHBoxLayout(self.banner), told, spacing=12, margins=(16, 6, 8, 6))
        ends = [self._back, self.start] if self._new else [self._back, self.learn, self.start]
        self._lay_sheet(*ends)

    def _agreement(self) -> QVBoxLayout:
        """All that is to be agreed on."""
        bots = [self.fill, self.reactions] if has_reactions(self.kit.meaning) else [self.fill]
        under = lay(QHBoxLayout(), [*bots, self.level, STRETCH, self.phones], margins=0)
        choices = lay(QHBoxLayout(), [self._begins, 12, self.seated, 12, self.lot, STRETCH])
        column: list[Part] = [self.head, self.places, under, self._phones_caption, self.encryption]
        column += [choices, self.lots]
        if self.kit.box.options:
            column.append(self._form)
        return lay(QVBoxLayout(), column, spacing=GAP)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._show_turn()
        return super().eventFilter(watched, event)

    def _show_turn(self) -> None:
        """Say how a turn goes below what is agreed on where that leaves the room, else at its
        side."""
        beside = self._row.direction() is QBoxLayout.Direction.LeftToRight
        # as it is without a scroll bar and without the steps: what is decided must not depend on
        # what was
        wide = self._roll.width() - self._about.maximumWidth() - self._row.spacing()
        asked = self._agreed
        high = asked.totalHeightForWidth(wide)  # none where no text in sight is wrapped
        need = high if high >= 0 else asked.totalSizeHint().height()
        need += GAP + self._turn.needed_height(wide)
        if not self.banner.isHidden():
            need += GAP + self.banner.sizeHint().height()
        below = beside and bool(self.kit.words.turn) and need <= self._roll.height()
        self._turn.setVisible(below)
        self._about.show_turn(not below)

    def _check(self) -> None:
        players = self.places.players
        if self.drawn and set(self.drawn) != set(players):
            self._forget_lot()
        super()._check()
        words, phones = self.context.words, self.phones.isChecked()
        begin = words("Draw lots") if self._draws else words("Start")
        self.start.setText(words("Open the table") if phones else begin)
        self._phones_caption.setVisible(phones)
        self.encryption.setVisible(phones)
        self.learn.setVisible(self._first is not None and not phones)
        self.banner.setVisible(self._new and not phones)
        self._name_start()
        for widget in (self._begins, self.seated, self.lot):
            widget.setVisible(len(players) > 1 and not phones)
        self.fill.setEnabled(bool(self.places.free))
        levels = self.places.levels
        self.level.setVisible(len(levels) > 1)
        if levels:
            self.level.choose(levels[0] if len(set(levels)) == 1 else MIXED)
        self.places.set_least(min(self.kit.box.seats))

    def _find_fault(self) -> str:
        names = [player.name for player in self.places.players]
        return "" if self.phones.isChecked() else fault(names)

    def _name_start(self) -> None:
        """Say of the order of seats what is true of this game with these options."""
        words, starts = self.context.words, self.kit.box.first_seat_begins(self._options.values)
        self._begins.setText(words("Starting player") if starts else words("Order of seats"))
        seated = words("As seated: the first player starts") if starts else words("As seated")
        self.seated.setText(seated)
        self.lots.name_start(starts)

    def _choose_level(self) -> None:
        """Let all bots be of the chosen level."""
        level = self.level.currentData()
        if level != MIXED:
            self.places.set_level(level)
        self._check()

    @property
    def _draws(self) -> bool:
        """Whether a lot is to be drawn before the game begins."""
        drawing = self.lot.isChecked() and not self.phones.isChecked()
        return drawing and not self.drawn and len(self.places.players) > 1

    def _choose_reactions(self) -> None:
        """Open the menu of how each person at this table is asked for reactions."""
        persons = [player for player in self.places.players if player.kind == "person"]
        names = [player.name for player in persons if player.name]
        if names:
            menu = reactions_menu(self.context, names, len(persons) == 1, self)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(self.reactions.mapToGlobal(self.reactions.rect().bottomLeft()))

    def _forget_lot(self) -> None:
        self.drawn = ()
        self.lots.hide()
        self._check()

    def _begin(self) -> None:
        players = self.places.players
        if self.phones.isChecked():
            self.shared.emit(self._shared_table(players))
            return
        if self._draws:
            first = secrets.randbelow(len(players))
            self.drawn = players[first:] + players[:first]
            self.lots.show_draw(self.drawn)
            self._check()
            return
        agreed = MatchSetup(self.kit, players, self._options.values)
        lineup.remember(self.context, agreed)
        self.started.emit(replace(agreed, players=self.drawn or players))

    def _shared_table(self, players: tuple[Player, ...]) -> HostRequest:
        """A table of these seats, those of people open to anyone who comes with a phone."""
        bots = (player.level if player.kind == "bot" else "" for player in players)
        seats = tuple(SeatConfig("bot", level) if level else SeatConfig("open") for level in bots)
        options = catalogue.options(self.kit, self._options.values)
        name = title(self.kit, self.context.words.language)
        return HostRequest(TablePlan(self.kit.id, seats, name, options), (), phones=True)

    def _begin_first(self) -> None:
        """Start with the learner at the first place, and bots at the others that were chosen."""
        if self._first is None:
            return
        learner = replace(self.places.players[0], kind="person", level="")
        if not clean_name(learner.name):
            learner = replace(learner, name=self.context.words("Player {n}", n=1))
        players = [learner]
        for other in self.places.players[1:]:
            names = [player.name for player in players]
            bot = other.kind == "bot" and other.name not in names
            name = other.name if bot else lineup.bot_name(self.context, names)
            players.append(Player(name, other.symbol, "bot", "easy"))
        options = catalogue.options(self.kit, self._first.options)
        self.started.emit(MatchSetup(self.kit, tuple(players), options, self._first.seed))


class DrawOrder(QWidget):
    """The lots as they were drawn: who begins, then in the order of turns."""

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
        """The text of the lot."""
        return self._text.text()

    def show_draw(self, players: tuple[Player, ...]) -> None:
        """Show these players, the first beginning."""
        self._players = players
        self.refresh_appearance()
        self.show()

    def name_start(self, starts: bool) -> None:
        """Note whether the first of them starts the game, or only sits first."""
        self._starts = starts
        self.refresh_appearance()

    def refresh_appearance(self) -> None:
        """Put texts and badges on."""
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
