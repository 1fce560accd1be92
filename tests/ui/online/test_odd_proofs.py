"""The window has a verdict on whatever a host publishes after a match."""

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.engine.model import AUDIENCE
from tabletop.engine.play import Illegal
from tabletop.match.match import Match, Player
from tabletop.protocol.fairness import UNVERIFIABLE, FairnessTranscript, derive_seed, seal_share
from tabletop.protocol.messages import MatchProof
from ui.online.remote_table import RemoteTable
from ui.online.shared_record import SharedRecord

KIT = catalogue.load("sun")


def seen() -> tuple[FairnessTranscript, MatchProof]:
    """A match that was dealt and conceded, as a guest at seat 0 saw it, and its proof."""
    host, shares = "2c", {0: "0a", 1: "1b"}
    heard = FairnessTranscript("t", 1, seal_share(host, "t", 1, AUDIENCE))
    heard.seals = {seat: seal_share(share, "t", 1, seat) for seat, share in shares.items()}
    heard.own_shares = {0: shares[0]}
    seed = derive_seed("t", 1, host, shares)
    match = Match(KIT, [Player("Ann"), Player("Bea")], None, seed)
    heard.add_message(0, 0, match.make_reset(0))
    match.concede(1)
    options, record = match.state.options, tuple(match.record)
    return heard, MatchProof(1, KIT.id, match.players, options, host, shares, seed, record)


@pytest.fixture
def remote() -> RemoteTable:
    """A table whose host proves that nobody has played the match that was seen."""
    heard, proof = seen()
    table = RemoteTable()
    table.guest._fair_shuffle.proved_transcript = heard
    table.guest.proof = replace(proof, players=())
    return table


def test_a_proof_without_players_is_not_verified(remote: RemoteTable, qtbot: QtBot) -> None:
    proof = remote.guest.proof
    assert proof is not None
    with qtbot.waitSignal(remote.proof_checked, timeout=60_000):
        remote.proof_check.start(proof)
    assert remote.proof_check.verdict == UNVERIFIABLE


def test_a_proof_of_an_unknown_game_is_not_verified(remote: RemoteTable) -> None:
    proof = remote.guest.proof
    assert proof is not None
    assert remote.guest.check_proof(replace(proof, game="no such game")) == UNVERIFIABLE


def test_a_published_match_without_players_is_illegal(remote: RemoteTable) -> None:
    with pytest.raises(Illegal):
        SharedRecord(None, remote, KIT).saveable_match  # noqa: B018


@pytest.mark.parametrize("error", [KeyError, TypeError, RecursionError])
def test_a_published_match_that_rules_fail_at_is_illegal(
    error: type[Exception], remote: RemoteTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise error("unforeseen")

    remote.guest.proof = seen()[1]
    monkeypatch.setattr(Match, "restore", fail)
    with pytest.raises(Illegal):
        SharedRecord(None, remote, KIT).saveable_match  # noqa: B018
