"""The interface of random number generators."""

from tabletop.engine.mypyc_attr import mypyc_attr


@mypyc_attr(allow_interpreted_subclasses=True)
class Rng:
    """A random number generator. Rules draw only through the pen; a bot is given one.

    >>> luck = FastRng("seed")
    >>> luck.below(6) in range(6), sorted(luck.shuffled((1, 2, 3)))
    (True, [1, 2, 3])
    """

    def below(self, limit: int) -> int:
        """Return a uniformly distributed integer from 0 to `limit - 1`."""
        raise NotImplementedError

    def shuffled(self, cards: tuple[int, ...]) -> tuple[int, ...]:
        """Return `cards` in a uniformly random order."""
        raise NotImplementedError
