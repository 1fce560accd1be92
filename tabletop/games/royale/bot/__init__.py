"""How to play Sister Royale well; `Instinct` is what the catalogue looks for here."""

from tabletop.games.royale.bot.instinct import Instinct

__all__ = ["Instinct"]
