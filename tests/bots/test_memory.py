"""What a bot remembers: the views at the decisions that weren't undone."""

from collections.abc import Sequence

import pytest

from tabletop.bots.memory import MAX_VIEWS, Memory
from tabletop.catalogue import catalogue
from tabletop.engine.events import Said
from tabletop.engine.model import State
from tabletop.engine.scratch import FastRng
from tabletop.match.match import Match, Player
from tests.match.test_match import answer, market, take
from tests.ui.random_matches import some_answer


def decide(memory: Memory, match: Match, seat: int) -> tuple[State, ...]:
    """Return what `memory` has seen before the open decision of `seat`."""
    return memory.recall(match.view(seat), match.log(seat)).seen


def test_views_of_undone_moves_are_forgotten() -> None:
    """Even if the next decision is later than theirs."""
    match, memory = market(3), Memory()
    take(match, 0, 0)
    first = match.view(1)
    assert decide(memory, match, 1) == ()
    for seat, card in ((1, 1), (2, 2), (0, 3)):
        take(match, seat, card)
    undone = match.view(1)
    assert decide(memory, match, 1) == (first,)
    for _ in range(3):
        match.undo(None)
    for seat in (1, 2, 0):
        answer(match, seat, "draw")
    answer(match, 1, "bids")
    assert match.state.ply > undone.ply
    assert decide(memory, match, 1) == (first,)


def test_the_decision_that_is_open_again_is_not_remembered() -> None:
    match, memory = market(), Memory()
    decide(memory, match, 0)
    take(match, 0, 0)
    match.undo(0)
    assert decide(memory, match, 0) == ()


def test_a_log_that_was_sent_again_is_the_same_log() -> None:
    match, memory = market(), Memory()
    decide(memory, match, 0)
    take(match, 0, 0)
    take(match, 1, 1)
    again: Sequence[Said] = [Said(*(getattr(s, f) for f in s.__struct_fields__))
                             for s in match.log(0)]  # fmt: skip
    assert again[0] is not match.log(0)[0]
    assert len(memory.recall(match.view(0), again).seen) == 1


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
    match = market()
    answer(match, 0, "bids")
    answer(match, 0, "bid", choice="1")
    match.undo(0)
    before = match.view(0)
    answer(match, 0, "bid", choice="2")
    answer(match, 1, "bid", choice="2")
    later = match.view(0)
    seen = Memory.of_match(match, 0).recall(later, match.log(0)).seen
    assert [view.ply for view in seen] == [0, before.ply]
