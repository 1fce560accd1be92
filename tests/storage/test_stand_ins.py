"""Bots in people's places in a record: kept, continued, verified, and read past by old programs."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.commands.command_line import main
from tabletop.files.errors import BadFile, Damaged
from tabletop.match.match import Match, Player
from tabletop.match.stand_ins import StandIn
from tabletop.storage import saved_matches
from tabletop.storage.record import read, record_of, replay, save, save_as
from tabletop.storage.verification import verify_record
from tests.storage.played_matches import play
from tests.storage.redigested import redigested


def begun(bots: bool = False) -> Match:
    """A match of two people in which a bot played for one a while; its journal is open."""
    players = (Player("Ann"), Player("Bea"), *((Player("Bot", kind="bot"),) if bots else ()))
    match = saved_matches.begin(catalogue.load("chains"), players)
    play(match, 3)
    match.set_stand_in(1, "hard")
    play(match, 2)
    match.set_stand_in(1)
    match.set_stand_in(0, "easy")
    return match


@pytest.mark.parametrize("bots", [False, True], ids=["open", "sealed"])
def test_a_match_goes_on_with_those_who_played(bots: bool, tmp_path: Path) -> None:
    match = begun(bots)
    levels = [(change.seat, change.level) for change in match.stand_ins]
    assert levels == [(1, "hard"), (1, ""), (0, "easy")]
    assert match.stand_ins[0].at > 0
    path = match.journal.path
    match.journal.write_closing_mark()
    match.journal.close()
    record = read(path)
    assert [change for _, change in record.stand_ins] == match.stand_ins
    assert record.closed
    assert verify_record(record)[-1].state == match.state
    again = saved_matches.resume(path)
    assert again.stand_ins == match.stand_ins
    assert again.bots == match.bots
    play(again, 2)
    again.set_stand_in(0)
    assert verify_record(read(path))
    save_as(again, tmp_path / "copy.tabletop")
    copy = read(tmp_path / "copy.tabletop")
    assert copy.entries == tuple(again.record)
    assert [change for _, change in copy.stand_ins] == again.stand_ins
    assert copy.lines == record_of(again, path).lines
    assert [n for n, _ in copy.stand_ins] == [n for n, _ in record_of(again, path).stand_ins]
    assert replay(copy).bots == again.bots
    assert main(["verify", str(tmp_path / "copy.tabletop")]) == 0
    again.journal.close()


def changed(text: str) -> Callable[[StandIn], StandIn]:
    fields = msgspec.json.decode(text)
    return lambda change: replace(change, **fields)


@pytest.mark.parametrize("fields", ['{"seat":2}', '{"seat":0}', '{"level":""}', '{"level":"god"}'])
def test_what_cannot_have_been_is_damage(fields: str, tmp_path: Path) -> None:
    match = begun(True)
    match.journal.close()
    record = record_of(match, tmp_path / "a.tabletop")
    (line, last) = record.stand_ins[-1]
    first, second = (change for _, change in record.stand_ins[:2])
    wrong = changed(fields)(first if fields == '{"seat":0}' else last)
    parts = {'{"seat":0}': (wrong, second)}.get(fields, (first, second, wrong))
    save(replace(record, stand_ins=tuple((line, part) for part in parts)), record.path)
    with pytest.raises(Damaged) as refused:
        verify_record(read(record.path))
    assert "damaged at line" in str(refused.value)
    assert main(["verify", str(record.path)]) != 0


def test_a_line_written_into_a_sealed_record_is_damage() -> None:
    match = begun(True)
    path = match.journal.path
    match.journal.close()
    forged = b'{"seat":1,"comment":"","at":99,"bot":"easy"}\n'
    path.write_bytes(redigested(path.read_bytes() + forged))
    with pytest.raises(BadFile):
        read(path)


def test_a_line_is_one_thing_alone(tmp_path: Path) -> None:
    match = begun()
    path = match.journal.path
    match.journal.close()
    for odd in (b'{"seat":1,"bot":"easy"}\n', b'{"seat":1,"comment":"x","at":1,"bot":"easy"}\n'):
        copy = tmp_path / "odd.tabletop"
        copy.write_bytes(redigested(path.read_bytes() + odd))
        with pytest.raises(Damaged):
            read(copy)


def test_an_old_program_reads_past_it() -> None:
    """To a program that doesn't know `bot` it is an empty comment, which hides no later one."""
    match = begun()
    path = match.journal.path
    match.journal.write_comment("Well done.", 3)
    match.journal.close()
    lines = [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]
    mine = [line for line in lines if "bot" in line]
    assert len(mine) == 3
    told = {line["at"]: line["comment"] for line in lines if "comment" in line}
    assert {at: text for at, text in told.items() if text} == {3: "Well done."}
    assert all(set(line) <= {"seat", "comment", "at", "bot", "digest"} for line in mine)
    assert read(path).comments == {3: "Well done."}


def test_who_branches_off_begins_with_people_of_their_own() -> None:
    match = begun()
    record = record_of(match, match.journal.path)
    match.journal.close()
    play_on_requested = saved_matches.branch(record, 4, match.players)
    assert play_on_requested.stand_ins == []
    play_on_requested.journal.close()
