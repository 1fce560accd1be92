"""The replay page of a finished match, derived from its playback only.

With `eyes` "all" the page shows what is public at the end of the match,
otherwise what the audience saw.
"""

from bisect import bisect_right
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from tabletop.engine.model import AUDIENCE, State
from tabletop.language import labels
from tabletop.language.languages import supported_language
from tabletop.language.race import make_race
from tabletop.language.table_text import table_summary
from tabletop.language.words import Words
from tabletop.match.match import Player
from tabletop.match.playback import Playback
from tabletop.net.guest.player_names import named_players
from tabletop.protocol.archive import FinishedMatch, MatchId
from tabletop.text.phrases import phrase
from tabletop.web.drawer import PictureOrder
from tabletop.web.page import page_result
from tabletop.web.page_parts import PageResult

Eyes = Literal["all", "audience"]
VIEWERS: Mapping[Eyes, int | None] = {"all": None, "audience": AUDIENCE}
RECENT_LOG_LINES = 3
"""The number of log lines at the end of a table's description."""
MARK_LABELS = {
    "capture": phrase("A capture"),
    "magic": labels.MAGIC,
    "battle": phrase("A battle"),
    "score": phrase("A large score"),
}


class ReplayPlayer(Struct, frozen=True):
    """A player of a replay."""

    name: str
    symbol: str
    won: bool


class ReplayMark(Struct, frozen=True):
    """A notable moment, with the number of the beat after which it is visible."""

    at: int
    label: str


class ReplayPage(Struct, frozen=True):
    """A replay without its tables, which the browser requests one at a time."""

    title: str
    """The title of the game."""
    name: str
    """The display name of the table; "" if unknown."""
    ended: int
    """When the match ended, in seconds since the Unix epoch; 0 if unknown."""
    language: str
    last: int
    """The number of the last beat. Numbers start at 0."""
    players: tuple[ReplayPlayer, ...]
    turns: tuple[int, ...]
    marks: tuple[ReplayMark, ...]
    lines: tuple[tuple[int, str], ...]
    """The number of the beat and the text, for each line of the log."""
    result: PageResult | None


class ReplayBeat(Struct, frozen=True):
    """A description of the table after one beat."""

    heading: str
    points: tuple[str, ...]
    """The points of each seat as text; "" if the game doesn't count points."""
    turn: tuple[int, ...]
    """The seats that the table waits for."""
    table: str
    """The description of the whole table, in several lines."""


class WatchedMatch:
    """A downloaded match, ready to replay."""

    def __init__(
        self, match: MatchId, playback: Playback, file: bytes, listing: FinishedMatch | None
    ) -> None:
        """`file`: the content of the record's file. `listing`: the match's entry in the server's
        list, if any.
        """
        self.match = match
        self.playback = playback
        self.file = file
        self._listing = listing

    def words(self, language: str) -> Words:
        """Return the match's texts in `language`."""
        kit = self.playback.kit
        return Words(supported_language(kit, language), kit, self._players(language))

    def page(self, language: str, eyes: Eyes) -> ReplayPage:
        """Return the replay without its tables."""
        playback, words = self.playback, self.words(language)
        viewer = VIEWERS[eyes]
        result = playback.state(playback.last_beat).result
        won = result.winners if result is not None else ()
        return ReplayPage(
            words(playback.kit.box.title),
            self._listing.name if self._listing is not None else "",
            self._listing.ended if self._listing is not None else 0,
            language,
            playback.last_beat,
            tuple(
                ReplayPlayer(player.name, player.symbol, seat in won)
                for seat, player in enumerate(self._players(language))
            ),
            playback.turn_starts,
            tuple(ReplayMark(mark.at, words(MARK_LABELS[mark.kind])) for mark in playback.marks),
            tuple((at, words.log_line(sentence)) for at, sentence in playback.log(viewer)),
            page_result(result, len(playback.players), words) if result is not None else None,
        )

    def beat(self, at: int, language: str, eyes: Eyes) -> ReplayBeat:
        """Return a description of the table after beat `at`."""
        playback, words, viewer = self.playback, self.words(language), VIEWERS[eyes]
        view, meaning = playback.view(at, viewer), playback.kit.meaning
        log = playback.log(viewer)
        upto = bisect_right(log, at, key=lambda line: line[0])
        race = make_race(playback.kit, view, words)
        points = {seat: row.lead.n for row in race.rows if row.lead for seat in row.seats}
        lately = [sentence for _, sentence in log[max(0, upto - RECENT_LOG_LINES) : upto]]
        return ReplayBeat(
            words.heading(view),
            tuple(points.get(seat, "") for seat in range(view.seats)),
            tuple(dict.fromkeys(ask.seat for ask in view.asks if ask.id not in view.answers)),
            table_summary(view, words, meaning, _named_zones(view, words), lately),
        )

    def picture(
        self, at: int, language: str, eyes: Eyes, theme: str, size: tuple[int, int]
    ) -> PictureOrder:
        """Return the order for a picture of the table after beat `at`, of at most `size` pixels."""
        view = self.playback.view(at, VIEWERS[eyes])
        kit, players = self.playback.kit, self._players(language)
        return PictureOrder(kit.id, view, players, supported_language(kit, language), theme, *size)

    def _players(self, language: str) -> tuple[Player, ...]:
        return named_players(self.playback.players, language)


def _named_zones(view: State, words: Words) -> list[str]:
    """Return the names of the zones on the table. Zones without a display name are in the box and
    never shown.
    """
    return [name for name in view.zones if words.names_zone(name)]
