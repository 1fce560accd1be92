"""Loader for games that have a `free.toml` instead of rules."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from tabletop.free_table.bot import Heuristic
from tabletop.free_table.components import read_free_table
from tabletop.free_table.default_layout import GESTURES, default_layouts, layout_text
from tabletop.free_table.rules import Rules
from tabletop.free_table.wording import SEMANTICS, complete_wording
from tabletop.free_table.zones import dice_in_deck
from tabletop.games import layout
from tabletop.games.game_semantics import GameSemantics
from tabletop.games.layout import Layout
from tabletop.games.typed_toml import TomlFile
from tabletop.games.wording import Wording

__all__ = ["Heuristic", "Rules", "layout_text", "read_game"]

Parts = tuple[Rules, Wording, GameSemantics, tuple[Layout, ...]]


def read_game(
    file: TomlFile,
    words: Wording,
    meaning: GameSemantics,
    layouts: TomlFile,
    deck: Sequence[Mapping[str, Any]],
    first_face: int,
    seats: int,
    pictures: Collection[str] | None = None,
) -> Parts:
    """Return the rules, texts, semantics and layouts of a free table.

    Entries in the game's own files take precedence over the defaults. Without a `table.toml`, the
    layout is derived from the zones.

    Args:
        file: the `free.toml`.
        words: the game's own texts.
        meaning: the game's own semantics.
        layouts: the `table.toml`, which may be empty.
        deck: the fields of each card.
        first_face: the index in `deck` of the first side of a die.
        seats: the maximum number of players.
        pictures: the names of the pictures in the game's folder; None to skip checking them.

    Raises:
        BrokenFile: an entry is unknown, missing or invalid, or names something that doesn't exist.
    """
    columns = {field for card in deck for field in card}
    table = read_free_table(file, columns, len(dice_in_deck(deck, first_face)), seats, pictures)
    texts = complete_wording(table, words)
    means = SEMANTICS if meaning == GameSemantics() else meaning
    if not layout.has_layout(layouts):
        laid = layout.with_look_and_sounds(default_layouts(table), layouts)
        return Rules(deck, table, first_face), texts, means, laid
    own = (
        replace(each, verbs=dict(GESTURES) | dict(each.verbs))
        for each in layout.read_layouts(layouts)
    )
    return Rules(deck, table, first_face), texts, means, tuple(own)
