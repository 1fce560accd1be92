"""The `when` and `unless` conditions of entries in a game's files."""

from collections.abc import Mapping
from typing import Final

from tabletop.engine.model import State, Value
from tabletop.text.phrases import fill_gaps

EMPTY: Final = "empty/"
"""Prefix of the predefined value that is 1 while a zone, whose name follows, has no cards."""
Condition = Mapping[str, Value | tuple[Value, ...]]
"""Public values with their required content; a tuple lists alternatives."""


def condition_values(view: State, asked: str) -> dict[str, Value]:
    """Return the values that `when` and `unless` may read: those of `view` and the predefined.

    `asked`: the kind of the viewer's open question, or "".
    """
    empty = {f"{EMPTY}{zone}": int(not view.cards.get(zone)) for zone in view.zones}
    over = int(view.result is not None)
    return {**empty, "over": over, **view.values, "seats": view.seats, "asked": asked}


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
