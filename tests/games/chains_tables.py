"""A table of Chains as a test wants it: how each seat's cards lie, and what is played."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from tabletop.catalogue.catalogue import load, options
from tabletop.engine.model import Ask, Move, State, everyone
from tabletop.engine.play import start, submit
from tabletop.games.chains.places import NUMBERS, POINTS
from tabletop.games.chains.rules import Rules

KIT = load("chains")
assert isinstance(KIT.rules, Rules)
RULES: Rules = KIT.rules
NUMBER = RULES.number


def begin(seats: int = 1, seed: str = "deal", **chosen: str) -> State:
    return start(RULES, seats, seed, KIT.backs, options(KIT, dict(chosen))).state


@dataclass(frozen=True)
class Lies:
    """A seat's cards in their zones, by number, the last on top.

    The pile holds the remaining cards, in no particular order below those that `pile` puts on top;
    with `only` it holds nothing else, and the remaining cards are turned over, out of supply.
    """

    work: Sequence[int] = ()
    slots: Sequence[Sequence[int]] = ()
    pile: Sequence[int] = ()
    only: bool = False
    open: bool = False
    taken: Sequence[int] = ()
    out: str = ""


def table(
    *seats: Lies, turn: int = 0, cut: Sequence[int] = (), what: str = "act", **chosen: str
) -> State:
    """A table at which the cards lie so, and `turn` is asked."""
    state = begin(len(seats), **chosen)
    cards, values, shown = dict(state.cards), dict(state.values), {}
    for seat, lies in enumerate(seats):
        terminals = {NUMBER[card]: card for card in RULES.terminals[seat]}
        rest = [card for card in RULES.decks[seat] if card not in terminals.values()]

        def pick(numbers: Sequence[int], rest: list[int] = rest) -> tuple[int, ...]:
            found = []
            for number in numbers:
                card = next(card for card in rest if NUMBER[card] == number)
                rest.remove(card)
                found.append(card)
            return tuple(found)

        cards[f"work/{seat}"] = pick(lies.work)
        for place, numbers in enumerate(lies.slots, start=1):
            cards[f"slot/{seat}/{place}"] = pick(numbers)
        done: tuple[int, ...] = ()
        for number in lies.taken:
            done += (*pick(range(10, number, -1)), terminals[number])
            cards[f"terminal/{seat}/{number}"] = ()
        cards[f"done/{seat}"] = done
        values[f"took/{seat}"] = " ".join(map(str, lies.taken))
        values[f"score/{seat}"] = sum(POINTS[number] for number in lies.taken)
        top = pick(lies.pile)
        cards[f"pile/{seat}"] = top if lies.only else (*rest, *top)
        cards[f"flushed/{seat}"] = tuple(rest) if lies.only else ()
        if lies.open:
            shown[top[-1]] = everyone(len(seats))
        hidden = Counter(NUMBER[card] for card in cards[f"pile/{seat}"] if card not in shown)
        for number in NUMBERS:
            values[f"unseen/{seat}/{number}"] = hidden[number]
        values[f"need/{seat}"] = 10 - len(lies.work)
        values[f"out/{seat}"] = lies.out
    for number in cut:
        values[f"cut/{number}"] = 1
    asks = (Ask(99, turn, what),)
    return replace(state, cards=cards, values=values, shown=shown, asks=asks, asked=100)


def numbers(state: State, zone: str) -> list[int]:
    return [NUMBER[card] for card in state.cards[zone]]


def offered(state: State) -> dict[str, list[int]]:
    """The cards that each verb offers, by number; of a keep also where to."""
    (ask,) = state.asks
    found: dict[str, list[int]] = {}
    for offer in RULES.offers(state, ask):
        found.setdefault(offer.verb, []).extend(NUMBER[card] for card in offer.cards)
    return found


def targets(state: State, verb: str) -> tuple[str, ...]:
    (ask,) = state.asks
    return next(offer.targets for offer in RULES.offers(state, ask) if offer.verb == verb)


def do(state: State, verb: str, number: int = 0, target: str = "") -> State:
    """The table after the one open question is answered so."""
    (ask,) = state.asks
    return submit(RULES, state, ask.seat, found(state, verb, number, target), "seed").state


def found(state: State, verb: str, number: int = 0, target: str = "") -> Move:
    """The offered move with this verb, on a card of this number."""
    (ask,) = state.asks
    for offer in RULES.offers(state, ask):
        for move in offer.moves(ask.id):
            fits = not number or [NUMBER[card] for card in move.cards] == [number]
            if move.verb == verb and fits and target in ("", move.target):
                return move
    raise AssertionError(f"{verb} {number} {target} is not offered: {offered(state)}")


def seat_asked(state: State) -> int:
    (ask,) = state.asks
    return ask.seat


def finished(*seats: Lies) -> State:
    """The table after the last player in, seat 0, flips a card that leaves nothing to do."""
    first, *others = seats
    lies = Lies(slots=[[3], [4], [5], [6], [8]], pile=[7], taken=first.taken)
    rest = [Lies(taken=other.taken, out="stuck") for other in others]
    return do(table(lies, *rest, cut=[10] if rest else []), "flip")
