"""Where the system has no process or thread to give, bots think in the program itself."""

import asyncio
import logging
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.context import SpawnProcess
from threading import Thread

import pytest
import rich.console

from tabletop.bots.bot_pool import BotPool
from tabletop.catalogue import catalogue
from tabletop.commands.command_line import main
from tabletop.files.disk_pool import DiskPool
from tabletop.net.event_loop import run
from tabletop.studio.tournament.arena import plan_matches
from tabletop.studio.tournament.executors import play_tournament
from tests.bots.asked_pool import asked, dealt
from tests.net.loopback import hosting

WAIT = 60


def no_process(*_: object) -> None:
    raise BlockingIOError(11, "Resource temporarily unavailable")


def no_thread(*_: object) -> None:
    raise RuntimeError("can't start new thread")


@pytest.fixture
def sentences(caplog):
    """The logged sentences."""
    caplog.set_level(logging.WARNING, "tabletop")
    return lambda: [record.getMessage() for record in caplog.records]


def think_twice() -> None:
    bot_pool = BotPool(catalogue.load_bot_parts, workers=1)
    seat = dealt()
    try:
        for level in ("hard", "normal"):
            decision = asked(bot_pool, seat, level, seconds=0.05).result(WAIT)
            assert (decision.level, decision.trouble) == (level, "")
            assert any(offer.admits(decision.move) for offer in seat.offers[decision.move.ask])
    finally:
        bot_pool.close()


def test_without_a_process_bots_think_in_a_thread(monkeypatch, sentences):
    monkeypatch.setattr(SpawnProcess, "start", no_process)
    think_twice()
    assert len(sentences()) == 1
    assert "so bots think in the program itself" in sentences()[0]


def test_without_a_thread_bots_think_where_they_are_asked(monkeypatch, sentences):
    monkeypatch.setattr(Thread, "start", no_thread)
    think_twice()
    assert len(sentences()) == 1
    assert "so bots think in the program itself" in sentences()[0]


def test_a_tournament_is_played_in_one_process_then(monkeypatch, sentences):
    monkeypatch.setattr(ProcessPoolExecutor, "submit", no_process)
    planned = plan_matches("sun", {}, ["easy"], 2, 3, "s")
    assert len(list(play_tournament(planned, 10**12))) == 3
    assert len(sentences()) == 1


def test_more_processes_than_there_are_cores_are_not_asked_for():
    planned = plan_matches("sun", {}, ["easy"], 2, 2, "s")
    assert len(list(play_tournament(planned, 10**12))) == 2


def test_without_a_thread_the_host_waits_for_the_disk_itself(monkeypatch, sentences):
    monkeypatch.setattr(Thread, "start", no_thread)
    pool = DiskPool()
    done: list[str] = []
    pool.enqueue(lambda: done.append("written"))
    pool.close()
    assert done == ["written"]
    assert len(sentences()) == 1


def test_without_threads_commands_do_what_they_can(monkeypatch, capsys):
    monkeypatch.setattr(Thread, "start", no_thread)
    monkeypatch.setattr(rich.console.Console, "is_terminal", True)
    assert main(["arena", "sun", "--games", "2", "--seconds", "0.01"]) == 0
    assert main(["simulate", "sun", "--games", "2"]) == 0
    assert "2 games of sun" in capsys.readouterr().out
    assert main([]) == 2
    assert capsys.readouterr().err == "The window cannot open: the system has no thread for it.\n"


def test_without_threads_a_host_uses_the_plain_loop(monkeypatch, tmp_path):
    async def loop_now() -> str:
        return type(asyncio.get_running_loop()).__module__

    async def evening() -> str:
        async with hosting(tmp_path):
            return await loop_now()

    monkeypatch.setattr(Thread, "start", no_thread)
    assert run(evening()).startswith("asyncio")
