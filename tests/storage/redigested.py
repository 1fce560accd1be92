"""Records that somebody has changed by hand, and given the digests that fit."""

import re

from tabletop.storage.line_digests import add_digest

_DIGEST = re.compile(rb', ?"digest": ?"[0-9a-f]{16}"\}$')


def undigested(content: bytes) -> bytes:
    """The record as a program wrote it that knew of no digests."""
    return b"\n".join(_DIGEST.sub(b"}", line) for line in content.split(b"\n"))


def redigested(content: bytes) -> bytes:
    """The record with each line's digest as it belongs there; a torn last line stays as it is."""
    *lines, torn = undigested(content).split(b"\n")
    whole = [b""]
    for line in lines:
        object_ = line.endswith(b"}") and not line.startswith(b"{}")
        whole.append(add_digest(line + b"\n", whole[-1]) if object_ else line + b"\n")
    return b"".join(whole) + torn
