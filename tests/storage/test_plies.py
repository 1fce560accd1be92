"""Records watched table by table, and those of other rules by their events."""

import msgspec
import pytest
from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.commands import match_source
from tabletop.engine.events import Said
from tabletop.engine.model import State
from tabletop.files.errors import BadFile, RulesMismatch
from tabletop.match.history import Entry
from tabletop.match.match import Match
from tabletop.storage.plies import is_playable, plies
from tabletop.storage.record import read, record_of, replay, save, save_as
from tabletop.storage.record_lines import event_lists_from, events_from_lists

GAMES = [(name, catalogue.load(name).box.seats[0]) for name in catalogue.names()]


def seen(state: State) -> State:
    """The table without what nobody sees and only rules read."""
    return replace(state, agenda=())


def played(name: str, seats: int = 0, moves: int | None = None) -> Match:
    return match_source.play_random_match(catalogue.load(name), seats, "frames", moves)


def of_other_rules(match: Match, path, **changes: object) -> None:
    """Write the match as one of rules that are no more."""
    record = record_of(match, path)
    save(replace(record, header=replace(record.header, rules=0, **changes)), path)


@pytest.mark.parametrize(("name", "seats"), GAMES)
def test_a_record_of_other_rules_is_watched_by_its_events(tmp_path, name, seats):
    match, path = played(name, seats), tmp_path / "old.tabletop"
    of_other_rules(match, path)
    record = read(path)
    assert not is_playable(record)
    told = plies(record)
    assert [seen(ply.state) for ply in told] == [seen(ply.state) for ply in match.plies]
    assert [ply.seat for ply in told] == [ply.seat for ply in match.plies]
    with pytest.raises(
        RulesMismatch, match="was played by version 0 of the rules; this program has"
    ):
        replay(record)


@pytest.mark.parametrize(("name", "seats"), GAMES)
def test_rules_of_the_same_version_play_a_record_through(tmp_path, name, seats):
    match, path = played(name, seats), tmp_path / "new.tabletop"
    save_as(match, path)
    found = plies(read(path))
    assert [(f.state, f.seat, f.events) for f in found] == [
        (p.state, p.seat, p.events) for p in match.plies
    ]
    assert [ply.at for ply in found] == list(range(len(match.record) + 1))


def test_undone_moves_are_left_out(tmp_path):
    match, path = played("sun", moves=9), tmp_path / "back.tabletop"
    match.undo(None)
    match.undo(None)
    save_as(match, path)
    of_other_rules(match, tmp_path / "old.tabletop")
    for file in (path, tmp_path / "old.tabletop"):
        found = plies(read(file))
        assert [seen(ply.state) for ply in found] == [seen(ply.state) for ply in match.plies]
        assert [ply.at for ply in found] == list(range(8))


def test_a_concession_is_told(tmp_path):
    match, path = played("sun", moves=5), tmp_path / "given up.tabletop"
    match.concede(1)
    of_other_rules(match, path)
    assert plies(read(path))[-1].state.result == match.state.result


def test_other_rules_are_refused_with_both_versions(tmp_path):
    match, path = played("sun", moves=5), tmp_path / "one.tabletop"
    record = record_of(match, path)
    save(replace(record, header=replace(record.header, rules=7), deal=None, events=()), path)
    with pytest.raises(RulesMismatch, match=r"version 7 of the rules; this program has \d"):
        plies(read(path))


def test_other_cards_are_refused(tmp_path):
    match, path = played("sun", moves=5), tmp_path / "cards.tabletop"
    of_other_rules(match, path, cards="0123456789ab")
    with pytest.raises(BadFile, match="of the rules and with other cards"):
        plies(read(path))


@pytest.mark.parametrize(
    "event",
    [
        ["moved"],
        [],
        [7],
        ["danced", 1],
        ["moved", 3, "nowhere", "nowhere", 0, 0],
        ["moved", "three", "pile", "hand/0", 0, 0],
        ["placed", {"name": "second pile"}, [1, 2, 3]],
        ["shuffled", "nowhere", []],
        ["asked", {"id": 99, "seat": 7, "what": "place"}],
        ["ended", {"winners": [9], "scores": []}],
        ["ended", {"winners": [0], "scores": [1, 2, 3]}],
    ],
)
def test_an_impossible_event_is_refused_with_its_line(tmp_path, event):
    match, path = played("sun", moves=5), tmp_path / "odd.tabletop"
    record = record_of(match, path)
    told = (*record.events[:3], (*record.events[3], event), *record.events[4:])
    save(replace(record, header=replace(record.header, rules=0), events=told), path)
    with pytest.raises(BadFile, match="damaged at line 6"):
        plies(read(path))


@pytest.mark.parametrize("rules", [0, 1])
def test_a_record_that_takes_back_more_than_there_is_is_refused(tmp_path, rules):
    match, path = played("sun", moves=5), tmp_path / "back.tabletop"
    record = record_of(match, path)
    entries, told = (*record.entries, Entry(undo=6)), (*record.events, ())
    header = replace(record.header, rules=rules)
    save(replace(record, header=header, entries=entries, events=told), path)
    with pytest.raises(BadFile) as refused:
        plies(read(path))
    assert refused.value.line == 8


def test_a_move_that_does_not_fit_is_named(tmp_path):
    match, path = played("sun", moves=6), tmp_path / "wrong.tabletop"
    record = record_of(match, path)
    other = replace(record.entries[3], seat=1 - record.entries[3].seat)
    save(replace(record, entries=(*record.entries[:3], other, *record.entries[4:])), path)
    with pytest.raises(BadFile, match='Line 6 of "wrong'):
        plies(read(path))


def test_a_moves_events_are_in_its_line(tmp_path):
    path = tmp_path / "text.tabletop"
    save_as(played("sun"), path)
    head, deal, first, *_ = path.read_text("utf-8").splitlines()
    assert msgspec.json.decode(head)["cards"]
    assert deal.startswith('{"deal":[["placed",{"name":')
    assert '"told":[["' in first
    assert '["said","{seat} places {card} on {zone}.",[' in first


def test_a_sentence_without_a_tag_is_written_as_before() -> None:
    plain, tagged = Said("Go on."), Said("{seat} wins.", (), {"seat": 1}, "win")
    assert event_lists_from([plain]) == (["said", "Go on."],)
    assert event_lists_from([tagged]) == (["said", "{seat} wins.", (), {"seat": 1}, "win"],)
    assert events_from_lists(event_lists_from([plain, tagged])) == (plain, tagged)


def test_a_sentence_of_before_there_were_tags_is_read() -> None:
    (said,) = events_from_lists((["said", "{seat} wins.", [3], {"seat": 1}],))
    assert said == Said("{seat} wins.", (3,), {"seat": 1}, "")
