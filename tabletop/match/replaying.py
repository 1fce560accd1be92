"""Safe replay of untrusted data: a host's proof, a table that moves between hosts, or a file.

Game rules rely on tables that they created themselves. Given players, options or moves that this
program would never write, they may raise any exception. A caller that catches only `Illegal` would
crash on such data.
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
        Illegal: the replayed data doesn't fit the rules.
    """
    try:
        yield
    except Illegal:
        raise
    except Exception as error:
        log.info("The rules can't replay foreign data: %r", error)
        raise Illegal(UNPLAYABLE) from error
