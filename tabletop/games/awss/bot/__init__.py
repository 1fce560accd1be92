"""How to play AWSSterra well; `Heuristic` is what the catalogue looks for here."""

from tabletop.games.awss.bot.heuristic import Heuristic

__all__ = ["Heuristic"]
