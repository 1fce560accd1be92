"""A table of two among its people, as a window and a phone know it."""

from collections.abc import Mapping

from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.language.table_status import (
    Capabilities,
    HalfMade,
    HostLine,
    ScreenState,
    TablePeople,
    TableStatus,
    Viewing,
)
from tabletop.language.words import Words
from tabletop.match.match import Match, Player

PARTS = {
    "people": TablePeople,
    "capabilities": Capabilities,
    "viewing": Viewing,
    "half_made": HalfMade,
    "screen": ScreenState,
}
"""The parts of a status."""


def changed(status: TableStatus, **facts: object) -> TableStatus:
    """Return the status with other facts, of its parts as well."""
    parts: dict[str, object] = {}
    for name, part in PARTS.items():
        of_part = {fact: facts.pop(fact) for fact in part.__struct_fields__ if fact in facts}
        parts[name] = replace(facts.pop(name, getattr(status, name)), **of_part)
    return replace(status, **parts, **facts)


def among(people: TablePeople, facts: Mapping[str, object]) -> TablePeople:
    """Return the people with other facts, of their line to the host as well."""
    line = {name: fact for name, fact in facts.items() if name in HostLine.__struct_fields__}
    rest = {name: fact for name, fact in facts.items() if name not in line}
    return replace(people, line=replace(people.line, **line), **rest)


KIT = catalogue.load("sun")
PLAYERS = (Player("Hinata", "sun"), Player("Kaname", "moon"))
WORDS = Words("en", KIT, PLAYERS)
MATCH = Match(KIT, PLAYERS, seed="prompt")
HERE = TablePeople(own=(0,), host="Kaname", shared=True)
WINDOW = TableStatus(words=WORDS, kit=KIT, view=MATCH.view(0), people=HERE, looking=0)
PHONE = changed(WINDOW, personal=True, wants_another=False)
