"""The commands `simulate` and `arena`, which play many games without people."""

import json
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any, TypeVar

import msgspec
import typer

from tabletop.background.threads import can_start_thread
from tabletop.bots.decision import LEVELS, Level
from tabletop.catalogue import catalogue, game_folders
from tabletop.catalogue.catalogue import GameKit
from tabletop.catalogue.planned_teams import planned_teams
from tabletop.commands.agreement import permitted_game_id
from tabletop.commands.arguments import (
    AsJson,
    Chosen,
    Game,
    Seats,
    Seed,
    UsageError,
    check_choice,
    number_option,
    out_option,
    parse_options,
    resolve_seats,
    value_option,
)
from tabletop.commands.output import (
    Force,
    check_output,
    external_game_files,
    output,
    print_written,
)
from tabletop.commands.usage import refuse
from tabletop.engine.model import Result, Teams, Value
from tabletop.engine.play import playout, start
from tabletop.engine.scratch import FastRng, SimulationTable
from tabletop.engine.teams import lost, partnered, teams_of
from tabletop.files.errors import write_error
from tabletop.files.regular_file import MIB, read_regular
from tabletop.language.languages import LANGUAGES
from tabletop.studio.tournament.arena import ArenaResult, Pairing, plan_matches, vary_options
from tabletop.studio.tournament.balance import Balance, balance_grids, measure_balance, seats_text
from tabletop.studio.tournament.executors import MatchExecutor, play_tournament
from tabletop.studio.tournament.ratings import count_deals, standings
from tabletop.studio.tournament.report_data import ReportData, TournamentSettings, collect_report
from tabletop.studio.tournament.report_page import InvalidReport, parse_report, render_report
from tabletop.text.plain_text import shown_name
from tabletop.text.terminal import Grid, has_terminal, make_progress_bar

T = TypeVar("T")
REPORT = "Report"
"""The heading of the report options in the help text."""


def simulate(
    game: Game,
    seats: Seats = 0,
    games: Annotated[int, value_option("N", "Number of games.", min=1)] = 1000,
    seed: Seed = "1",
    option: Chosen = None,
    as_json: AsJson = False,
) -> None:
    """Play random games at full speed and summarise the results."""
    kit = catalogue.load(game)
    count = resolve_seats(kit, seats)
    options = parse_options(kit, option)
    results: list[Result] = []
    lengths: list[int] = []
    began = time.perf_counter()
    for number in _count_games(range(games), game, games):
        address = f"{seed}/{number}"
        dealt = start(kit.rules, count, address, kit.backs, options).state
        scratch = SimulationTable(dealt, FastRng(address))
        lengths.append(playout(kit.rules, scratch))
        assert scratch.result is not None  # a playout only ends with a result
        results.append(scratch.result)
    teams = teams_of(results[0], count)
    numbers = _numbers(results, lengths, teams, time.perf_counter() - began)
    if as_json:
        print(json.dumps({"game": game, "seats": count, "seed": seed, **numbers}))
        return
    grid = Grid("seat", "mean", "min", "max", "wins")
    for team, scores, wins in zip(teams, numbers["scores"], numbers["wins"], strict=True):
        mean, minimum, maximum = f"{scores['mean']:.2f}", f"{scores['min']}", f"{scores['max']}"
        grid.add(seats_text(team), mean, minimum, maximum, f"{wins}")
    grid.show()
    without = numbers["draws"] + numbers["lost"]
    print(
        f"{games} games, {numbers['shared']} shared, {without} without a winner; "
        f"{numbers['moves']} moves, {numbers['moves_per_second']:,} a second"
    )


def arena(
    game: Game,
    seats: Seats = 0,
    bots: Annotated[
        str,
        value_option(
            "LEVELS", "Levels to play, comma-separated; the last fills the remaining seats."
        ),
    ] = "hard,normal",
    games: Annotated[int, value_option("N", "Number of games.", min=1, max=1_000_000)] = 100,
    seed: Seed = "1",
    seconds: Annotated[
        float, number_option("S", "CPU seconds a hard bot gets for each move.", 0.01, 3600)
    ] = 1.0,
    jobs: Annotated[int, value_option("N", "CPU cores to use; 0 for all.", min=0)] = 0,
    cluster: Annotated[
        str, value_option("ADDRESS", "Play on the workers of this Dask scheduler instead.")
    ] = "",
    option: Chosen = None,
    balance: Annotated[
        bool,
        typer.Option(help="Also report seats, points and winning cards.", rich_help_panel=REPORT),
    ] = False,
    as_json: AsJson = False,
    report: Annotated[
        Path | None, out_option("HTML", "Write the balance as a web page.", REPORT)
    ] = None,
    force: Force = False,
    compare: Annotated[
        str, value_option("OTHER", "Compare with another version's folder or report.", REPORT)
    ] = "",
    vary: Annotated[
        list[str] | None, value_option("KEY", "Play every choice of this game option; repeatable.")
    ] = None,
    lang: Annotated[
        str, value_option("LANG", "Language of the page: " + " or ".join(LANGUAGES) + ".", REPORT)
    ] = "en",
) -> None:
    """Run a tournament between bots.

    Each deal is played once from every seat, so luck evens out; intervals count by deals, as games
    of one deal resemble each other. With --balance, --report or a single level, every game has its
    own deal. In team games, partners have the same level. Ctrl-C stops early and reports the games
    played so far.
    """
    check_choice("--lang", lang, LANGUAGES)
    if compare and report is None:
        raise UsageError("--compare needs --report.")
    if cluster and jobs:
        raise UsageError("--jobs can't be used with --cluster, where all workers play.")
    kit = catalogue.load(game)
    inputs = [*external_game_files(kit), Path(compare) if compare else None]
    if report is not None:
        check_output(report, force, *inputs)  # check this before the long part begins
    other = _read_comparison(compare)
    levels = _levels(bots)
    count = _number_of_seats(kit, seats, levels, parse_options(kit, option))
    balance = balance or report is not None

    def plan(of: GameKit) -> list[Pairing]:
        chosen = parse_options(of, option)
        seated = resolve_seats(of, count)
        together = planned_teams(of, seated, chosen)
        planned = plan_matches(
            of.id, chosen, levels, seated, games, seed, seconds, fresh=balance, teams=together
        )
        return vary_options(planned, _choices(of, vary or [], chosen))

    planned = plan(kit)
    beside = plan(other) if isinstance(other, GameKit) else []
    played = _play(kit, planned, jobs, cluster)
    weighed = measure_balance(kit, played) if balance else None
    if report is not None:
        terms = TournamentSettings(tuple(levels), seed, seconds, games)
        if isinstance(other, GameKit):
            theirs: list[ArenaResult] = []
            if len(played) == games:  # skip the other game if the user stopped early
                with suppress(KeyboardInterrupt):
                    theirs = _play(other, beside, jobs, cluster)
            other = collect_report(other, terms, theirs) if theirs else None
        with output(report, force, *inputs) as file:
            file.write_text(
                render_report(kit, collect_report(kit, terms, played), lang, other), "utf-8"
            )
        if not as_json:
            print_written(report, f"{len(played)} of {games} games of {game}")
            return
    if as_json:
        _print_json(game, count, seed, seconds, played, weighed)
        return
    _print_standings(played, weighed)
    number_played = f"{len(played)} of {games}" if len(played) < games else f"{games}"
    deals = (
        f", {deals} deals (95% by deals)" if (deals := count_deals(played)) < len(played) else ""
    )
    print(f"{number_played} games of {game} with {count} seats{deals}, {seconds} s a move")


def _print_json(
    game: str,
    seats: int,
    seed: str,
    seconds: float,
    played: Sequence[ArenaResult],
    weighed: Balance | None,
) -> None:
    """Print the tournament's settings and results as one JSON object."""
    told: dict[str, object] = {
        "game": game,
        "seats": seats,
        "seed": seed,
        "seconds": seconds,
        "deals": count_deals(played),
        "standings": msgspec.to_builtins(standings(played)),
    }
    if weighed is not None:
        told["balance"] = msgspec.to_builtins(weighed)
    print(json.dumps(told))


def _print_standings(played: Sequence[ArenaResult], weighed: Balance | None) -> None:
    """Print the results of each bot level, followed by the tables of `weighed`."""
    grid = Grid("bot", "seats", "wins", "95%", "even", "ratio", "Elo")
    for s in standings(played):
        grid.add(
            s.level,
            f"{s.seats}",
            f"{s.share:.1%}",
            f"{s.low:.1%} to {s.high:.1%}",
            f"{s.even:.1%}",
            f"{s.share / s.even:.2f}",
            f"{s.elo:+.0f}",
        )
    grid.show()
    for more in balance_grids(weighed) if weighed is not None else ():
        more.show()


def _play(kit: GameKit, planned: Sequence[Pairing], jobs: int, cluster: str) -> list[ArenaResult]:
    """Play the `planned` matches and return the results in the order of the plan.

    The matches run on `jobs` local processes, or on the Dask scheduler at the address `cluster`.
    After Ctrl-C or a cluster error, return the results so far.

    Raises:
        KeyboardInterrupt: The user pressed Ctrl-C before any match finished.
        UsageError: The cluster failed before any match finished.
    """
    if kit.is_external:
        game_folders.add(Path(str(kit.folder)))  # two versions of a game may have the same id
    played: dict[int, ArenaResult] = {}
    executor, troubles = _cluster(kit, cluster)
    try:
        for number, each in _count_games(
            play_tournament(planned, jobs, executor), kit.id, len(planned)
        ):
            played[number] = each  # each result is kept at once, in case of Ctrl+C
    except KeyboardInterrupt:
        if not played:
            raise
    except troubles as error:
        if not played:
            raise UsageError(str(error)) from error
        refuse(str(error))
    return [played[number] for number in sorted(played)]


def _cluster(
    kit: GameKit, address: str
) -> tuple[MatchExecutor | None, tuple[type[Exception], ...]]:
    """Connect to the Dask scheduler at `address`. Return its executor and the exceptions that it
    raises, or None and no exceptions if `address` is empty.

    Raises:
        UsageError: Dask isn't installed, or no scheduler answers.
    """
    if not address:
        return None, ()
    try:
        from tabletop.studio.tournament.cluster import ClusterError, ClusterExecutor
    except ImportError as error:
        raise UsageError("A cluster needs Dask: pip install 'tabletop-taku[cluster]'") from error
    try:
        workers = ClusterExecutor(address, kit)
    except ClusterError as error:
        raise UsageError(str(error)) from error
    if not workers.workers:
        refuse("The cluster has no workers yet; waiting for one.")
    return workers, (ClusterError,)


def _read_comparison(named: str) -> GameKit | ReportData | None:
    """Return what to compare a report with: the game whose folder or ID is `named`, the data of the
    report file `named`, or None if `named` is empty.

    Raises:
        UsageError: The file isn't a report of this version.
        StorageError: The file can't be read.
    """
    file = Path(named)
    if not (named and file.is_file()):
        return catalogue.load(permitted_game_id(named)) if named else None
    try:
        return parse_report(read_regular(file, 256 * MIB).decode("utf-8"))
    except (InvalidReport, UnicodeDecodeError) as error:
        reason = error if isinstance(error, InvalidReport) else "it isn't a text file"
        raise UsageError(f'Can\'t compare with "{shown_name(file)}": {reason}.') from error
    except OSError as error:
        raise write_error(error, file.name) from error


def _choices(kit: GameKit, keys: list[str], chosen: dict[str, Value]) -> dict[str, Sequence[Value]]:
    """Return all values of the options `keys`.

    Raises:
        UsageError: An option doesn't exist or doesn't apply with the `chosen` options.
    """
    known = {option.key: option for option in kit.box.options if option.applies(chosen)}
    for key in keys:
        if key not in known:
            raise UsageError(f'"{kit.box.title}" has no option "{key}" to vary.')
    return {key: [choice.value for choice in known[key].choices] for key in keys}


def _count_games(games: Iterable[T], game: str, total: int) -> Iterable[T]:
    """Yield each of `games`, and show a progress bar if the output is a terminal."""
    with make_progress_bar(has_terminal() and can_start_thread()) as bar:
        yield from bar.track(games, total, description=game)


def _levels(bots: str) -> list[Level]:
    named = [word.strip() for word in bots.split(",")]
    for word in named:
        check_choice("--bots", word, LEVELS)
    return [level for word in named for level in LEVELS if level == word]


def _number_of_seats(
    kit: GameKit, seats: int, levels: Sequence[Level], options: dict[str, Value]
) -> int:
    """Return `seats` if it isn't 0, otherwise the smallest player count that has a seat or team for
    each level.

    Raises:
        UsageError: There are more levels than seats or teams.
    """
    counts = (resolve_seats(kit, seats),) if seats else sorted(kit.box.seats)
    for count in counts:
        teams = planned_teams(kit, count, options)
        if len(levels) <= len(teams):
            return count
    places = "teams" if partnered(teams) else "seats"
    raise UsageError(f"{len(levels)} bots don't fit into {len(teams)} {places}.")


def _numbers(
    results: list[Result], lengths: list[int], teams: Teams, seconds: float
) -> dict[str, Any]:
    scores = [[result.scores[team[0]] for result in results] for team in teams]
    moves = sum(lengths)
    return {
        "games": len(results),
        "scores": [
            {"mean": fmean(theirs), "min": min(theirs), "max": max(theirs)} for theirs in scores
        ],
        "wins": [sum(r.winners == team for r in results) for team in teams],
        "shared": sum(bool(r.winners) and r.winners not in teams for r in results),
        "draws": sum(not r.winners and not lost(r.winners, teams) for r in results),
        "lost": sum(lost(r.winners, teams) for r in results),
        "moves": moves,
        "moves_per_game": moves / len(results),
        "seconds": round(seconds, 3),
        "moves_per_second": round(moves / seconds),
    }
