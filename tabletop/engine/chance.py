"""The source of chance."""

from tabletop.engine.mypyc_attr import mypyc_attr


@mypyc_attr(allow_interpreted_subclasses=True)
class Rng:
    """A source of chance. Rules draw only by the pen; a bot is given one.

    >>> luck = FastRng("seed")
    >>> luck.below(6) in range(6), sorted(luck.shuffled((1, 2, 3)))
    (True, [1, 2, 3])
    """

    def below(self, limit: int) -> int:
        """Return a whole number from 0 to `limit - 1`, each as likely."""
        raise NotImplementedError

    def shuffled(self, cards: tuple[int, ...]) -> tuple[int, ...]:
        """Return the same cards, every order as likely."""
        raise NotImplementedError
