"""The heuristic of Sister Royale. The catalogue looks for `Heuristic` in this package."""

from tabletop.games.royale.bot.heuristic import Heuristic

__all__ = ["Heuristic"]
