"""Kits of rules that a test has written: no folder, no words, a table of one square."""

from pathlib import Path

from tabletop.engine.play import GameRules
from tabletop.games.game_info import GameInfo
from tabletop.games.game_kit import GameKit
from tabletop.games.game_semantics import GameSemantics
from tabletop.games.layout import Layout, TableSurface
from tabletop.games.wording import Wording

BOX = GameInfo("Toy", seats=(2, 3, 4), minutes=1, feel="", credit="", rules=1)


def toy_kit(game: GameRules, backs: tuple[int, ...]) -> GameKit:
    """Return a kit of these rules; `backs` has the back of each card, whose face has no fields."""
    return GameKit(
        id="toy",
        box=BOX,
        deck=tuple({} for _ in backs),
        back_names=tuple(f"back {number}" for number in sorted({*backs})),
        backs=backs,
        words=Wording(),
        meaning=GameSemantics(),
        layouts=(Layout(table=TableSurface(size=(1, 1))),),
        rules=game,
        folder=Path(__file__).parent / "no toys",
    )
