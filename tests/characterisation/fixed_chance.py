"""Fixed values for what differs from run to run: shares of seeds, IDs of tables, limits by time."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest.mock import patch

from tabletop.net.guest import fair_shuffle, rate_limit
from tabletop.net.host import table_registry
from tabletop.table import hosted_match
from tests.characterisation.scenarios import TABLE, Scenario


@contextmanager
def fixed_chance(scenario: Scenario, home: Path) -> Iterator[None]:
    """Play in a home of its own, with the cards that `scenario` has on every path."""
    fixed = (
        (hosted_match, "generate_share", lambda: scenario.share),
        (fair_shuffle, "generate_share", lambda: scenario.share),
        (table_registry, "new_table_id", lambda: TABLE),
        (rate_limit, "BYTES_PER_S", 2**40),
        (rate_limit, "TEXTS_PER_S", 2**40),
        (os, "fsync", lambda _: None),
    )
    with ExitStack() as stack:
        for module, name, value in fixed:
            stack.enter_context(patch.object(module, name, value))
        stack.enter_context(patch.dict(os.environ, {"TABLETOP_HOME": str(home)}))
        yield
