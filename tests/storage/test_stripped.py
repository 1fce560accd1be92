"""A stripped record: what everybody could see of a match, to be watched, and nothing else."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from tabletop.bots.random import RandomBot
from tabletop.engine.mask import mask, masked
from tabletop.engine.model import AUDIENCE, State
from tabletop.games import catalogue
from tabletop.link import Local
from tabletop.match import Match, Player
from tabletop.storage.frames import frames, playable, viewers
from tabletop.storage.record import read, record_of, replay, save, stripped, written
from tabletop.storage.trouble import BadFile, OtherRules

MOVES = 40


def begun(game: str, moves: int = MOVES) -> Match:
    """A match of two persons and bots, so many moves old; the last was taken back."""
    kit = catalogue.load(game)
    seats = max(min(kit.box.seats), 2)
    players = [Player(f"P{n}", kind="person" if n < 2 else "bot") for n in range(seats)]
    match = Match(kit.game, kit.backs, players, catalogue.options(kit), f"seed of {game}")
    bot = RandomBot("stripped")
    links = [Local(match, seat) for seat in range(seats)]
    while len(match.record) < moves and match.state.result is None:
        for link in links:
            for ask in match.asks(link.seat):
                if ask in match.asks(link.seat):
                    link.send(bot.answer(link, ask))
    match.undo(None)
    return match


def public(state: State) -> State:
    """The table as the audience sees it, without what runs underneath."""
    return replace(mask(state, AUDIENCE), agenda=())


@pytest.mark.parametrize("game", [name for name in catalogue.names() if name != "_blank"])
def test_it_shows_every_table_as_the_audience_saw_it(game: str, tmp_path: Path) -> None:
    match, file = begun(game), tmp_path / "public.tabletop"
    save(stripped(record_of(match, file), match), file)
    watched = frames(read(file))
    assert [public(frame.state) for frame in watched] == [public(p.state) for p in match.plies]
    before = watched[0].state
    for frame in watched[1:]:
        assert masked(before, frame.events, AUDIENCE) == frame.events
        before = frame.state
    assert viewers(read(file), watched[-1].state) == (AUDIENCE,)


def test_nothing_is_in_it_that_is_hidden(tmp_path: Path) -> None:
    match, file = begun("sun"), tmp_path / "public.tabletop"
    record = stripped(record_of(match, file), match)
    assert match.seed.encode() not in written(record)
    assert not record.entries
    save(record, file)
    hidden = {
        card for name in ("hand/0", "hand/1", "pile", "shield") for card in match.state.cards[name]
    }
    for frame in frames(read(file)):
        assert not hidden & {card for held in frame.state.cards.values() for card in held}


def test_it_can_be_watched_alone(tmp_path: Path) -> None:
    match, file = begun("sun", 6), tmp_path / "public.tabletop"
    save(stripped(record_of(match, file), match), file)
    assert not playable(read(file))
    with pytest.raises(OtherRules, match="watched alone"):
        replay(read(file))
    save(read(file), tmp_path / "again.tabletop")
    assert (tmp_path / "again.tabletop").read_bytes() == file.read_bytes()


@pytest.mark.parametrize(
    ("damage", "line"),
    [
        (lambda text: text.replace('"seed":""', '"seed":"known"', 1), 1),
        (lambda text: text.replace('"heard":[[', '"heard":[["burnt"],[', 1), 3),
        (lambda text: text.replace('"deal":', '"comment":"gone","at":', 1), 2),
        (lambda text: "\n".join(text.split("\n")[:1] + text.split("\n")[2:]), 1),
        (lambda text: text.replace('"moved",', '"moved",99,', 1), 4),
        (lambda text: text.replace('"cards":"', '"cards":"0', 1), 1),
    ],
)
def test_a_damaged_one_is_refused_at_its_line(
    damage: Callable[[str], str], line: int, tmp_path: Path
) -> None:
    match, file = begun("chains", 6), tmp_path / "public.tabletop"
    whole = written(stripped(record_of(match, file), match)).decode()
    assert damage(whole) != whole
    file.write_text(damage(whole))
    with pytest.raises(BadFile) as refused:
        frames(read(file))
    assert refused.value.line == line
