"""The `when` and `unless` conditions of entries in a game's files."""

from collections.abc import Mapping

from tabletop.engine.model import Value
from tabletop.text.phrases import fill_gaps

Condition = Mapping[str, Value | tuple[Value, ...]]
"""Public values with their required content; a tuple lists alternatives."""


def conditions_hold(
    when: Condition, unless: Condition, values: Mapping[str, Value], placeholders: Mapping[str, int]
) -> bool:
    """Return whether all of `when` match and `unless`, if not empty, doesn't.

    `placeholders` gives the numbers for placeholders in the names of public values.
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
