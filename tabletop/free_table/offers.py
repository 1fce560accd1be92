"""The legal moves of a player at a free table, and the reasons why other moves are illegal."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tabletop.engine.events import sees_card, visible_cards
from tabletop.engine.model import AUDIENCE, NO_CARD, Ask, Offer, Reason, TableReader
from tabletop.free_table.components import (
    CounterEntry,
    DiceEntry,
    FreeTable,
    Permission,
    number_of_seat,
)
from tabletop.free_table.zones import FreeComponent, FreeZone, make_counters, make_dice, make_zones

FACES = ("up", "down")
INSERT_POSITIONS = ("top", "bottom", "mixed")
"""Where a card can be inserted into a pile."""
GRANTED = frozenset({"everybody", "turn", "owner", "owner in turn"})
OWNER_ONLY = frozenset({"owner", "owner in turn"})
TURN_ONLY = frozenset({"turn", "owner in turn"})


class TableComponents:
    """The zones, dice and counters of a free table for a given number of players, by name."""

    def __init__(self, table: FreeTable, seats: int) -> None:
        self.table = table
        self.spots: dict[str, FreeZone] = {spot.name: spot for spot in make_zones(table, seats)}
        self.dice: dict[str, FreeComponent] = {
            thing.name: thing for thing in make_dice(table, seats)
        }
        self.counters: dict[str, FreeComponent] = {
            each.name: each for each in make_counters(table, seats)
        }
        cells: dict[tuple[str, int | None], list[FreeZone]] = {}
        for spot in self.spots.values():
            if spot.area.kind == "grid":
                cells.setdefault((spot.home, spot.owner), []).append(spot)
        self.grids = tuple(tuple(grid) for grid in cells.values())

    def named(self, home: str, owner: int | None) -> list[FreeZone]:
        """Return the zones called `home` in the file that belong to `owner`,
        or all if none does.
        """
        spots = [spot for spot in self.spots.values() if spot.home == home]
        own = [spot for spot in spots if spot.owner == owner]
        return own if owner is not None and own else spots


def is_in_turn(state: TableReader, seat: int) -> bool:
    """Return whether it is the turn of `seat`.

    If all players act simultaneously, it is every player's turn until they end it.
    """
    turn = state.values["turn"]
    return turn == seat if turn != AUDIENCE else not state.values[f"done/{seat}"]


def offers(at: TableComponents, state: TableReader, ask: Ask) -> tuple[Offer, ...]:
    """Return all legal answers to a question, of which there is always at least one."""
    if ask.what == "end":
        return Offer("agree"), Offer("decline")
    seat = ask.seat
    alone = at.table.end.agree == "one" or state.seats == 1
    ending = (
        *([Offer("done")] if is_in_turn(state, seat) else []),
        Offer("finish" if alone else "propose"),
    )
    most = at.table.turns.most
    if most and is_in_turn(state, seat) and int(state.values[f"acts/{seat}"]) >= most:
        return ending
    return (
        *_move_offers(at, state, seat),
        *_several_offers(at, state, seat),
        *_turn_over_offers(at, state, seat),
        *_show_offers(at, state, seat),
        *_shuffle_offers(at, state, seat),
        *_throw_offers(at, state, seat),
        *_counter_offers(at, state, seat),
        *ending,
    )


def has_permission(
    permission: Permission | None, owner: int | None, state: TableReader, seat: int
) -> bool:
    """Return whether `seat` may use a component with this permission and owner now."""
    if (only := number_of_seat(permission)) is not None:
        return seat == only
    if permission not in GRANTED or (permission in OWNER_ONLY and owner != seat):
        return False
    return permission not in TURN_ONLY or is_in_turn(state, seat)


def _move_offers(at: TableComponents, state: TableReader, seat: int) -> Iterator[Offer]:
    """Yield offers to move visible cards, and to draw the top card of a zone if it is hidden."""
    places = [
        spot
        for spot in at.spots.values()
        if has_permission(spot.area.put, spot.owner, state, seat) and _has_room(state, spot)
    ]
    carried: dict[tuple[tuple[str, ...], str], list[int]] = {}
    drawn: dict[tuple[str, ...], list[str]] = {}
    for spot in at.spots.values():
        held = state.cards[spot.name]
        if not held or not has_permission(spot.area.take, spot.owner, state, seat):
            continue
        visible = visible_cards(state, seat, spot.name)
        elsewhere = [place for place in places if place is not spot]
        for verb in ("move", "lay", "insert"):
            targets = tuple(place.name for place in elsewhere if _move_verb(place) == verb)
            if visible and targets:
                carried.setdefault((targets, verb), []).extend(visible)
        near = sorted(elsewhere, key=lambda p: (p.owner != seat, p.area.kind != "hand"))
        names = tuple(place.name for place in near)  # a card is usually drawn to one's own hand
        if names and not sees_card(state, seat, spot.name, held[-1]):
            drawn.setdefault(names, []).append(spot.name)
    choices: dict[str, tuple[str, ...]] = {"lay": FACES, "insert": INSERT_POSITIONS}
    for (targets, verb), cards in carried.items():
        yield Offer(verb, tuple(cards), targets, choices.get(verb, ()), 1, 1)
    for names, sources in drawn.items():
        yield Offer("draw", targets=tuple(sources), choices=names)


def _several_offers(at: TableComponents, state: TableReader, seat: int) -> Iterator[Offer]:
    """Yield offers to move all cards of a zone, to draw several cards, to take a random card, and
    to turn cards sideways.
    """
    places = [
        spot
        for spot in at.spots.values()
        if has_permission(spot.area.put, spot.owner, state, seat) and _has_room(state, spot)
    ]
    wholly: dict[tuple[str, ...], list[str]] = {}
    drawn: dict[tuple[str, ...], list[str]] = {}
    blindly: dict[tuple[str, ...], list[str]] = {}
    tapped: list[int] = []
    for spot in at.spots.values():
        held, area = state.cards[spot.name], spot.area
        if not held:
            continue
        near = sorted(places, key=lambda p: (p.owner != seat, p.area.kind != "hand"))
        if has_permission(area.take_all, spot.owner, state, seat):
            roomy = [place for place in near if free_room(state, place) >= len(held)]
            if names := tuple(place.name for place in roomy if place is not spot):
                wholly.setdefault(names, []).append(spot.name)
        elsewhere = tuple(place.name for place in near if place is not spot)
        if elsewhere and has_permission(area.random, spot.owner, state, seat):
            blindly.setdefault(elsewhere, []).append(spot.name)
        if has_permission(area.take, spot.owner, state, seat):
            targets = (place for home in area.draws for place in at.named(home, seat))
            if names := tuple(place.name for place in targets if place in places):
                drawn.setdefault(names, []).append(spot.name)
        if has_permission(area.tap, spot.owner, state, seat):
            tapped += [card for card in held if not spot.hidden or is_open(state, card)]
    for verb, found in (("take_all", wholly), ("draw_several", drawn), ("take_random", blindly)):
        for choices, sources in found.items():
            yield Offer(verb, targets=tuple(sources), choices=choices)
    if tapped:
        yield Offer("tap", tuple(tapped), least=1, most=1)
    gathered = tuple(
        spot.name
        for spot in at.spots.values()
        if has_permission(spot.area.gather, spot.owner, state, seat)
    )
    if gathered:
        yield Offer("gather", targets=gathered)


def _move_verb(place: FreeZone) -> str:
    """Return the verb for moving a card to `place`: "move", "lay" or "insert"."""
    if place.area.insert:
        return "insert"
    return "lay" if place.area.face == "choose" else "move"


def _has_room(state: TableReader, spot: FreeZone) -> bool:
    return free_room(state, spot) > 0


def free_room(state: TableReader, spot: FreeZone) -> float:
    """Return how many more cards fit into `spot`, or infinity without a limit."""
    limit = spot.area.limit or (1 if spot.area.kind == "grid" else 0)
    return limit - len(state.cards[spot.name]) if limit else math.inf


def _turn_over_offers(at: TableComponents, state: TableReader, seat: int) -> Iterator[Offer]:
    """Yield offers to turn cards face down, and to turn the top card of a zone face up."""
    down: list[int] = []
    up: list[str] = []
    for spot in at.spots.values():
        held = state.cards[spot.name]
        if (
            not held
            or not spot.hidden
            or not has_permission(spot.area.flip, spot.owner, state, seat)
        ):
            continue
        down += [card for card in held if is_open(state, card)]
        if not is_open(state, held[-1]):
            up.append(spot.name)
    if down:
        yield Offer("turn_down", tuple(down), least=1, most=1)
    if up:
        yield Offer("turn_up", targets=tuple(up))


def is_open(state: TableReader, card: int) -> bool:
    """Return whether `card` is face up although its zone hides its cards."""
    return AUDIENCE in state.shown.get(card, ())


def _show_offers(at: TableComponents, state: TableReader, seat: int) -> Iterator[Offer]:
    """Yield offers to show the player's own cards to others,
    and to look at the top card of a zone.
    """
    shown: list[int] = []
    looked: list[str] = []
    for spot in at.spots.values():
        held = state.cards[spot.name]
        if held and spot.owner == seat and has_permission(spot.area.show, spot.owner, state, seat):
            shown += visible_cards(state, seat, spot.name)
        if held and has_permission(spot.area.look, spot.owner, state, seat):
            top = held[-spot.area.looks :]
            if not all(sees_card(state, seat, spot.name, card) for card in top):
                looked.append(spot.name)
    others = tuple(f"to/{other}" for other in range(state.seats) if other != seat)
    if shown and others:
        viewers = ("to/all", *others) if len(others) > 1 else others
        yield Offer("show", tuple(shown), (), viewers, 1, 1)
    if looked:
        yield Offer("look", targets=tuple(looked))


def _shuffle_offers(at: TableComponents, state: TableReader, seat: int) -> Iterator[Offer]:
    piles: dict[str, list[str]] = {"shuffle": [], "return": []}
    for spot in at.spots.values():
        verb = "return" if spot.area.returns else "shuffle"
        few = len(state.cards[spot.name]) < (1 if spot.area.returns else 2)
        if not few and has_permission(spot.area.shuffle, spot.owner, state, seat):
            piles[verb].append(spot.name)
    for verb, names in piles.items():
        if names:
            yield Offer(verb, targets=tuple(names))
    dealers = tuple(
        spot.name
        for spot in at.spots.values()
        if state.cards[spot.name] and has_permission(spot.area.redeal, spot.owner, state, seat)
    )
    if dealers:
        yield Offer("deal", targets=dealers)


def _throw_offers(at: TableComponents, state: TableReader, seat: int) -> Iterator[Offer]:
    thrown: list[str] = []
    held: dict[tuple[str, ...], list[str]] = {}
    for name, thing in at.dice.items():
        dice = thing.made
        assert isinstance(dice, DiceEntry)
        numbers = range(1, dice.count + 1)
        if has_permission(dice.roll, thing.owner, state, seat):
            thrown += [name] if any(not state.values[f"{name}/held{n}"] for n in numbers) else []
        if has_permission(dice.hold, thing.owner, state, seat):
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
        and has_permission(spot.area.throw, spot.owner, state, seat)
    )
    if cups:
        yield Offer("throw", targets=cups)
    for choices, names in held.items():
        yield Offer("hold", targets=tuple(names), choices=choices)


def _counter_offers(at: TableComponents, state: TableReader, seat: int) -> Iterator[Offer]:
    counted: dict[tuple[str, ...], list[str]] = {}
    for name, thing in at.counters.items():
        counter = thing.made
        assert isinstance(counter, CounterEntry)
        if has_permission(counter.change, thing.owner, state, seat):
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


def explain_refusal(
    at: TableComponents, state: TableReader, ask: Ask, card: int, to: str
) -> Reason | None:
    """Return the reason why the player can't move `card` to the zone `to`;
    None if there is no known one.
    """
    seat, most = ask.seat, at.table.turns.most
    if most and is_in_turn(state, seat) and int(state.values[f"acts/{seat}"]) >= most:
        return ENOUGH
    source = next((at.spots.get(z) for z, held in state.cards.items() if card in held), None)
    if card != NO_CARD and source is not None:
        reason = _permission_refusal(source.area.take, source.owner, state, seat, NOBODY_TAKES)
        if reason is not None:
            return reason
    target = at.spots.get(to)
    if target is None:
        return None
    if not _has_room(state, target):
        return FULL
    return _permission_refusal(target.area.put, target.owner, state, seat, NOBODY_PUTS)


def _permission_refusal(
    permission: Permission | None, owner: int | None, state: TableReader, seat: int, nobody: Reason
) -> Reason | None:
    if has_permission(permission, owner, state, seat):
        return None
    if permission == "nobody":
        return nobody
    if (only := number_of_seat(permission)) is not None:
        if only < state.seats:
            return Reason("Only {seat} can do that.", {"seat": only})
        return nobody
    return (
        NOT_YOURS if permission in ("owner", "owner in turn") and owner != seat else NOT_YOUR_TURN
    )
