"""What a test of the window opened is destroyed before the next one begins.

Windows are rings of objects that nobody but the collector finds; left to its own pace it lets
hundreds of them gather.
"""

import gc
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent


@pytest.fixture(scope="session", autouse=True)
def frozen() -> Iterator[None]:
    """The modules of the program and of the tests stay: no collector needs to look at them."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture(autouse=True)
def swept() -> Iterator[None]:
    """Destroy, once all else of a test has been put away, what it has left."""
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.collect()
    if not gc.get_freeze_count():  # a replay was left: the program looks at everything again
        gc.freeze()
