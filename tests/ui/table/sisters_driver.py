"""Tables of Planetary Sisters as tests of the window want them."""

from tabletop.catalogue import catalogue
from tabletop.match.match import Match, Player
from tests.ui.table_driver import play_on

KIT = catalogue.load("sisters")


def at_the_last_turn(seats: int) -> Match:
    names = ("Mio", "Haru", "Sora", "Nagi")[:seats]
    match = Match(KIT, [Player(name) for name in names], catalogue.options(KIT), "pages")
    last = {2: 32, 3: 24, 4: 32}[seats] - 1
    return play_on(match, lambda now: now.state.ply == last)
