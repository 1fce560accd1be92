"""Duels between the bots of two checkouts: seats, reports, refusals."""

from collections.abc import Sequence
from pathlib import Path
from time import thread_time

import pytest

from tabletop.bots.decision import Decision, Question
from tabletop.bots.worker import agent_of, think
from tabletop.catalogue import catalogue
from tabletop.tournament.arena import ArenaResult
from tests.bench.comparison import HOME
from tests.bench.duels import __main__ as duels
from tests.bench.duels.__main__ import Duel, fought, lead, told


def won(*scores: int) -> ArenaResult:
    best = max(scores)
    winners = tuple(seat for seat, score in enumerate(scores) if score == best)
    empty = ((),) * len(scores)
    return ArenaResult(("hard",) * len(scores), winners, scores, (), 9, {}, empty, empty)


def test_each_program_answers_for_its_own_seats() -> None:
    duel = Duel("sisters", 3, {}, "easy", 1.0, 0, "s")
    agent = agent_of(catalogue.bring, duel.game)
    asked: dict[str, set[int]] = {"new": set(), "old": set()}

    def answering(name: str, question: Question) -> Decision:
        asked[name].add(question.ask.seat)
        return think(agent, question, lambda: False, thread_time)

    for number, (own, result) in enumerate(
        fought(duel, lambda q: answering("new", q), lambda q: answering("old", q), range(3))
    ):
        assert own == number
        assert asked == {"new": {own}, "old": {0, 1, 2} - {own}}
        assert result.winners
        asked = {"new": set(), "old": set()}


def test_shares_stand_with_their_interval_and_the_lead_in_points() -> None:
    played = [(0, won(5, 1, 3)), (1, won(5, 1, 3)), (2, won(2, 2, 2)), (0, won(9, 0, 0))]
    assert lead(*played[1]) == -3
    assert told(played, 3) == ("58.3% (19.5% to 89.0%, 4 games; even 33.3%), points +2.25 (± 5.02)")


def test_two_checkouts_play(capfd: pytest.CaptureFixture[str]) -> None:
    duels.main([str(HOME), "sun", "--tries", "1", "--games", "2"])
    out = capfd.readouterr().out.splitlines()
    assert "2 games; even 50.0%" in out[0]
    assert [line.partition(":")[0] for line in out[1:]] == ["new", "old"]


def test_a_program_whose_bots_end_is_told_of(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tabletop").mkdir()
    (tmp_path / "tabletop" / "__init__.py").write_text("raise SystemExit('of another time')")
    with pytest.raises(SystemExit):
        duels.main([str(tmp_path), "sun", "--tries", "1", "--games", "1"])
    assert "does not answer" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("asked", "refusal"),
    [
        (["no-such-revision", "sun"], '"no-such-revision" is neither'),
        (["main", "sun", "--seats", "3"], "not 3"),
        (["main", "sun", "--option", "colour=red"], "colour"),
        (["main", "sun", "--games", "0"], "needs a game"),
        (["main", "chains"], "needs two seats"),
    ],
)
def test_what_cannot_be_played_is_refused(
    asked: Sequence[str], refusal: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        duels.main(asked)
    assert refusal in capsys.readouterr().err
