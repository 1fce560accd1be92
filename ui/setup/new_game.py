"""A new game: one sheet with the seats as place cards, who begins, and the box's options."""

import secrets

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QFormLayout,
    QHBoxLayout,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from tabletop import tutorial
from tabletop.engine.model import Value
from tabletop.games import catalogue
from tabletop.games.catalogue import Kit
from tabletop.match import Player
from tabletop.reactions import has_chances
from ui.setup.draw_order import DrawOrder
from ui.setup.place_cards import PlaceCards
from ui.shell.app_context import AppContext
from ui.shell.language import other_title, title
from ui.shell.player_names import fault, fresh, plain, proposed
from ui.widgets.form import OptionFields
from ui.widgets.game_box import seats_text
from ui.widgets.reactions_menu import reactions_menu
from ui.widgets.surface import Roll, Screen, Sheet, button, label, lay_middle

WIDE = 760


class Agreed(Struct, frozen=True):
    """What the players agreed on: the game, who sits where, the options."""

    kit: Kit
    players: tuple[Player, ...]
    options: dict[str, Value]
    seed: str | None = None
    """Of the deal, where it is a certain one."""


class NewGame(Screen):
    """The sheet for one kit."""

    started = Signal(object)
    """All is agreed: an Agreed."""
    left = Signal()

    def __init__(self, context: AppContext, kit: Kit) -> None:
        super().__init__(context)
        self.kit = kit
        self.drawn: tuple[Player, ...] = ()
        self._first = tutorial.first(kit)
        self._title = label("title")
        self._second = label("caption")
        self._seats = label("heading")
        self.places = PlaceCards(context, first_players(context, kit))
        self.places.edited.connect(self._check)
        self._add = button("quiet")
        self._add.clicked.connect(self._seat_another)
        self._begins = label("heading")
        self.seated, self.lot = QRadioButton(), QRadioButton()
        self.seated.setChecked(True)
        begins = QButtonGroup(self)
        for choice in (self.seated, self.lot):
            begins.addButton(choice)
        begins.buttonClicked.connect(lambda _: self._forget_lot())
        self.lots = DrawOrder(context)
        self._form = QFormLayout()
        self._options = OptionFields(context, kit, self._form)
        self.fault = label("bad", wrap=True)
        self.reactions = button()
        self.reactions.clicked.connect(self._choose_reactions)
        self._back = button()
        self._back.clicked.connect(self.left)
        self.learn = button()
        self.learn.clicked.connect(self._begin_first)
        self.start = button("primary")
        self.start.clicked.connect(self._begin)
        self._lay_out()
        self.learn.setVisible(self._first is not None)  # not before it lies in the sheet
        self.dress()
        self._check()

    def showEvent(self, event: object) -> None:
        self.places.cards[0].focus_name()

    def dress(self) -> None:
        super().dress()
        words = self.context.words
        self._title.setText(title(self.kit, words.language))
        self._second.setText(
            " · ".join(
                text
                for text in (
                    other_title(self.kit, words.language),
                    seats_text(words, self.kit.box.seats),
                    words("{n} min", n=self.kit.box.minutes),
                )
                if text
            )
        )
        self._seats.setText(words("Who sits where"))
        self.places.dress()
        self._add.setText(words("Add a seat"))
        self._begins.setText(words("Who begins"))
        self.seated.setText(words("As seated: the first place begins"))
        self.lot.setText(words("Draw lots"))
        self._options.dress()
        self.reactions.setText(words("Reactions…"))
        self.reactions.setToolTip(words("How each player is asked for reactions"))
        self._back.setText(words("Back to the shelf"))
        self.learn.setText(words("First game"))
        self.learn.setIcon(self.context.icon("hint", self.context.theme.accent))
        self.learn.setToolTip(words("Learn by playing: a real game against bots, with lessons."))
        self.lots.dress()
        self._check()

    def _lay_out(self) -> None:
        """What is agreed on scrolls where it must; the title and the buttons stay in sight."""
        sheet = Sheet(WIDE)
        sheet.column.addWidget(self._title)
        sheet.column.addWidget(self._second)
        sheet.column.addWidget(Roll(self._agreement()), 1)
        sheet.end_with(self.fault, self._back, self.learn, self.start)
        lay_middle(self, sheet, (2, 0, 3))

    def _agreement(self) -> QWidget:
        """All that is to be agreed on."""
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 6, 0, 10)
        column.setSpacing(10)
        column.addWidget(self._seats)
        column.addWidget(self.places)
        under = QHBoxLayout()
        under.addWidget(self._add)
        if has_chances(self.kit.meaning):
            under.addWidget(self.reactions)
        under.addStretch()
        column.addLayout(under)
        column.addSpacing(4)
        column.addWidget(self._begins)
        choices = QHBoxLayout()
        choices.addWidget(self.seated)
        choices.addSpacing(12)
        choices.addWidget(self.lot)
        choices.addStretch()
        column.addLayout(choices)
        column.addWidget(self.lots)
        if self.kit.box.options:
            column.addLayout(self._form)
        return inside

    def _check(self) -> None:
        players = self.places.players
        if self.drawn and set(self.drawn) != set(players):
            self._forget_lot()
        words = self.context.words
        wrong = fault([player.name for player in players])
        self.fault.setText(words(wrong) if wrong else "")
        self.start.setEnabled(not wrong)
        self.start.setText(words("Draw lots") if self._draws else words("Start"))
        for widget in (self._begins, self.seated, self.lot):
            widget.setVisible(len(players) > 1)
        self._add.setVisible(len(players) < max(self.kit.box.seats))
        self.places.set_least(min(self.kit.box.seats))

    @property
    def _draws(self) -> bool:
        """Whether a lot is to be drawn before the game begins."""
        return self.lot.isChecked() and not self.drawn and len(self.places.players) > 1

    def _seat_another(self) -> None:
        self._forget_lot()
        self.places.add()
        self._check()

    def _choose_reactions(self) -> None:
        """How each person at this table wishes to be asked."""
        players = self.places.players
        names = [p.name for p in players if p.kind == "person" and p.name]
        if names:
            menu = reactions_menu(self.context, names, self)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(self.reactions.mapToGlobal(self.reactions.rect().bottomLeft()))

    def _forget_lot(self) -> None:
        self.drawn = ()
        self.lots.hide()
        self._check()

    def _begin(self) -> None:
        players = self.places.players
        if self._draws:
            first = secrets.randbelow(len(players))
            self.drawn = players[first:] + players[:first]
            self.lots.show_draw(self.drawn)
            self._check()
            return
        names = tuple(player.name for player in players)
        self.context.remember(players=names)
        self.started.emit(Agreed(self.kit, self.drawn or players, self._options.values))

    def _begin_first(self) -> None:
        """The learner sits at the first place, whatever the place cards say of the others."""
        if self._first is None:
            return
        learner = replace(self.places.players[0], kind="person", level="")
        if not plain(learner.name):
            learner = replace(learner, name=self.context.words("Player {n}", n=1))
        players = [learner]
        symbols = [
            seat.symbol for seat in self.context.theme.seats if seat.symbol != learner.symbol
        ]
        for seat in range(1, self._first.seats):
            names = [player.name for player in players]
            name = fresh(self.context.words("Bot {n}", n=seat), names)
            players.append(Player(name, symbols[seat - 1], "bot", "easy"))
        options = catalogue.options(self.kit, self._first.options)
        self.started.emit(Agreed(self.kit, tuple(players), options, self._first.seed))


def first_players(context: AppContext, kit: Kit) -> tuple[Player, ...]:
    """As many players as the fewest the game needs (at least two where it can), named as last."""
    seats = kit.box.seats
    count = next((n for n in sorted(seats) if n >= 2), max(seats))
    names: list[str] = []
    for seat in range(count):
        names.append(proposed(context.words, seat, names, context.settings.players))
    symbols = [seat.symbol for seat in context.theme.seats]
    return tuple(Player(name, symbols[seat]) for seat, name in enumerate(names))
