"""Findings of a game check, and how they are reported."""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

MAX_LISTED = 5
"""The maximum number of findings of one kind that are shown individually."""
_VARYING = re.compile(r'"[^"]*"|[0-9]+')
"""Matches the parts that differ between findings of the same kind: quoted texts and numbers."""


class Finding(Struct, frozen=True):
    """A fault that a designer should look at."""

    fault: str
    """The fault, as a sentence."""
    cause: str = ""
    """The usual cause."""
    where: str = ""
    """The player count, seed and move at which the fault occurs."""
    see: str = ""
    """A command with which to see the fault."""
    fatal: bool = False
    """Whether the remaining checks can't run."""

    def lines(self) -> list[str]:
        """Return the lines for the terminal."""
        more = (("", self.where), ("mostly: ", self.cause), ("see it: ", self.see))
        return [f"- {self.fault}", *(f"    {head}{text}" for head, text in more if text)]


def report(findings: Iterable[Finding]) -> Iterator[str]:
    """Yield the lines for the findings of one step. Only the first findings of each kind are shown
    individually, followed by the number of the others.
    """
    kinds: dict[str, list[Finding]] = {}
    for each in findings:
        kinds.setdefault(_VARYING.sub("", each.fault), []).append(each)
    for alike in kinds.values():
        shown = alike[:MAX_LISTED] if len(alike) > MAX_LISTED + 1 else alike
        for each in shown:
            yield from each.lines()
        if more := len(alike) - len(shown):
            yield f"  … and {more} more like it"
