"""The heuristic of Sister Royale, based on the expected damage between players.

Points only come from retirements, which are rare: most short matches end in a tie, which the better
rank decides (9). The player who would currently win has time and keeps away from others; all others
have to attack. Tables are therefore evaluated by points, the lead, and the means for the next
retirement: stamina and good weapons.
"""

from collections.abc import Sequence
from typing import Final

from tabletop.engine.heuristic import LatestResultCache, Past, every, finished, some
from tabletop.engine.model import Ask, Move, Offer, Remark, Rng, State, TableReader
from tabletop.engine.mypyc_attr import mypyc_attr
from tabletop.engine.play import determinized
from tabletop.games.royale.bot.default_answers import DEFAULT_ANSWERS, EVALUATORS, gain_sort_key
from tabletop.games.royale.bot.evaluation import victory_shares
from tabletop.games.royale.bot.expected_damage import ExpectedDamage
from tabletop.games.royale.bot.futile import is_futile
from tabletop.games.royale.bot.pass_inference import apply_inference, unlikely_cards
from tabletop.games.royale.bot.reasons import explain_move
from tabletop.games.royale.deck import Deck
from tabletop.games.royale.places import FIGHT
from tabletop.games.royale.rules import Rules

SPREAD: Final = 2.5
"""The lead in points that multiplies the odds of winning by e."""
MARGIN_WEIGHT: Final = 0.1
"""The weight of the final margin in a finished match."""
MAX_MOVES: Final = 40
MAX_EVALUATED_MOVES: Final = 6
MAX_GAIN_DIFFERENCE: Final = 0.7
"""The maximum difference in gain to the best walk or action for others to be compared with it."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Heuristic:
    """The heuristic of Sister Royale."""

    horizon = 3
    quiet = 3
    blur = 0.0

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.deck: Deck = rules.deck
        self._unlikely = LatestResultCache(lambda view, past: unlikely_cards(self.deck, past))
        self.prospects = ExpectedDamage(self.deck)

    # Value of a table

    def worth(self, table: TableReader) -> Sequence[float]:
        if table.result is not None:
            return finished(table.result, table.seats, SPREAD, MARGIN_WEIGHT)
        return victory_shares(self.prospects.might, table)

    def quiescent(self, table: TableReader) -> bool:
        """Return whether no battle is going on, because the rest of a battle can't be estimated.

        A battle takes about 20 moves. Half of all moves are part of one.
        """
        return not FIGHT.of(table)

    # Candidate moves

    def moves(self, table: TableReader, ask: Ask, chance: Rng) -> Sequence[Move]:
        offers = self.rules.offers(table, ask)
        if len(offers) == 1 and _is_single_move(offers[0]):
            return [Move(ask.id, offers[0].verb)]
        if weighs := EVALUATORS.get(ask.what):
            evaluated = weighs(self.prospects, table, ask, offers, chance)
            evaluated.sort(key=gain_sort_key)
            least = evaluated[0][0] - MAX_GAIN_DIFFERENCE
            return [move for gain, move in evaluated[:MAX_EVALUATED_MOVES] if gain >= least]
        moves = [
            move
            for move in every(offers, ask.id, MAX_MOVES, chance)
            if not is_futile(self.deck, table, ask, move)
        ]
        first = self._sensible(table, ask, offers, chance)
        return [first, *(move for move in moves if move != first)]

    def answer(self, table: TableReader, ask: Ask, chance: Rng) -> Move:
        offers = self.rules.offers(table, ask)
        if len(offers) == 1 and _is_single_move(offers[0]):
            return Move(ask.id, offers[0].verb)
        return self._sensible(table, ask, offers, chance)

    def _sensible(self, table: TableReader, ask: Ask, offers: Sequence[Offer], chance: Rng) -> Move:
        """Return the answer that a player with a little experience would give."""
        sense = DEFAULT_ANSWERS.get(ask.what)
        move = sense(self.prospects, table, ask, offers, chance) if sense else None
        return move or some(offers, ask.id, chance)

    # Hidden cards

    def determinize(self, view: State, past: Past, chance: Rng) -> State:
        """Deal a world in which players who didn't react to a hit
        or a snipe probably had no card for it.
        """
        return apply_inference(
            self._unlikely(view, past), view, determinized(self.rules, view, chance), chance
        )

    def reason(self, view: State, ask: Ask, move: Move) -> Remark | None:
        preview = self.rules.preview(view, ask, move)
        if preview and preview.notes:
            return max(preview.notes, key=lambda note: int(note.args.get("percent", 0)))
        return explain_move(ask.what, move.verb)


def _is_single_move(offer: Offer) -> bool:
    """Return whether an offer allows exactly one move."""
    return not offer.cards and not offer.targets and not offer.choices
