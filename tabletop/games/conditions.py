"""The conditions under which an entry of a game's files is there: `when`, and `unless`."""

from collections.abc import Mapping

from tabletop.engine.model import Value
from tabletop.text.phrases import fill_gaps

Condition = Mapping[str, Value | tuple[Value, ...]]
"""Public values, which are so; a tuple means any of them."""


def holds(
    when: Condition, unless: Condition, values: Mapping[str, Value], gaps: Mapping[str, int]
) -> bool:
    """Whether an entry with these conditions is there, with these values; the `gaps` in the values'
    names are filled."""
    if when and not _are_so(when, values, gaps):
        return False
    return not (unless and _are_so(unless, values, gaps))


def _are_so(condition: Condition, values: Mapping[str, Value], gaps: Mapping[str, int]) -> bool:
    for key, wanted in condition.items():
        value = values.get(fill_gaps(key, gaps))
        if value not in wanted if isinstance(wanted, tuple) else value != wanted:
            return False
    return True
