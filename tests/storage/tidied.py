"""What a window does at its start, and soon after it."""

from tabletop.storage import cleanup, saved_matches


def tidy() -> None:
    """Keep what was finished, and clear away what is not wanted any more."""
    saved_matches.move_ended_to_replays()
    cleanup.clean_up()
