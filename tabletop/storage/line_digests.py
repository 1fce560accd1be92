"""Digests that reveal damaged lines of a record.

The last JSON field of each line is a digest of the preceding line and the rest of the line itself,
so any changed, removed or moved line is detected. Older versions ignore the field. A digest isn't a
signature: only encryption protects against deliberate changes.
"""

import re
from collections.abc import Sequence
from hashlib import blake2b

DIGEST_BYTES = 8
"""The length of a digest, in bytes."""
_FIELD = re.compile(rb',"digest":"([0-9a-f]{16})"\}\Z')


def add_digest(line: bytes, before: bytes) -> bytes:
    """Return `line` with a digest added.

    `line`: a JSON object with a line break. `before`: the complete preceding line with its line
    break; empty for the first line.
    """
    body = line.removesuffix(b"}\n")
    return body + b',"digest":"' + _digest(body, before) + b'"}\n'


def check_digest(line: bytes, before: bytes) -> bool | None:
    """Return whether the digest in `line` is correct; None if it has none.

    Both lines are passed without line breaks. Lines whose line breaks were converted to CRLF are
    accepted.
    """
    field = _FIELD.search(line.removesuffix(b"\r"))
    if field is None:
        return None
    body = line[: field.start()]
    # an older version that continued such a file included the CRLF in its digests
    written = {before.removesuffix(b"\r"), before}
    return field[1] in [_digest(body, each + b"\n" if each else b"") for each in written]


def strip_digest(line: bytes) -> bytes:
    """Return `line` without its digest; `line` is passed without its line break."""
    field = _FIELD.search(line)
    return line if field is None else line[: field.start()] + b"}"


def rechain_lines(lines: Sequence[bytes], first: bytes) -> list[bytes]:
    """Return `lines` with the first one replaced by `first`, and with line breaks added.

    Digests that were correct are recomputed. `lines` and `first` are passed without line breaks.
    """
    fresh = [b""]
    for before, line, now in zip((b"", *lines), lines, (first, *lines[1:]), strict=False):
        field = _FIELD.search(now)
        if field is not None and check_digest(line, before):
            fresh.append(add_digest(now[: field.start()] + b"}\n", fresh[-1]))
        else:
            fresh.append(now + b"\n")
    return fresh[1:]


def has_crlf(lines: Sequence[bytes]) -> bool:
    """Return whether any of `lines`, which were split at LF, ends with CR."""
    return any(line.endswith(b"\r") for line in lines)


def _digest(body: bytes, before: bytes) -> bytes:
    return blake2b(before + body, digest_size=DIGEST_BYTES).hexdigest().encode()
