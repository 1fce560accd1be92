"""The heuristic of AWSSterra; the catalogue looks for `Heuristic` here."""

from tabletop.games.awss.bot.heuristic import Heuristic

__all__ = ["Heuristic"]
