"""Garbage of a host with many tables is looked for seldom.

Python looks through everything that lives whenever enough has been made. With hundreds of tables
that takes a tenth of a second, in which none of them is answered; and what a table leaves behind
when it ends can wait.
"""

import asyncio
import gc

SELDOM = 300.0
"""Seconds between two looks through everything."""
NEVER = 2**31 - 1


async def collect_seldom(pause: float = SELDOM) -> None:
    """Until cancelled, have Python itself look only through what is young."""
    usual = gc.get_threshold()
    gc.set_threshold(usual[0], usual[1], NEVER)
    try:
        while True:
            await asyncio.sleep(pause)
            gc.collect()
    finally:
        gc.set_threshold(*usual)
