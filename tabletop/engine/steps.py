"""Planned steps, from the rules' form with named fields to that of tables and records, and back."""

from functools import cache
from typing import Any

from msgspec.structs import astuple

from tabletop.engine.types import Step, StepRecord, step_name


def to_record(step: Step | str) -> StepRecord:
    """The step as the table holds it.

    Raises:
        TypeError: it is the name of a step, as in rules for older versions.
    """
    if not isinstance(step, Step):
        raise TypeError(
            f"table.then({step!r}, ...) isn't understood any more: "
            "plan a step with named fields, as section 3 of docs/new-game.md shows"
        )
    return StepRecord(step_name(type(step)), astuple(step))


@cache
def step_kinds(rules: type) -> dict[str, type[Step]]:
    """The kinds of steps of these rules, by their names on the table."""
    kinds: Any = getattr(rules, "steps", ())
    return {step_name(kind): kind for kind in kinds}
