"""Saves of every format that was ever released; they must open for ever.

A file of rules that have changed since is watched where it tells what happened, and is refused
with both versions named where it does not.
"""

from pathlib import Path

import pytest

from tabletop.storage.frames import frames, playable
from tabletop.storage.record import FORMAT, read, replay
from tabletop.storage.trouble import OtherRules

CORPUS = Path(__file__).with_name("corpus")
FILES = sorted(CORPUS.glob("*/*.tabletop"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_save_of_a_released_format_opens(file):
    record = read(file)
    assert f"format-{record.header.format}" == file.parent.name
    if playable(record):
        match = replay(record)
        assert [frame.state for frame in frames(record)] == [ply.state for ply in match.plies]
        over = match.state.result is not None
    else:
        with pytest.raises(OtherRules):
            replay(record)
        if record.deal is None:
            return
        over = frames(record)[-1].state.result is not None
    assert over == ("unfinished" not in file.stem)


def test_every_format_is_in_the_corpus():
    assert {file.parent.name for file in FILES} == {f"format-{n}" for n in range(1, FORMAT + 1)}


def test_what_was_added_to_a_match_is_still_there():
    record = read(CORPUS / "format-2" / "sun-2.tabletop")
    assert record.comments == {5: "A fine start.\n二行目"}
    assert record.name == "Corpus 一番"
    assert record.header.languages == ("en", "ja")
    assert record.end is not None
    assert record.end.scores == frames(record)[-1].state.result.scores
