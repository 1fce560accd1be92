"""Teams of a match that hasn't begun yet."""

from collections.abc import Mapping
from functools import lru_cache

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Teams, Value
from tabletop.engine.play import GameRules, start
from tabletop.engine.teams import teams_at


def planned_teams(kit: GameKit, seats: int, options: Mapping[str, Value]) -> Teams:
    """Return the teams that a match would have with this number of seats and these options.

    Options that aren't given have their defaults.
    """
    chosen = tuple((kit.box.default_options() | dict(options)).items())
    return _teams_after_setup(kit.rules, seats, kit.backs, chosen)  # type: ignore[arg-type]  # no Hashable


@lru_cache(maxsize=64)
def _teams_after_setup(
    game: GameRules, seats: int, backs: tuple[int, ...], options: tuple[tuple[str, Value], ...]
) -> Teams:
    try:
        return teams_at(start(game, seats, "teams", backs, dict(options)).state)
    except Exception:  # rules are code; their errors are shown once the game is played
        return tuple((seat,) for seat in range(seats))
