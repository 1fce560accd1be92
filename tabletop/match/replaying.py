"""Safe replay of data from others: a host's proof, a table that moves between hosts, or a file.

Game rules are code that expects tables of their own making. Given players, options or moves that
this program would never write, they may raise any exception. Catching only `Illegal` would let such
data crash the caller.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from tabletop.engine.model import Reason
from tabletop.engine.play import Illegal

log = logging.getLogger("tabletop")

UNPLAYABLE = Reason("The rules can't play this match.")


@contextmanager
def refuse_unplayable() -> Iterator[None]:
    """Turn any exception raised by the rules in the `with` block into `Illegal`.

    Raises:
        Illegal: what is replayed doesn't fit the rules.
    """
    try:
        yield
    except Illegal:
        raise
    except Exception as error:
        log.info("The rules can't replay foreign data: %r", error)
        raise Illegal(UNPLAYABLE) from error
