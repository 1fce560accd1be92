"""Health check of the disk that a server writes to."""

import asyncio
import os
import shutil
from contextlib import suppress
from pathlib import Path
from time import monotonic

from tabletop.background import faults
from tabletop.background.faults import WENT_WRONG
from tabletop.background.tasks import create_child_task, run_in_thread
from tabletop.engine.model import Reason
from tabletop.files.errors import write_error
from tabletop.files.regular_file import MIB

PROBE_FILE = ".health"
PROBE_BYTES = 4096
"""The size of the test file in bytes."""
PROBE_TIMEOUT_S = 3.0
"""How long writing the test file may take, in seconds."""
REPORT_MAX_AGE_S = 1.0
"""How long a result is reused, in seconds."""

SILENT = Reason("The disk isn't responding.")
NEARLY_FULL = Reason("The disk is nearly full: {free} MiB are free, less than the {least} wanted.")


class DiskHealth:
    """Checks on request the health of the disk that a folder is on."""

    def __init__(self, folder: Path, least: int) -> None:
        """`least`: how many bytes should be free on the disk."""
        self.free = 0
        """The free disk space in bytes at the latest check."""
        self._folder = folder
        self._least = least
        self._asked: asyncio.Task[Reason | None] | None = None
        self._at = 0.0

    async def trouble(self) -> Reason | None:
        """Return the problem with the disk; None if there is none."""
        if self._asked is None or (
            self._asked.done() and monotonic() - self._at > REPORT_MAX_AGE_S
        ):
            self._asked = create_child_task(run_in_thread(self._check_disk))
        try:
            async with asyncio.timeout(PROBE_TIMEOUT_S):
                return await asyncio.shield(self._asked)
        except TimeoutError:
            return SILENT
        except Exception as error:
            faults.report(error, "the health of the disk")
            return WENT_WRONG

    def _check_disk(self) -> Reason | None:
        """Write a test file and measure the free space. Runs in a worker thread."""
        probe = self._folder / PROBE_FILE
        try:
            self.free = shutil.disk_usage(self._folder).free
            with open(os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(bytes(PROBE_BYTES))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            return write_error(error, self._folder.name).reason
        finally:
            with suppress(OSError):
                probe.unlink()
            self._at = monotonic()
        if self.free < self._least:
            return NEARLY_FULL.with_args(free=self.free // MIB, least=self._least // MIB)
        return None
