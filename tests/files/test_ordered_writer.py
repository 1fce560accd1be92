"""The promises of the ordered writer: order, errors, and the way back into the owner's thread."""

import threading
from collections.abc import Callable, Iterator

import pytest

from tabletop.background import threads
from tabletop.background.faults import WENT_WRONG
from tabletop.files.disk_pool import DiskPool
from tabletop.files.errors import StorageError
from tabletop.files.ordered_writer import OrderedWriter
from tests.background.planted import fail, heard

LONGEST = 60.0
"""Seconds after which a test that waits has failed."""
FULL = 'Can\'t write "{file}": the disk is full.'


class Owner:
    """An owner of a writer: it takes in what is done when the test says so."""

    def __init__(self, pool: DiskPool, independent: bool = False) -> None:
        self.done: list[str] = []
        self.refused: list[str] = []
        self.threads: set[int] = set()
        """Those in which it was called back."""
        self.woken = threading.Semaphore(0)
        self.syncs = 0
        self.writer = OrderedWriter(
            "a test", pool, self.woken.release, self._refuse, self._sync, independent
        )

    def write(self, name: str) -> None:
        self.writer.add(lambda: self.done.append(name))

    def refuse(self, name: str) -> None:
        self.writer.add(lambda: raise_error(name))

    def take_in(self) -> None:
        """Wait for the writer to be woken, and take in what is done."""
        assert self.woken.acquire(timeout=LONGEST)
        self.writer.process_results()

    def _refuse(self, error: StorageError) -> None:
        self.threads.add(threading.get_ident())
        self.refused.append(str(error))

    def _sync(self) -> None:
        self.syncs += 1


def raise_error(name: str) -> None:
    raise StorageError(FULL, file=name)


def full(name: str) -> str:
    return f'Can\'t write "{name}": the disk is full.'


@pytest.fixture
def pool() -> Iterator[DiskPool]:
    pool = DiskPool()
    yield pool
    pool.close()


def blocked(owner: Owner) -> Callable[[], None]:
    """Keep the writer busy; return the function that lets it go on."""
    begun, let_go = threading.Event(), threading.Event()

    def wait() -> None:
        begun.set()
        assert let_go.wait(LONGEST)

    owner.writer.add(wait)
    assert begun.wait(LONGEST)
    return let_go.set


def test_jobs_are_done_in_order_and_waiting_ones_synced_once(pool: DiskPool) -> None:
    owner = Owner(pool)
    let_go = blocked(owner)
    for number in range(5):
        owner.write(str(number))
    let_go()
    owner.writer.finish()
    assert owner.done == ["0", "1", "2", "3", "4"]
    assert owner.syncs == 2
    assert owner.writer.is_settled


def test_a_call_that_waits_comes_after_the_writes_before_it(pool: DiskPool) -> None:
    owner = Owner(pool)
    let_go = blocked(owner)
    owner.write("a")
    owner.writer.call_when_safe(lambda: owner.done.append("sent"))
    owner.write("b")
    assert owner.writer.callback_count == 1
    let_go()
    owner.take_in()
    owner.take_in()
    assert owner.done == ["a", "b", "sent"], "both were written together"


def test_nothing_after_a_refused_write_is_done_or_sent(pool: DiskPool) -> None:
    owner = Owner(pool)
    let_go = blocked(owner)
    owner.refuse("journal")
    owner.write("after it")
    owner.writer.call_when_safe(lambda: owner.done.append("sent"))
    let_go()
    owner.take_in()
    owner.write("later")
    owner.take_in()
    owner.write("still later")
    owner.writer.finish()
    assert not owner.writer.wait(0)
    assert owner.done == []
    assert owner.refused == [full("journal")]
    owner.writer.discard()
    owner.write("again")
    owner.writer.finish()
    assert owner.done == ["again"]


def test_independent_writes_go_on_after_a_refused_one(pool: DiskPool) -> None:
    owner = Owner(pool, independent=True)
    let_go = blocked(owner)
    owner.refuse("one")
    owner.write("two")
    owner.refuse("three")
    let_go()
    owner.writer.finish()
    owner.write("four")
    owner.writer.finish()
    assert owner.done == ["two", "four"]
    assert owner.refused == [full("one"), full("three")]
    assert owner.writer.is_settled


@pytest.mark.parametrize("independent", [False, True])
def test_an_unforeseen_error_is_reported_and_told_as_a_refusal(
    independent: bool, pool: DiskPool, expected_faults: list[str]
) -> None:
    owner = Owner(pool, independent)
    owner.writer.add(fail)
    owner.writer.finish()
    assert heard(expected_faults)
    assert owner.refused == [WENT_WRONG.text]


def test_the_owner_is_called_in_its_own_thread(pool: DiskPool) -> None:
    owner = Owner(pool, independent=True)
    threads_of_jobs: list[int] = []
    owner.writer.add(lambda: threads_of_jobs.append(threading.get_ident()))
    owner.refuse("one")
    owner.take_in()
    owner.writer.finish()
    here = threading.get_ident()
    assert owner.threads == {here}
    assert here not in threads_of_jobs


def test_any_thread_may_wait_without_the_owner(pool: DiskPool) -> None:
    """Also for jobs that nobody has started yet: the owner may be the one that waits for it."""
    owner = Owner(pool)
    let_go = blocked(owner)
    owner.write("a")
    waited: list[bool] = []
    waiting = threads.start(lambda: waited.append(owner.writer.wait(LONGEST)), "waits")
    let_go()
    waiting.join(LONGEST)
    assert waited == [True]
    assert owner.done == ["a"]
    assert not owner.writer.is_settled, "only the owner takes it in"
    owner.writer.finish()
    assert owner.writer.is_settled


def test_a_wake_that_fails_stops_no_writes(pool: DiskPool, expected_faults: list[str]) -> None:
    writer = OrderedWriter("a test", pool, fail, lambda error: None)
    done: list[str] = []
    for name in "ab":
        writer.add(lambda name=name: done.append(name))
        assert writer.wait(LONGEST)
    assert done == ["a", "b"]
    pool.close()  # joins the thread, which reports the fault after `wait` has returned
    assert heard(expected_faults)


def test_a_wake_may_take_in_all_that_is_done(pool: DiskPool) -> None:
    writer = OrderedWriter("a test", pool, lambda: writer.finish(), lambda error: None)
    done: list[str] = []
    writer.add(lambda: done.append("a"))
    assert writer.wait(LONGEST)
    assert done == ["a"]
    assert writer.is_settled


def test_a_wait_ends_in_time(pool: DiskPool) -> None:
    owner = Owner(pool)
    let_go = blocked(owner)
    owner.write("a")
    assert not owner.writer.wait(0)
    assert not owner.writer.wait(0.01)
    let_go()
    assert owner.writer.wait(LONGEST)


def test_a_job_may_wait_for_the_writes_before_it(pool: DiskPool) -> None:
    owner = Owner(pool)
    waited: list[bool] = []
    owner.write("a")
    owner.writer.add(lambda: waited.append(owner.writer.wait(LONGEST)))
    owner.write("b")
    owner.writer.finish()
    assert waited == [True]
    assert owner.done == ["a", "b"]


def test_several_threads_add_and_no_job_is_lost(pool: DiskPool) -> None:
    owner = Owner(pool)

    def add(name: str) -> None:
        for number in range(200):
            owner.write(f"{name}{number}")

    adding = [threads.start(lambda name=name: add(name), name) for name in "abc"]
    for thread in adding:
        thread.join(LONGEST)
    owner.writer.finish()
    for name in "abc":
        of_it = [each for each in owner.done if each.startswith(name)]
        assert of_it == [f"{name}{number}" for number in range(200)]


def test_without_a_thread_it_is_written_at_once(
    pool: DiskPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads, "start", refuse_thread)
    owner = Owner(pool)
    owner.writer.add(lambda: owner.write("added by a job"))
    owner.write("a")
    owner.writer.finish()
    assert owner.done == ["added by a job", "a"]


def refuse_thread(*_: object, **__: object) -> None:
    raise RuntimeError("can't start new thread")
