"""Types of msgspec's that several threads read for the first time: in 0.22 that ends the program,
so it is tried in one of its own."""

import subprocess
import sys

LOADED = """
import threading, time
import msgspec._utils
from tabletop.catalogue import catalogue

learn = msgspec._utils._forward_ref

def learn_slowly(name):
    time.sleep(0.001)  # others go on meanwhile, as they may at any time
    return learn(name)

msgspec._utils._forward_ref = learn_slowly
together = threading.Barrier(6)

def load() -> None:
    together.wait()
    catalogue.load("chains")

def list_boxes() -> None:
    together.wait()
    catalogue.list_entries()

threads = [threading.Thread(target=each) for each in (load, list_boxes) * 3]
for each in threads:
    each.start()
for each in threads:
    each.join()
print(catalogue.load("chains").id)
"""


def test_several_threads_load_a_game_first() -> None:
    """As where guests return to several tables of a host that has just started, while its shelf
    reads the boxes."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "chains\n"), done.stderr[-2000:]
