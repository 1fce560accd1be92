"""Conversion of planned steps between the rules' step classes and the records stored in states."""

from functools import cache
from typing import Any

from msgspec.structs import astuple

from tabletop.engine.types import Step, StepRecord, step_name


def to_record(step: Step | str) -> StepRecord:
    """Return `step` in the form that a state stores.

    Raises:
        TypeError: `step` is a name, as older rules pass it.
    """
    if not isinstance(step, Step):
        raise TypeError(
            f"table.then({step!r}, ...) isn't understood any more: "
            "plan a step with named fields, as section 3 of docs/new-game.md shows"
        )
    return StepRecord(step_name(type(step)), astuple(step))


@cache
def step_kinds(rules: type) -> dict[str, type[Step]]:
    """Return the step classes of `rules` by the names they have on the table."""
    kinds: Any = getattr(rules, "steps", ())
    return {step_name(kind): kind for kind in kinds}
