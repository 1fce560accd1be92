"""A game whose questions have many answers without card or place, as a folder for tests."""

from pathlib import Path

from tabletop.catalogue import agreements, catalogue, game_folders
from tabletop.catalogue.catalogue import GameKit

FILES = {
    "cards.toml": """
back = ["back"]

[box]
id = "auction"
title = "Auction"
seats = [2]
minutes = 5
feel = "A sealed bid for one lot after another."
credit = "A game for tests"
rules = 1

[[card]]
name = "Lot"
copies = 6
""",
    "words.toml": """
heading = "Auction"

[asks]
bid = { prompt = "Bid, choose a suit, or pass", paragraph = "1" }

[verbs]
bid = { sentence = "Bid {choice}", button = "Bid" }
suit = { sentence = "Name {choice}" }
pass = { sentence = "Pass" }

[zones]
lots = "Lots"
""",
    "rules.py": '''
"""Sealed bids."""

from tabletop.engine.model import Offer, Result, Sight, Zone

BIDS = tuple(map(str, range(12)))
SUITS = ("Bells", "Leaves", "Acorns", "Hearts", "None")


class Rules:
    def __init__(self, deck):
        self.deck = deck

    def setup(self, table):
        table.place(Zone("lots", Sight.ALL), tuple(range(len(self.deck))))
        table.set("score/0", 0)
        table.set("score/1", 0)
        self._ask(table)

    def _ask(self, table):
        for seat in range(table.state.seats):
            table.ask(seat, "bid", sealed=True)

    def offers(self, state, ask):
        return Offer("bid", choices=BIDS), Offer("suit", choices=SUITS), Offer("pass")

    def play(self, table, seat, move):
        if move.verb == "bid":
            table.set(f"score/{seat}", table.state.values[f"score/{seat}"] + int(move.choice))
        if table.state.asks:
            return
        if table.state.ply > 12:
            scores = tuple(table.state.values[f"score/{each}"] for each in (0, 1))
            table.end(Result((scores.index(max(scores)),), scores))
        else:
            self._ask(table)

    def resume(self, table, step):
        raise AssertionError

    def why(self, state, ask, card, to):
        return None

    def preview(self, state, ask, move):
        return None
''',
}


def auction(folder: Path) -> GameKit:
    """The game in a folder that its owner has agreed to."""
    folder.mkdir(parents=True)
    for name, text in FILES.items():
        (folder / name).write_text(text.lstrip(), "utf-8")
    agreements.add_own_folder(folder)
    (known,) = game_folders.add(folder)
    return catalogue.load(known.id)
