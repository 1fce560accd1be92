"""The offers of a free table to a seat, exactly; and why something isn't offered."""

from __future__ import annotations

from collections.abc import Iterator

from tabletop.engine.events import sees_card, visible_cards
from tabletop.engine.model import AUDIENCE, NO_CARD, Ask, Offer, Reason, TableReader
from tabletop.free_table.components import CounterEntry, DiceEntry, FreeTable, Permission
from tabletop.free_table.zones import FreeThing, FreeZone, counters_of, dice_of, zones_of

FACES = ("up", "down")
INSERTED = ("top", "bottom", "mixed")
"""The ways of putting a card into a pile."""
ANYBODY = frozenset({"everybody", "turn", "owner", "owner in turn"})
OF_OWNERS = frozenset({"owner", "owner in turn"})
IN_TURN = frozenset({"turn", "owner in turn"})


class At:
    """A free table for a number of players: its zones, dice and counters, by name."""

    def __init__(self, table: FreeTable, seats: int) -> None:
        self.table = table
        self.spots: dict[str, FreeZone] = {spot.name: spot for spot in zones_of(table, seats)}
        self.dice: dict[str, FreeThing] = {thing.name: thing for thing in dice_of(table, seats)}
        self.counters: dict[str, FreeThing] = {
            each.name: each for each in counters_of(table, seats)
        }
        cells: dict[tuple[str, int | None], list[FreeZone]] = {}
        for spot in self.spots.values():
            if spot.area.kind == "grid":
                cells.setdefault((spot.home, spot.owner), []).append(spot)
        self.grids = tuple(tuple(grid) for grid in cells.values())

    def named(self, home: str, owner: int | None) -> list[FreeZone]:
        """The zones that a name of the file means for a zone of this owner: its own, else all."""
        spots = [spot for spot in self.spots.values() if spot.home == home]
        own = [spot for spot in spots if spot.owner == owner]
        return own if owner is not None and own else spots


def in_turn(state: TableReader, seat: int) -> bool:
    """Whether it is this seat's turn: where all play at once, until it ends its turn."""
    turn = state.values["turn"]
    return turn == seat if turn != AUDIENCE else not state.values[f"done/{seat}"]


def offers(at: At, state: TableReader, ask: Ask) -> tuple[Offer, ...]:
    """Exactly what this question admits; never nothing."""
    if ask.what == "end":
        return Offer("agree"), Offer("decline")
    seat = ask.seat
    alone = at.table.end.agree == "one" or state.seats == 1
    ending = (
        *([Offer("done")] if in_turn(state, seat) else []),
        Offer("finish" if alone else "propose"),
    )
    most = at.table.turns.most
    if most and in_turn(state, seat) and int(state.values[f"acts/{seat}"]) >= most:
        return ending
    return (
        *_moves(at, state, seat),
        *_turns(at, state, seat),
        *_shows(at, state, seat),
        *_shuffles(at, state, seat),
        *_throws(at, state, seat),
        *_counts(at, state, seat),
        *ending,
    )


def may(permission: Permission | None, owner: int | None, state: TableReader, seat: int) -> bool:
    """Whether this seat may now use a component with this permission and owner."""
    if permission not in ANYBODY or (permission in OF_OWNERS and owner != seat):
        return False
    return permission not in IN_TURN or in_turn(state, seat)


def _moves(at: At, state: TableReader, seat: int) -> Iterator[Offer]:
    """Cards that the seat sees go where they may be put; of the others the top one is drawn."""
    places = [
        spot
        for spot in at.spots.values()
        if may(spot.area.put, spot.owner, state, seat) and _has_room(state, spot)
    ]
    carried: dict[tuple[tuple[str, ...], str], list[int]] = {}
    drawn: dict[tuple[str, ...], list[str]] = {}
    for spot in at.spots.values():
        held = state.cards[spot.name]
        if not held or not may(spot.area.take, spot.owner, state, seat):
            continue
        visible = visible_cards(state, seat, spot.name)
        elsewhere = [place for place in places if place is not spot]
        for verb in ("move", "lay", "insert"):
            targets = tuple(place.name for place in elsewhere if _verb_to(place) == verb)
            if visible and targets:
                carried.setdefault((targets, verb), []).extend(visible)
        near = sorted(elsewhere, key=lambda p: (p.owner != seat, p.area.kind != "hand"))
        names = tuple(place.name for place in near)  # a card is usually drawn to one's own hand
        if names and not sees_card(state, seat, spot.name, held[-1]):
            drawn.setdefault(names, []).append(spot.name)
    choices: dict[str, tuple[str, ...]] = {"lay": FACES, "insert": INSERTED}
    for (targets, verb), cards in carried.items():
        yield Offer(verb, tuple(cards), targets, choices.get(verb, ()), 1, 1)
    for names, sources in drawn.items():
        yield Offer("draw", targets=tuple(sources), choices=names)


def _verb_to(place: FreeZone) -> str:
    """The verb of a move to a place."""
    if place.area.insert:
        return "insert"
    return "lay" if place.area.face == "choose" else "move"


def _has_room(state: TableReader, spot: FreeZone) -> bool:
    limit = spot.area.limit or (1 if spot.area.kind == "grid" else 0)
    return not limit or len(state.cards[spot.name]) < limit


def _turns(at: At, state: TableReader, seat: int) -> Iterator[Offer]:
    """Offers to turn cards: down, and the top face-down card up."""
    down: list[int] = []
    up: list[str] = []
    for spot in at.spots.values():
        held = state.cards[spot.name]
        if not held or not spot.hidden or not may(spot.area.flip, spot.owner, state, seat):
            continue
        down += [card for card in held if _is_open(state, card)]
        if not _is_open(state, held[-1]):
            up.append(spot.name)
    if down:
        yield Offer("turn_down", tuple(down), least=1, most=1)
    if up:
        yield Offer("turn_up", targets=tuple(up))


def _is_open(state: TableReader, card: int) -> bool:
    return AUDIENCE in state.shown.get(card, ())


def _shows(at: At, state: TableReader, seat: int) -> Iterator[Offer]:
    """Offers to show own cards to others, and to look at a face-down card."""
    shown: list[int] = []
    looked: list[str] = []
    for spot in at.spots.values():
        held = state.cards[spot.name]
        if held and spot.owner == seat and may(spot.area.show, spot.owner, state, seat):
            shown += visible_cards(state, seat, spot.name)
        if held and may(spot.area.look, spot.owner, state, seat):
            looked += [spot.name] if not sees_card(state, seat, spot.name, held[-1]) else []
    others = tuple(f"to/{other}" for other in range(state.seats) if other != seat)
    if shown and others:
        viewers = ("to/all", *others) if len(others) > 1 else others
        yield Offer("show", tuple(shown), (), viewers, 1, 1)
    if looked:
        yield Offer("look", targets=tuple(looked))


def _shuffles(at: At, state: TableReader, seat: int) -> Iterator[Offer]:
    piles: dict[str, list[str]] = {"shuffle": [], "return": []}
    for spot in at.spots.values():
        verb = "return" if spot.area.returns else "shuffle"
        few = len(state.cards[spot.name]) < (1 if spot.area.returns else 2)
        if not few and may(spot.area.shuffle, spot.owner, state, seat):
            piles[verb].append(spot.name)
    for verb, names in piles.items():
        if names:
            yield Offer(verb, targets=tuple(names))
    dealers = tuple(
        spot.name
        for spot in at.spots.values()
        if state.cards[spot.name] and may(spot.area.redeal, spot.owner, state, seat)
    )
    if dealers:
        yield Offer("deal", targets=dealers)


def _throws(at: At, state: TableReader, seat: int) -> Iterator[Offer]:
    thrown: list[str] = []
    held: dict[tuple[str, ...], list[str]] = {}
    for name, thing in at.dice.items():
        dice = thing.made
        assert isinstance(dice, DiceEntry)
        numbers = range(1, dice.count + 1)
        if may(dice.roll, thing.owner, state, seat):
            thrown += [name] if any(not state.values[f"{name}/held{n}"] for n in numbers) else []
        if may(dice.hold, thing.owner, state, seat):
            fallen = tuple(f"die/{n}" for n in numbers if state.values[f"{name}/die{n}"])
            if fallen:
                held.setdefault(fallen, []).append(name)
    if thrown:
        yield Offer("roll", targets=tuple(thrown))
    cups = tuple(
        spot.name
        for spot in at.spots.values()
        if spot.area.dice
        and state.cards[spot.name]
        and may(spot.area.throw, spot.owner, state, seat)
    )
    if cups:
        yield Offer("throw", targets=cups)
    for choices, names in held.items():
        yield Offer("hold", targets=tuple(names), choices=choices)


def _counts(at: At, state: TableReader, seat: int) -> Iterator[Offer]:
    counted: dict[tuple[str, ...], list[str]] = {}
    for name, thing in at.counters.items():
        counter = thing.made
        assert isinstance(counter, CounterEntry)
        if may(counter.change, thing.owner, state, seat):
            now = int(state.values[name])
            steps = [*(-step for step in reversed(counter.steps)), *counter.steps]
            choices = tuple(
                f"{step:+}" for step in steps if counter.least <= now + step <= counter.most
            )
            if choices:
                counted.setdefault(choices, []).append(name)
    for choices, names in counted.items():
        yield Offer("count", targets=tuple(names), choices=choices)


# Why not

NOT_YOUR_TURN = Reason("Wait for your turn to do that.")
NOBODY_TAKES = Reason("Nobody can take cards from there.")
NOBODY_PUTS = Reason("Nobody can put cards there.")
FULL = Reason("There's no room left there.")
NOT_YOURS = Reason("Only its owner can do that.")
ENOUGH = Reason("You've used all the actions of a turn: end your turn.")


def why(at: At, state: TableReader, ask: Ask, card: int, to: str) -> Reason | None:
    """Return the reason why this seat can't move the card there."""
    seat, most = ask.seat, at.table.turns.most
    if most and in_turn(state, seat) and int(state.values[f"acts/{seat}"]) >= most:
        return ENOUGH
    source = next((at.spots.get(z) for z, held in state.cards.items() if card in held), None)
    if card != NO_CARD and source is not None:
        reason = _against(source.area.take, source.owner, state, seat, NOBODY_TAKES)
        if reason is not None:
            return reason
    target = at.spots.get(to)
    if target is None:
        return None
    if not _has_room(state, target):
        return FULL
    return _against(target.area.put, target.owner, state, seat, NOBODY_PUTS)


def _against(
    permission: Permission | None, owner: int | None, state: TableReader, seat: int, nobody: Reason
) -> Reason | None:
    if may(permission, owner, state, seat):
        return None
    if permission == "nobody":
        return nobody
    return (
        NOT_YOURS if permission in ("owner", "owner in turn") and owner != seat else NOT_YOUR_TURN
    )
