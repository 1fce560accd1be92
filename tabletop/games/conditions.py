"""The conditions `when` and `unless` of entries in a game's files."""

from collections.abc import Mapping

from tabletop.engine.model import Value
from tabletop.text.phrases import fill_gaps

Condition = Mapping[str, Value | tuple[Value, ...]]
"""Required contents of public values; a tuple lists alternatives."""


def conditions_hold(
    when: Condition, unless: Condition, values: Mapping[str, Value], placeholders: Mapping[str, int]
) -> bool:
    """Return whether an entry with these conditions is active.

    `placeholders` gives the values of placeholders in the names of the public values.
    """
    if when and not _all_match(when, values, placeholders):
        return False
    return not (unless and _all_match(unless, values, placeholders))


def _all_match(
    condition: Condition, values: Mapping[str, Value], placeholders: Mapping[str, int]
) -> bool:
    for key, wanted in condition.items():
        value = values.get(fill_gaps(key, placeholders))
        if value not in wanted if isinstance(wanted, tuple) else value != wanted:
            return False
    return True
