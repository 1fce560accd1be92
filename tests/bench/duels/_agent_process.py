"""The bots of one checkout, in a process of its own: answers questions from the standard input.

Messages are a length of four bytes and that much msgpack. Seconds of thought are of computing, so
that neither side loses by what else the machine does. Modules imported here have to be in every
checkout that is to be measured.
"""

import sys
from collections.abc import Iterator
from time import thread_time
from typing import BinaryIO

import msgspec

from tabletop.bots import worker
from tabletop.bots.decision import Question
from tabletop.catalogue import catalogue

LENGTH = 4


def messages(stream: BinaryIO) -> Iterator[bytes]:
    """The messages that come in, until the stream is closed."""
    while len(head := stream.read(LENGTH)) == LENGTH:
        yield stream.read(int.from_bytes(head, "big"))


def tell(stream: BinaryIO, message: bytes) -> None:
    """Send a message."""
    stream.write(len(message).to_bytes(LENGTH, "big") + message)
    stream.flush()


def main() -> None:
    # older checkouts have other names, or leave Python's collector as it is
    former = getattr(worker, "spare_collector", lambda: None)
    getattr(worker, "reduce_garbage_collection", former)()
    make_agent = getattr(worker, "make_agent", None) or vars(worker)["agent_of"]
    told, sys.stdout = (
        sys.stdout.buffer,
        sys.stderr,
    )  # a game that prints must not be taken for an answer
    for asked in messages(sys.stdin.buffer):
        question = msgspec.msgpack.decode(asked, type=Question)
        agent = make_agent(catalogue.load_bot_parts, question.game)
        decision = worker.think(agent, question, lambda: False, thread_time)
        tell(told, msgspec.msgpack.encode(decision))


if __name__ == "__main__":
    main()
