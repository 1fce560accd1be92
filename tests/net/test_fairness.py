"""A host that chose the cards, or told anybody anything else than what was so, is found out."""

import re
from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace

from tabletop.engine.model import AUDIENCE
from tabletop.engine.scratch import Luck
from tabletop.games import catalogue
from tabletop.history import Entry
from tabletop.match import Match, Player, Reset, Update
from tabletop.net.fairness import (
    FAIR,
    OTHER_SEED,
    OTHER_SHARE,
    FairnessTranscript,
    Verdict,
    mixed,
    new_share,
    sealed,
)
from tabletop.net.protocol import Proof
from tests.laws.random_games import some_answer

KIT = catalogue.load("sun")
TABLE, ROUND = "t", 3


def whole(message: bytes) -> Update | Reset:
    """What a guest makes of a message."""
    return msgspec.json.decode(message, type=Update | Reset)


def untagged(message: bytes) -> Update | Reset:
    """The message of a host whose rules tag no sentences."""
    return whole(re.sub(rb'"tag":"[^"]+"', b'"was":""', message))


def played(
    viewers: tuple[int, ...] = (0, AUDIENCE), decode: Callable[[bytes], Update | Reset] = whole
) -> tuple[FairnessTranscript, Proof]:
    """A match at an honest host: what a guest at seat 0 heard of it, and the proof."""
    host, shares = new_share(), {0: new_share(), 1: new_share()}
    heard = FairnessTranscript(TABLE, ROUND, sealed(host, TABLE, ROUND, AUDIENCE))
    heard.seals = {seat: sealed(share, TABLE, ROUND, seat) for seat, share in shares.items()}
    heard.own = {0: shares[0]}
    seed = mixed(TABLE, ROUND, host, shares)
    match = Match(KIT.game, KIT.backs, [Player("Ann"), Player("Bea")], catalogue.options(KIT), seed)
    for viewer in viewers:
        heard.note(viewer, 0, decode(msgspec.json.encode(match.reset(viewer))))

        def note(news: Update | Reset, viewer: int = viewer) -> None:
            heard.note(viewer, len(match.record), decode(msgspec.json.encode(news)))

        match.listen(viewer, note)
    luck = Luck("fair")
    for number in range(14):
        ask, move = some_answer(KIT.game, match.state, luck)
        match.submit(ask.seat, move)
        if number == 5:
            match.undo(None)
    match.concede(1)
    proof = Proof(
        *(ROUND, "sun", match.players, match.state.options, host, shares, seed),
        tuple(match.record),
    )
    return heard, proof


def test_an_honest_match_is_fair() -> None:
    heard, proof = played()
    assert heard.judge(proof, KIT) == FAIR


def test_a_host_that_tags_no_sentence_is_as_fair() -> None:
    heard, proof = played(decode=untagged)
    assert heard.judge(proof, KIT) == FAIR


@pytest.mark.parametrize(
    ("cheat", "why"),
    [
        (lambda p: replace(p, secret=new_share()), OTHER_SHARE),
        (lambda p: replace(p, shares=p.shares | {1: new_share()}), OTHER_SHARE),
        (lambda p: replace(p, shares={0: p.shares[0]}), OTHER_SHARE),
        (lambda p: replace(p, round=ROUND + 1), OTHER_SHARE),
        (lambda p: replace(p, seed=new_share()), OTHER_SEED),
    ],
    ids=["the host's share", "another's share", "a share left out", "another round", "the seed"],
)
def test_a_seed_that_was_chosen_is_found_out(cheat: Callable[[Proof], Proof], why: object) -> None:
    heard, proof = played()
    verdict = heard.judge(cheat(proof), KIT)
    assert (verdict.fair, verdict.reason) == (False, why)


def test_a_share_of_ones_own_cannot_be_replaced_with_its_seal() -> None:
    heard, proof = played()
    share = new_share()
    heard.seals = heard.seals | {0: sealed(share, TABLE, ROUND, 0)}
    shares = proof.shares | {0: share}
    seed = mixed(TABLE, ROUND, proof.secret, shares)
    assert not heard.judge(replace(proof, shares=shares, seed=seed), KIT).fair


@pytest.mark.parametrize("at", [1, 7, 12])
def test_another_record_is_found_out_at_the_move_that_differs(at: int) -> None:
    heard, proof = played()
    entry = proof.record[at - 1]
    changed = (*proof.record[: at - 1], Entry(1 - entry.seat, entry.move), *proof.record[at:])
    verdict = heard.judge(replace(proof, record=changed), KIT)
    assert (verdict.fair, verdict.at) == (False, at)
    short = heard.judge(replace(proof, record=proof.record[:at]), KIT)
    assert not short.fair


@pytest.mark.parametrize("viewer", [0, AUDIENCE])
def test_a_lie_to_one_viewer_is_found_out(viewer: int) -> None:
    heard, proof = played()
    lie = Update(99, ())
    heard.note(viewer, 4, lie)
    assert heard.judge(proof, KIT) == Verdict(
        False, replace(heard.judge(proof, KIT).reason, args={"n": 4}), 4
    )
