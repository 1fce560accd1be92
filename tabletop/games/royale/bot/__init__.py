"""How to play Sister Royale well; `Heuristic` is what the catalogue looks for here."""

from tabletop.games.royale.bot.heuristic import Heuristic

__all__ = ["Heuristic"]
