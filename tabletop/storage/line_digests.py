"""Digests by which a record notices that a line of it was damaged.

The last field of a line's JSON is a digest of the whole line before it and of the line itself up to
there, so that no line can be changed, left out or moved. Older programs read such a line as any
other. They are no signature: its seal protects a record from somebody who writes it again.
"""

import re
from hashlib import blake2b

SIZE = 8
"""Bytes of a digest."""
_FIELD = re.compile(rb',"digest":"([0-9a-f]{16})"\}\Z')


def with_digest(line: bytes, before: bytes) -> bytes:
    """The line of a file, a JSON object and a line break, with its digest; `before` is the whole
    line that it follows, with its line break, or nothing."""
    body = line.removesuffix(b"}\n")
    return body + b',"digest":"' + _digest(body, before) + b'"}\n'


def fits(line: bytes, before: bytes) -> bool | None:
    """Whether the digest of a line is the one that belongs there; None where it carries none.
    Both lines are without their line breaks."""
    field = _FIELD.search(line)
    if field is None:
        return None
    return field[1] == _digest(line[: field.start()], before + b"\n" if before else b"")


def _digest(body: bytes, before: bytes) -> bytes:
    return blake2b(before + body, digest_size=SIZE).hexdigest().encode()
