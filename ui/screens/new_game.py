"""A new game: one sheet with the seats as place cards, who begins, and the box's options."""

import secrets

from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QFormLayout,
    QGridLayout,
    QHBoxLayout,
    QRadioButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from tabletop.engine.model import Value
from tabletop.games.catalogue import Kit
from tabletop.match import Player
from ui.screens.box import seats_text
from ui.screens.lots import Lots
from ui.screens.names import fault, fresh
from ui.screens.place_cards import PlaceCards
from ui.screens.room import Room, named
from ui.screens.surface import Paper, Surface, button, label
from ui.words import other_title, title

WIDE = 760


class Agreed(Struct, frozen=True):
    """What the players agreed on: the game, who sits where, the options."""

    kit: Kit
    players: tuple[Player, ...]
    options: dict[str, Value]


class NewGame(Surface):
    """The sheet for one kit."""

    started = Signal(object)
    """All is agreed: an Agreed."""
    left = Signal()

    def __init__(self, room: Room, kit: Kit) -> None:
        super().__init__(room)
        self.kit = kit
        self.drawn: tuple[Player, ...] = ()
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
            self._options[option.key] = QComboBox()
            self._form.addRow(label(), self._options[option.key])
        self.fault = label("bad", wrap=True)
        self._back = button()
        self._back.clicked.connect(self.left)
        self.start = button("primary")
        self.start.clicked.connect(self._begin)
        self._lay_out()
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
        self._back.setText(words("Back to the shelf"))
        self.lots.dress()
        self._check()

    def _lay_out(self) -> None:
        sheet = Paper()
        sheet.setMaximumWidth(WIDE)
        column = QVBoxLayout(sheet)
        column.setContentsMargins(28, 20, 28, 20)
        column.setSpacing(10)
        column.addWidget(self._title)
        column.addWidget(self._second)
        column.addSpacing(6)
        column.addWidget(self._seats)
        column.addWidget(self.places)
        column.addWidget(self._add, 0, Qt.AlignmentFlag.AlignLeft)
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
        buttons = QHBoxLayout()
        buttons.setSpacing(12)
        buttons.addWidget(self.fault, 1)
        buttons.addStretch()
        buttons.addWidget(self._back)
        buttons.addWidget(self.start)
        column.addSpacing(10)
        column.addLayout(buttons)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inside = QWidget()
        centred = QGridLayout(inside)
        centred.setContentsMargins(24, 16, 24, 16)
        centred.setRowStretch(0, 2)
        centred.setRowStretch(2, 3)
        centred.setColumnStretch(0, 1)
        centred.setColumnStretch(1, 20)
        centred.setColumnStretch(2, 1)
        centred.addWidget(sheet, 1, 1)
        scroll.setWidget(inside)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(scroll)

    def _check(self) -> None:
        players = self.places.players
        if self.drawn and set(self.drawn) != set(players):
            self._forget_lot()
        words = self.room.words
        wrong = fault([player.name for player in players])
        self.fault.setText(words(wrong) if wrong else "")
        self.start.setEnabled(not wrong)
        drawing = self.lot.isChecked() and not self.drawn
        self.start.setText(words("Draw lots") if drawing else words("Start"))
        self._add.setVisible(len(players) < max(self.kit.box.seats))
        self.places.set_least(min(self.kit.box.seats))

    def _seat_another(self) -> None:
        self._forget_lot()
        self.places.add()
        self._check()

    def _forget_lot(self) -> None:
        self.drawn = ()
        self.lots.hide()
        self._check()

    def _begin(self) -> None:
        players = self.places.players
        if self.lot.isChecked() and not self.drawn:
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
