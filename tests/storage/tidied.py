"""What a window does at its start, and soon after it."""

from tabletop.storage import saved_matches


def tidy() -> None:
    """Keep what was finished, and clear away what is not wanted any more."""
    saved_matches.keep_ended()
    saved_matches.clear_away()
