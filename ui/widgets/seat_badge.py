"""Team signs and seat badges; a badge is a symbol on a disc in the seat's colour."""

from collections.abc import Callable, Iterable

from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QLabel, QMenu, QWidget

from tabletop.text.symbol_names import SYMBOL_NAMES
from ui.shell.app_context import AppContext
from ui.style.team_sign import make_team_sign

MENU_BADGE_PX = 24
"""Size in pixels of a badge in a menu."""


def seat_badge(context: AppContext, symbol: str, size: int, widget: QWidget) -> QPixmap:
    """Return the badge of `symbol`, `size` pixels wide,
    at the resolution of the screen that shows `widget`.
    """
    return context.art.seat_badge(
        symbol, context.seat_colour(symbol), size, widget.devicePixelRatioF()
    )


def show_badge(context: AppContext, label: QLabel, symbol: str, size: int) -> None:
    """Show the badge of `symbol` on `label`, with the symbol's name for screen readers."""
    label.setPixmap(seat_badge(context, symbol, size, label))
    label.setAccessibleName(context.words(SYMBOL_NAMES.get(symbol, symbol)))


def show_team_sign(context: AppContext, label: QLabel, team: int | None, side: int) -> None:
    """Show the sign of `team` on `label` with the team's
    name as tooltip; hide `label` if `team` is None.
    """
    label.setVisible(team is not None)
    if team is not None:
        label.setPixmap(make_team_sign(context.theme, team, side, label.devicePixelRatioF()))
        label.setToolTip(context.words.team(team))
        label.setAccessibleName(context.words.team(team))


def fill_symbol_menu(
    context: AppContext, menu: QMenu, symbols: Iterable[str], choose: Callable[[str], object]
) -> None:
    """Replace the entries of `menu` by `symbols`. `choose`
    is called with the symbol that the user chooses.
    """
    menu.clear()
    for symbol in symbols:
        action = menu.addAction(
            seat_badge(context, symbol, MENU_BADGE_PX, menu), context.words(SYMBOL_NAMES[symbol])
        )
        action.triggered.connect(lambda _=False, symbol=symbol: choose(symbol))
