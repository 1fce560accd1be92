"""The pages and dialogs that open over any screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QWidget

from tabletop.catalogue.catalogue import Kit
from ui.match.seats_here import SeatsHere
from ui.online.fairness_help import fairness_help
from ui.online.phones_help import PhonesHelp
from ui.rulebook.rulebook_screen import RulebookScreen
from ui.settings.about import About
from ui.settings.bug_report import write
from ui.settings.settings_screen import SettingsScreen
from ui.settings.shortcuts import ShortcutsScreen
from ui.settings.statistics_screen import StatisticsScreen
from ui.shell.app_context import AppContext
from ui.shell.navigator import Navigator
from ui.widgets import file_dialogs
from ui.widgets.page_screen import PageScreen

PAGES: dict[str, Callable[[AppContext, Kit], PageScreen]] = {
    "settings": lambda context, kit: SettingsScreen(context),
    "statistics": lambda context, kit: StatisticsScreen(context),
    "shortcuts": lambda context, kit: ShortcutsScreen(context),
    "rules": RulebookScreen,
}
"""The pages, by the names of the commands that open them; the kit is the game that is meant."""
DIALOGS: dict[str, Callable[[AppContext, QWidget], QDialog]] = {
    "fair": fairness_help,
    "phones": PhonesHelp,
    "about": About,
}
"""The dialogs, by the names of the commands that open them."""


def open_dialog(context: AppContext, parent: QWidget, name: str) -> None:
    """Open the dialog of a command."""
    dialog = DIALOGS[name](context, parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()


def report_bug(
    context: AppContext, navigator: Navigator, log: Sequence[str], seats_here: SeatsHere | None
) -> None:
    """Ask for the bug report's file, and write it; with the match on the screen."""
    words = context.words
    kinds = words("ZIP archives") + " (*.zip)"
    file = file_dialogs.to_write(
        navigator.window(), words, words("Report a bug"), "tabletop-report.zip", kinds
    )
    if file is None:
        return
    with context.report_errors():
        write(file, context.settings, tuple(log), seats_here)
        text = words(
            "The report is in “{file}”. It has no names and no hidden cards. Send it "
            "with a few words about what happened.",
            file=file.name,
        )
        navigator.tell(text, "check")
