"""A test leaves nothing to the tests after it."""

import locale
import logging
import os
import random
from pathlib import Path

from tests.leftovers import restored_process


def test_what_a_test_changes_in_the_process_is_restored(tmp_path: Path) -> None:
    log, handler = logging.getLogger("tabletop.leftovers"), logging.NullHandler()
    log.setLevel(logging.INFO)
    assert log.isEnabledFor(logging.WARNING)
    os.environ["TABLETOP_LEFT"], folder, chance = "before", os.getcwd(), random.getstate()
    language = locale.setlocale(locale.LC_ALL)
    try:
        with restored_process():
            log.setLevel(logging.ERROR)
            log.addHandler(handler)
            log.addFilter(lambda record: False)
            log.disabled, log.propagate = True, False
            logging.disable(logging.CRITICAL)
            os.environ["TABLETOP_LEFT"] = "after"
            os.environ["TABLETOP_NEW"] = "new"
            os.chdir(tmp_path)
            locale.setlocale(locale.LC_ALL, "C")
            umask = os.umask(0o027)
            random.seed("left")
        assert log.isEnabledFor(logging.WARNING)
        assert (log.level, log.disabled, log.propagate) == (logging.INFO, False, True)
        assert (log.handlers, log.filters) == ([], [])
        assert os.environ["TABLETOP_LEFT"] == "before"
        assert "TABLETOP_NEW" not in os.environ
        assert os.getcwd() == folder
        assert locale.setlocale(locale.LC_ALL) == language
        assert os.umask(umask) == umask
        assert random.getstate() == chance
    finally:
        del os.environ["TABLETOP_LEFT"]


def test_a_logger_that_a_test_has_created_is_left_alone() -> None:
    """A module that is imported for the first time in a test may configure its own logger."""
    with restored_process():
        log = logging.getLogger("tabletop.leftovers.created_in_this_test")
        log.setLevel(logging.CRITICAL)
    assert log.level == logging.CRITICAL
