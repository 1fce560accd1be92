"""Preview of a move: paths, chances, recovered stamina."""

from collections.abc import Iterator

from tabletop.engine.model import Ask, Look, Move, Preview, Remark, Value
from tabletop.games.royale.areas import adjacent, others_at, walks, way
from tabletop.games.royale.attack import (
    chance_of,
    foe_of,
    signed,
    to_evade,
    to_hit,
    usable_at,
)
from tabletop.games.royale.deck import Deck
from tabletop.games.royale.effects import RANGE_WORDS, RANGES, SNIPED
from tabletop.games.royale.phase import searches_upto
from tabletop.games.royale.places import AT, STAMINA, number, seat_of
from tabletop.games.royale.windows import lost
from tabletop.text.phrases import phrase


def preview(deck: Deck, look: Look, ask: Ask, move: Move) -> Preview | None:
    """From the mover's own view."""
    seat = ask.seat
    match move.verb:
        case "walk":
            ways = way(walks(deck, look, seat), move.target)
            return Preview(
                {AT[seat]: move.target},
                (Remark("Steps: {n}.", {"n": len(ways)}, ways, "5.2"), *_near(look, seat, move)),
            )
        case "move" | "answer" | "ride":
            return Preview({AT[seat]: move.target}, tuple(_near(look, seat, move)))
        case "attack":
            foe = seat_of(move.target)
            return Preview({}, tuple(_chances(deck, look, seat, foe, RANGES)))
        case "snipe":
            foe = seat_of(move.target)
            return Preview({}, tuple(_chances(deck, look, seat, foe, (SNIPED,))))
        case "range":
            chances = tuple(_chances(deck, look, seat, foe_of(look, seat), (move.choice,)))
            nothing = Remark("None of your weapons works at this range.", {}, (), "6.6")
            return Preview({"range": move.choice}, chances or (nothing,))
        case "strike":
            reach = str(look.values["range"])
            return Preview(
                {}, (_chance(deck, look, seat, foe_of(look, seat), move.cards[0], reach),)
            )
        case "chain" | "counter":
            reach = str(look.values["range"])
            return Preview({}, tuple(_chances(deck, look, seat, foe_of(look, seat), (reach,))))
        case "reroll":
            return _again(look)
        case "search" if ask.what == "action":
            return _search(deck, look, seat)
        case "negotiate":
            wins = sum(
                own + deck.negotiate[move.cards[0]].bonus > other
                for own in range(1, 7)
                for other in range(1, 7)
            )
            text = phrase("If they refuse, you must roll higher: {percent}%.")
            return Preview({}, (Remark(text, {"percent": _percent(wins)}, (), "5.8"),))
        case "rest" | "refresh":
            gained = min(deck.heal[move.cards[0]].n, lost(deck, look, seat))
            return Preview({STAMINA[seat]: number(look, STAMINA[seat]) + gained})
        case _:
            return None


def _near(look: Look, seat: int, move: Move) -> Iterator[Remark]:
    """5.3: the players who will be nearby."""
    here = others_at(look, seat, (move.target,))
    beside = others_at(look, seat, adjacent(look, move.target))
    if here:
        yield Remark("Others in this area: {n}.", {"n": len(here)}, (), "5.5")
    if beside:
        yield Remark("Others next to it: {n}.", {"n": len(beside)}, (), "5.6")


def _chances(
    deck: Deck, look: Look, seat: int, foe: int, ranges: tuple[str, ...]
) -> Iterator[Remark]:
    """A line for each of the player's means at each of these ranges."""
    for reach in ranges:
        for card in usable_at(deck, look, seat, reach):
            yield _chance(deck, look, seat, foe, card, reach)


def _chance(deck: Deck, look: Look, seat: int, foe: int, card: int, reach: str) -> Remark:
    """6.7: the sum that a hit needs, and how likely the dice are to give it."""
    own, modifier = to_hit(deck, look, seat, card, reach)
    evade = to_evade(deck, look, foe, card)
    product = max(evade - own - modifier, 1)
    means = deck.attack[card].perf[reach]
    return Remark(
        "{word_means}, {word_range}: {own} {modifier} + dice ≥ {evade}. The dice must multiply "
        "to {product} or more: {percent}%. Attacks {attacks}, damage {damage}.",
        {
            "word_means": deck.names[card],
            "word_range": RANGE_WORDS[reach],
            "own": own,
            "modifier": signed(modifier),
            "evade": evade,
            "product": product,
            "percent": _percent(chance_of(product)),
            "attacks": means.attacks,
            "damage": means.damage,
        },
        (),
        "6.7",
    )


def _again(look: Look) -> Preview | None:
    """6.7: what the dice need, and how likely they are to give it when thrown again."""
    need = number(look, "need")
    match look.values["throw"]:
        case "hit":
            product = max(need - number(look, "own") - number(look, "modifier"), 1)
            text = phrase("On a reroll the dice must multiply to {product} or more: {percent}%.")
            args: dict[str, Value] = {"product": product, "percent": _percent(chance_of(product))}
            return Preview({}, (Remark(text, args, (), "6.7"),))
        case "search":
            return Preview({}, (_low(need),))
        case _:
            return None


def _search(deck: Deck, look: Look, seat: int) -> Preview | None:
    (area,) = look.cards[str(look.values[AT[seat]])]
    if deck.effect[area] is not None and area not in deck.rides:
        return None
    return Preview({}, (_low(searches_upto(deck, look, seat)),))


def _low(most: int) -> Remark:
    """5.7: one die that must be low."""
    text = phrase("Roll {n} or less: {percent}%.")
    return Remark(text, {"n": most, "percent": _percent(most * 6)}, (), "5.7")


def _percent(throws: int) -> int:
    """The percentage of a number of the 36 throws."""
    return round(throws * 100 / 36)
