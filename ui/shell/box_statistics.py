"""Played and won games of the shelf at this computer."""

from tabletop.files import folders
from tabletop.files.errors import StorageError
from tabletop.storage.statistics import BoxStatistics, open_statistics
from ui.shell.app_context import AppContext
from ui.shell.player_names import in_all_languages


def box_statistics(context: AppContext) -> dict[str, BoxStatistics]:
    """Every game that was played to its end, by its id, and how the first of the people who last
    played here fared; nothing where no statistics can be read."""
    try:
        if not folders.statistics().is_file():
            return {}
        with open_statistics() as kept:
            return kept.boxes(
                [n for p in context.settings.players[:1] for n in in_all_languages(p)]
            )
    except (OSError, StorageError):
        return {}  # the statistics dialog says what is wrong with them
