"""A menu in which bots take over local players' seats."""

from collections.abc import Collection
from functools import partial

from PySide6.QtWidgets import QMenu, QWidget

from tabletop.match.hot_seat import local_humans
from ui.match.seated_table import SeatedTable
from ui.shell.app_context import AppContext
from ui.style.rich_text import escape_mnemonics


def build_stand_in_menu(
    context: AppContext, seated: SeatedTable, seats: Collection[int] | None, parent: QWidget
) -> QMenu | None:
    """Return a menu that hands seats over to bots or back to their players.

    Args:
        seats: The seats to list, or None for all.

    Returns:
        None if no local player has one of these seats.
    """
    players, words = seated.players, context.words
    wanted = [seat for seat in local_humans(players) if seats is None or seat in seats]
    if not wanted:
        return None
    menu = QMenu(parent)
    for seat in wanted:
        name, playing = players[seat].name, seat in seated.people
        to_bot = words("A bot plays for {name}", name=name)
        text = to_bot if playing else words("{name} plays again", name=name)
        act = menu.addAction(escape_mnemonics(text))
        act.triggered.connect(partial(seated.let_bot_play, seat, playing))
    return menu
