"""The heuristic of AWSSterra. The catalogue looks for `Heuristic` in this package."""

from tabletop.games.awss.bot.heuristic import Heuristic

__all__ = ["Heuristic"]
