"""The table.toml of a game, and an automatic layout to start from."""

from tabletop.engine.play import start
from tabletop.free_table import game as free_table
from tabletop.games import default_layout, layout
from tabletop.games.game_kit import GameKit
from tabletop.games.typed_toml import TomlFile


def has_layout(kit: GameKit) -> bool:
    """Return whether the game's table.toml positions any element."""
    return layout.has_layout(TomlFile("table.toml", kit.read_text("table.toml")))


def layout_text(kit: GameKit) -> str:
    """Return the text of a table.toml with the game's automatic layout, preceded by the colours and
    sounds in its current table.toml.
    """
    own = kit.read_text("table.toml")
    manner = f"{own}\n" if own and not has_layout(kit) else ""
    seats = max(kit.box.seats)
    if isinstance(kit.rules, free_table.Rules):
        return manner + free_table.layout_text(kit.rules.table, seats)
    dealt = start(kit.rules, seats, "layout", kit.backs, kit.box.default_options()).state
    numbers = default_layout.seat_numbers(kit.rules, dealt)
    return manner + default_layout.layout_text(kit.words, dealt, numbers)
