"""The digest of everything in a game folder that affects a match: cards, options, zones, rules.

While a folder's own digest changes with every file, this one changes only if matches could go
differently. Pictures, layout, translations, formatting and comments don't matter.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import msgspec

from tabletop.games.game_info import Cards
from tabletop.games.safe_toml import parse_toml

DISPLAY_KEYS = frozenset(("caption", "label", "picture", "text"))
"""Keys in a `free.toml` that affect only what is displayed."""
PICTURE_FIELD = "picture"
"""The only card field that doesn't affect a match. Zones may select cards by any other field."""
BOT_FILES = ("bot.py", "bot/")
"""Prefixes of the paths of bots' Python files, which don't affect the rules."""


def gameplay_digest(cards: Cards, free: str, python: Mapping[str, bytes]) -> str:
    """Return the digest of everything that affects a match.

    `free` is the text of `free.toml`, or "" if there is none. `python` contains the Python sources
    by path.
    """
    box = cards.box
    deck = [_without(face, {PICTURE_FIELD}) for face in cards.deck()]
    options = [[option.key, [choice.value for choice in option.choices]] for option in box.options]
    rules = {
        name: sha256(content.replace(b"\r\n", b"\n")).hexdigest()
        for name, content in python.items()
        if not name.startswith(BOT_FILES)
    }
    zones = _without(parse_toml(free), DISPLAY_KEYS)
    parts = (box.rules, deck, cards.back_names, cards.backs(), options, zones, rules)
    return sha256(msgspec.json.encode(parts, order="deterministic")).hexdigest()


def _without(value: Any, names: frozenset[str] | set[str]) -> Any:
    """Return `value` without the entries called `names`, at any depth.

    Entries that contain tables are kept, because a game's own components may have any name.
    """
    if isinstance(value, Mapping):
        return {
            name: _without(each, names)
            for name, each in value.items()
            if name not in names or isinstance(each, Mapping)
        }
    return [_without(each, names) for each in value] if isinstance(value, list) else value
