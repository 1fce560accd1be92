"""What a host has had of the memory is given back to the system: what lines had once they have
ended, and all the rest by a new process once nobody is there.

What tables have had is free once they sleep, but Python keeps it: it deals in arenas of 1 MiB, and
gives one back only where nothing at all lies in it. Among what 400 tables had, in 60 arenas, half a
MiB of small things that live on keeps every one of them. So a server that has grown by as much, and
at which nobody is, begins anew on its folder, which takes a second.
"""

import asyncio
import ctypes
import logging
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from socket import socket

from tabletop.net.host.inherited_socket import hand_on

log = logging.getLogger("tabletop.net")

PAUSE = 10.0
"""Seconds between two times: a few milliseconds after an attack, a tenth of one otherwise."""
MAPPED_FROM = -3
"""M_MMAP_THRESHOLD of malloc.h."""
KEPT_AT_THE_END = -1
"""M_TRIM_THRESHOLD: with less free at the end of the heap nothing is given back at once; every read
from a line takes 64 KiB for a moment."""
LARGE = 128 * 1024
"""Bytes from which on a piece of memory is mapped by itself: what glibc begins with."""
GROWN = 48 * 2**20
"""Bytes more than in the beginning that a server may keep where nobody is."""
QUIET = 120.0
"""Seconds for which nobody was there, before a server begins anew."""
LOOKS = 12
"""How often it looks in that time whether anybody is."""
RESIDENT = Path("/proc/self/statm")


async def give_back_memory(pause: float = PAUSE) -> None:
    """Until cancelled, give back again and again what is free, where the system's library can.

    glibc gives back only what is free at the end of its heap. Any small piece that lives on behind
    them keeps all that hundreds of lines have had, 256 KiB each on uvloop, for as long as it lives.
    So such large pieces are kept out of the heap, as glibc does itself until the first of them is
    freed: a line then takes 40 KiB instead of 60.
    """
    try:
        library = ctypes.CDLL(None)
        trim, set_option = library.malloc_trim, library.mallopt
    except (OSError, AttributeError, TypeError):  # another library, or another system
        return
    set_option(MAPPED_FROM, LARGE)
    set_option(KEPT_AT_THE_END, 8 * LARGE)
    while True:
        await asyncio.sleep(pause)
        trim(0)


def resident() -> int:
    """Bytes of memory that this process has; 0 where the system does not tell."""
    with suppress(OSError):
        return int(RESIDENT.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


async def outgrown(nobody_there: Callable[[], bool], quiet: float = QUIET) -> None:
    """Come back once the process has grown by more than `GROWN` bytes since this was called, and
    nobody was there for `quiet` seconds."""
    begun = resident()
    looks = 0
    while looks < LOOKS:
        await asyncio.sleep(quiet / LOOKS)
        looks = looks + 1 if nobody_there() and resident() - begun > GROWN else 0
    log.info("renewed memory=%d began=%d", resident(), begun)


def begin_anew(listening: socket | None) -> None:
    """Run the program again, with the same words, in place of this process, whose loop has ended; a
    socket that listens is left to it.

    Raises:
        OSError: the system does not start it.
    """
    frozen = getattr(sys, "frozen", False)
    words = sys.argv[1:] if frozen else sys.orig_argv[1:]
    if listening is not None:
        hand_on(listening)
    os.execv(sys.executable, [sys.executable, *words])
