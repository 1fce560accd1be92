"""A person with a page before her and no rules: what a thumb can tap, from a page's JSON alone."""

import random
from collections.abc import Iterator
from itertools import combinations, islice, permutations
from typing import Any

Json = dict[str, Any]

MOST = 400
"""Answers of one gathering that are looked at."""


def leaves(step: Json | None) -> Iterator[Json]:
    """The moves that taps lead to from here."""
    if step is None:
        return
    for further in step["steps"]:
        yield from leaves(further)
    if step["move"] is not None:
        yield step["move"]


def alone(page: Json) -> Iterator[Json]:
    """Every move of one card, or of none."""
    for step in (*page["actions"], page["there"]):
        yield from leaves(step)
    for lying in page["cards"].values():
        yield from leaves(lying["step"])


def answers(page: Json) -> Iterator[Json]:
    """Every move that a page lets one make; of many cards put together some."""
    yield from alone(page)
    for gathering in page["gatherings"]:
        yield from islice(_gathered(gathering), MOST)


def _gathered(gathering: Json) -> Iterator[Json]:
    arrange = permutations if gathering["spots"] else combinations
    for count in range(max(1, gathering["least"]), gathering["most"] + 1):
        for cards in arrange(gathering["cards"], count):
            yield from _sent(gathering, list(cards))


def _sent(gathering: Json, cards: list[int]) -> Iterator[Json]:
    """These cards, with the way each lies or what else is chosen."""
    if gathering["step"] is not None:
        for move in leaves(gathering["step"]):
            yield {**move, "cards": cards}
        return
    choice = "".join(ways[0] for ways in gathering["signs"])
    yield {"ask": gathering["ask"], "verb": gathering["verb"], "cards": cards, "choice": choice}


def some_answer(page: Json, chance: random.Random) -> Json | None:
    """One move that the page lets one make, at random; None where it lets one make none."""
    single, gatherings = list(alone(page)), page["gatherings"]
    verbs = sorted({one["verb"] for one in (*single, *gatherings)})
    if not verbs:
        return None
    verb = chance.choice(verbs)
    moves = [move for move in single if move["verb"] == verb]
    together = [each for each in gatherings if each["verb"] == verb]
    if moves and (not together or chance.random() < 0.5):
        return chance.choice(moves)
    gathering = chance.choice(together)
    count = chance.randint(max(1, gathering["least"]), gathering["most"])
    cards = chance.sample(gathering["cards"], count)
    if not gathering["spots"]:
        cards.sort(key=gathering["cards"].index)
    sent = chance.choice([*_sent(gathering, cards)])
    if gathering["signs"]:
        sent["choice"] = "".join(chance.choice(ways) for ways in gathering["signs"])
    return sent
