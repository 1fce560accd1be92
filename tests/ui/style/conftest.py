"""Fixtures for the tests of drawings."""

import pytest

from ui.style.art import Art


@pytest.fixture(scope="module")
def art(qapp: object) -> Art:
    return Art()
