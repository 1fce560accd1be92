"""The record of a match after its table was closed: its lines, and the replay of them."""

from pathlib import Path

import msgspec

from tabletop.engine.mask import mask
from tabletop.engine.model import AUDIENCE
from tabletop.files.errors import BadFile
from tabletop.storage.record import Record, read, replay
from tabletop.storage.verification import verify_record
from tests.characterisation.transcript import Transcripts


def describe_record(transcripts: Transcripts, path: Path) -> None:
    """Write down what the file of a match holds, and what its replay gives."""
    record = read(path)
    lines, replayed = transcripts["record"], transcripts["replay"]
    lines.add("header", _header(record))
    lines.add("deal", record.deal)
    for entry, events in zip(record.entries, record.events, strict=True):
        lines.add("entry", {"entry": entry, "events": events})
    for _, stand_in in record.stand_ins:
        lines.add("stand_in", stand_in)
    lines.add("rest", {"end": record.end, "fair": record.fair, "closed": record.closed})
    try:
        tables = verify_record(record)
    except BadFile as error:
        replayed.add("unverified", {"code": error.reason.code, "text": error.reason.text})
        return
    for ply in tables:
        replayed.add("ply", {"seat": ply.seat, "at": ply.at, "events": ply.events})
    match = replay(record)
    for viewer in match.viewers:
        replayed.add(
            "view", {"view": mask(match.state, viewer), "can_undo": match.can_undo(viewer)}
        )
    replayed.add("audience", match.make_reset(AUDIENCE))


def _header(record: Record) -> dict[str, object]:
    """The header without the time, the key and the program's version."""
    fields = msgspec.to_builtins(record.header)
    return {k: v for k, v in fields.items() if k not in ("created", "sealing", "program")}
