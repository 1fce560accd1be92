"""The game of a folder with a free.toml instead of rules."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from tabletop.free_table.bot import Heuristic
from tabletop.free_table.components import read
from tabletop.free_table.default_layout import GESTURES, arrangements, layout_text
from tabletop.free_table.rules import Rules
from tabletop.free_table.wording import MEANING, wording_of
from tabletop.free_table.zones import dice_in
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
    """The rules, words, meaning and layouts of a free table; what its other files say goes before
    what holds at all free tables. Without a table.toml it is laid out from its zones. From the
    number `first_face` on the deck is faces of dice; as many as `seats` can play.
    `pictures` are the names of those in its folder.

    Raises:
        BrokenFile: a file says what nobody understands, or names what is not there.
    """
    columns = {field for card in deck for field in card}
    table = read(file, columns, len(dice_in(deck, first_face)), seats, pictures)
    texts = wording_of(table, words)
    means = MEANING if meaning == GameSemantics() else meaning
    if not layout.has_layout(layouts):
        laid = layout.with_look_and_sounds(arrangements(table), layouts)
        return Rules(deck, table, first_face), texts, means, laid
    own = (
        replace(each, verbs=dict(GESTURES) | dict(each.verbs))
        for each in layout.read_layouts(layouts)
    )
    return Rules(deck, table, first_face), texts, means, tuple(own)
