"""Statistics of finished matches, in a small SQLite database: players, winners, scores.

A match is added when it ends, using only information that all players could see. Players are
identified by the names on their place cards. Forgetting a player clears the name in all matches.
"""

import csv
import io
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from itertools import groupby
from threading import RLock

import msgspec
from msgspec import Struct

from tabletop.engine.model import Result, ScoreLine, Value
from tabletop.engine.teams import partnered, teams_of
from tabletop.files import background_writes, folders
from tabletop.files.atomic_write import create_private, make_folder, write_atomically
from tabletop.files.errors import StorageError, write_error
from tabletop.match.match import Player
from tabletop.storage.statistics_file import (
    LOCK_TIMEOUT_S,
    MAX_DATABASE_BYTES,
    OpenDatabase,
    decode_args,
    open_checked_database,
)
from tabletop.text.phrases import GAP

BOT_KIND = "bot"
FIRST_TALLY_LINE = 100
"""The first line number of counts taken from the log; lower numbers belong to the score sheet."""

CSV_COLUMNS = ["match", "ended", "game", "seat", "name", "kind", "level", "won", "score", "figures"]


class PlayedMatch(Struct, frozen=True):
    """The result of one player in one match."""

    ended: datetime
    won: bool
    score: int | None
    """The player's score; None if the match ended before scoring."""
    game: str


class GameStatistics(Struct, frozen=True):
    """When a game was last played on this computer, and the results of one player in it."""

    ended: datetime
    """When the game's last match ended."""
    played: int
    """The number of matches that the player finished."""
    won: int


class PlayerStatistics(Struct, frozen=True):
    """Totals of one player in one game or in all games."""

    played: int = 0
    won: int = 0
    best: int | None = None
    mean: float | None = None
    streak: int = 0
    """The number of consecutive wins up to the last match."""
    longest_streak: int = 0


class LineStatistics(Struct, frozen=True):
    """Statistics of one player for a line of the score sheet, or for a count from the log."""

    line: ScoreLine
    """The line's text and arguments, without points."""
    mean: float
    best: int
    matches: int
    """The number of matches with this line."""
    tally: bool = False
    """Whether the line was counted in the log rather than taken from the score sheet."""


class SeatStatistics(Struct, frozen=True):
    """The results of one player at one seat."""

    seat: int
    """The seat, numbered from 0."""
    played: int
    won: int


class Partner(Struct, frozen=True):
    """A player's results together with one teammate, or with all bots of one level."""

    name: str
    """The teammate's name, or the level of the bots."""
    bot: bool
    played: int
    won: int
    """The number of matches that the player won."""


class Rival(Partner, frozen=True):
    """A player's results against one opponent, or against all bots of one level."""

    lost: int
    """The number of matches that the opponent won."""


_thread_lock = RLock()
"""Serializes threads: closing the file on one thread would release locks of another."""

SAME_TEAM_SQL = (
    "EXISTS (SELECT 1 FROM team AS ours JOIN team AS theirs"
    " ON theirs.match = ours.match AND theirs.team = ours.team"
    " WHERE ours.match = own.match AND ours.seat = own.seat AND theirs.seat = other.seat)"
)
"""An SQL condition: the rows `own` and `other` are in the same team."""


class Statistics:
    """The database of all matches finished on this computer."""

    def __init__(self, database: OpenDatabase) -> None:
        self._base = database.connection
        self._whole = database.is_copy

    def add_match(
        self,
        key: str,
        game: str,
        players: Sequence[Player],
        result: Result,
        ended: datetime | None = None,
        tallies: Sequence[ScoreLine] = (),
    ) -> None:
        """Add a finished match, replacing any match that was added with the same `key`.

        Args:
            key: identifies the match.
            ended: when the match ended; by default now.
            tallies: the counts from the log (`tally.count_tallies`).

        Raises:
            StorageError: the database can't be written; nothing has changed.
        """
        when = (ended or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="seconds")
        with self._write():
            self._base.execute("DELETE FROM match WHERE key = ?", (key,))
            number = self._base.execute(
                "INSERT INTO match (key, game, ended) VALUES (?, ?, ?)", (key, game, when)
            ).lastrowid
            self._base.executemany(
                "INSERT INTO seat VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        number,
                        seat,
                        player.name,
                        player.kind,
                        player.level,
                        seat in result.winners,
                        result.scores[seat] if result.scores else None,
                    )
                    for seat, player in enumerate(players)
                ],
            )
            teams = teams_of(result, len(players))
            self._base.executemany(
                "INSERT INTO team VALUES (?, ?, ?)",
                [
                    (number, seat, place)
                    for place, team in enumerate(teams if partnered(teams) else ())
                    for seat in team
                ],
            )
            self._base.executemany(
                "INSERT INTO figure VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (number, seat, place, line.text, _encode_args(line.args), points)
                    for place, line in (
                        *enumerate(result.sheet),
                        *enumerate(tallies, FIRST_TALLY_LINE),
                    )
                    for seat, points in enumerate(line.points)
                ],
            )

    def import_matches(self, other: sqlite3.Connection) -> int:
        """Add the matches that only another computer's database has, and return their number.

        Raises:
            StorageError: the database can't be written, or would be too large; nothing has changed.
        """
        fresh = 0
        with self._write():
            known = {key for (key,) in self._base.execute("SELECT key FROM match")}
            for match, *row in other.execute("SELECT id, key, game, ended FROM match ORDER BY id"):
                if row[0] in known:
                    continue
                fresh += 1
                number = self._base.execute(
                    "INSERT INTO match (key, game, ended) VALUES (?, ?, ?)", row
                ).lastrowid
                for table, columns in (("seat", 7), ("figure", 6), ("team", 3)):
                    parts = other.execute(f"SELECT * FROM {table} WHERE match = ?", (match,))
                    self._base.executemany(
                        f"INSERT INTO {table} VALUES (?{', ?' * (columns - 1)})",
                        ((number, *values) for _, *values in parts),
                    )
            if self._size() > MAX_DATABASE_BYTES:  # a larger file counts as damaged
                raise StorageError('"{file}" would be too large.', file=folders.statistics().name)
        return fresh

    def _size(self) -> int:
        (pages,) = self._base.execute("PRAGMA page_count").fetchone()
        (size,) = self._base.execute("PRAGMA page_size").fetchone()
        return int(pages) * int(size)

    def list_people(self) -> tuple[str, ...]:
        """Return the names of all human players, those with most matches first."""
        rows = self._base.execute(
            "SELECT name FROM seat WHERE kind != ? AND name != ''"
            " GROUP BY name ORDER BY COUNT(*) DESC, name",
            (BOT_KIND,),
        )
        return tuple(name for (name,) in rows)

    def count_by_game(self, name: str) -> dict[str, int]:
        """Return the number of matches of player `name` by game ID."""
        rows = self._base.execute(
            "SELECT game, COUNT(*) FROM seat JOIN match ON id = match"
            " WHERE name = ? AND kind != ? GROUP BY game",
            (name, BOT_KIND),
        )
        return dict(rows.fetchall())

    def matches(self, name: str, game: str = "") -> tuple[PlayedMatch, ...]:
        """Return the matches of player `name` in `game`, or in all games if "", oldest first."""
        rows = self._base.execute(
            "SELECT ended, won, score, game FROM seat JOIN match ON id = match"
            " WHERE name = ? AND kind != ? AND (? = '' OR game = ?) ORDER BY ended, id",
            (name, BOT_KIND, game, game),
        )
        return tuple(
            PlayedMatch(datetime.fromisoformat(ended), bool(won), score, game)
            for ended, won, score, game in rows
        )

    def statistics_by_game(self, names: Sequence[str]) -> dict[str, GameStatistics]:
        """Return the statistics of every game played on this computer, by game ID.

        `names`: all names of one player, whose results are combined.
        """
        asked = ", ".join("?" * len(names))
        own = f"kind != '{BOT_KIND}' AND name IN ({asked})"
        rows = self._base.execute(
            f"SELECT game, MAX(ended), COUNT(DISTINCT CASE WHEN {own} THEN match END),"
            f" COUNT(DISTINCT CASE WHEN {own} AND won THEN match END)"
            " FROM match JOIN seat ON match = id GROUP BY game",
            (*names, *names),
        )
        return {
            game: GameStatistics(datetime.fromisoformat(ended), played, won)
            for game, ended, played, won in rows
        }

    def totals(self, name: str, game: str = "") -> PlayerStatistics:
        """Return the totals of player `name` in `game`, or in all games if "".

        The totals of all games contain no scores.
        """
        played = self.matches(name, game)
        scores = [each.score for each in played if each.score is not None] if game else []
        runs = [(won, len(tuple(run))) for won, run in groupby(played, key=lambda each: each.won)]
        return PlayerStatistics(
            len(played),
            sum(each.won for each in played),
            max(scores, default=None),
            sum(scores) / len(scores) if scores else None,
            runs[-1][1] if runs and runs[-1][0] else 0,
            max((length for won, length in runs if won), default=0),
        )

    def line_statistics(self, name: str, game: str) -> tuple[LineStatistics, ...]:
        """Return the statistics of player `name` for each line of the score sheet of `game`.

        Counts from the log follow the score sheet's lines.
        """
        rows = self._base.execute(
            "SELECT text, args, AVG(points), MAX(points), COUNT(*), line >= ?"
            " FROM figure JOIN seat USING (match, seat) JOIN match ON id = match"
            " WHERE name = ? AND kind != ? AND game = ?"
            " GROUP BY text, args, line >= ? ORDER BY MIN(line), MIN(match)",
            (FIRST_TALLY_LINE, name, BOT_KIND, game, FIRST_TALLY_LINE),
        )
        return tuple(
            LineStatistics(
                ScoreLine(text, (), (), decode_args(args)), mean, best, count, bool(tally)
            )
            for text, args, mean, best, count, tally in rows
        )

    def seat_statistics(self, name: str, game: str) -> tuple[SeatStatistics, ...]:
        """Return the results of player `name` at each seat, in seat order."""
        rows = self._base.execute(
            "SELECT seat, COUNT(*), SUM(won) FROM seat JOIN match ON id = match"
            " WHERE name = ? AND kind != ? AND game = ? GROUP BY seat ORDER BY seat",
            (name, BOT_KIND, game),
        )
        return tuple(SeatStatistics(*row) for row in rows)

    def rivals(self, name: str, game: str = "") -> tuple[Rival, ...]:
        """Return the opponents of player `name`, most frequent first.

        All bots of the same level are combined.
        """
        rows = self._other_players(f"NOT {SAME_TEAM_SQL}", name, game)
        return tuple(Rival(rival, bool(bot), *counts) for rival, bot, *counts in rows)

    def partners(self, name: str, game: str = "") -> tuple[Partner, ...]:
        """Return the teammates of player `name`, most frequent first.

        All bots of the same level are combined.
        """
        rows = self._other_players(SAME_TEAM_SQL, name, game)
        return tuple(Partner(mate, bool(bot), played, won) for mate, bot, played, won, _ in rows)

    def _other_players(
        self, which: str, name: str, game: str
    ) -> list[tuple[str, int, int, int, int]]:
        """Return a row for each player who has played with or against `name`.

        Each row contains the other player's name or bot level, 1 for a bot, the number of their
        matches together, the number that `name` won, and the number that the other player won.
        `which`: an SQL condition on the other players.
        """
        return self._base.execute(
            "SELECT CASE other.kind WHEN ?1 THEN other.level ELSE other.name END AS who,"
            " other.kind = ?1 AS bot, COUNT(DISTINCT own.match),"
            " COUNT(DISTINCT CASE WHEN own.won THEN own.match END),"
            " COUNT(DISTINCT CASE WHEN other.won THEN own.match END)"
            " FROM seat AS own JOIN seat AS other"
            " ON other.match = own.match AND other.seat != own.seat"
            " JOIN match ON id = own.match"
            " WHERE own.name = ?2 AND own.kind != ?1 AND (?3 = '' OR game = ?3)"
            f" AND (other.kind = ?1 OR other.name != '') AND {which}"
            " GROUP BY who, bot ORDER BY 3 DESC, who",
            (BOT_KIND, name, game),
        ).fetchall()

    def forget_player(self, name: str) -> None:
        """Clear the name of a player in all matches, and delete matches that name no person.

        Raises:
            StorageError: the database can't be written; nothing has changed.
        """
        with self._write():
            self._base.execute(
                "UPDATE seat SET name = '' WHERE name = ? AND kind != ?", (name, BOT_KIND)
            )
            self._base.execute(
                "DELETE FROM match WHERE id NOT IN"
                " (SELECT match FROM seat WHERE kind != ? AND name != '')",
                (BOT_KIND,),
            )

    def to_csv(self) -> str:
        """Return all statistics as CSV, with a row for each seat of each match.

        The last column lists the lines of the score sheet, like "Attack 1: 4; Attack 2: 7".
        """
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(CSV_COLUMNS)
        rows = self._base.execute(
            "SELECT id, ended, game, seat, name, kind, level, won, score"
            " FROM seat JOIN match ON id = match ORDER BY ended, id, seat"
        )
        figures = self._list_figures()
        for match, ended, game, seat, *rest in rows:
            line = (match, ended, game, seat + 1, *rest, "; ".join(figures[match, seat]))
            writer.writerow([_escape_formula(value) for value in line])
        return text.getvalue()

    def _list_figures(self) -> defaultdict[tuple[int, int], list[str]]:
        """Return the formatted lines of the score sheet, by match number and seat."""
        listed: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
        rows = self._base.execute(
            "SELECT match, seat, text, args, points FROM figure ORDER BY match, seat, line"
        )
        for match, seat, text, args, points in rows:
            gaps = decode_args(args)
            text_with_args = GAP.sub(lambda gap, gaps=gaps: str(gaps.get(gap[1], gap[0])), text)  # type: ignore[misc]
            listed[match, seat].append(f"{text_with_args}: {points}")
        return listed

    def to_bytes(self) -> bytes:
        """Return the content of a database file with all statistics."""
        return self._base.serialize()

    def close(self) -> None:
        self._base.close()

    @contextmanager
    def _write(self) -> Iterator[None]:
        try:
            with self._base:
                yield
            if self._whole:
                write_atomically(folders.statistics(), self.to_bytes(), private=True)
        except sqlite3.Error as error:
            raise _write_error(error) from error


@contextmanager
def open_statistics(timeout_s: float = LOCK_TIMEOUT_S) -> Iterator[Statistics]:
    """Open the statistics of this computer.

    A damaged file is renamed and replaced by an empty one. `timeout_s`: how long to wait while
    another process writes the file.

    Raises:
        StorageError: the database can't be read or written, or is locked for too long.
    """
    background_writes.finish(timeout_s)
    if not _thread_lock.acquire(timeout=timeout_s):
        raise StorageError(
            '"{file}" is being written in another window.', file=folders.statistics().name
        )
    try:
        with _open_statistics(timeout_s) as statistics:
            yield statistics
    finally:
        _thread_lock.release()


@contextmanager
def _open_statistics(timeout_s: float) -> Iterator[Statistics]:
    path = folders.statistics()
    try:
        make_folder(path.parent)
        with suppress(FileExistsError):
            create_private(path).close()
        statistics = Statistics(open_checked_database(path, timeout_s))
    except sqlite3.Error as error:
        raise _write_error(error) from error
    except OSError as error:
        raise write_error(error, path.name) from error
    try:
        yield statistics
    except sqlite3.Error as error:
        raise _write_error(error) from error
    finally:
        statistics.close()


def _write_error(error: sqlite3.Error) -> StorageError:
    name = folders.statistics().name
    return StorageError('Can\'t write "{file}": {cause}.', file=name, cause=str(error))


def _encode_args(args: dict[str, Value]) -> str:
    return msgspec.json.encode(args, order="sorted").decode()


def _escape_formula(value: object) -> object:
    """Return `value`, escaped so that spreadsheets don't interpret it as a formula."""
    if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")):
        return f"'{value}"
    return value
