"""The script of a match: what its people do. It depends only on what their seats are shown."""

from collections.abc import Callable
from typing import Any

from tabletop.engine.model import Move
from tabletop.engine.scratch import FastRng
from tabletop.match.seat import Seat
from tests.characterisation.scenarios import Plot
from tests.characterisation.table_path import TablePath
from tests.characterisation.transcript import told

RARELY, OFTEN = 9, 3
"""One of so many steps."""


def play_through(path: TablePath) -> None:
    """Play the match of a path to its end, or as far as it goes."""
    script = Script(path)
    begin_held(path, path.begin)
    path.settle()
    script.run()


def begin_held(path: TablePath, begin: Callable[[], None]) -> None:
    """Begin or resume a match; bots answer once everybody sees the table."""
    path.bots.hold()
    begin()
    path.bots.release()


class Script:
    """The people of one match."""

    def __init__(self, path: TablePath) -> None:
        self.path = path
        self.luck = FastRng(path.scenario.name)
        self._did = path.transcripts["script"]
        plots: dict[Plot, Callable[[int], None]] = {
            "play": self._play,
            "undo": self._undo,
            "concede": self._concede,
            "stand_in": self._stand_in,
            "refusals": self._refusals,
            "resume": self._resume,
            "reactions": self._play,
        }
        self._step = plots[path.scenario.plot]
        self._absent: list[int] = []

    def run(self) -> None:
        for number in range(self.path.scenario.max_moves):
            # new for each step: a question that only some paths ask doesn't change later steps
            self.luck = FastRng(f"{self.path.scenario.name} {number}")
            self._step(number)
            if self.path.over:
                break
        if self.path.over and self.path.audience.view.result.sheet:
            self._after_the_end()
        if not self.path.over and self.path.scenario.plot == "play":
            self._concede_until_over()
        self._did.add("end", {"over": self.path.over, "ply": self.path.audience.view.ply})

    def do(self, what: str, act: Callable[..., None], *args: Any) -> None:
        """Do something at the table, write it down, and wait for what comes of it."""
        self._did.add(what, args)
        act(*args)
        self.path.settle()

    # The plots

    def _play(self, number: int) -> None:
        if (found := self._some_move()) is not None:
            self.do("play", self.path.play, *found)

    def _undo(self, number: int) -> None:
        chance, seats = self.luck.below(OFTEN), sorted(self.path.seats)
        if number > 1 and not chance and seats:
            seat = seats[self.luck.below(len(seats))]
            self.do("undo", self.path.ask_undo, seat)
            self._answer_question()
            if not self.luck.below(2):
                self.do("redo", self.path.redo, seat)
        else:
            self._play(number)

    def _concede(self, number: int) -> None:
        seats = sorted(self.path.seats)
        if number > 4 and not self.luck.below(OFTEN) and seats:
            seat = seats[self.luck.below(len(seats))]
            self.do("concede", self.path.concede, seat)
            self._answer_question()
        else:
            self._play(number)

    def _stand_in(self, number: int) -> None:
        seats = sorted(self.path.seats)
        if number > 2 and not self.luck.below(4):
            if self._absent and self.luck.below(2):
                self.do("back", self.path.stand_in, self._absent.pop(), False)
                return
            if len(seats) > 1:
                self._absent.append(seats[self.luck.below(len(seats))])
                self.do("bot", self.path.stand_in, self._absent[-1], True)
                return
        self._play(number)

    def _refusals(self, number: int) -> None:
        seats = self.path.seats
        if seats:
            seat = seats[sorted(seats)[self.luck.below(len(seats))]]
            self._explain(seat)
            self._send_bad_moves(seat)
        if (found := self._some_move()) is not None:
            self._preview(*found)
            self.do("play_twice", self._play_twice, *found)

    def _resume(self, number: int) -> None:
        if number and not number % 10:
            self.do("resume", lambda: begin_held(self.path, self.path.stop_and_resume))
        elif not self.luck.below(RARELY) and self.path.seats:
            seats = sorted(self.path.seats)
            self.do("undo", self.path.ask_undo, seats[self.luck.below(len(seats))])
            self._answer_question()
        else:
            self._play(number)

    # Their parts

    def _some_move(self) -> tuple[int, Move] | None:
        seats = sorted(self.path.seats.items())
        asked = [(number, ask) for number, seat in seats for ask in sorted(seat.offers)]
        if not asked:
            return None
        seat, ask = asked[self.luck.below(len(asked))]
        offers = self.path.seats[seat].offers[ask]
        return seat, offers[self.luck.below(len(offers))].sample(ask, self.luck)

    def _answer_question(self) -> None:
        agree = bool(self.luck.below(3))
        if self.path.asked():
            self.do("agree" if agree else "disagree", self.path.answer, agree)

    def _play_twice(self, seat: int, move: Move) -> None:
        self.path.play(seat, move)
        self.path.play(seat, move)

    def _explain(self, seat: Seat) -> None:
        """Ask why some cards can do nothing."""
        view, found = seat.view, self._did
        cards = [card for zone in sorted(view.cards) for card in view.cards[zone]]
        zones = sorted(view.cards)
        for _ in range(4 if cards else 0):
            card, zone = cards[self.luck.below(len(cards))], zones[self.luck.below(len(zones))]
            for to in ("", zone):
                found.add("why", (seat.number, card, to, told(seat.why(card, to))))

    def _preview(self, seat: int, move: Move) -> None:
        self._did.add("preview", (seat, move, self.path.seats[seat].preview(move)))

    def _send_bad_moves(self, seat: Seat) -> None:
        ask = min(seat.offers, default=0)
        other = self.path.seats[max(self.path.seats)]
        foreign = min(other.offers, default=0) if other is not seat else 1
        bad = (
            Move(ask, "juggle"),
            Move(ask, "pass", cards=(9_999,)),
            Move(10**6, "pass"),
            Move(foreign, "pass", target="nowhere", choice="nothing"),
        )
        move = bad[self.luck.below(len(bad))]
        if any(offer.admits(move) for offer in seat.offers.get(move.ask, ())):
            return
        self.do("bad_move", self.path.play, seat.number, move)

    def _after_the_end(self) -> None:
        """Do what people try at a table whose match is over."""
        for seat in sorted(self.path.seats)[:2]:
            self.do("late_move", self.path.play, seat, Move(0, "pass"))
            self.do("late_concession", self.path.concede, seat)
            self._answer_question()
        for seat in sorted(self.path.seats)[:2]:
            self.do("late_undo", self.path.ask_undo, seat)
            self._answer_question()

    def _concede_until_over(self) -> None:
        for seat in self.path.scenario.people:
            if not self.path.over and seat in self.path.seats:
                self.do("concede", self.path.concede, seat)
                if self.path.asked():
                    self.do("agree", self.path.answer, True)
