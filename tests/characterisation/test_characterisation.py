"""A few of the characterised matches: every client is sent what is recorded, on every path."""

import os
import subprocess
import sys

import pytest

from tests.characterisation.runs import PATHS, Run, differences, read_digests, wanted
from tests.characterisation.scenarios import scenarios
from tests.characterisation.transcript import Transcript
from tests.net.loopback import HANGS

MATCHES = {scenario.name: scenario for scenario in scenarios()}


@pytest.mark.parametrize("path", PATHS)
def test_every_client_is_sent_what_is_recorded(path: str) -> None:
    """In a process of its own: the windows of other tests would find its settings and fonts."""
    words = [sys.executable, "-m", "tests.characterisation", "compare", "sample", path]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    played = subprocess.run(words, capture_output=True, text=True, timeout=HANGS, env=environment)
    assert played.returncode == 0, played.stdout + played.stderr


def test_every_match_is_recorded_on_every_path() -> None:
    assert set(read_digests()) == {f"{scenario.name} {path}" for scenario, path in wanted(())}


SHARED = ("audience", "replay", "seat")
"""The parts that are the same on every path if its people do the same."""


@pytest.mark.parametrize("path", ["guests", "own host"])
def test_people_who_do_the_same_are_sent_the_same(path: str) -> None:
    kept, same = read_digests(), 0
    for name in MATCHES:
        here, there = kept[f"{name} hot seat"].parts, kept[f"{name} {path}"].parts
        if here["script"] == there["script"]:
            same += 1
            shared = [part for part in here if part.split()[0] in SHARED]
            assert [here[part] for part in shared] == [there[part] for part in shared], name
    assert same > len(MATCHES) / 4


def test_guests_are_sent_the_same_wherever_they_sit() -> None:
    kept, same = read_digests(), 0
    for name in MATCHES:
        guests, window = kept[f"{name} guests"].parts, kept[f"{name} own host"].parts
        if guests["script"] == window["script"]:
            same += 1
            shared = guests.keys() & window.keys() - {"table", "verdict"}
            assert {p: guests[p] for p in shared} == {p: window[p] for p in shared}, name
    assert same > len(MATCHES) / 2


def test_a_match_of_phones_is_as_one_of_guests() -> None:
    kept = read_digests()
    for name, scenario in MATCHES.items():
        if scenario.plot == "undo":
            continue  # a phone can't play an undone move again
        guests, phones = kept[f"{name} guests"].parts, kept[f"{name} phones"].parts
        for part in ("audience", "record", "replay"):  # a phone's bad moves don't reach its seat
            assert guests[part] == phones[part], name


def test_one_line_more_is_a_difference() -> None:
    transcript = Transcript()
    transcript.add("update", {"ply": 1})
    before = Run("guests", "sun-2", {"seat 0": transcript.digest}, {"update": 1})
    transcript.add("update", {"ply": 2})
    now = Run("guests", "sun-2", {"seat 0": transcript.digest}, {"update": 2})
    assert differences(before, before) == []
    assert differences(before, now) == ["seat 0", "update: 1 lines before, 2 now"]
