"""The command line. Without a command the window opens; Qt is imported for nothing else."""

import asyncio
import json
import multiprocessing
import os
import sys
import time
from collections.abc import Coroutine, Sequence
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any, TextIO
from urllib.parse import unquote, urlsplit

import msgspec
import typer
from msgspec.structs import replace
from rich.console import Console
from rich.progress import track
from rich.table import Table as Grid

from tabletop import __version__
from tabletop.arena import pairings, tournament
from tabletop.balance import grids, weigh
from tabletop.bots.random import RandomBot
from tabletop.bots.thought import LEVELS, Level
from tabletop.engine.model import AUDIENCE, Result, Value
from tabletop.engine.play import playout, start
from tabletop.engine.scratch import Luck, Scratch
from tabletop.games import catalogue
from tabletop.games.catalogue import BrokenGame, Kit, UnknownGame
from tabletop.link import Link, Local
from tabletop.match import Match, Player
from tabletop.net.invitation import (
    PORT,
    BadInvitation,
    format_link,
    read_code,
    read_invitation,
)
from tabletop.ratings import standings
from tabletop.reel import Reel, Watched
from tabletop.show import outcome, table
from tabletop.storage import folders
from tabletop.storage.frames import frames, viewers
from tabletop.storage.record import HEADER, LONGEST_SEED, SUFFIX, kit_for, kit_of, read, save_as
from tabletop.storage.record import replay as play_through
from tabletop.storage.trouble import BadFile, StorageError, disk_trouble
from tabletop.words import LANGUAGES, Words

app = typer.Typer(
    name="tabletop",
    help="Tabletop 卓: Japanese indie card games at one table. Without a command, opens the table.",
    epilog=f"tabletop FILE{SUFFIX} opens a save.",
    add_completion=False,
    pretty_exceptions_enable=False,
)

LINK = "tabletop://"
"""How an invitation begins."""
THEMES = ("light", "dark", "contrast")
LOG_LINES = 12
UsageError: type[Exception] = typer.BadParameter.__mro__[1]
"""Whatever is wrong with the arguments; typer has it from click or, newer, brings its own."""

Game = Annotated[str, typer.Argument(metavar="GAME", help="A game, as `tabletop games` names it.")]
File = Annotated[Path, typer.Argument(metavar="FILE", help="A save, a journal or a replay.")]
Seats = Annotated[int, typer.Option(help="How many play; 0: as few as can.")]


def _seed(seed: str) -> str:
    """A seed that a record can hold."""
    if seed.isprintable() and 1 <= len(seed) <= LONGEST_SEED:
        return seed
    raise UsageError(f"A seed is a text of 1 to {LONGEST_SEED} signs.")


Seed = Annotated[str, typer.Option(callback=_seed, help="The same seed gives the same games.")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="Listen there; 0: any free port.")]
Folder = Annotated[Path | None, typer.Option(metavar="DIR", help="Where the tables are kept.")]
Chosen = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="KEY=VALUE", help="An option of the game; may be repeated."),
]
Moves = Annotated[int | None, typer.Option("--ply", help="After so many moves; else after all.")]


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; gives the number for the system to end with."""
    multiprocessing.freeze_support()  # a packed program starts itself again for a bot to think in
    words = [*map(_plain, sys.argv[1:] if arguments is None else arguments)]
    out: TextIO | None = sys.stdout  # a program with windows only has none
    if isinstance(out, TextIOWrapper):
        out.reconfigure(errors="replace")  # a terminal that has no 卓 shows "?"
    try:
        code = _run(words)
        if out:
            out.flush()
    except UsageError as error:
        return _refuse(getattr(error, "format_message", error.__str__)())
    except (UnknownGame, BrokenGame, BadFile, StorageError) as error:
        return _refuse(str(error))
    except (KeyboardInterrupt, typer.Abort):
        return 130
    except BrokenPipeError:
        # Nobody reads on: what is still to be written at the interpreter's end goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


def _plain(word: str) -> str:
    """The path of a file that a desktop names by its address."""
    return unquote(urlsplit(word).path) if word.startswith("file:///") else word


def _run(words: list[str]) -> int:
    first = words[0] if words else ""
    commands = {str(getattr(c.callback, "__name__", "")) for c in app.registered_commands}
    opens = first.endswith(SUFFIX) or first.startswith(LINK) or (first and Path(first).is_file())
    if first not in commands and opens:
        return _open(words)
    code = app(words, standalone_mode=False)
    return code if isinstance(code, int) else 0


def _refuse(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return 2


def _open(files: list[str]) -> int:
    """Open the window, with a save or at the table of an invitation where one is named."""
    for file in files:
        if not file.startswith(LINK) and not Path(file).is_file():
            return _refuse(f'There is no file "{file}".')
    return int(_screens("ui.app").run(files) or 0)


def _screens(module: str) -> Any:
    """A module of the screens, imported only now: all else runs where there is no Qt."""
    try:
        return import_module(module)
    except ImportError as error:
        raise UsageError(f"The screens cannot be shown here: {error}.") from error


@app.callback(invoke_without_command=True)
def opened(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Tell the version.")] = False,
) -> int:
    if version:
        print(f"Tabletop 卓 {__version__}")
        raise typer.Exit
    return _open([]) if context.invoked_subcommand is None else 0


@app.command()
def games() -> None:
    """List the games."""
    grid = Grid("game", "title", "タイトル", "seats", "minutes", box=None, pad_edge=False)
    for kit in catalogue.shelf():
        seats = kit.box.seats
        grid.add_row(
            kit.id,
            kit.box.title,
            Words("ja", kit)(kit.box.title),
            f"{seats[0]}-{seats[-1]}" if len(seats) > 1 else f"{seats[0]}",
            f"{kit.box.minutes}",
        )
    Console().print(grid)


@app.command()
def simulate(
    game: Game,
    seats: Seats = 0,
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 1000,
    seed: Seed = "1",
    option: Chosen = None,
    as_json: Annotated[bool, typer.Option("--json", help="Tell the numbers as JSON.")] = False,
) -> None:
    """Play many random games as fast as can be, and tell how they came out."""
    kit = catalogue.load(game)
    count = _seats(kit, seats)
    options = _options(kit, option)
    results: list[Result] = []
    lengths: list[int] = []
    began = time.perf_counter()
    progress = Console(stderr=True)
    for number in track(
        range(games), game, console=progress, transient=True, disable=not progress.is_terminal
    ):
        address = f"{seed}/{number}"
        dealt = start(kit.game, count, address, kit.backs, options).state
        scratch = Scratch(dealt, Luck(address))
        lengths.append(playout(kit.game, scratch))
        assert scratch.result is not None  # a playout goes on until there is one
        results.append(scratch.result)
    numbers = _numbers(results, lengths, count, time.perf_counter() - began)
    if as_json:
        print(json.dumps({"game": game, "seats": count, "seed": seed, **numbers}))
        return
    grid = Grid("seat", "mean", "min", "max", "wins", box=None, pad_edge=False)
    for seat, (scores, wins) in enumerate(
        zip(numbers["scores"], numbers["wins"], strict=True), start=1
    ):
        grid.add_row(
            f"{seat}", f"{scores['mean']:.2f}", f"{scores['min']}", f"{scores['max']}", f"{wins}"
        )
    Console().print(grid)
    print(
        f"{games} games, {numbers['shared']} shared, {numbers['draws']} without a winner; "
        f"{numbers['moves']} moves, {numbers['moves_per_second']:,} a second"
    )


@app.command()
def arena(
    game: Game,
    seats: Seats = 0,
    bots: Annotated[
        str, typer.Option(metavar="LEVELS", help="Who plays; the last fills the seats left over.")
    ] = "hard,normal",
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 100,
    seed: Seed = "1",
    seconds: Annotated[float, typer.Option(min=0.01, help="For each move of a hard bot.")] = 1.0,
    option: Chosen = None,
    balance: Annotated[bool, typer.Option(help="Also: seats, points, cards that win.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Tell the numbers as JSON.")] = False,
) -> None:
    """Let bots of different strength play a tournament on all cores, seats rotated."""
    kit = catalogue.load(game)
    count = _seats(kit, seats)
    levels = _levels(bots, count)
    planned = pairings(game, _options(kit, option), levels, count, games, seed, seconds)
    progress = Console(stderr=True)
    played = list(
        track(
            tournament(planned),
            game,
            total=games,
            console=progress,
            transient=True,
            disable=not progress.is_terminal,
        )
    )
    weighed = weigh(kit, played) if balance else None
    if as_json:
        told = {
            "game": game,
            "seats": count,
            "seed": seed,
            "seconds": seconds,
            "standings": msgspec.to_builtins(standings(played)),
        }
        print(json.dumps(told | ({"balance": msgspec.to_builtins(weighed)} if weighed else {})))
        return
    console = Console()
    grid = Grid("bot", "seats", "wins", "95 %", "even", "ratio", "Elo", box=None, pad_edge=False)
    for s in standings(played):
        grid.add_row(
            s.level,
            f"{s.seats}",
            f"{s.share:.1%}",
            f"{s.low:.1%} to {s.high:.1%}",
            f"{s.even:.1%}",
            f"{s.share / s.even:.2f}",
            f"{s.elo:+.0f}",
        )
    console.print(grid)
    for more in grids(weighed) if weighed else ():
        console.print(more)
    print(f"{games} games of {game} with {count} seats, {seconds} s a move")


def _levels(bots: str, seats: int) -> list[Level]:
    """The levels that are to play."""
    named = [word.strip() for word in bots.split(",")]
    for word in named:
        _among("--bots", word, LEVELS)
    if len(named) > seats:
        raise UsageError(f"{len(named)} bots do not fit at {seats} seats.")
    return [level for word in named for level in LEVELS if level == word]


def _numbers(
    results: list[Result], lengths: list[int], seats: int, seconds: float
) -> dict[str, Any]:
    scores = [[result.scores[seat] for result in results] for seat in range(seats)]
    moves = sum(lengths)
    return {
        "games": len(results),
        "scores": [
            {"mean": fmean(theirs), "min": min(theirs), "max": max(theirs)} for theirs in scores
        ],
        "wins": [sum(r.winners == (seat,) for r in results) for seat in range(seats)],
        "shared": sum(len(r.winners) > 1 for r in results),
        "draws": sum(not r.winners for r in results),
        "moves": moves,
        "moves_per_game": moves / len(results),
        "seconds": round(seconds, 3),
        "moves_per_second": round(moves / seconds),
    }


@app.command()
def record(
    game: Game,
    out: Annotated[Path, typer.Option(help="Where the record goes.")],
    seats: Seats = 0,
    seed: Seed = "1",
    ply: Moves = None,
    option: Chosen = None,
) -> None:
    """Play a random game and write its record; one that stops early goes on when it is opened."""
    kit = catalogue.load(game)
    match = _played(kit, seats, seed, ply, _options(kit, option))
    save_as(match, out)
    print(f"{out.name}: {_summary(match)}")


@app.command()
def verify(file: File) -> int:
    """Play a record through, and tell whether every line of it fits the rules."""
    written = read(file)
    try:
        match = play_through(written)
    except BadFile as error:
        if error.line == HEADER:
            raise  # nothing to hold its lines against: the game or its rules are others
        print(error, file=sys.stderr)
        return 1
    torn = " Its last line is torn and was left out." if written.torn else ""
    print(f"{file.name}: {_summary(match)}{torn}")
    return 0


@app.command()
def show(
    file: File,
    ply: Moves = None,
    seat: Annotated[str, typer.Option(help="Who looks: 1, 2 ..., audience, or all.")] = "all",
) -> None:
    """Print the table of a record as text."""
    match = _replayed(file, ply)
    kit = kit_of(match)
    viewer = _eyes(file, match.players, seat)
    view = match.state if viewer is None else match.view(viewer)
    log = match.log(AUDIENCE if viewer is None else viewer)
    print(f"{kit.box.title}: {', '.join(_names(match))}")
    print(table(view, Words("en", kit, match.players), log[-LOG_LINES:]))


@app.command()
def shot(
    out: Annotated[Path, typer.Option(help="Where the picture goes (PNG).")],
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="A record.")] = None,
    game: Annotated[str, typer.Option(help="Instead of a record: a game played at random.")] = "",
    seats: Seats = 0,
    seed: Seed = "1",
    ply: Moves = None,
    option: Chosen = None,
    seat: Annotated[str, typer.Option(help="Who looks: 1, 2 ..., or audience.")] = "1",
    size: Annotated[str, typer.Option(metavar="WxH", help="Of the window.")] = "1280x800",
    scale: Annotated[float, typer.Option(min=0.5, max=4, help="Device pixels a pixel.")] = 1.0,
    lang: Annotated[str, typer.Option(help=" or ".join(LANGUAGES))] = "en",
    theme: Annotated[str, typer.Option(help=", ".join(THEMES))] = "light",
) -> None:
    """Draw the table as the window would, into a picture."""
    if (file is None) == (not game):
        raise UsageError("Name either a FILE or a --game to draw.")
    _among("--lang", lang, LANGUAGES)
    _among("--theme", theme, THEMES)
    if file:
        match = _replayed(file, ply)
        viewer = _viewer(match.players, seat)
        _eyes(file, match.players, seat)
    else:
        kit = catalogue.load(game)
        match = _played(kit, seats, seed, ply, _options(kit, option))
        viewer = _viewer(match.players, seat)
    _draw(Local(match, viewer), kit_of(match), _size(size), scale, lang, theme, out)


@app.command()
def replay(
    file: File,
    ply: Moves = None,
    seat: Annotated[str, typer.Option(help="Who looks: 1, 2 ..., audience, or all.")] = "",
    shot: Annotated[
        Path | None, typer.Option(metavar="PNG", help="Draw the table into a picture instead.")
    ] = None,
    size: Annotated[str, typer.Option(metavar="WxH", help="Of the picture.")] = "1280x800",
    lang: Annotated[str, typer.Option(help="Of the picture: " + " or ".join(LANGUAGES))] = "en",
    theme: Annotated[str, typer.Option(help="Of the picture: " + ", ".join(THEMES))] = "light",
) -> int:
    """Watch a record in the window, or draw one position of it. Moves taken back do not count."""
    record = read(file)
    kit = kit_for(record)
    reel = Reel(kit, record.header.players, frames(record))
    last = len(reel.frames) - 1
    if ply is not None and not 0 <= ply <= last:
        raise UsageError(f"There is no move {ply}: the game has {last}.")
    viewer = _eyes(file, reel.players, seat) if seat else AUDIENCE
    if shot is None:
        return int(_screens("ui.app").run([str(file)], ply or 0, viewer if seat else "") or 0)
    _among("--lang", lang, LANGUAGES)
    _among("--theme", theme, THEMES)
    link = Watched(reel, viewer, reel.after_frame(last if ply is None else ply))
    _draw(link, kit, _size(size), 1.0, lang, theme, shot)
    return 0


def _draw(
    link: Link,
    kit: Kit,
    size: tuple[int, int],
    scale: float,
    lang: str,
    theme: str,
    out: Path,
) -> None:
    draw = _screens("ui.shot").shot
    try:
        draw(link, kit, size, scale, lang, theme, out)
    except OSError as error:
        raise disk_trouble(error, out.name) from error


@app.command()
def serve(
    bind: Annotated[str, typer.Option(metavar="ADDR", help="Listen there only.")] = "",
    port: Port = PORT,
    data: Folder = None,
    max_tables: Annotated[int, typer.Option(min=1, help="At most so many tables.")] = 200,
) -> None:
    """Serve tables to the network, without a window, until told to stop."""
    from tabletop.net.serve import serve

    _listen(serve(data or folders.data() / "server", bind or None, port, max_tables))


@app.command()
def host(
    game: Game,
    seats: Seats = 0,
    bots: Annotated[int, typer.Option(min=0, help="How many of the seats bots take.")] = 0,
    level: Annotated[str, typer.Option(help="Of the bots: " + ", ".join(LEVELS))] = LEVELS[0],
    name: Annotated[str, typer.Option(help="What the table is called.")] = "",
    port: Port = PORT,
    data: Folder = None,
    option: Chosen = None,
) -> None:
    """Host one table for others, without a window; it starts when everybody is ready."""
    from tabletop.net.serve import host_one, plan

    kit = catalogue.load(game)
    count = _seats(kit, seats)
    _among("--level", level, LEVELS)
    table = plan(kit, count, min(bots, count), level, name, _options(kit, option, apart=True))
    _listen(host_one(data or folders.data() / "hosted", table, port, print))


@app.command()
def join(
    where: Annotated[str, typer.Argument(metavar="WHERE", help="A link, a code, an address.")],
    code: Annotated[str, typer.Option(help="The table's code, with an address.")] = "",
    bot: Annotated[bool, typer.Option(help="Send a random bot, without a window.")] = False,
    name: Annotated[str, typer.Option(help="Of the bot.")] = "Bot",
    seats: Annotated[int, typer.Option(min=1, help="How many seats the bot takes.")] = 1,
) -> int:
    """Join a table of another computer: opens the window there, or sends a bot."""
    try:
        link = read_invitation(where)
        if code:
            link = replace(link, code=read_code(code))
    except BadInvitation as error:
        raise UsageError(str(error)) from error
    if not bot:
        return int(_screens("ui.app").run([format_link(link)]) or 0)
    from tabletop.net.fairness import Verdict
    from tabletop.net.serve import join

    came = asyncio.run(join(link, name, seats))
    if not isinstance(came, Verdict):
        return _refuse(Words("en").reason(came))
    print(Words("en").reason(came.reason))
    return 0 if came.fair else 1


def _listen(work: Coroutine[Any, Any, None]) -> None:
    try:
        asyncio.run(work)
    except OSError as error:
        raise UsageError(f"Cannot listen there: {error.strerror or error}.") from error


def _seats(kit: Kit, seats: int) -> int:
    if seats and seats not in kit.box.seats:
        allowed = ", ".join(map(str, kit.box.seats))
        raise UnknownGame(f'"{kit.box.title}" seats {allowed}, not {seats}.')
    return seats or min(kit.box.seats)


def _options(kit: Kit, chosen: list[str] | None, apart: bool = False) -> dict[str, Value]:
    """The options of a match, from words like `slots=pile`; `apart` as `catalogue.options`."""
    values = {str(c.value): c.value for option in kit.box.options for c in option.choices}
    pairs = [word.partition("=") for word in chosen or ()]
    named = {key: values.get(value, value) for key, _, value in pairs}
    return catalogue.options(kit, named, apart)


def _played(
    kit: Kit,
    seats: int,
    seed: str,
    upto: int | None = None,
    options: dict[str, Value] | None = None,
) -> Match:
    """A game played by random bots, to its end or for so many moves."""
    players = (Player("", kind="bot", level="random"),) * _seats(kit, seats)
    match = Match(kit.game, kit.backs, players, options or catalogue.options(kit), seed)
    links = [Local(match, seat) for seat in range(len(players))]
    bot = RandomBot(seed)
    while match.state.result is None:
        for link in links:
            for ask in [ask for ask in match.asks(link.seat) if not ask.optional]:
                if len(match.record) == upto:
                    return match
                if ask in match.asks(link.seat):  # an answer before it may have closed it
                    link.send(bot.answer(link, ask))
    if upto is not None and not 0 <= upto <= len(match.record):
        raise _too_far(match, upto)
    return match


def _replayed(file: Path, ply: int | None) -> Match:
    written = read(file)
    if ply is not None and not 0 <= ply <= len(written.entries):
        raise _too_far(play_through(written), ply)
    return play_through(written, ply)


def _too_far(match: Match, ply: int) -> Exception:
    return UsageError(f"There is no move {ply}: the game has {len(match.record)}.")


def _eyes(file: Path, players: Sequence[Player], seat: str) -> int | None:
    """Whose eyes are meant, None for everybody's; as far as the file lends them."""
    viewer = None if seat == "all" else _viewer(players, seat)
    record = read(file)
    if viewer not in viewers(record, frames(record)[-1].state):
        raise UsageError(
            f"{file.name} is sealed until its match is over: "
            "only what lies open to everybody is shown (--seat audience)."
        )
    return viewer


def _viewer(players: Sequence[Player], seat: str) -> int:
    if seat == "audience":
        return AUDIENCE
    if seat.isdecimal() and 1 <= int(seat) <= len(players):
        return int(seat) - 1
    raise UsageError(f'There is no seat "{seat}": the seats are 1 to {len(players)}.')


def _size(size: str) -> tuple[int, int]:
    width, _, height = size.partition("x")
    if width.isdecimal() and height.isdecimal() and 0 < int(width) < 10_000 > int(height) > 0:
        return int(width), int(height)
    raise UsageError(f'"{size}" is no size: write it like 1280x800.')


def _among(option: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise UsageError(f'{option} cannot be "{value}": it is {" or ".join(allowed)}.')


def _names(match: Match) -> list[str]:
    words = Words("en", None, match.players)
    return [words.seat(seat) for seat in range(len(match.players))]


def _summary(match: Match) -> str:
    """What a record holds, in a line."""
    kit = kit_of(match)
    back = f" ({match.takebacks} taken back)" if match.takebacks else ""
    result = match.state.result
    end = outcome(result, Words("en", kit, match.players)) if result else "Not finished."
    return f"{kit.box.title}, {len(match.players)} seats, {len(match.plies) - 1} moves{back}. {end}"


if __name__ == "__main__":
    sys.exit(main())
