"""Saves of every format that was ever released; they must open for ever.

A file of rules that have changed since is watched where it has events, and is refused with both
versions named where it has not.
"""

import pytest

from tabletop.files.errors import RulesMismatch
from tabletop.storage.plies import is_playable, plies
from tabletop.storage.record import FORMAT, read, replay
from tests.storage.corpus import CORPUS, LATEST

FILES = sorted(CORPUS.glob("*/*.tabletop"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_save_of_a_released_format_opens(file):
    record = read(file)
    assert f"format-{record.header.format}" == file.parent.name
    if is_playable(record):
        match = replay(record)
        assert [ply.state for ply in plies(record)] == [ply.state for ply in match.plies]
        over = match.state.result is not None
    else:
        with pytest.raises(RulesMismatch):
            replay(record)
        if record.deal is None:
            return
        over = plies(record)[-1].state.result is not None
    assert over == ("unfinished" not in file.stem)


def test_every_format_is_in_the_corpus():
    assert {file.parent.name for file in FILES} == {f"format-{n}" for n in range(1, FORMAT + 1)}


def test_additions_to_a_match_are_still_there():
    record = read(LATEST / "sun-2.tabletop")
    assert record.comments == {5: "A fine start.\n二行目"}
    assert record.name == "Corpus 一番"
    assert record.header.languages == ("en", "ja")
    assert record.end.scores == plies(record)[-1].state.result.scores
