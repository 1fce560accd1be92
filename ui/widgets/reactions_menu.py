"""The menu for each player's reaction policy."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from tabletop.match.reactions import POLICY_LABELS, PassPolicy
from ui.shell.app_context import AppContext
from ui.style.rich_text import escape_mnemonics


def reactions_menu(
    context: AppContext, names: Sequence[str], alone: bool, parent: QWidget
) -> QMenu:
    """Return a menu of reaction policies for the players `names`; each player has a submenu if
    there are several.

    `alone`: whether one person plays against bots, which changes the default policy.
    """
    menu = QMenu(parent)
    for name in names:
        present = context.pass_policy(name, alone)
        text = context.words("{name}: {way}", name=name, way=context.words(POLICY_LABELS[present]))
        part = menu if len(names) == 1 else menu.addMenu(escape_mnemonics(text))
        group = QActionGroup(part)
        for way, words in POLICY_LABELS.items():
            action = part.addAction(context.words(words))
            action.setCheckable(True)
            action.setChecked(way == present)
            action.triggered.connect(partial(_choose, context, (name,), way))
            group.addAction(action)
    if len(names) > 1:
        menu.addSeparator()
        everybody = menu.addMenu(context.words("Everyone"))
        for way, words in POLICY_LABELS.items():
            chosen = everybody.addAction(context.words(words))
            chosen.triggered.connect(partial(_choose, context, tuple(names), way))
    return menu


def _choose(context: AppContext, names: Sequence[str], way: PassPolicy, _: bool = False) -> None:
    context.change_settings(reactions=context.settings.reactions | dict.fromkeys(names, way))
