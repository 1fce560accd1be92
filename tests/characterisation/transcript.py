"""A transcript: what one client was sent, line by line, without what differs from run to run."""

import json
from collections import Counter
from hashlib import sha256

import msgspec
from msgspec import Struct

from tabletop.engine.model import Reason
from tabletop.match.match import Reset, Update
from tabletop.match.seat import Seat
from tabletop.protocol.messages import TableInfo

DIGITS = 16
"""The hexadecimal digits of a digest that are kept."""


class Transcript:
    """The lines of one client, and how many there are of each kind."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.counts: Counter[str] = Counter()
        self.muted = False
        """Whether nothing is noted: the table is about to stop, or not there yet."""

    def add(self, kind: str, content: object = None) -> None:
        if self.muted:
            return
        self.counts[kind] += 1
        plain = json.loads(msgspec.json.encode(content))
        self.lines.append(f"{kind} {json.dumps(plain, sort_keys=True, ensure_ascii=False)}")

    def add_once(self, kind: str, content: object = None) -> None:
        """Add a line unless the last one is equal."""
        before = len(self.lines)
        self.add(kind, content)
        if before and len(self.lines) > before and self.lines[-1] == self.lines[-2]:
            self.lines.pop()
            self.counts[kind] -= 1

    @property
    def digest(self) -> str:
        return sha256("\n".join(self.lines).encode()).hexdigest()[:DIGITS]

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)


class Transcripts(dict[str, Transcript]):
    """The transcripts of all clients of one match, by their names."""

    def __missing__(self, name: str) -> Transcript:
        self[name] = made = Transcript()
        return made

    def mute(self, muted: bool) -> None:
        for transcript in self.values():
            transcript.muted = muted

    @property
    def counts(self) -> Counter[str]:
        return sum((each.counts for each in self.values()), Counter())


def told(reason: Reason) -> dict[str, object]:
    """A reason as it is compared."""
    return {"code": reason.code, "text": reason.text, "args": reason.args}


def follow_seat(transcript: Transcript, seat: Seat) -> None:
    """Write down all that this seat is sent from now on, beginning with its table as it is now."""
    _note_news(transcript, seat.make_reset())
    seat.on_update(lambda news: _note_news(transcript, news))
    seat.on_refusal(lambda reason: transcript.add("refused", told(reason)))


def _note_news(transcript: Transcript, news: Update | Reset) -> None:
    transcript.add("reset" if isinstance(news, Reset) else "update", news)


class TableFacts(Struct, frozen=True):
    """The facts of a shared table that don't differ from run to run."""

    phase: str
    sitters: tuple[tuple[str, str, str, str], ...]
    pause: tuple[int, ...]
    wish: object
    ending: object
    ended: object
    round: int


def facts(info: TableInfo) -> TableFacts:
    return TableFacts(
        info.phase,
        tuple((each.kind, each.state, each.name, each.level) for each in info.sitters),
        info.pause.seats if info.pause is not None else (),
        info.wish,
        info.ending,
        told(info.ended) if info.ended is not None else None,
        info.round,
    )
