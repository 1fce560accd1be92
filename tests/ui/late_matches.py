"""Matches that have their last moves before them, for tests of what comes then."""

from functools import cache

from tabletop.catalogue import catalogue
from tabletop.commands import match_source
from tabletop.match.match import Match, Player
from tabletop.storage import saved_matches
from tests.ui.window_driver import settle, table
from ui.app import Window
from ui.match.screen.table_screen import TableScreen

LAST = 6
"""So many moves of a game are played before the window."""
SHORT = {"royale": {"length": "4"}}
TWO = (Player("Hinata", "sun"), Player("Kaname", "moon"))


@cache
def whole_match(game: str, seats: int) -> Match:
    kit = catalogue.load(game)
    options = catalogue.options(kit) | SHORT.get(game, {})
    return match_source.play_random_match(kit, seats, "the end", options=options)


def near_its_end(
    window: Window, game: str = "sun", players: tuple[Player, ...] = TWO
) -> TableScreen:
    """The window at a match that was played at random up to its last moves."""
    kit, whole = catalogue.load(game), whole_match(game, len(players))
    match = saved_matches.begin(kit, players, dict(whole.state.options), whole.seed)
    for entry in whole.record[:-LAST]:
        assert entry.move is not None
        match.submit(entry.seat, entry.move)
    window.matches.show_match(match)
    settle()
    return table(window)
