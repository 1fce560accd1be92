"""Codes of reasons: programs compare and hosts count them, independent of the sentences."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec import Struct

import tabletop
from tabletop.net.host.admission import WRONG_CODE
from tabletop.protocol import codec
from tabletop.protocol.messages import Farewell, Notice, Refused
from tabletop.table.requests import SENT_AWAY

PACKAGE = Path(tabletop.__file__).parent
CHECKED_IN = Path(__file__).with_name("reason_codes.txt")
NEVER_SENT = (
    *("net/certificate.py", "net/guest", "server/operator", "server/disk_health.py"),
    "server/health.py",
    "server/public_archive",
    *("protocol/fairness.py", "protocol/invitation.py", "protocol/match_notes.py"),
)
"""Modules whose reasons a guest's own program says, or a host's owner or operator reads."""
MAKERS = ("Reason", "_make_reason")
SENDERS = (
    *("net", "table", "protocol", "server", "background"),
    *("engine/refusals.py", "match/history.py", "match/match.py"),
)


def reasons() -> Iterator[tuple[str, str | None]]:
    """Each place in the package where a reason is written down, and its code there."""
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE).as_posix()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in MAKERS:
                codes = [word.value for word in node.keywords if word.arg == "code"]
                literal = codes and isinstance(codes[0], ast.Constant)
                yield f"{place}:{node.lineno}", str(codes[0].value) if literal else None


def test_every_refusal_that_a_host_can_send_has_a_code() -> None:
    sent = [
        (place, code)
        for place, code in reasons()
        if place.startswith(SENDERS) and not place.startswith(NEVER_SENT)
    ]
    assert len(sent) > 80
    assert {place.rpartition("/")[0] for place, _ in sent} >= {"net/host", "table"}
    assert [place for place, code in sent if not code] == []


def test_codes_are_unique_short_and_never_change() -> None:
    """A new reason needs its code in the list; no line of it changes afterwards."""
    codes = Counter(code for _, code in reasons() if code is not None)
    assert [code for code, count in codes.items() if count > 1] == []
    assert [code for code in codes if not re.fullmatch(r"[a-z][a-z_]{1,23}", code)] == []
    assert sorted(codes) == CHECKED_IN.read_text("utf-8").split()


def test_an_unknown_reason_keeps_its_code_over_the_wire() -> None:
    news = Notice(SENT_AWAY.with_args(name="Bea"))
    assert news.reason.code == "sent_away"
    assert codec.decode_host_message(codec.encode(news)) == news


def test_the_sentences_of_old_hosts_stay_as_they_were_sent() -> None:
    """They are part of the protocol, so no rewriting of texts may touch them."""
    assert {
        "Somebody else sits there already.",
        "Somebody of this name sits at the table already.",
        "That is not the code of this seat.",
        "From the server's operator: {text}",
    } <= set(codec.LEGACY_REASON_CODES)


@pytest.mark.parametrize("text", codec.LEGACY_REASON_CODES)
def test_an_older_hosts_sentence_gets_its_code(text: str) -> None:
    reason = {"text": text, "args": {"text": "At ten we close."}, "paragraph": ""}
    for kind in (Refused, Notice, Farewell):
        tag = kind.__struct_config__.tag
        message = codec.decode_host_message(msgspec.json.encode({"type": tag, "reason": reason}))
        assert isinstance(message, kind)
        assert message.reason.code == codec.LEGACY_REASON_CODES[text]
        assert message.reason.args == reason["args"]


def test_old_sentences_get_codes_that_there_are() -> None:
    assert set(codec.LEGACY_REASON_CODES.values()) <= set(CHECKED_IN.read_text("utf-8").split())


def test_a_code_that_was_sent_wins_over_the_sentence() -> None:
    frame = b'{"type":"refused","reason":{"text":"No table here has this code.","code":"new"}}'
    message = codec.decode_host_message(frame)
    assert isinstance(message, Refused)
    assert message.reason.code == "new"


class OldReason(Struct):
    """A reason as programs without codes read it."""

    text: str
    args: dict[str, int | str] = {}
    paragraph: str = ""


class OldRefused(Struct, tag="refused"):
    reason: OldReason
    of: str = ""
    seat: int = -1
    closed: bool = False


def test_an_older_guest_reads_a_reason_with_a_code() -> None:
    frame = codec.encode(Refused(WRONG_CODE, "enter"))
    assert b'"code":"wrong_code"' in frame
    old = msgspec.json.decode(frame, type=OldRefused)
    assert (old.reason.text, old.reason.args, old.of) == (WRONG_CODE.text, {}, "enter")
