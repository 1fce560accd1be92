"""The studio's screens, as the window finds them: it loads this module when a person makes or
imports a game, and knows of what it returns only what `Workshop` and `GameImports` name."""

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
    """Return the session of the workshop; the callbacks are given what its signals say."""
    from ui.studio.workshop.workshop_session import WorkshopSession

    session = WorkshopSession(context, navigator, window, matches)
    session.renewed.connect(renewed)
    session.imported.connect(imported)
    session.shared.connect(shared)
    return session


def game_imports(context: AppContext, window: QWidget, made: Callable[[Path], None]) -> GameImports:
    """Return the session that makes games of other programs' files; `made` is given the folder of
    each."""
    from ui.studio.exchange.import_session import ImportSession

    session = ImportSession(context, window)
    session.made.connect(made)
    return session
