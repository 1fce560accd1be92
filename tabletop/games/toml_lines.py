"""Line numbers of the entries in a TOML text, which `tomllib` doesn't report.

The text must already be known to be valid TOML.
"""

import re
from collections.abc import Iterator

TomlPath = tuple[str | int, ...]
"""The keys and indexes that lead to an entry, such as `("place", 3, "card")`."""

TOKEN = re.compile(
    r'"""(?:[^\\]|\\[\s\S])*?(?:"{3,5}|\Z)|\'\'\'[\s\S]*?(?:\'{3,5}|\Z)'
    r'|"(?:[^"\\\n]|\\.)*"?|\'[^\'\n]*\'?|#[^\n]*|[\[\]{},=\n]|[^\s\[\]{},=#"\']+'
)
"""A pattern for the tokens of a TOML text.

An unterminated string matches up to the end of its line or of the file. Searching for the end of
the string from every quote would take quadratic time.
"""


def entry_lines(text: str) -> dict[TomlPath, int]:
    """Return the line of every table, key and array element by path, counted from 1."""
    return _LineFinder(text).lines


class _LineFinder:
    def __init__(self, text: str) -> None:
        self.lines: dict[TomlPath, int] = {(): 1}
        self._counts: dict[TomlPath, int] = {}
        """The index of the last table in each array of tables."""
        self._line = 1
        self._tokens = self._each(text)
        table: TomlPath = ()
        for token in self._tokens:
            if token == "[":
                table = self._header()
            elif token != "\n":
                self._entry(table, token)

    def _each(self, text: str) -> Iterator[str]:
        for token in TOKEN.findall(text):
            if token[0] != "#":
                yield token
            self._line += token.count("\n")

    def _header(self) -> TomlPath:
        """Read the rest of a header, `[a.b]` or `[[a.b]]`, after its first bracket;
        return its path.
        """
        tokens: list[str] = []
        for token in self._tokens:
            if token == "\n":
                break
            tokens.append(token)
        *above, last = _split_key([token for token in tokens if token not in "[]"])
        path: TomlPath = ()
        for key in above:
            path = self._inside((*path, key))
            self.lines.setdefault(path, self._line)
        path = (*path, last)
        if tokens[0] == "[":
            self._counts[path] = self._counts.get(path, -1) + 1
        self.lines.setdefault(path, self._line)
        path = self._inside(path)
        self.lines[path] = self._line
        return path

    def _inside(self, path: TomlPath) -> TomlPath:
        return (*path, self._counts[path]) if path in self._counts else path

    def _entry(self, table: TomlPath, token: str) -> None:
        """Read the rest of a `key = value` whose first token is `token`."""
        path = table
        line = self._line
        tokens = [token]
        for token in self._tokens:
            if token == "=":
                break
            tokens.append(token)
        for key in _split_key(tokens):
            path = (*path, key)
            self.lines.setdefault(path, line)
        self._value(path, next(self._tokens, ""))

    def _value(self, path: TomlPath, token: str) -> None:
        if token == "{":
            for inner in self._tokens:
                if inner == "}":
                    return
                if inner not in (",", "\n"):
                    self._entry(path, inner)
        elif token == "[":
            index = 0
            for inner in self._tokens:
                if inner == "]":
                    return
                if inner == ",":
                    index += 1
                elif inner != "\n":
                    self.lines[*path, index] = self._line
                    self._value((*path, index), inner)


def _split_key(tokens: list[str]) -> list[str]:
    """Split a dotted key into its parts. A quoted part may contain dots."""
    keys: list[str] = []
    for token in tokens:
        if token[0] in "\"'":
            keys.append(token[1:-1])
        else:
            keys += [key for key in token.split(".") if key]
    return keys
