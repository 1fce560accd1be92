"""Previews of moves: paths, probabilities, restored stamina."""

from collections.abc import Iterator

from tabletop.engine.dry_run import tried
from tabletop.engine.model import Ask, Move, Preview, Remark, TableReader, Value
from tabletop.engine.play import GameRules
from tabletop.games.royale.areas import adjacent_areas, others_at, path_to, walkable_areas
from tabletop.games.royale.attack import (
    DIE_FACES,
    count_hitting_rolls,
    evasion_of,
    hit_values,
    opponent_of,
    signed_term,
    usable_weapons_at,
)
from tabletop.games.royale.deck import Deck
from tabletop.games.royale.effects import RANGE_WORDS, RANGES, SNIPED
from tabletop.games.royale.phase import max_search_roll, persuades
from tabletop.games.royale.places import AT, MODIFIER, NEED, OWN, RANGE, STAMINA, THROW, seat_of
from tabletop.games.royale.steps import LookAround
from tabletop.text.phrases import phrase


def preview_move(
    game: GameRules, deck: Deck, look: TableReader, ask: Ask, move: Move
) -> Preview | None:
    """Return the preview of a move as its player may see it; None if there is nothing to show."""
    seat = ask.seat
    match move.verb:
        case "walk":
            ways = path_to(walkable_areas(deck, look, seat), move.target)
            steps = Remark("Steps: {n}.", {"n": len(ways)}, ways, "5.2")
            return _say_place(tried(game, look, ask, move, further=False), seat, steps)
        case "move" | "answer" | "ride":
            return _say_place(tried(game, look, ask, move, further=False), seat)
        case "attack":
            return Preview({}, tuple(_list_odds(deck, look, seat, seat_of(move.target), RANGES)))
        case "snipe":
            return Preview({}, tuple(_list_odds(deck, look, seat, seat_of(move.target), (SNIPED,))))
        case "range":
            after = tried(game, look, ask, move, further=False)
            reach = RANGE.of(after)
            chances = tuple(_list_odds(deck, after, seat, opponent_of(after, seat), (reach,)))
            nothing = Remark("None of your weapons works at this range.", {}, (), "6.6")
            return Preview({RANGE.name: reach}, chances or (nothing,))
        case "strike":
            foe, reach = opponent_of(look, seat), RANGE.of(look)
            return Preview({}, (_say_odds(deck, look, seat, foe, move.cards[0], reach),))
        case "chain" | "counter":
            foe, reach = opponent_of(look, seat), RANGE.of(look)
            return Preview({}, tuple(_list_odds(deck, look, seat, foe, (reach,))))
        case "reroll":
            return _say_reroll(look)
        case "search" if ask.what == "action":
            after = tried(game, look, ask, move, further=False)
            if LookAround.upcoming(after) is None:
                return None
            return Preview({}, (_say_low_die(max_search_roll(deck, look, seat)),))
        case "negotiate":
            bonus = deck.negotiate[move.cards[0]].bonus
            wins = sum(persuades(a, bonus, b) for a in DIE_FACES for b in DIE_FACES)
            text = phrase("If they refuse, you must roll higher: {percent}%.")
            return Preview({}, (Remark(text, {"percent": _percent(wins)}, (), "5.8"),))
        case "rest" | "refresh":
            after = tried(game, look, ask, move, further=False)
            return Preview({STAMINA[seat]: STAMINA.of(after, seat)})
        case _:
            return None


def _say_place(after: TableReader, seat: int, *notes: Remark) -> Preview:
    """Return the preview of a movement: the new area and the number of players nearby (5.3)."""
    cell = AT.of(after, seat)
    here = others_at(after, seat, (cell,))
    beside = others_at(after, seat, adjacent_areas(after, cell))
    if here:
        notes += (Remark("Others in this area: {n}.", {"n": len(here)}, (), "5.5"),)
    if beside:
        notes += (Remark("Others next to it: {n}.", {"n": len(beside)}, (), "5.6"),)
    return Preview({AT[seat]: cell}, notes)


def _list_odds(
    deck: Deck, look: TableReader, seat: int, foe: int, ranges: tuple[str, ...]
) -> Iterator[Remark]:
    """Yield a remark for each weapon that the player can use at each of these ranges."""
    for reach in ranges:
        for card in usable_weapons_at(deck, look, seat, reach):
            yield _say_odds(deck, look, seat, foe, card, reach)


def _say_odds(deck: Deck, look: TableReader, seat: int, foe: int, card: int, reach: str) -> Remark:
    """Return a remark on the probability that a weapon hits, and the sum it takes (6.7)."""
    own, modifier = hit_values(deck, look, seat, card, reach)
    evade = evasion_of(deck, look, foe, card)
    product = max(evade - own - modifier, 1)
    means = deck.attack[card].perf[reach]
    return Remark(
        "{word_means}, {word_range}: {own} {modifier} + dice ≥ {evade}. The dice must multiply "
        "to {product} or more: {percent}%. Attacks {attacks}, damage {damage}.",
        {
            "word_means": deck.names[card],
            "word_range": RANGE_WORDS[reach],
            "own": own,
            "modifier": signed_term(modifier),
            "evade": evade,
            "product": product,
            "percent": _percent(count_hitting_rolls(product)),
            "attacks": means.attacks,
            "damage": means.damage,
        },
        (),
        "6.7",
    )


def _say_reroll(look: TableReader) -> Preview | None:
    """Return a preview with the probability that a reroll succeeds,
    and the result it takes (6.7).
    """
    need = NEED.of(look)
    match THROW.of(look):
        case "hit":
            product = max(need - OWN.of(look) - MODIFIER.of(look), 1)
            text = phrase("On a reroll the dice must multiply to {product} or more: {percent}%.")
            args: dict[str, Value] = {
                "product": product,
                "percent": _percent(count_hitting_rolls(product)),
            }
            return Preview({}, (Remark(text, args, (), "6.7"),))
        case "search":
            return Preview({}, (_say_low_die(need),))
        case _:
            return None


def _say_low_die(most: int) -> Remark:
    """Return a remark on the probability that a die shows `most` or less (5.7)."""
    text = phrase("Roll {n} or less: {percent}%.")
    return Remark(text, {"n": most, "percent": _percent(most * 6)}, (), "5.7")


def _percent(throws: int) -> int:
    """Return `throws` of the 36 possible rolls as a rounded percentage."""
    return round(throws * 100 / 36)
