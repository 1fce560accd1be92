"""A new game: one sheet with the seats as place cards, who begins, and the box's options."""

import secrets

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from tabletop import lessons
from tabletop.engine.model import Value
from tabletop.games import catalogue
from tabletop.games.catalogue import Kit
from tabletop.match import Player
from tabletop.reactions import has_chances
from ui.screens.box import seats_text
from ui.screens.lots import Lots
from ui.screens.names import fault, fresh, plain
from ui.screens.place_cards import PlaceCards
from ui.screens.reactions import reactions_menu
from ui.screens.room import Room, named
from ui.screens.surface import Paper, Roll, Surface, button, label, lay_middle
from ui.words import other_title, title

WIDE = 760


class Agreed(Struct, frozen=True):
    """What the players agreed on: the game, who sits where, the options."""

    kit: Kit
    players: tuple[Player, ...]
    options: dict[str, Value]
    seed: str | None = None
    """Of the deal, where it is a certain one."""


class NewGame(Surface):
    """The sheet for one kit."""

    started = Signal(object)
    """All is agreed: an Agreed."""
    left = Signal()

    def __init__(self, room: Room, kit: Kit) -> None:
        super().__init__(room)
        self.kit = kit
        self.drawn: tuple[Player, ...] = ()
        self._first = lessons.first(kit)
        self._title = label("title")
        self._second = label("caption")
        self._seats = label("heading")
        self.places = PlaceCards(room, first_players(room, kit))
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
        self.lots = Lots(room)
        self._options: dict[str, QComboBox] = {}
        self._form = QFormLayout()
        for option in kit.box.options:
            self._options[option.key] = narrow_choice()
            self._form.addRow(label(), self._options[option.key])
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
        words, game = self.room.words, self.room.of(self.kit)
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
        for row, option in enumerate(self.kit.box.options):
            box = self._options[option.key]
            chosen = max(0, box.currentIndex())
            box.clear()
            box.addItems([game(choice.label) for choice in option.choices])
            box.setCurrentIndex(chosen)
            text = game(option.label)
            self._form.itemAt(row, QFormLayout.ItemRole.LabelRole).widget().setText(text)
            named(box, text)
        self.reactions.setText(words("Reactions…"))
        self.reactions.setToolTip(words("How each player is asked for reactions"))
        self._back.setText(words("Back to the shelf"))
        self.learn.setText(words("First game"))
        self.learn.setIcon(self.room.icon("hint", self.room.theme.accent))
        self.learn.setToolTip(words("Learn by playing: a real game against bots, with lessons."))
        self.lots.dress()
        self._check()

    def _lay_out(self) -> None:
        """What is agreed on scrolls where it must; the title and the buttons stay in sight."""
        sheet = Paper()
        sheet.setMaximumWidth(WIDE)
        column = QVBoxLayout(sheet)
        column.setContentsMargins(28, 16, 28, 16)
        column.setSpacing(8)
        column.addWidget(self._title)
        column.addWidget(self._second)
        column.addWidget(Roll(self._agreement()), 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(12)
        buttons.addWidget(self.fault, 1)
        buttons.addStretch()
        buttons.addWidget(self._back)
        buttons.addWidget(self.learn)
        buttons.addWidget(self.start)
        column.addLayout(buttons)
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
        if has_chances(self.kit.layout):
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
        if self._options:
            column.addLayout(self._form)
        return inside

    def _check(self) -> None:
        players = self.places.players
        if self.drawn and set(self.drawn) != set(players):
            self._forget_lot()
        words = self.room.words
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
            menu = reactions_menu(self.room, names, self)
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
        self.room.remember(players=names)
        options = {
            option.key: option.choices[self._options[option.key].currentIndex()].value
            for option in self.kit.box.options
        }
        self.started.emit(Agreed(self.kit, self.drawn or players, options))

    def _begin_first(self) -> None:
        """The learner sits at the first place, whatever the place cards say of the others."""
        if self._first is None:
            return
        learner = replace(self.places.players[0], kind="person", level="")
        if not plain(learner.name):
            learner = replace(learner, name=self.room.words("Player {n}", n=1))
        players = [learner]
        symbols = [seat.symbol for seat in self.room.theme.seats if seat.symbol != learner.symbol]
        for seat in range(1, self._first.seats):
            names = [player.name for player in players]
            name = fresh(self.room.words("Bot {n}", n=seat), names)
            players.append(Player(name, symbols[seat - 1], "bot", "easy"))
        options = catalogue.options(self.kit, self._first.options)
        self.started.emit(Agreed(self.kit, tuple(players), options, self._first.seed))


def narrow_choice() -> QComboBox:
    """A choice that is as wide as there is room, however long its longest text: a sheet that must
    be pushed sideways hides its buttons."""
    made = QComboBox()
    made.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    made.setMinimumContentsLength(16)
    return made


def first_players(room: Room, kit: Kit) -> tuple[Player, ...]:
    """As many players as the fewest the game needs (at least two where it can), named as last."""
    seats = kit.box.seats
    count = next((n for n in sorted(seats) if n >= 2), max(seats))
    names: list[str] = []
    for seat in range(count):
        last = room.settings.players[seat : seat + 1]
        wish = last[0] if last else room.words("Player {n}", n=seat + 1)
        names.append(fresh(wish, names))
    symbols = [seat.symbol for seat in room.theme.seats]
    return tuple(Player(name, symbols[seat]) for seat, name in enumerate(names))
