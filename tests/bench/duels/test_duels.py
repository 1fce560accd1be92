"""Duels between the bots of two checkouts: seats, reports, refusals."""

import pytest

from tests.bench.comparison import HOME
from tests.bench.duels import __main__ as duels


def test_two_checkouts_play(capfd: pytest.CaptureFixture[str]) -> None:
    duels.main([str(HOME), "sun", "--tries", "1", "--games", "2"])
    out = capfd.readouterr().out.splitlines()
    assert "2 games; even 50.0%" in out[0]
    assert [line.partition(":")[0] for line in out[1:]] == ["new", "old"]


def test_levels_of_two_programs_differ() -> None:
    duel = duels.Duel("awss", 3, {}, "hard", "normal", 0.1, 0, "1")
    assert duel.pairing(1).seating == ("normal", "hard", "normal")
    assert duel.newcomer(1) == 1
