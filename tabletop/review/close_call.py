"""How close a match was: the margin, the deciding line of the score sheet, and changes of the lead.

    margin(result)                         # the runners-up, and their distance in points
    deciding_line(result)                  # without it, the second would have won
    track_lead(tables, "score/{seat}", teams)  # the leaders, move by move

The module contains no knowledge of any game; it uses only results and public values.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from tabletop.engine.model import Result, ScoreLine, State, Teams
from tabletop.engine.teams import teams_of
from tabletop.language.words import Words

MIN_DISTINCT_SCORES = 4
"""The minimum number of distinct scores that a match needs for its lead to be meaningful."""


class Margin(Struct, frozen=True):
    """The only winner, the other players closest to winning, and the difference in points.

    A player without partners is a team of one.
    """

    winner: tuple[int, ...]
    runners_up: Teams
    points: int
    """The difference in points; 0 if a tie-breaker decided."""
    lower_wins: bool = False
    """Whether a lower score is better."""


class Lead(Struct, frozen=True):
    """The changes of the lead in a match whose scores were public."""

    changes: int
    """The number of changes of the lead."""
    since: State | None
    """The table after the last change of the lead; None if the lead never changed."""
    leader: tuple[int, ...]
    """The team that led last."""


def margin(result: Result) -> Margin | None:
    """Return the winner's margin.

    Return None if there isn't exactly one winner or the scores don't explain the victory.
    """
    teams = teams_of(result, len(result.scores)) if result.scores else ()
    winners = [team for team in teams if team[0] in result.winners]
    others = [team for team in teams if team not in winners]
    if len(winners) != 1 or not others:
        return None
    (winner,) = winners
    own, rest = result.scores[winner[0]], [result.scores[team[0]] for team in others]
    if own >= max(rest):
        best, fewer = max(rest), False
    elif own <= min(rest):
        best, fewer = min(rest), True
    else:
        return None
    nearest = tuple(team for team in others if result.scores[team[0]] == best)
    return Margin(winner, nearest, abs(own - best), fewer)


def deciding_line(result: Result) -> tuple[ScoreLine, int] | None:
    """Return (line, points): the score line that decided the match, and the lead in it.

    Without that line the second player would have won. Return None if no single line decided, or if
    the sheet doesn't add up to the scores.
    """
    closest = margin(result)
    if (
        closest is None
        or len(closest.runners_up) != 1
        or closest.lower_wins
        or not _adds_up(result)
    ):
        return None
    first, second = closest.winner[0], closest.runners_up[0][0]
    gains = [(line, line.points[first] - line.points[second]) for line in result.sheet]
    most = max(gains, key=lambda each: each[1])
    alone = sum(gain == most[1] for _, gain in gains) == 1
    return most if alone and most[1] > closest.points else None


def track_lead(tables: Iterable[State], score: str, teams: Teams) -> Lead | None:
    """Return the changes of the lead over the states `tables`.

    `score` is the name of the public value with each seat's points, such as "score/{seat}". Return
    None if points were hardly counted before the end, or if no team ever led.
    """
    keys = [score.replace("{seat}", str(team[0])) for team in teams]
    changes, last, since = 0, -1, None
    counts: set[tuple[object, ...]] = set()
    for table in tables:
        points = tuple(table.values.get(key) for key in keys)
        counts.add(points)
        now = [each for each in points if isinstance(each, int)]
        if len(now) < len(teams) or now.count(max(now)) > 1:
            continue
        leads = now.index(max(now))
        if leads != last:
            changes, since = (changes + 1, table) if last >= 0 else (0, None)
            last = leads
    open_ = last >= 0 and len(teams) > 1 and len(counts) >= MIN_DISTINCT_SCORES
    return Lead(changes, since, teams[last]) if open_ else None


def margin_sentences(result: Result, words: Words) -> tuple[str, ...]:
    """Return sentences about the margin of the victory; empty if there is no margin."""
    closest = None if words.scores_are_ranks else margin(result)
    if closest is None:
        return ()
    names = words.seats(seat for team in closest.runners_up for seat in team)
    if closest.points == 0:
        return (words("{names} had just as many points.", names=names),)
    text = (
        words("Only 1 point ahead of {names}!", names=names)
        if closest.points == 1
        else words("{n} points ahead of {names}.", n=closest.points, names=names)
    )
    decided = deciding_line(result)
    if decided is None:
        return (text,)
    line, more = decided
    return text, words(
        "“{line}” decided it: {n} points more than {name}.",
        line=words.line(line),
        n=more,
        name=words.seats(closest.runners_up[0]),
    )


def shortfall_text(result: Result, words: Words) -> str:
    """Return a line about how far the runners-up were from winning.

    If the points don't show that, return a line about what decided the match, or "".
    """
    closest = None if words.scores_are_ranks else margin(result)
    decided = words.tie_breaker(result) if result.decided else ""
    if closest is None:
        return decided
    names = words.seats(seat for team in closest.runners_up for seat in team)
    if closest.points == 0:
        return words.sentences((words("{names} had just as many points.", names=names), decided))
    addressed = closest.runners_up == ((words.reader,),)
    if addressed and closest.lower_wins:
        return (
            words("You had 1 point too many")
            if closest.points == 1
            else words("You had {n} points too many", n=closest.points)
        )
    if addressed:
        return (
            words("You were 1 point behind")
            if closest.points == 1
            else words("You were {n} points behind", n=closest.points)
        )
    if closest.lower_wins:
        return (
            words("{names}: 1 point too many", names=names)
            if closest.points == 1
            else words("{names}: {n} points too many", n=closest.points, names=names)
        )
    return (
        words("{names}: 1 point short", names=names)
        if closest.points == 1
        else words("{names}: {n} points short", n=closest.points, names=names)
    )


def lead_sentence(lead: Lead, winners: Sequence[int], words: Words) -> str:
    """Return a sentence about changes of the lead, or "" if the team that led last didn't win."""
    if lead.leader != tuple(winners):
        return ""
    name = words.seats(lead.leader)
    if lead.since is None:
        return words("{name} was never behind.", name=name)
    place = words.heading(lead.since)
    if lead.changes == 1:
        return words("{name} came from behind ({place}).", name=name, place=place)
    return words(
        "The lead changed {n} times; {name} took it last ({place}).",
        n=lead.changes,
        name=name,
        place=place,
    )


def _adds_up(result: Result) -> bool:
    """Return whether the score lines add up to the scores."""
    columns = zip(*(line.points for line in result.sheet), strict=True)
    return bool(result.sheet) and tuple(map(sum, columns)) == result.scores
