"""Lines that carry a digest: any damage to one is noticed there, and old files stay good."""

from pathlib import Path

import pytest

from tabletop.commands.command_line import main
from tabletop.files.errors import Damaged
from tabletop.storage import saved_matches
from tabletop.storage.journal import JournalFile, begin_journal
from tabletop.storage.line_digests import add_digest, check_digest
from tabletop.storage.record import new_header, read, record_of, replay, save
from tabletop.storage.record_lines import RecordLine, encode_line
from tests.storage.played_matches import begun, play
from tests.storage.redigested import undigested


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The journal of a match of ten moves and a take-back."""
    match, file = begun("sun", 10), tmp_path / "match.tabletop"
    save(record_of(match, file), file)
    return file


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


def test_a_digest_is_of_the_line_and_the_one_before() -> None:
    line = add_digest(b'{"undo":1}\n', b"before\n")
    assert line.startswith(b'{"undo":1,"digest":"')
    assert check_digest(line[:-1], b"before") is True
    assert check_digest(line[:-1], b"other") is False
    assert check_digest(line[:-1].replace(b"1", b"2", 1), b"before") is False
    assert check_digest(b'{"undo":1}', b"before") is None


def test_every_line_carries_one_however_the_file_came_about(tmp_path: Path, path: Path) -> None:
    match, journal = begun("sun", 4), tmp_path / "journal.tabletop"
    writing = begin_journal(
        journal, new_header(match.kit, match.players, seed="s"), match.plies[0].events
    )
    match.journal = writing
    play(match, 5)
    writing.write_comment("Now!", 3)
    writing.close()
    again = JournalFile(journal)
    again.write_name("Friday")
    again.close()
    for file in (path, journal):
        before = b""
        for line in file.read_bytes().split(b"\n")[:-1]:
            assert check_digest(line, before)
            before = line
        assert read(file).undigested == 0


def test_a_changed_line_is_named(path: Path) -> None:
    whole = lines_of(path)
    for number, line in enumerate(whole, start=1):
        changed = line.replace(b"P0" if number == 1 else b":", b"P9" if number == 1 else b": ", 1)
        assert changed != line
        path.write_bytes(b"".join([*whole[: number - 1], changed, *whole[number:]]))
        with pytest.raises(Damaged) as refused:
            read(path)
        assert refused.value.line == number


@pytest.mark.parametrize(
    ("order", "line"),
    [((0, 1, 2, 4, 5), 4), ((0, 1, 2, 2, 3), 4), ((0, 1, 3, 2, 4), 3), ((0, 2, 3), 2)],
    ids=["left out", "twice", "swapped", "no deal"],
)
def test_lines_in_another_order_are_noticed(path: Path, order: tuple[int, ...], line: int) -> None:
    whole = lines_of(path)
    path.write_bytes(b"".join(whole[number] for number in order))
    with pytest.raises(Damaged, match=f"is damaged at line {line}"):
        read(path)


def test_a_file_without_any_is_read_and_gone_on_with(tmp_path: Path, path: Path) -> None:
    digested = read(path)
    path.write_bytes(undigested(b"".join(lines_of(path)[:-1])))  # nor did those write a mark
    old = read(path)
    assert old.undigested == len(lines_of(path))
    assert (old.entries, old.events, old.deal) == (digested.entries, digested.events, digested.deal)
    match = saved_matches.resume(path)
    play(match, 3)
    match.journal.close()
    assert read(path).undigested == old.undigested
    assert replay(read(path)).plies == match.plies
    *_, last, first, _, _ = lines_of(path)
    assert check_digest(first[:-1], last[:-1])
    assert b'"undo":1' in last
    path.write_bytes(path.read_bytes().replace(b'"undo":1', b'"undo":2'))
    with pytest.raises(Damaged):
        read(path)


def test_an_older_program_plays_on(path: Path) -> None:
    match = replay(read(path))
    old = len(match.record)
    play(match, 2)
    save(record_of(match, path.with_stem("longer")), path.with_stem("longer"))
    more = undigested(b"".join(lines_of(path.with_stem("longer"))[-3:-1]))
    path.write_bytes(path.read_bytes() + more)
    assert replay(read(path)).plies == match.plies
    assert (len(read(path).entries), read(path).undigested) == (old + 2, 2)


def as_crlf(content: bytes) -> bytes:
    return content.replace(b"\n", b"\r\n")


def test_a_record_whose_line_breaks_became_crlf_says_so(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path.write_bytes(as_crlf(path.read_bytes()))
    assert main(["verify", str(path)]) == 0
    said = capsys.readouterr().out
    assert "CRLF" in said
    assert "no digest" not in said


def test_a_damaged_line_is_noticed_also_after_crlf(path: Path) -> None:
    lines = lines_of(path)
    lines[4] = lines[4].replace(b'"seat":', b'"seat": ', 1)
    path.write_bytes(as_crlf(b"".join(lines)))
    with pytest.raises(Damaged):
        read(path)


def test_a_match_whose_line_breaks_became_crlf_is_played_on(path: Path, tmp_path: Path) -> None:
    path.write_bytes(as_crlf(path.read_bytes()))
    journal = JournalFile(path)
    journal.write_comment("Now!", 3)
    journal.close()
    assert read(path).comments == {3: "Now!"}
    older = path.read_bytes().rpartition(b"{")[0]  # a program that hashed the CRLF went on
    before = older[older.rfind(b"\n", 0, -1) + 1 :]
    path.write_bytes(older + add_digest(encode_line(RecordLine(comment="Then!", at=3)), before))
    assert read(path).comments == {3: "Then!"}
