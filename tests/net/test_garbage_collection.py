"""A host with many tables looks through everything seldom, and leaves Python as it was."""

import asyncio
import gc
import weakref

from tabletop.net.host.garbage_collection import NEVER, collect_seldom


class Ring:
    """Dead only once the collector has found it."""

    def __init__(self) -> None:
        self.itself = self


async def until_gone(ring: "weakref.ref[Ring]") -> None:
    while ring() is not None:
        await asyncio.sleep(0.001)


def test_old_garbage_is_collected_at_its_time_and_not_by_python_itself() -> None:
    async def scene() -> None:
        collecting = asyncio.create_task(collect_seldom(0.01))
        await asyncio.sleep(0)
        assert gc.get_threshold()[2] == NEVER
        await asyncio.wait_for(until_gone(weakref.ref(Ring())), 30)
        collecting.cancel()
        await asyncio.gather(collecting, return_exceptions=True)

    usual = gc.get_threshold()
    asyncio.run(scene())
    assert gc.get_threshold() == usual
