"""A person with a page before her and no rules: what a thumb can tap, from a page's JSON alone."""

import random
from collections.abc import Callable, Generator, Iterator
from typing import Any

Json = dict[str, Any]
Put = Callable[[Json], Json | None]
"""Taps cards that are put together; returns what the gateway says of them."""

TRIES = 8
"""Ways to put cards together that are tried."""


def leaves(step: Json | None) -> Iterator[Json]:
    """The moves that taps lead to from here."""
    if step is None:
        return
    for further in step["steps"]:
        yield from leaves(further)
    if step["move"] is not None:
        yield step["move"]


def answers(page: Json) -> Iterator[Json]:
    """Every move of one card, or of none."""
    for step in (*page["actions"], page["there"]):
        yield from leaves(step)
    for lying in page["cards"].values():
        yield from leaves(lying.get("step"))


def put_together(page: Json, put: Put) -> Iterator[Json]:
    """Some of the moves for which cards are put together."""
    for number in range(TRIES if page["gatherings"] else 0):
        yield from _followed(_putting(page, random.Random(number)), put)


def some_answer(page: Json, chance: random.Random, put: Put) -> Json | None:
    """One move that the page lets one make, at random; None where it lets one make none."""
    return next(iter(_followed(tapping(page, chance), put)), None)


def tapping(page: Json, chance: random.Random) -> Generator[Json, Json | None, list[Json]]:
    """The taps on cards that are put together, each answered by what the gateway says of it, up to
    one move; a move of one card needs none."""
    single = list(answers(page))
    verbs = sorted({one["verb"] for one in (*single, *page["gatherings"])})
    if not verbs:
        return []
    verb = chance.choice(verbs)
    moves = [move for move in single if move["verb"] == verb]
    together = any(each["verb"] == verb for each in page["gatherings"])
    if moves and (not together or chance.random() < 0.5):
        return [chance.choice(moves)]
    for _ in range(TRIES):
        if found := (yield from _putting(page, chance)):
            return [chance.choice(found)]
    return [chance.choice(single)] if single else []


def _putting(page: Json, chance: random.Random) -> Generator[Json, Json | None, list[Json]]:
    """Put cards together at random, until they are an answer: the moves that this makes."""
    cards = [int(card) for card, lying in page["cards"].items() if lying.get("together")]
    chance.shuffle(cards)
    stands: Json | None = {}
    for card in cards:
        stands = yield tap(stands, does="card", card=card)
        if stands is None or (stands["step"] is not None and chance.random() < 0.5):
            break
    for spot in range(len(stands["spots"]) if stands else 0):
        stands = (yield tap(stands, does="spot", spot=spot)) or stands
        if stands["turnable"] and chance.random() < 0.5:
            stands = (yield tap(stands, does="turn")) or stands
        if stands["held"] is not None:
            stands = (yield tap(stands, does="spot", spot=spot)) or stands
    return list(leaves(stands["step"])) if stands else []


def tap(stands: Json | None, **what: Any) -> Json:
    """The message of a tap, on cards that are together as the gateway said last."""
    known = {key: (stands or {}).get(key) for key in ("at", "chosen", "spots", "turns", "held")}
    return {**{key: value for key, value in known.items() if value is not None}, **what}


def _followed(taps: Generator[Json, Json | None, list[Json]], put: Put) -> list[Json]:
    """The moves to which these taps lead."""
    try:
        tap = next(taps)
        while True:
            tap = taps.send(put(tap))
    except StopIteration as end:
        moves: list[Json] = end.value
        return moves
