"""Entry points of the studio's screens.

The window loads this module when the user makes or imports a game. It accesses the returned objects
only through the protocols `Workshop` and `GameImports`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMainWindow, QWidget

if TYPE_CHECKING:
    from tabletop.catalogue.catalogue import GameKit
    from ui.app import Workshop
    from ui.exchange.exchange_session import GameImports
    from ui.match.screen.match_session import MatchSession
    from ui.shell.app_context import AppContext
    from ui.shell.navigator import Navigator


def workshop(
    context: AppContext,
    navigator: Navigator,
    window: QMainWindow,
    matches: MatchSession,
    renewed: Callable[[GameKit], None],
    imported: Callable[[Path], None],
    shared: Callable[[GameKit], None],
) -> Workshop:
    """Return the workshop's session. The callbacks `renewed`, `imported` and `shared` are connected
    to its signals `game_changed`, `imported` and `shared`.
    """
    from ui.studio.workshop.workshop_session import WorkshopSession

    session = WorkshopSession(context, navigator, window, matches)
    session.game_changed.connect(renewed)
    session.imported.connect(imported)
    session.shared.connect(shared)
    return session


def game_imports(context: AppContext, window: QWidget, made: Callable[[Path], None]) -> GameImports:
    """Return the session that imports other programs' files. `made` is called with the folder of
    each new game.
    """
    from ui.studio.exchange.import_session import ImportSession

    session = ImportSession(context, window)
    session.made.connect(made)
    return session
