"""Chances to react: questions, passes, and that nobody can tell the difference."""

from collections.abc import Callable

import pytest

from tabletop.catalogue import catalogue
from tabletop.engine.model import AUDIENCE, Ask, Move, State
from tabletop.match.match import Match, Player, Update
from tabletop.match.reactions import (
    PASS,
    POLICY_LABELS,
    PassPolicy,
    can_react,
    has_reactions,
    is_reaction_chance,
    passes_unasked,
)
from tabletop.match.seat import ReactionSettings, Seat
from tabletop.studio.laws.random_games import GameTable, open_asks, turns

BLANK, ROYALE = catalogue.load("_blank"), catalogue.load("royale")
PAUSE = 2000


class Clock:
    """Time that passes on request."""

    def __init__(self) -> None:
        self.now = 0
        self._due: list[tuple[int, Callable[[], None]]] = []

    def later(self, wait: int, act: Callable[[], None]) -> Callable[[], None]:
        entry = (self.now + wait, act)
        self._due.append(entry)
        return lambda: self._due.remove(entry) if entry in self._due else None

    def run(self, to: int) -> None:
        self.now = to
        for entry in [each for each in self._due if each[0] <= to]:
            self._due.remove(entry)
            entry[1]()


def window(holding: bool) -> Match:
    """Goldfish Night with a splash window in which seat 1 does, or does not, hold a splash."""
    for number in range(400):
        match = Match(BLANK, [Player(n) for n in "abc"], seed=f"w{number}")
        for _ in range(40):
            asks = [ask for seat in range(3) for ask in match.asks(seat)]
            if {ask.seat for ask in asks if ask.what == "splash"} == {1, 2}:
                if can_react(asks[0], match.offers(1)[asks[0].id]) == holding:
                    return match
                break
            if not asks:
                break
            (*_, offer) = sorted(match.offers(asks[0].seat)[asks[0].id], key=lambda o: o.verb)
            match.submit(asks[0].seat, next(offer.moves(asks[0].id)))
    raise AssertionError("no such window")


class Chair:
    """Seat 1 with somebody beside it, and what everybody else hears, with its time."""

    def __init__(self, match: Match, way: PassPolicy) -> None:
        self.match = match
        self.clock = Clock()
        self.way: PassPolicy = way
        self.heard: list[tuple[int, bytes]] = []
        match.add_listener(AUDIENCE, self._hear)
        self.seat = Seat.at_table(match, 1)
        self.seat.set_reactions(
            ReactionSettings(BLANK.meaning, lambda: self.way, lambda: PAUSE, self.clock.later)
        )
        self.number = match.asks(1)[0].id

    def _hear(self, message: object) -> None:
        assert isinstance(message, Update)
        self.heard.append((self.clock.now, repr(message.events).encode()))


@pytest.mark.parametrize("holding", [False, True])
def test_who_is_asked_always_is_asked_and_answers_at_once(holding: bool) -> None:
    seat = Chair(window(holding), "ask")
    seat.clock.run(10 * PAUSE)
    assert seat.heard == []
    assert seat.number in seat.seat.offers
    seat.seat.send(Move(seat.number, PASS))
    assert len(seat.heard) == 1


def test_without_an_answer_the_pass_goes_out_after_the_pause() -> None:
    seat = Chair(window(False), "able")
    assert seat.seat.offers == {}
    assert seat.seat.is_passing
    seat.clock.run(PAUSE - 1)
    assert seat.heard == []
    seat.clock.run(PAUSE)
    assert [time for time, _ in seat.heard] == [PAUSE]
    assert not seat.seat.is_passing


def test_nobody_can_tell_a_pass_by_choice_from_one_without_one() -> None:
    without, by_choice = Chair(window(False), "able"), Chair(window(True), "able")
    assert by_choice.number in by_choice.seat.offers, "she is asked"
    by_choice.clock.run(300)
    by_choice.seat.send(Move(by_choice.number, PASS))
    assert by_choice.seat.offers == {}, "she has answered"
    for seat in (without, by_choice):
        seat.clock.run(PAUSE)
    assert without.heard[0][0] == by_choice.heard[0][0] == PAUSE
    assert len(without.heard) == len(by_choice.heard) == 1


def test_a_reset_keeps_the_answer_that_a_pause_holds_back() -> None:
    seat = Chair(window(True), "able")
    seat.seat.send(Move(seat.number, PASS))
    seat.seat.receive(seat.match.make_reset(1))
    assert seat.seat.pending == Move(seat.number, PASS)
    assert seat.heard == []
    seat.clock.run(PAUSE)
    assert len(seat.heard) == 1
    assert seat.seat.pending is None


def test_another_way_does_not_hurry_the_answer_that_is_held_back() -> None:
    seat = Chair(window(True), "able")
    seat.seat.send(Move(seat.number, PASS))
    seat.way = "ask"
    seat.seat.reapply_pass_policy()
    assert seat.heard == []
    seat.clock.run(PAUSE)
    assert len(seat.heard) == 1


def test_a_closed_seat_passes_nothing() -> None:
    seat = Chair(window(False), "able")
    seat.seat.close()
    assert not seat.seat.is_passing
    seat.clock.run(10 * PAUSE)
    assert seat.heard == []


def test_who_thinks_longer_than_the_pause_answers_at_once() -> None:
    seat = Chair(window(True), "able")
    seat.clock.run(PAUSE + 500)
    assert seat.heard == []
    seat.seat.send(Move(seat.number, PASS))
    assert [time for time, _ in seat.heard] == [PAUSE + 500]


@pytest.mark.parametrize("holding", [False, True])
@pytest.mark.parametrize("way", ["own", "pass"])
def test_passing_until_ones_turn_passes_at_once(way: PassPolicy, holding: bool) -> None:
    seat = Chair(window(holding), way)
    seat.clock.run(0)
    assert [time for time, _ in seat.heard] == [0]


def test_another_way_holds_for_what_is_open_already() -> None:
    seat = Chair(window(False), "able")
    seat.way = "ask"
    seat.seat.reapply_pass_policy()
    seat.clock.run(10 * PAUSE)
    assert seat.heard == []
    assert seat.number in seat.seat.offers
    seat.way = "pass"
    seat.seat.reapply_pass_policy()
    seat.clock.run(10 * PAUSE)
    assert len(seat.heard) == 1


def test_an_automatic_pass_can_be_withdrawn() -> None:
    seat = Chair(window(True), "pass")
    seat.clock.run(0)
    seat.way = "ask"
    assert seat.seat.undoable
    seat.seat.undo()
    assert list(seat.seat.offers) == [seat.match.asks(1)[0].id]
    seat.clock.run(10 * PAUSE)
    assert len(seat.match.asks(1)) == 1


def test_a_refused_answer_is_refused_at_once_and_nothing_is_kept() -> None:
    seat, refusals = Chair(window(True), "able"), []
    seat.seat.on_refusal(refusals.append)
    seat.seat.send(Move(seat.number, "juggle"))
    assert len(refusals) == 1
    assert seat.seat.pending is None
    assert seat.number in seat.seat.offers


def test_who_leaves_passes_no_more() -> None:
    seat = Chair(window(False), "able")
    seat.seat.close()
    seat.clock.run(PAUSE)
    assert seat.heard == []


def test_a_game_has_chances_where_it_names_some() -> None:
    assert has_reactions(ROYALE.meaning)
    assert has_reactions(BLANK.meaning)
    assert not has_reactions(catalogue.load("sun").meaning)


def test_royale_marks_every_window_and_nothing_else() -> None:
    setting = GameTable("r", ROYALE.rules, ROYALE.backs, 6, catalogue.options(ROYALE))
    seen = set()
    for number in range(4):
        for turn in turns(setting, f"marks {number}"):
            for ask in open_asks(turn.after):
                offers = ROYALE.rules.offers(turn.after, ask)
                passable = any(offer.admits(Move(ask.id, PASS)) for offer in offers)
                assert is_reaction_chance(ROYALE.meaning, ask, offers) == passable, ask
                seen |= {ask.what} if passable else set()
    assert seen == ROYALE.meaning.reactions.keys()


def test_a_player_is_asked_in_their_own_turn_and_affairs() -> None:
    state = State(3, (), values={"active": 1})
    near, hit = Ask(0, 2, "near"), Ask(0, 2, "hit_suffered")
    meaning, own = ROYALE.meaning, Ask(0, 1, "near")
    assert [passes_unasked(meaning, state, near, each) for each in POLICY_LABELS] == [
        False,
        False,
        True,
        True,
    ]
    assert [passes_unasked(meaning, state, hit, each) for each in POLICY_LABELS] == [
        False,
        False,
        False,
        True,
    ]
    assert not any(passes_unasked(meaning, state, own, each) for each in POLICY_LABELS)
