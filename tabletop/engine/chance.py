"""Where chance comes from, whoever draws it."""

from tabletop.engine.mypyc_attr import mypyc_attr


@mypyc_attr(allow_interpreted_subclasses=True)
class Chance:
    """A source of chance; the pen alone draws from it.

    A base class and no protocol: what is compiled knows it, and calls it directly.
    """

    def below(self, limit: int) -> int:
        """A whole number from 0 to limit - 1, each as likely."""
        raise NotImplementedError

    def shuffled(self, cards: tuple[int, ...]) -> tuple[int, ...]:
        """The same cards, every order as likely."""
        raise NotImplementedError
