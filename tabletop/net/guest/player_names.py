"""Display names of the players at a shared table."""

from functools import lru_cache

from msgspec.structs import replace

from tabletop.language import labels
from tabletop.language.words import Words
from tabletop.match.match import SYMBOLS, Player


@lru_cache(maxsize=64)
def named_players(players: tuple[Player, ...], language: str) -> tuple[Player, ...]:
    """Return `players` with a name and a symbol for each, as far as symbols last.

    Bots are sent without either. They are called "Bot", "Bot 2" and so on
    in `language`, skipping names that are in use.
    """
    words = Words(language)
    left = [symbol for symbol in SYMBOLS if symbol not in {player.symbol for player in players}]
    taken = {player.name.casefold() for player in players if player.name}
    shown = []
    for player in players:
        name, symbol = player.name, player.symbol
        if not symbol and left:  # a host may seat more than there are symbols
            symbol = left.pop(0)
        if not name:
            name, number = words(labels.BOT), 1
            while name.casefold() in taken:
                number += 1
                name = words(labels.BOT_NUMBERED, n=number)
            taken.add(name.casefold())
        shown.append(replace(player, name=name, symbol=symbol))
    return tuple(shown)
