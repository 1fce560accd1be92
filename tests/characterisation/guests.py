"""The path of guests at other computers, without a window: each person has a connection."""

from collections.abc import Iterable, Mapping, Sequence

from tabletop.engine.model import Move
from tabletop.match.seat import Seat
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.guest.session import Guest
from tests.characterisation.hosted_path import HostedPath, follow_table, verdict_of
from tests.characterisation.scenarios import player_name
from tests.characterisation.transcript import told
from tests.net.loopback import Friend


class GuestsPath(HostedPath):
    name = "guests"

    def _guests(self) -> Iterable[Guest]:
        return [friend.guest for friend in self._friends.values()]

    @property
    def seats(self) -> Mapping[int, Seat]:
        sitters = self.info.sitters
        return {
            seat: friend.guest.own_seats[seat]
            for seat, friend in self._friends.items()
            if sitters[seat].state != "bot" and seat in friend.guest.own_seats
        }

    async def _come(self) -> None:
        self.owner.guest.listen(lambda news: follow_table(self.transcripts["table"], news))
        self._friends: dict[int, Friend] = {}
        for seat in self.scenario.people:
            friend = self._friends[seat] = self._friend(Ticket(code=self.info.code))
            await friend.inside()
            friend.guest.sit(seat, player_name(seat))
            await friend.until(lambda friend=friend, seat=seat: seat in friend.guest.seats)
            friend.guest.set_ready(seat)

    async def _come_back(self) -> None:
        self.owner.guest.listen(lambda news: follow_table(self.transcripts["table"], news))
        for seat, before in tuple(self._friends.items()):
            friend = self._friends[seat] = self._friend(before.guest.ticket)
            await friend.inside()
            await friend.until(lambda friend=friend, seat=seat: seat in friend.guest.own_seats)

    async def _leave(self) -> None:
        for friend in self._friends.values():
            await friend.close()

    async def _show(self, marks: Sequence[str]) -> None: ...

    def _follow_all(self) -> None:
        for seat, friend in self._friends.items():
            if seat in friend.guest.own_seats:
                self.follow(friend.guest.own_seats[seat])

    # What the script does

    def play(self, seat: int, move: Move) -> None:
        self._run(self._do(self._own(seat).send, move))

    def ask_undo(self, seat: int) -> None:
        self._run(self._do(self._own(seat).undo))

    def redo(self, seat: int) -> None:
        self._run(self._do(self._own(seat).redo))

    def concede(self, seat: int) -> None:
        self._run(self._do(self._own(seat).concede))

    def answer(self, agree: bool) -> None:
        what = "undo" if self.info.wish is not None else "end"
        asked = self.info.wish or self.info.ending
        assert asked is not None
        for seat in asked.waiting[: None if agree else 1]:
            self._run(self._do(self._friends[seat].guest.answer_wish, seat, agree, what))
            self.settle()

    def stand_in(self, seat: int, bot: bool) -> None:
        guest = self._friends[seat].guest
        self._run(self._do(guest.set_absent, seat, bot))
        self.settle()
        if bot:
            self._run(self._do(self.owner.guest.decide, "bot"))

    def close(self) -> None:
        verdicts = self.transcripts["verdict"]
        for seat, friend in self._friends.items():
            reason = verdict_of(friend.guest)
            verdicts.add("verdict", (seat, told(reason) if reason is not None else None))
        super().close()

    def _own(self, seat: int) -> Seat:
        return self._friends[seat].guest.own_seats[seat]
