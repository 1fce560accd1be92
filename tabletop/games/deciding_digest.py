"""The digest of everything in a game folder that decides a match: cards, options, zones, rules.

A folder's own digest differs with every file. This one differs only where a match could go another
way: not with pictures, layout, translations, or the order and comments of a file.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import msgspec

from tabletop.games.game_info import Cards
from tabletop.games.safe_toml import parsed

LOOKS = frozenset(("caption", "label", "picture", "text"))
"""Entries of a free.toml that are only seen or read."""
PICTURE = "picture"
"""The field of a card that is only seen; by any other a zone may choose its first cards."""
BOTS = ("bot.py", "bot/")
"""Python that plays at a table and decides nothing about it."""


def deciding_digest(cards: Cards, free: str, python: Mapping[str, bytes]) -> str:
    """The digest of a game by its cards, the text of its free.toml ("" for none), and its Python by
    the names of the files."""
    box = cards.box
    deck = [_without(face, {PICTURE}) for face in cards.deck()]
    options = [[option.key, [choice.value for choice in option.choices]] for option in box.options]
    rules = {
        name: sha256(content.replace(b"\r\n", b"\n")).hexdigest()
        for name, content in python.items()
        if not name.startswith(BOTS)
    }
    zones = _without(parsed(free), LOOKS)
    parts = (box.rules, deck, cards.back_names, cards.backs(), options, zones, rules)
    return sha256(msgspec.json.encode(parts, order="deterministic")).hexdigest()


def _without(value: Any, names: frozenset[str] | set[str]) -> Any:
    """The value without the entries of these names, however deep; but a name that a table gives to
    a component of its own stays."""
    if isinstance(value, Mapping):
        return {
            name: _without(each, names)
            for name, each in value.items()
            if name not in names or isinstance(each, Mapping)
        }
    return [_without(each, names) for each in value] if isinstance(value, list) else value
