"""The badges of seats, a symbol on a disc of the seat's colour; the signs of teams."""

from collections.abc import Callable, Iterable

from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QLabel, QMenu, QWidget

from tabletop.text.symbol_names import SYMBOL_NAMES
from ui.shell.app_context import AppContext
from ui.style.team_sign import make_team_sign

IN_MENU = 24
"""Size of a badge in a menu, in pixels."""


def seat_badge(context: AppContext, symbol: str, size: int, widget: QWidget) -> QPixmap:
    """The badge of a symbol, `size` pixels across, as sharp as the screen of this widget."""
    return context.art.seat_badge(
        symbol, context.seat_colour(symbol), size, widget.devicePixelRatioF()
    )


def wear_badge(context: AppContext, label: QLabel, symbol: str, size: int) -> None:
    """Show a badge on a label, and name its symbol for screen readers."""
    label.setPixmap(seat_badge(context, symbol, size, label))
    label.setAccessibleName(context.words(SYMBOL_NAMES.get(symbol, symbol)))


def wear_team_sign(context: AppContext, label: QLabel, team: int | None, side: int) -> None:
    """Show the sign of a team on a label, and name it; without a team hide the label."""
    label.setVisible(team is not None)
    if team is not None:
        label.setPixmap(make_team_sign(context.theme, team, side, label.devicePixelRatioF()))
        label.setToolTip(context.words.team(team))
        label.setAccessibleName(context.words.team(team))


def offer_symbols(
    context: AppContext, menu: QMenu, symbols: Iterable[str], choose: Callable[[str], object]
) -> None:
    """Fill a menu with these symbols; `choose` hears which is taken."""
    menu.clear()
    for symbol in symbols:
        action = menu.addAction(
            seat_badge(context, symbol, IN_MENU, menu), context.words(SYMBOL_NAMES[symbol])
        )
        action.triggered.connect(lambda _=False, symbol=symbol: choose(symbol))
