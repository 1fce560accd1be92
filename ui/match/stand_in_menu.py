"""The menu in which bots are put in players' places, and the players back (hot seat)."""

from collections.abc import Collection
from functools import partial

from PySide6.QtWidgets import QMenu, QWidget

from tabletop.language.words import Words
from ui.match.seats_here import SeatsHere
from ui.style.rich_text import literal


def stand_in_menu(
    seats_here: SeatsHere, words: Words, parent: QWidget, seats: Collection[int]
) -> QMenu:
    """A menu with an entry for each of these seats that is a person's; it is empty where somebody
    else decides that."""
    menu = QMenu(parent)
    for seat, player in enumerate(seats_here.players):
        if seat not in seats or player.kind == "bot" or not seats_here.hot_seat:
            continue
        bot = seat in seats_here.people
        text = (
            words("A bot plays for {name}", name=player.name)
            if bot
            else words("{name} plays again", name=player.name)
        )
        act = menu.addAction(literal(text))
        act.triggered.connect(partial(seats_here.stand_in, seat, bot))
    return menu
