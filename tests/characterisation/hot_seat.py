"""The path of several people at one window: the match is played in its process."""

from collections import deque
from collections.abc import Callable
from pathlib import Path

from tabletop.match.match import Match
from tabletop.match.stand_ins import concession_ends_match
from tabletop.storage import saved_matches
from tests.characterisation.people_here import PeopleHere
from tests.characterisation.scenarios import Scenario
from tests.characterisation.window_path import WindowPath
from ui.match.local_match import LocalMatch
from ui.match.seated_table import SeatedTable


class HeldDisk:
    """Writes when it is told to, so that answers are on their way as long on every run."""

    def __init__(self) -> None:
        self._jobs: deque[Callable[[], None]] = deque()

    def enqueue(self, job: Callable[[], None]) -> None:
        self._jobs.append(job)

    def work(self) -> bool:
        """Write all; return whether there was anything."""
        worked = bool(self._jobs)
        while self._jobs:
            self._jobs.popleft()()
        return worked

    def close(self) -> None: ...


class HotSeatPath(WindowPath):
    name = "hot seat"

    def __init__(self, scenario: Scenario, folder: Path) -> None:
        super().__init__(scenario, folder)
        self._disk = HeldDisk()
        vars(self._context).update(bot_pool=self.bots, disk_pool=self._disk)
        self._file = folder

    def begin(self) -> None:
        scenario = self.scenario
        match = saved_matches.begin(self.kit, scenario.players, self.options, scenario.seed)
        self._sit_at(match)

    def _sit_at(self, match: Match) -> None:
        self._match = LocalMatch(self._context, match)
        self._match.write_failed.connect(
            lambda reason: self.transcripts["window"].add("unkept", (reason.code, reason.text))
        )
        assert self._match.file is not None
        self._file = self._match.file
        self.sit(self._people_at(self._match.seated))

    def _people_at(self, table: SeatedTable) -> PeopleHere:
        return PeopleHere(table)

    @property
    def record(self) -> Path:
        return self._file

    def concede(self, seat: int) -> None:
        # as `TableScreen.concede`
        self.here.look(seat)
        if self.over or concession_ends_match(self.here.view, seat, self.here.people):
            self.here.consent.concede()
        else:
            self.here.consent.ask("end")

    def asked(self) -> bool:
        return bool(self.here.consent.question)

    def answer(self, agree: bool) -> None:
        consent = self.here.consent
        match consent.question, agree:
            case "take back", True:
                consent.undo()
            case "end", True:
                consent.end_match()
            case "end", False:
                consent.hand_to_bot()
            case _:
                consent.ask("")

    def stand_in(self, seat: int, bot: bool) -> None:
        self.here.table.let_bot_play(seat, bot)

    def stop_and_resume(self) -> None:
        self._leave()
        self._sit_at(saved_matches.resume(self._file))

    def close(self) -> None:
        self._leave()

    def _leave(self) -> None:
        self.transcripts.mute(True)
        while self._disk.work():
            self.process_events()
        self.here.close()
        self.process_events()
        self.transcripts.mute(False)

    def _rest(self) -> None:
        self.wait_until(self._at_rest)

    def _at_rest(self) -> bool:
        self.process_events()
        all_seen = self.here.see_all()
        if self._disk.work() or not all_seen:
            return False
        table = self._match.table
        return table.hosted.hosted_match.is_at_rest and table.journal.writer.is_settled
