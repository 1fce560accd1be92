"""The log of a server: one line per event, as text or JSON.

Calls look like `log.info("opened table=%s", table)`: the event, then each field with its name.
Codes, tokens, keys and chat messages are never logged.
"""

import logging
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import msgspec

from tabletop.net.limits import LeakyBuckets

LogFormat = Literal["lines", "json"]
LINES_PER_S, LINE_BURST = 20, 200
"""The rate limit for each kind of event, so that refused requests can't fill the disk."""
_FIELD = re.compile(r" (\w+)=%[a-z]")
_PLAIN = re.compile(r"[^\s\"=\\]+")


class LogFormatter(logging.Formatter):
    """Formats an event as one line: time, level, event and key=value fields."""

    def __init__(self, log_format: LogFormat) -> None:
        super().__init__(datefmt="%Y-%m-%dT%H:%M:%S")
        self.converter = time.gmtime
        self._json = log_format == "json"

    def format(self, record: logging.LogRecord) -> str:
        event, fields = _parts(record)
        if left_out := getattr(record, "left_out", 0):
            fields["left_out"] = left_out
        at = f"{self.formatTime(record, self.datefmt)}Z"
        trace = self.formatException(record.exc_info) if record.exc_info else ""
        if self._json:
            line_fields = {"time": at, "level": record.levelname, "event": event, **fields}
            return msgspec.json.encode(line_fields | ({"trace": trace} if trace else {})).decode()
        line = " ".join([f"{at} {record.levelname} {event}", *map(_field_text, fields.items())])
        return f"{line}\n{trace}" if trace else line


class EventRateLimit(logging.Filter):
    """Limits the rate of each kind of event. The next line of that kind
    says how many were omitted.
    """

    def __init__(self) -> None:
        super().__init__()
        self._buckets = LeakyBuckets(LINES_PER_S, LINE_BURST - 1)
        self._left_out: dict[str, int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        kind = str(record.msg)
        if not self._buckets.try_fill(kind):
            self._left_out[kind] = self._left_out.get(kind, 0) + 1
            return False
        record.left_out = self._left_out.pop(kind, 0)
        return True


@contextmanager
def log_to_standard_error(log_format: LogFormat) -> Iterator[None]:
    """Log to standard error while the context is active."""
    lines = logging.StreamHandler()
    lines.setFormatter(LogFormatter(log_format))
    lines.addFilter(EventRateLimit())
    log = logging.getLogger("tabletop")
    before = log.level
    log.addHandler(lines)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(lines)
        log.setLevel(before)


def _parts(record: logging.LogRecord) -> tuple[str, dict[str, object]]:
    """Return the event and its fields by name."""
    template = str(record.msg)
    args = record.args if isinstance(record.args, tuple) else ()
    names = _FIELD.findall(template)
    if len(names) != len(args):
        return record.getMessage(), {}
    values = (arg if isinstance(arg, int | float) else str(arg) for arg in args)
    return _FIELD.sub("", template), dict(zip(names, values, strict=True))


def _field_text(field: tuple[str, object]) -> str:
    """Return the field as part of a line, quoted unless its value is one plain word."""
    name, value = field
    text = str(value)
    quoted = text if _PLAIN.fullmatch(text) else msgspec.json.encode(text).decode()
    return f"{name}={quoted}"
