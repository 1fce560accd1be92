"""People who play Sister Royale, for tests and figures: greedy, peaceful, and at random.

They read what their seat sees: open values, own cards, and of others only what lies face-up.
"""

from collections.abc import Callable, Sequence

from tabletop.engine.model import Ask, Move, Offer, Rng, TableReader
from tabletop.games.royale.areas import adjacent_areas, others_at
from tabletop.games.royale.attack import (
    count_hitting_rolls,
    evasion_of,
    hit_values,
    opponent_of,
    usable_weapons_at,
)
from tabletop.games.royale.dice import BOTH
from tabletop.games.royale.effects import RANGES, SNIPED, Escape
from tabletop.games.royale.places import (
    AT,
    ATTACKER,
    CHARACTER,
    DICE,
    EX_PILE,
    ITEMS,
    MODIFIER,
    NEED,
    OWN,
    RANGE,
    STAMINA,
    THROW,
    is_face_up,
    seat_of,
)
from tabletop.games.royale.reaction_windows import has_items_to_draw, lost_stamina
from tests.games.royale.tables import DECK

Person = Callable[[TableReader, Ask, Sequence[Offer], Rng], Move]


def at_random(look: TableReader, ask: Ask, offers: Sequence[Offer], chance: Rng) -> Move:
    """Any legal answer."""
    return offers[chance.below(len(offers))].sample(ask.id, chance)


def greedy(look: TableReader, ask: Ask, offers: Sequence[Offer], chance: Rng) -> Move:
    """Fights the easiest opponent, and uses any card that helps at once."""
    return _answer(look, ask, offers, chance, fights=True)


def peaceful(look: TableReader, ask: Ask, offers: Sequence[Offer], chance: Rng) -> Move:
    """As the greedy one, but never attacks or snipes; keeps away, and only defends."""
    return _answer(look, ask, offers, chance, fights=False)


def _answer(
    look: TableReader, ask: Ask, offers: Sequence[Offer], chance: Rng, *, fights: bool
) -> Move:
    moves = [move for offer in offers for move in _some(offer, ask.id, chance)]
    worth = {
        "walk": lambda move: _walk(look, ask.seat, move, fights),
        "action": lambda move: _act(look, ask.seat, move, fights),
        "near": lambda move: _come(look, ask.seat, move, fights),
        "range": lambda move: _range(look, ask.seat, move.choice),
        "declare": lambda move: _declare(look, ask.seat, move),
        "strike": lambda move: _strike(look, ask.seat, move),
        "own_roll": lambda move: _again(look, ask.seat, move),
        "break": lambda move: _rest(look, ask.seat, move),
        "targeted": lambda move: _evade(look, ask.seat, move),
        "steal": lambda move: 0.0,
        "limit": lambda move: -_keeping(move),
        "discard": lambda move: -sum(is_face_up(look, card) + 1 for card in move.cards),
    }.get(ask.what, lambda move: float(move.verb not in ("pass", "refuse")))
    best = max(map(worth, moves))
    chosen = [move for move in moves if worth(move) == best]
    return chosen[chance.below(len(chosen))]


def _some(offer: Offer, ask: int, chance: Rng) -> list[Move]:
    """All moves of an offer; of several cards at once the most, or some drawn at random."""
    if offer.most < 2:
        return list(offer.moves(ask))
    if offer.least == offer.most:
        return [offer.sample(ask, chance) for _ in range(6)]
    return [Move(ask, offer.verb, offer.cards[: offer.most])]


def power(look: TableReader, seat: int, foe: int, reach: str) -> float:
    """The damage that an attack at this range brings on an average: the best of its cards."""
    return max((_damage(look, seat, foe, c, reach) for c in _means(look, seat, reach)), default=0.0)


def _means(look: TableReader, seat: int, reach: str) -> list[int]:
    return [card for card in usable_weapons_at(DECK, look, seat, reach) if card >= 0]


def _damage(look: TableReader, seat: int, foe: int, card: int, reach: str) -> float:
    own, modifier = hit_values(DECK, look, seat, card, reach)
    hits = count_hitting_rolls(evasion_of(DECK, look, foe, card) - own - modifier) / 36
    performance = DECK.attack[card].perf[reach]
    return hits * performance.attacks * performance.damage


def _edge(look: TableReader, seat: int, foe: int) -> float:
    """The value of a battle at the best range, less its visible value for the foe."""
    mine, theirs = max(
        ((power(look, seat, foe, reach), _seen(look, foe, seat, reach)) for reach in RANGES),
        key=lambda pair: pair[0] - 0.7 * pair[1],
    )
    kill = min(1.5, mine / max(1, STAMINA.of(look, foe)))
    risk = min(1.5, theirs / max(1, STAMINA.of(look, seat)))
    return 3 * kill - 2 * risk + 0.4 * mine


def _seen(look: TableReader, foe: int, seat: int, reach: str) -> float:
    """The value of the foe's open means there; a face-down one may be anything, so it counts
    some."""
    held = look.cards[ITEMS[foe]]
    hidden = sum(not is_face_up(look, card) for card in held)
    means = [c for c in (*held, *look.cards[CHARACTER[foe]]) if c in DECK.strikes[reach]]
    known = [c for c in means if is_face_up(look, c) or c in look.cards[CHARACTER[foe]]]
    return max([_damage(look, foe, seat, c, reach) for c in known] + [0.3 * hidden])


def _walk(look: TableReader, seat: int, move: Move, fights: bool) -> float:
    if move.verb == "gear":
        return 99.0
    cell = move.target or AT.of(look, seat)
    return _place(look, seat, cell, fights)


def _place(look: TableReader, seat: int, cell: str, fights: bool) -> float:
    """The value of a place: opponents in reach, opponents that reach it, things to find."""
    here = others_at(look, seat, (cell,))
    beside = others_at(look, seat, adjacent_areas(look, cell))
    found = 0.6 if DECK.effect[look.cards[cell][0]] is None else 0.9
    if fights:
        best = max((_edge(look, seat, foe) for foe in here), default=0.0)
        shot = max((power(look, seat, foe, SNIPED) for foe in beside), default=0.0)
        return max(found, 1.2 * best, shot) - 0.05 * len(here)
    return found - 0.8 * len(here) - 0.1 * len(beside)


def _act(look: TableReader, seat: int, move: Move, fights: bool) -> float:
    match move.verb:
        case "attack":
            return _edge(look, seat, seat_of(move.target)) if fights else -9.0
        case "snipe":
            return 1.5 * power(look, seat, seat_of(move.target), SNIPED) if fights else -9.0
        case "search":
            return 0.7
        case "rest":
            return 0.35 * min(DECK.heal[move.cards[0]].n, lost_stamina(DECK, look, seat))
        case "move":
            now = _place(look, seat, AT.of(look, seat), fights)
            return 0.9 if _place(look, seat, move.target, fights) > now + 1 else -1.0
        case "negotiate":
            return 0.1
        case _:
            return 0.0


def _come(look: TableReader, seat: int, move: Move, fights: bool) -> float:
    """A Move card flees a stronger one, or goes after a weaker one."""
    if move.verb == "pass":
        return 0.0
    now = _place(look, seat, AT.of(look, seat), fights)
    here = others_at(look, seat, (AT.of(look, seat),))
    danger = max((-_edge(look, seat, foe) for foe in here), default=0.0)
    return danger - 0.8 + 0.1 * (_place(look, seat, move.target, fights) - now)


def _range(look: TableReader, seat: int, reach: str) -> float:
    foe = opponent_of(look, seat)
    return power(look, seat, foe, reach) - 0.7 * _seen(look, foe, seat, reach)


def _declare(look: TableReader, seat: int, move: Move) -> float:
    reach, foe = RANGE.of(look), opponent_of(look, seat)
    match move.choice:
        case "attack":
            return power(look, seat, foe, reach)
        case "move":
            return max(power(look, seat, foe, other) for other in RANGES) - 0.9
        case _:
            return 0.3 * _seen(look, foe, seat, reach)


def _strike(look: TableReader, seat: int, move: Move) -> float:
    if move.verb == "forgo":
        return 0.0
    card = move.cards[0]
    worth = _damage(look, seat, opponent_of(look, seat), card, RANGE.of(look))
    return worth * (0.8 if card in DECK.single_use or card in DECK.ex else 1.0) + 0.01


def _again(look: TableReader, seat: int, move: Move) -> float:
    """Dice that failed are thrown again."""
    if move.verb == "pass":
        return 0.5
    a, b = DICE.of(look, 1), DICE.of(look, 2)
    match THROW.of(look):
        case "hit":
            own, modifier, need = OWN.of(look), MODIFIER.of(look), NEED.of(look)
            return float((a, b) == (1, 1) or own + modifier + a * b < need)
        case "search":
            return float(max(a, b) > 4)
        case _:
            return float((b if look.values["die"] != BOTH else a) < 3)


def _evade(look: TableReader, seat: int, move: Move) -> float:
    if move.verb == "pass":
        return 0.0
    foe = ATTACKER.of(look)
    if move.verb == "evade":
        assert isinstance(DECK.effect[move.cards[0]], Escape) or look.values["battle"]
        return -_edge(look, seat, foe) - 0.2
    return 1.0


def _rest(look: TableReader, seat: int, move: Move) -> float:
    match move.verb:
        case "refresh":
            return float(lost_stamina(DECK, look, seat) >= DECK.heal[move.cards[0]].n)
        case "prepare":
            return 1.0 if look.cards[EX_PILE] else 0.8
        case "trade":
            return 0.6 if has_items_to_draw(look) and len(look.cards[ITEMS[seat]]) < 3 else -1.0
        case _:
            return 0.5 if move.verb == "pass" else -1.0


KEPT = ("after_enemy_attack", "after_own_attack", "hit_suffered", "near_move", "own_roll")


def _keeping(move: Move) -> float:
    """The worth in a hand of the cards that would go."""
    return float(sum(any(card in DECK.at[timing] for timing in KEPT) for card in move.cards))
