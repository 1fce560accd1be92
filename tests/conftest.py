"""Conditions of every test run: no window opens, nobody's home is touched, chance repeats."""

import gc
import inspect
import os
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tabletop.background import faults
from tabletop.catalogue import agreements, catalogue
from tests.leftovers import restored_process
from tests.wine import UNDER_WINE, under_wine

pytest.register_assert_rewrite("tabletop.studio.laws")
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

_home = tempfile.TemporaryDirectory(prefix="tabletop-tests-", ignore_cleanup_errors=True)
os.environ["TABLETOP_HOME"] = _home.name
_games = [Path(__file__).parent / folder for folder in ("free_tables", "designed_games")]
os.environ["TABLETOP_GAMES"] = os.pathsep.join(map(str, _games))
for _designed in _games[1].glob("*/rules.py"):
    agreements.add_own_folder(_designed.parent)
catalogue.load_all()  # now, at the home that has agreed to run the Python of these games

# "steady" repeats the same examples in every run; `--hypothesis-profile=search` looks for new ones.
_slow = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile(
    "steady",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=30,
    suppress_health_check=_slow,
)
settings.register_profile("search", deadline=None, max_examples=600, suppress_health_check=_slow)
settings.load_profile("steady")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Long tests may be as long as they like."""
    if os.environ.get("TABLETOP_LONG"):
        config.option.timeout = 0


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Under Wine some tests cannot pass: each is skipped with the reason."""
    if under_wine():
        for item in items:
            for name, reason in UNDER_WINE.items():
                if item.nodeid.startswith(name):
                    item.add_marker(pytest.mark.skip(reason=f"Wine: {reason}"))


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """A test that is a coroutine runs in a loop of its own, and fails where it hangs."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    from tests.net.loopback import run

    names = inspect.signature(pyfuncitem.obj).parameters
    given = {name: pyfuncitem.funcargs[name] for name in names}
    run(partial(pyfuncitem.obj, **given))
    return True


def pytest_runtest_logfinish() -> None:
    """Where windows have been tested, garbage is collected here and by no other thread."""
    if not gc.isenabled():
        due = zip(gc.get_count(), gc.get_threshold(), strict=True)
        full = [age for age, (count, most) in enumerate(due) if most and count > most]
        if full:
            gc.collect(full[-1])


@pytest.fixture(autouse=True)
def unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for the disk, which takes its time at every move; tests/storage does, and so
    does any process of its own."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture(autouse=True)
def heard_faults(request: pytest.FixtureRequest) -> Iterator[list[str]]:
    """A fault of background work fails the test in which it is heard, unless that expects some."""
    found: list[str] = []
    stop = faults.add_listener(found.append)
    yield found
    stop()
    if found and "expected_faults" not in request.fixturenames:
        pytest.fail(found[0])


@pytest.fixture
def expected_faults(heard_faults: list[str]) -> list[str]:
    """The stacks of the faults that were heard so far."""
    return heard_faults


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    """Restore process-wide state after each test, so that tests pass in any order."""
    with restored_process():
        yield


@pytest.fixture
def uncollected() -> Iterator[None]:
    """Python collects no garbage during the test; where windows have been tested it never does."""
    collects = gc.isenabled()
    gc.disable()
    yield
    if collects:
        gc.enable()
