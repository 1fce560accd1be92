"""What lines have taken of the memory is given back when they end."""

import ctypes
from contextlib import suppress

M_MMAP_THRESHOLD = -3
"""The number of that setting in glibc's <malloc.h>."""
LARGE = 128 * 1024
"""Bytes from which on a piece of memory is got from the system, and given back to it: as usual."""


def give_back_memory() -> None:
    """Keep large pieces of memory apart, where the system's library allows that.

    Once such a piece was freed, glibc takes those as large from its heap, where they leave holes:
    a host on which hundreds of lines came and went (256 KiB each on uvloop) would keep for good
    what they have had.
    """
    with suppress(OSError, AttributeError, TypeError):  # another library, or another system
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE)
