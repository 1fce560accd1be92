"""Short names of reasons, for who counts them: a reason that is a constant is called as that is."""

from collections.abc import Mapping
from functools import cache

from tabletop.engine.model import Reason
from tabletop.net import codec
from tabletop.net.host import (
    doorkeeper,
    parcels,
    rooms,
    server,
    sleeping_tables,
    table_registry,
    visitor,
)
from tabletop.net.table import given_games, hosted_match, requests, rights, services, table_notes

OF_RULES = "rules"
"""A move that the rules of its game do not admit."""
DISK = "disk"
OTHER = "other"
HOMES = (
    server,
    table_registry,
    rooms,
    sleeping_tables,
    doorkeeper,
    parcels,
    visitor,
    requests,
    rights,
    given_games,
    table_notes,
    hosted_match,
    services,
    codec,
)
"""Where the reasons of a host stand."""


@cache
def named() -> Mapping[str, str]:
    """The names of all reasons that a host may give, by their texts."""
    return {
        reason.text: name.lower()
        for home in HOMES
        for name, reason in vars(home).items()
        if isinstance(reason, Reason)
    }


def name_of(of: str, text: str) -> str:
    """What a refusal is counted under: `of` is the tag of the message that was refused."""
    if " cannot be written: " in text:
        return DISK
    return named().get(text, OF_RULES if of == "play" else OTHER)


def by_reason(refused: Mapping[tuple[str, str], int]) -> dict[str, int]:
    """How many there were of each name."""
    counts: dict[str, int] = {}
    for (of, text), count in refused.items():
        name = name_of(of, text)
        counts[name] = counts.get(name, 0) + count
    return counts


def by_cause(cut: Mapping[str, int]) -> dict[str, int]:
    """The same of lines that were cut; what has a name already keeps it."""
    return {named().get(text, text if text.isidentifier() else OTHER): n for text, n in cut.items()}
