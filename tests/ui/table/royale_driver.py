"""Tables of Sister Royale as tests of the window want them: played on until somebody is asked."""

from tabletop.catalogue import catalogue
from tabletop.engine.events import ValueSet, apply
from tabletop.engine.model import State
from tabletop.match.match import Match, Player
from tests.ui.table_driver import Table, asked, play_on

KIT = catalogue.load("royale")
LAYOUTS = KIT.layouts


def new_match(seats: int, seed: str = "royale") -> Match:
    players = [Player(f"P{seat}") for seat in range(seats)]
    return Match(KIT, players, catalogue.options(KIT), seed)


def asks(what: str, seats: int = 4, seed: str = "royale") -> Match:
    """A game played on until somebody is asked this."""

    def until(match: Match) -> bool:
        return match.state.result is not None or match.asks(asked(match))[0].what == what

    match = play_on(new_match(seats, seed), until, seed=seats)
    assert match.state.result is None, "never asked"
    return match


def at_table(match: Match, size: tuple[int, int] = (1280, 800)) -> Table:
    return Table(match, asked(match), size=size, kit=KIT)


def gathered(view: State, zone: str, seats: int) -> State:
    """The view with so many characters in one area."""
    for seat in range(seats):
        view = apply(view, ValueSet(f"at/{seat}", zone))
    return view
