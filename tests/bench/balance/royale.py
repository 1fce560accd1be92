"""Sister Royale's balance: what greedy players make of the cards, beside what they were made for.

First characters should win about alike, hiding should not pay, and who answers anything should
hardly ever win. At twelve nobody gets a second character, so much hangs on how victims are picked:
these greedy players pick the weakest. `TABLETOP_LONG=1` plays as many games as was aimed with.
"""

import os
from collections import Counter
from collections.abc import Iterator, Sequence

from tabletop.engine.play import answer, start
from tabletop.engine.scratch import Luck, Scratch
from tabletop.games.royale.places import CHARACTER
from tests.bench.figures import Figure, figure
from tests.games.royale.players import Person, at_random, greedy, peaceful
from tests.games.royale.tables import DECK, GAME, KIT

LONG = 1500
GAMES = LONG if os.environ.get("TABLETOP_LONG") else 40
AIMED = {2: (1.13, 0.90), 4: (1.12, 0.91), 6: (1.11, 0.86), 12: (1.29, 0.78)}
"""Relative wins of the best and the worst first character, by the number of players."""
HIDING = {3: 0.46, 4: 0.55, 6: 0.73}
"""The share of an average player's wins that one who never attacks gets."""


class Game:
    """One game of these people, and what came of it."""

    def __init__(self, people: Sequence[Person], seed: str) -> None:
        dealt = start(GAME, len(people), seed, KIT.backs, {"length": 21}).state
        self.first = tuple(dealt.cards[CHARACTER[seat]][0] for seat in range(len(people)))
        luck = Luck(seed)
        table = Scratch(dealt, luck)
        self.decisions = self.battles = self.retired = 0
        while table.result is None:
            ask = table.asks[0]
            offers = GAME.offers(table, ask)
            move = people[ask.seat](table, ask, offers, luck)
            self.decisions += sum(1 for offer in offers for _ in offer.moves(0)) > 1
            self.battles += move.verb == "attack"
            answer(GAME, table, ask, move)
        (self.winner,) = table.result.winners
        self.turns = int(table.values["turn"])
        self.retired = int(table.values["retired"])


def played(count: int, seats: int, odd: Person | None = None) -> Iterator[tuple[Game, int]]:
    """Games of greedy players; one seat, another in each game, may be somebody else."""
    for number in range(count):
        seat = number % seats
        people = [greedy] * seats
        if odd is not None:
            people[seat] = odd
        yield Game(people, f"balance {seats} {number}"), seat


def report() -> Iterator[Figure]:
    for seats, (most, least) in AIMED.items():
        games = [game for game, _ in played(GAMES, seats)]
        dealt = Counter(card for game in games for card in game.first)
        won = Counter(game.first[game.winner] for game in games)
        wins = sorted((won[card] * seats / dealt[card], DECK.names[card]) for card in dealt)
        ended = sum(game.retired >= 11 for game in games) / len(games)
        battles = sum(game.battles for game in games)
        here = f"{seats} greedy"
        for place, aimed, which in ((-1, most, "best"), (0, least, "worst")):
            share_of_wins, character = wins[place]
            yield figure(
                f"{here}: the {which} first character wins",
                "of a share",
                share_of_wins,
                note=f"{character}, aimed {aimed}",
            )
        yield figure(f"{here}: turns", "", *(game.turns for game in games))
        yield figure(f"{here}: decisions", "", *(game.decisions for game in games))
        retired = sum(game.retired for game in games) / max(1, battles)
        yield figure(f"{here}: retire a battle", "", retired)
        yield figure(f"{here}: games that end by the eleventh", "%", 100 * ended)
    for seats, aimed in HIDING.items():
        here, hidden = f"{seats} players", share(peaceful, seats)
        yield figure(f"{here}: who never attacks wins", "of a share", hidden, note=f"aimed {aimed}")
        yield figure(f"{here}: who plays at random wins", "of a share", share(at_random, seats))


def share(odd: Person, seats: int) -> float:
    """How often one other player among greedy ones wins, where 1 is as often as anybody."""
    count = GAMES * 2
    return sum(game.winner == seat for game, seat in played(count, seats, odd)) * seats / count
