"""Game folders made for the last release import names that have been renamed since."""

import subprocess
import sys
from importlib import import_module

import pytest

from tabletop.engine import dry_run, model, play, scratch

FORMER = [
    ("model", "Look", model.TableReader),
    ("model", "Chance", model.Rng),
    ("play", "Game", play.GameRules),
    ("scratch", "Luck", scratch.FastRng),
    ("scratch", "Scratch", scratch.SimulationTable),
    ("trial", "tried", dry_run.tried),
    ("trial", "TriedTable", dry_run.DryRunTable),
]


@pytest.mark.parametrize(("module", "former", "present"), FORMER)
def test_a_former_name_is_the_present_object(module: str, former: str, present: object) -> None:
    with pytest.warns(DeprecationWarning, match=f"{module}.{former} is now tabletop.engine"):
        assert getattr(import_module(f"tabletop.engine.{module}"), former) is present


def test_an_unknown_name_is_an_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Nonsense'"):
        model.Nonsense  # noqa: B018


def test_an_import_statement_finds_a_former_name() -> None:
    code = "from tabletop.engine.model import Look, Move; print(Look.__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "TableReader"
