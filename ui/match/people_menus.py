"""The menus about the people at this computer: for whom a bot plays, and how each is asked for
reactions."""

from collections.abc import Collection
from functools import partial

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu, QWidget

from ui.match.hot_seat import persons
from ui.match.reactions_here import ReactionsHere
from ui.match.seats_here import SeatsHere
from ui.shell.app_context import AppContext
from ui.style.rich_text import literal
from ui.widgets.reactions_menu import reactions_menu


class PeopleMenus:
    """Opens them above a widget, or at a point of the screen."""

    def __init__(
        self,
        context: AppContext,
        seats_here: SeatsHere,
        reactions: ReactionsHere,
        screen: QWidget,
        below: QWidget,
    ) -> None:
        self._context = context
        self._here = seats_here
        self._reactions = reactions
        self._screen = screen
        self._below = below

    def open_reactions(self) -> None:
        """Have the players here say how they wish to be asked."""
        here = self._here
        names = [here.players[seat].name for seat in here.people]
        self._pop_up(reactions_menu(self._context, names, self._reactions.alone, self._screen))

    def open_stand_ins(
        self, seats: Collection[int] | None = None, point: QPoint | None = None
    ) -> None:
        """Have bots take the places of people and give them back: at these seats, or at all."""
        here, words = self._here, self._context.words
        wanted = [seat for seat in persons(here.players) if seats is None or seat in seats]
        if not wanted or not here.hot_seat or here.shown is None:
            return
        menu = QMenu(self._screen)
        for seat in wanted:
            name, playing = here.players[seat].name, seat in here.people
            to_bot = words("A bot plays for {name}", name=name)
            text = to_bot if playing else words("{name} plays again", name=name)
            act = menu.addAction(literal(text))
            act.triggered.connect(partial(here.stand_in, seat, playing))
        self._pop_up(menu, point)

    def _pop_up(self, menu: QMenu, point: QPoint | None = None) -> None:
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(point or self._below.mapToGlobal(QPoint(0, -menu.sizeHint().height())))
