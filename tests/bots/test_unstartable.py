"""Where the system has no process or thread to give, bots think in the program itself."""

import logging
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.context import SpawnProcess
from threading import Thread

import pytest

from tabletop.bots.bot_pool import BotPool
from tabletop.games import catalogue
from tabletop.net.host.write_ahead import WriterPool
from tabletop.tournament.arena import pairings, tournament
from tests.bots.asked_pool import asked, dealt

WAIT = 60


def no_process(*_: object) -> None:
    raise BlockingIOError(11, "Resource temporarily unavailable")


def no_thread(*_: object) -> None:
    raise RuntimeError("can't start new thread")


@pytest.fixture
def sentences(caplog):
    """What is told of it."""
    caplog.set_level(logging.WARNING, "tabletop")
    return lambda: [record.getMessage() for record in caplog.records]


def think_twice() -> None:
    bot_pool = BotPool(catalogue.bring, workers=1)
    link = dealt()
    try:
        for level in ("hard", "normal"):
            thought = asked(bot_pool, link, level, seconds=0.05).result(WAIT)
            assert (thought.level, thought.trouble) == (level, "")
            assert any(offer.admits(thought.move) for offer in link.offers[thought.move.ask])
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
    planned = pairings("sun", {}, ["easy"], 2, 3, "s")
    assert len(list(tournament(planned, 10**12))) == 3
    assert len(sentences()) == 1


def test_more_processes_than_there_are_cores_are_not_asked_for():
    planned = pairings("sun", {}, ["easy"], 2, 2, "s")
    assert len(list(tournament(planned, 10**12))) == 2


def test_without_a_thread_the_host_waits_for_the_disk_itself(monkeypatch, sentences):
    monkeypatch.setattr(Thread, "start", no_thread)
    writers = WriterPool()
    done: list[str] = []
    writers.give(lambda: done.append("written"))
    writers.close()
    assert done == ["written"]
    assert len(sentences()) == 1
