"""A finding of a check, in plain words."""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

FEW = 5
"""The findings of a kind that are shown one by one."""
_VARYING = re.compile(r'"[^"]*"|[0-9]+')
"""The parts that differ among findings of one kind: names, texts and numbers."""


class Finding(Struct, frozen=True):
    """Something that a designer should look at."""

    fault: str
    """The fault, in a sentence."""
    cause: str = ""
    """The usual cause."""
    where: str = ""
    """The game and the move."""
    see: str = ""
    """The command that shows it."""
    fatal: bool = False
    """Whether the game can't be checked any further."""

    def lines(self) -> list[str]:
        """As a terminal shows it."""
        more = (("", self.where), ("mostly: ", self.cause), ("see it: ", self.see))
        return [f"- {self.fault}", *(f"    {head}{text}" for head, text in more if text)]


def report(findings: Iterable[Finding]) -> Iterator[str]:
    """Yield the lines about the findings of one step: the first few of each kind, and how many
    more there are like them."""
    kinds: dict[str, list[Finding]] = {}
    for each in findings:
        kinds.setdefault(_VARYING.sub("", each.fault), []).append(each)
    for alike in kinds.values():
        shown = alike[:FEW] if len(alike) > FEW + 1 else alike
        for each in shown:
            yield from each.lines()
        if more := len(alike) - len(shown):
            yield f"  … and {more} more like it"
