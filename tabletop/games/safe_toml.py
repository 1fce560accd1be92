"""TOML parser for untrusted files, with limits on nesting and numbers."""

import re
import tomllib
from typing import Any

from tabletop.games.toml_lines import TOKEN

MAX_DEPTH = 16
"""The maximum nesting depth of brackets, and the maximum number of dots in a key."""
MAX_NUMBER = 10**12
"""The maximum absolute value of a `float`."""
_CLOSING = {"]": "[", "}": "{"}
_STRUCTURE = frozenset("[]{},=\n")


class InvalidToml(ValueError):
    """Raised for an invalid TOML text; `line` is the line of the error, counted from 1."""

    def __init__(self, problem: str, line: int) -> None:
        super().__init__(problem)
        self.line = line


def parse_toml(text: str) -> dict[str, Any]:
    """Parse a TOML text.

    Raises:
        InvalidToml: `text` isn't valid TOML, or exceeds a limit.
    """
    text = text.removeprefix("\ufeff")  # Windows editors add a byte order mark
    _check_limits(text)
    try:
        return tomllib.loads(text, parse_float=_parse_float)
    except tomllib.TOMLDecodeError as error:
        found = _AT_LINE.search(str(error))
        line = int(found[1]) if found and found[1] else text.count("\n") + 1
        if comma := _DECIMAL_COMMA.search(text.split("\n")[line - 1]):
            said = f"decimals have a point: {comma[1]}.{comma[2]}, not {comma[1]},{comma[2]}"
            raise InvalidToml(said, line) from error
        raise InvalidToml(_AT_LINE.sub("", str(error)), line) from error
    except (ValueError, RecursionError) as error:
        line = text.count("\n", 0, max(text.find(str(error)), 0)) + 1
        raise InvalidToml("it holds what is no number of a game", line) from error


_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)| \(at end of document\)")
_DECIMAL_COMMA = re.compile(r"=\s*([+-]?\d+),(\d+)\s*(?:#.*)?$")
_DIGITS = re.compile(r"[+-]?[\d_]{13,}|0[xob][\da-fA-F_]{10,}")


def _check_limits(text: str) -> None:
    """Check that `text` isn't nested too deeply and can be parsed fast.

    Raises:
        InvalidToml: `text` exceeds a limit.
    """
    depth = dots = 0
    for token in TOKEN.finditer(text):
        sign = token[0]
        if sign in _STRUCTURE:
            dots = 0
            depth += (sign in "[{") - (sign in _CLOSING)
        elif sign[0] not in "\"'#":
            dots += sign.count(".")
            if _DIGITS.fullmatch(sign):
                raise InvalidToml(
                    "a number is larger than any of a game", _line_number(text, token)
                )
        if depth > MAX_DEPTH or dots > MAX_DEPTH:
            raise InvalidToml("it goes deeper than any file of a game", _line_number(text, token))


def _line_number(text: str, token: re.Match[str]) -> int:
    return text.count("\n", 0, token.start()) + 1


def _parse_float(text: str) -> float:
    number = float(text)
    if not abs(number) <= MAX_NUMBER:  # also refuses NaN
        raise ValueError(text)
    return number
