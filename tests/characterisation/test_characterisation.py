"""A few of the characterised matches: every client is sent what is recorded, on every path."""

import pytest

from tests.characterisation.runs import PATHS, Run, differences, read_digests, run
from tests.characterisation.scenarios import SAMPLE, scenarios
from tests.characterisation.transcript import Transcript

MATCHES = {scenario.name: scenario for scenario in scenarios()}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("name", SAMPLE)
def test_every_client_is_sent_what_is_recorded(name: str, path: str) -> None:
    found, _ = run(MATCHES[name], path)
    assert differences(read_digests()[found.name], found) == []


def test_every_match_is_recorded_on_every_path() -> None:
    assert set(read_digests()) == {f"{name} {path}" for name in MATCHES for path in PATHS}


def test_one_line_more_is_a_difference() -> None:
    transcript = Transcript()
    transcript.add("update", {"ply": 1})
    before = Run("guests", "sun-2", {"seat 0": transcript.digest}, {"update": 1})
    transcript.add("update", {"ply": 2})
    now = Run("guests", "sun-2", {"seat 0": transcript.digest}, {"update": 2})
    assert differences(before, before) == []
    assert differences(before, now) == ["seat 0", "update: 1 lines before, 2 now"]
