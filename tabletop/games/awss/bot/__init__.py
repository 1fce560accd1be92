"""How to play AWSSterra well; `Instinct` is what the catalogue looks for here."""

from tabletop.games.awss.bot.instinct import Instinct

__all__ = ["Instinct"]
