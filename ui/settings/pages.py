"""The pages that can open over any screen."""

from __future__ import annotations

from collections.abc import Callable

from tabletop.catalogue.catalogue import GameKit
from ui.online.fairness_help import fairness_help
from ui.online.phones_help import PhonesHelp
from ui.rulebook.rulebook_screen import RulebookScreen
from ui.settings.about import AboutScreen
from ui.settings.settings_screen import SettingsScreen
from ui.settings.shortcuts import ShortcutsScreen
from ui.settings.statistics_screen import StatisticsScreen
from ui.shell.app_context import AppContext
from ui.widgets.page_screen import PageScreen

PAGES: dict[str, Callable[[AppContext, GameKit], PageScreen]] = {
    "settings": lambda context, kit: SettingsScreen(context),
    "statistics": lambda context, kit: StatisticsScreen(context),
    "shortcuts": lambda context, kit: ShortcutsScreen(context),
    "rules": RulebookScreen,
    "fair": lambda context, kit: fairness_help(context),
    "phones": lambda context, kit: PhonesHelp(context),
    "about": lambda context, kit: AboutScreen(context),
}
"""The function that creates each page, by the name of the page's command.

Its second argument is the current game.
"""
