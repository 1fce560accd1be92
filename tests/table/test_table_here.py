"""A table in this process: what its client is told, and when."""

from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tabletop.catalogue import catalogue
from tabletop.engine.events import Event
from tabletop.engine.heuristic import Past
from tabletop.engine.model import Reason, State
from tabletop.engine.refusals import GAME_OVER
from tabletop.files.errors import StorageError
from tabletop.match.history import Entry
from tabletop.match.match import Player
from tabletop.match.seat import Seat
from tabletop.match.tutorial import load_first_game, make_course
from tabletop.protocol.messages import Concede, FromGuest, Refused, SetAway, SetStandIn, UndoMove
from tabletop.storage import saved_matches
from tabletop.storage.journal import JournalFile
from tabletop.storage.record import read, record_of
from tabletop.table.connection_events import News
from tabletop.table.services import BotDone, BotPace, BotTask
from tabletop.table.table_here import InProcessTable

ANN, BEA, CID = (Player(name) for name in ("Ann", "Bea", "Cid"))
BOT = Player("", kind="bot", level="easy")


class NotedBots:
    """Bots that note what they are asked, and answer when they are told to."""

    def __init__(self) -> None:
        self.asked: list[int] = []
        """The number of each question."""
        self.pasts: list[Past] = []
        """What the bot remembered at each question."""
        self._answer: Callable[[], None] | None = None

    def think(self, task: BotTask, done: BotDone) -> Callable[[], None]:
        self.asked.append(task.ask.id)
        self.pasts.append(task.past)
        self._answer = lambda: done(next(task.offers[0].moves(task.ask.id)), False)
        return self._forget

    def answer(self) -> bool:
        """Answer the open question; return whether there was one."""
        answer, self._answer = self._answer, None
        if answer is not None:
            answer()
        return answer is not None

    @property
    def is_thinking(self) -> bool:
        return self._answer is not None

    def _forget(self) -> None:
        self._answer = None


class _Call:
    def cancel(self) -> None: ...


class Rig:
    """A table whose disk and clock do nothing by themselves."""

    def __init__(
        self,
        *players: Player,
        game: str = "sun",
        seed: str = "seed",
        languages: tuple[str, ...] = (),
        saved: Path | None = None,
    ) -> None:
        """`saved`: the file of the match to resume; None to begin one."""
        if saved is not None:
            self.match = saved_matches.resume(saved)
        else:
            kit = catalogue.load(game)
            options = catalogue.options(kit)
            self.match = saved_matches.begin(kit, players, options, seed, languages)
        self.bots = NotedBots()
        self.refused: list[Refused] = []
        self._jobs: deque[Callable[[], None]] = deque()
        self.table = InProcessTable(
            self.match,
            pool=self,  # type: ignore[arg-type]
            wake=lambda: None,
            later=self._later,
            bots=self.bots,
            bot_pace=BotPace(0),
            on_write_error=lambda reason: None,
        )
        self.table.client.listen(self._hear)
        self.table.start()

    def enqueue(self, job: Callable[[], None]) -> None:
        """As `DiskPool.enqueue`."""
        self._jobs.append(job)

    def write(self) -> None:
        """Let the disk do all it has to, and tell what is safe."""
        while self._jobs:
            self._jobs.popleft()()
            self.table.process_saved()

    def play_bots(self) -> None:
        """Answer for the bots until a person is asked."""
        self.write()
        while self.bots.answer():
            self.write()

    def seat(self, number: int) -> Seat:
        return self.table.client.own_seats[number]

    def play(self, number: int) -> None:
        ask, offers = next(iter(self.seat(number).offers.items()))
        self.seat(number).send(next(offers[0].moves(ask)))

    def say(self, message: FromGuest) -> None:
        self.table.client.say(message)
        self.write()

    def states(self) -> list[str]:
        info = self.table.client.info
        assert info is not None
        return [sitter.state for sitter in info.sitters]

    def _hear(self, news: News) -> None:
        if isinstance(news, Refused):
            self.refused.append(news)

    def _later(self, seconds: float, act: Callable[[], None]) -> _Call:
        act()
        return _Call()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path))


def test_the_snapshot_waits_for_the_disk_as_the_news_do() -> None:
    rig = Rig(ANN, BEA)
    before = rig.table.snapshot
    rig.play(0)
    assert (rig.match.state.ply, rig.seat(0).view.ply) == (1, 0), "the match is ahead of the news"
    assert rig.table.snapshot is before
    snapshots = []
    rig.seat(0).on_update(lambda _: snapshots.append(rig.table.snapshot))
    rig.write()
    assert snapshots == [rig.match.snapshot()]
    assert snapshots[0].latest == rig.match.record[-1]
    rig.table.close()


def test_all_seats_have_the_news_before_listeners_are_told() -> None:
    rig = Rig(ANN, BEA, CID, game="sisters")
    client = rig.table.client
    audience, seats = client.audience, list(client.own_seats.values())
    assert audience is not None
    plies: list[set[int]] = []
    for listened in (audience, *seats):
        listened.on_update(lambda _: plies.append({s.view.ply for s in (audience, *seats)}))
    mover = next(seat for seat in seats if seat.offers)
    rig.play(mover.number)
    rig.write()
    mover.undo()
    rig.write()
    assert plies == [{1}] * 4 + [{0}] * 4
    rig.table.close()


def test_bots_are_not_asked_about_what_an_undo_only_passes() -> None:
    rig = Rig(ANN, BOT)
    rig.play(0)
    rig.play_bots()
    played, asked = len(rig.match.record), len(rig.bots.asked)
    assert asked > 1, "a question of a bot lies in between"
    rig.say(UndoMove(0, agreed=True))
    assert rig.match.undone_plies == played, "the bot's moves and the person's"
    assert len(rig.bots.asked) == asked
    rig.play(0)
    rig.write()
    assert len(rig.bots.asked) == asked + 1
    rig.table.close()


def test_a_bot_is_asked_about_a_move_once_it_is_safe() -> None:
    rig = Rig(ANN, BOT)
    rig.play(0)
    assert rig.bots.asked == []
    rig.write()
    assert len(rig.bots.asked) == 1
    rig.table.close()


def test_a_bot_stops_at_once_if_its_question_is_undone() -> None:
    """Not only when the undo is safe: a slow disk would hold up the next question too."""
    rig = Rig(ANN, BOT)
    rig.play(0)
    rig.write()
    assert rig.bots.is_thinking
    rig.seat(0).undo()
    assert not rig.bots.is_thinking
    assert len(rig.bots.asked) == 1
    rig.write()
    rig.play(0)
    rig.write()
    assert rig.bots.is_thinking
    assert len(rig.bots.asked) == 2
    rig.table.close()


def test_bots_of_a_resumed_match_remember_their_decisions() -> None:
    """As those of AWSSterra have to: they saw each hand that they passed on."""
    rig = Rig(ANN, BOT, BOT, game="awss")
    for _ in range(3):
        rig.play(0)
        rig.play_bots()
    rig.play(0)
    rig.write()
    past, file = rig.bots.pasts[-1], rig.table.journal.file
    assert len(past.seen) > 2
    rig.table.close()
    again = Rig(saved=file)
    (resumed,) = again.bots.pasts
    assert resumed.heard == past.heard
    assert [seen.cards for seen in resumed.seen] == [seen.cards for seen in past.seen]
    again.table.close()


def test_a_bot_that_takes_over_remembers_what_its_seat_decided() -> None:
    rig = Rig(ANN, BEA, game="sisters")
    mover = next(number for number in (0, 1) if rig.seat(number).offers)
    views: list[State] = []
    while len(views) < 2:
        number = next(number for number in (0, 1) if rig.seat(number).offers)
        views += [rig.seat(number).view] if number == mover else []
        rig.play(number)
        rig.write()
    rig.say(SetStandIn(mover, True))
    while not rig.bots.asked:
        rig.play(1 - mover)
        rig.write()
    assert rig.bots.pasts[0].seen == tuple(views)
    rig.table.close()


def test_a_move_that_the_disk_has_lost_is_refused_to_its_player(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rig = Rig(ANN, BEA)
    reasons: list[Reason] = []
    rig.seat(0).on_refusal(reasons.append)

    def refuse(journal: JournalFile, entry: Entry, events: Sequence[Event] = ()) -> None:
        raise StorageError('Can\'t write "{file}": the disk is full.', file="x.tabletop")

    monkeypatch.setattr(JournalFile, "write_unsynced", refuse)
    rig.play(0)
    rig.write()
    assert [reason.text for reason in reasons] == ['Can\'t write "{file}": the disk is full.']
    assert rig.seat(0).pending is None
    assert rig.table.match.record == []
    monkeypatch.undo()
    rig.play(0)
    rig.write()
    assert len(rig.table.match.record) == 1
    rig.table.close()


def test_a_match_that_is_over_is_given_to_no_bot() -> None:
    rig = Rig(ANN, BEA, CID, game="sisters")
    rig.say(Concede(1, agreed=True))
    assert rig.match.state.result is not None
    before = rig.states()
    for request in (SetStandIn(0, True), SetStandIn(0, False), Concede(0)):
        rig.say(request)
    assert [each.reason for each in rig.refused] == [GAME_OVER] * 3
    assert rig.states() == before
    assert rig.match.stand_ins == []
    rig.table.close()


def test_a_seat_is_given_to_a_bot_and_back_once() -> None:
    rig = Rig(ANN, BEA, CID, game="sisters")
    for bot in (True, True, False, False):
        rig.say(SetStandIn(1, bot))
    assert [each.reason.code for each in rig.refused] == ["played_by_bot", "no_stand_in"]
    assert [change.level for change in rig.match.stand_ins] == ["normal", ""]
    rig.table.close()


def test_who_was_away_is_back_with_the_seat_that_a_bot_had() -> None:
    rig = Rig(ANN, BEA, CID, game="sisters")
    rig.say(SetAway(1))
    assert rig.states()[1] == "away"
    rig.say(SetStandIn(1, True))
    assert rig.states()[1] == "bot"
    rig.say(SetStandIn(1, False))
    assert rig.states()[1] == "here"
    rig.table.close()


def test_a_copy_of_the_match_has_the_header_of_its_file(tmp_path: Path) -> None:
    rig = Rig(ANN, BEA, languages=("ja",))
    rig.play(0)
    rig.write()
    copy = record_of(rig.table.match, tmp_path / "copy.tabletop").header
    file = rig.table.journal.file
    rig.table.close()
    assert file is not None
    assert (copy.created, copy.languages) == (read(file).header.created, ("ja",))
    after = record_of(rig.table.match, tmp_path / "copy.tabletop").header
    assert after.languages == ("ja",), "also once the file is closed"


def test_lessons_are_on_the_table_that_the_news_have_shown() -> None:
    kit = catalogue.load("sun")
    game = load_first_game(kit)
    assert game is not None
    rig = Rig(ANN, BOT, seed=game.seed)
    lessons = make_course(rig.match, lambda: rig.table.snapshot)
    assert lessons is not None
    first = lessons.current_lesson()
    assert first is not None
    spoken = lessons.resolve_subject(first)
    rig.play(0)
    assert rig.match.state.ply > rig.seat(0).view.ply
    assert lessons.current_lesson() == first
    assert lessons.resolve_subject(first) == spoken
    rig.write()
    assert lessons.current_lesson() != first or lessons.resolve_subject(first) != spoken
    rig.table.close()
