"""Replaying what somebody else wrote: a host's proof, a table that moves, a file.

Rules are code, written for tables that they have made themselves. With players, options or moves
that no program of ours would write they may raise anything, so whoever catches `Illegal` alone can
be silenced by a stranger.
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
    """
    Raises:
        Illegal: what is played meanwhile doesn't fit the rules, whatever they raised at it.
    """
    try:
        yield
    except Illegal:
        raise
    except Exception as error:
        log.info("The rules can't play what somebody else wrote: %r", error)
        raise Illegal(UNPLAYABLE) from error
