"""The heuristic of Sister Royale; the catalogue looks for `Heuristic` here."""

from tabletop.games.royale.bot.heuristic import Heuristic

__all__ = ["Heuristic"]
