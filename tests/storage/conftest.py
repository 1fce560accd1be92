"""Here all that is written comes to the disk, as it does for players."""

import pytest


@pytest.fixture(autouse=True)
def unsynced() -> None:
    """Nothing is left out."""
