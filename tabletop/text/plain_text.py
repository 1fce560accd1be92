"""Sanitising of texts from other people."""

import re
import sys
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

MAX_NAME_CHARS = 40

_SPACES = re.compile(r"\s+")


def plain_line(text: str, max_chars: int = MAX_NAME_CHARS) -> str:
    """Return `text` as one line of at most `max_chars` characters.

    Control characters and characters that change the writing direction are removed.
    """
    shown = _SPACES.sub(" ", text[: max_chars * 8])  # bound the cost for texts of megabytes
    if not shown.isprintable():
        shown = "".join(
            sign for sign in shown if unicodedata.category(sign) not in _UNSAFE_CATEGORIES
        )
    return shown.strip()[:max_chars].rstrip()


def plain_lines(text: str, max_chars: int) -> str:
    """Return `text` without unsafe characters, cut to `max_chars` characters.

    Line breaks are kept.
    """
    lines = text[: max_chars * 8].splitlines()
    return "\n".join(plain_line(line, max_chars) for line in lines).strip()[:max_chars].rstrip()


def escape_controls(text: object) -> str:
    """Return `text` with control characters escaped, so that a terminal doesn't interpret them."""
    return "".join(sign if _is_harmless(sign) else repr(sign)[1:-1] for sign in str(text))


def _is_harmless(sign: str) -> bool:
    """Return whether `sign` is safe to print on a terminal.

    Python considers wide Japanese spaces unprintable, although they are safe.
    """
    return sign.isprintable() or unicodedata.category(sign) == "Zs"


def print_plain(text: object, to: TextIO | None = None) -> None:
    """Print `text` line by line, with control characters escaped.

    `to`: the stream to print to; standard output by default.
    """
    print("\n".join(escape_controls(line) for line in str(text).split("\n")), file=to, flush=True)


def shown_name(path: Path) -> str:
    """Return the name of a file or folder, safe for a terminal."""
    return escape_controls(path.name)


def shell_words(words: Iterable[str]) -> str:
    """Return `words` quoted for this system's shell."""
    if sys.platform == "win32":
        from subprocess import list2cmdline

        return list2cmdline([*words])
    from shlex import join

    return join(words)


_UNSAFE_CATEGORIES = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
