"""The menu in which each player says how she wishes to be asked for reactions."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from tabletop.reactions import WAYS, Way
from ui.screens.room import Room


def reactions_menu(room: Room, names: Sequence[str], parent: QWidget) -> QMenu:
    """The ways to be asked: of one player at once, of several in a submenu each."""
    menu = QMenu(parent)
    for name in names:
        text = room.words("{name}: {way}", name=name, way=room.words(WAYS[room.way(name)]))
        part = menu if len(names) == 1 else menu.addMenu(text)
        group = QActionGroup(part)
        for way, words in WAYS.items():
            action = part.addAction(room.words(words))
            action.setCheckable(True)
            action.setChecked(way == room.way(name))
            action.triggered.connect(partial(_choose, room, name, way))
            group.addAction(action)
    if len(names) > 1:
        menu.addSeparator()
        everybody = menu.addMenu(room.words("Everybody"))
        for way, words in WAYS.items():
            chosen = everybody.addAction(room.words(words))
            chosen.triggered.connect(partial(_choose_all, room, tuple(names), way))
    return menu


def _choose(room: Room, name: str, way: Way, _: bool = False) -> None:
    _choose_all(room, (name,), way)


def _choose_all(room: Room, names: Sequence[str], way: Way, _: bool = False) -> None:
    room.change(reactions=room.settings.reactions | dict.fromkeys(names, way))
