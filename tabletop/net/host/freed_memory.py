"""What lines have taken of the memory is given back to the system once they have ended."""

import asyncio
import ctypes

PAUSE = 10.0
"""Seconds between two times: a few milliseconds after an attack, a tenth of one otherwise."""


async def give_back_memory(pause: float = PAUSE) -> None:
    """Until cancelled, give back again and again what is free, where the system's library can.

    glibc gives back only what is free at the end of its heap. Any small piece that lives on behind
    them keeps all that hundreds of lines have had, 256 KiB each on uvloop, for as long as it lives.
    """
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError, TypeError):  # another library, or another system
        return
    while True:
        await asyncio.sleep(pause)
        trim(0)
