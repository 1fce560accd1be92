"""A game of one question after the other, as small as can be, with nothing drawn for it."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import (
    Ask,
    Move,
    Offer,
    Pen,
    Preview,
    Reason,
    Result,
    Sight,
    Step,
    TableReader,
    Zone,
)
from tabletop.games import layout
from tabletop.games.typed_toml import TomlFile
from tabletop.games.wording import AskWording, Verb, Wording

OWN, POOL = tuple(range(5)), (5, 6, 7)
"""The cards in the only player's hand, and those that lie open in the middle."""
NOT_POOL = Reason("The pool is closed.", {}, "2")

TABLE = """
[table]
size = [12, 8]
prompt = [2.6, 4.8, 6.8, 0.42]

[[place]]
zone = "pool"
form = "row"
at = [0.4, 0.4, 8.0, 2.2]
card = 1.2

[[place]]
zone = "hand/{me}"
form = "fan"
at = [2.7, 5.4, 8.0, 2.5]
card = 1.5
"""
Offers = Callable[[TableReader], Sequence[Offer]]


class Turn(Step, frozen=True):
    """The next turn, while any are left."""

    left: int


class SmallRules:
    """Asks the only player the same question twice; then the game is over."""

    steps = (Turn,)

    def __init__(self, offers: Offers) -> None:
        self._offers = offers

    def setup(self, table: Pen) -> None:
        table.place(Zone("hand/0", Sight.OWNER, 0, loose=True), OWN)
        table.place(Zone("pool"), POOL)
        table.then(Turn(left=1))
        table.ask(0, "turn")

    def offers(self, state: TableReader, ask: Ask) -> tuple[Offer, ...]:
        return tuple(self._offers(state))

    def play(self, table: Pen, seat: int, move: Move) -> None:
        table.say("{seat} has done it.", seat=seat)

    def resume(self, table: Pen, step: Turn) -> None:
        if step.left:
            table.then(Turn(left=0))
            table.ask(0, "turn")
        else:
            table.end(Result((0,), (0,)))

    def why(self, state: TableReader, ask: Ask, card: int, to: str) -> Reason | None:
        return NOT_POOL if card in POOL else None

    def preview(self, state: TableReader, ask: Ask, move: Move) -> Preview | None:
        return None


def small_kit(offers: Offers) -> GameKit:
    """The game whose question always admits these."""
    blank = catalogue.load("_blank")
    verbs = {
        verb: Verb(sentence=f"{verb} {{cards}} {{choice}}") for verb in ("take", "meld", "bid")
    }
    deck = tuple({"name": f"Card {n}", "short": str(n)} for n in range(8))
    return replace(
        blank,
        deck=deck,
        backs=(0,) * 8,
        words=Wording(asks={"turn": AskWording(prompt="Do it", paragraph="1")}, verbs=verbs),
        layouts=layout.read_layouts(TomlFile("table.toml", TABLE, 1)),
        rules=SmallRules(offers),
    )
