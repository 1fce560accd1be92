"""The review of a match: it finds what cost most, by what the player could know, and no more."""

import json
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from tabletop.bots import normal
from tabletop.bots.decision import Decision, Question
from tabletop.bots.worker import make_agent, think
from tabletop.catalogue import catalogue
from tabletop.commands.command_line import main
from tabletop.engine.mask import mask
from tabletop.engine.model import Ask, Move
from tabletop.engine.scratch import FastRng, SimulationTable
from tabletop.match.match import Match
from tabletop.review.review import (
    MAX_FINDINGS,
    MIN_SHARE,
    Mistake,
    PlayedMove,
    Review,
    ReviewBudget,
    played_moves,
)
from tests.net.loopback import LONG
from tests.review.matches import dealt, open_ask, ponder, reel_of
from tests.storage.corpus import LATEST

PACE = ReviewBudget(tries=60)
BLUNDERS = {"sun": 0.1, "sisters": 0.1, "chains": 0.05, "awss": 0.1, "royale": 0.1}
"""So much worse than the best a move certainly is that is made on purpose."""
CERTAIN = 1000
"""The tries by which that is known."""


def worst(match: Match, ask: Ask) -> Move | None:
    """A move here that is much worse than the best one: as far as one step shows, and then proved
    at length, in worlds that no review will see."""
    game = match.kit.id
    agent, least = make_agent(catalogue.load_bot_parts, game), BLUNDERS[game]
    view, luck = match.view(ask.seat), FastRng("worst")
    question = Question(game, "hard", view, ask, match.offers(ask.seat)[ask.id], tries=CERTAIN)
    moves = agent.heuristic.moves(view, ask, luck)
    found = normal.evaluate(agent, question, moves, luck, lambda: False)
    if found[0].worth - found[-1].worth < least:
        return None
    both = replace(question, seed="proved", compared=(found[-1].move, found[0].move))
    better, bad = think(agent, both, lambda: False).estimates
    proved = bad.move == found[-1].move and better.worth - bad.worth - better.error >= least
    return bad.move if proved else None


@cache
def blundered(game: str, seats: int, seed: str) -> tuple[Match, int]:
    """A match that is played by the heuristic but for one move of seat 0, and after which move."""
    match, blunder = dealt(game, seats, seed), 0
    agent, luck = make_agent(catalogue.load_bot_parts, game), FastRng("instinct")
    while match.state.result is None:
        ask = open_ask(match)
        bad = worst(match, ask) if ask.seat == 0 and not blunder and len(match.record) > 3 else None
        table = SimulationTable(match.state, luck)
        match.submit(ask.seat, bad or agent.heuristic.answer(table, ask, luck))
        if bad:
            blunder = len(match.record)
        elif blunder and len(match.record) > blunder + 12:
            break
    return match, blunder


@cache
def found_in(game: str, seats: int, seed: str) -> tuple[Mistake, ...]:
    """What costs most in such a match."""
    match, _ = blundered(game, seats, seed)
    return Review(played_moves(reel_of(match), 0), ponder, PACE).run()


@pytest.mark.parametrize(
    ("game", "seats", "seed"),
    [
        ("sun", 2, "7"),
        ("sisters", 3, "7"),
        ("awss", 3, "9"),
        *([("chains", 2, "9"), ("royale", 2, "7")] if LONG else []),
    ],
)
def test_a_blunder_is_found_in_every_game(game: str, seats: int, seed: str) -> None:
    match, blunder = blundered(game, seats, seed)
    assert blunder
    found = found_in(game, seats, seed)
    assert blunder in [finding.ply for finding in found]
    assert 1 <= len(found) <= MAX_FINDINGS
    assert [f.cost for f in found] == sorted((f.cost for f in found), reverse=True)
    for finding in found:
        assert MIN_SHARE <= finding.cost <= 1
        assert finding.better != finding.played
        offers = match.kit.rules.offers(finding.view, finding.ask)
        assert any(offer.admits(finding.better) for offer in offers)


def test_the_same_simulations_find_the_same() -> None:
    made = played_moves(reel_of(blundered("sun", 2, "7")[0]), 0)
    assert Review(made, ponder, PACE).run() == found_in("sun", 2, "7")


@pytest.mark.parametrize(("game", "seats"), [("sun", 2), ("awss", 4), ("royale", 4)])
def test_a_decision_holds_what_its_player_knew_then(game: str, seats: int) -> None:
    """The view, the log and the memories of that moment: nothing of what came to light later."""
    match, luck = dealt(game, seats, "3"), FastRng("3")
    known: dict[int, tuple[object, object]] = {}
    while match.state.result is None and len(match.record) < 150:
        ask = open_ask(match)
        offers = match.offers(ask.seat)[ask.id]
        if ask.seat == 1:
            known[len(match.record) + 1] = match.view(1), match.log(1)
        match.submit(ask.seat, offers[luck.below(len(offers))].sample(ask.id, luck))
    made = played_moves(reel_of(match), 1)
    assert made
    for played_move in made:
        question = played_move.question
        assert (question.view, question.past.heard) == known[played_move.ply]
        assert mask(question.view, 1) == question.view
        assert all(seen.viewer == 1 and seen.ply < question.view.ply for seen in question.past.seen)


def test_what_was_withdrawn_or_taken_back_was_not_decided() -> None:
    match, luck = dealt("sisters", 2, "5"), FastRng("5")
    ask = open_ask(match)
    offers = match.offers(ask.seat)[ask.id]
    first = offers[0].sample(ask.id, luck)
    match.submit(ask.seat, first)
    match.undo(ask.seat)
    again = open_ask(match)
    assert again.seat == ask.seat
    second = match.offers(again.seat)[again.id][-1].sample(again.id, luck)
    match.submit(again.seat, second)
    made = played_moves(reel_of(match), ask.seat)
    assert [played_move.move.ask for played_move in made] == [again.id]


def test_a_set_of_cards_is_the_same_in_any_order() -> None:
    """A player may have put cards together in another order than an agent names them in."""
    match, luck = dealt("royale", 3, "7"), FastRng("7")
    while True:
        ask = open_ask(match)
        offers = match.offers(ask.seat)[ask.id]
        move = offers[luck.below(len(offers))].sample(ask.id, luck)
        turned = replace(move, cards=move.cards[::-1])
        match.submit(ask.seat, turned)
        if turned != move:
            break
    made = played_moves(reel_of(match), ask.seat)
    assert made[-1].move == move


def test_it_can_be_cancelled_while_it_thinks() -> None:
    asked, asking = [], threading.Event()

    def never(question: Question) -> "Future[Decision]":
        future: Future[Decision] = Future()
        asked.append(future)
        asking.set()
        return future

    match, _ = blundered("sun", 2, "7")
    review = Review(played_moves(reel_of(match), 0), never)

    def cancel() -> None:
        asking.wait()
        review.cancel()

    other = threading.Thread(target=cancel)
    other.start()
    with pytest.raises(CancelledError):
        review.run()
    other.join()
    assert all(future.cancelled() for future in asked)


def test_who_has_to_answer_in_haste_proves_nothing() -> None:
    def hasty(question: Question) -> "Future[Decision]":
        future: Future[Decision] = Future()
        move = question.offers[0].sample(question.ask.id, FastRng("1"))
        future.set_result(Decision(move, "easy", trouble="WorkerTimeout"))
        return future

    match, _ = blundered("sun", 2, "7")
    made: tuple[PlayedMove, ...] = played_moves(reel_of(match), 0)
    assert Review(made, hasty).run() == ()


# The command


def test_the_command_tells_what_cost_most(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, run = str(LATEST / "sisters-2.tabletop"), Review.run
    thought: list[tuple[Mistake, ...]] = []

    def once(review: Review, tell: Callable[[int, int], None]) -> tuple[Mistake, ...]:
        """What the second command tells too, in words."""
        thought[:] = thought or [run(review, tell)]
        return thought[0]

    monkeypatch.setattr(Review, "run", once)
    assert main(["review", file, "--seat", "2", "--seconds", "0.05", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found
    assert all(each["better"] != each["played"] for each in found)
    assert all(each["better_text"].startswith("Use ") and each["why"] for each in found)
    assert main(["review", file, "--seat", "2", "--seconds", "0.05"]) == 0
    assert "Better: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("file", "seat", "told"),
    [
        ("sun-2", "7", "There is no seat"),
        ("sun-2", "audience", "The audience makes no moves"),
        ("missing", "1", "missing"),
        ("sun-unfinished", "1", "only finished matches can be reviewed"),
    ],
)
def test_the_command_says_what_is_wrong(
    file: str, seat: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["review", str(LATEST / f"{file}.tabletop"), "--seat", seat]) == 2
    said = capsys.readouterr()
    assert told in said.err
    assert said.out == ""


def test_a_record_of_other_rules_is_not_reviewed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = (LATEST / "sun-2.tabletop").read_text(encoding="utf-8")
    old = tmp_path / "old.tabletop"
    old.write_text(content.replace('"rules":1', '"rules":0', 1), encoding="utf-8")
    assert main(["review", str(old)]) == 2
    assert "other rules" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("game", "seats"), [("sun", 2), ("sisters", 3), ("chains", 2), ("awss", 3), ("royale", 4)]
)
def test_every_hint_says_why(game: str, seats: int) -> None:
    match, luck = dealt(game, seats, "3"), FastRng("3")
    agent = make_agent(catalogue.load_bot_parts, game)
    while match.state.result is None:
        ask = open_ask(match)
        view, offers = match.view(ask.seat), match.offers(ask.seat)[ask.id]
        for offer in offers:
            move = offer.sample(ask.id, luck)
            assert agent.heuristic.reason(view, ask, move), (ask.what, move.verb)
        match.submit(ask.seat, offers[luck.below(len(offers))].sample(ask.id, luck))
