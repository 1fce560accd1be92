"""A server's log: refused moves and a full disk are in it, secrets are not."""

import errno
import json
import logging
from pathlib import Path

import pytest

from tabletop.files.errors import write_error
from tabletop.net.host.table_registry import DISK_REFUSED
from tabletop.protocol.messages import Notice
from tabletop.server import log_lines
from tabletop.server.log_lines import EventRateLimit, LogFormat, LogFormatter, log_to_standard_error
from tabletop.storage.journal import JournalFile
from tabletop.table.rights import NOT_YOURS
from tests.net.loopback import plan, run, seated
from tests.server.table_server import table_server


def line(log_format: LogFormat, text: str, *args: object) -> str:
    record = logging.LogRecord("tabletop.net", logging.INFO, "", 0, text, args, None)
    record.created = 0
    return LogFormatter(log_format).format(record)


def test_an_event_is_a_line_or_an_object() -> None:
    said = "not resumed file=%s tables=%d why=%s", "a.table", 3, 'no "table"\nof ours'
    assert line("lines", *said) == (
        '1970-01-01T00:00:00Z INFO not resumed file=a.table tables=3 why="no \\"table\\"\\nof ours"'
    )
    assert json.loads(line("json", *said)) == {
        "time": "1970-01-01T00:00:00Z",
        "level": "INFO",
        "event": "not resumed",
        "file": "a.table",
        "tables": 3,
        "why": 'no "table"\nof ours',
    }
    assert line("lines", "odd %s", "text").endswith("INFO odd text")


def test_a_kind_of_event_fills_no_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("tabletop.net.limits.monotonic", lambda: now)
    sparing = EventRateLimit()

    def told(text: str) -> bool | str:
        record = logging.LogRecord("tabletop.net", logging.INFO, "", 0, text, (1,), None)
        return sparing.filter(record) and LogFormatter("lines").format(record)

    shown = [bool(told("refused seat=%d")) for _ in range(log_lines.LINE_BURST + 50)]
    assert sum(shown) == log_lines.LINE_BURST
    assert told("opened table=%d"), "other events are told"
    now = 1.0
    assert str(told("refused seat=%d")).endswith("refused seat=1 left_out=50")


def test_refused_moves_and_a_full_disk_are_told_and_no_secret(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*told: object) -> None:
        raise write_error(OSError(errno.ENOSPC, "full"), "x")

    async def evening() -> None:
        async with (
            table_server(tmp_path, key="the club's key") as host,
            seated(host, plan("sun", 2), (0,), (1,), key="the club's key") as friends,
        ):
            ann, bea = friends
            ann.guest.send_chat("what nobody else reads", 0)
            ann.guest.set_absent(1)
            assert await ann.refusal(0) == NOT_YOURS
            monkeypatch.setattr(JournalFile, "write_unsynced", refuse)
            mover = ann if ann.guest.own_seats[0].offers else bea
            mover.play()
            await mover.until(lambda: Notice(DISK_REFUSED) in mover.news)
            code, tickets = ann.guest.ticket.code, [friend.guest.ticket for friend in friends]
            secrets.extend([code, *(t.owner for t in tickets if t.owner)])
            secrets.extend(token for ticket in tickets for token in ticket.seats.values())

    secrets = ["the club's key", "what nobody else reads"]
    with log_to_standard_error("json"):
        run(evening)
    told = capsys.readouterr().err
    events = [json.loads(each) for each in told.splitlines()]
    assert any(e["event"] == "refused" and e["of"] == "absent" for e in events)
    assert any(e["event"] == "disk refused" and "the disk is full" in e["why"] for e in events)
    assert len(secrets) >= 5
    assert not [secret for secret in secrets if secret in told]
