"""Sanitising of texts from other people."""

import re
import sys
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

LONGEST_NAME = 40

_SPACES = re.compile(r"\s+")


def plain_line(text: str, longest: int = LONGEST_NAME) -> str:
    """A text of somebody else's, harmless: one line, no controls, nothing that turns the writing
    direction, not too long."""
    shown = _SPACES.sub(" ", text[: longest * 8])  # don't search megabytes
    if not shown.isprintable():
        shown = "".join(sign for sign in shown if unicodedata.category(sign) not in _HIDDEN)
    return shown.strip()[:longest].rstrip()


def plain_lines(text: str, longest: int) -> str:
    """A text of somebody else's, harmless, on as many lines as it has, not too long."""
    lines = text[: longest * 8].splitlines()
    return "\n".join(plain_line(line, longest) for line in lines).strip()[:longest].rstrip()


def escape_controls(text: object) -> str:
    """A text or a path for a terminal: control characters are escaped, else it would obey them."""
    return "".join(sign if _is_harmless(sign) else repr(sign)[1:-1] for sign in str(text))


def _is_harmless(sign: str) -> bool:
    """Whether a terminal shows it; wide spaces, as in Japanese, are not "printable" to Python."""
    return sign.isprintable() or unicodedata.category(sign) == "Zs"


def print_plain(text: object, to: TextIO | None = None) -> None:
    """Print lines in which somebody else's words may stand, on the standard output or `to` another
    one."""
    print("\n".join(escape_controls(line) for line in str(text).split("\n")), file=to, flush=True)


def shown_name(path: Path) -> str:
    """The name of a file or folder for a terminal."""
    return escape_controls(path.name)


def shell_words(words: Iterable[str]) -> str:
    """Words as they are typed into a shell of this system."""
    if sys.platform == "win32":
        from subprocess import list2cmdline

        return list2cmdline([*words])
    from shlex import join

    return join(words)


_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
