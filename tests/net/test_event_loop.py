"""A host without a window runs on the quicker loop where there is one."""

import asyncio
import sys

import pytest

from tabletop.net.event_loop import THREAD_SWITCH_INTERVAL_S, run


async def loop_now() -> str:
    await asyncio.sleep(0)
    return type(asyncio.get_running_loop()).__module__


@pytest.mark.skipif(sys.platform == "win32", reason="uvloop is not made for Windows")
def test_on_uvloop_where_it_is_installed() -> None:
    assert run(loop_now()).startswith("uvloop")


def test_on_pythons_own_where_it_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvloop", None)
    assert run(loop_now()).startswith("asyncio")


def test_the_switch_interval_is_short_while_a_host_runs() -> None:
    async def interval() -> float:
        return sys.getswitchinterval()

    usual = sys.getswitchinterval()
    assert run(interval()) == pytest.approx(THREAD_SWITCH_INTERVAL_S)
    assert sys.getswitchinterval() == usual
