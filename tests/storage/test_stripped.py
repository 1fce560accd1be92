"""A stripped record: what everybody could see of a match, to be watched, and nothing else."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.engine.mask import mask, masked
from tabletop.engine.model import AUDIENCE, State
from tabletop.files.errors import BadFile, RulesMismatch
from tabletop.storage.plies import is_playable, permitted_viewers, plies
from tabletop.storage.record import public_record, read, record_of, replay, save, to_bytes
from tests.storage.played_matches import begun
from tests.storage.redigested import redigested


def public(state: State) -> State:
    """The table as the audience sees it, without what runs underneath."""
    return replace(mask(state, AUDIENCE), agenda=())


@pytest.mark.parametrize("game", [name for name in catalogue.names() if name != "_blank"])
def test_it_shows_every_table_as_the_audience_saw_it(game: str, tmp_path: Path) -> None:
    match, file = begun(game), tmp_path / "public.tabletop"
    save(public_record(record_of(match, file), match), file)
    watched = plies(read(file))
    assert [public(ply.state) for ply in watched] == [public(p.state) for p in match.plies]
    before = watched[0].state
    for ply in watched[1:]:
        assert masked(before, ply.events, AUDIENCE) == ply.events
        before = ply.state
    assert permitted_viewers(read(file), watched[-1].state) == (AUDIENCE,)


def test_nothing_is_in_it_that_is_hidden(tmp_path: Path) -> None:
    match, file = begun("sun"), tmp_path / "public.tabletop"
    record = public_record(record_of(match, file), match)
    assert match.seed.encode() not in to_bytes(record)
    assert not record.entries
    save(record, file)
    hidden = {
        card for name in ("hand/0", "hand/1", "pile", "shield") for card in match.state.cards[name]
    }
    for ply in plies(read(file)):
        assert not hidden & {card for held in ply.state.cards.values() for card in held}


def test_it_can_be_watched_alone(tmp_path: Path) -> None:
    match, file = begun("sun", 6), tmp_path / "public.tabletop"
    save(public_record(record_of(match, file), match), file)
    assert not is_playable(read(file))
    with pytest.raises(RulesMismatch, match="watched alone"):
        replay(read(file))
    save(read(file), tmp_path / "again.tabletop")
    assert (tmp_path / "again.tabletop").read_bytes() == file.read_bytes()


@pytest.mark.parametrize(
    ("damage", "line"),
    [
        (lambda text: text.replace('"seed":""', '"seed":"known"', 1), 1),
        (lambda text: text.replace('"heard":[[', '"heard":[["burnt"],[', 1), 3),
        (lambda text: text.replace('"deal":', '"comment":"gone","at":', 1), 2),
        (lambda text: "\n".join(text.split("\n")[:1] + text.split("\n")[2:]), 7),
        (lambda text: text.replace('"moved",', '"moved",99,', 1), 4),
        (lambda text: text.replace('"cards":"', '"cards":"0', 1), 1),
    ],
)
def test_a_damaged_one_is_refused_at_its_line(
    damage: Callable[[str], str], line: int, tmp_path: Path
) -> None:
    match, file = begun("chains", 6), tmp_path / "public.tabletop"
    whole = to_bytes(public_record(record_of(match, file), match)).decode()
    assert damage(whole) != whole
    file.write_bytes(redigested(damage(whole).encode()))
    with pytest.raises(BadFile) as refused:
        plies(read(file))
    assert refused.value.line == line
