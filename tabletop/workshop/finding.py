"""A finding of a check, in plain words."""

from msgspec import Struct


class Finding(Struct, frozen=True):
    """Something that a designer should look at."""

    fault: str
    """The fault, in a sentence."""
    cause: str = ""
    """Its usual cause."""
    where: str = ""
    """In which game, at which move."""
    see: str = ""
    """The command that shows it."""
    fatal: bool = False
    """Whether the game can't be checked any further."""

    def lines(self) -> list[str]:
        """As a terminal shows it."""
        more = (("", self.where), ("mostly: ", self.cause), ("see it: ", self.see))
        return [f"- {self.fault}", *(f"    {head}{text}" for head, text in more if text)]
