"""Digests by which a record notices that a line of it was damaged.

The last field of a line's JSON is a digest of the whole line before it and of the line itself up to
there, so that no line can be changed, left out or moved. Older programs read such a line as any
other. They are no signature: its seal protects a record from somebody who writes it again.
"""

import re
from collections.abc import Sequence
from hashlib import blake2b

DIGEST_BYTES = 8
"""Bytes of a digest."""
_FIELD = re.compile(rb',"digest":"([0-9a-f]{16})"\}\Z')


def add_digest(line: bytes, before: bytes) -> bytes:
    """The line of a file, a JSON object and a line break, with its digest; `before` is the whole
    line that it follows, with its line break, or nothing."""
    body = line.removesuffix(b"}\n")
    return body + b',"digest":"' + _digest(body, before) + b'"}\n'


def check_digest(line: bytes, before: bytes) -> bool | None:
    """Whether the digest of a line is the one that belongs there; None where it carries none.
    Both lines are without their line breaks; a line break that became CRLF counts as it was
    written."""
    field = _FIELD.search(line.removesuffix(b"\r"))
    if field is None:
        return None
    body = line[: field.start()]
    # an older program that went on with such a file saw the CRLF
    written = {before.removesuffix(b"\r"), before}
    return field[1] in [_digest(body, each + b"\n" if each else b"") for each in written]


def strip_digest(line: bytes) -> bytes:
    """A line, without its line break, as it would be without a digest."""
    field = _FIELD.search(line)
    return line if field is None else line[: field.start()] + b"}"


def rechain_lines(lines: Sequence[bytes], first: bytes) -> list[bytes]:
    """These lines, without their line breaks, with another first one: each carries a digest that
    fits if it did before."""
    fresh = [b""]
    for before, line, now in zip((b"", *lines), lines, (first, *lines[1:]), strict=False):
        field = _FIELD.search(now)
        if field is not None and check_digest(line, before):
            fresh.append(add_digest(now[: field.start()] + b"}\n", fresh[-1]))
        else:
            fresh.append(now + b"\n")
    return fresh[1:]


def has_crlf(lines: Sequence[bytes]) -> bool:
    """Whether any of these lines, which end before their LF, ended with CRLF."""
    return any(line.endswith(b"\r") for line in lines)


def _digest(body: bytes, before: bytes) -> bytes:
    return blake2b(before + body, digest_size=DIGEST_BYTES).hexdigest().encode()
