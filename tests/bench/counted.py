"""How long a page of the statistics takes over 10,000 matches of one person, and the parts of it.

A page may take 0.2 s: what the file is opened and checked with, and each question that is asked.
"""

import os
import random
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from time import process_time

from tabletop.engine.model import Result, ScoreLine
from tabletop.games import catalogue
from tabletop.match import Player
from tabletop.storage import folders
from tabletop.storage.statistics import Statistics, opened
from tests.bench.figures import Figure, figure

MATCHES = 10_000
LINES = 12
"""Of a score sheet, with what the log tells."""
BEGUN = datetime(2020, 1, 1, tzinfo=UTC)


def fill(known: Statistics) -> None:
    """Matches of all games among a person, another one and two bots."""
    chance = random.Random("counted")
    games = [kit.id for kit in catalogue.shelf()]
    sheet = [f"Line {number}" for number in range(LINES)]
    people = [Player("Mio"), Player("Ren"), *(Player("", kind="bot", level=f"{n}") for n in "ab")]
    known._base.execute("PRAGMA synchronous = OFF")
    for number in range(MATCHES):
        chance.shuffle(people)
        scores = tuple(chance.randrange(100) for _ in people)
        lines = tuple(ScoreLine(text, scores) for text in sheet)
        result = Result((scores.index(max(scores)),), scores, lines)
        when = BEGUN + timedelta(hours=number)
        known.count(str(number), games[number % len(games)], people, result, when)


def seconds(act: Callable[[], object]) -> float:
    """Of computing, of three rounds the fewest."""
    taken = []
    for _ in range(3):
        begun = process_time()
        act()
        taken.append(process_time() - begun)
    return min(taken)


def report() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as home:
        os.environ["TABLETOP_HOME"] = home
        with opened() as known:
            fill(known)
        size = folders.statistics().stat().st_size / 1e6
        yield figure("the file", "MB", size, note=f"{MATCHES} matches")

        def look() -> None:
            with opened():
                pass

        game = catalogue.shelf()[0].id
        begun = process_time()
        look()
        yield figure("opened and checked first", "s", process_time() - begun)
        yield figure("opened and checked later", "s", seconds(look))

        def show() -> None:
            """As the dialog asks, for a page of one game."""
            with opened() as known:
                known.people()
            with opened() as known:
                games = known.games("Mio")
            with opened() as known:
                known.totals("Mio", game)
                known.matches("Mio", game)
                known.figures("Mio", game)
                known.rivals("Mio", game)
                known.chairs("Mio", game)
                for each in games:
                    known.totals("Mio", each)

        yield figure("all that a page asks", "s", seconds(show), most=0.2)
        with opened() as known:
            for name, ask in {
                "people": known.people,
                "games": lambda: known.games("Mio"),
                "boxes of the shelf": lambda: known.boxes(["Mio"]),
                "totals of all games": lambda: known.totals("Mio"),
                "totals of a game": lambda: known.totals("Mio", game),
                "matches of a game": lambda: known.matches("Mio", game),
                "figures of a game": lambda: known.figures("Mio", game),
                "seats of a game": lambda: known.chairs("Mio", game),
                "rivals in all": lambda: known.rivals("Mio"),
                "rivals in a game": lambda: known.rivals("Mio", game),
                "the table of all": known.table,
            }.items():
                yield figure(name, "s", seconds(ask))
