"""A finding of a check, in plain words."""

from msgspec import Struct


class Finding(Struct, frozen=True):
    """Something that a designer should look at."""

    what: str
    """The fault, in a sentence."""
    means: str = ""
    """Its usual cause."""
    where: str = ""
    """In which game, at which move."""
    see: str = ""
    """The command that shows it."""

    def lines(self) -> list[str]:
        """As a terminal shows it."""
        more = (("", self.where), ("mostly: ", self.means), ("see it: ", self.see))
        return [f"- {self.what}", *(f"    {head}{text}" for head, text in more if text)]
