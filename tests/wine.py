"""Tests that cannot pass under Wine 8, and why; a real Windows runs all of them."""

import sys

UNDER_WINE = {
    "tests/net/test_stop_requested.py::test_ctrl_break": "there is no console to press keys in",
}
"""Reasons by how the tests' names begin."""


def under_wine() -> bool:
    """Whether this is Wine and no Windows."""
    if sys.platform != "win32":
        return False
    from ctypes import windll

    return hasattr(windll.ntdll, "wine_get_version")
