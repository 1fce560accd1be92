"""`tabletop verify` looks at the whole of a record; nothing that was changed is called good."""

import os
import random
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.commands.command_line import main
from tabletop.commands.records import verify
from tabletop.engine.model import AUDIENCE
from tabletop.files.errors import BadFile, Damaged, RulesMismatch
from tabletop.match.match import FairStart, Match, Player
from tabletop.protocol.fairness import SEED_MISMATCH, SHARE_MISMATCH, derive_seed, seal_share
from tabletop.storage import saved_matches
from tabletop.storage.journal import JournalFile
from tabletop.storage.record import Record, public_record, read, record_of, save, save_as
from tabletop.storage.record_lines import End
from tabletop.storage.verification import verify_record
from tests.storage.corpus import CORPUS
from tests.storage.played_matches import begun, play
from tests.storage.redigested import redigested

CHANGES = 10_000 if os.environ.get("TABLETOP_LONG") else 500
"""The number of bytes to change, each in a file that is good besides."""
GAMES = [name for name in catalogue.names() if name != "_blank"]
FRIENDS = (Player("Ann", "sun"), Player("Bea", "moon"))


def fairly_begun(game: str = "sun", moves: int = 10_000) -> Match:
    """A match whose seed two persons made together, and so many moves of it."""
    kit, shares, host = catalogue.load(game), {0: "0a", 1: "1b"}, "2c"
    fair = FairStart(
        *("f00d", 2, seal_share(host, "f00d", 2, AUDIENCE), host),
        {seat: seal_share(share, "f00d", 2, seat) for seat, share in shares.items()},
        shares,
    )
    seed = derive_seed("f00d", 2, host, shares)
    match = Match(kit, FRIENDS, catalogue.options(kit), seed)
    match.fair_start = fair
    play(match, moves)
    return match


def whole(path: Path, match: Match | None = None) -> Record:
    """The record of a match as it is saved."""
    save_as(match or fairly_begun(), path)
    return read(path)


@pytest.mark.parametrize(
    "file", sorted(CORPUS.glob("*/*.tabletop")), ids=lambda file: f"{file.parent.name}/{file.stem}"
)
def test_older_programs_records_are_good_or_of_other_rules(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        verify_record(read(file))
    except RulesMismatch:
        return
    assert main(["verify", str(file)]) == 0
    bare = len(file.read_bytes().splitlines())
    assert f"Of its lines, {bare} carry no digest" in capsys.readouterr().out


@pytest.mark.parametrize("game", GAMES)
def test_records_of_this_program_are_good(game: str, tmp_path: Path) -> None:
    match = begun(game)
    save_as(match, tmp_path / "a.tabletop")
    save(public_record(record_of(match, tmp_path), match), tmp_path / "b.tabletop")
    for name in ("a", "b"):
        tables = verify_record(read(tmp_path / f"{name}.tabletop"))
        assert len(tables) == len(match.plies)
        assert main(["verify", str(tmp_path / f"{name}.tabletop")]) == 0


@pytest.mark.parametrize("bots", [0, 1])
def test_a_journal_is_good_at_any_time(bots: int) -> None:
    kinds = ("person", "bot" if bots else "person")
    players = tuple(Player(f"P{n}", kind=kind) for n, kind in enumerate(kinds))
    match = saved_matches.begin(catalogue.load("sun"), players)
    path = match.journal.path
    for moves in (0, 1, 6, 10_000):
        play(match, moves)
        if moves == 6:
            match.undo(None)
        assert verify_record(read(path))[-1].state == match.state
    match.journal.close()
    kept = saved_matches.move_to_replays(path)
    assert read(kept).end is not None
    assert verify_record(read(kept))[-1].state == match.state


def other_move(record: Record) -> Record:
    told = [list(map(list, line)) for line in record.events]
    event = next(event for line in told for event in line if event[0] == "moved")
    event[1] += 1
    return replace(record, events=tuple(map(tuple, told)))


def other_words(record: Record) -> Record:
    told = [list(map(list, line)) for line in record.events]
    event = next(event for line in told for event in line if event[0] == "said")
    event[1] = "Nothing happens."
    return replace(record, events=tuple(map(tuple, told)))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (other_move, "has other events than its move brings about"),
        (other_words, "has other events than its move brings about"),
        (lambda r: replace(r, events=(*r.events[:3], (), *r.events[4:])), "Line 6 of"),
        (lambda r: replace(r, deal=r.deal[:-1]), "has another deal"),
        (lambda r: replace(r, header=replace(r.header, seed="other")), "has another deal"),
        (
            lambda r: replace(r, end=End((1 - r.end.winners[0],), r.end.scores)),
            "has another end",
        ),
        (lambda r: replace(r, end=End(r.end.winners, (99, 99))), "has another end"),
        (lambda r: replace(r, comments={999: "Late."}), "has a comment on move 999"),
        (lambda r: replace(r, header=replace(r.header, cards="0" * 12)), "damaged at line 1"),
        (
            lambda r: replace(r, entries=r.entries[:-1], events=r.events[:-1]),
            "has another end",
        ),
        (
            lambda r: replace(
                r, header=replace(r.header, players=(Player("Ann"), Player("Bea", kind="bot")))
            ),
            SHARE_MISMATCH.text,
        ),
        (
            lambda r: replace(r, fair=replace(r.fair, shares=r.fair.shares | {0: "0" * 32})),
            SHARE_MISMATCH.text,
        ),
        (lambda r: replace(r, fair=replace(r.fair, host_share="0" * 32)), SHARE_MISMATCH.text),
        (lambda r: replace(r, fair=replace(r.fair, round=3)), SHARE_MISMATCH.text),
    ],
)
def test_a_mismatch_is_reported_in_a_sentence(
    change: Callable[[Record], Record],
    told: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "odd.tabletop"
    save(change(whole(path)), path)
    assert main(["verify", str(path)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert told in err
    assert err.count("\n") == 1


def test_a_fair_shuffle_is_checked_again_from_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, match = tmp_path / "fair.tabletop", fairly_begun()
    assert whole(path, match).fair == match.fair_start
    assert main(["verify", str(path)]) == 0
    assert capsys.readouterr().out.endswith(" Shuffle and dice verified.\n")
    assert match.fair_start is not None
    match.fair_start = replace(match.fair_start, restarts=2)
    whole(path, match)
    assert main(["verify", str(path)]) == 0
    assert "this was deal number 3" in capsys.readouterr().out
    chosen = begun("sun")
    chosen.fair_start = match.fair_start
    whole(path, chosen)
    assert main(["verify", str(path)]) == 1
    assert capsys.readouterr().err == f"fair.tabletop: {SEED_MISMATCH.text}\n"


def test_a_cut_record_is_incomplete(tmp_path: Path) -> None:
    path = tmp_path / "cut.tabletop"
    whole(path)
    content = path.read_bytes()
    end = content.rfind(b"\n", 0, -1) + 1
    path.write_bytes(content[:end])
    with pytest.raises(Damaged, match="The end of"):
        verify_record(read(path))
    for cut in (-1, -9, end - len(content) + 1):
        path.write_bytes(content[:cut])
        with pytest.raises(Damaged, match="The last line of"):
            verify_record(read(path))


def test_another_versions_words_verify_but_not_its_cards(tmp_path: Path) -> None:
    path = tmp_path / "old.tabletop"
    record = whole(path)
    old = replace(record, header=replace(record.header, program="0.0.1"))
    save(other_words(old), path)
    assert verify_record(read(path))
    save(other_move(old), path)
    with pytest.raises(Damaged):
        verify_record(read(path))


# One byte


def shelf(folder: Path) -> list[Path]:
    """A good file of every kind."""
    files = []
    for number, game in enumerate(GAMES):
        match = begun(game, 12 + number)
        files.append(folder / f"{game}.tabletop")
        save_as(match, files[-1])
        record = read(files[-1])
        save(replace(record, comments={2: "Now! 今"}, name="Friday"), files[-1])
        files.append(folder / f"{game}-public.tabletop")
        save(public_record(record, match), files[-1])
    files.append(folder / "fair.tabletop")
    save_as(fairly_begun(), files[-1])
    for kind, moves in (("person", 7), ("bot", 7), ("bot", 10_000)):
        match = saved_matches.begin(
            catalogue.load("sun"), (Player("Ann"), Player("Bob", kind=kind)), seed="one byte"
        )
        play(match, moves)
        files.append(match.journal.path)
        match.journal.write_closing_mark()
        match.journal.close()
    files[-1] = saved_matches.move_to_replays(files[-1])
    return files


def good(path: Path) -> bool:
    """Whether the record is called good."""
    try:
        return verify(path) == 0
    except BadFile:
        return False


def test_no_visible_change_of_a_byte_verifies(
    tmp_path: Path,
) -> None:
    chance, files = random.Random("one byte"), shelf(tmp_path)
    contents = {path: path.read_bytes() for path in files}
    read_as = {path: read(path) for path in files}
    assert all(map(good, files))
    unseen = 0
    for _ in range(CHANGES):
        path = chance.choice(files)
        content = contents[path]
        at = chance.randrange(len(content))
        other = bytes([(content[at] + chance.randrange(1, 256)) % 256])
        way = chance.choice(("other", "other", "more", "less"))
        put = {"other": other, "more": content[at : at + 1] + other, "less": b""}[way]
        path.write_bytes(content[:at] + put + content[at + 1 :])
        if good(path):
            assert replace(read(path), undigested=0) == replace(read_as[path], undigested=0)
            unseen += 1
        path.write_bytes(content)
    assert unseen < CHANGES / 20


# Whole lines that are missing at the end

UNMARKED = "it has neither an end nor a closing mark"


def left(moves: int, kind: str = "person") -> Path:
    """The journal of a match that was played so far and left in order."""
    players = (Player("Ann"), Player("Bob", kind=kind))
    match = saved_matches.begin(catalogue.load("sun"), players, seed="last lines")
    play(match, moves)
    match.journal.write_closing_mark()
    match.journal.close()
    return match.journal.path


def cut_lines(path: Path, lines: int) -> None:
    """Take the last lines away, as a bad copy does."""
    content = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(content[:-lines]))


@pytest.mark.parametrize("kind", ["person", "bot"])
@pytest.mark.parametrize("lines", [1, 2, 6])
def test_an_unfinished_match_without_its_last_lines(
    lines: int, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = left(12, kind)
    assert main(["verify", str(path)]) == 0
    assert "No line is missing at its end." in capsys.readouterr().out
    cut_lines(path, lines)
    assert main(["verify", str(path)]) == 1
    assert UNMARKED in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["person", "bot"])
@pytest.mark.parametrize("lines", [1, 2, 6])
def test_a_finished_match_without_its_last_lines(
    lines: int, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = saved_matches.move_to_replays(left(10_000, kind))
    assert main(["verify", str(path)]) == 0
    cut_lines(path, lines)
    assert main(["verify", str(path)]) == 1
    assert "The end of" in capsys.readouterr().err


def test_a_saved_match_without_its_last_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = begun("sun", 12)
    save_as(match, tmp_path / "a.tabletop")
    save(public_record(record_of(match, tmp_path), match), tmp_path / "b.tabletop")
    for path in (tmp_path / "a.tabletop", tmp_path / "b.tabletop"):
        assert main(["verify", str(path)]) == 0
        cut_lines(path, 6)
        assert main(["verify", str(path)]) == 1
        assert UNMARKED in capsys.readouterr().err


def test_a_match_that_is_played_on_gets_its_mark_anew() -> None:
    path = left(5)
    match = saved_matches.resume(path)
    play(match, 3)
    assert isinstance(match.journal, JournalFile)
    assert main(["verify", str(path)]) == 1, "somebody plays"
    before = path.stat().st_mtime_ns
    match.journal.write_closing_mark()
    assert path.stat().st_mtime_ns == before, "the date is that of the last move"
    match.journal.close()
    assert main(["verify", str(path)]) == 0
    assert len(read(path).entries) == 8
    content = path.read_bytes()
    again = saved_matches.resume(path)
    again.journal.write_closing_mark()
    again.journal.close()
    assert path.read_bytes() == content, "nothing was done"


def test_a_name_keeps_the_mark_and_gives_none() -> None:
    path = left(5)
    saved_matches.rename(path, "Friday")
    assert main(["verify", str(path)]) == 0
    assert read(path).name == "Friday"
    cut_lines(path, 4)
    saved_matches.rename(path, "Monday")
    assert main(["verify", str(path)]) == 1


def test_a_mark_elsewhere_than_it_says_is_damage() -> None:
    path = left(5)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(redigested(b"".join((*lines[:4], lines[-1]))))
    with pytest.raises(Damaged, match="damaged at line 5"):
        read(path)


def test_an_older_program_reads_past_the_mark() -> None:
    path = left(5)
    fields = msgspec.json.decode(path.read_bytes().splitlines()[-1])
    del fields["lines"], fields["moved"], fields["digest"]
    assert fields == {"comment": "", "at": 7}, "an empty comment, which takes nothing away"
    assert read(path).comments == {}


@pytest.mark.parametrize("error", [KeyError, TypeError, OverflowError, RecursionError])
@pytest.mark.parametrize("method", ["restore", "__init__"])
def test_whatever_rules_raise_verify_says_one_sentence(
    method: str,
    error: type[Exception],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "m.tabletop"
    whole(path)

    def fail(*_: object, **__: object) -> None:
        raise error("unforeseen")

    monkeypatch.setattr(Match, method, fail)
    assert main(["verify", str(path)]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "m.tabletop" in said
    assert error.__name__ not in said


def test_a_record_that_no_check_foresaw_could_not_be_verified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.tabletop"
    whole(path)

    def fail(*_: object) -> None:
        raise ValueError("unforeseen")

    monkeypatch.setattr("tabletop.storage.verification._check_cards", fail)
    assert main(["verify", str(path)]) == 1
    assert "could not be verified" in capsys.readouterr().err
