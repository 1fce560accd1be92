"""Start-up time and memory with a home of a year of evenings, beside those of an empty home.

`python3 -m tests.bench.old_home FOLDER` makes the home there: 3,000 replays, 147 unfinished
matches, 300 known hosts with 50 ways back, 60 received games, and 500 matches in the trash.
"""

import os
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from importlib.resources import files
from pathlib import Path
from random import Random

from msgspec.structs import replace

from tabletop.bots.random_bot import RandomBot
from tabletop.catalogue import catalogue
from tabletop.files import folders
from tabletop.games import received_games
from tabletop.games.folder_content import compute_digest
from tabletop.home.known_hosts import KnownHosts, PlayedTable, RejoinableTable, _Keyring
from tabletop.match.match import Match, Player
from tabletop.match.seat import Seat
from tabletop.net.guest.join_attempt import Ticket
from tabletop.protocol.invitation import Address
from tabletop.storage.record import Record, record_of, to_bytes
from tests.bench.figures import Figure, figure
from tests.bench.programs import environment_at, run_shelf
from tests.bench.start import DRAWN, started

SEED = "a year of evenings"
REPLAYS, UNFINISHED, TRASHED, HOSTS, WAYS_BACK, RECEIVED = 3000, 147, 500, 300, 50, 60
VERSIONS = 3
"""So many versions there are of each received game."""
MATCHES = 8
"""So many different matches are played of each game; the replays are copies of them, with players
and dates of their own."""
MOST_SEATS = 4
"""Around a table at home; matches of twelve that play at random never end."""
NAMES = ("Ann", "Bea", "Chie", "Dan", "Emi", "Finn", "ゆき", "はると")
LAST = datetime(2026, 11, 27, 20, tzinfo=UTC)
"""The evening before which the year lies."""
ROUNDS = 9


def make(
    home: Path, replays: int = REPLAYS, unfinished: int = UNFINISHED, trashed: int = TRASHED
) -> None:
    """Fill an empty home with a year's files: always the same ones."""
    luck = Random(SEED)
    with _home_at(home):
        finished, unfinished_records = _matches(luck)
        for number in range(replays):
            _write(folders.replays(), luck.choice(finished), number, replays, luck)
        for number in range(unfinished):
            _write(folders.matches(), luck.choice(unfinished_records), number, unfinished, luck)
        for number in range(trashed):
            day = date.today() - timedelta(days=number % 29)
            _write(folders.trash() / day.isoformat(), luck.choice(finished), number, trashed, luck)
        _receive(luck)
        _meet(luck)


@contextmanager
def _home_at(home: Path) -> Iterator[None]:
    before = os.environ.get("TABLETOP_HOME")
    os.environ["TABLETOP_HOME"] = str(home)
    try:
        yield
    finally:
        if before is None:
            del os.environ["TABLETOP_HOME"]
        else:
            os.environ["TABLETOP_HOME"] = before


def _matches(luck: Random) -> tuple[list[Record], list[Record]]:
    """Records of finished matches and of unfinished ones, of each game of the program."""
    finished, unfinished = [], []
    for kit in catalogue.shelf():
        if kit.is_external:
            continue
        for number in range(MATCHES):
            seats = [count for count in kit.box.seats if count <= MOST_SEATS] or kit.box.seats
            players = [Player(name) for name in NAMES[: luck.choice(seats)]]
            match = Match(kit, players, catalogue.options(kit), f"{SEED} {number}")
            bot, sitting = (
                RandomBot(f"{number}"),
                [Seat.at_table(match, n) for n in range(len(players))],
            )
            stop = luck.randrange(5, 30)
            while match.state.result is None:
                seat = next(seat for seat in sitting if match.asks(seat.number))
                seat.send(bot.answer(seat, match.asks(seat.number)[0]))
                if len(match.record) == stop and match.state.result is None:
                    unfinished.append(record_of(match, Path("unfinished")))
            finished.append(record_of(match, Path("finished")))
    return finished, unfinished


def _write(folder: Path, record: Record, number: int, count: int, luck: Random) -> None:
    """Write a copy of a record, with a date that is so far through the year."""
    folder.mkdir(parents=True, exist_ok=True)
    created = LAST - timedelta(days=364 * (count - number) / count, minutes=luck.randrange(60))
    created = created.replace(microsecond=0)
    names = luck.sample(NAMES, len(NAMES))
    players = tuple(
        replace(player, name=names[seat % len(names)])
        for seat, player in enumerate(record.header.players)
    )
    head = replace(record.header, players=players, created=created)
    path = folder / f"{head.game}-{created:%Y%m%d-%H%M%S}-{number:06x}{folders.SUFFIX}"
    path.write_bytes(to_bytes(replace(record, header=head)))
    changed = (created + timedelta(minutes=40)).timestamp()
    os.utime(path, (changed, changed))


def _receive(luck: Random) -> None:
    template = files("tabletop.studio.templates") / "free"
    content = {
        each.name: each.read_bytes()
        for each in template.iterdir()
        if each.name != "template.toml" and not each.name.endswith(".mo")
    }
    for number in range(RECEIVED):
        game, version = divmod(number, VERSIONS)
        name = f"pond_night_{game + 1}"
        cards = (template / "cards.toml").read_text("utf-8")
        cards = cards.replace("@ID@", name).replace("@TITLE@", f"Pond Night {game + 1}")
        content["cards.toml"] = f"{cards}\n# version {version}\n".encode()
        received_games.store_game(
            folders.received(),
            name,
            compute_digest(content),
            content,
            luck.choice(NAMES),
            catalogue.check_received_game,
        )


def _meet(luck: Random) -> None:
    """Fill the keyring with the hosts and the tables of a year."""
    hosts, tables, played = {}, {}, {}
    for number in range(HOSTS):
        place = Address((f"host-{number}.example",), fingerprint=f"{luck.getrandbits(256):064x}")
        hosts[place.name] = place.fingerprint
        ticket = Ticket(f"{number:032x}", f"{number:06d}", seats={0: f"{luck.getrandbits(128):x}"})
        visited = LAST - timedelta(days=364 * (HOSTS - number) / HOSTS)
        name, game = f"Table {number}", luck.choice(catalogue.packaged_games())
        if number >= HOSTS - WAYS_BACK:
            tables[ticket.table] = RejoinableTable(place, ticket, name, game, visited)
        played[ticket.table] = PlayedTable(place, tuple(ticket.seats.values()), name, game)
    KnownHosts(folders.known_hosts())._change(
        lambda _: _Keyring(hosts=hosts, tables=tables, played=played)
    )


def report() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as empty, tempfile.TemporaryDirectory() as old:
        make(Path(old))
        homes = [environment_at(empty), environment_at(old)]
        for environment in homes:  # warms the caches
            run_shelf(environment)
        taken: list[list[tuple[float, float]]] = [[], []]
        for _ in range(ROUNDS):
            for times, environment in zip(taken, homes, strict=True):
                times.append(started(DRAWN, environment))
        for clock, what in enumerate(("", ", CPU")):
            new, year = ([each[clock] for each in times] for times in taken)
            ratios = [ours / theirs for ours, theirs in zip(year, new, strict=True)]
            yield figure(f"shelf drawn, empty home{what}", "ms", *new)
            yield figure(f"shelf drawn, a year's home{what}", "ms", *year)
            yield figure(f"shelf drawn{what}", "x the empty home", *ratios, most=1.3)
        used = [[run_shelf(environment) for _ in range(3)] for environment in homes]
        usual = statistics.median(used[0])
        yield figure("memory on the shelf, empty home", "MiB", *used[0])
        yield figure("memory on the shelf, a year's home", "MiB", *used[1])
        yield figure("memory", "x the empty home", *(each / usual for each in used[1]), most=1.5)


if __name__ == "__main__":
    make(Path(sys.argv[1]))
