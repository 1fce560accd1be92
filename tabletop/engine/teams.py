"""Teams, whose partners win, lose and score together.

Rules set a public value `team/{seat}` for each seat. Seats with equal values are partners. Without
these values each player is a team of one.
"""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from tabletop.engine.model import Result, TableReader, Teams, Value


def teams_at(table: TableReader) -> Teams:
    """Return the teams of `table`, ordered by their first seats."""
    return teams_in(table.values, table.seats)


def teams_in(values: Mapping[str, Value], seats: int) -> Teams:
    """Return the teams that the public `values` define at a table with `seats` seats."""
    members: dict[object, list[int]] = {}
    for seat in range(seats):
        members.setdefault(values.get(f"team/{seat}", (seat,)), []).append(seat)
    return tuple(tuple(team) for team in members.values())


def teams_of(result: Result, seats: int) -> Teams:
    """Return the teams in the `result` of a finished game with `seats` seats."""
    teams = result.teams
    return teams if isinstance(teams, tuple) else tuple((seat,) for seat in range(seats))


def lost(winners: Sequence[int], teams: Teams) -> bool:
    """Return whether a cooperative game was lost. In any other game, no winners mean a draw.

    >>> lost((), ((0, 1),)), lost((), ((0,), (1,)))
    (True, False)
    """
    return not winners and len(teams) == 1


def partnered(teams: Teams) -> bool:
    """Return whether any team has more than one member."""
    return any(len(team) > 1 for team in teams)


def numbered(teams: Teams) -> tuple[int | None, ...]:
    """Return each seat's displayed team number, or None for every seat without partners."""
    numbers = {seat: number for number, team in enumerate(teams) for seat in team}
    alone = not partnered(teams)
    return tuple(None if alone else numbers[seat] for seat in range(len(numbers)))


def partners(table: TableReader, seat: int) -> tuple[int, ...]:
    """Return the partners of `seat`, without `seat` itself.

    >>> for seat in (0, 1):
    ...     table.set(f"team/{seat}", "owls")
    >>> partners(table.state, 0)
    (1,)
    """
    team = table.values.get(f"team/{seat}")
    if team is None:
        return ()
    others = (other for other in range(table.seats) if other != seat)
    return tuple([other for other in others if table.values.get(f"team/{other}") == team])


def share_in_teams(table: TableReader, worth: Sequence[float]) -> Sequence[float]:
    """Return each seat's value of a table, where the value of a partner is the team's total.

    `worth`: the seats' own values.
    """
    if "team/0" not in table.values:
        return worth
    return [
        sum((worth[other] for other in partners(table, seat)), worth[seat])
        for seat in range(table.seats)
    ]


def with_teams(table: TableReader, result: Result) -> Result:
    """Return `result` with the teams of `table`, if any player has a partner."""
    if "team/0" not in table.values:
        return result
    teams = teams_at(table)
    return replace(result, teams=teams) if partnered(teams) else result
