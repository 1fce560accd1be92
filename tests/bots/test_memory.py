"""What a bot remembers: the views at the decisions that weren't undone."""

from itertools import islice

import msgspec
import pytest

from tabletop.bots.memory import MAX_VIEWS, Memory
from tabletop.catalogue import catalogue
from tabletop.engine.events import Said
from tabletop.engine.model import State
from tabletop.engine.scratch import FastRng
from tabletop.match.match import Match, Player
from tests.ui.random_matches import some_answer


def decide(memory: Memory, match: Match, seat: int) -> tuple[State, ...]:
    """Return what `memory` has seen before the open decision of `seat`."""
    return memory.recall(match.view(seat), match.log(seat)).seen


def begun(game: str, seats: int) -> Match:
    kit = catalogue.load(game)
    return Match(kit, [Player("")] * seats, catalogue.options(kit), "memory")


def play(match: Match, number: int = 0) -> None:
    """Answer the first open question with the move of this number."""
    ask = next(ask for ask in match.state.asks if ask.id not in match.state.answers)
    moves = (move for offer in match.offers(ask.seat)[ask.id] for move in offer.moves(ask.id))
    match.submit(ask.seat, next(islice(moves, number, None)))


def test_views_of_undone_moves_are_forgotten() -> None:
    """Even if the next decision is later than theirs."""
    match, memory = begun("sisters", 3), Memory()
    seat = match.state.asks[0].seat
    first = match.view(seat)
    assert decide(memory, match, seat) == ()
    play(match)
    while match.state.asks[0].seat != seat:
        play(match)
    undone = match.view(seat)
    assert decide(memory, match, seat) == (first,)
    for _ in range(undone.ply):
        match.undo(None)
    play(match, 1)
    while match.state.ply <= undone.ply or match.state.asks[0].seat != seat:
        play(match)
    assert decide(memory, match, seat) == (first,)


def test_the_decision_that_is_open_again_is_not_remembered() -> None:
    match, memory = begun("sun", 2), Memory()
    seat = match.state.asks[0].seat
    decide(memory, match, seat)
    play(match)
    match.undo(None)
    assert decide(memory, match, seat) == ()


def test_a_log_that_was_sent_again_is_the_same_log() -> None:
    match, memory = begun("sisters", 2), Memory()
    seat = match.state.asks[0].seat
    decide(memory, match, seat)
    play(match)
    play(match)
    log = match.log(seat)
    again = msgspec.msgpack.decode(msgspec.msgpack.encode(log), type=tuple[Said, ...])
    assert again[0] is not log[0]
    assert len(memory.recall(match.view(seat), again).seen) == 1


@pytest.mark.parametrize(("game", "seats"), [("awss", 3), ("sisters", 2), ("royale", 3)])
def test_a_resumed_match_is_remembered_as_one_that_was_played(game: str, seats: int) -> None:
    kit = catalogue.load(game)
    match = Match(kit, [Player("")] * seats, catalogue.options(kit), "resumed")
    memories, luck = [Memory() for _ in range(seats)], FastRng("resumed")
    for number in range(60):
        if match.state.result is not None:
            break
        seat, move = some_answer(match, luck)
        decide(memories[seat], match, seat)
        match.submit(seat, move)
        if number % 7 == 3:
            match.undo(None)
    match.limit_memory()  # as at a hosted table
    for seat, memory in enumerate(memories):
        heard = match.log(seat)
        later = match.view(seat)
        resumed = Memory.of_match(match, seat).recall(later, heard)
        assert resumed == memory.recall(later, heard)
        assert 1 < len(resumed.seen) <= MAX_VIEWS


def test_a_withdrawn_answer_is_no_decision() -> None:
    match = begun("awss", 3)
    seat = match.state.asks[0].seat
    play(match)
    match.undo(seat)
    before = match.view(seat)
    for _ in range(3):
        play(match)
    later = match.view(seat)
    seen = Memory.of_match(match, seat).recall(later, match.log(seat)).seen
    assert len(seen) == 1
    assert seen[0].ply >= before.ply
